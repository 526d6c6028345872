package formulate

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/tree"
)

// randomData returns n rows of p features on a small grid of values (ties,
// repeated points, contradictions) with k classes and, sometimes, weights.
func randomData(rng *rand.Rand, n, p, k int) *dataset.Dataset {
	d := &dataset.Dataset{}
	for j := range p {
		d.Features = append(d.Features, fmt.Sprintf("f%d", j))
	}
	for c := range k {
		d.Classes = append(d.Classes, fmt.Sprintf("c%d", c))
	}
	levels, weighted := []int{2, 3, 5, 8, 60}[rng.IntN(5)], rng.IntN(2) == 0
	unit := []float64{1, 1, 0.25, 3}[rng.IntN(4)]
	for i := range n {
		for range p {
			d.X = append(d.X, float64(rng.IntN(levels))*unit-1)
		}
		d.Y = append(d.Y, rng.IntN(k))
		if i < k {
			d.Y[i] = i
		}
		w := 1.0
		if weighted {
			w = []float64{0.3, 0.5, 1, 2.5}[rng.IntN(4)]
		}
		d.Weight = append(d.Weight, w)
		d.Count = append(d.Count, 1)
	}
	return d
}

// randomTree grows a tree of at most the given depth with random splits, some
// of them vacuous, and random labels.
func randomTree(rng *rand.Rand, d *dataset.Dataset, depth int) *tree.Tree {
	t := tree.NewLeaf(d, rng.IntN(d.K()))
	var grow func(leaf, depth int)
	grow = func(leaf, depth int) {
		if depth == 0 || rng.IntN(5) == 0 {
			return
		}
		j := rng.IntN(d.P())
		b := d.At(rng.IntN(d.N()), j) + []float64{0, 0.1, 100}[min(2, rng.IntN(8))]
		l, r := t.Grow(leaf, tree.Univariate(j, b), rng.IntN(d.K()), rng.IntN(d.K()))
		grow(l, depth-1)
		grow(r, depth-1)
	}
	grow(0, depth)
	return t
}

func randomOptions(rng *rand.Rand) OCTOptions {
	o := OCTOptions{
		Depth:    1 + rng.IntN(3),
		Alpha:    []float64{0, 0, 0.01, 0.2}[rng.IntN(4)],
		MinLeaf:  []float64{0, 0, 0.4, 1, 2, 3}[rng.IntN(6)],
		Encoding: OCTEncodings()[rng.IntN(4)],
		Scale:    []Scale{RankScale, MinMaxScale}[rng.IntN(2)],
	}
	if rng.IntN(3) == 0 {
		o.MaxSplits = 1 + rng.IntN(4)
	}
	flip := func() bool { return rng.IntN(3) == 0 }
	o.Tighten = Tightenings{flip(), flip(), flip(), flip(), flip(), flip()}
	return o
}

func TestClosedFormSizes(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 400 {
		o := randomOptions(rng)
		d := randomData(rng, 4+rng.IntN(60), 1+rng.IntN(4), 2+rng.IntN(3))
		f, err := o.Build(context.Background(), d)
		if errors.Is(err, ErrSingleLeaf) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		m := f.Model()
		got := Size{int64(m.NumRows()), int64(m.NumCols()), int64(m.NumDiscrete()), int64(m.NumNonzeros())}
		if want := f.enc.size(); got != want {
			t.Fatalf("%+v: built %+v, closed form %+v", o, got, want)
		}
	}
}

// TestStartProperty is the property of the Formulation comment.
func TestStartProperty(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	ctx := context.Background()
	started := map[Encoding]int{}
	for range 4000 {
		o := randomOptions(rng)
		d := randomData(rng, 4+rng.IntN(60), 1+rng.IntN(4), 2+rng.IntN(3))
		f, err := o.Build(ctx, d)
		if errors.Is(err, ErrSingleLeaf) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		tr := randomTree(rng, d, o.Depth)
		x, err := f.Start(ctx, tr)
		if err != nil {
			continue
		}
		started[f.opts.Encoding]++
		if r := mio.Check(f.Model(), x, 1e-9); !r.Feasible {
			t.Fatalf("%+v: start is infeasible: %v", o, r.Err())
		}
		h, _ := f.norm(tr)
		norm := f.toTree(h)
		obj := f.Model().Objective(x)
		if want := f.Objective(norm.Collapse(d)); math.Abs(obj-want) > 1e-9 {
			t.Fatalf("%+v: model objective %v, norm(t) has %v", o, obj, want)
		}
		if obj > f.Objective(tr)+1e-9 {
			t.Fatalf("%+v: norm(t) has %v, t has %v", o, obj, f.Objective(tr))
		}
		back, err := f.Decode(x)
		if err != nil {
			t.Fatalf("%+v: %v", o, err)
		}
		for i := range d.N() {
			if back.Predict(d.Row(i)) != norm.Predict(d.Row(i)) {
				t.Fatalf("%+v: row %d: decoded tree predicts %d, norm(t) %d", o, i, back.Predict(d.Row(i)), norm.Predict(d.Row(i)))
			}
		}
		if got := f.Objective(back); math.Abs(got-obj) > 1e-9 {
			t.Fatalf("%+v: decoded objective %v, model %v", o, got, obj)
		}
	}
	for _, e := range OCTEncodings() {
		if started[e] < 300 {
			t.Errorf("only %d starts for %s", started[e], e)
		}
	}
}
