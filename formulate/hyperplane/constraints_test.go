package hyperplane

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/internal/formtest"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/tree"
	"github.com/octgen/octgen/tree/constraint"
)

// constrainedEncodings are the encodings of margin all.
var constrainedEncodings = []formulate.Encoding{SOCT, SOCT, formulate.BigM, formulate.Indicator}

// grouped returns data with a group of two or three levels, and rows without a group.
func grouped(rng *rand.Rand, n, p, k int) *dataset.Dataset {
	d := formtest.Data(rng, n, p, k)
	g := dataset.Group{Name: "g", Levels: []string{"a", "b", "c"}[:2+rng.IntN(2)]}
	for range n {
		g.Of = append(g.Of, int32(rng.IntN(len(g.Levels)+1)-1))
	}
	d.Groups = []dataset.Group{g}
	return d
}

// randomConstraints returns one or two constraints for data of grouped; they may be infeasible.
func randomConstraints(t testing.TB, rng *rand.Rand, d *dataset.Dataset, depth int) *constraint.Set {
	t.Helper()
	var o constraint.Options
	for range 1 + rng.IntN(2) {
		class := d.Classes[rng.IntN(d.K())]
		limit := []float64{0, 0.1, 0.25, 0.4, 0.5, 0.75, 0.9, 1}[rng.IntN(8)]
		switch kind := rng.IntN(16); kind {
		case 0:
			o.Recall = append(o.Recall, fmt.Sprintf("%s>=%v", class, limit))
		case 1:
			o.Precision = append(o.Precision, fmt.Sprintf("%s>=%v", class, limit))
		case 2:
			o.Share = append(o.Share, fmt.Sprintf("%s<=%v", class, limit))
		case 3, 4, 5, 6:
			o.Positive = class
			o.Fair = append(o.Fair, fmt.Sprintf("%s:g<=%v", constraint.Metrics()[kind-3], limit/2))
		case 7:
			o.LeafPurity = []float64{0.5, 0.6, 0.75, 0.9, 1}[rng.IntN(5)]
		case 8:
			o.MaxFeatures = 1
		case 9:
			o.FeatureCost = []string{fmt.Sprintf("%s=%v", d.Features[rng.IntN(d.P())], []float64{0, 0.05, 0.3}[rng.IntN(3)])}
		case 10:
			o.Forbid = []string{d.Features[rng.IntN(d.P())]}
		default:
			o.Fix, o.FixTree = "fixed.json", upperSplits(rng, d, depth)
		}
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

// upperSplits returns the upper splits of a hyperplane or univariate tree, some of which usually
// separate rows.
func upperSplits(rng *rand.Rand, d *dataset.Dataset, depth int) *tree.Tree {
	of := formtest.Tree
	if rng.IntN(2) == 0 {
		of = randomHyperTree
	}
	for range 20 {
		if t := of(rng, d, 1+rng.IntN(depth)); t.Collapse(d).Splits() > 0 {
			return t
		}
	}
	return of(rng, d, depth)
}

// withSplits returns tr below the fixed splits, as far as the depth allows.
func withSplits(rng *rand.Rand, fixed, tr *tree.Tree, depth int) *tree.Tree {
	if fixed == nil {
		return tr
	}
	out := fixed.Clone()
	level := make([]int, len(out.Nodes))
	for i := range fixed.Nodes {
		n := &fixed.Nodes[i]
		if n.Split != nil {
			level[n.Left], level[n.Right] = level[i]+1, level[i]+1
		} else if level[i]+tr.Depth() <= depth {
			out.Graft(i, tr)
		} else {
			out.Nodes[i].Class = rng.IntN(len(fixed.Classes))
		}
	}
	return out
}

// TestConstrainedPoints: sizes equal the closed form; trees that satisfy the constraints are points
// of the model with their objective, and Decode returns them; others are rejected.
func TestConstrainedPoints(t *testing.T) {
	rng := rand.New(rand.NewPCG(18, 2))
	ctx := context.Background()
	started, refused, kept := map[formulate.Encoding]int{}, 0, 0
	for trial := range 4000 {
		o := randomOptions(rng, constrainedEncodings...)
		d := grouped(rng, 4+rng.IntN(12), 1+rng.IntN(4), 2+rng.IntN(2))
		o.Constraints = randomConstraints(t, rng, d, o.Depth)
		f, err := o.Build(ctx, d)
		if errors.Is(err, formulate.ErrSingleLeaf) || errors.Is(err, errMargin) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if got, want := formtest.Size(f.Model()), f.enc.size(); trial < 300 && got != want {
			t.Fatalf("%+v, %q: built %+v, closed form %+v", o, o.Constraints.Texts(), got, want)
		}
		on, err := o.Constraints.On(d)
		if err != nil {
			t.Fatal(err)
		}
		tr := withSplits(rng, on.Fixed, randomHyperTree(rng, d, 1+rng.IntN(o.Depth)), o.Depth)
		x, err := f.Start(ctx, tr)
		if errors.Is(err, formulate.ErrNoStart) {
			refused++
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		norm := tr.Collapse(d)
		if broken := on.Broken(norm); broken != nil {
			t.Fatalf("%+v: a start that breaks %q", o, broken)
		}
		started[f.opts.Encoding]++
		if on.Fixed != nil {
			kept++
		}
		if r := mio.Check(f.Model(), x, 1e-9); !r.Feasible {
			t.Fatalf("%+v, %q: start is infeasible: %v", o, o.Constraints.Texts(), r.Err())
		}
		obj := f.Model().Objective(x)
		if want := f.Objective(norm); obj > want+1e-9 {
			t.Fatalf("%+v: model objective %v, norm(t) has %v", o, obj, want)
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
		if broken := on.Broken(back); broken != nil {
			t.Fatalf("%+v: the decoded tree breaks %q", o, broken)
		}
		if got := f.Objective(back); math.Abs(got-obj) > 1e-9 {
			t.Fatalf("%+v, %q: decoded objective %v, model %v", o, o.Constraints.Texts(), got, obj)
		}
	}
	t.Logf("started %v, %d of them with fixed splits, rejected %d", started, kept, refused)
	if kept < 100 {
		t.Errorf("%d warm starts with fixed splits", kept)
	}
	for _, e := range constrainedEncodings {
		if started[e] < 150 {
			t.Errorf("%d starts of %s", started[e], e)
		}
	}
}

// TestConstrainedMargin: margin right has no prediction for misclassified rows, and reports that.
func TestConstrainedMargin(t *testing.T) {
	s, err := constraint.Parse(constraint.Options{Rates: constraint.Rates{Share: []string{"a<=0.5"}}})
	if err != nil {
		t.Fatal(err)
	}
	_, err = Options{Depth: 1, Margin: Right, Constraints: s}.Build(context.Background(), formtest.Tiny(t))
	if err == nil || !strings.Contains(err.Error(), "constraints need margin all") {
		t.Errorf("%v", err)
	}
}
