package external

import (
	"math"
	"slices"

	"github.com/octgen/octgen/internal/lazy"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mps"
	"github.com/octgen/octgen/solvers"
	"github.com/octgen/octgen/solvers/solfile"
)

func glpkProgram() *program {
	return &program{
		name: "glpk", binary: "glpsol", title: "GLPK", format: solfile.GLPK, dialect: mps.Portable,
		caps: solvers.Capabilities{
			Discrete: true, TimeLimit: true, Progress: true, Log: true, Raw: true,
		},
		probe:   invocation{args: []string{"--version"}},
		banner:  lazy.Regexp(`GLPSOL.*LP/MIP Solver,? v?(\S+)`),
		rawOK:   rawName,
		options: []option{{"tmlim", "TimeLimit", wholeTimeLimit}, {"mipgap", "RelGap", nil}},
		relied: "mps freemps lp glp math model m data d display y mincost maxflow cnf read r min max output o write w ranges check name hide " +
			"wmps wfreemps wlp wglp wcnf log nomip minisat help h version v ini",
		adapt:   integerBounds,
		prepare: glpkPrepare, scan: glpkScan, answer: glpkAnswer,
		refusal: lazy.Regexp(`^Invalid option '--?([^']*)'`),
		fatal:   lazy.Regexp(`^(?:.*: error: |Only one input problem file allowed|model\.mps:\d+: |MPS file processing error)`),
	}
}

// glpkPrepare passes raw options as --name value, and as --name where the value
// is "on".
func glpkPrepare(j *job) (invocation, error) {
	args := []string{"--freemps", modelFile, "-w", solutionFile}
	j.settings(func(name, value string) {
		args = append(args, "--"+name)
		if value != "on" {
			args = append(args, value)
		}
	})
	return invocation{args: args}, nil
}

// glpkRow is a line of the branch and bound: "+ 81: >>>>> 3.5e+01 >= 0.0e+00 ...",
// or "mip =" in place of the arrows.
var glpkRow = lazy.Regexp(`^\+ *(\d+): (?:mip =|>>>>>) +(not found yet|\S+) [<>]= +(tree is empty|\S+)`)

const glpkDigits = 10

// glpkWords are lines that say how it ended.
var glpkWords = []phrase{
	{"INTEGER OPTIMAL SOLUTION FOUND", mio.Optimal, mio.NoLimit},
	{"OPTIMAL SOLUTION FOUND BY LP PREPROCESSOR", mio.Optimal, mio.NoLimit},
	{"PROBLEM HAS NO INTEGER FEASIBLE SOLUTION", mio.Infeasible, mio.NoLimit},
	{"PROBLEM HAS NO PRIMAL FEASIBLE SOLUTION", mio.Infeasible, mio.NoLimit},
	{"PROBLEM HAS NO FEASIBLE SOLUTION", mio.Infeasible, mio.NoLimit},
	{"LP HAS NO PRIMAL FEASIBLE SOLUTION", mio.Infeasible, mio.NoLimit},
	{"PROBLEM HAS NO DUAL FEASIBLE SOLUTION", mio.InfeasibleOrUnbounded, mio.NoLimit},
	{"LP RELAXATION HAS NO DUAL FEASIBLE SOLUTION", mio.InfeasibleOrUnbounded, mio.NoLimit},
	{"LP HAS NO DUAL FEASIBLE SOLUTION", mio.InfeasibleOrUnbounded, mio.NoLimit},
	{"LP HAS UNBOUNDED PRIMAL SOLUTION", mio.Unbounded, mio.NoLimit},
	{"PROBLEM HAS UNBOUNDED SOLUTION", mio.Unbounded, mio.NoLimit},
	{"TIME LIMIT EXCEEDED", mio.Unknown, mio.LimitTime},
	{"RELATIVE MIP GAP TOLERANCE REACHED", mio.Unknown, mio.LimitGap},
}

func glpkScan(line string, r *record) {
	if f := glpkRow().FindStringSubmatch(line); f != nil {
		r.incumbent(f[2])
		r.lower(f[3], glpkDigits)
		r.work("", f[1])
		return
	}
	r.judge(line, glpkWords)
}

// glpkAnswer reads no file where the log says that there is no point: GLPK
// writes zeros.
func glpkAnswer(j *job, r *record) (*mio.Solution, error) {
	if r.status != mio.Unknown && !r.status.HasSolution() {
		return nil, nil
	}
	return j.readSolution(solutionFile)
}

// integerBounds returns m with the bounds of integer columns rounded
// inwards, for GLPK refuses fractional ones; nil where no integer is left
// between two of them.
func integerBounds(m *mio.Model) (*mio.Model, error) {
	lower, upper, changed := slices.Clone(m.ColLower()), slices.Clone(m.ColUpper()), false
	for j, kind := range m.ColTypes() {
		if kind == mio.Continuous {
			continue
		}
		lower[j], upper[j] = math.Ceil(lower[j]), math.Floor(upper[j])
		if lower[j] > upper[j] {
			return nil, nil
		}
		changed = changed || lower[j] != m.ColLower()[j] || upper[j] != m.ColUpper()[j]
	}
	if !changed {
		return m, nil
	}
	b := mio.NewBuilder(m.Name())
	b.SetSense(m.Sense())
	b.AddOffset(m.Offset())
	b.Reserve(m.NumCols(), m.NumRows(), m.NumNonzeros())
	for i := range m.NumRows() {
		b.AddRow(m.RowLower()[i], m.RowUpper()[i], m.RowName(i))
	}
	for j := range m.NumCols() {
		b.AddCol(m.Costs()[j], lower[j], upper[j], m.ColTypes()[j], m.ColName(j))
		rows, values := m.Column(j)
		for k, i := range rows {
			b.Add(mio.Row(i), mio.Col(j), values[k])
		}
	}
	return b.Model()
}
