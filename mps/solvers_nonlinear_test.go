package mps

import (
	"math"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/octgen/octgen/mio"
)

// executableNamed returns the executable of that name.
func executableNamed(name string) executable {
	for _, x := range executables {
		if x.name == name {
			return x
		}
	}
	panic("no executable " + name)
}

// TestConvexQuadratic: the objective that HiGHS reports for a convex quadratic
// program, from every kind of file, is the model's at HiGHS's point, and no
// feasible point near it is better.
func TestConvexQuadratic(t *testing.T) {
	x := executableNamed("highs")
	program := x.find(t)
	dir := t.TempDir()
	for seed := range uint64(25) {
		m := convexModel(t, seed)
		best := math.NaN()
		for _, file := range []string{"free.mps", "fixed.mps", "cplex.mps", "m.lp"} { // QUADOBJ, QMATRIX, brackets
			path := filepath.Join(dir, file)
			mp, err := writeAny(path, m)
			if err != nil {
				t.Fatal(err)
			}
			got, _ := x.solve(t, program, path)
			point := pointOf(t, m, mp, got.values)
			r := mio.Check(m, point, 1e-6)
			if err := r.Err(); err != nil {
				t.Fatalf("seed %d, %s: %v", seed, file, err)
			}
			v := mp.ModelObjective(got.objective)
			if math.Abs(v-r.Objective) > 1e-6*(1+math.Abs(v)) {
				t.Errorf("seed %d, %s: HiGHS says %v, the model %v", seed, file, v, r.Objective)
			}
			if file == "free.mps" {
				best = v
				checkLocally(t, seed, m, point, v)
			} else if math.Abs(v-best) > 1e-5*(1+math.Abs(best)) {
				t.Errorf("seed %d: %v from %s, %v from free.mps", seed, v, file, best)
			}
		}
	}
}

// convexModel has the objective |B x|^2 + c x with integer B, negated for a
// maximization, over a box and a few rows.
func convexModel(t *testing.T, seed uint64) *mio.Model {
	rng := rand.New(rand.NewPCG(seed, 21))
	b := mio.NewBuilder("convex")
	sign := 1.0
	if seed%2 == 1 {
		b.SetSense(mio.Maximize)
		sign = -1
	}
	if seed%3 == 0 {
		b.AddOffset(2.5)
	}
	const n = 4
	var cols [n]mio.Col
	for j := range cols {
		cols[j] = b.AddCol(sign*float64(rng.IntN(21)-10), -3, 4, mio.Continuous, "x", j)
	}
	for range n + 1 {
		var row [n]float64
		for j := range row {
			row[j] = float64(rng.IntN(5) - 2)
		}
		for i := range n {
			for j := range n {
				b.AddQuadCost(cols[i], cols[j], sign*row[i]*row[j])
			}
		}
	}
	for i := range cols { // strictly convex: HiGHS 1.10 is at its limits else
		b.AddQuadCost(cols[i], cols[i], sign)
	}
	for i := range 2 {
		r := b.AddRow(-2, float64(1+rng.IntN(4)), "r", i)
		for _, c := range cols {
			b.Add(r, c, float64(rng.IntN(5)-2))
		}
	}
	return frozen(t, b)
}

// checkLocally tries steps from the point in random directions.
func checkLocally(t *testing.T, seed uint64, m *mio.Model, point []float64, v float64) {
	rng := rand.New(rand.NewPCG(seed, 22))
	for range 2000 {
		other := make([]float64, len(point))
		for j := range other {
			other[j] = point[j] + rng.NormFloat64()*0.1
		}
		r := mio.Check(m, other, 1e-9)
		worse := r.Objective - v
		if m.Sense() == mio.Maximize {
			worse = -worse
		}
		if r.Feasible && worse < -1e-5*(1+math.Abs(v)) {
			t.Fatalf("seed %d: %v is feasible with %v, better than the optimum %v", seed, other, r.Objective, v)
		}
	}
}

func pointOf(t *testing.T, m *mio.Model, mp *Map, values map[string]float64) []float64 {
	x := make([]float64, m.NumCols())
	index := mp.ColIndex(m)
	for name, v := range values {
		j, ok := index[name]
		if !ok {
			t.Fatalf("column %q is not in the map", name)
		}
		if j >= 0 {
			x[j] = v
		}
	}
	return x
}

// TestSpecialOrderedSets: CBC reaches the optimum found by exhaustion over what
// the sets leave to be nonzero, from every kind of file.
func TestSpecialOrderedSets(t *testing.T) {
	x := executableNamed("cbc")
	program := x.find(t)
	dir := t.TempDir()
	for seed := range uint64(25) {
		m, want := sosModel(t, seed)
		for _, file := range []string{"free.mps", "fixed.mps", "m.lp"} {
			path := filepath.Join(dir, file)
			mp, err := writeAny(path, m)
			if err != nil {
				t.Fatal(err)
			}
			got, _ := x.solve(t, program, path)
			if v := mp.ModelObjective(got.objective); math.Abs(v-want) > 1e-6 {
				t.Errorf("seed %d, %s: objective %v, want %v", seed, file, v, want)
			}
			if r := mio.Check(m, pointOf(t, m, mp, got.values), 1e-6); !r.Feasible {
				t.Errorf("seed %d, %s: %v", seed, file, r.Err())
			}
		}
	}
}

// sosModel maximizes positive costs over columns in [0, 1] in sets of both
// types that share no column, so that an optimum takes the best choice of each.
func sosModel(t *testing.T, seed uint64) (*mio.Model, float64) {
	rng := rand.New(rand.NewPCG(seed, 23))
	b := mio.NewBuilder("sets")
	sense := 1.0
	if seed%2 == 0 {
		b.SetSense(mio.Maximize)
	} else {
		sense = -1
	}
	want := 0.0
	for k := range 2 {
		kind, n := 1+(int(seed)/2+k)%2, 3+rng.IntN(3)
		cols, weights, costs := make([]mio.Col, n), make([]float64, n), make([]float64, n)
		w := -2.5
		for i := range cols {
			costs[i] = float64(1 + rng.IntN(20))
			name := "x"
			if i == 0 {
				name = "S1x" // a member, not the head of a set
			}
			cols[i] = b.AddCol(sense*costs[i], 0, 1, mio.Continuous, name, k, i)
			w += 0.5 + float64(rng.IntN(4))
			weights[i] = w
		}
		best := 0.0
		for i := range costs {
			v := costs[i]
			if kind == 2 && i+1 < n {
				v += costs[i+1]
			}
			best = max(best, v)
		}
		want += best
		name := []string{"", "set"}[k]
		b.AddSOS(kind, name, shuffled(rng, cols, weights), weights)
		r := b.AddRow(math.Inf(-1), float64(n), "r", k)
		for _, c := range cols {
			b.Add(r, c, 1)
		}
	}
	return frozen(t, b), sense * want
}

// shuffled puts columns and weights in another order, the same for both.
func shuffled(rng *rand.Rand, cols []mio.Col, weights []float64) []mio.Col {
	rng.Shuffle(len(cols), func(i, j int) {
		cols[i], cols[j] = cols[j], cols[i]
		weights[i], weights[j] = weights[j], weights[i]
	})
	return cols
}

// trickyNames are allowed in LP files and begin like what is not.
var trickyNames = []string{"in", "nano_", "infx", "INF_1", "nan_x", "e_1_2", "E_1", "end1", "free_x", "st_1", "min_x", "max1", "subject_to", "bounds_x", "sos_1",
	"x.1", "_x", "general_x", "binary1", "integers_", "ex", "eE", "s1_x", "obj1", "RHS", "ROWS", "c", "s.t._1",
	strings.Repeat("n", maxLPName), strings.Repeat("q", maxLPName+1), "e5", "E5x", "e", "free", "1st", "inf", "a-b", "x<=1", "größe", "[x]", "obj", "octgen_c1", "octgen_one"}

// TestLPNames: all solvers read files with all these names of columns and rows,
// and give the values back by the names of the map.
func TestLPNames(t *testing.T) {
	b := mio.NewBuilder("names")
	b.AddOffset(0.5)
	want := 0.5
	for k, name := range trickyNames {
		kind := mio.VarType(k % 2) // continuous, integer
		c := b.AddCol(1, 0, 100, kind, name)
		r := b.AddRow(float64(k), mio.Inf, name)
		b.Add(r, c, 2)
		if v := float64(k) / 2; kind == mio.Integer {
			want += math.Ceil(v)
		} else {
			want += v
		}
	}
	m := frozen(t, b)
	for _, x := range executables {
		t.Run(x.name, func(t *testing.T) {
			program := x.find(t)
			path := filepath.Join(t.TempDir(), "m.lp")
			mp, err := writeAny(path, m)
			if err != nil {
				t.Fatal(err)
			}
			got, _ := x.solve(t, program, path)
			if math.Abs(got.objective-want) > 1e-6 {
				t.Errorf("objective %v, want %v", got.objective, want)
			}
			if got.values != nil {
				checkPoint(t, m, mp, got.values, want)
			}
		})
	}
}

// TestLPEdges: files of models that lack something are read by all solvers.
func TestLPEdges(t *testing.T) {
	for name, c := range map[string]struct {
		build func(b *mio.Builder)
		want  float64
	}{
		"no rows":           {func(b *mio.Builder) { b.AddCol(2, 3, 9, mio.Integer, "x") }, 6},
		"no costs":          {func(b *mio.Builder) { b.Add(b.AddRow(1, 2, "r"), b.AddBinary(0, "x"), 1) }, 0},
		"only a constant":   {func(b *mio.Builder) { b.AddOffset(-2); b.Add(b.AddRow(1, 2, "r"), b.AddBinary(0, "x"), 1) }, -2},
		"empty row":         {func(b *mio.Builder) { b.AddRow(-1, 2, "r"); b.AddBinary(-1, "x") }, -1},
		"free row":          {func(b *mio.Builder) { b.Add(b.AddRow(math.Inf(-1), mio.Inf, "r"), b.AddBinary(-1, "x"), 1) }, -1},
		"fixed binary":      {func(b *mio.Builder) { b.AddCol(-1, 0, 0, mio.Binary, "x"); b.AddCol(1, 1, 1, mio.Binary, "y") }, 1},
		"half binary":       {func(b *mio.Builder) { b.AddCol(-1, 0, 0.5, mio.Binary, "x") }, 0},
		"unbounded integer": {func(b *mio.Builder) { b.Add(b.AddRow(2.5, mio.Inf, "r"), b.AddCol(1, 0, mio.Inf, mio.Integer, "x"), 1) }, 3},
		"negative upper": {func(b *mio.Builder) {
			b.Add(b.AddRow(-7, mio.Inf, "r"), b.AddCol(1, math.Inf(-1), -2, mio.Integer, "x"), 1)
		}, -7},
		"free integer": {func(b *mio.Builder) {
			b.Add(b.AddRow(-7.5, mio.Inf, "r"), b.AddCol(1, math.Inf(-1), mio.Inf, mio.Integer, "x"), 1)
		}, -7},
		"extreme numbers": {func(b *mio.Builder) {
			b.Add(b.AddRow(7.5e-5, mio.Inf, "r"), b.AddCol(1e7, 0, 1e7, mio.Integer, "x"), 2.5e-5)
		}, 3e7},
		"fractional integer": {func(b *mio.Builder) { b.AddCol(1, 1.5, 7.5, mio.Integer, "x") }, 2},
	} {
		b := mio.NewBuilder("edge")
		c.build(b)
		m := frozen(t, b)
		for _, x := range executables {
			t.Run(name+"/"+x.name, func(t *testing.T) {
				program := x.find(t)
				path := filepath.Join(t.TempDir(), "m.lp")
				if _, err := writeAny(path, m); err != nil {
					t.Fatal(err)
				}
				got, _ := x.solve(t, program, path)
				if math.Abs(got.objective-c.want) > 1e-6 {
					t.Errorf("objective %v, want %v", got.objective, c.want)
				}
			})
		}
	}
}
