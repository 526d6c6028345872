//go:build cgo && !nohighs

package hyperplane

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/internal/formtest"
	"github.com/octgen/octgen/internal/datatest"
	"github.com/octgen/octgen/internal/treetest"
	"github.com/octgen/octgen/mio"
	_ "github.com/octgen/octgen/solvers/highs"
)

// oracle is the oracle of the data of f.
func oracle(t *testing.T, f *Formulation) *treetest.Hyperplanes {
	h := &treetest.Hyperplanes{
		Y: f.g.DS.Y, Weight: f.g.DS.Weight, Mu: f.mu, MinLeaf: f.g.MinLeaf,
	}
	for i := range f.g.N {
		h.X = append(h.X, f.Scaled(i))
	}
	return h
}

// optimal returns the optimum of f by the oracle; +Inf if there is no tree.
func optimal(t *testing.T, f *Formulation) float64 {
	h, rows := oracle(t, f), 0
	if f.opts.Margin != Right {
		return h.All(1<<f.g.N-1, f.depth, f.g.Lhat, f.alpha, f.maxSplits)
	}
	for _, i := range f.seen() {
		rows |= 1 << i
	}
	return h.Served(rows, f.depth, f.g.Lhat, f.alpha, f.maxSplits)
}

// TestBruteForce compares proven optima with exhaustive search over all hyperplane splits with
// margin mu.
func TestBruteForce(t *testing.T) {
	solve := formtest.Solver(t)
	rng := rand.New(rand.NewPCG(13, 3))
	ctx := context.Background()
	solved := map[formulate.Encoding]int{}
	for trial := range datatest.Some(200) {
		o := randomOptions(rng, formulate.BigM, formulate.BigM, SOCT, SOCT, Served, Served)
		o.LP, o.Depth = solve, 1+trial%2
		o.Mu = []float64{0.0173, 0.0871, 0.2113}[rng.IntN(3)] // not the margin of points on a coarse grid
		n := []int{9, 6}[trial%2]
		d := formtest.Data(rng, n, 1+rng.IntN(2), 2+rng.IntN(2))
		someRows(rng, &o, d)
		f, err := o.Build(ctx, d)
		if errors.Is(err, formulate.ErrSingleLeaf) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		want := optimal(t, f)
		sol, err := solve(ctx, f.Model())
		if err != nil {
			t.Fatalf("trial %d, %+v: %v", trial, o, err)
		}
		if math.IsInf(want, 1) {
			if sol.Status != mio.Infeasible {
				t.Fatalf("trial %d: %v, no tree exists", trial, sol.Status)
			}
			continue
		}
		solved[o.Encoding]++
		if sol.Status != mio.Optimal || math.Abs(sol.Objective-want) > 1e-6 {
			t.Fatalf("trial %d, depth %d, mu %v, %+v: %v with %v, brute force has %v", trial, o.Depth, o.Mu, o, sol.Status, sol.Objective, want)
		}
		tr, err := f.Decode(sol.Values)
		if err != nil {
			t.Fatalf("trial %d: %v", trial, err)
		}
		if got := f.Objective(tr); math.Abs(got-want) > 1e-6 {
			t.Fatalf("trial %d: the decoded tree has %v, brute force %v", trial, got, want)
		}
		x, err := f.Start(ctx, tr)
		if err != nil {
			t.Fatalf("trial %d: the optimal tree is not a warm start: %v", trial, err)
		}
		if r := mio.Check(f.Model(), x, 1e-7); !r.Feasible {
			t.Fatalf("trial %d: %v", trial, r.Err())
		}
	}
	for _, e := range []formulate.Encoding{formulate.BigM, SOCT, Served} {
		if solved[e] < datatest.Some(25) {
			t.Errorf("only %d instances of %s were solved", solved[e], e)
		}
	}
}

// optimum solves to a proof of optimality; +Inf if there is no tree.
func optimum(t *testing.T, d *dataset.Dataset, o Options) float64 {
	t.Helper()
	f, err := o.Build(context.Background(), d)
	if err != nil {
		t.Fatalf("%+v: %v", o, err)
	}
	sol, err := formtest.Solver(t)(context.Background(), f.Model())
	if err != nil {
		t.Fatalf("%+v: %v", o, err)
	}
	switch sol.Status {
	case mio.Infeasible:
		return math.Inf(1)
	case mio.Optimal:
		return sol.Objective
	}
	t.Fatalf("%+v: %v", o, sol.Status)
	return 0
}

// TestEncodingsAgree: soct has the optimum of bigm, with any tightenings; the optimum of served is
// at most that of soct, that of a model of some rows at most that of all, and a cutoff below the
// optimum makes the model infeasible.
func TestEncodingsAgree(t *testing.T) {
	rng := rand.New(rand.NewPCG(17, 5))
	apart, fewer := 0, 0
	for trial := range datatest.Some(40) {
		o := randomOptions(rng, SOCT)
		o.Depth, o.Mu = 1+trial%2, []float64{0.0173, 0.0871, 0.2113}[rng.IntN(3)]
		d := formtest.Data(rng, []int{20, 9}[trial%2], 1+rng.IntN(3), 2+rng.IntN(2))
		data, err := o.Data(context.Background(), d)
		if errors.Is(err, formulate.ErrSingleLeaf) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		published := o
		published.Encoding, published.Without = formulate.BigM, nil
		soct := optimum(t, d, o)
		if bigm := optimum(t, d, published); !near(soct, bigm) {
			t.Fatalf("%+v: soct has %v, bigm %v", o, soct, bigm)
		}
		o.Margin, o.Encoding, o.MinLeaf = Right, Served, 0
		served := optimum(t, d, o)
		if served > soct+1e-6 {
			t.Fatalf("%+v: served has %v, soct %v", o, served, soct)
		}
		if served < soct-1e-6 {
			apart++
		}
		for i := range data.Len() {
			if rng.IntN(3) > 0 {
				o.Rows = append(o.Rows, int32(i))
			}
		}
		if o.Rows == nil {
			continue
		}
		some := optimum(t, d, o)
		if some > served+1e-6 {
			t.Fatalf("%+v: some rows have %v, all %v", o, some, served)
		}
		if some < served-1e-6 {
			fewer++
		}
		if o.Cutoff = some + 0.01; !near(optimum(t, d, o), some) {
			t.Fatalf("%+v: the optimum is %v", o, some)
		}
		if o.Cutoff = some - 0.01; o.Cutoff > 0 && !math.IsInf(optimum(t, d, o), 1) {
			t.Fatalf("%+v: the optimum is %v", o, some)
		}
	}
	if apart < datatest.Some(3) || fewer < datatest.Some(3) {
		t.Errorf("served was below soct %d times, some rows below all %d times: the test tests little", apart, fewer)
	}
}

// TestOneRowAtDepthThree: one-row, which acts on two nodes there, does not change the optimum.
func TestOneRowAtDepthThree(t *testing.T) {
	rng := rand.New(rand.NewPCG(19, 5))
	errors := 0
	for range 12 {
		o := Options{Depth: 3, Mu: []float64{0.0871, 0.2113, 0.4}[rng.IntN(3)], Encoding: SOCT}
		o.Alpha = []float64{0, 0.01, 0.1}[rng.IntN(3)]
		if rng.IntN(2) == 0 {
			o.Margin, o.Encoding = Right, Served
		}
		d := formtest.Data(rng, 7, 1+rng.IntN(2), 2+rng.IntN(2))
		if _, err := o.Data(context.Background(), d); err != nil {
			continue
		}
		with := optimum(t, d, o)
		o.Without = []string{OneRow}
		if without := optimum(t, d, o); !near(with, without) {
			t.Fatalf("%+v: with one-row %v, without %v", o, with, without)
		}
		if with > 1e-6 {
			errors++
		}
	}
	if errors < 4 {
		t.Errorf("only %d optima were above 0", errors)
	}
}

func near(a, b float64) bool { return a == b || math.Abs(a-b) <= 1e-6 }

// TestRecentre: rows keep their sides, and no margin shrinks.
func TestRecentre(t *testing.T) {
	rng := rand.New(rand.NewPCG(18, 5))
	wider := 0
	for range 60 {
		d := formtest.Data(rng, 4+rng.IntN(20), 1+rng.IntN(3), 2)
		data, err := Options{Depth: 2}.Data(context.Background(), d)
		if errors.Is(err, formulate.ErrSingleLeaf) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		var rows []int32
		for i := range data.Len() {
			rows = append(rows, int32(i))
		}
		tr := randomHyperTree(rng, d, 2).Collapse(d)
		centred, err := data.Recentre(context.Background(), formtest.Solver(t), tr, rows)
		if err != nil {
			t.Fatal(err)
		}
		for i := range d.N() {
			if a, b := tr.Find(d.Row(i)), centred.Find(d.Row(i)); a != b {
				t.Fatalf("row %d was in leaf %d and is in %d", i, a, b)
			}
		}
		before, after := data.LeastMargin(tr), data.LeastMargin(centred)
		if after < before-1e-6 {
			t.Fatalf("the minimum margin was %v and is %v", before, after)
		}
		if after > before+1e-6 {
			wider++
		}
		if after > data.mu+1e-5 && data.WrongWeight(centred) > tr.Evaluate(data.g.DS).ErrorWeight+1e-9 {
			t.Fatalf("with the margin %v weight %v is not correct, weight %v is misclassified", after, data.WrongWeight(centred), tr.Evaluate(data.g.DS).ErrorWeight)
		}
	}
	if wider < 10 {
		t.Errorf("only %d trees had a greater margin", wider)
	}
}
