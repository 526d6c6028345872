package oc1

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/internal/datatest"
	"github.com/octgen/octgen/tree"
)

var impurities = []Impurity{Twoing, GiniIndex, InformationGain, MaxMinority, SumMinority, SumOfImpurity}

func mustGrow(t interface{ Fatal(...any) }, ds *dataset.Dataset, o Options) *Result {
	res, err := Grow(context.Background(), ds, o)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

func TestCrossingSorter(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var s crossingSorter
	for _, n := range []int{1, 2, insertionCrossings, insertionCrossings + 1, narrowCrossings, narrowCrossings + 1, 5000} {
		for _, keys := range []uint32{1, 3, 70000, math.MaxUint32} {
			a := make([]crossing, n)
			for i := range a {
				a[i] = uint64(r.Uint32N(keys))<<32 | uint64(r.Uint32())
			}
			want := slices.Clone(a)
			slices.SortStableFunc(want, func(x, y crossing) int { return cmpUint(x>>32, y>>32) })
			if got := s.sort(a); !slices.Equal(want, got) {
				t.Fatalf("n=%d, %d keys: wrong order", n, keys)
			}
		}
	}
}

func cmpUint(a, b uint64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// impurityOf returns the impurity of a split by the definition in the doc comments, to be
// minimised.
func impurityOf(m Impurity, left, right []float64) float64 {
	l, r := sumOf(left), sumOf(right)
	switch m {
	case Twoing:
		d := 0.0
		for k := range left {
			d += math.Abs(left[k]/l - right[k]/r)
		}
		return -l * r / ((l + r) * (l + r)) * d * d / 4
	case MaxMinority:
		return max(l-slices.Max(left), r-slices.Max(right))
	case SumMinority:
		return l - slices.Max(left) + r - slices.Max(right)
	case SumOfImpurity:
		return m.node(left) + m.node(right)
	}
	return l*m.node(left) + r*m.node(right)
}

func sumOf(v []float64) float64 {
	s := 0.0
	for _, x := range v {
		s += x
	}
	return s
}

// TestLineAgainstBruteForce: the best move along a coefficient or a random
// direction is the best of all splits on that line.
func TestLineAgainstBruteForce(t *testing.T) {
	datatest.Check(t, func(t *rapid.T) {
		ds := datatest.Random(t, 25, 3, 4)
		o := Options{
			Impurity: rapid.SampledFrom(impurities).Draw(t, "impurity"),
			MinLeaf:  float64(rapid.IntRange(0, 6).Draw(t, "minLeaf")) / 2,
		}
		o.defaults()
		s := newPlaneSearch(context.Background(), ds, &o, rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1)))
		s.enter(allRows(ds.N()), ds.ClassWeights())
		if s.sweep.classes < 2 {
			return
		}
		s.prepare()
		if len(s.features) == 0 {
			return
		}
		for m := range s.a {
			s.a[m] = 2*s.rng.Float64() - 1
		}
		s.activate()
		m := rapid.IntRange(0, len(s.features)).Draw(t, "coefficient")
		c := &s.columns[m]
		got, step := s.line(c)
		x := make([]float64, ds.N())
		for q, i := range c.rows {
			x[i] = c.x[q]
		}
		want := bestOnLine(ds, o, s.activity, x)
		if (got.at < 0) != math.IsInf(want, 1) {
			t.Fatalf("found %v, best is %v", got, want)
		}
		if got.at < 0 || !s.move(c, m, step) {
			return
		}
		left, right := sides(ds, s.activity)
		if have := impurityOf(o.Impurity, left, right); math.Abs(have-want) > 1e-9*(1+math.Abs(want)) {
			t.Fatalf("impurity %v, best is %v", have, want)
		}
		before := slices.Clone(s.activity)
		score := s.score
		s.activate()
		for i := range before {
			if math.Abs(before[i]-s.activity[i]) > 1e-9*(1+math.Abs(before[i])) {
				t.Fatalf("row %d: activity %v kept, %v recomputed", i, before[i], s.activity[i])
			}
		}
		if math.Abs(score-s.score) > s.sweep.equal {
			t.Fatalf("score %v kept, %v recomputed", score, s.score)
		}
	})
}

// sides returns the class weights on both sides.
func sides(ds *dataset.Dataset, v []float64) (left, right []float64) {
	left, right = make([]float64, ds.K()), make([]float64, ds.K())
	for i, y := range ds.Y {
		if v[i] < 0 {
			left[y] += ds.Weight[i]
		} else {
			right[y] += ds.Weight[i]
		}
	}
	return left, right
}

// bestOnLine returns the minimum impurity of a split v + t x < 0 over all t that are clearly
// between two crossings.
func bestOnLine(ds *dataset.Dataset, o Options, v, x []float64) float64 {
	var at []float64
	for i := range v {
		if x[i] != 0 {
			at = append(at, float64(float32(-v[i]/x[i])))
		}
	}
	if len(at) == 0 {
		return math.Inf(1)
	}
	slices.Sort(at)
	at = slices.Compact(at)
	steps := []float64{at[0] - 1, at[len(at)-1] + 1}
	for q := 1; q < len(at); q++ {
		steps = append(steps, (at[q-1]+at[q])/2)
	}
	best := math.Inf(1)
	moved := make([]float64, len(v))
	for _, t := range steps {
		for i := range v {
			moved[i] = v[i] + t*x[i]
		}
		left, right := sides(ds, moved)
		if l, r := sumOf(left), sumOf(right); l > 0 && r > 0 && tree.EnoughWeight(l, o.MinLeaf) && tree.EnoughWeight(r, o.MinLeaf) {
			best = min(best, impurityOf(o.Impurity, left, right))
		}
	}
	return best
}

// TestAxis: with univariate splits only, each node has the best split.
func TestAxis(t *testing.T) {
	datatest.Check(t, func(t *rapid.T) {
		ds := datatest.Random(t, 20, 3, 3)
		o := Options{Impurity: rapid.SampledFrom(impurities).Draw(t, "impurity"), AxisOnly: true, Holdout: -1, MaxDepth: 1}
		tr := mustGrow(t, ds, o).Tree
		best := math.Inf(1)
		v := make([]float64, ds.N())
		for j := range ds.P() {
			for _, b := range ds.Distinct(j)[1:] {
				for i := range v {
					v[i] = ds.At(i, j) - b
				}
				left, right := sides(ds, v)
				best = min(best, impurityOf(o.Impurity, left, right))
			}
		}
		if slices.Max(tr.Nodes[0].Weight) == sumOf(tr.Nodes[0].Weight) || math.IsInf(best, 1) {
			if tr.Splits() != 0 {
				t.Fatalf("split for nothing:\n%v", tr)
			}
			return
		}
		if tr.Splits() != 1 || !tr.Nodes[0].Split.IsUnivariate() {
			t.Fatalf("not one univariate split:\n%v", tr)
		}
		if got := impurityOf(o.Impurity, tr.Nodes[1].Weight, tr.Nodes[2].Weight); math.Abs(got-best) > 1e-9 {
			t.Fatalf("impurity %v, best is %v", got, best)
		}
	})
}

// TestPaper: all splits come from random planes and keep their features, while the default takes a
// univariate one, which is perfect here. One jump, no holdout.
func TestPaper(t *testing.T) {
	ds := datatest.Example(t, "iris")
	if tr := mustGrow(t, ds, Options{}).Tree; !tr.Nodes[0].Split.IsUnivariate() {
		t.Fatalf("the default begins with\n%v", tr)
	}
	o := Options{Paper: true, Seed: 3}
	tr := mustGrow(t, ds, o).Tree
	for i := range tr.Nodes {
		if s := tr.Nodes[i].Split; s != nil && len(s.Terms) != ds.P() {
			t.Errorf("node %d has %d features:\n%v", i, len(s.Terms), tr)
		}
	}
	if errs := tr.Evaluate(ds).Errors; errs != 0 {
		t.Errorf("%v errors, where nothing is pruned", errs)
	}
	o.Jumps, o.Holdout = 1, -1
	if same := mustGrow(t, ds, o).Tree; !same.Equal(tr) {
		t.Error("one jump and no holdout are not its defaults")
	}
	_, err := Grow(context.Background(), ds, Options{Paper: true, AxisOnly: true})
	if err == nil || !strings.Contains(err.Error(), "univariate") {
		t.Errorf("univariate only: %v", err)
	}
}

func TestTrees(t *testing.T) {
	datatest.Check(t, func(t *rapid.T) {
		ds := datatest.Random(t, 30, 4, 4)
		o := Options{
			Impurity: rapid.SampledFrom(impurities).Draw(t, "impurity"),
			Order:    rapid.SampledFrom([]Order{Sequential, BestFirst, Random50}).Draw(t, "order"),
			Restarts: rapid.IntRange(1, 4).Draw(t, "restarts"), Jumps: rapid.IntRange(-1, 2).Draw(t, "jumps"),
			RowsPerFeature: -1, Paper: rapid.Bool().Draw(t, "paper"),
			MaxDepth: rapid.IntRange(0, 3).Draw(t, "depth"),
			MinLeaf:  float64(rapid.IntRange(0, 8).Draw(t, "minLeaf")) / 4,
			Holdout:  rapid.SampledFrom([]float64{-1, 0, 0.3}).Draw(t, "holdout"),
			Seed:     rapid.Uint64().Draw(t, "seed"),
		}
		res := mustGrow(t, ds, o)
		tr := res.Tree
		if err := tr.Validate(); err != nil {
			t.Fatal(err)
		}
		annotated := tr.Clone()
		annotated.Relabel(ds)
		if d := cmp.Diff(annotated, tr); d != "" {
			t.Fatalf("annotations (-want +got):\n%s", d)
		}
		for i := range tr.Nodes {
			if w := sumOf(tr.Nodes[i].Weight); w == 0 || !tree.EnoughWeight(w, o.MinLeaf) && i > 0 {
				t.Fatalf("node %d weighs %v:\n%v", i, w, tr)
			}
		}
		if o.MaxDepth > 0 && tr.Depth() > o.MaxDepth {
			t.Fatalf("depth %d", tr.Depth())
		}
		if again := mustGrow(t, ds, o).Tree; !again.Equal(tr) {
			t.Fatalf("the same seed gives\n%v\nthen\n%v", tr, again)
		}
		if o.Holdout < 0 && o.MaxDepth == 0 && o.MinLeaf <= 0.25 && !o.Paper { // random planes may miss all rows
			if got, want := tr.Evaluate(ds).ErrorWeight, contradictions(ds); math.Abs(got-want) > 1e-9 {
				t.Fatalf("the full tree errs %v, no tree less than %v", got, want)
			}
		}
		// Units do not matter: powers of two scale exactly.
		scaled := *ds
		scaled.X = slices.Clone(ds.X)
		for i := range scaled.X {
			scaled.X[i] *= 1024
		}
		if got, want := mustGrow(t, &scaled, o).Tree.Evaluate(&scaled), tr.Evaluate(ds); got.ErrorWeight != want.ErrorWeight {
			t.Fatalf("scaled by 1024 the tree errs %v, not %v", got.ErrorWeight, want.ErrorWeight)
		}
	})
}

// contradictions returns the weight of the errors that equal rows force on any tree.
func contradictions(ds *dataset.Dataset) float64 {
	at := map[string][]float64{}
	for i, y := range ds.Y {
		var key strings.Builder
		for _, x := range ds.Row(i) {
			key.WriteByte(byte(x))
		}
		if at[key.String()] == nil {
			at[key.String()] = make([]float64, ds.K())
		}
		at[key.String()][y] += ds.Weight[i]
	}
	sum := 0.0
	for _, w := range at {
		sum += sumOf(w) - slices.Max(w)
	}
	return sum
}

// planeData draws n rows of p features, classified by the side of a random plane.
func planeData(n, p int) *dataset.Dataset {
	r := rand.New(rand.NewPCG(11, 12))
	ds := &dataset.Dataset{Classes: []string{"a", "b"}}
	for j := range p {
		ds.Features = append(ds.Features, "x"+string(rune('a'+j)))
	}
	for range n {
		v := 0.0
		for j := range p {
			x := r.NormFloat64()
			ds.X = append(ds.X, 1e6*(float64(j)+x))
			v += x * float64(1+j%3)
		}
		y := 0
		if v > 0.3 {
			y = 1
		}
		ds.Y, ds.Weight, ds.Count = append(ds.Y, y), append(ds.Weight, 1), append(ds.Count, 1)
	}
	return ds
}

func TestFindsThePlane(t *testing.T) {
	ds := planeData(300, 4)
	for _, m := range impurities {
		res := mustGrow(t, ds, Options{Impurity: m, Holdout: -1, Restarts: 50})
		if e := res.Tree.Evaluate(ds).Errors; e != 0 || res.Tree.Splits() > 2 {
			t.Errorf("%v: %v errors, %d splits; one plane separates", m, e, res.Tree.Splits())
		}
	}
	axis := mustGrow(t, ds, Options{AxisOnly: true, Holdout: -1}).Tree
	if axis.Splits() < 10 {
		t.Errorf("%d univariate splits suffice: the data are too easy", axis.Splits())
	}
}

func TestOnHardData(t *testing.T) {
	huge := planeData(60, 2)
	for i := range huge.X {
		huge.X[i] *= 1e290
	}
	tiny := planeData(60, 2)
	for i := range tiny.X {
		tiny.X[i] *= 1e-310
	}
	light := planeData(60, 2)
	for i := range light.Weight {
		light.Weight[i] = math.Pow(10, float64(i%40)-20)
	}
	for name, ds := range map[string]*dataset.Dataset{"huge": huge, "tiny": tiny, "light": light} {
		tr := mustGrow(t, ds, Options{Holdout: -1}).Tree
		if err := tr.Validate(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if l := tr.Evaluate(ds); name != "light" && l.Errors != 0 {
			t.Errorf("%s: the full tree errs %v times", name, l.Errors)
		}
	}
}

func TestOptions(t *testing.T) {
	ds := &dataset.Dataset{
		X: []float64{1, 2}, Y: []int{0, 1}, Weight: []float64{1, 1}, Count: []float64{1, 1},
		Features: []string{"x"}, Classes: []string{"a", "b"},
	}
	for _, c := range []struct {
		o    Options
		want string
	}{
		{Options{Impurity: 9}, "oc1: impurity Impurity(9)"},
		{Options{Order: -1}, "oc1: order Order(-1)"},
		{Options{Restarts: -1}, "oc1: number of restarts -1"},
		{Options{MaxDepth: -1}, "oc1: maximum depth -1"},
		{Options{MinLeaf: math.NaN()}, "oc1: minimum leaf weight NaN"},
		{Options{MinSplit: -1}, "oc1: minimum weight of a split node -1"},
		{Options{Threshold: -1}, "oc1: impurity threshold -1"},
		{Options{RowsPerFeature: math.NaN()}, "oc1: the number of rows per feature is NaN"},
		{Options{PruneSE: math.NaN()}, "oc1: the number of standard errors of pruning is NaN"},
		{Options{Holdout: 1}, "oc1: holdout 1"},
	} {
		if _, err := Grow(context.Background(), ds, c.o); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %s...", c.o, err, c.want)
		}
	}
	if _, err := Grow(context.Background(), &dataset.Dataset{}, Options{}); err == nil {
		t.Error("no rows, no error")
	}
	none := *ds
	none.X, none.Features = nil, nil
	one := *ds.Subset([]int{1})
	same := *ds
	same.X = []float64{3, 3}
	for name, d := range map[string]*dataset.Dataset{"no features": &none, "one row": &one, "constant": &same} {
		if tr := mustGrow(t, d, Options{}).Tree; tr.Splits() != 0 || sumOf(tr.Nodes[0].Weight) != float64(d.N()) {
			t.Errorf("%s:\n%v", name, tr)
		}
	}
	if tr := mustGrow(t, ds, Options{Holdout: -1, Threshold: 0.5}).Tree; tr.Splits() != 0 {
		t.Errorf("a node of impurity 0.5 is split at threshold 0.5")
	}
	for _, m := range impurities {
		if got, err := ParseImpurity(m.String()); err != nil || got != m {
			t.Errorf("%v: %v, %v", m, got, err)
		}
	}
	for _, o := range []Order{Sequential, BestFirst, Random50} {
		if got, err := ParseOrder(o.String()); err != nil || got != o {
			t.Errorf("%v: %v, %v", o, got, err)
		}
	}
}

// TestAlwaysATree: whenever the context ends, there is a complete tree, no worse than the single
// leaf, of several sizes up to the tree without a limit.
func TestAlwaysATree(t *testing.T) {
	ds := datatest.Example(t, "breast-cancer")
	sizes := map[int]bool{}
	for looks := 0; ; looks += 1 + looks/8 {
		res, err := Grow(datatest.NewLooks(looks), ds, Options{Holdout: -1, MaxDepth: 4})
		if err != nil || res.Tree.Validate() != nil || res.Tree.Evaluate(ds).ErrorWeight > ds.Baseline() {
			t.Fatalf("stopped at look %d: %+v, %v", looks, res.Stats, err)
		}
		sizes[res.Tree.Splits()] = true
		if !res.Stats.Stopped {
			break
		}
		if looks > 10_000 {
			t.Fatal("it has not come to its end")
		}
	}
	if len(sizes) < 4 {
		t.Errorf("trees of the sizes %v", sizes)
	}
}

// TestNoTime: without time the result is the single leaf.
func TestNoTime(t *testing.T) {
	ds := planeData(200, 3)
	ctx, cancel := context.WithTimeout(context.Background(), time.Nanosecond)
	defer cancel()
	res, err := Grow(ctx, ds, Options{})
	if err != nil || !res.Stats.Stopped || res.Tree.Splits() != 0 || sumOf(res.Tree.Nodes[0].Weight) != 200 {
		t.Errorf("no time: %+v, %v", res.Stats, err)
	}
}

// searchAt returns a search at the root of ds with random coefficients.
func searchAt(ds *dataset.Dataset, m Impurity) *planeSearch {
	o := Options{Impurity: m}
	o.defaults()
	s := newPlaneSearch(context.Background(), ds, &o, rand.New(rand.NewPCG(1, 1)))
	s.enter(allRows(ds.N()), ds.ClassWeights())
	s.prepare()
	for k := range s.a {
		s.a[k] = 2*s.rng.Float64() - 1
	}
	s.activate()
	return s
}

func TestSearchAllocatesNothing(t *testing.T) {
	for _, n := range []int{100, 1000, 3000} {
		ds := planeData(n, 5)
		for _, m := range impurities {
			s := searchAt(ds, m)
			k := 0
			step := func() {
				s.perturb(&s.columns[k%len(s.columns)], k%len(s.columns))
				s.jump()
				k++
			}
			step()
			if a := testing.AllocsPerRun(20, step); a != 0 {
				t.Errorf("%v, %d rows: %v allocations per perturbation", m, n, a)
			}
		}
	}
}

// BenchmarkPerturb measures one perturbation of a coefficient.
func BenchmarkPerturb(b *testing.B) {
	for _, c := range []struct {
		name string
		rows int
		m    Impurity
	}{
		{"twoing/100", 100, Twoing}, {"twoing/1000", 1000, Twoing}, {"twoing/10000", 10000, Twoing},
		{"information-gain/1000", 1000, InformationGain}, {"sum-minority/1000", 1000, SumMinority},
	} {
		b.Run(c.name, func(b *testing.B) {
			s := searchAt(planeData(c.rows, 8), c.m)
			b.ReportAllocs()
			k := 0
			for b.Loop() {
				m := k % len(s.columns)
				s.line(&s.columns[m])
				k++
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(c.rows), "ns/row")
		})
	}
}

// BenchmarkGrow grows one tree at 50 restarts.
func BenchmarkGrow(b *testing.B) {
	for _, name := range []string{"iris", "breast-cancer-wisconsin", "pima"} {
		b.Run(name, func(b *testing.B) {
			ds := datatest.Load(b, name)
			b.ReportAllocs()
			for b.Loop() {
				mustGrow(b, ds, Options{Restarts: 50})
			}
		})
	}
}
