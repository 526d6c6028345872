package oct

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/internal/formtest"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/tree"
)

// randomOptions returns options for one of the encodings.
func randomOptions(rng *rand.Rand, encodings []formulate.Encoding) Options {
	o := Options{
		Depth:    1 + rng.IntN(3),
		Alpha:    []float64{0, 0, 0.01, 0.2}[rng.IntN(4)],
		MinLeaf:  []float64{0, 0, 0.4, 1, 2, 3}[rng.IntN(6)],
		Encoding: encodings[rng.IntN(len(encodings))],
		Scale:    []Scale{RankScale, MinMaxScale}[rng.IntN(2)],
	}
	if rng.IntN(3) == 0 {
		o.MaxSplits = 1 + rng.IntN(4)
	}
	if FactsOf(o.Encoding).FreeLeaves {
		o.MinLeaf = 0
	}
	flip := func() bool { return rng.IntN(3) == 0 }
	o.Tighten = Tightenings{flip(), flip(), flip(), flip(), flip(), flip()}
	return o
}

func TestClosedFormSizes(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 400 {
		o := randomOptions(rng, Encodings())
		d := formtest.Data(rng, 4+rng.IntN(60), 1+rng.IntN(4), 2+rng.IntN(3))
		f, err := o.Build(context.Background(), d)
		if !formtest.Built(t, err) {
			continue
		}
		formtest.CheckSize(t, o, f.Model(), f.enc.size())
	}
}

// TestStartProperty checks the property of the Formulation comment.
func TestStartProperty(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	ctx := context.Background()
	started := map[formulate.Encoding]int{}
	for range 4000 {
		o := randomOptions(rng, Encodings())
		d := formtest.Data(rng, 4+rng.IntN(60), 1+rng.IntN(4), 2+rng.IntN(3))
		f, err := o.Build(ctx, d)
		if !formtest.Built(t, err) {
			continue
		}
		tr := formtest.Tree(rng, d, o.Depth)
		x, err := f.Start(ctx, tr)
		if err != nil {
			continue
		}
		started[f.opts.Encoding]++
		if r := mio.Check(f.Model(), x, 1e-9); !r.Feasible {
			t.Fatalf("%+v: start is infeasible: %v", o, r.Err())
		}
		if j := fractional(x); f.Integral() && j >= 0 {
			t.Fatalf("%+v: %s is %v in a start that is to be integral", o, f.Model().ColName(j), x[j])
		}
		h, _ := f.norm(tr)
		norm := h.toTree(f.g)
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
		formtest.SamePredictions(t, o, d, back, norm)
		if got := f.Objective(back); math.Abs(got-obj) > 1e-9 {
			t.Fatalf("%+v: decoded objective %v, model %v", o, got, obj)
		}
	}
	for _, e := range Encodings() {
		if started[e] < 300 {
			t.Errorf("only %d starts for %s", started[e], e)
		}
	}
}

// fractional is the first index of a value that is not whole; -1 if all are.
func fractional(x []float64) int {
	return slices.IndexFunc(x, func(v float64) bool { return v != math.Trunc(v) })
}

// TestManyPairsOfLabels: stumps with too many pairs of labels for the memory are rejected; the
// error names the other formulations.
func TestManyPairsOfLabels(t *testing.T) {
	const k = 10000
	x, y, classes := make([]float64, k), make([]int, k), make([]string, k)
	for i := range k {
		x[i], y[i], classes[i] = float64(i%7), i, strconv.Itoa(i)
	}
	ds, err := dataset.New(x, y, []string{"a"}, classes)
	if err != nil {
		t.Fatal(err)
	}
	want := "formulate: 10000 classes make 99990000 pairs of labels for 1 features; the maximum of the encoding threshold is 33554432; use --without label-pairs, or --encoding flow"
	if _, err := (Options{Depth: 2, MinLeaf: 1}).Build(t.Context(), ds); err == nil || err.Error() != want {
		t.Errorf("%v; want %s", err, want)
	}
}

// TestPriorities: in every encoding, the variables that begin with the root's split have the
// highest priority, D + 1, those of its children one less, and no continuous variable has any.
func TestPriorities(t *testing.T) {
	d := formtest.Data(rand.New(rand.NewPCG(19, 6)), 20, 2, 2)
	for _, e := range Encodings() {
		f, err := Options{Depth: 3, Encoding: e}.Build(context.Background(), d)
		if err != nil {
			t.Fatal(err)
		}
		count := map[int]int{}
		for j, p := range f.Priorities() {
			if f.model.ColTypes()[j] == mio.Continuous && p != 0 || p < 0 || p > 4 {
				t.Errorf("%s: %s has the priority %d", e, f.model.ColName(j), p)
			}
			count[p]++
		}
		if count[4] == 0 || count[3] < 2*count[4]-1 {
			t.Errorf("%s: columns by priority: %v", e, count)
		}
		if f, err = (Options{Depth: 3, Encoding: e, OmitNames: true}).Build(context.Background(), d); err != nil || f.Priorities() != nil {
			t.Errorf("%s without names: %v, %v", e, f.Priorities(), err)
		}
	}
}

// TestBytes: all combinations of tightenings, at all depths and with and without N_min, give
// unchanged models, warm starts and trees. The encodings are those for which testdata/bytes.txt was
// written: another one has its golden model and changes none of these lines.
func TestBytes(t *testing.T) {
	held := []formulate.Encoding{Threshold, formulate.BigM, formulate.Indicator, BigMPublished}
	formtest.Bytes(t, 64, func(w io.Writer, rng *rand.Rand, i int) error {
		o := randomOptions(rng, held)
		if i%4 > 0 {
			o.Encoding = Threshold
		}
		bit := func(b int) bool { return i/4>>b&1 == 1 } // 640 quadruples: each of the 64 ten times
		o.Tighten = Tightenings{bit(0), bit(1), bit(2), bit(3), bit(4), bit(5)}
		d := formtest.Data(rng, 4+rng.IntN(60), 1+rng.IntN(4), 2+rng.IntN(3))
		in, err := o.Inspect(context.Background(), d)
		if err != nil {
			return err
		}
		text, err := json.Marshal(in)
		if err != nil {
			return err
		}
		fmt.Fprintln(w, string(text))
		f, err := o.Build(context.Background(), d)
		if err != nil {
			return err
		}
		return formtest.WriteAll(w, rng, f, func() *tree.Tree { return formtest.Tree(rng, d, 1+rng.IntN(o.Depth)) })
	})
}
