package linear

import (
	"context"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/internal/formtest"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/tree"
)

// linearSplit is the common interface of RLP, FM and LFM in the tests of this file.
type linearSplit interface {
	formulate.Formulation
	data() *twoSets
	closedForm() formulate.Size
	plane(t *tree.Tree) (separator, error)
}

func (f *RLP) data() *twoSets        { return f.d }
func (f *featureMin) data() *twoSets { return f.d }

func (f *RLP) closedForm() formulate.Size        { return f.d.rlpSize(f.opts) }
func (f *featureMin) closedForm() formulate.Size { return f.size() }

func (f *RLP) plane(t *tree.Tree) (separator, error)        { return f.norm(t) }
func (f *featureMin) plane(t *tree.Tree) (separator, error) { return f.norm(t) }

// randomPlanes returns a tree of one split on up to all features, sometimes through a row of the
// data, sometimes with the classes of randomTree.
func randomPlanes(rng *rand.Rand, d *dataset.Dataset) *tree.Tree {
	if rng.IntN(3) == 0 {
		return formtest.Tree(rng, d, 1+rng.IntN(2))
	}
	s := &tree.Split{}
	scale := math.Pow(10, float64(rng.IntN(5)-2))
	through, at := rng.IntN(d.N()), 0.0
	for j := range d.P() {
		if rng.IntN(3) > 0 {
			w := float64(rng.IntN(9)-4) * scale
			if w != 0 {
				s.Terms = append(s.Terms, tree.Term{Feature: j, Weight: w})
				at += w * d.At(through, j)
			}
		}
	}
	if len(s.Terms) == 0 {
		return tree.NewLeaf(d, rng.IntN(d.K()))
	}
	s.Threshold = at + []float64{0, 0.01, -0.3}[rng.IntN(3)]*scale
	t := tree.NewLeaf(d, 0)
	t.Grow(0, s, rng.IntN(d.K()), rng.IntN(d.K()))
	return t
}

// randomSplitModel builds a random form, encoding and error for d, without LPs.
func randomSplitModel(rng *rand.Rand, d *dataset.Dataset) (linearSplit, string, error) {
	ctx := context.Background()
	perturbed := rng.IntN(2) == 0
	eps := 0.0
	if perturbed {
		eps = []float64{0, 0.1, 0.5}[rng.IntN(3)]
	}
	enc := FMEncodings()[rng.IntN(len(FMEncodings()))]
	box := []float64{0, 5}[rng.IntN(2)]
	switch rng.IntN(3) {
	case 0:
		f, err := RLPOptions{Perturbed: perturbed, Eps: eps}.Build(ctx, d)
		return f, "rlp", err
	case 1:
		o := FMOptions{Perturbed: perturbed, Eps: eps, Nu: rng.IntN(4), Delta: 0.9 + 1.2*rng.Float64(), Encoding: enc, Box: box}
		if enc == formulate.Bilinear {
			o.Nu++
		}
		f, err := o.Build(ctx, d)
		return f, "fm " + string(enc), err
	default:
		o := LFMOptions{Perturbed: perturbed, Eps: eps, Nu: rng.IntN(4), Encoding: enc, Box: box}
		if enc == formulate.Bilinear && rng.IntN(2) == 0 {
			o.Lambda = rng.Float64()
		}
		if enc != formulate.Bilinear && rng.IntN(2) == 0 {
			o.Price = rng.Float64() / 4
		}
		f, err := o.Build(ctx, d)
		return f, "lfm " + string(enc), err
	}
}

func TestLinearSplitSizes(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 1))
	for range 600 {
		d := formtest.Data(rng, 4+rng.IntN(60), 1+rng.IntN(5), 2+rng.IntN(3))
		f, form, err := randomSplitModel(rng, d)
		if !formtest.Built(t, err) {
			continue
		}
		formtest.CheckSize(t, form, f.Model(), f.closedForm())
	}
}

// TestLinearSplitProperty checks the property of the Formulation comment for RLP, FM and LFM in all
// encodings.
func TestLinearSplitProperty(t *testing.T) {
	rng := rand.New(rand.NewPCG(12, 2))
	ctx := context.Background()
	started := map[string]int{}
	for trial := range 20000 {
		d := formtest.Data(rng, 4+rng.IntN(30), 1+rng.IntN(5), 2+rng.IntN(3))
		f, form, err := randomSplitModel(rng, d)
		if !formtest.Built(t, err) {
			continue
		}
		tr := randomPlanes(rng, d)
		x, err := f.Start(ctx, tr)
		if err != nil {
			if !errors.Is(err, formulate.ErrNoStart) {
				t.Fatalf("trial %d, %s: %v", trial, form, err)
			}
			continue
		}
		started[form]++
		if r := mio.Check(f.Model(), x, 1e-9); !r.Feasible {
			t.Fatalf("trial %d, %s: start is infeasible: %v", trial, form, r.Err())
		}
		pl, err := f.plane(tr)
		if err != nil {
			t.Fatal(err)
		}
		norm, err := f.data().toTree(pl)
		if err != nil {
			t.Fatal(err)
		}
		checkSides(t, f.data(), tr, norm, trial)
		obj := f.Model().Objective(x)
		tol := 1e-9 * max(1, obj)
		if want := f.Objective(norm); math.Abs(obj-want) > tol {
			t.Fatalf("trial %d, %s: model objective %v, norm(t) has %v", trial, form, obj, want)
		}
		if obj > f.Objective(tr)+tol {
			t.Fatalf("trial %d, %s: norm(t) has %v, t has %v", trial, form, obj, f.Objective(tr))
		}
		back, err := f.Decode(x)
		if err != nil {
			t.Fatalf("trial %d, %s: %v", trial, form, err)
		}
		if got := f.Objective(back); got > obj+tol {
			t.Fatalf("trial %d, %s: decoded objective %v, model %v", trial, form, got, obj)
		}
		if dropsFeatures(f, back, norm) {
			continue // Decode may improve a warm start in encoding bilinear
		}
		formtest.SamePredictions(t, form, d, back, norm)
	}
	for _, form := range []string{"rlp", "fm mio", "fm bilinear", "fm indicator", "fm sos1", "lfm mio", "lfm bilinear", "lfm indicator", "lfm sos1"} {
		if started[form] < 200 {
			t.Errorf("only %d starts for %s", started[form], form)
		}
	}
}

func dropsFeatures(f linearSplit, back, norm *tree.Tree) bool {
	enc := formulate.Encoding("")
	switch f := f.(type) {
	case *FM:
		enc = f.enc
	case *LFM:
		enc = f.enc
	}
	return enc == formulate.Bilinear && len(back.FeaturesUsed()) < len(norm.FeaturesUsed())
}

// checkSides: norm(t) classifies every row as A or not like t; only a tree whose left leaf is A can
// differ, on rows within rounding of its plane.
func checkSides(t *testing.T, d *twoSets, tr, norm *tree.Tree, trial int) {
	t.Helper()
	if tr.Splits() > 1 {
		tr = tr.Simplify(d.ds)
	}
	for i := range d.ds.N() {
		x := d.ds.Row(i)
		if (tr.Predict(x) == d.classA) == (norm.Predict(x) == d.classA) {
			continue
		}
		s, v := tr.Nodes[0].Split, 0.0
		for _, term := range s.Terms {
			v += term.Weight * x[term.Feature]
		}
		if math.Abs(v-s.Threshold) > d.rounding(s, x) || v == s.Threshold {
			t.Fatalf("trial %d: row %d: norm(t) predicts %d, t %d", trial, i, norm.Predict(x), tr.Predict(x))
		}
	}
}

// TestBestScale compares the scale with the minimum error with a ternary search.
func TestBestScale(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 3))
	for range 2000 {
		var c scaleCurve
		for range 1 + rng.IntN(12) {
			c.margin = append(c.margin, rng.NormFloat64()+0.5)
			c.cost = append(c.cost, rng.Float64())
		}
		c.slope = max(0, rng.NormFloat64()) / 5
		most := []float64{math.Inf(1), 0.7}[rng.IntN(2)]
		s := c.least(most)
		if !(s > 0 && s <= most) {
			t.Fatalf("scale %v, most %v", s, most)
		}
		low, high := 0.0, min(most, 1e6)
		for range 300 {
			a, b := low+(high-low)/3, high-(high-low)/3
			if c.at(a) <= c.at(b) {
				high = b
			} else {
				low = a
			}
		}
		if best := c.at(low); low > 1e-9 && c.at(s) > best+1e-9 {
			t.Fatalf("%+v: f(%v) = %v, f(%v) = %v", c, s, c.at(s), low, best)
		}
		level := c.at(s) + rng.Float64()*(c.at(0)-c.at(s))
		if level <= c.at(s) {
			continue
		}
		if first := c.first(level, s); c.at(first) > level || first > s || c.at(first*(1-1e-6)) <= level-1e-9 {
			t.Fatalf("%+v: first %v of level %v: %v", c, first, level, c.at(first))
		}
	}
}

// TestLinearSplitErrors: errors name what is wrong and the valid values.
func TestLinearSplitErrors(t *testing.T) {
	ctx := context.Background()
	rng := rand.New(rand.NewPCG(14, 4))
	d := formtest.Data(rng, 20, 3, 3)
	for name, build := range map[string]func() error{
		"eps of RLP":       func() error { _, err := RLPOptions{Eps: 0.1}.Build(ctx, d); return err },
		"eps 1":            func() error { _, err := RLPOptions{Perturbed: true, Eps: 1}.Build(ctx, d); return err },
		"bilinear, no nu":  func() error { _, err := FMOptions{Delta: 1, Encoding: formulate.Bilinear}.Build(ctx, d); return err },
		"negative delta":   func() error { _, err := FMOptions{Delta: -1}.Build(ctx, d); return err },
		"slack below 1":    func() error { _, err := FMOptions{Delta: 1, Slack: 0.9}.Build(ctx, d); return err },
		"unknown encoding": func() error { _, err := FMOptions{Delta: 1, Encoding: formulate.BigM}.Build(ctx, d); return err },
		"negative box":     func() error { _, err := LFMOptions{Box: -1}.Build(ctx, d); return err },
		"lambda in mio":    func() error { _, err := LFMOptions{Lambda: 1}.Build(ctx, d); return err },
		"negative nu":      func() error { _, err := LFMOptions{Nu: -1}.Build(ctx, d); return err },
		"negative price":   func() error { _, err := LFMOptions{Price: -1}.Build(ctx, d); return err },
		"price in bilinear": func() error {
			_, err := LFMOptions{Price: 1, Nu: 1, Encoding: formulate.Bilinear}.Build(ctx, d)
			return err
		},
		"NaN of everything": func() error { _, err := FMOptions{Delta: math.NaN()}.Build(ctx, d); return err },
	} {
		if err := build(); err == nil || errors.Is(err, formulate.ErrNeedsLP) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := (FMOptions{}).Build(ctx, d); !errors.Is(err, formulate.ErrNeedsLP) {
		t.Errorf("no delta, no LP: %v", err)
	}
	f, err := RLPOptions{}.Build(ctx, d)
	if err != nil {
		t.Fatal(err)
	}
	other := (f.ClassA() + 1) % 3
	third := 3 - f.ClassA() - other
	neither := tree.NewLeaf(d, 0)
	l, _ := neither.Grow(0, tree.Univariate(0, d.Distinct(0)[1]), other, third)
	if _, err := f.Start(ctx, neither); !errors.Is(err, formulate.ErrNoStart) || !math.IsInf(f.Objective(neither), 1) {
		t.Errorf("no leaf of class A: %v", err)
	}
	deep := neither.Clone()
	deep.Grow(l, tree.Univariate(1, d.Distinct(1)[1]), f.ClassA(), third)
	if _, err := f.Start(ctx, deep); !errors.Is(err, formulate.ErrNoStart) {
		t.Errorf("two splits: %v", err)
	}
	if _, err := f.Decode([]float64{1}); !errors.Is(err, formulate.ErrDecode) {
		t.Errorf("too few values: %v", err)
	}
}

// TestNeeds: the models need what Needs declares.
func TestNeeds(t *testing.T) {
	ctx := context.Background()
	d := formtest.Data(rand.New(rand.NewPCG(15, 5)), 20, 3, 2)
	var listed []formulate.Encoding
	for _, need := range Needs() {
		var f formulate.Formulation
		var err error
		switch need.Form {
		case "rlp", "rlp-p":
			f, err = RLPOptions{Perturbed: need.Form == "rlp-p"}.Build(ctx, d)
		case "fm":
			listed = append(listed, need.Encoding)
			f, err = FMOptions{Delta: 1, Nu: 2, Encoding: need.Encoding}.Build(ctx, d)
		case "lfm":
			f, err = LFMOptions{Encoding: need.Encoding}.Build(ctx, d)
		}
		if err != nil {
			t.Fatal(err)
		}
		m := f.Model()
		got := formulate.EncodingNeeds{
			Form: need.Form, Encoding: need.Encoding, Discrete: m.NumDiscrete() > 0,
			Quadratic: len(m.QuadCost())+len(m.QuadRows()) > 0, Indicator: len(m.Indicators()) > 0, SOS: len(m.SOS()) > 0,
		}
		if got != need {
			t.Errorf("declared %+v, the model needs %+v", need, got)
		}
	}
	if !slices.Equal(listed, FMEncodings()) {
		t.Errorf("fm is listed with %q, it has %q", listed, FMEncodings())
	}
}

// TestUnusedFeature: a point that uses a feature with r_j = 0 violates the constraints of its
// encoding, and costs its weight in encoding bilinear.
func TestUnusedFeature(t *testing.T) {
	d := formtest.Data(rand.New(rand.NewPCG(16, 6)), 30, 3, 2)
	split := tree.NewLeaf(d, 0)
	split.Grow(0, &tree.Split{Terms: []tree.Term{{Feature: 0, Weight: 1}, {Feature: 1, Weight: -2}}, Threshold: 0.1}, 0, 1)
	for enc, kind := range map[formulate.Encoding]mio.ViolationKind{formulate.MIO: mio.RowViolation, formulate.Indicator: mio.IndicatorViolation, SOS1: mio.SOSViolation} {
		f, err := FMOptions{Delta: 100, Encoding: enc, Nu: 2}.Build(context.Background(), d)
		if err != nil {
			t.Fatal(err)
		}
		x, err := f.Start(context.Background(), split)
		if err != nil {
			t.Fatal(err)
		}
		x[f.colR(1)] = 0
		if enc == SOS1 {
			x[f.colAbsent(1)] = 1
		}
		r := mio.Check(f.Model(), x, 1e-9)
		if want := min(x[f.colPlus(1)]+x[f.colMinus(1)], 1); r.Feasible || r.Max().Kind != kind || r.Max().Amount < want-1e-9 {
			t.Errorf("%s: %+v, expected a violation of kind %q by %v", enc, r.Max(), kind, want)
		}
	}
	f, err := FMOptions{Delta: 100, Encoding: formulate.Bilinear, Nu: 1}.Build(context.Background(), d)
	if err != nil {
		t.Fatal(err)
	}
	x, err := f.Start(context.Background(), split)
	if err != nil {
		t.Fatal(err)
	}
	least := math.Inf(1)
	for jx := range 2 {
		least = min(least, x[f.colPlus(jx)]+x[f.colMinus(jx)])
	}
	if got := f.Model().Objective(x); least == 0 || math.Abs(got-least) > 1e-12 {
		t.Errorf("bilinear: %v, expected %v, the smaller of two weights", got, least)
	}
}

// TestBytes: random models, warm starts and trees are byte for byte unchanged.
func TestBytes(t *testing.T) {
	formtest.Bytes(t, 8, func(w io.Writer, rng *rand.Rand, _ int) error {
		d := formtest.Data(rng, 4+rng.IntN(40), 1+rng.IntN(5), 2+rng.IntN(3))
		f, _, err := randomSplitModel(rng, d)
		if err != nil {
			return err
		}
		return formtest.WriteAll(w, rng, f, func() *tree.Tree { return randomPlanes(rng, d) })
	})
}
