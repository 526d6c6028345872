package solfile

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mps"
)

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
