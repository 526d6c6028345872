package external

import (
	"embed"
	"encoding/json"
	"math"
	"os"
	"strings"
	"time"

	"github.com/octgen/octgen/internal/lazy"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mps"
	"github.com/octgen/octgen/solvers"
	"github.com/octgen/octgen/solvers/solfile"
)

// pack is an optimizer's Python package.
type pack struct {
	module string // as imported
	dist   string // as installed
	script string // in the folder scripts
	format solfile.Format
}

// scripts run the packages: each uses common.py, which has the report's form.
//
//go:embed scripts/*.py
var scripts embed.FS

// The names of the files of a script's run.
const (
	scriptFile = "solve.py"
	commonFile = "common.py"
	taskFile   = "task.json"
)

// packaged is the program that runs a script on the optimizer's package: model, start and options
// are those of the executable, and so is the log.
func packaged(p *program, of pack) *program {
	p.pack = &of
	p.probe = invocation{args: []string{"-c", probeText, of.module, of.dist}}
	p.banner = lazy.Regexp(`octgen package (\S+)`)
	p.prepare, p.scan, p.answer = packagePrepare, packageScan(p.scan), packageAnswer
	p.refusal, p.fatal, p.exitOK, p.improving = nil, nil, nil, nil
	p.boundAtEnd = true
	return p
}

// probeText prints the version of a package that is installed, without importing it.
const probeText = `import importlib.metadata as m, importlib.util as u, sys
if u.find_spec(sys.argv[1]): print("octgen package", m.version(sys.argv[2]))`

func scipPackage() *program {
	return packaged(scipProgram(), pack{"pyscipopt", "pyscipopt", "scip.py", solfile.SCIP})
}

func gurobiPackage() *program {
	return packaged(gurobiProgram(), pack{"gurobipy", "gurobipy", "gurobi.py", solfile.Gurobi})
}

func cplexPackage() *program {
	return packaged(cplexProgram(), pack{"cplex", "cplex", "cplex_.py", solfile.CPLEX})
}

func xpressPackage() *program {
	p := xpressProgram()
	for i, o := range p.options {
		switch o.name {
		case "maxtime":
			p.options[i].value = nil
		case "timelimit":
			p.options[i].value = timeLimit
		}
	}
	return packaged(p, pack{"xpress", "xpress", "xpress_.py", solfile.Gurobi})
}

func highsPackage() *program {
	p := highsProgram()
	p.name = "highspy"
	return packaged(p, pack{"highspy", "highspy", "highspy.py", solfile.HiGHS})
}

func cpsatPackage() *program {
	return packaged(&program{
		name: "cp-sat", title: "CP-SAT", format: solfile.HiGHS, dialect: mps.Portable,
		caps: solvers.Capabilities{
			Discrete: true, OnlyDiscrete: true, TimeLimit: true, Gaps: true, Threads: true, Seed: true,
			Start: true, Progress: true, Log: true, Raw: true,
		},
		rawOK: rawName,
		options: []option{
			{"relative_gap_limit", "RelGap", relGap}, {"absolute_gap_limit", "AbsGap", absGap}, {"random_seed", "Seed", seed(0, mostInt32)},
			{"num_workers", "Threads", threads}, {"max_time_in_seconds", "TimeLimit", timeLimit}, {"log_search_progress", "Log", nil},
		},
		scan: cpsatScan,
	}, pack{"ortools", "ortools", "cpsat.py", solfile.Gurobi})
}

func coptPackage() *program {
	return packaged(&program{
		name: "copt", title: "COPT", format: solfile.Gurobi, dialect: mps.Gurobi,
		caps: solvers.Capabilities{
			Discrete: true, ConvexQuadratic: true, Indicator: true, SOS: true, TimeLimit: true, NodeLimit: true, Gaps: true, Threads: true,
			Start: true, Progress: true, Log: true, Raw: true,
		},
		rawOK: rawName,
		options: []option{
			{"RelGap", "RelGap", relGap}, {"AbsGap", "AbsGap", absGap}, {"Threads", "Threads", threads}, {"NodeLimit", "NodeLimit", nodeLimit(mostInt32)},
			{"TimeLimit", "TimeLimit", timeLimit}, {"Logging", "Log", nil}, {"LogToConsole", "Log", nil},
		},
		scan: coptScan,
	}, pack{"coptpy", "coptpy", "copt.py", solfile.Gurobi})
}

// task is what a script is told, as JSON.
type task struct {
	Model     string      `json:"model"`
	Start     string      `json:"start"` // "" for none
	Solution  string      `json:"solution"`
	Settings  [][2]string `json:"settings"`
	Discrete  bool        `json:"discrete"`
	Nonconvex bool        `json:"nonconvex"` // perhaps: there are quadratic terms
	Clock     string      `json:"clock"`     // the setting that is the time limit, in seconds
	Deadline  float64     `json:"deadline"`  // when that is over, in seconds since 1970
}

// packagePrepare writes the script and its task.
func packagePrepare(j *job) (invocation, error) {
	t := task{
		Model: modelFile, Solution: solutionFile, Settings: [][2]string{}, Discrete: j.m.NumDiscrete() > 0 || len(j.m.SOS()) > 0,
		Nonconvex: j.quadraticObjective() || j.caps.Quadratic && len(j.m.QuadRows()) > 0,
	}
	if j.opt.Start != nil {
		t.Start = j.startFile()
	}
	for _, o := range j.options {
		if o.field == "TimeLimit" && o.value != nil {
			t.Clock, t.Deadline = o.name, float64(time.Now().UnixMicro())/1e6+j.own()
		}
	}
	j.settings(func(name, value string) { t.Settings = append(t.Settings, [2]string{name, value}) })
	text, err := json.Marshal(t)
	if err != nil {
		return invocation{}, err
	}
	if err := os.WriteFile(j.file(taskFile), text, 0o600); err != nil {
		return invocation{}, err
	}
	for to, from := range map[string]string{scriptFile: j.pack.script, commonFile: commonFile} {
		text, err := scripts.ReadFile("scripts/" + from)
		if err == nil {
			err = os.WriteFile(j.file(to), text, 0o600)
		}
		if err != nil {
			return invocation{}, err
		}
	}
	return invocation{args: []string{scriptFile}}, nil
}

// quadraticObjective reports whether there are quadratic terms, and in the objective only.
func (j *job) quadraticObjective() bool { return len(j.m.QuadCost()) > 0 && len(j.m.QuadRows()) == 0 }

// packageStatus is what a script says of a solve that ended by itself.
var packageStatus = map[string]mio.Status{
	"optimal": mio.Optimal, "feasible": mio.Feasible, "infeasible": mio.Infeasible, "unbounded": mio.Unbounded,
	"infeasible or unbounded": mio.InfeasibleOrUnbounded,
}

var packageLimit = map[string]mio.Limit{
	"time": mio.LimitTime, "nodes": mio.LimitNodes, "iterations": mio.LimitIterations, "gap": mio.LimitGap, "memory": mio.LimitMemory,
	"interrupt": mio.LimitInterrupt,
}

// packageScan takes in the lines of a script's report; the others are the optimizer's log, which
// says how the solve goes on, but not how it ended.
func packageScan(native func(string, *record)) func(string, *record) {
	return func(line string, r *record) {
		text, ok := strings.CutPrefix(line, "octgen: ")
		if !ok {
			status, limit, words, fatal := r.status, r.limit, r.words, r.fatal
			native(line, r)
			r.status, r.limit, r.words, r.fatal = status, limit, words, fatal
			return
		}
		key, value, _ := strings.Cut(text, " ")
		switch key {
		case "start":
			r.start = true
		case "bound":
			if v, ok := number(value); ok {
				r.bound, r.news = math.Max(r.bound, v), true
			}
		case "nodes":
			r.work(value, "")
		case "iterations":
			r.work("", value)
		case "point":
			r.none = value == "no"
		case "status":
			r.ended(value, packageStatus[value], mio.NoLimit)
		case "limit":
			r.ended("limit on "+value, mio.Unknown, packageLimit[value])
		case "refused":
			r.refused, r.fatal, _ = strings.Cut(value, " ")
		case "licence":
			r.licence = value
		case "failed":
			r.fatal = value
		}
	}
}

// packageAnswer reads no file where the script says that there is no point.
func packageAnswer(j *job, r *record) (*mio.Solution, error) {
	if r.none {
		return nil, nil
	}
	sol, err := j.readAs(j.pack.format, solutionFile)
	if err != nil {
		return nil, err
	}
	sol.Status, sol.Limit = mio.Unknown, mio.NoLimit // the script says how it ended
	return sol, nil
}

// cpsatRow is a line of the log that has an incumbent and a bound.
var cpsatRow = lazy.Regexp(`^#\S+ +[0-9.]+s +best:(\S+) +next:\[([^],]+),`)

// cpsatDigits is the number of digits of CP-SAT's log.
const cpsatDigits = 6

func cpsatScan(line string, r *record) {
	if f := cpsatRow().FindStringSubmatch(line); f != nil {
		r.incumbent(f[1])
		r.lower(f[2], cpsatDigits)
	} else if strings.Contains(line, "complete_hint") || strings.Contains(line, "hint") && strings.Contains(line, "feasible") && !strings.Contains(line, "infeasible") {
		r.start = true
	}
}

// coptRow is a line of the log: nodes, what is open, bound and incumbent.
var coptRow = lazy.Regexp(`^[H*]? +(\d+) +\d+ +\S+ +\S+ +(\S+) +(\S+) +\S+ +\S+s$`)

// coptDigits is the number of digits of COPT's log.
const coptDigits = 7

func coptScan(line string, r *record) {
	if f := coptRow().FindStringSubmatch(line); f != nil {
		r.work(f[1], "")
		r.lower(f[2], coptDigits)
		r.incumbent(f[3])
	} else if strings.HasPrefix(line, "Initial MIP solution") && strings.HasSuffix(line, "was accepted") {
		r.start = true
	}
}
