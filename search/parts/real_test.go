//go:build cgo && !nohighs

package parts

import (
	"context"
	"math"
	"testing"
	"time"

	"github.com/octgen/octgen/formulate/hyperplane"
	"github.com/octgen/octgen/internal/datatest"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mio/verify"
	"github.com/octgen/octgen/tree"
)

// proof is the proved result for real data: errors of margin all, or of margin right if right is
// set, and the method.
type proof struct {
	data   string
	depth  int
	errors float64
	by     verify.Prover
	right  bool
}

func (p proof) check(t *testing.T) {
	t.Helper()
	ds := datatest.Load(t, p.data)
	o := Options{Form: hyperplane.Options{Depth: p.depth}, Solve: solver(t)}
	if p.right {
		o.Form.Margin = hyperplane.Right
	}
	begun := time.Now()
	r, err := Prove(context.Background(), ds, o)
	if err != nil {
		t.Fatal(err)
	}
	scale := tree.ErrorScale(ds)
	if r.Status != mio.Optimal || math.Abs(r.Objective*scale-p.errors) > 1e-6 || math.Abs(r.Bound*scale-p.errors) > 1e-6 || r.By != p.by {
		t.Errorf("%s, depth %d: %v, %v errors, bound %v by %s; want %v by %s", p.data, p.depth, r.Status, r.Objective*scale, r.Bound*scale, r.By, p.errors, p.by)
	}
	t.Logf("%s, depth %d: %v errors by %s, %.1f s, %d rounds, %d parts", p.data, p.depth, p.errors, r.By, time.Since(begun).Seconds(), r.Rounds, r.Rows)
}

// TestReal proves optima of real data that take moments.
func TestReal(t *testing.T) {
	for _, p := range []proof{
		{"iris", 1, 50, verify.ByData, false},
		{"iris", 2, 1, verify.ByClauses, false},
		{"monks-1", 2, 1, verify.ByClauses, false},
		{"tic-tac-toe", 2, 1, verify.ByClauses, true},
		{"hayes-roth", 3, 12, verify.ByData, false},
		{"hayes-roth", 1, 50, verify.ByCells, false},
		{"blood-transfusion", 1, 161, verify.ByCells, false},
		{"blood-transfusion", 1, 157, verify.ByCells, true},
		{"banknote", 1, 10, verify.ByCells, false},
		{"balance-scale", 1, 69, verify.ByCells, false},
		{"balance-scale", 1, 68, verify.ByCells, true},
		{"echocardiogram", 1, 7, verify.ByClauses, false},
		{"fertility", 1, 5, verify.ByClauses, false},
		{"monks-3", 1, 13, verify.ByClauses, false},
		{"teaching-assistant", 1, 68, verify.ByClauses, false},
	} {
		p.check(t)
	}
}

// TestRealLong proves optima that take up to about twenty seconds of a core.
func TestRealLong(t *testing.T) {
	datatest.Long(t)
	for _, p := range []proof{
		{"breast-cancer-wisconsin", 1, 12, verify.ByClauses, false},
		{"monks-1", 1, 24, verify.BySubsystems, false},
		{"hayes-roth", 2, 23, verify.ByClauses, false},
		{"tic-tac-toe", 1, 12, verify.ByClauses, false},
		{"climate-model-crashes", 1, 6, verify.ByClauses, false},
		{"wdbc", 1, 3, verify.ByClauses, false},
	} {
		p.check(t)
	}
}

// TestSame: a run that ends by proof is reproducible.
func TestSame(t *testing.T) {
	ds := datatest.Load(t, "echocardiogram")
	o := Options{Form: hyperplane.Options{Depth: 1}, Solve: solver(t), Seed: 3}
	var first *Result
	for range 2 {
		r, err := Prove(context.Background(), ds, o)
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = r
			continue
		}
		if !r.Tree.Equal(first.Tree) || r.Bound != first.Bound || r.Rounds != first.Rounds || r.Rows != first.Rows {
			t.Errorf("%+v, then %+v", first, r)
		}
	}
}
