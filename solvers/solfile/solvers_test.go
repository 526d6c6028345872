package solfile

import (
	"context"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mps"
)

// program is a solver's executable.
type program struct {
	format Format
	paths  []string                                // tried in order
	args   func(model, start, out string) []string // start is "" for none
	took   *regexp.Regexp                          // what it prints when it took a start; nil where it takes none
}

var programs = []program{
	{HiGHS, []string{"../../.highs/bin/highs", "highs"}, func(model, start, out string) []string {
		args := []string{model, "--solution_file", out}
		if start != "" {
			args = append(args, "--read_solution_file", start)
		}
		return args
	}, regexp.MustCompile(`MIP start solution is feasible, objective value is (\S+)`)},
	{CBC, []string{"cbc"}, func(model, start, out string) []string {
		args := []string{model, "-ratio", "0"}
		if start != "" {
			args = append(args, "-mipstart", start)
		}
		return append(args, "-solve", "-solution", out)
	}, regexp.MustCompile(`MIPStart provided solution with cost (\S+)`)},
	{GLPK, []string{"glpsol"}, func(model, _, out string) []string { return []string{"--freemps", model, "-w", out} }, nil},
}

// eachProgram runs do for the executables that are installed.
func eachProgram(t *testing.T, do func(t *testing.T, p *program, path string)) {
	for i := range programs {
		p := &programs[i]
		t.Run(string(p.format), func(t *testing.T) { do(t, p, p.find(t)) })
	}
}

// find returns the path of the executable; the test is skipped where it is not
// installed.
func (p *program) find(t *testing.T) string {
	for _, name := range p.paths {
		if path, err := exec.LookPath(name); err == nil {
			if path, err = filepath.Abs(path); err == nil {
				return path
			}
		}
	}
	t.Skipf("%s is not installed; `make tools` and `make build` provide it", p.paths[len(p.paths)-1])
	return ""
}

// solve writes m and a start, if any, runs the program in a folder of its own,
// and returns its log and what it answered.
func (p *program) solve(t *testing.T, path string, m *mio.Model, x []float64, o StartOptions) (string, *mio.Solution) {
	t.Helper()
	dir := t.TempDir()
	model, start, out := filepath.Join(dir, "m.mps"), "", filepath.Join(dir, "out.sol")
	mp, err := mps.WriteFile(model, m, mps.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if x != nil {
		start = filepath.Join(dir, "start"+p.format.StartExt())
		if err := WriteStartFile(start, p.format, m, mp, x, o); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.CommandContext(context.Background(), path, p.args(model, start, out)...)
	cmd.Dir = dir // HiGHS leaves a log where it runs
	log, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, log)
	}
	if f, err := Detect(out); f != p.format {
		t.Fatalf("detected %q: %v", f, err)
	}
	s, err := ReadFile(out, p.format, m, mp, ReadOptions{})
	if err != nil {
		text, _ := os.ReadFile(out)
		t.Fatalf("%v in\n%s", err, text)
	}
	return string(log), s
}

// optimum checks a proven optimum.
func optimum(t *testing.T, m *mio.Model, s *mio.Solution, want float64) {
	t.Helper()
	if s.Status != mio.Optimal {
		t.Fatalf("%s, %s", s.Status, s.Raw)
	}
	r := mio.Check(m, s.Values, 1e-6)
	if !r.Feasible || math.Abs(r.Objective-want) > 1e-6 || math.Abs(s.Objective-want) > 1e-6 {
		t.Errorf("objective %v stated, %v at the values, want %v; %v", s.Objective, r.Objective, want, r.Err())
	}
}

// TestPrograms: the real executables solve oddModel, with a start that they
// confirm, whole and partial, and without.
func TestPrograms(t *testing.T) {
	m, _ := oddModel(t)
	start := []float64{1, 1, 0.5, 0.25, 2, -7}
	eachProgram(t, func(t *testing.T, p *program, path string) {
		_, s := p.solve(t, path, m, nil, StartOptions{})
		optimum(t, m, s, m.Objective(oddOptimum))
		if p.took == nil {
			return
		}
		for _, o := range []StartOptions{{}, {Discrete: true}} {
			log, s := p.solve(t, path, m, start, o)
			if !p.took.MatchString(log) {
				t.Errorf("%+v: the start was not taken:\n%s", o, log)
			}
			optimum(t, m, s, m.Objective(oddOptimum))
		}
	})
}

// TestProgramsSayNo: models without a solution.
func TestProgramsSayNo(t *testing.T) {
	inf := math.Inf(1)
	infeasible := mio.NewBuilder("infeasible")
	x, y := infeasible.AddBinary(1, "x"), infeasible.AddBinary(1, "y")
	r := infeasible.AddRow(0.5, 0.7, "r")
	infeasible.Add(r, x, 1)
	infeasible.Add(r, y, 1)
	unbounded := mio.NewBuilder("unbounded")
	x = unbounded.AddCol(-1, 0, inf, mio.Continuous, "x")
	unbounded.Add(unbounded.AddRow(1, inf, "r"), x, 1)
	no, ub := build(t, infeasible), build(t, unbounded)
	eachProgram(t, func(t *testing.T, p *program, path string) {
		if _, s := p.solve(t, path, no, nil, StartOptions{}); s.Values != nil || s.Status != mio.Infeasible {
			t.Errorf("infeasible: %s, %s, %v", s.Status, s.Raw, s.Values)
		}
		// GLPK's MIP solution says "undefined" only.
		want := map[Format][]mio.Status{GLPK: {mio.NoSolution}}[p.format]
		want = append(want, mio.Unbounded, mio.InfeasibleOrUnbounded)
		_, s := p.solve(t, path, ub, nil, StartOptions{})
		if s.Values != nil || !slices.Contains(want, s.Status) {
			t.Errorf("unbounded: %s, %s, %v", s.Status, s.Raw, s.Values)
		}
	})
}

// knapsack is a random feasible model of several rows with its best point found
// by exhaustion, and a feasible point.
func knapsack(t *testing.T, seed uint64) (m *mio.Model, start []float64, best float64) {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 1))
	const n = 9
	b := mio.NewBuilder("knapsack")
	if seed%2 == 0 {
		b.SetSense(mio.Maximize)
	}
	b.AddOffset(float64(rng.IntN(3)) - 1)
	for j := range n {
		b.AddBinary(rng.NormFloat64(), "x", j)
	}
	slack := b.AddCol(-0.25, -4, 4, mio.Continuous, "slack")
	for i := range 2 {
		r := b.AddRow(-2.5, 3.5, "row", i)
		for j := range n {
			b.Add(r, mio.Col(j), float64(rng.IntN(7)-3))
		}
		b.Add(r, slack, 1)
	}
	m = build(t, b)
	start = make([]float64, n+1) // all 0
	best = math.NaN()
	for mask := range 1 << n {
		x := make([]float64, n+1)
		for j := range n {
			x[j] = float64(mask >> j & 1)
		}
		for _, end := range ends(m, x) {
			x[n] = end
			if v := m.Objective(x); mio.Check(m, x, 1e-9).Feasible && (math.IsNaN(best) || v < best == (m.Sense() == mio.Minimize)) {
				best = v
			}
		}
	}
	return m, start, best
}

// ends are the values of the continuous column between which all feasible ones
// lie, given the binary ones: those at which a row or a bound is tight.
func ends(m *mio.Model, x []float64) []float64 {
	all := []float64{-4, 4}
	activity := make([]float64, m.NumRows())
	for j := range len(x) - 1 {
		rows, coefs := m.Column(j)
		for k, i := range rows {
			activity[i] += coefs[k] * x[j]
		}
	}
	for _, a := range activity {
		all = append(all, -2.5-a, 3.5-a)
	}
	return all
}

func TestProgramsRandom(t *testing.T) {
	eachProgram(t, func(t *testing.T, p *program, path string) {
		for seed := range uint64(12) {
			m, start, best := knapsack(t, seed)
			if p.took == nil {
				start = nil
			}
			_, s := p.solve(t, path, m, start, StartOptions{})
			optimum(t, m, s, best)
		}
	})
}
