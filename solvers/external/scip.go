package external

import (
	"fmt"
	"math"
	"os"
	"strings"

	"github.com/octgen/octgen/internal/lazy"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mps"
	"github.com/octgen/octgen/solvers"
	"github.com/octgen/octgen/solvers/solfile"
)

const scipSettings = "settings.set"

func scipProgram() *program {
	return &program{
		name: "scip", binary: "scip", title: "SCIP", format: solfile.SCIP, dialect: mps.SCIP,
		caps: solvers.Capabilities{
			Discrete: true, Quadratic: true, Indicator: true, SOS: true, TimeLimit: true, NodeLimit: true, Gaps: true, Seed: true,
			Start: true, Progress: true, Log: true, Raw: true,
		},
		probe:  invocation{args: []string{"--version"}},
		banner: lazy.Regexp(`SCIP version (\S+)`),
		rawOK:  lazy.Regexp(`^[a-z]+(/[A-Za-z0-9_]+)+$`),
		options: []option{
			{"limits/gap", "RelGap", relGap}, {"limits/absgap", "AbsGap", absGap}, {"randomization/randomseedshift", "Seed", seed(math.MinInt, math.MaxInt)},
			{"limits/nodes", "NodeLimit", nodeLimit(math.MaxInt64)}, {"limits/totalnodes", "NodeLimit", nil}, {"limits/time", "TimeLimit", timeLimit},
		},
		boundAtEnd: true,
		prepare:    scipPrepare, scan: scipScan, answer: solution,
		refusal: lazy.Regexp(`unknown parameter <([^>]+)>`),
		fatal:   lazy.Regexp(`(?:error reading file|no problem exists|no reader for input file|cannot open)`),
	}
}

// scipPrepare sets parameters by a file, all else by commands.
func scipPrepare(j *job) (invocation, error) {
	var b strings.Builder
	j.settings(func(name, value string) { fmt.Fprintf(&b, "%s = %s\n", name, value) })
	args := []string{"-s", scipSettings, "-c", "read " + modelFile}
	if j.opt.Start != nil {
		args = append(args, "-c", "read "+j.startFile())
	}
	for _, command := range []string{"optimize", "write solution " + solutionFile, "quit"} {
		args = append(args, "-c", command)
	}
	return invocation{args: args}, os.WriteFile(j.file(scipSettings), []byte(b.String()), 0o600)
}

// scipTime begins a line of the progress table, whose columns are parted by bars.
var scipTime = lazy.Regexp(`^[ !-~]? *[0-9.]+[smhd]?\|`)

const scipDigits = 7

var scipPhrases = []phrase{
	{"[optimal solution found]", mio.Optimal, mio.NoLimit},
	{"[infeasible or unbounded]", mio.InfeasibleOrUnbounded, mio.NoLimit},
	{"[infeasible]", mio.Infeasible, mio.NoLimit},
	{"[unbounded]", mio.Unbounded, mio.NoLimit},
	{"[time limit reached]", mio.Unknown, mio.LimitTime},
	{"[node limit reached]", mio.Unknown, mio.LimitNodes},
	{"[total node limit reached]", mio.Unknown, mio.LimitNodes},
	{"[memory limit reached]", mio.Unknown, mio.LimitMemory},
	{"[gap limit reached]", mio.Unknown, mio.LimitGap},
	{"[user interrupt]", mio.Unknown, mio.LimitInterrupt},
	{"[termination signal received]", mio.Unknown, mio.LimitInterrupt},
}

func scipScan(line string, r *record) {
	if scipTime().MatchString(line) {
		scipRow(strings.Split(line, "|"), r)
		return
	}
	if strings.Contains(line, "feasible solution given by solution candidate storage") && !strings.HasPrefix(strings.TrimSpace(line), "0/") {
		r.start = true
		return
	}
	name, value, ok := strings.Cut(line, " : ")
	if !ok {
		return
	}
	value, _, _ = strings.Cut(strings.TrimSpace(value), " (")
	switch strings.TrimSpace(name) {
	case "SCIP Status":
		r.judge(line, scipPhrases)
		r.words = strings.TrimSpace(value)
	case "Primal Bound":
		r.incumbent(value)
	case "Dual Bound":
		r.lower(value, 15)
	case "Solving Nodes":
		r.work(value, "")
	}
}

// scipRow takes in a row that ends "... | dual bound | primal bound | gap" or,
// from SCIP 7 on, with one more column.
func scipRow(cols []string, r *record) {
	for k := range cols {
		cols[k] = strings.TrimSpace(cols[k])
	}
	n := len(cols)
	if n > 0 && cols[n-1] == "" {
		n--
	}
	if n > 0 && (cols[n-1] == "unknown" || n >= 2 && strings.HasSuffix(cols[n-1], "%") && !isNumber(cols[n-2])) {
		n--
	}
	if n < 8 {
		return
	}
	r.work(cols[1], cols[3])
	r.lower(cols[n-3], scipDigits)
	r.incumbent(cols[n-2])
}

func isNumber(text string) bool { _, ok := number(text); return ok }
