package fit_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/internal/datatest"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/tree"
	"github.com/octgen/octgen/tree/constraint"
)

// drawConstraints draws one or two constraints for trees of ds, which gets a group.
func drawConstraints(t *rapid.T, ds *dataset.Dataset) (r constraint.Rates, s constraint.Structural) {
	g := dataset.Group{Name: "g", Levels: []string{"a", "b"}, Of: make([]int32, ds.N())}
	for i := range g.Of {
		g.Of[i] = int32(rapid.IntRange(-1, 1).Draw(t, "level"))
	}
	ds.Groups = []dataset.Group{g}
	for range rapid.IntRange(1, 2).Draw(t, "constraints") {
		k, limit := rapid.SampledFrom(ds.Classes).Draw(t, "class"), float64(rapid.IntRange(0, 10).Draw(t, "limit"))/10
		switch rapid.IntRange(0, 6).Draw(t, "kind") {
		case 0:
			r.Recall = append(r.Recall, fmt.Sprintf("%s>=%v", k, limit))
		case 1:
			r.Precision = append(r.Precision, fmt.Sprintf("%s>=%v", k, limit))
		case 2:
			r.Share = append(r.Share, fmt.Sprintf("%s<=%v", k, limit))
		case 3:
			metric := rapid.SampledFrom(constraint.Metrics()).Draw(t, "metric")
			r.Fair, r.Positive = append(r.Fair, fmt.Sprintf("%s:g<=%v", metric, limit)), k
		case 4:
			s.LeafPurity = max(0.1, limit)
		case 5:
			s.MaxFeatures = rapid.IntRange(1, 2).Draw(t, "features")
		case 6:
			s.FeatureCost = []string{fmt.Sprintf("f0=%v", limit/10)}
		}
	}
	return r, s
}

// constrainedEnvelope is the envelope from the least loss for each number of splits; ok is
// false where a search does not prove one.
func constrainedEnvelope(t testing.TB, train *dataset.Dataset, m problem.OCT) (all []pathPoint, ok bool) {
	on, err := m.Info().Constraints.On(train)
	if err != nil {
		t.Fatal(err)
	}
	scale, top := tree.ErrorScale(train), 0.0
	for _, w := range train.Weight {
		top += w / scale
	}
	top = max(1, top)
	for _, price := range on.FeatureCost {
		top += price
	}
	least := []float64{math.Inf(1)}
	for k := range train.K() {
		leaf := tree.NewLeaf(train, k)
		leaf.Annotate(train)
		if on.Broken(leaf) == nil {
			least[0] = min(least[0], leaf.Evaluate(train).ErrorWeight)
		}
	}
	for c := 1; c < 1<<m.Depth; c++ {
		m.MaxSplits = c
		res, err := fit.Run(context.Background(), train, fit.Options{Method: &m, Engine: problem.Search})
		switch {
		case errors.Is(err, fit.ErrInfeasible):
			least = append(least, math.Inf(1))
		case err != nil || res.Status != mio.Optimal.String():
			return nil, false
		default:
			least = append(least, *res.Objective*scale)
		}
	}
	for c, e := range least {
		low, high := 0.0, top
		for o, f := range least {
			switch a := (f - e) / (scale * float64(c-o)); {
			case math.IsInf(f, 1):
			case o < c:
				high = min(high, a)
			case o > c:
				low = max(low, (e-f)/(scale*float64(o-c)))
			}
		}
		if high > low+1e-11 && !math.IsInf(e, 1) {
			all = append([]pathPoint{{low, high, e, c}}, all...)
		}
	}
	return all, true
}

// TestTunedConstrained: both paths find the envelope of the trees that hold the
// constraints on the training part, prove it, and say what the constraints come to there
// and on validation rows; fitted once more, the tree holds them on all rows.
func TestTunedConstrained(t *testing.T) {
	close := cmpopts.EquateApprox(1e-9, 1e-9)
	trees, none, leafless := 0, 0, 0
	datatest.Times(t, 2, func(rt *rapid.T) {
		ds := randomRows(rt)
		rates, structural := drawConstraints(rt, ds)
		depth := rapid.IntRange(1, 2).Draw(rt, "depth")
		o := tuneOptions("oct-tuned", depth)
		m := o.Method.(*problem.OCTTuned)
		m.MinLeaf, m.Rates, m.Structural = rapid.SampledFrom([]float64{0, 1, 3}).Draw(rt, "min leaf"), rates, structural
		o.Solve.Seed = rapid.IntRange(0, 9).Draw(rt, "seed")
		rows, _, err := ds.Holdout(fit.DefaultValidation, uint64(o.Solve.Seed))
		if err != nil {
			rt.Fatal(err)
		}
		train := ds.Subset(rows)
		if problem.NewData(ds).Trivial() || problem.NewData(train).Trivial() {
			return
		}
		of := problem.OCT{Rates: rates, Structural: structural}
		of.Depth, of.MinLeaf = problem.Depth(depth), m.MinLeaf
		want, ok := constrainedEnvelope(t, train, of)
		if !ok {
			return
		}
		on, err := m.Info().Constraints.On(train)
		if err != nil {
			rt.Fatal(err)
		}
		for _, m.Path = range []string{problem.AlphaPath, problem.SplitsPath} {
			res, err := fit.Run(context.Background(), ds, o)
			if len(want) == 0 {
				none++
				if !errors.Is(err, fit.ErrInfeasible) || res == nil || res.Status != "infeasible" || res.Tree != nil {
					rt.Fatalf("%s: no tree holds %q, but %+v, %v", m.Path, m.Info().Constraints.Texts(), res, err)
				}
				continue
			}
			if err != nil {
				rt.Fatal(err)
			}
			trees++
			u := res.Tuning
			if diff := cmp.Diff(want, points(u), close); diff != "" {
				rt.Fatalf("%s, %q: %s", m.Path, m.Info().Constraints.Texts(), diff)
			}
			if want[len(want)-1].Complexity > 0 {
				leafless++
			}
			if !u.Proved || res.Status != "optimal" {
				rt.Fatalf("%s: not proved: %+v", m.Path, u)
			}
			if broken := on.Broken(res.Tree); broken != nil {
				rt.Fatalf("on the training part %q", broken)
			}
			for i, v := range on.Values(res.Tree) {
				if c := res.Constraints[i]; !c.Held || c.Text != v.Text || (c.Train == nil) != (v.Value == nil) || c.Train != nil && *c.Train != *v.Value {
					rt.Fatalf("%+v, want %+v", c, v)
				}
			}
		}
		m.Refit = true
		res, err := fit.Run(context.Background(), ds, o)
		if err == nil {
			whole, _ := m.Info().Constraints.On(ds)
			if broken := whole.Broken(res.Tree); broken != nil {
				rt.Fatalf("fitted once more, %q", broken)
			}
		} else if !errors.Is(err, fit.ErrInfeasible) {
			rt.Fatal(err)
		}
	})
	t.Logf("%d times a tree, %d of them with no constant one; %d times none", trees, leafless, none)
}

// TestTunedConstrainedValues: what constraints come to on validation and test rows.
func TestTunedConstrainedValues(t *testing.T) {
	ds := realData(t, "breast-cancer-wisconsin.csv")
	rows, rest, err := ds.Holdout(0.25, 1)
	if err != nil {
		t.Fatal(err)
	}
	o := tuneOptions("oct-tuned", 2)
	m := o.Method.(*problem.OCTTuned)
	m.Recall = []string{"malignant>=0.98"}
	o.Test = ds.Subset(rest)
	fitted := ds.Subset(rows)
	res, err := fit.Run(context.Background(), fitted, o)
	if err != nil {
		t.Fatal(err)
	}
	train, validation, err := fitted.Holdout(fit.DefaultValidation, 0)
	if err != nil {
		t.Fatal(err)
	}
	c := res.Constraints[0]
	for _, part := range []struct {
		name string
		rows *dataset.Dataset
		got  *float64
	}{{"training", fitted.Subset(train), c.Train}, {"validation", fitted.Subset(validation), c.Validation}, {"test", o.Test, c.Test}} {
		on, err := m.Info().Constraints.On(part.rows)
		if err != nil {
			t.Fatal(err)
		}
		if want := on.Values(res.Tree)[0].Value; part.got == nil || *part.got != *want {
			t.Errorf("on %s rows %v, want %v", part.name, part.got, *want)
		}
	}
	if *res.Prover != "lagrangian" || res.Solver.Name != "lagrange" || res.Status != "optimal" || *c.Train < 0.98 {
		t.Errorf("%+v, %+v", res, c)
	}
}

// TestTunedConstrainedErrors: splits that stay need a program; a limit before any tree that
// holds the constraints is no tree.
func TestTunedConstrainedErrors(t *testing.T) {
	ds := realData(t, "iris.csv")
	o := tuneOptions("oct-tuned", 2)
	m := o.Method.(*problem.OCTTuned)
	m.Recall = []string{"Iris-setosa>=1", "Iris-virginica>=1"}
	m.Share = []string{"Iris-virginica<=0.1"}
	if _, err := fit.Run(context.Background(), ds, o); !errors.Is(err, fit.ErrInfeasible) {
		t.Errorf("a third of the rows in a tenth: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	m.Share = []string{"Iris-virginica<=0.5"}
	if res, err := fit.Run(ctx, ds, o); !errors.Is(err, fit.ErrNoTree) || res == nil || res.Status != "no_solution" && res.Tree != nil {
		t.Errorf("no time: %+v, %v", res, err)
	}
}
