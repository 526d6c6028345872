package gto

import (
	"context"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/internal/formtest"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/tree"
)

// randomPlaneTree returns a tree of structure s with random hyperplanes, some of them through rows
// of d.
func randomPlaneTree(rng *rand.Rand, d *dataset.Dataset, s *Structure) *tree.Tree {
	t := tree.NewLeaf(d, 0)
	var grow func(node int, s *Structure)
	grow = func(node int, s *Structure) {
		if s.Leaf() {
			t.Nodes[node].Class = s.Class
			return
		}
		split := &tree.Split{}
		x := d.Row(rng.IntN(d.N()))
		scale := math.Pow(10, 2*rng.Float64()-1)
		for j := range d.P() {
			if w := scale * float64(rng.IntN(5)-2); w != 0 {
				split.Terms = append(split.Terms, tree.Term{Feature: j, Weight: w})
				split.Threshold += w * x[j]
			}
		}
		if split.Terms == nil {
			split.Terms = []tree.Term{{Feature: 0, Weight: scale}}
		}
		split.Threshold += []float64{0, 0.3, -0.7}[rng.IntN(3)] * scale
		l, r := t.Grow(node, split, 0, 0)
		grow(l, s.Left)
		grow(r, s.Right)
	}
	grow(0, s)
	return t
}

func randomOptions(rng *rand.Rand, k int) Options {
	o := Options{
		Structure: randomStructure(rng, k, 2+rng.IntN(6)),
		Objective: Objectives()[rng.IntN(3)],
		Norm:      rng.IntN(3),
		Box:       []float64{0, 1, 5, 100, 1e4}[rng.IntN(5)],
	}
	if e := Needs(o.Objective); rng.IntN(6) > 0 {
		o.Encoding = e[rng.IntN(len(e))].Encoding
	}
	return o
}

// eachModel builds models of random data, structures and options.
func eachModel(t *testing.T, seed uint64, trials int, check func(rng *rand.Rand, d *dataset.Dataset, f *Formulation)) {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, seed))
	built := map[string]int{}
	for range trials {
		k := 2 + rng.IntN(3)
		d := formtest.Data(rng, k+rng.IntN(30), 1+rng.IntN(4), k)
		o := randomOptions(rng, k)
		f, err := o.Build(context.Background(), d)
		if errors.Is(err, formulate.ErrSingleLeaf) || err != nil && strings.Contains(err.Error(), "supports at most 2") {
			continue
		}
		if err != nil {
			t.Fatalf("%+v: %v", o, err)
		}
		built[string(f.opts.Objective)+" "+string(f.opts.Encoding)]++
		check(rng, d, f)
	}
	if len(built) != 7 {
		t.Errorf("built %v, expected all 7 pairs of objective and encoding", built)
	}
	for what, n := range built {
		if n < trials/100 {
			t.Errorf("only %d models of %s", n, what)
		}
	}
}

func TestSizes(t *testing.T) {
	eachModel(t, 11, 1000, func(_ *rand.Rand, _ *dataset.Dataset, f *Formulation) {
		m := f.Model()
		got := fullSize{
			formtest.Size(m),
			int64(len(m.QuadCost())), int64(len(m.QuadRows())), int64(len(m.Indicators())),
		}
		if want := f.fullSize(); got != want {
			t.Fatalf("%+v, structure %s: built %+v, closed form %+v", f.opts, f.opts.Structure.Text(f.g.ds.Classes), got, want)
		}
		n := f.Needs()
		if !n.Discrete && got.Binaries > 0 || !n.Quadratic && got.QuadCost+got.QuadRows > 0 || !n.Indicator && got.Indicators > 0 {
			t.Fatalf("%+v: built %+v, declared %+v", f.opts, got, n)
		}
	})
}

// paperError returns the objective of a tree by the paper's definitions, from the tree's own leaves
// and the data's own units.
func paperError(t *tree.Tree, d *dataset.Dataset, o Objective, p int) float64 {
	sum := 0.0
	for i := range d.N() {
		var errs []float64
		var walk func(node int, err float64)
		walk = func(node int, err float64) {
			n := &t.Nodes[node]
			if n.Leaf() {
				if n.Class == d.Y[i] {
					errs = append(errs, err)
				}
				return
			}
			a := -n.Split.Threshold
			for _, term := range n.Split.Terms {
				a += term.Weight * d.At(i, term.Feature)
			}
			walk(n.Left, err+math.Pow(math.Max(a+1, 0), float64(p)))
			walk(n.Right, err+math.Pow(math.Max(-a+1, 0), float64(p)))
		}
		walk(0, 0)
		least, product := math.Inf(1), 1.0
		for _, e := range errs {
			least, product = min(least, e), product*e
		}
		switch {
		case o == ProductError && errs == nil:
			sum = math.Inf(1)
		case o == ProductError:
			sum += d.Weight[i] * product
		case o == MinimumError:
			sum += d.Weight[i] * least
		case least > 1e-7:
			sum += d.Weight[i]
		}
	}
	return sum
}

func TestObjective(t *testing.T) {
	eachModel(t, 12, 1000, func(rng *rand.Rand, d *dataset.Dataset, f *Formulation) {
		s := f.opts.Structure
		if rng.IntN(3) == 0 {
			s = randomStructure(rng, 1+rng.IntN(d.K()), 2) // maybe a class without a leaf
		}
		tr := randomPlaneTree(rng, d, s)
		for _, o := range Objectives() {
			f.opts.Objective = o
			got, want := f.Objective(tr)*f.ObjectiveUnit(), paperError(tr, d, o, f.opts.Norm)
			if got != want && !(math.Abs(got-want) <= 1e-9*(1+want)) {
				t.Fatalf("%s, p = %d: %v, by definition %v", o, f.opts.Norm, got, want)
			}
		}
		f.opts.Objective = CountError
		if got, bound := f.Objective(tr), f.Bound(); got < bound-1e-9 {
			t.Fatalf("count %v is below the bound %v", got, bound)
		}
		f.opts.Objective = MinimumError
		if got, bound := f.Objective(tr), f.Bound(); got < bound-1e-9 {
			t.Fatalf("minimum %v is below the bound %v", got, bound)
		}
	})
}

// TestMeasure: the error without a model equals that of the model to the last bit, for trees of any
// structure and weights of any unit.
func TestMeasure(t *testing.T) {
	eachModel(t, 33, 300, func(rng *rand.Rand, d *dataset.Dataset, f *Formulation) {
		o := f.Options()
		o.Structure, o.Encoding, o.Box = nil, "", 0
		measure, err := o.Measure(d)
		if err != nil {
			t.Fatal(err)
		}
		tr := randomPlaneTree(rng, d, randomStructure(rng, d.K(), 2+rng.IntN(6)))
		if got, want := measure(tr), f.Objective(tr)*f.ObjectiveUnit(); got != want {
			t.Fatalf("%s, norm %d: error %v, the model has %v", o.Objective, o.Norm, got, want)
		}
	})
	one, err := dataset.New([]float64{1, 2}, []int{0, 0}, []string{"a"}, []string{"u", "v"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := (Options{}).Measure(one); !errors.Is(err, formulate.ErrSingleLeaf) {
		t.Errorf("one class: %v", err)
	}
	if _, err := (Options{Objective: "none"}).Measure(one); err == nil {
		t.Error("an unknown objective is accepted")
	}
}

// startTree returns a tree for the structure of f: of that structure, one that fits after swapping
// sides, adding decisions or collapsing, or any.
func startTree(rng *rand.Rand, d *dataset.Dataset, f *Formulation) *tree.Tree {
	var change func(s *Structure) *Structure
	change = func(s *Structure) *Structure {
		if s.Leaf() {
			return s
		}
		l, r := change(s.Left), change(s.Right)
		switch rng.IntN(5) {
		case 0:
			return &Structure{Left: r, Right: l}
		case 1:
			return l
		}
		return &Structure{Left: l, Right: r}
	}
	switch rng.IntN(4) {
	case 0:
		return formtest.Tree(rng, d, 3)
	case 1, 2:
		return randomPlaneTree(rng, d, change(f.opts.Structure))
	}
	return randomPlaneTree(rng, d, f.opts.Structure)
}

// TestStartProperty checks the property of the Formulation comment, with the exceptions in the
// comment of GTO.
func TestStartProperty(t *testing.T) {
	ctx := context.Background()
	started, better, exact := 0, 0, 0
	eachModel(t, 13, 4000, func(rng *rand.Rand, d *dataset.Dataset, f *Formulation) {
		tr := startTree(rng, d, f)
		x, err := f.Start(ctx, tr)
		if err != nil {
			if !errors.Is(err, formulate.ErrNoStart) || cmp.Equal(StructureOf(tr), f.opts.Structure) {
				t.Fatalf("%v", err)
			}
			return
		}
		started++
		if r := mio.Check(f.Model(), x, 1e-9*max(1, f.opts.Box)); !r.Feasible {
			t.Fatalf("%+v: start is infeasible: %v", f.opts, r.Err())
		}
		planes, err := f.norm(context.Background(), tr)
		if err != nil {
			t.Fatal(err)
		}
		norm, err := f.toTree(planes)
		if err != nil {
			t.Fatal(err)
		}
		if s := StructureOf(norm); !cmp.Equal(s, f.opts.Structure) {
			t.Fatalf("norm(t) has the structure %s, expected %s", s.Text(d.Classes), f.opts.Structure.Text(d.Classes))
		}
		near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-7*(1+math.Abs(a)) }
		obj := f.Model().Objective(x)
		if want := f.Objective(norm); !near(obj, want) {
			t.Fatalf("%+v: model objective %v, norm(t) has %v", f.opts, obj, want)
		}
		own, same := f.Objective(tr), cmp.Equal(StructureOf(tr), f.opts.Structure)
		inBox := true
		fitted, places := f.fitting(tr)
		for _, p := range places {
			h := p.plane(f.g, fitted, f.opts.Box)
			inBox = inBox && h.size() <= f.opts.Box
		}
		if inBox && (same || f.opts.Objective == CountError || fitted == tr && f.opts.Objective == MinimumError) {
			exact++
			if obj > own+1e-7*(1+own) {
				t.Fatalf("%+v: norm(t) has %v, t has %v", f.opts, obj, own)
			}
			if obj < own-1e-3 {
				better++
			}
		}
		back, err := f.Decode(x)
		if err != nil {
			t.Fatalf("%+v: %v", f.opts, err)
		}
		formtest.SamePredictions(t, f.opts, d, back, norm)
		if got := f.Objective(back); !near(got, obj) {
			t.Fatalf("%+v: decoded objective %v, model %v", f.opts, got, obj)
		}
		if f.BoxBinding(x) != slices.ContainsFunc(planes, func(h plane) bool { return h.size() >= f.opts.Box*(1-1e-6) }) {
			t.Fatalf("BoxBinding is %v", f.BoxBinding(x))
		}
	})
	t.Logf("%d starts, %d comparable with the tree, %d better than it", started, exact, better)
	if started < 2500 || exact < 1000 || better < 300 {
		t.Errorf("%d starts, %d comparable with the tree, %d better than it", started, exact, better)
	}
}

// TestStartFits: with two classes, every tree of depth D fits the full
// structure of depth D with the classes in turn.
func TestStartFits(t *testing.T) {
	rng := rand.New(rand.NewPCG(16, 16))
	for range 300 {
		d := formtest.Data(rng, 4+rng.IntN(30), 3, 2)
		o := Options{Depth: 1 + rng.IntN(3), Objective: Objectives()[rng.IntN(3)]}
		f, err := o.Build(context.Background(), d)
		if !formtest.Built(t, err) {
			continue
		}
		tr := formtest.Tree(rng, d, o.Depth)
		if _, err := f.Start(context.Background(), tr); err != nil {
			t.Fatalf("%v: %s", err, StructureOf(tr).Text(d.Classes))
		}
	}
}

// TestCorrectRows: a warm start keeps every row correct that the tree predicts correctly, for any
// scale of the tree's splits.
func TestCorrectRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(14, 14))
	ctx := context.Background()
	for range 300 {
		d := formtest.Data(rng, 4+rng.IntN(30), 2, 3)
		o := Options{Structure: randomStructure(rng, 3, 6), Objective: CountError, Box: 1e9}
		f, err := o.Build(ctx, d)
		if !formtest.Built(t, err) {
			continue
		}
		tr := randomPlaneTree(rng, d, o.Structure)
		x, err := f.Start(ctx, tr)
		if err != nil {
			t.Fatal(err)
		}
		if got, most := f.Model().Objective(x)*f.ObjectiveUnit(), tr.Evaluate(d).ErrorWeight; got > most+1e-9 {
			t.Fatalf("the start has error weight %v, the tree %v", got, most)
		}
	}
}

func TestBadInput(t *testing.T) {
	ctx := context.Background()
	d, err := dataset.New([]float64{0, 1, 2, 3}, []int{0, 1, 2, 0}, []string{"x"}, []string{"a", "b", "c"})
	if err != nil {
		t.Fatal(err)
	}
	one := d.Subset([]int{0, 3})
	flat := d.Subset([]int{0, 1})
	flat.X[1] = 0
	ab := FullStructure(2, 0, 1)
	for _, c := range []struct {
		name string
		o    Options
		d    *dataset.Dataset
		want string
	}{
		{"a class without a leaf", Options{Structure: ab}, d, `no leaf of class "c"`},
		{"labels without a class", Options{Depth: 1}, d, `no leaf of class "c"`},
		{"one class", Options{}, one, "all rows have one class"},
		{"no feature", Options{}, flat, "no feature has two different values"},
		{"single leaf", Options{Structure: &Structure{}}, d, "needs a decision"},
		{"one child", Options{Structure: &Structure{Left: &Structure{}}}, d, "has one child"},
		{"label", Options{Depth: 1, Labels: []int{0, 7}}, d, "class 7"},
		{"two structures", Options{Depth: 1, Structure: ab}, d, "excludes a depth"},
		{"depth", Options{Depth: 17}, d, "expected 1 to 16"},
		{"norm", Options{Norm: 3}, d, "expected 1 or 2"},
		{"box", Options{Box: 0.5}, d, ">= 1"},
		{"box NaN", Options{Box: math.NaN()}, d, ">= 1"},
		{"objective", Options{Objective: "most"}, d, `no objective "most"`},
		{"encoding", Options{Objective: CountError, Encoding: formulate.Bilinear}, d, `no encoding "bilinear"`},
		{"three leaves", Options{Structure: randomStructure(rand.New(rand.NewPCG(1, 1)), 3, 9), Objective: ProductError, Encoding: formulate.Bilinear}, d, `use "multilinear"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, err := c.o.Build(ctx, c.d)
			if f != nil && err != nil && f.model != nil || err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, expected %q", err, c.want)
			}
		})
	}
	if f, err := (Options{}).Build(ctx, d); err != nil || f.opts.Structure.Text(d.Classes) != "((a,b),(c,a))" {
		t.Errorf("the zero value: %v", err)
	}
	f, err := Options{Structure: FullStructure(1, 0, 1), Objective: CountError}.Build(ctx, d.Subset([]int{0, 1, 3}))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Decode(nil); !errors.Is(err, formulate.ErrDecode) {
		t.Errorf("no values: %v", err)
	}
	x := make([]float64, f.Model().NumCols()) // e = 0 claims that all rows are correct, with w = 0
	if _, err := f.Decode(x); !errors.Is(err, formulate.ErrDecode) || !strings.Contains(err.Error(), "row 1 is counted as correct") {
		t.Errorf("claims without margins: %v", err)
	}
	alien := tree.NewLeaf(d, 0)
	alien.Grow(0, tree.Univariate(0, 0.5), 2, 1)
	_, err = f.Start(ctx, alien)
	if !errors.Is(err, formulate.ErrNoStart) || !strings.Contains(err.Error(), `node 1: its leaf of class "c"`) {
		t.Errorf("a class that the structure lacks: %v", err)
	}
}

// TestUnits: the model does not depend on the units of the features, and the tree uses them.
func TestUnits(t *testing.T) {
	ctx := context.Background()
	rng := rand.New(rand.NewPCG(17, 17))
	for _, scale := range []float64{1e150, 1e-150, 1000} {
		for range 30 {
			d := formtest.Data(rng, 20, 3, 2)
			u := *d
			u.X = slices.Clone(d.X)
			for i := range u.X {
				u.X[i] *= scale
			}
			o := Options{Objective: MinimumError}
			f, err := o.Build(ctx, d)
			if !formtest.Built(t, err) {
				continue
			}
			g, err := o.Build(ctx, &u)
			if err != nil {
				t.Fatal(err)
			}
			x, err := f.Start(ctx, randomPlaneTree(rng, d, f.opts.Structure))
			if err != nil {
				t.Fatal(err)
			}
			if r := mio.Check(g.Model(), x, 1e-9); !r.Feasible || r.Objective != f.Model().Objective(x) {
				t.Fatalf("scale %v: %v; objective %v, was %v", scale, r.Err(), r.Objective, f.Model().Objective(x))
			}
			a, err := f.Decode(x)
			if err != nil {
				t.Fatal(err)
			}
			b, err := g.Decode(x)
			if err != nil {
				t.Fatal(err)
			}
			if va, vb := f.Objective(a), g.Objective(b); math.Abs(va-vb) > 1e-8*(1+va) {
				t.Fatalf("scale %v: the tree has %v, was %v", scale, vb, va)
			}
		}
	}
}

// TestBytes: random models, warm starts and trees are byte for byte unchanged.
func TestBytes(t *testing.T) {
	formtest.Bytes(t, 8, func(w io.Writer, rng *rand.Rand, _ int) error {
		k := 2 + rng.IntN(3)
		d := formtest.Data(rng, k+rng.IntN(30), 1+rng.IntN(4), k)
		f, err := randomOptions(rng, k).Build(context.Background(), d)
		if err != nil && strings.Contains(err.Error(), "supports at most 2") {
			return nil
		}
		if err != nil {
			return err
		}
		return formtest.WriteAll(w, rng, f, func() *tree.Tree { return randomPlaneTree(rng, d, f.Options().Structure) })
	})
}
