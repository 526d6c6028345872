//go:build cgo && !nohighs

package oct

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/internal/formtest"
	"github.com/octgen/octgen/internal/datatest"
	"github.com/octgen/octgen/internal/treetest"
	"github.com/octgen/octgen/mio"
)

// exactBelow returns the optima of both subtrees of every split of the root, by enumeration, times share.
func exactBelow(d *dataset.Dataset, o Options, lhat, share float64) *Below {
	b := &Below{make([][]float64, d.P()), make([][]float64, d.P())}
	for j := range d.P() {
		var values []float64
		for i := range d.N() {
			values = append(values, d.Row(i)[j])
		}
		slices.Sort(values)
		values = slices.Compact(values)
		b.Left[j], b.Right[j] = make([]float64, len(values)), make([]float64, len(values))
		for c := 1; c < len(values); c++ {
			var left, right []int
			for i := range d.N() {
				if d.Row(i)[j] < values[c] {
					left = append(left, i)
				} else {
					right = append(right, i)
				}
			}
			for _, s := range []struct {
				rows []int
				to   *float64
			}{{left, &b.Left[j][c]}, {right, &b.Right[j][c]}} {
				*s.to = share * treetest.Optimum(treetest.Least(d.Subset(s.rows), nil, o.Depth-1, 0), d.N(), o.Alpha*lhat) / lhat
			}
		}
	}
	return b
}

// TestStrengthened: each kind of further rows, and both, leave the start of every tree feasible and the optimum as it is,
// by enumeration, and the linear relaxation is no weaker; with exact bounds below the root and no minimum leaf weight it
// has the optimum.
func TestStrengthened(t *testing.T) {
	solve := formtest.Solver(t)
	rng := rand.New(rand.NewPCG(40, 1))
	ctx := context.Background()
	solved, starts, better := 0, 0, map[string]int{}
	relaxed := func(f *Formulation) float64 {
		sol, err := solve(ctx, f.Model().Relaxed())
		if err != nil || sol.Status != mio.Optimal {
			t.Fatal(sol, err)
		}
		return sol.Objective
	}
	for range datatest.Some(400) {
		o := Options{Depth: 2 + rng.IntN(2), Alpha: []float64{0, 0.01, 0.2}[rng.IntN(3)], Encoding: []formulate.Encoding{Threshold, Flow, Cut}[rng.IntN(3)]}
		if o.Encoding == Flow {
			o.MinLeaf = []float64{0, 2}[rng.IntN(2)]
		}
		rows := 4 + rng.IntN(14)
		if o.Encoding != Threshold {
			rows = 4 + rng.IntN(7)
		}
		d := formtest.Data(rng, rows, 1+rng.IntN(3), 2+rng.IntN(2))
		plain, err := o.Build(ctx, d)
		if !formtest.Built(t, err) {
			continue
		}
		share := []float64{0, 0.5, 1, 1}[rng.IntN(4)]
		with, kinds := o, string(o.Encoding)
		if share > 0 {
			with.Below = exactBelow(d, o, plain.Lhat(), share)
			kinds += " below"
		}
		if with.Pairs = share == 0 || rng.IntN(2) == 0; with.Pairs {
			kinds += " pairs"
		}
		f, err := with.Build(ctx, d)
		if err != nil {
			t.Fatal(err)
		}
		formtest.CheckSize(t, with, f.Model(), f.enc.size())
		for range 10 {
			x, err := f.Start(ctx, formtest.Tree(rng, d, o.Depth))
			if err != nil {
				continue
			}
			starts++
			if r := mio.Check(f.Model(), x, 1e-9); !r.Feasible {
				t.Fatalf("%+v: a tree is cut off: %v", o, r.Err())
			}
		}
		want := bruteOptimum(d, o, f.Lhat())
		sol, err := solve(ctx, f.Model())
		if math.IsInf(want, 1) && err == nil && sol.Status == mio.Infeasible { // all rows weigh less than a leaf must
			continue
		}
		if err != nil || sol.Status != mio.Optimal || math.Abs(sol.Objective-want) > 1e-6 {
			t.Fatalf("%+v: %v, %v with %v, the optimum is %v", o, err, sol.Status, sol.Objective, want)
		}
		solved++
		weak, strong := relaxed(plain), relaxed(f)
		if strong < weak-1e-7 || share == 1 && o.MinLeaf == 0 && math.Abs(strong-want) > 1e-6 {
			t.Fatalf("%+v, share %v: relaxations %v, with bounds %v; the optimum is %v", o, share, weak, strong, want)
		}
		if strong > weak+1e-7 {
			better[kinds]++
		}
	}
	if solved < 60 || starts < 300 || len(better) < 9 {
		t.Errorf("%d solved, %d starts; better relaxations: %v", solved, starts, better)
	}
}

func TestBelowMistakes(t *testing.T) {
	d := formtest.Data(rand.New(rand.NewPCG(40, 2)), 20, 2, 2)
	for _, o := range []Options{
		{Depth: 2, Encoding: Flow, Below: &Below{}}, {Depth: 2, MinLeaf: 5, Below: &Below{}}, {Depth: 2, Below: &Below{}},
		{Depth: 2, Encoding: BinOCT, Pairs: true}, {Depth: 2, MinLeaf: 5, Pairs: true},
		{Depth: 2, Tighten: Tightenings{NoLabelPairs: true}, Below: &Below{}},
	} {
		if _, err := o.Build(context.Background(), d); err == nil {
			t.Errorf("%+v: no error", o)
		}
	}
	if _, err := (Options{Depth: 1, Below: &Below{}}).Build(context.Background(), d); err != nil { // not used
		t.Error(err)
	}
}
