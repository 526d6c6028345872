package oct

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/internal/formtest"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/tree"
	"github.com/octgen/octgen/tree/constraint"
)

// grouped returns small data of few values, with a group of two or three levels and rows without a
// group.
func grouped(rng *rand.Rand) *dataset.Dataset {
	n, p, k := 5+rng.IntN(6), 1+rng.IntN(2), 2+rng.IntN(2)
	d := formtest.Data(rng, n, p, k)
	for i := range d.X {
		d.X[i] = float64(rng.IntN(3))
	}
	g := dataset.Group{Name: "g", Levels: []string{"a", "b", "c"}[:2+rng.IntN(2)]}
	for range n {
		g.Of = append(g.Of, int32(rng.IntN(len(g.Levels)+1)-1))
	}
	d.Groups = []dataset.Group{g}
	return d
}

// constraintKinds is the number of kinds that randomConstraint draws from.
const constraintKinds = 13

// randomConstraint adds a constraint of the given kind to o, for data of grouped.
func randomConstraint(rng *rand.Rand, kind int, d *dataset.Dataset, depth int, o *constraint.Options) {
	class := d.Classes[rng.IntN(d.K())]
	limit := []float64{0, 0.1, 0.25, 0.4, 0.5, 0.75, 0.9, 1}[rng.IntN(8)]
	low := []float64{0, 0.05, 0.1, 0.2, 0.34, 0.5}[rng.IntN(6)]
	feature := func() string { return d.Features[rng.IntN(d.P())] }
	switch kind {
	case 0:
		o.Recall = append(o.Recall, fmt.Sprintf("%s>=%v", class, limit))
	case 1:
		o.Precision = append(o.Precision, fmt.Sprintf("%s>=%v", class, limit))
	case 2:
		o.Share = append(o.Share, fmt.Sprintf("%s<=%v", class, limit))
	case 3, 4, 5, 6:
		levels := ""
		if rng.IntN(4) == 0 {
			levels = "@b,a"
		}
		o.Positive = class
		o.Fair = append(o.Fair, fmt.Sprintf("%s:g%s<=%v", constraint.Metrics()[kind-3], levels, low))
	case 7:
		o.LeafPurity = []float64{0.5, 0.6, 0.75, 0.9, 1}[rng.IntN(5)]
	case 8:
		o.MaxFeatures = 1
	case 9:
		o.FeatureCost = []string{fmt.Sprintf("%s=%v", feature(), []float64{0, 0.05, 0.3}[rng.IntN(3)])}
	case 10:
		o.Forbid = []string{feature()} // for data of one feature: the single leaf
	case 11:
		o.Monotone = []string{fmt.Sprintf("%s=%+d", feature(), 2*rng.IntN(2)-1)}
		o.ClassOrder = append([]string(nil), d.Classes...)
		rng.Shuffle(d.K(), func(a, b int) { o.ClassOrder[a], o.ClassOrder[b] = o.ClassOrder[b], o.ClassOrder[a] })
	case 12:
		o.FixTree = formtest.Tree(rng, d, 1+rng.IntN(depth)).Collapse(d)
		o.Fix = "fixed.json"
	}
}

// randomConstraints returns one or two constraints that the encoding supports; they may be
// infeasible.
func randomConstraints(t testing.TB, rng *rand.Rand, d *dataset.Dataset, of *Options) *constraint.Set {
	t.Helper()
	var kinds []int
	for range 1 + rng.IntN(2) {
		kinds = append(kinds, rng.IntN(constraintKinds))
	}
	return constraintsOf(t, rng, d, of, kinds)
}

// constraintsOf returns one constraint of each kind that the encoding supports.
func constraintsOf(t testing.TB, rng *rand.Rand, d *dataset.Dataset, of *Options, kinds []int) *constraint.Set {
	t.Helper()
	var o constraint.Options
	for _, kind := range kinds {
		randomConstraint(rng, kind, d, of.Depth, &o)
	}
	if FactsOf(of.Encoding).FreeLeaves {
		o.LeafPurity = 0
	}
	if o.FixTree != nil {
		o.Forbid = nil // it may contradict Forbid
	}
	s, err := constraint.Parse(o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// constrainedEncodings are the encodings that support constraints.
func constrainedEncodings() []formulate.Encoding {
	var all []formulate.Encoding
	for _, e := range Encodings() {
		if FactsOf(e).Constrained {
			all = append(all, e)
		}
	}
	return all
}

// checkPoint reports whether tr has a point of f, the model of d with these options. Such a point
// is feasible and has the tree's objective, including the price of columns, which bound and lattice
// allow, and Decode returns the tree; only trees that satisfy the constraints have a point.
func checkPoint(t *testing.T, o Options, f *Formulation, d *dataset.Dataset, tr *tree.Tree) bool {
	t.Helper()
	on, err := o.Constraints.On(d)
	if err != nil {
		t.Fatal(err)
	}
	x, err := f.Start(context.Background(), tr)
	if err != nil {
		return false
	}
	c, of := tr.Collapse(d), fmt.Sprintf("%s, %q", f.opts.Encoding, o.Constraints.Texts())
	if broken := on.Broken(c); broken != nil {
		t.Fatalf("%+v: a start that breaks %q", o, broken)
	}
	if r := mio.Check(f.Model(), x, 1e-9); !r.Feasible {
		t.Fatalf("%s: start is infeasible: %v", of, r.Err())
	}
	want := c.Objective(d, o.Alpha) + on.Price(c)
	if got := f.Objective(c); math.Abs(got-want) > 1e-9*max(1, want) {
		t.Fatalf("%s: objective %v, the tree has %v", of, got, want)
	}
	if got := f.Model().Objective(x); math.Abs(got-want) > 1e-9*max(1, want) {
		t.Fatalf("%s: model objective %v, the tree has %v: %+v\n%v", of, got, want, tr.Nodes, d)
	}
	if got := f.Bound(); got > want+1e-9*max(1, want) {
		t.Fatalf("%s: bound %v, a tree has %v", of, got, want)
	}
	if l := f.Lattice(); l != nil && l.RoundUp(want-1e-9) > want+1e-6 {
		t.Fatalf("%s: the lattice has no %v, but %v", of, want, l.RoundUp(want-1e-9))
	}
	back, err := f.Decode(x)
	if err != nil {
		t.Fatalf("%+v: %v", o, err)
	}
	formtest.SamePredictions(t, o, d, back, tr)
	if broken := on.Broken(back); broken != nil {
		t.Fatalf("%+v: the decoded tree breaks %q", o, broken)
	}
	return true
}

// pointCount counts random trees with and without a point of a random model.
type pointCount struct {
	started map[formulate.Encoding]int
	refused int
}

// try formulates d, checks the model's size if size is set, and the point of a random tree.
func (c *pointCount) try(t *testing.T, rng *rand.Rand, o Options, d *dataset.Dataset, sized bool) {
	t.Helper()
	f, err := o.Build(context.Background(), d)
	if !formtest.Built(t, err) {
		return
	}
	if sized {
		formtest.CheckSize(t, o, f.Model(), f.enc.size())
	}
	if !checkPoint(t, o, f, d, formtest.Tree(rng, d, o.Depth)) {
		c.refused++
		return
	}
	if c.started == nil {
		c.started = map[formulate.Encoding]int{}
	}
	c.started[f.opts.Encoding]++
}

// report fails if an encoding had fewer than least points.
func (c *pointCount) report(t *testing.T, least int) {
	t.Helper()
	t.Logf("started %v, rejected %d", c.started, c.refused)
	for _, e := range constrainedEncodings() {
		if c.started[e] < least {
			t.Errorf("only %d starts for %s", c.started[e], e)
		}
	}
}

// TestConstrainedPoints: sizes equal the closed form; trees that satisfy the constraints are points
// of the model with their objective, and Decode returns them; others are rejected.
func TestConstrainedPoints(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	var c pointCount
	for trial := range 1500 {
		o := randomOptions(rng, constrainedEncodings())
		o.Depth = 1 + rng.IntN(2)
		d := grouped(rng)
		o.Constraints = randomConstraints(t, rng, d, &o)
		c.try(t, rng, o, d, trial < 300)
	}
	c.report(t, 50)
}

// TestUnconstrained: an encoding without support for constraints rejects them, and names those that
// support them.
func TestUnconstrained(t *testing.T) {
	s, err := constraint.Parse(constraint.Options{Structural: constraint.Structural{MaxFeatures: 1}})
	if err != nil {
		t.Fatal(err)
	}
	_, err = Options{Depth: 1, Encoding: BinOCT, Constraints: s}.Build(context.Background(), formtest.Tiny(t))
	if want := "formulate: the encoding binoct does not support constraints; use one of threshold, flow, cut, bigm"; err == nil || err.Error() != want {
		t.Errorf("%v; want %s", err, want)
	}
}

// everyTree calls do with every tree of d within that depth whose splits leave no side empty, with
// every labelling. do must not keep the tree.
func everyTree(d *dataset.Dataset, depth int, do func(*tree.Tree)) {
	var splits []*tree.Split
	for j := range d.P() {
		for _, v := range d.Distinct(j)[1:] {
			splits = append(splits, tree.Univariate(j, v))
		}
	}
	t := tree.NewLeaf(d, 0)
	var label func(i int)
	label = func(i int) {
		if i == len(t.Nodes) {
			do(t)
			return
		}
		if !t.Nodes[i].Leaf() {
			label(i + 1)
			return
		}
		for k := range d.K() {
			t.Nodes[i].Class = k
			label(i + 1)
		}
	}
	type todo struct{ node, depth int }
	var grow func(open []todo)
	grow = func(open []todo) {
		if len(open) == 0 {
			label(0)
			return
		}
		at, rest := open[0], open[1:]
		grow(rest) // a leaf
		if at.depth == 0 {
			return
		}
		for _, s := range splits {
			size := len(t.Nodes)
			l, r := t.Grow(at.node, s, 0, 0)
			if reached(d, t, l) && reached(d, t, r) {
				grow(append([]todo{{l, at.depth - 1}, {r, at.depth - 1}}, rest...))
			}
			t.Nodes = t.Nodes[:size]
			t.Nodes[at.node].Split = nil
		}
	}
	grow([]todo{{0, depth}})
}

func reached(d *dataset.Dataset, t *tree.Tree, node int) bool {
	for i := range d.N() {
		if t.Find(d.Row(i)) == node {
			return true
		}
	}
	return false
}

// bestTree returns the minimum objective of a tree that satisfies all options; +Inf if there is
// none. It also counts trees that are best only if correct rows need not be counted.
func bestTree(t testing.TB, d *dataset.Dataset, o Options) float64 {
	t.Helper()
	on, err := o.Constraints.On(d)
	if err != nil {
		t.Fatal(err)
	}
	best := math.Inf(1)
	everyTree(d, o.Depth, func(tr *tree.Tree) {
		if o.MaxSplits > 0 && tr.Splits() > o.MaxSplits {
			return
		}
		v := tr.Objective(d, o.Alpha) + on.Price(tr)
		if v >= best {
			return
		}
		weight := make([]float64, len(tr.Nodes))
		for i := range d.N() {
			weight[tr.Find(d.Row(i))] += d.Weight[i]
		}
		for i, w := range weight {
			if tr.Nodes[i].Leaf() && !tree.EnoughWeight(w, o.MinLeaf) {
				return
			}
		}
		if on.Broken(tr) == nil {
			best = v
		}
	})
	return best
}

// costly returns grouped data with prediction costs: from a matrix, or per row, whole numbers or
// not; the true class is not always the cheapest.
func costly(rng *rand.Rand) *dataset.Dataset {
	d := grouped(rng)
	k, byRow, real := d.K(), rng.IntN(2) == 0, rng.IntN(3) == 0
	draw := func() float64 {
		if real {
			return 3 * rng.Float64()
		}
		return float64(rng.IntN(5)) / 2
	}
	matrix := make([]float64, k*k)
	for at := range matrix {
		matrix[at] = draw()
	}
	for i, y := range d.Y {
		for c := range k {
			v := matrix[y*k+c]
			if byRow {
				v = draw()
			}
			d.Cost = append(d.Cost, v*d.Weight[i])
		}
	}
	return d
}

// combinations returns no kind of constraint, each kind alone, and all pairs.
func combinations() [][]int {
	all := [][]int{nil}
	for a := range constraintKinds {
		all = append(all, []int{a})
		for b := range a {
			all = append(all, []int{b, a})
		}
	}
	return all
}

// TestPricedPoints: with prediction costs, with and without constraints, sizes equal the closed
// form; trees that satisfy the constraints are points of the model with their objective, and Decode
// returns them unchanged; others are rejected.
func TestPricedPoints(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 5))
	var c pointCount
	for trial := range 12 {
		for _, kinds := range combinations() {
			o := randomOptions(rng, constrainedEncodings())
			d := costly(rng)
			o.Constraints = constraintsOf(t, rng, d, &o, kinds)
			c.try(t, rng, o, d, trial < 3)
		}
	}
	c.report(t, 60)
}

// TestUnpriced: an encoding without the predictions of all rows rejects costs, and names those that
// support them. If one prediction is the cheapest for all rows, there is nothing to formulate
// except under constraints.
func TestUnpriced(t *testing.T) {
	d, ctx := formtest.Tiny(t), context.Background()
	for _, y := range d.Y {
		costs := []float64{1, 2, 1}
		costs[y] = 0
		d.Cost = append(d.Cost, costs...)
	}
	for _, e := range []formulate.Encoding{BinOCT, BigMPublished, formulate.Indicator} {
		_, err := Options{Depth: 1, Encoding: e}.Build(ctx, d)
		if want := "formulate: the encoding " + string(e) + " does not support prediction costs; use one of threshold, flow, cut, bigm"; err == nil || err.Error() != want {
			t.Errorf("%v; want %s", err, want)
		}
	}
	for at := range d.Cost {
		d.Cost[at] = float64(at % d.K())
	}
	if _, err := (Options{Depth: 1}).Build(ctx, d); !errors.Is(err, formulate.ErrSingleLeaf) {
		t.Errorf("one prediction is the cheapest for all rows: %v", err)
	}
	s, err := constraint.Parse(constraint.Options{Rates: constraint.Rates{Share: []string{"x<=0.5"}}})
	if err != nil {
		t.Fatal(err)
	}
	f, err := Options{Depth: 1, Constraints: s}.Build(ctx, d)
	if err != nil {
		t.Fatal(err)
	}
	if f.Lhat() != 1 {
		t.Errorf("if the single leaf costs nothing, the divisor is %v; want 1", f.Lhat())
	}
}
