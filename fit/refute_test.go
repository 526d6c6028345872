package fit

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mio/verify"
)

// refuteCase is the OCT of four rows at this price of a split, and its point of
// the tree that separates the classes with one.
func refuteCase(t *testing.T, alpha float64) (*Ledger, *problem.Model, []float64) {
	t.Helper()
	ds, err := dataset.Read(strings.NewReader("a,class\n1,x\n2,x\n3,y\n4,y\n"), "rows.csv", dataset.LoadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	stump := problem.Levels{Depth: 1}
	m := &problem.OCT{Shape: problem.Shape{Levels: stump, Price: problem.Price{Alpha: alpha}}, Encoded: problem.Encoded{Encoding: string(formulate.BigM)}}
	p, err := m.On(ctx, problem.NewData(ds), 0)
	if err != nil {
		t.Fatal(err)
	}
	model, err := p.Build(ctx, problem.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	split, err := Run(ctx, ds, Options{Method: &problem.Treesearch{Shape: problem.Shape{Levels: stump}}})
	if err != nil {
		t.Fatal(err)
	}
	x, err := model.Formulation.Start(ctx, split.Tree)
	if err != nil {
		t.Fatal(err)
	}
	return newLedger(jobOf(p, Options{})), model, x
}

// TestRefute: what the solver claims gives way to a tree that is known. The bound of
// the data stands in the verdict, not in what is believed of the solver.
func TestRefute(t *testing.T) {
	none := math.Inf(-1)
	for _, c := range []struct {
		name   string
		alpha  float64
		sol    mio.Solution
		start  *verify.Witness
		status mio.Status
		own    float64 // bound of the solver
		bound  float64 // of the verdict
		prover verify.Prover
		note   string
		splits int
	}{
		{"single leaf against optimum", 1.6, mio.Solution{Status: mio.Optimal, Objective: 1.6, Bound: 1.6}, nil,
			mio.Feasible, none, 0, verify.ByData, "its claim that 1.6 is optimal is refuted by the single leaf, 1", 0},
		{"single leaf against bound", 1.6, mio.Solution{Status: mio.Feasible, Objective: 1.6, Bound: 1.2}, nil,
			mio.Feasible, none, 0, verify.ByData, "its bound 1.2 is refuted by the single leaf, 1", 0},
		{"single leaf betters", 1.6, mio.Solution{Status: mio.Feasible, Objective: 1.6, Bound: 0.5}, nil,
			mio.Feasible, 0.5, 0.5, verify.BySolver, "its point, 1.6, is worse than the single leaf, 1", 0},
		{"objective of a start", 0.7, mio.Solution{Status: mio.Optimal, Objective: 0.7, Bound: 0.7}, &verify.Witness{Name: "the start s", Objective: 0.6},
			mio.Feasible, none, 0, verify.ByData, "its claim that 0.7 is optimal is refuted by the start s, 0.6", 1},
		{"nothing to refute", 0.7, mio.Solution{Status: mio.Optimal, Objective: 0.7, Bound: 0.7}, &verify.Witness{Name: "the start s", Objective: 0.7},
			mio.Optimal, 0.7, 0.7, verify.BySolver, "", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			l, m, x := refuteCase(t, c.alpha)
			sol := c.sol
			sol.Values = x
			of := &claim{Solution: &sol, model: m}
			if c.start != nil {
				of.known.Witnesses = []verify.Witness{*c.start}
			}
			v := of.judge(context.Background(), l)
			if sol.Status != c.status || sol.Bound != c.own || sol.Note != c.note {
				t.Errorf("%v, bound %v, note %q; want %v, %v, %q", sol.Status, sol.Bound, sol.Note, c.status, c.own, c.note)
			}
			if v.Status != c.status || v.Bound != c.bound || v.Prover != c.prover || v.Objective != sol.Objective {
				t.Errorf("verdict %+v; want %v, bound %v by %s", v, c.status, c.bound, c.prover)
			}
			if tr, err := m.Decode(sol.Values); err != nil || tr.Splits() != c.splits {
				t.Errorf("the answer has %v splits (%v), want %d", tr, err, c.splits)
			}
			if want := mio.Gap(sol.Objective, sol.Bound); sol.Gap != want && c.note != "" {
				t.Errorf("gap %v, want %v", sol.Gap, want)
			}
			if want := mio.Gap(v.Objective, v.Bound); v.Gap != want {
				t.Errorf("gap of the verdict %v, want %v", v.Gap, want)
			}
		})
	}
}

// TestClaim: an optimum in a file whose decoded tree is better is none, and no
// gap was asked for.
func TestClaim(t *testing.T) {
	_, m, x := refuteCase(t, 0.1)
	sol := &mio.Solution{Status: mio.Optimal, Objective: 0.5, Bound: math.Inf(-1), Values: x}
	claimed(m, sol)
	if sol.Status != mio.Feasible || sol.Limit != mio.NoLimit || !strings.Contains(sol.Note, "its point has objective 0.5, the tree decoded from its upper splits 0.1") {
		t.Errorf("%v, limit %v, note %q", sol.Status, sol.Limit, sol.Note)
	}
}
