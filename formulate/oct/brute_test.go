//go:build cgo && !nohighs

package oct

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/internal/formtest"
	"github.com/octgen/octgen/internal/datatest"
	"github.com/octgen/octgen/internal/treetest"
	"github.com/octgen/octgen/mio"
	_ "github.com/octgen/octgen/solvers/highs"
	"github.com/octgen/octgen/tree/constraint"
)

func bruteOptimum(d *dataset.Dataset, o Options, lhat float64) float64 {
	most := o.MaxSplits
	if most == 0 {
		most = d.N()
	}
	return treetest.Optimum(treetest.Least(d, nil, o.Depth, o.MinLeaf), most, o.Alpha*lhat) / lhat
}

// TestBruteForce compares the proven optimum of every encoding, tightenings on
// and off, with exhaustive search.
func TestBruteForce(t *testing.T) {
	solve := formtest.Solver(t)
	rng := rand.New(rand.NewPCG(3, 3))
	ctx := context.Background()
	solved := map[formulate.Encoding]int{}
	for trial := range datatest.Some(700) {
		o := randomOptions(rng, Encodings())
		if !ofTrees(o.Encoding) {
			o.Encoding = Threshold
		}
		n := 4 + rng.IntN(8)
		if o.Encoding != Threshold || o.Depth == 3 {
			n = 4 + rng.IntN(4)
		}
		d := formtest.Data(rng, n, 1+rng.IntN(2), 2+rng.IntN(2))
		f, err := o.Build(ctx, d)
		if !formtest.Built(t, err) {
			continue
		}
		want := bruteOptimum(d, o, f.Lhat())
		sol, err := solve(ctx, f.Model())
		if err != nil {
			t.Fatalf("trial %d, %+v: %v", trial, o, err)
		}
		if math.IsInf(want, 1) {
			if sol.Status != mio.Infeasible {
				t.Fatalf("trial %d, %+v: %v, no tree exists", trial, o, sol.Status)
			}
			continue
		}
		solved[o.Encoding]++
		if sol.Status != mio.Optimal || math.Abs(sol.Objective-want) > 1e-6 {
			t.Fatalf("trial %d, %+v: %v with %v, brute force has %v", trial, o, sol.Status, sol.Objective, want)
		}
		tr, err := f.Decode(sol.Values)
		if err != nil {
			t.Fatalf("trial %d, %+v: %v", trial, o, err)
		}
		if got := f.Objective(tr); math.Abs(got-want) > 1e-6 {
			t.Fatalf("trial %d, %+v: the decoded tree has %v, brute force %v", trial, o, got, want)
		}
	}
	t.Logf("solved: %v", solved)
	for _, e := range Encodings() {
		if ofTrees(e) && solved[e] < datatest.Some(60) {
			t.Errorf("solved %v, expected at least 60 of each", solved)
		}
	}
}

// ofTrees reports whether the points of an encoding are trees and HiGHS supports its constraints.
func ofTrees(e formulate.Encoding) bool {
	facts := FactsOf(e)
	return !facts.BelowTrees && !facts.Indicators
}

// TestPublishedLeftRow: with the left-branch constraint as published, Iris at depth 2 has a
// "solution" of 0 errors with 0 splits, which is no tree; with the corrected constraint the optimum
// is that of the threshold encoding, 6 errors.
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

	every := 10 // few enough rows for a proof with the corrected big-M
	if datatest.All() {
		every = 8
	}
	some := formtest.Every(full, every)
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

// TestConstrainedBruteForce compares the proven optimum of every encoding, under one or two
// constraints, with all trees and all their labellings: value, status and decoded tree.
func TestConstrainedBruteForce(t *testing.T) {
	solve := formtest.Plain(t)
	rng := rand.New(rand.NewPCG(7, 7))
	ctx := context.Background()
	solved, infeasible := map[formulate.Encoding]int{}, 0
	trials := datatest.Some(160)
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
	if infeasible < datatest.Some(5) {
		t.Errorf("only %d instances that no tree solves", infeasible)
	}
	for _, e := range constrainedEncodings() {
		if solved[e] < datatest.Some(15) {
			t.Errorf("solved %v, expected at least 15 of each", solved)
		}
	}
}

// solvedAsBruteForce compares a solver's result and its tree with all trees; none means that there
// are no trees.
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
	open := sol.Status == mio.Feasible && sol.Bound <= want+near // HiGHS sometimes ends with a gap: no claim is wrong
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

// TestNoCheating: a model in which a row may be uncounted satisfies a capacity by not counting rows
// with that prediction. With exact predictions, its optimum is that of trees.
func TestNoCheating(t *testing.T) {
	solve := formtest.Solver(t)
	ctx := context.Background()
	// Seven rows of class b on the right, one of a among them; at most a quarter of the ten may be
	// predicted b. A tree can predict all seven as b or none.
	x := []float64{0, 0, 0, 1, 1, 1, 1, 1, 1, 1}
	y := []int{0, 0, 0, 1, 1, 1, 1, 1, 1, 0}
	d, err := dataset.New(x, y, []string{"x"}, []string{"a", "b"})
	if err != nil {
		t.Fatal(err)
	}
	s, err := constraint.Parse(constraint.Options{Rates: constraint.Rates{Share: []string{"b<=0.25"}}})
	if err != nil {
		t.Fatal(err)
	}
	o := Options{Depth: 1, Constraints: s}
	want := bestTree(t, d, o)
	if want != 6.0/4 { // all predicted a; the single leaf b, which the capacity forbids, misclassifies 4
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
	// The cheating model: the constraints of correct counts only e, and the capacity applies to
	// them.
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

// cheating returns the model of f with a capacity on the rows that it counts as correct b.
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

// TestPricedBruteForce compares the proven optimum of every encoding, with prediction costs and
// with no constraint, one of each kind and all pairs of kinds, with all trees and all their
// labellings: value, status and decoded tree.
func TestPricedBruteForce(t *testing.T) {
	solve := formtest.Plain(t)
	rng := rand.New(rand.NewPCG(8, 7))
	solved, infeasible, classes := map[formulate.Encoding]int{}, 0, map[int]int{}
	rounds, encodings := 2, constrainedEncodings()
	if os.Getenv("OCTGEN_LONG") != "" {
		rounds = 40
	}
	for round := range rounds {
		for trial, kinds := range combinations() {
			e := encodings[(trial+round)%len(encodings)]
			o := randomOptions(rng, []formulate.Encoding{e})
			o.Depth = 1 + rng.IntN(2)
			d := costly(rng)
			o.Constraints = constraintsOf(t, rng, d, &o, kinds)
			f, err := o.Build(context.Background(), d)
			if !formtest.Built(t, err) {
				continue
			}
			if none := solvedAsBruteForce(t, solve, f, d, o); none {
				infeasible++
				continue
			}
			solved[e]++
			classes[d.K()]++
		}
	}
	t.Logf("solved %v, classes %v, infeasible %d", solved, classes, infeasible)
	if infeasible < 5 || classes[2] < 20 || classes[3] < 20 {
		t.Errorf("classes %v, %d instances that no tree solves", classes, infeasible)
	}
	for _, e := range encodings {
		if solved[e] < 15 {
			t.Errorf("solved %v, expected at least 15 of each", solved)
		}
	}
}
