package hyperplane

import (
	"context"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/internal/formtest"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/tree"
)

// randomOptions draws options of one of the encodings.
func randomOptions(rng *rand.Rand, of ...formulate.Encoding) Options {
	o := Options{
		Depth:    1 + rng.IntN(3),
		Alpha:    []float64{0, 0.01, 0.2}[rng.IntN(3)],
		MinLeaf:  []float64{0, 0.4, 1, 2}[rng.IntN(4)],
		Encoding: of[rng.IntN(len(of))],
		Mu:       []float64{0, 0.02, 0.1}[rng.IntN(3)],
	}
	if rng.IntN(3) == 0 {
		o.MaxSplits = 1 + rng.IntN(6)
	}
	facts := FactsOf(o.Encoding)
	if !facts.Tightened {
		return o
	}
	if o.Margin = facts.Margin; o.Margin == Right {
		o.MinLeaf = []float64{0, 0.3}[rng.IntN(2)] // the minimum weight of a row
	}
	for _, name := range Tightenings() {
		if rng.IntN(3) == 0 {
			o.Without = append(o.Without, name)
		}
	}
	return o
}

// someRows restricts half of the models of served to some of the rows, and gives a third a cutoff
// above all values.
func someRows(rng *rand.Rand, o *Options, ds *dataset.Dataset) {
	d, err := o.Data(context.Background(), ds)
	if err != nil || o.Encoding != Served {
		return
	}
	for i := range d.Len() {
		if rng.IntN(3) > 0 {
			o.Rows = append(o.Rows, int32(i))
		}
	}
	if rng.IntN(2) == 0 {
		o.Rows = nil
	}
	if rng.IntN(3) == 0 {
		o.Cutoff = 100
	}
}

// randomHyperTree is randomTree with hyperplanes through midpoints of points.
func randomHyperTree(rng *rand.Rand, d *dataset.Dataset, depth int) *tree.Tree {
	t := tree.NewLeaf(d, rng.IntN(d.K()))
	var grow func(leaf, depth int)
	grow = func(leaf, depth int) {
		if depth == 0 || rng.IntN(5) == 0 {
			return
		}
		s := &tree.Split{}
		x, y := d.Row(rng.IntN(d.N())), d.Row(rng.IntN(d.N()))
		for j := range d.P() {
			if w := float64(rng.IntN(7) - 3); w != 0 {
				s.Terms = append(s.Terms, tree.Term{Feature: j, Weight: w})
				s.Threshold += w * (x[j] + y[j]) / 2
			}
		}
		if len(s.Terms) == 0 {
			return
		}
		l, r := t.Grow(leaf, s, rng.IntN(d.K()), rng.IntN(d.K()))
		grow(l, depth-1)
		grow(r, depth-1)
	}
	grow(0, depth)
	return t
}

func TestSizes(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 1))
	for range 200 {
		o := randomOptions(rng, Encodings()...)
		d := formtest.Data(rng, 4+rng.IntN(20), 1+rng.IntN(4), 2+rng.IntN(3))
		someRows(rng, &o, d)
		f, err := o.Build(context.Background(), d)
		if errors.Is(err, formulate.ErrSingleLeaf) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		m := f.Model()
		got := formtest.Size(m)
		if want := f.enc.size(); got != want {
			t.Fatalf("%+v: built %+v, closed form %+v", o, got, want)
		}
	}
}

// TestStartProperty checks the property of the Formulation comment, with and without the margin
// program.
func TestStartProperty(t *testing.T) {
	rng := rand.New(rand.NewPCG(12, 2))
	ctx := context.Background()
	started, refused := map[formulate.Encoding]int{}, 0
	for range 3000 {
		o := randomOptions(rng, Encodings()...)
		d := formtest.Data(rng, 4+rng.IntN(20), 1+rng.IntN(4), 2+rng.IntN(3))
		someRows(rng, &o, d)
		f, err := o.Build(ctx, d)
		if errors.Is(err, formulate.ErrSingleLeaf) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		tr := randomHyperTree(rng, d, o.Depth)
		x, err := f.Start(ctx, tr)
		if errors.Is(err, formulate.ErrNoStart) {
			refused++
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if r := mio.Check(f.Model(), x, 1e-9); !r.Feasible {
			t.Fatalf("%+v: start is infeasible: %v", o, r.Err())
		}
		norm := tr.Collapse(d)
		obj := f.Model().Objective(x)
		if want := f.Objective(norm); obj > want+1e-9 || obj > f.Objective(tr)+1e-9 {
			t.Fatalf("%+v: model objective %v, norm(t) has %v", o, obj, want)
		}
		back, err := f.Decode(x)
		if err != nil {
			t.Fatalf("%+v: %v", o, err)
		}
		for i := range d.N() {
			if o.Margin != Right && back.Predict(d.Row(i)) != norm.Predict(d.Row(i)) {
				t.Fatalf("%+v: row %d: decoded tree predicts %d, norm(t) %d", o, i, back.Predict(d.Row(i)), norm.Predict(d.Row(i)))
			}
		}
		started[f.opts.Encoding]++
		if o.Margin == Right {
			checkRight(t, f, back, obj)
			continue
		}
		if got := f.Objective(back); math.Abs(got-obj) > 1e-9 {
			t.Fatalf("%+v: decoded objective %v, model %v", o, got, obj)
		}
		if m := f.LeastMargin(back); m < f.mu-1e-9 {
			t.Fatalf("%+v: decoded margin %v", o, m)
		}
	}
	for _, e := range Encodings() {
		if started[e] < 150 {
			t.Errorf("%d starts of %s", started[e], e)
		}
	}
	if refused < 100 {
		t.Errorf("%d refusals: the random trees do not cover them", refused)
	}
}

// checkRight compares the tree of a warm start of margin right with the point: it is no worse, and
// has no more errors.
func checkRight(t *testing.T, f *Formulation, back *tree.Tree, obj float64) {
	t.Helper()
	if got := f.Objective(back); got > obj+1e-9 {
		t.Fatalf("%+v: decoded objective %v, model %v", f.opts, got, obj)
	}
	if got := f.g.Objective(back, f.alpha, back.Terms()); f.opts.Rows == nil && got > obj+1e-9 {
		t.Fatalf("%+v: by its errors the decoded tree has %v, the model %v", f.opts, got, obj)
	}
}

// TestBytes: random models, warm starts and trees are byte for byte unchanged; the first lines are
// the paper's encodings.
func TestBytes(t *testing.T) {
	formtest.Bytes(t, 16, func(w io.Writer, rng *rand.Rand, i int) error {
		o := randomOptions(rng, formulate.BigM, formulate.Indicator)
		if i >= 8*40 {
			o = randomOptions(rng, SOCT, Served)
		}
		d := formtest.Data(rng, 4+rng.IntN(20), 1+rng.IntN(4), 2+rng.IntN(3))
		f, err := o.Build(context.Background(), d)
		if err != nil {
			return err
		}
		return formtest.WriteAll(w, rng, f, func() *tree.Tree { return randomHyperTree(rng, d, o.Depth) })
	})
}
