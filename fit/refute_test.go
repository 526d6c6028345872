package fit

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/verify"
)

// refuteCase is the OCT of four rows at this price of a split, and its point of
// the tree that separates the classes with one.
func refuteCase(t *testing.T, alpha float64) (*run, *problem, []float64) {
	t.Helper()
	ds, err := dataset.Read(strings.NewReader("a,class\n1,x\n2,x\n3,y\n4,y\n"), "rows.csv", dataset.LoadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	f, err := formulate.OCTOptions{Depth: 1, Alpha: alpha, Encoding: formulate.BigM}.Build(ctx, ds)
	if err != nil {
		t.Fatal(err)
	}
	spec := SpecOf(f, ds.Classes, false)
	r := newModelRun(ds, f, spec, nil)
	split, err := runTree(ctx, ds)
	if err != nil {
		t.Fatal(err)
	}
	x, err := f.Start(ctx, split.Tree)
	if err != nil {
		t.Fatal(err)
	}
	return r, problemOf(f, spec), x
}

func runTree(ctx context.Context, ds *dataset.Dataset) (*Result, error) {
	return Run(ctx, ds, Options{Method: "treesearch", OCT: formulate.OCTOptions{Depth: 1}})
}

// TestRefute: what the solver claims gives way to a tree that is known.
func TestRefute(t *testing.T) {
	for _, c := range []struct {
		name   string
		alpha  float64
		sol    mio.Solution
		start  *verify.Witness
		status mio.Status
		bound  float64
		note   string
		splits int
	}{
		{"single leaf against optimum", 1.6, mio.Solution{Status: mio.Optimal, Objective: 1.6, Bound: 1.6}, nil,
			mio.Feasible, 0, "its claim that 1.6 is optimal is refuted by the single leaf, 1", 0},
		{"single leaf against bound", 1.6, mio.Solution{Status: mio.Feasible, Objective: 1.6, Bound: 1.2}, nil,
			mio.Feasible, 0, "its bound 1.2 is refuted by the single leaf, 1", 0},
		{"single leaf betters", 1.6, mio.Solution{Status: mio.Feasible, Objective: 1.6, Bound: 0.5}, nil,
			mio.Feasible, 0.5, "its point, 1.6, is worse than the single leaf, 1", 0},
		{"objective of a start", 0.7, mio.Solution{Status: mio.Optimal, Objective: 0.7, Bound: 0.7}, &verify.Witness{Name: "the start s", Objective: 0.6},
			mio.Feasible, 0, "its claim that 0.7 is optimal is refuted by the start s, 0.6", 1},
		{"nothing to refute", 0.7, mio.Solution{Status: mio.Optimal, Objective: 0.7, Bound: 0.7}, &verify.Witness{Name: "the start s", Objective: 0.7},
			mio.Optimal, 0.7, "", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, p, x := refuteCase(t, c.alpha)
			sol := c.sol
			sol.Values = x
			r.judge(context.Background(), p, &sol, c.start)
			if sol.Status != c.status || sol.Bound != c.bound || sol.Note != c.note {
				t.Errorf("%v, bound %v, note %q; want %v, %v, %q", sol.Status, sol.Bound, sol.Note, c.status, c.bound, c.note)
			}
			if tr, err := p.Decode(sol.Values); err != nil || tr.Splits() != c.splits {
				t.Errorf("the answer has %v splits (%v), want %d", tr, err, c.splits)
			}
			if want := mio.Gap(sol.Objective, sol.Bound); sol.Gap != want && c.note != "" {
				t.Errorf("gap %v, want %v", sol.Gap, want)
			}
		})
	}
}

// TestClaim: an optimum in a file whose decoded tree is better is none, and no
// gap was asked for.
func TestClaim(t *testing.T) {
	_, p, x := refuteCase(t, 0.1)
	sol := &mio.Solution{Status: mio.Optimal, Objective: 0.5, Bound: math.Inf(-1), Values: x}
	p.claim(sol)
	if sol.Status != mio.Feasible || sol.Limit != mio.NoLimit || !strings.Contains(sol.Note, "its point has objective 0.5, the tree decoded from its upper splits 0.1") {
		t.Errorf("%v, limit %v, note %q", sol.Status, sol.Limit, sol.Note)
	}
}
