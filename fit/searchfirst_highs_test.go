//go:build cgo && !nohighs

package fit_test

import (
	"context"
	"errors"
	"github.com/octgen/octgen/tree/constraint"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/internal/datatest"
	"github.com/octgen/octgen/solvers"
)

// fiveLevels are 24 rows of five levels, whose rates are to be near each other in pairs:
// 40 rows of rates, which is more than the search keeps apart.
func fiveLevels(t *testing.T, seed uint64) (*dataset.Dataset, *problem.OCT) {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 18))
	x, y := make([]float64, 24*3), make([]int, 24)
	g := dataset.Group{Name: "g", Levels: []string{"a", "b", "c", "d", "e"}, Of: make([]int32, len(y))}
	for i := range x {
		x[i] = float64(rng.IntN(4))
	}
	for i := range y {
		y[i], g.Of[i] = rng.IntN(2), int32(rng.IntN(5))
	}
	ds, err := dataset.New(x, y, names("f", 3), names("c", 2))
	if err != nil {
		t.Fatal(err)
	}
	ds.Groups = []dataset.Group{g}
	m := &problem.OCT{Rates: constraint.Rates{Fair: []string{"equalized-odds:g<=0.6"}, Positive: "c1"}}
	m.Depth = 2
	return ds, m
}

// TestSearchFirst: where no engine is named and the search leaves a gap, a program goes on
// from its tree, and closes it.
func TestSearchFirst(t *testing.T) {
	left := 0
	for _, seed := range []uint64{0, 1, 2, 20} {
		ds, m := fiveLevels(t, seed)
		result := map[problem.Engine]*fit.Result{}
		for _, e := range []problem.Engine{problem.Search, problem.Auto} {
			res, err := fit.Run(context.Background(), ds, fit.Options{Method: m, Engine: e})
			if err != nil {
				t.Fatal(err)
			}
			result[e] = res
		}
		search, auto := result[problem.Search], result[problem.Auto]
		if auto.Status != "optimal" || *auto.Objective > *search.Objective+1e-9 || *auto.Bound < *search.Bound-1e-9 {
			t.Errorf("seed %d: %s, %v of bound %v; the search alone has %v of bound %v", seed, auto.Status, *auto.Objective, *auto.Bound, *search.Objective, *search.Bound)
		}
		if search.Status == "optimal" {
			if auto.Engine != "search" || *auto.Prover != "lagrangian" {
				t.Errorf("seed %d: proved by the search, but %s and %s answer", seed, auto.Engine, *auto.Prover)
			}
			continue
		}
		left++
		if auto.Engine != "mio" || *auto.Prover != "solver" || auto.Solver.Start != "lagrange" || auto.Search == nil || math.Abs(*auto.Search.Bound-*search.Bound) > 1e-9 {
			t.Errorf("seed %d: %s, proved by %s from %s, search %+v", seed, auto.Engine, *auto.Prover, auto.Solver.Start, auto.Search)
		}
	}
	if left == 0 {
		t.Error("the search leaves no gap on any of these data: the test is of nothing")
	}
}

// TestLagrangianStart: a program under constraints begins with the search's tree, and where
// a limit ends it the bound is the search's, by its name; never is it called optimal
// without a proof.
func TestLagrangianStart(t *testing.T) {
	for _, seed := range []uint64{0, 1} {
		ds, m := fiveLevels(t, seed)
		search, err := fit.Run(context.Background(), ds, fit.Options{Method: m, Engine: problem.Search})
		if err != nil {
			t.Fatal(err)
		}
		res, err := fit.Run(context.Background(), ds, fit.Options{Method: m, Engine: problem.MIO, Solve: solvers.Options{NodeLimit: 1}})
		if err != nil {
			t.Fatal(err)
		}
		if res.Engine != "mio" || *res.Solver.StartObjective > *search.Objective+1e-9 || *res.Objective > *search.Objective+1e-9 || *res.Bound < *search.Bound-1e-9 {
			t.Errorf("seed %d: %+v, %+v; the search has %v of bound %v", seed, res, res.Solver, *search.Objective, *search.Bound)
		}
		switch closed := *res.Objective <= *res.Bound+1e-9; {
		case closed != (res.Status == "optimal"):
			t.Errorf("seed %d: %s, %v of bound %v", seed, res.Status, *res.Objective, *res.Bound)
		case res.Solver.Status != "optimal" && *res.Prover != "lagrangian" && *res.Bound < *search.Bound+1e-9:
			t.Errorf("seed %d: %v proved by %s", seed, *res.Bound, *res.Prover)
		}
	}
}

// TestCutConstrained: BendersOCT under constraints, solved in rounds with every row's
// prediction, has the objective of the search's tree.
func TestCutConstrained(t *testing.T) {
	rounds, infeasible := 0, 0
	for seed := range uint64(datatest.Some(12)) {
		ds, m := fiveLevels(t, seed)
		switch seed % 3 {
		case 0:
			m.Rates = constraint.Rates{Share: []string{"c1<=0.3"}, Recall: []string{"c1>=0.4"}}
		case 1:
			m.Rates = constraint.Rates{Precision: []string{"c0>=0.9"}}
		case 2:
			m.Rates = constraint.Rates{Fair: []string{"statistical-parity:g@a,b<=0.1"}, Positive: "c1", Recall: []string{"c1>=0.7"}}
			m.MaxFeatures = 1
		}
		m.Depth = problem.Depth(1 + seed%2)
		want, wrong := fit.Run(context.Background(), ds, fit.Options{Method: m, Engine: problem.Search})
		m.Encoding = "cut"
		got, err := fit.Run(context.Background(), ds, fit.Options{Method: m, Start: "none"})
		if errors.Is(wrong, fit.ErrInfeasible) && errors.Is(err, fit.ErrInfeasible) {
			infeasible++
			continue
		}
		if wrong != nil || err != nil {
			t.Fatalf("seed %d: %v, the search %v", seed, err, wrong)
		}
		if want.Status != "optimal" {
			continue
		}
		rounds++
		if got.Status != "optimal" || *got.Prover != "solver" || math.Abs(*got.Objective-*want.Objective) > 1e-9 || !got.Constraints[0].Held {
			t.Errorf("seed %d: %s with %v by %s, the search has %v", seed, got.Status, *got.Objective, *got.Prover, *want.Objective)
		}
	}
	if rounds < datatest.Some(8) {
		t.Errorf("only %d data sets compared, %d infeasible", rounds, infeasible)
	}
}

// TestFalseInfeasible: the presolve of HiGHS 1.10 calls this program infeasible, which has
// a tree; a second look without it finds the tree.
func TestFalseInfeasible(t *testing.T) {
	ds, err := dataset.New([]float64{2, 0, 1, 1, 1, 2, 1}, []int{0, 1, 2, 0, 0, 1, 0}, names("f", 1), names("c", 3))
	if err != nil {
		t.Fatal(err)
	}
	ds.Groups = []dataset.Group{{Name: "g", Levels: []string{"a", "b", "c"}, Of: []int32{-1, 1, 0, 1, 2, 1, 1}}}
	m := &problem.OCT{Structural: constraint.Structural{LeafPurity: 0.6}, Encoded: problem.Encoded{Encoding: "flow"}}
	m.Depth, m.Alpha, m.MinLeaf = 1, 0.01, 0.4
	res, err := fit.Run(context.Background(), ds, fit.Options{Method: m, Start: "none"})
	if err != nil || res.Status != "optimal" || math.Abs(*res.Objective-(2.0/3+0.01)) > 1e-9 {
		t.Errorf("%+v, %v", res, err)
	}
}

// TestStrongtreeConstrained: on the 0/1 data of Aghaei, Gómez & Vayanos at depth 2 the
// program under constraints, alone and from no start, never contradicts the search: with
// OCTGEN_LONG=1 on ten of them, within a minute each.
func TestStrongtreeConstrained(t *testing.T) {
	datatest.Long(t)
	proved := 0
	for _, name := range []string{"soybean-small", "monk1", "monk2", "monk3", "hayes-roth", "house-votes-84", "spect", "breast-cancer", "balance-scale", "tic-tac-toe"} {
		ds := realData(t, "strongtree/"+name+".csv")
		last := ds.Classes[ds.K()-1]
		m := &problem.OCT{Rates: constraint.Rates{Recall: []string{last + ">=0.9"}}, Structural: constraint.Structural{MaxFeatures: 2}}
		m.Depth = 2
		search, err := fit.Run(context.Background(), ds, fit.Options{Method: m, Engine: problem.Search})
		if err != nil || search.Status != "optimal" {
			t.Errorf("%s: the search ends with %v, %v", name, search, err)
			continue
		}
		program := fit.Options{Method: m, Engine: problem.MIO, Start: "none", Solve: solvers.Options{TimeLimit: time.Minute, Threads: 1}}
		res, err := fit.Run(context.Background(), ds, program)
		if err != nil && !errors.Is(err, fit.ErrNoTree) {
			t.Errorf("%s: %v", name, err)
			continue
		}
		best := *search.Objective
		if s := res.Solver; s.Bound != nil && *s.Bound > best+1e-6 || res.Objective != nil && *res.Objective < best-1e-9 || s.Status == "optimal" && *res.Objective > best+1e-9 {
			t.Errorf("%s: the program has %v of bound %v (%s), the search %v", name, *res.Objective, *s.Bound, s.Status, best)
		}
		if res.Solver.Status == "optimal" {
			proved++
		}
		t.Logf("%s: %d rows, search %.6g; program %s, %.6g of bound %.6g, %.1f s", name, ds.N(), best, res.Solver.Status, fit.ValueOr(res.Objective, math.NaN()), fit.ValueOr(res.Solver.Bound, math.NaN()), res.Solver.Seconds)
	}
	if proved == 0 {
		t.Error("the program proves nothing within a minute")
	}
}
