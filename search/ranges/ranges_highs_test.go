//go:build cgo && !nohighs

package ranges_test

import (
	"context"
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/octgen/octgen/formulate/oct"
	"github.com/octgen/octgen/internal/datatest"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mio/verify"
	"github.com/octgen/octgen/search/exact"
	"github.com/octgen/octgen/search/parts"
	"github.com/octgen/octgen/search/ranges"
	"github.com/octgen/octgen/solvers"
	"github.com/octgen/octgen/solvers/highs"
	"github.com/octgen/octgen/tree"
)

// solve solves a model with HiGHS.
func solve(ctx context.Context, m *mio.Model, l parts.Limits) (*mio.Solution, error) {
	return highs.New().Solve(ctx, m, solvers.Options{Threads: 1, AbsGap: l.AbsGap})
}

// TestAgreesWithSearch: the models of the ranges prove the optimum of the exact search, for any
// incumbent and ranges: 1,000 random instances with OCTGEN_LONG=1.
func TestAgreesWithSearch(t *testing.T) {
	cases := 150
	if os.Getenv("OCTGEN_LONG") != "" {
		cases = 1000
	}
	ctx := context.Background()
	rng := rand.New(rand.NewPCG(19, 11))
	deep, improved := 0, 0
	for n := 0; n < cases; {
		ds := datatest.Tied(rng, 19, 7)
		depth, alpha := 2+rng.IntN(3), []float64{0, 0, 0.05, 0.07, 0.3}[rng.IntN(5)]
		want, err := exact.Solve(ctx, ds, exact.Options{Depth: depth, Alpha: alpha})
		if err != nil {
			t.Fatal(err)
		}
		scale := tree.ErrorScale(ds)
		value := func(t *tree.Tree) float64 {
			return tree.Objective(t.Evaluate(ds).ErrorWeight, scale, alpha, t.Splits())
		}
		o := ranges.Options{Form: oct.Options{Depth: depth, Alpha: alpha}, Solve: solve, Value: value, Between: 1 + rng.IntN(12)}
		if rng.IntN(2) == 0 {
			o.Incumbent = want.Tree
		}
		got, err := ranges.Prove(ctx, ds, o)
		if err != nil || got == nil { // one class, or only constant features
			continue
		}
		n++
		if depth > 2 {
			deep++
		}
		if o.Incumbent == nil && got.Tree.Splits() > 0 {
			improved++
		}
		if got.Status != mio.Optimal || math.Abs(got.Objective-value(want.Tree)) > 1e-9 || math.Abs(got.Bound-got.Objective) > 1e-9 || got.By != verify.ByRanges {
			t.Fatalf("case %d, depth %d, alpha %v: %+v, the search has %v\n%+v", n, depth, alpha, got, value(want.Tree), ds)
		}
		if v := value(got.Tree); math.Abs(v-got.Objective) > 1e-9 || got.Tree.Depth() > depth {
			t.Fatalf("case %d: a tree of depth %d and value %v, not %v", n, got.Tree.Depth(), v, got.Objective)
		}
	}
	if deep < cases/3 || improved < cases/5 {
		t.Errorf("%d of %d deeper than two levels, %d found without an incumbent", deep, cases, improved)
	}
}

// TestRealData reproduces the optima of other programs.
func TestRealData(t *testing.T) {
	ctx := context.Background()
	for _, c := range []struct {
		name   string
		depth  int
		errors float64
	}{{"iris", 2, 6}, {"iris", 3, 1}, {"wine", 2, 6}, {"seeds", 2, 11}, {"hayes-roth", 3, 39}, {"monks-1", 3, 11}} {
		ds := datatest.Load(t, c.name)
		value := func(t *tree.Tree) float64 {
			return tree.Objective(t.Evaluate(ds).ErrorWeight, tree.ErrorScale(ds), 0, 0)
		}
		got, err := ranges.Prove(ctx, ds, ranges.Options{Form: oct.Options{Depth: c.depth}, Solve: solve, Value: value})
		if err != nil {
			t.Fatal(err)
		}
		if errors := got.Tree.Evaluate(ds).ErrorWeight; got.Status != mio.Optimal || errors != c.errors {
			t.Errorf("%s, depth %d: %v with %v errors, other programs have %v", c.name, c.depth, got.Status, errors, c.errors)
		}
	}
}

// TestTrustsNoSolver: a result without a proof, or with a gap, proves nothing; a tree found before
// remains.
func TestTrustsNoSolver(t *testing.T) {
	ctx := context.Background()
	ds := datatest.Load(t, "iris")
	value := func(t *tree.Tree) float64 {
		return tree.Objective(t.Evaluate(ds).ErrorWeight, tree.ErrorScale(ds), 0, 0)
	}
	for name, spoil := range map[string]func(*mio.Solution){
		"no answer": func(s *mio.Solution) { s.Status, s.Values = mio.NoSolution, nil },
		"a lie":     func(s *mio.Solution) { s.Status, s.Values = mio.Infeasible, nil },
		"a gap":     func(s *mio.Solution) { s.Status, s.Bound = mio.Feasible, s.Objective-1 },
	} {
		calls, warned := 0, 0
		got, err := ranges.Prove(ctx, ds, ranges.Options{
			Form: oct.Options{Depth: 2}, Value: value, Warn: func(string) { warned++ },
			Solve: func(ctx context.Context, m *mio.Model, l parts.Limits) (*mio.Solution, error) {
				s, err := solve(ctx, m, l)
				if err == nil && s.Status.HasSolution() {
					if calls++; calls == 2 {
						spoil(s)
					}
				}
				return s, err
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		if got.Status != mio.Feasible || got.Bound > 0 || got.By != verify.Nobody || got.Tree.Splits() == 0 {
			t.Errorf("%s: %+v", name, got)
		}
		if lie := name == "a lie"; lie != (warned == 1) {
			t.Errorf("%s: %d warnings", name, warned)
		}
	}
	ended, cancel := context.WithCancel(ctx)
	cancel()
	got, err := ranges.Prove(ended, ds, ranges.Options{Form: oct.Options{Depth: 2}, Value: value, Solve: solve})
	if err == nil && got != nil && got.Status == mio.Optimal {
		t.Errorf("without time: %+v", got)
	}
}

// TestNotForAll: Prove returns nil for problems to which it does not apply.
func TestNotForAll(t *testing.T) {
	ds := datatest.Load(t, "iris")
	for _, f := range []oct.Options{{Depth: 1}, {Depth: 2, MinLeaf: 5}, {Depth: 2, MaxSplits: 2}} {
		got, err := ranges.Prove(context.Background(), ds, ranges.Options{Form: f, Value: func(*tree.Tree) float64 { return 0 }, Solve: solve})
		if got != nil || err != nil {
			t.Errorf("%+v: %+v, %v", f, got, err)
		}
	}
}
