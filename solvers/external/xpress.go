package external

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/octgen/octgen/internal/lazy"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mps"
	"github.com/octgen/octgen/solvers"
	"github.com/octgen/octgen/solvers/solfile"
)

// xpressSolution is the solution, named as the console wants it.
const xpressSolution = "out.slx"

func xpressProgram() *program {
	return &program{
		name: "xpress", binary: "optimizer", title: "Xpress", format: solfile.Xpress, dialect: mps.Xpress,
		caps: solvers.Capabilities{
			Discrete: true, Quadratic: true, Indicator: true, SOS: true, TimeLimit: true, NodeLimit: true, Gaps: true, Threads: true, Seed: true,
			Start: true, Progress: true, Log: true, Raw: true,
		},
		adapt:  integerBounds,
		probe:  invocation{stdin: "quit\n"},
		banner: lazy.Regexp(`Xpress[^\n]*?\bv(\d[0-9.]*)`),
		rawOK:  rawName,
		options: []option{
			{"miprelstop", "RelGap", relGap}, {"mipabsstop", "AbsGap", absGap}, {"randomseed", "Seed", seed(1, math.MaxInt)}, {"threads", "Threads", threads},
			{"maxnode", "NodeLimit", nodeLimit(mostInt32)}, {"maxtime", "TimeLimit", xpressTime}, {"timelimit", "TimeLimit", nil}, {"outputlog", "Log", nil},
		},
		boundAtEnd: true,
		prepare:    xpressPrepare, scan: xpressScan, answer: xpressAnswer,
		refusal: lazy.Regexp(`(?i)(?:invalid command name|unknown (?:command|control)|control)[: ]+["'=]?([A-Za-z0-9_]+)(?:=\S*)?["']?(?: (?:is unknown|not found|does not exist).*)?$`),
		fatal:   lazy.Regexp(`^\?\d+ Error`),
	}
}

// xpressTime is the time limit, negative: with or without an incumbent.
func xpressTime(j *job) string {
	if limit := wholeTimeLimit(j); limit != "" {
		return "-" + limit
	}
	return ""
}

// xpressPrepare writes the console's commands to its standard input; at the end
// it prints the attributes that say how it went.
func xpressPrepare(j *job) (invocation, error) {
	var b strings.Builder
	line := func(f string, args ...any) { fmt.Fprintf(&b, f+"\n", args...) }
	line("readprob %s", modelFile)
	line("MIPADDCUTOFF=0") // its default of -1e-5 cuts off better solutions of small objectives
	j.settings(func(name, value string) { line("%s=%s", strings.ToUpper(name), value) })
	mip := j.m.NumDiscrete() > 0 || len(j.m.SOS()) > 0
	if j.opt.Start != nil && mip {
		line("readslxsol %s", j.startFile())
	}
	found := "$lpstatus == 1"
	attributes := "lpstatus stopstatus simplexiter lpobjval"
	if mip {
		line("mipoptimize")
		found = "$mipsols > 0"
		attributes += " mipstatus bestbound nodes mipobjval mipsols"
	} else {
		line("lpoptimize")
	}
	line("if {%s} {writeslxsol -p %s}", found, xpressSolution)
	for _, a := range strings.Fields(attributes) {
		line(`puts "octgen %s $%s"`, a, a)
	}
	line("quit")
	return invocation{stdin: b.String()}, nil
}

// xpressRow is a line that has an incumbent: of the tree search's table, node, incumbent, bound,
// solutions, active, depth, gap, infeasibilities, time; of the table of cuts at the root, iteration,
// type (a letter), incumbent, bound, solutions, added, deleted, gap, infeasibilities, time. Xpress
// writes no zero before a decimal point.
var xpressRow = lazy.Regexp(`^[A-Za-z*+ ] *(\d+) +([A-Z] +)?(-?\d*\.\d+) +(-?\d*\.\d+) +\d+ +\d+ +\d+ +\S+ +\d+ +\d+$`)

// Xpress's attributes MIPSTATUS, LPSTATUS and STOPSTATUS, by their values.
var (
	xpressMIP = map[string]mio.Status{
		"4": mio.Feasible, "5": mio.Infeasible, "6": mio.Optimal, "7": mio.Unbounded,
	}
	xpressLP = map[string]mio.Status{
		"1": mio.Optimal, "2": mio.Infeasible, "5": mio.Unbounded,
	}
	xpressStop = map[string]mio.Limit{
		"1": mio.LimitTime, "2": mio.LimitInterrupt, "3": mio.LimitNodes, "4": mio.LimitIterations, "5": mio.LimitGap, "8": mio.LimitMemory,
	}
)

func xpressScan(line string, r *record) {
	if f := xpressRow().FindStringSubmatch(line); f != nil {
		if f[2] == "" {
			r.work(f[1], "")
		}
		r.incumbent(f[3])
		r.lowerFixed(f[4], 6)
		return
	}
	if strings.Contains(line, "User solution") && strings.Contains(line, "stored") || strings.HasPrefix(line, " *** Solution found:") && strings.Contains(line, "Heuristic: U ***") {
		r.start = true
		return
	}
	at := strings.Index(line, "octgen ") // after the prompt
	if at < 0 {
		return
	}
	f := strings.Fields(line[at:])
	if len(f) != 3 {
		return
	}
	switch value := f[2]; f[1] {
	case "lpstatus":
		if s, ok := xpressLP[value]; ok {
			r.ended("LP status "+value, s, r.limit)
		}
	case "mipstatus": // comes later, and decides
		r.ended("MIP status "+value, xpressMIP[value], r.limit)
	case "stopstatus":
		r.limit = xpressStop[value]
	case "bestbound":
		r.lower(value, 15)
	case "nodes":
		r.work(value, "")
	case "simplexiter":
		r.work("", value)
	case "mipobjval":
		if r.status == mio.Optimal || r.status == mio.Feasible {
			r.incumbent(value)
		}
	}
}

// xpressAnswer reads no file where the attributes say that there is no point.
func xpressAnswer(j *job, r *record) (*mio.Solution, error) {
	if r.status != mio.Unknown && !r.status.HasSolution() || r.words == "" {
		return nil, nil
	}
	if n, err := strconv.Atoi(strings.TrimPrefix(r.words, "MIP status ")); err == nil && n < 4 {
		return nil, nil // no solution found
	}
	return j.readSolution(xpressSolution)
}
