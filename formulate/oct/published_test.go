//go:build cgo && !nohighs

package oct

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/octgen/octgen/formulate/internal/formtest"
	"github.com/octgen/octgen/internal/datatest"
	_ "github.com/octgen/octgen/solvers/highs"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate"
)

// TestPublishedLeftRow: with the left-branch row as published, Iris at depth 2
// has a "solution" of 0 errors with 0 splits, which is no tree; with the
// corrected row the optimum is that of the threshold encoding, 6 errors.
func TestPublishedLeftRow(t *testing.T) {
	lp := formtest.Solver(t)
	ctx := context.Background()
	solve := func(d *dataset.Dataset, enc formulate.Encoding) (*Formulation, []float64, float64) {
		t.Helper()
		f, err := Options{Depth: 2, Alpha: 0.01, MinLeaf: 1, Encoding: enc}.Build(ctx, d)
		if err != nil {
			t.Fatal(err)
		}
		sol, err := lp(ctx, f.Model())
		if err != nil {
			t.Fatal(err)
		}
		return f, sol.Values, sol.Objective
	}

	full := datatest.Example(t, "iris")
	f, x, obj := solve(full, BigMPublished)
	e := f.enc.(*bigM)
	splits := 0.0
	for n := 1; n <= e.leaf.Branches(); n++ {
		splits += x[e.colD(n)]
	}
	if math.Abs(obj) > 1e-6 || splits > 1e-6 {
		t.Errorf("published: objective %v with %v splits, expected 0 with 0", obj, splits)
	}
	if _, err := f.Decode(x); !errors.Is(err, formulate.ErrDecode) {
		t.Errorf("published: decoding gives %v, expected ErrDecode", err)
	}

	f, x, obj = solve(full, Threshold)
	tr, err := f.Decode(x)
	if err != nil {
		t.Fatal(err)
	}
	if l := tr.Evaluate(full); l.Errors != 6 || tr.Splits() != 2 || math.Abs(obj-0.08) > 1e-6 {
		t.Errorf("threshold: objective %v, %v errors, %d splits; expected 0.08, 6, 2", obj, l.Errors, tr.Splits())
	}

	some := formtest.Every(full, 6) // a size at which the corrected big-M can be proved
	_, _, want := solve(some, Threshold)
	f, x, obj = solve(some, formulate.BigM)
	if math.Abs(obj-want) > 1e-6 {
		t.Errorf("corrected: %v, threshold has %v", obj, want)
	}
	if tr, err := f.Decode(x); err != nil || math.Abs(f.Objective(tr)-want) > 1e-6 {
		t.Errorf("corrected: decoding gives %v, %v", tr, err)
	}
	if _, _, published := solve(some, BigMPublished); !(published < want-1e-6) {
		t.Errorf("published: %v, expected less than %v", published, want)
	}
}
