//go:build cgo && !nohighs

package oct

import (
	"context"
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/internal/formtest"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/tree/constraint"
)

// TestConstrainedBruteForce compares the proven optimum of every encoding, under one or two
// constraints, with all trees and all their labellings: value, status and decoded tree.
func TestConstrainedBruteForce(t *testing.T) {
	solve := formtest.Plain(t)
	rng := rand.New(rand.NewPCG(7, 7))
	ctx := context.Background()
	solved, infeasible := map[formulate.Encoding]int{}, 0
	trials := 160
	if os.Getenv("OCTGEN_LONG") != "" {
		trials = 5000
	}
	for range trials {
		o := randomOptions(rng, constrainedEncodings())
		o.Depth = 1 + rng.IntN(2)
		d := grouped(rng)
		o.Constraints = randomConstraints(t, rng, d, &o)
		f, err := o.Build(ctx, d)
		if !formtest.Built(t, err) {
			continue
		}
		if none := solvedAsBruteForce(t, solve, f, d, o); none {
			infeasible++
			continue
		}
		solved[o.Encoding]++
	}
	t.Logf("solved %v, infeasible %d", solved, infeasible)
	if infeasible < 5 {
		t.Errorf("only %d instances that no tree solves", infeasible)
	}
	for _, e := range constrainedEncodings() {
		if solved[e] < 15 {
			t.Errorf("solved %v, expected at least 15 of each", solved)
		}
	}
}

// solvedAsBruteForce holds a solver's answer and its tree against all trees; none says that
// there are none.
func solvedAsBruteForce(t *testing.T, solve mio.SolveFunc, f *Formulation, d *dataset.Dataset, o Options) (none bool) {
	t.Helper()
	want := bestTree(t, d, o)
	sol, err := solve(context.Background(), f.Model())
	if err != nil {
		t.Fatalf("%s %q: %v", o.Encoding, o.Constraints.Texts(), err)
	}
	if math.IsInf(want, 1) {
		if sol.Status != mio.Infeasible {
			t.Fatalf("%s %q: %v, no tree exists", o.Encoding, o.Constraints.Texts(), sol.Status)
		}
		return true
	}
	near := 1e-6 * max(1, want)
	open := sol.Status == mio.Feasible && sol.Bound <= want+near // HiGHS ends some by itself with a gap: no claim is wrong
	if sol.Status != mio.Optimal && !open || math.Abs(sol.Objective-want) > near {
		t.Fatalf("%s %q, %+v: %v with %v, brute force has %v", o.Encoding, o.Constraints.Texts(), o, sol.Status, sol.Objective, want)
	}
	tr, err := f.Decode(sol.Values)
	if err != nil {
		t.Fatalf("%s %q: %v", o.Encoding, o.Constraints.Texts(), err)
	}
	on, err := o.Constraints.On(d)
	if err != nil {
		t.Fatal(err)
	}
	if broken := on.Broken(tr); broken != nil || math.Abs(f.Objective(tr)-want) > near {
		t.Fatalf("%s: the decoded tree has %v and breaks %q; brute force has %v", o.Encoding, f.Objective(tr), broken, want)
	}
	return false
}

// TestNoCheating: a program that lets a row be uncounted holds a capacity by not counting
// rows that are predicted so. With exact predictions its optimum is that of trees.
func TestNoCheating(t *testing.T) {
	solve := formtest.Solver(t)
	ctx := context.Background()
	// Seven rows of class b on the right, one of a among them; at most a quarter of the
	// ten may be called b. A tree can call all seven b or none.
	x := []float64{0, 0, 0, 1, 1, 1, 1, 1, 1, 1}
	y := []int{0, 0, 0, 1, 1, 1, 1, 1, 1, 0}
	d, err := dataset.New(x, y, []string{"x"}, []string{"a", "b"})
	if err != nil {
		t.Fatal(err)
	}
	s, err := constraint.Parse(constraint.Options{Share: []string{"b<=0.25"}})
	if err != nil {
		t.Fatal(err)
	}
	o := Options{Depth: 1, Constraints: s}
	want := bestTree(t, d, o)
	if want != 6.0/4 { // all of them called a; the single leaf b, which nobody may be, errs on 4
		t.Fatalf("brute force has %v", want)
	}
	for _, e := range constrainedEncodings() {
		o.Encoding = e
		f, err := o.Build(ctx, d)
		if err != nil {
			t.Fatal(err)
		}
		sol, err := solve(ctx, f.Model())
		if err != nil {
			t.Fatal(err)
		}
		if sol.Status != mio.Optimal || math.Abs(sol.Objective-want) > 1e-6 {
			t.Errorf("%s: %v %v, want %v", e, sol.Status, sol.Objective, want)
		}
	}
	// The cheating program: rows of right counts e alone, the capacity on them.
	o = Options{Depth: 1, Encoding: Flow}
	f, err := o.Build(ctx, d)
	if err != nil {
		t.Fatal(err)
	}
	cheat := cheating(t, f, 2.5)
	sol, err := solve(ctx, cheat)
	if err != nil {
		t.Fatal(err)
	}
	if sol.Objective > want-0.1 {
		t.Errorf("the program without exact predictions has %v, no better than the best tree's %v: the test shows nothing", sol.Objective, want)
	}
}

// cheating is the program of f with a capacity on the rows that it counts right as b.
func cheating(t *testing.T, f *Formulation, most float64) *mio.Model {
	t.Helper()
	b := mio.NewBuilder("cheating")
	e := f.enc.(*flow)
	e.build(b)
	r := b.AddRow(-mio.Inf, most, "capacity")
	for i, y := range f.g.Y {
		for v := 1; v <= e.nodes() && y == 1; v++ {
			b.Add(r, e.colZeta(i, 1, v), f.g.W[i])
		}
	}
	m, err := b.Model()
	if err != nil {
		t.Fatal(err)
	}
	return m
}
