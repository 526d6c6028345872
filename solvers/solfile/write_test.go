package solfile

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mps"
)

func startFormats() []Format {
	return slices.DeleteFunc(Formats(), func(f Format) bool { return !f.Starts() })
}

func writeStart(t testing.TB, f Format, m *mio.Model, mp *mps.Map, x []float64, o StartOptions) string {
	t.Helper()
	var b bytes.Buffer
	if err := WriteStart(&b, f, m, mp, x, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestStartGolden(t *testing.T) {
	m, mp := oddModel(t)
	for _, f := range startFormats() {
		golden(t, filepath.Join("start", string(f)+"-full"+f.StartExt()), writeStart(t, f, m, mp, oddOptimum, StartOptions{}))
		golden(t, filepath.Join("start", string(f)+"-discrete"+f.StartExt()), writeStart(t, f, m, mp, oddOptimum, StartOptions{Discrete: true}))
	}
}

// TestPartialStart: NaN leaves a column out, and nothing else does.
func TestPartialStart(t *testing.T) {
	m, mp := oddModel(t)
	x := slices.Clone(oddOptimum)
	x[2] = math.NaN()
	for _, f := range startFormats() {
		full, part := writeStart(t, f, m, mp, oddOptimum, StartOptions{}), writeStart(t, f, m, mp, x, StartOptions{})
		if got, want := strings.Count(part, "\n"), strings.Count(full, "\n")-1; got != want {
			t.Errorf("%s: %d lines, want %d:\n%s", f, got, want, part)
		}
		if strings.Contains(part, "a&") || strings.Contains(part, "NaN") {
			t.Errorf("%s has the column left out:\n%s", f, part)
		}
	}
}

func TestStartErrors(t *testing.T) {
	m, mp := oddModel(t)
	with := func(j int, v float64) []float64 {
		x := slices.Clone(oddOptimum)
		x[j] = v
		return x
	}
	for _, c := range []struct {
		f    Format
		x    []float64
		want string
	}{
		{GLPK, oddOptimum, "solfile: the solver reads no starts: format glpk"},
		{"lindo", oddOptimum, `solfile: unknown format "lindo"; known are highs, gurobi, cplex, cbc, scip, glpk, xpress, opb, lp_solve, symphony`},
		{CBC, with(2, math.Inf(-1)), `solfile: start of model "odd": column a&b<c> is -Inf, expected a finite value, or NaN to leave it out`},
		{CBC, with(1, 1.5), `solfile: start of model "odd": column RHS is 1.5, but it is integer`},
	} {
		var b bytes.Buffer
		err := WriteStart(&b, c.f, m, mp, c.x, StartOptions{})
		want := strings.Replace(c.want, `"odd"`, `"odd model"`, 1)
		if err == nil || err.Error() != want || b.Len() > 0 {
			t.Errorf("%v, want %s; wrote %q", err, want, b.String())
		}
		if got := errors.Is(err, ErrNoStart); got != (c.f == GLPK) {
			t.Errorf("%v: ErrNoStart %v", err, got)
		}
	}
}

// randomModel has names that files replace, names that XML escapes, a constant
// or none, and any sense; x is a point with all kinds of numbers.
func randomModel(t *rapid.T) (*mio.Model, []float64) {
	b := mio.NewBuilder(rapid.SampledFrom([]string{"", "m", "a <model> & \"more\"", "größe"}).Draw(t, "model"))
	if rapid.Bool().Draw(t, "max") {
		b.SetSense(mio.Maximize)
	}
	b.AddOffset(rapid.SampledFrom([]float64{0, 0, -2.5}).Draw(t, "offset"))
	name := rapid.StringMatching(`[a-zA-Z_0-9$*'"<>&#=.:;(){}\[\]-]{1,9}`)
	var x []float64
	for j := range rapid.IntRange(0, 12).Draw(t, "columns") {
		kind := rapid.SampledFrom([]mio.VarType{mio.Continuous, mio.Integer, mio.Binary}).Draw(t, "type")
		hi := 1e300
		v := rapid.Float64Range(-hi, hi).Draw(t, "value")
		if rapid.Bool().Draw(t, "small") {
			v = rapid.SampledFrom([]float64{0, math.Copysign(0, -1), 1, 0.1, 1e-9, 1. / 3, 123456789.25}).Draw(t, "small value")
		}
		switch kind {
		case mio.Binary:
			hi, v = 1, float64(rapid.IntRange(0, 1).Draw(t, "binary"))
		case mio.Integer:
			v = float64(rapid.IntRange(-1<<50, 1<<50).Draw(t, "integer"))
		}
		lo := -hi
		if kind == mio.Binary {
			lo = 0
		}
		b.AddCol(rapid.SampledFrom([]float64{0, 1, -2.5}).Draw(t, "cost"), lo, hi, kind, name.Draw(t, "name"), j)
		x = append(x, v)
	}
	m, err := b.Model()
	if err != nil {
		t.Fatal(err)
	}
	return m, x
}

// TestStartRoundTrip: what is written as a start is read as the same point,
// bit for bit.
func TestStartRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m, x := randomModel(t)
		for _, f := range startFormats() {
			var b bytes.Buffer
			if err := WriteStart(&b, f, m, nil, x, StartOptions{}); err != nil {
				t.Fatal(err)
			}
			text := b.String()
			sol, err := Read(&b, "start", f, m, nil, ReadOptions{})
			if err != nil {
				t.Fatalf("%s: %v in\n%s", f, err, text)
			}
			if len(x) == 0 {
				continue // a start of nothing
			}
			if d := cmp.Diff(x, sol.Values, cmp.Comparer(func(a, b float64) bool { return a == b })); d != "" {
				t.Fatalf("%s: %s in\n%s", f, d, text)
			}
			if v := m.Objective(x); sol.Status != mio.Feasible || sol.Objective != v && v-v == 0 {
				t.Fatalf("%s: %v with %v, want %v", f, sol.Status, sol.Objective, v)
			}
			if got, _, err := detect(strings.NewReader(text)); got != f {
				t.Fatalf("detected %q for %s: %v\n%s", got, f, err, text)
			}
		}
	})
}

// TestStartFile: compressed by name, the same bytes twice, nothing left behind
// where the point is refused.
func TestStartFile(t *testing.T) {
	m, mp := oddModel(t)
	dir := t.TempDir()
	for _, f := range startFormats() {
		for _, ext := range []string{"", ".gz"} {
			path := filepath.Join(dir, string(f)+f.StartExt()+ext)
			if err := WriteStartFile(path, f, m, mp, oddOptimum, StartOptions{}); err != nil {
				t.Fatal(err)
			}
			first, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if packed := bytes.HasPrefix(first, []byte{0x1f, 0x8b}); packed != (ext != "") {
				t.Errorf("%s: gzip is %v", path, packed)
			}
			bad := slices.Clone(oddOptimum)
			bad[0] = 0.5
			if err := WriteStartFile(path, f, m, mp, bad, StartOptions{}); err == nil {
				t.Errorf("%s: a fractional binary was written", path)
			}
			sol, err := ReadFile(path, "", m, mp, ReadOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(oddOptimum, sol.Values); d != "" {
				t.Errorf("%s: %s", path, d)
			}
			if err := WriteStartFile(path, f, m, mp, oddOptimum, StartOptions{}); err != nil {
				t.Fatal(err)
			}
			if second, err := os.ReadFile(path); err != nil || !bytes.Equal(first, second) {
				t.Errorf("%s: other bytes the second time (%v)", path, err)
			}
		}
	}
	left, err := filepath.Glob(filepath.Join(dir, ".*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %q %v", left, err)
	}
	if err := WriteStartFile(dir, CBC, m, mp, oddOptimum, StartOptions{}); err == nil || !strings.Contains(err.Error(), "it is a folder") {
		t.Errorf("writing to a folder: %v", err)
	}
}

// TestReadAsStated: the files of TestReadGolden, with nothing made of what they
// state.
func TestReadAsStated(t *testing.T) {
	m, mp := oddModel(t)
	var b strings.Builder
	for _, path := range files(t, "solution/*") {
		s, err := ReadFile(path, formatOf(path), m, mp, ReadOptions{AsStated: true})
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		fmt.Fprintf(&b, "%s\n%s\n", filepath.Base(path), describe(m, s))
	}
	golden(t, "stated.golden", b.String())
}

// TestWriteSolution: what is written reads back, whatever is known of the model.
func TestWriteSolution(t *testing.T) {
	m, mp := oddModel(t)
	for _, s := range []mio.Solution{
		{Status: mio.Optimal, Values: oddOptimum},
		{Status: mio.Feasible, Values: oddOptimum},
		{Status: mio.Feasible, Values: oddOptimum, Limit: mio.LimitTime},
		{Status: mio.Feasible, Values: oddOptimum, Limit: mio.LimitIterations},
		{Status: mio.Feasible, Values: oddOptimum, Limit: mio.LimitInterrupt},
		{Status: mio.NoSolution, Limit: mio.LimitTime},
		{Status: mio.NoSolution, Limit: mio.LimitMemory},
		{Status: mio.NoSolution, Limit: mio.LimitCutoff},
		{Status: mio.Infeasible},
		{Status: mio.Unbounded},
		{Status: mio.InfeasibleOrUnbounded},
		{Status: mio.NumericalError},
	} {
		var text bytes.Buffer
		if err := WriteSolution(&text, m, mp, &s); err != nil {
			t.Fatal(err)
		}
		got, err := Read(bytes.NewReader(text.Bytes()), "written", HiGHS, m, mp, ReadOptions{})
		if err != nil {
			t.Errorf("%s: %v in\n%s", s.Status, err, text.String())
			continue
		}
		if got.Status != s.Status || got.Limit != s.Limit {
			t.Errorf("%s, limit %q was written, %s, limit %q read", s.Status, s.Limit, got.Status, got.Limit)
		}
		if d := cmp.Diff(s.Values, got.Values); d != "" {
			t.Errorf("%s: values (-want +got):\n%s", s.Status, d)
		}
		if s.Values != nil && got.Objective != m.Objective(s.Values) {
			t.Errorf("%s: objective %v, want %v", s.Status, got.Objective, m.Objective(s.Values))
		}
	}
}

// A limit that the form cannot say leaves the point.
func TestWriteSolutionGap(t *testing.T) {
	m, _ := oddModel(t)
	var text bytes.Buffer
	if err := WriteSolution(&text, m, nil, &mio.Solution{Status: mio.Feasible, Limit: mio.LimitGap, Values: oddOptimum}); err != nil {
		t.Fatal(err)
	}
	got, err := Read(&text, "written", HiGHS, m, nil, ReadOptions{})
	if err != nil || got.Status != mio.Feasible || got.Limit != mio.NoLimit || got.Values == nil {
		t.Errorf("%+v, %v", got, err)
	}
}

// The solution of a file that somebody else wrote, in every format, by the names
// and the order of that file.
func TestForeignModel(t *testing.T) {
	const text = `NAME foreign
OBJSENSE
    MAX
ROWS
 N profit
 L *cap*
 N spare
COLUMNS
 M1 'MARKER' 'INTORG'
 x(1) profit 3 *cap* 2
 M2 'MARKER' 'INTEND'
 RHS profit 1 *cap* 1
RHS
 *r* *cap* 5 profit -10
BOUNDS
 UP b x(1) 2
ENDATA
`
	m, mp, err := mps.ReadOptions{}.ReadMapped(strings.NewReader(text), "foreign.mps")
	if err != nil {
		t.Fatal(err)
	}
	for f, solution := range map[Format]string{
		HiGHS:  "Model status\nOptimal\n\n# Primal solution values\nFeasible\nObjective 17\n# Columns 2\nx(1) 2\nRHS 1\n",
		Gurobi: "# Objective value = 17\nx(1) 2\nRHS 1\n",
		CPLEX:  `<CPLEXSolution><header objectiveValue="17" solutionStatusValue="101"/><variables><variable name="RHS" value="1"/><variable name="x(1)" value="2"/></variables></CPLEXSolution>`,
		CBC:    "Optimal - objective value 17\n      0 x(1)  2 0\n      1 RHS  1 0\n",
		SCIP:   "solution status: optimal\nobjective value: 17\nRHS 1 \t(obj:1)\nx(1) 2 \t(obj:3)\n",
		GLPK:   "s mip 3 2 o 17\ni 1 17\ni 2 5\ni 3 0\nj 1 2\nj 2 1\ne o f\n",
		Xpress: "NAME s\n C x(1) 2\n C RHS 1\nENDATA\n",
	} {
		s, err := Read(strings.NewReader(solution), string(f), f, m, mp, ReadOptions{AsStated: true})
		if err != nil {
			t.Errorf("%s: %v", f, err)
			continue
		}
		if d := cmp.Diff([]float64{2, 1}, s.Values); d != "" || m.Objective(s.Values) != 17 {
			t.Errorf("%s: objective %v, values (-want +got):\n%s", f, m.Objective(s.Values), d)
		}
		if stated := f != Xpress; stated && s.Objective != 17 || !stated && !math.IsNaN(s.Objective) {
			t.Errorf("%s: states the objective %v", f, s.Objective)
		}
	}
}

// HiGHS's executable takes what WriteSolution wrote for a start.
func TestWriteSolutionHiGHS(t *testing.T) {
	program := programs[0].find(t)
	m, _ := oddModel(t)
	dir := t.TempDir()
	mp, err := mps.WriteFile(filepath.Join(dir, "m.mps"), m, mps.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if err := WriteSolution(&text, m, mp, &mio.Solution{Status: mio.Feasible, Values: oddOptimum}); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "s.sol"), text.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, "m.mps", "--read_solution_file", "s.sol")
	cmd.Dir = dir
	log, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(log), "MIP start solution is feasible") {
		t.Errorf("HiGHS did not take the start: %v\n%s", err, log)
	}
}

// TestSCIPHelpers: a start for SCIP has the values of the columns that SCIP adds: how far an
// indicator row is violated where its indicator is off, and the quadratic part of the objective.
// The reader passes over them.
func TestSCIPHelpers(t *testing.T) {
	b := mio.NewBuilder("helpers")
	on := b.AddBinary(1, "on")
	x := b.AddCol(2, 0, 10, mio.Continuous, "x")
	b.AddQuadCost(x, x, 0.5)
	for _, upper := range []float64{1, 5} {
		r := b.AddRow(math.Inf(-1), upper, fmt.Sprintf("r%v", upper))
		b.Add(r, x, 1)
		b.AddIndicator(r, on, true)
	}
	m := build(t, b)
	var out strings.Builder
	point := []float64{0, 4}
	if err := WriteStart(&out, SCIP, m, nil, point, StartOptions{}); err != nil {
		t.Fatal(err)
	}
	want := "solution status: unknown\nobjective value: 16\non 0\nx 4\nindslack_ind_r1 3\nindslack_ind_r5 0\nqmatrixvar 8\n"
	if out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
	s, err := Read(strings.NewReader(out.String()), "start", SCIP, m, nil, ReadOptions{})
	if err != nil || !slices.Equal(s.Values, point) {
		t.Errorf("%v, %v", s, err)
	}
}
