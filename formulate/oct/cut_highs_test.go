//go:build cgo && !nohighs

package oct

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/internal/formtest"
	"github.com/octgen/octgen/mio"
)

// TestRootRows: when no cut is violated, the linear relaxation is as tight as FlowOCT's (max-flow
// min-cut).
func TestRootRows(t *testing.T) {
	lp := formtest.Solver(t)
	ctx := context.Background()
	rng := rand.New(rand.NewPCG(19, 3))
	rows := 0
	for range 60 {
		d := formtest.Data(rng, 4+rng.IntN(20), 1+rng.IntN(3), 2+rng.IntN(2))
		o := Options{Depth: 1 + rng.IntN(2), Alpha: []float64{0, 0.1}[rng.IntN(2)], Encoding: Cut}
		f, err := o.Build(ctx, d)
		if !formtest.Built(t, err) {
			continue
		}
		root, err := formulate.RootRows(ctx, f, lp)
		if err != nil {
			t.Fatal(err)
		}
		o.Encoding = Flow
		g, err := o.Build(ctx, d)
		if err != nil {
			t.Fatal(err)
		}
		sol, err := lp(ctx, g.Model().Relaxed())
		if err != nil {
			t.Fatal(err)
		}
		if want := sol.Objective; math.Abs(root.Bound-want) > 1e-3 || root.Bound > want+1e-6 {
			t.Errorf("%+v: the root has %v after %d rounds (done: %v), FlowOCT's relaxation %v", o, root.Bound, root.Rounds, root.Done, want)
		}
		again, err := f.Model().WithRows(root.Rows, "root", false)
		if err != nil {
			t.Fatal(err)
		}
		if sol, err = lp(ctx, again.Relaxed()); err != nil || math.Abs(sol.Objective-root.Bound) > 1e-6 {
			t.Errorf("%+v: the tight rows alone give %v of %v, %v", o, sol.Objective, root.Bound, err)
		}
		rows += len(root.Rows)
	}
	if rows < 200 {
		t.Errorf("only %d tight rows", rows)
	}
}

// TestIntegral: with the continuous columns as integers the optimum is the same, where Integral says
// so.
func TestIntegral(t *testing.T) {
	solve := formtest.Solver(t)
	ctx := context.Background()
	rng := rand.New(rand.NewPCG(36, 2))
	seen := map[formulate.Encoding]int{}
	for range 60 {
		o := randomOptions(rng, []formulate.Encoding{Threshold, Flow, Cut, BinOCT})
		o.Depth = min(o.Depth, 2)
		f, err := o.Build(ctx, formtest.Data(rng, 4+rng.IntN(6), 1+rng.IntN(2), 2+rng.IntN(2)))
		if !formtest.Built(t, err) || !f.Integral() {
			continue
		}
		if f.Model().NumDiscrete() == f.Model().NumCols() || f.Model().Discrete().NumDiscrete() != f.Model().NumCols() {
			t.Fatalf("%+v: %d of %d columns are discrete", o, f.Model().NumDiscrete(), f.Model().NumCols())
		}
		want, err := solve(ctx, f.Model())
		if err != nil {
			t.Fatal(err)
		}
		got, err := solve(ctx, f.Model().Discrete())
		if err != nil {
			t.Fatal(err)
		}
		if got.Status != want.Status || math.Abs(got.Objective-want.Objective) > 1e-6 {
			t.Errorf("%+v: %v with integers, objective %v, else %v, %v", o, got.Status, got.Objective, want.Status, want.Objective)
		}
		seen[f.opts.Encoding]++
	}
	for _, e := range []formulate.Encoding{Threshold, Flow, Cut, BinOCT} {
		if seen[e] < 5 {
			t.Errorf("only %d models of %s", seen[e], e)
		}
	}
}

// TestRootRowsStopped: an ended context is not an error.
func TestRootRowsStopped(t *testing.T) {
	f, err := Options{Depth: 1, Encoding: Cut}.Build(context.Background(), formtest.Tiny(t))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	root, err := formulate.RootRows(ctx, f, formtest.Solver(t))
	if err != nil || root.Done || root.Bound != -mio.Inf {
		t.Errorf("%+v, %v", root, err)
	}
}
