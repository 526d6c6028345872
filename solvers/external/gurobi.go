package external

import (
	"math"
	"strings"

	"github.com/octgen/octgen/internal/lazy"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mps"
	"github.com/octgen/octgen/solvers"
	"github.com/octgen/octgen/solvers/solfile"
)

func gurobiProgram() *program {
	return &program{
		name: "gurobi", binary: "gurobi_cl", title: "Gurobi", format: solfile.Gurobi, dialect: mps.Gurobi,
		caps: solvers.Capabilities{
			Discrete: true, Quadratic: true, Indicator: true, SOS: true, TimeLimit: true, NodeLimit: true, IterLimit: true, Gaps: true, Threads: true, Seed: true,
			Start: true, Progress: true, Log: true, Raw: true,
		},
		probe:  invocation{args: []string{"--version"}},
		banner: lazy.Regexp(`Gurobi Optimizer version (\S+)`),
		rawOK:  rawName,
		options: []option{
			{"MIPGap", "RelGap", relGap}, {"MIPGapAbs", "AbsGap", absGap}, {"Seed", "Seed", seed(0, 2_000_000_000)}, {"Threads", "Threads", threads},
			{"NodeLimit", "NodeLimit", nodeLimit(math.MaxInt64)}, {"IterationLimit", "IterLimit", iterLimit}, {"TimeLimit", "TimeLimit", timeLimit},
			{"OutputFlag", "Log", nil}, {"LogToConsole", "Log", nil},
		},
		relied:     "resultfile inputfile logfile solfiles jsonsoldetail",
		boundAtEnd: true,
		prepare:    gurobiPrepare, scan: gurobiScan, answer: gurobiAnswer,
		refusal: lazy.Regexp(`(?i)(?:unknown parameter|no parameters? match(?:es|ing)?|unable to set parameter|value for parameter)[: ]+['"]?([A-Za-z0-9_]+)`),
		fatal:   lazy.Regexp(`(?i)^(?:error(?: \d+)?:|error reading|unable to |failed to |no gurobi license|license expired|license .*(?:not found|invalid)|.*model too large for size-limited)`),
	}
}

func gurobiPrepare(j *job) (invocation, error) {
	var args []string
	set := func(name, value string) { args = append(args, name+"="+value) }
	j.settings(set)
	set("ResultFile", solutionFile)
	if len(j.m.QuadCost())+len(j.m.QuadRows()) > 0 {
		set("NonConvex", "2") // the default from version 11 on
	}
	if j.opt.Start != nil {
		set("InputFile", j.startFile())
	}
	return invocation{args: append(args, modelFile)}, nil
}

var (
	// gurobiRow is a line of the progress table: explored and open nodes, then,
	// from the end, incumbent, bound, gap, iterations per node and time.
	gurobiRow      = lazy.Regexp(`^[H* ] *(\d+) +\d+ .*?(\S+) +(\S+) +(?:[0-9.]+%|-) +(?:[0-9.]+|-) +\d+s$`)
	gurobiExplored = lazy.Regexp(`^Explored (\d+) nodes? \((\d+) simplex iterations\)`)
	gurobiSolved   = lazy.Regexp(`^Solved in (\d+) iterations`)
	gurobiBest     = lazy.Regexp(`^Best objective (\S+), best bound (\S+), gap`)
)

var gurobiPhrases = []phrase{
	{"Optimal solution found", mio.Optimal, mio.NoLimit},
	{"Optimal objective ", mio.Optimal, mio.NoLimit},
	{"nfeasible or unbounded", mio.InfeasibleOrUnbounded, mio.NoLimit},
	{"Model is infeasible", mio.Infeasible, mio.NoLimit},
	{"Infeasible model", mio.Infeasible, mio.NoLimit},
	{"Model is unbounded", mio.Unbounded, mio.NoLimit},
	{"Unbounded model", mio.Unbounded, mio.NoLimit},
	{"Time limit reached", mio.Unknown, mio.LimitTime},
	{"Node limit reached", mio.Unknown, mio.LimitNodes},
	{"Iteration limit reached", mio.Unknown, mio.LimitIterations},
	{"Memory limit reached", mio.Unknown, mio.LimitMemory},
	{"Solve interrupted", mio.Unknown, mio.LimitInterrupt},
	{"Interrupt request received", mio.Unknown, mio.LimitInterrupt},
	{"Numerical trouble encountered", mio.NumericalError, mio.NoLimit},
	{"Sub-optimal termination", mio.Feasible, mio.NoLimit},
}

func gurobiScan(line string, r *record) {
	if f := gurobiRow().FindStringSubmatch(line); f != nil {
		r.work(f[1], "")
		r.incumbent(f[2])
		r.lowerFixed(f[3], 5)
	} else if f := gurobiBest().FindStringSubmatch(line); f != nil {
		r.incumbent(strings.TrimSuffix(f[1], ","))
		r.lower(f[2], 13)
	} else if f := gurobiExplored().FindStringSubmatch(line); f != nil {
		r.work(f[1], f[2])
	} else if f := gurobiSolved().FindStringSubmatch(line); f != nil {
		r.work("", f[1])
	} else if value, ok := strings.CutPrefix(line, "Found heuristic solution: objective "); ok {
		r.incumbent(value)
	} else if strings.HasPrefix(line, "Loaded user MIP start") || strings.HasPrefix(line, "User MIP start produced solution") {
		r.start = true
	} else {
		r.judge(line, gurobiPhrases)
	}
}

// gurobiAnswer: the file has values only, and may be there though the log says
// that there is no solution.
func gurobiAnswer(j *job, r *record) (*mio.Solution, error) {
	if r.status != mio.Unknown && !r.status.HasSolution() {
		return nil, nil
	}
	sol, err := j.readSolution(solutionFile)
	if err != nil {
		return nil, err
	}
	if r.status == mio.Unknown && r.limit == mio.NoLimit {
		sol.Status = mio.Unknown // a file says nothing of how it ended
	}
	return sol, nil
}
