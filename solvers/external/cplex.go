package external

import (
	"strings"

	"github.com/octgen/octgen/internal/lazy"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mps"
	"github.com/octgen/octgen/solvers"
	"github.com/octgen/octgen/solvers/solfile"
)

func cplexProgram() *program {
	return &program{
		name: "cplex", binary: "cplex", title: "CPLEX", format: solfile.CPLEX, dialect: mps.CPLEX,
		caps: solvers.Capabilities{
			Discrete: true, NonconvexObjective: true, Indicator: true, SOS: true, TimeLimit: true, NodeLimit: true, Gaps: true, Threads: true, Seed: true,
			Start: true, Progress: true, Log: true, Raw: true,
		},
		probe:  invocation{args: []string{"-c", "quit"}},
		banner: lazy.Regexp(`CPLEX\S* (?:Interactive )?Optimizer (\S+)`),
		rawOK:  lazy.Regexp(`^[a-z]+(/[a-z]+)*$`),
		options: []option{
			{"mip/tolerances/mipgap", "RelGap", func(j *job) string { return format(min(j.opt.RelGap, 1)) }}, {"mip/tolerances/absmipgap", "AbsGap", absGap},
			{"randomseed", "Seed", seed(0, 2_100_000_000)}, {"threads", "Threads", threads}, {"mip/limits/nodes", "NodeLimit", nodeLimit(cplexMostNodes)},
			{"timelimit", "TimeLimit", timeLimit},
		},
		relied:     "logfile output/logonly clocktype workdir defaults",
		boundAtEnd: true,
		prepare:    cplexPrepare, scan: cplexScan, answer: cplexAnswer,
		refusal: lazy.Regexp(`^(?:Command|Parameter|Option|Value) '([^']+)' (?:does not exist|is not|out of range|not )`),
	}
}

// cplexMostNodes is the largest node limit that CPLEX accepts.
const cplexMostNodes = 9_223_372_036_800_000_000

// cplexPrepare passes one command per argument. Raw options are paths of the
// command set, such as mip/cuts/covers.
func cplexPrepare(j *job) (invocation, error) {
	args := []string{"-c", "read " + modelFile}
	j.settings(func(path, value string) { args = append(args, "set "+strings.ReplaceAll(path, "/", " ")+" "+value) })
	if j.quadraticObjective() { // which may be nonconvex: a global optimum is wanted
		args = append(args, "set optimalitytarget 3")
	}
	if j.opt.Start != nil && j.m.NumDiscrete() > 0 {
		args = append(args, "read "+j.startFile())
	}
	return invocation{args: append(args, "optimize", "write "+solutionFile, "quit")}, nil
}

var (
	// cplexRow is a line of the node table that has an incumbent: node, then,
	// from the end, incumbent, bound, iterations (not at heuristic solutions)
	// and gap.
	cplexRow    = lazy.Regexp(`^[* ] *(\d+)\+? +\d+ .*?(-?\d*\.\d+(?:e[-+]\d+)?) +(-?\d*\.\d+(?:e[-+]\d+)?)(?: +(\d+))? +[0-9.]+%$`)
	cplexBound  = lazy.Regexp(`^Current MIP best bound = +(\S+)`)
	cplexWork   = lazy.Regexp(`^Solution time = .*Iterations = (\d+)(?: +Nodes = (\d+))?`)
	cplexStart  = lazy.Regexp(`^(?:[1-9]\d* of \d+ MIP starts provided solutions|MIP start '[^']*' defined initial solution)`)
	cplexEnd    = lazy.Regexp(`^(?:MIP|MIQP|MIQCP|Dual simplex|Primal simplex|Barrier|Concurrent|Network|Presolve|Sifting|Bound infeasibility|Infeasibility)\b`)
	cplexTarget = lazy.Regexp(`Objective = +(\S+)$`)
	cplexError  = lazy.Regexp(`^CPLEX Error +(\d+):`)
)

var cplexPhrases = []phrase{
	{"infeasible or unbounded", mio.InfeasibleOrUnbounded, mio.NoLimit},
	{"nbounded or infeasible", mio.InfeasibleOrUnbounded, mio.NoLimit},
	{"Time limit exceeded", mio.Unknown, mio.LimitTime},
	{"Node limit exceeded", mio.Unknown, mio.LimitNodes},
	{"Memory limit exceeded", mio.Unknown, mio.LimitMemory},
	{"out of memory", mio.Unknown, mio.LimitMemory},
	{"Aborted", mio.Unknown, mio.LimitInterrupt},
	{"ptimal with unscaled infeasibilities", mio.Feasible, mio.NoLimit},
	{"nteger optimal", mio.Optimal, mio.NoLimit},
	{"- Optimal", mio.Optimal, mio.NoLimit},
	{"Bound infeasibility", mio.Infeasible, mio.NoLimit},
	{"nfeasible", mio.Infeasible, mio.NoLimit},
	{"Infeasibility row", mio.Infeasible, mio.NoLimit},
	{"Infeasibility column", mio.InfeasibleOrUnbounded, mio.NoLimit},
	{"nbounded", mio.Unbounded, mio.NoLimit},
}

func cplexScan(line string, r *record) {
	if f := cplexRow().FindStringSubmatch(line); f != nil {
		r.incumbent(f[2])
		r.lowerFixed(f[3], 4)
		r.work(f[1], f[4])
	} else if f := cplexBound().FindStringSubmatch(line); f != nil {
		r.lower(f[1], 11)
	} else if f := cplexWork().FindStringSubmatch(line); f != nil {
		r.work(f[2], f[1])
	} else if cplexStart().MatchString(line) {
		r.start = true
	} else if f := cplexError().FindStringSubmatch(line); f != nil {
		if f[1] != "1217" && r.fatal == "" { // no solution to write
			r.fatal = strings.TrimSpace(line)
		}
	} else if cplexEnd().MatchString(line) && (strings.Contains(line, " - ") || strings.HasPrefix(line, "Bound infeas") || strings.HasPrefix(line, "Infeasibility ")) {
		if r.judge(line, cplexPhrases) {
			if f := cplexTarget().FindStringSubmatch(line); f != nil {
				r.incumbent(f[1])
				if strings.Contains(line, "nteger optimal solution") { // with a tolerance, the bound comes next
					r.lower(f[1], 11)
				}
			}
		}
	}
}

// cplexAnswer reads no file where the log says that there is no point.
func cplexAnswer(j *job, r *record) (*mio.Solution, error) {
	if r.status != mio.Unknown && !r.status.HasSolution() {
		return nil, nil
	}
	return j.readSolution(solutionFile)
}
