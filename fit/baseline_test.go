package fit

import (
	"context"
	"testing"

	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/internal/datatest"
)

// TestBaseline: it is CART's tree under the same limits, of every method whose trees
// have them.
func TestBaseline(t *testing.T) {
	ds := datatest.Example(t, "iris")
	train, test, err := ds.Holdout(0.3, 1)
	if err != nil {
		t.Fatal(err)
	}
	shape := problem.Shape{Levels: problem.Levels{Depth: 2}, Price: problem.Price{Alpha: 0.02, MaxSplits: 2}, Leaves: problem.Leaves{MinLeaf: 5}}
	run := func(m problem.Method) *Result {
		t.Helper()
		res, err := Run(t.Context(), ds.Subset(train), Options{Method: m, Test: ds.Subset(test)})
		if err != nil {
			t.Fatal(err)
		}
		return res
	}
	cart := run(&problem.CART{Shape: shape})
	if cart.Baseline != nil {
		t.Errorf("CART beside itself: %+v", cart.Baseline)
	}
	if cart.Train.Errors == 0 || cart.Test.Errors == 0 {
		t.Fatal("no errors to find again")
	}
	for _, m := range []problem.Method{&problem.OCT{Shape: shape}, &problem.Treesearch{Shape: shape}, &problem.OC1{Shape: shape}} {
		b := run(m).Baseline
		if b == nil || b.Method != "cart" || b.Errors != cart.Train.Errors || b.TestErrors == nil || *b.TestErrors != cart.Test.Errors {
			t.Errorf("%s: %+v, want %v and %v errors", m.Info().Name, b, cart.Train.Errors, cart.Test.Errors)
		}
	}
	if b := run(&problem.EPTS{}).Baseline; b != nil {
		t.Errorf("of a tree of fixed structure: %+v", b)
	}
}

// TestBaselineOutOfTime: a tree that was not grown to its end is none.
func TestBaselineOutOfTime(t *testing.T) {
	j, err := newJob(datatest.Example(t, "iris"), Options{})
	if err == nil {
		err = j.bind(t.Context(), 0)
	}
	if err != nil {
		t.Fatal(err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if b := j.baseline(ended); b != nil {
		t.Errorf("%+v", b)
	}
	if b := j.baseline(t.Context()); b == nil {
		t.Error("none with time")
	}
	if b := j.baseline(ended); b == nil {
		t.Error("a tree that is there needs no time")
	}
}
