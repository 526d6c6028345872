package mps

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/octgen/octgen/mio"
)

// answer is what a solver's executable says: the objective of the file and, by
// the names of the file, the values that are not 0.
type answer struct {
	objective float64
	values    map[string]float64 // nil where the solver gives none by name
}

// executable solves the model in path, writing its solution to out.
type executable struct {
	name  string
	paths []string // tried in order
	args  func(path, out string, f Format) []string
	parse func(text string) (answer, error)
}

var executables = []executable{
	{"highs", []string{"../.highs/bin/highs", "highs"},
		func(path, out string, _ Format) []string { return []string{path, "--solution_file", out} }, parseHiGHS},
	{"cbc", []string{"cbc"},
		func(path, out string, _ Format) []string {
			return []string{path, "-ratio", "0", "-solve", "-solution", out}
		}, parseCBC},
	{"glpsol", []string{"glpsol"},
		func(path, out string, f Format) []string {
			format := map[Format]string{Free: "--freemps", Fixed: "--mps"}[f]
			if strings.HasSuffix(path, ".lp") {
				format = "--lp"
			}
			return []string{format, path, "-w", out}
		}, parseGLPK},
}

// TestSolversAgree writes random mixed-integer models in all formats; every
// solver must reach the optimum found by exhaustion, at a point that is
// feasible for the model before it was written.
func TestSolversAgree(t *testing.T) {
	for _, x := range executables {
		t.Run(x.name, func(t *testing.T) {
			program := x.find(t)
			for seed := range uint64(40) {
				checkSolver(t, x, program, seed)
			}
		})
	}
}

// find returns the path of the program; the test is skipped where it is not
// installed.
func (x executable) find(t *testing.T) string {
	for _, p := range x.paths {
		if found, err := exec.LookPath(p); err == nil {
			if found, err = filepath.Abs(found); err == nil {
				return found
			}
		}
	}
	t.Skipf("the executable %s is not installed", x.name)
	return ""
}

// writeAny writes m in the format or dialect that the file's name says.
func writeAny(path string, m *mio.Model) (*Map, error) {
	switch base := filepath.Base(path); {
	case strings.HasSuffix(base, ".lp"):
		return toFile(path, func(w io.Writer) (*Map, error) { return WriteLP(w, m, LPOptions{}) })
	case strings.HasPrefix(base, "fixed"):
		return WriteFile(path, m, Options{Format: Fixed})
	case strings.HasPrefix(base, "cplex"):
		return WriteFile(path, m, Options{Dialect: CPLEX})
	}
	return WriteFile(path, m, Options{})
}

// solve runs the program on the file and returns its answer; ok is false where
// the program was built without a way to read such files.
func (x executable) solve(t *testing.T, program, path string) (a answer, ok bool) {
	out := filepath.Join(filepath.Dir(path), "out.sol")
	os.Remove(out)
	format := Free
	if strings.HasPrefix(filepath.Base(path), "fixed") {
		format = Fixed
	}
	cmd := exec.Command(program, x.args(path, out, format)...)
	cmd.Dir = filepath.Dir(path) // HiGHS leaves a log file
	log, err := cmd.CombinedOutput()
	if err != nil && strings.Contains(string(log), "without zlib support") {
		return a, false // HiGHS as scripts/install-highs.sh builds it reads no gzip
	}
	if err == nil {
		var text []byte
		if text, err = os.ReadFile(out); err == nil {
			a, err = x.parse(string(text))
		}
	}
	if err != nil {
		file, _ := os.ReadFile(path)
		t.Fatalf("%s: %v\n%s\n%s", path, err, log, file)
	}
	return a, true
}

func checkSolver(t *testing.T, x executable, program string, seed uint64) {
	dir := t.TempDir()
	for _, file := range []string{"free.mps", "fixed.mps", "free.mps.gz", "m.lp"} {
		m := solvableModel(t, seed, !strings.HasPrefix(file, "fixed"))
		want := exhaust(m)
		path := filepath.Join(dir, file)
		mp, err := writeAny(path, m)
		if err != nil {
			t.Fatal(err)
		}
		got, ok := x.solve(t, program, path)
		if !ok {
			continue
		}
		if v := mp.ModelObjective(got.objective); math.Abs(v-want) > 1e-6*(1+math.Abs(want)) {
			t.Errorf("seed %d, %s: objective %v, want %v", seed, file, v, want)
		}
		if got.values != nil {
			checkPoint(t, m, mp, got.values, want)
		}
	}
}

func checkPoint(t *testing.T, m *mio.Model, mp *Map, values map[string]float64, want float64) {
	x := make([]float64, m.NumCols())
	index := mp.ColIndex(m)
	for name, v := range values {
		j, ok := index[name]
		switch {
		case !ok:
			t.Fatalf("column %q is not in the map", name)
		case j >= 0:
			x[j] = v
		case math.Abs(v-1) > 1e-9:
			t.Errorf("the offset column has value %v", v)
		}
	}
	r := mio.Check(m, x, 1e-6)
	if err := r.Err(); err != nil {
		t.Error(err)
	}
	if math.Abs(r.Objective-want) > 1e-6*(1+math.Abs(want)) {
		t.Errorf("the point has objective %v, want %v", r.Objective, want)
	}
}

// solvableModel makes a small feasible model of integer columns within boxes,
// all kinds of rows, and two columns without bounds that equality rows determine;
// odd asks for names that must be replaced.
func solvableModel(t *testing.T, seed uint64, odd bool) *mio.Model {
	rng := rand.New(rand.NewPCG(seed, 9))
	b := mio.NewBuilder("solvable")
	if seed%2 == 1 {
		b.SetSense(mio.Maximize)
	}
	if seed%3 != 0 {
		b.AddOffset(float64(rng.IntN(41)-20) / 4)
	}
	const ints = 5
	var cols []mio.Col
	var point []float64
	for j := range ints {
		name := []string{"x", "yy", "RHS", "1st", "BND"}[j]
		if !odd {
			name = fmt.Sprint("c", j)
		}
		cost := float64(rng.IntN(41)-20) / 4
		switch rng.IntN(4) {
		case 0:
			cols = append(cols, b.AddBinary(cost, name))
			point = append(point, float64(rng.IntN(2)))
		case 1:
			cols = append(cols, b.AddCol(cost, 0, 1, mio.Integer, name))
			point = append(point, float64(rng.IntN(2)))
		default:
			l := float64(rng.IntN(7) - 4)
			u := l + float64(rng.IntN(5))
			shift := 0.0
			if odd && u > l {
				shift = 0.25
			}
			cols = append(cols, b.AddCol(cost, l-shift, u+shift, mio.Integer, name))
			point = append(point, l+float64(rng.IntN(int(u-l)+1)))
		}
	}
	for i := range 4 {
		var activity float64
		coefs := make([]float64, ints)
		for j := range coefs {
			if rng.IntN(3) > 0 {
				coefs[j] = float64(rng.IntN(13)-6) / 2
			}
			activity += coefs[j] * point[j]
		}
		l, u := activity-float64(rng.IntN(6)), activity+float64(rng.IntN(6))
		switch rng.IntN(4) {
		case 0:
			l = math.Inf(-1)
		case 1:
			u = math.Inf(1)
		case 2:
			if seed%4 == 0 {
				l, u = math.Inf(-1), math.Inf(1)
			}
		}
		name := fmt.Sprint("r", i)
		if odd && i < 2 {
			name = []string{"obj", "RHS"}[i]
		}
		r := b.AddRow(l, u, name)
		for j, c := range cols {
			b.Add(r, c, coefs[j])
		}
	}
	// s = column 0 - 3 column 1 - 7, a free column.
	s := b.AddCol(0.5, math.Inf(-1), math.Inf(1), mio.Continuous, "s")
	r := b.AddRow(7, 7, "slack")
	b.Add(r, cols[0], 1)
	b.Add(r, cols[1], -3)
	b.Add(r, s, -1)
	// n = column 0 + 12, an integer column without an upper bound.
	n := b.AddCol(0.25, 0, math.Inf(1), mio.Integer, "n")
	r = b.AddRow(12, 12, "count")
	b.Add(r, n, 1)
	b.Add(r, cols[0], -1)
	b.AddCol(0, -3, math.Inf(1), mio.Continuous, "empty")
	b.AddRow(-1, 2, "nothing")
	return frozen(t, b)
}

// exhaust returns the optimum of a solvableModel over all points.
func exhaust(m *mio.Model) float64 {
	lower, upper := m.ColLower(), m.ColUpper()
	x := make([]float64, m.NumCols())
	best, sign := math.Inf(1), 1.0
	if m.Sense() == mio.Maximize {
		sign = -1
	}
	var visit func(j int)
	visit = func(j int) {
		if m.ColTypes()[j] == mio.Continuous {
			x[j], x[j+1] = x[0]-3*x[1]-7, x[0]+12
			if r := mio.Check(m, x, 1e-9); r.Feasible {
				best = min(best, sign*r.Objective)
			}
			return
		}
		for x[j] = math.Ceil(lower[j]); x[j] <= upper[j]; x[j]++ {
			visit(j + 1)
		}
	}
	visit(0)
	return sign * best
}

func parseHiGHS(text string) (a answer, err error) {
	lines := strings.Split(text, "\n")
	if len(lines) < 2 || lines[1] != "Optimal" {
		return a, fmt.Errorf("not optimal")
	}
	a.values = map[string]float64{}
	inColumns := false
	for _, l := range lines {
		f := strings.Fields(l)
		switch {
		case len(f) == 2 && f[0] == "Objective":
			a.objective, err = strconv.ParseFloat(f[1], 64)
		case strings.HasPrefix(l, "# Columns"):
			inColumns = true
		case strings.HasPrefix(l, "# Rows"):
			return a, err
		case inColumns && len(f) == 2:
			a.values[f[0]], err = strconv.ParseFloat(f[1], 64)
		}
		if err != nil {
			return a, err
		}
	}
	return a, err
}

func parseCBC(text string) (a answer, err error) {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	value, ok := strings.CutPrefix(lines[0], "Optimal - objective value ")
	if !ok {
		return a, fmt.Errorf("not optimal")
	}
	if a.objective, err = strconv.ParseFloat(strings.TrimSpace(value), 64); err != nil {
		return a, err
	}
	a.values = map[string]float64{}
	for _, l := range lines[1:] {
		f := strings.Fields(l)
		if len(f) < 3 {
			return a, fmt.Errorf("line %q", l)
		}
		if a.values[f[1]], err = strconv.ParseFloat(f[2], 64); err != nil {
			return a, err
		}
	}
	return a, nil
}

func parseGLPK(text string) (a answer, err error) {
	for l := range strings.Lines(text) {
		f := strings.Fields(l)
		if len(f) == 6 && f[0] == "s" && f[1] == "mip" && f[4] == "o" {
			a.objective, err = strconv.ParseFloat(f[5], 64)
			return a, err
		}
	}
	return a, fmt.Errorf("not optimal")
}
