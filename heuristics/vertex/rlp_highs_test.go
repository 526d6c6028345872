//go:build cgo && !nohighs

package vertex

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/linear"
	"github.com/octgen/octgen/internal/datatest"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/solvers"
	_ "github.com/octgen/octgen/solvers/highs"
)

// highsLP solves linear programs with HiGHS.
func highsLP(t testing.TB) mio.SolveFunc {
	t.Helper()
	s, err := solvers.Lookup("highs")
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Available(); err != nil {
		t.Fatal(err)
	}
	return solvers.Func(s, solvers.Options{Threads: 1})
}

// gaussianData draws two overlapping classes; on a grid if grid is positive, so that points repeat
// and are collinear, and perhaps with dependent features.
func gaussianData(t testing.TB, rng *rand.Rand, n, p, grid int) *dataset.Dataset {
	t.Helper()
	x, y := make([]float64, 0, n*p), make([]int, n)
	names := make([]string, p)
	for j := range names {
		names[j] = string(rune('a' + j))
	}
	shift := rng.Float64() * 2
	for i := range y {
		y[i] = rng.IntN(2)
		for j := range p {
			v := rng.NormFloat64() + shift*float64(y[i])
			if grid > 0 {
				v = math.Round(v * float64(grid))
			}
			if j > 1 && grid > 1 {
				v = x[len(x)-1] - 2*x[len(x)-j] // depends on others
			}
			x = append(x, v)
		}
	}
	y[0], y[1] = 0, 1
	ds, err := dataset.New(x, y, names, []string{"no", "yes"})
	if err != nil {
		t.Fatal(err)
	}
	return ds
}

// checkRLP compares native RLP with the linear program.
func checkRLP(t *testing.T, lp mio.SolveFunc, ds *dataset.Dataset) {
	t.Helper()
	f, err := linear.RLPOptions{OmitNames: true}.Build(context.Background(), ds)
	if errors.Is(err, formulate.ErrSingleLeaf) {
		if _, err := RLP(context.Background(), ds, RLPOptions{}); !errors.Is(err, formulate.ErrSingleLeaf) {
			t.Errorf("error %v, want ErrSingleLeaf", err)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	want, err := lp(context.Background(), f.Model())
	if err != nil || want.Status != mio.Optimal {
		t.Fatal(err, want)
	}
	got, err := RLP(context.Background(), ds, RLPOptions{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-7*math.Max(1, math.Abs(b)) }
	if !near(got.Objective, want.Objective) || !near(got.Bound, got.Objective) {
		t.Errorf("%d x %d: objective %.12g, bound %.12g, HiGHS has %.12g", ds.N(), ds.P(), got.Objective, got.Bound, want.Objective)
	}
	if o := f.Objective(got.Tree); !near(o, got.Objective) {
		t.Errorf("%d x %d: the tree has objective %v, RLP says %v", ds.N(), ds.P(), o, got.Objective)
	}
	if testing.Verbose() {
		t.Logf("%d x %d: %.10g in %d steps, %v", ds.N(), ds.P(), got.Objective, got.Stats.Steps, got.Stats.Total)
	}
}

// TestRLPAgainstHiGHS: the native optimum equals that of the linear program to 1e-7 on random data:
// continuous, with repeated points, collinear points and dependent features, separable or not, of
// two and more classes.
func TestRLPAgainstHiGHS(t *testing.T) {
	lp := highsLP(t)
	rng := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		checkRLP(t, lp, gaussianData(t, rng, 2+rng.IntN(60), 1+rng.IntN(6), rng.IntN(4)))
	}
}

// TestRLPOnRealData is TestRLPAgainstHiGHS on the data of the papers.
func TestRLPOnRealData(t *testing.T) {
	lp := highsLP(t)
	for _, name := range []string{"breast-cancer-wisconsin", "heart-cleveland", "pima", "bupa", "sonar", "iris", "wine"} {
		ds := datatest.Load(t, name)
		t.Run(name, func(t *testing.T) { checkRLP(t, lp, ds) })
	}
}

// TestPerturbedRLPAgainstTheProgram: the descent has the optimum of linear.RLP's program with the
// same eps, to 1e-6.
func TestPerturbedRLPAgainstTheProgram(t *testing.T) {
	ctx := context.Background()
	solver, err := solvers.Lookup("highs")
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(10, 10))
	for round := range 60 {
		ds := gtoData(t, rng, 8+rng.IntN(40), 1+rng.IntN(4), 2)
		if round == 0 {
			ds = datatest.Load(t, "heart-cleveland")
		}
		eps := []float64{0.02, 0.3, 0.9}[round%3]
		f, err := linear.RLPOptions{Perturbed: true, Eps: eps}.Build(ctx, ds)
		if err != nil {
			continue
		}
		sol, err := solver.Solve(ctx, f.Model(), solvers.Options{})
		if err != nil || sol.Status != mio.Optimal {
			t.Fatal(sol, err)
		}
		res, err := RLP(ctx, ds, RLPOptions{Eps: eps, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(res.Objective-sol.Objective) > 1e-5 || math.Abs(f.Objective(res.Tree)-res.Objective) > 1e-6 {
			t.Errorf("round %d, eps %v: %v, its tree %v, the program %v", round, eps, res.Objective, f.Objective(res.Tree), sol.Objective)
		}
	}
}
