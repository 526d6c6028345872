//go:build cgo && !nohighs

package linear

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/internal/formtest"
	"github.com/octgen/octgen/internal/datatest"
	"github.com/octgen/octgen/mio"
	_ "github.com/octgen/octgen/solvers/highs"
	"github.com/octgen/octgen/tree/score"
)

// TestFMBox: classes that one feature separates bound no weight; the optimum is
// one within the box, and says so.
func TestFMBox(t *testing.T) {
	lp, ctx := formtest.Solver(t), context.Background()
	d := datatest.Example(t, "iris") // setosa, the first of three classes of equal weight, is A
	f, err := FMOptions{LP: lp}.Build(ctx, d)
	if err != nil {
		t.Fatal(err)
	}
	sol, err := lp(ctx, f.Model())
	if err != nil || sol.Status != mio.Optimal {
		t.Fatalf("%+v, %v", sol, err)
	}
	tr, err := f.Decode(sol.Values)
	if err != nil {
		t.Fatal(err)
	}
	if f.Delta() != 0 || sol.Objective != 1 || f.Objective(tr) != 1 || f.Error(tr) > 1e-6 {
		t.Errorf("delta %v, %v features, tree %v with error %v; expected 0, 1, 1, 0", f.Delta(), sol.Objective, f.Objective(tr), f.Error(tr))
	}
	if want := []int{0, 1, 2, 3}; !slices.Equal(f.Boxed(), want) || f.Scope() != "optimal within the box |w| <= 1000 (standardised) on 4 of 4 features" {
		t.Errorf("boxed %v, scope %q", f.Boxed(), f.Scope())
	}
	if counts := score.Of(tr, d).Confusion.Counts; counts[0][0] != 50 || tr.Evaluate(d).Errors != 50 {
		t.Errorf("confusion %v, expected setosa apart from the others", counts)
	}
	// A box too small for a separating split of any feature is infeasible; RLP-P
	// needs no box.
	if f, err = (FMOptions{LP: lp, Box: 0.1}).Build(ctx, d); err != nil {
		t.Fatal(err)
	}
	if sol, err = lp(ctx, f.Model()); err != nil || sol.Status != mio.Infeasible {
		t.Errorf("box 0.1: %v, %v", sol.Status, err)
	}
	if f, err = (FMOptions{LP: lp, Perturbed: true}).Build(ctx, d); err != nil || len(f.Boxed()) > 0 || f.Scope() != "global optimum" {
		t.Errorf("rlp-p: boxed %v, %v", f.Boxed(), err)
	}
}

// TestFMDelta: a delta below the least error is refused, one above it is taken.
func TestFMDelta(t *testing.T) {
	lp, ctx := formtest.Solver(t), context.Background()
	d := formtest.Data(rand.New(rand.NewPCG(22, 2)), 30, 3, 2)
	f, err := FMOptions{LP: lp}.Build(ctx, d)
	if err != nil {
		t.Fatal(err)
	}
	least := f.LeastError()
	if _, err := (FMOptions{LP: lp, Delta: 0.9 * least}).Build(ctx, d); err == nil {
		t.Errorf("delta %v below the least error %v was taken", 0.9*least, least)
	}
	if f, err := (FMOptions{LP: lp, Delta: 1.9}).Build(ctx, d); err != nil || f.Delta() != 1.9 {
		t.Errorf("delta 1.9: %v, %v", f.Delta(), err)
	}
	failing := errors.New("out of order")
	broken := func(context.Context, *mio.Model) (*mio.Solution, error) { return nil, failing }
	if _, err := (FMOptions{LP: broken}).Build(ctx, d); !errors.Is(err, failing) {
		t.Errorf("a failing LP solver: %v", err)
	}
	if _, err := (FMOptions{LP: broken, Delta: 1}).Build(ctx, d); !errors.Is(err, failing) {
		t.Errorf("a failing LP solver, delta given: %v", err)
	}
	if _, err := (LFMOptions{LP: broken}).Build(ctx, d); !errors.Is(err, failing) {
		t.Errorf("a failing LP solver, lfm: %v", err)
	}
}

// TestFMLeak: with r_j below a solver's tolerance a weight can differ from 0
// though its feature counts as unused. Decode drops it, scales the split up
// where that makes good for it, and refuses the point where it does not.
func TestFMLeak(t *testing.T) {
	d, err := dataset.New([]float64{0, 0, 1, 1, 2, 0, 3, 1}, []int{0, 0, 1, 1}, []string{"a", "b"}, []string{"x", "y"})
	if err != nil {
		t.Fatal(err)
	}
	f, err := FMOptions{Delta: 1e-12, Box: 1e5}.Build(context.Background(), d)
	if err != nil {
		t.Fatal(err)
	}
	split := func(a, b float64) []float64 {
		v := make([]float64, f.Model().NumCols())
		for jx, w := range []float64{a, b} {
			v[f.colPlus(jx)], v[f.colMinus(jx)] = max(w, 0), max(-w, 0)
		}
		v[f.colR(0)] = 1
		return v
	}
	sd := f.d.scaler.Scale[0]
	tr, err := f.Decode(split(-1.99*sd, 0.01)) // separates, with a margin of 0.995
	if err != nil {
		t.Fatal(err)
	}
	if f.Objective(tr) != 1 || f.Error(tr) > 1e-9 {
		t.Errorf("the tree has %v features and error %v, expected 1 and 0", f.Objective(tr), f.Error(tr))
	}
	if _, err := f.Decode(split(1, -10)); !errors.Is(err, formulate.ErrDecode) {
		t.Errorf("a point that needs an unused feature: %v", err)
	}
}
