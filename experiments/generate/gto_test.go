package generate_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/experiments/generate"
	"github.com/octgen/octgen/tree"
)

func TestGTO(t *testing.T) {
	seen := map[float64]bool{}
	for seed := range uint64(30) {
		g := generate.GTO{Features: 1 + int(seed%6), Rows: 50 + int(seed), TestRows: 200, Depth: 1 + int(seed%3), Seed: seed}
		train, test, truth, err := g.Data()
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if err := truth.Validate(); err != nil {
			t.Fatal(err)
		}
		if train.N() != g.Rows || test.N() != 200 || train.P() != g.Features || truth.Depth() != g.Depth || truth.Splits() != 1<<g.Depth-1 {
			t.Errorf("seed %d: %d and %d rows, %d features, %d splits", seed, train.N(), test.N(), train.P(), truth.Splits())
		}
		for _, d := range []*dataset.Dataset{train, test} {
			if e := truth.Evaluate(d).Errors; e != 0 {
				t.Errorf("seed %d: the tree has %v errors", seed, e)
			}
			if low, high := slices.Min(d.X), slices.Max(d.X); low < 0 || high >= 1 || low > 0.05 || high < 0.95 {
				t.Errorf("seed %d: values from %v to %v do not fill the unit cube", seed, low, high)
			}
		}
		if c := slices.Min(train.ClassCounts()); c < 0.1*float64(g.Rows) {
			t.Errorf("seed %d: a class has %v of %d rows", seed, c, g.Rows)
		}
		centred := g
		centred.Centred = true
		wide, _, _, err := centred.Data()
		if err != nil {
			t.Fatalf("seed %d, centred: %v", seed, err)
		}
		if low, high := slices.Min(wide.X), slices.Max(wide.X); low < -1 || high >= 1 || low > -0.9 || high < 0.9 {
			t.Errorf("seed %d: values from %v to %v do not fill [-1, 1]", seed, low, high)
		}
		for i := range truth.Nodes {
			if s := truth.Nodes[i].Split; s != nil {
				tooLarge := func(w tree.Term) bool { return math.Abs(w.Weight) > 1 }
				if math.Abs(s.Threshold) > 1 || slices.ContainsFunc(s.Terms, tooLarge) {
					t.Errorf("seed %d: split %v is outside [-1, 1]", seed, s)
				}
				seen[s.Threshold] = true
			}
		}
		again, _, same, _ := g.Data()
		if diff := cmp.Diff(train, again, cmpopts.EquateEmpty()); diff != "" || !same.Equal(truth) {
			t.Errorf("seed %d: not the same again: %s", seed, diff)
		}
	}
	if len(seen) < 100 {
		t.Errorf("%d different thresholds in all trees", len(seen))
	}
}

func TestGTODefaults(t *testing.T) {
	_, test, truth, err := generate.GTO{Features: 5, Rows: 200, Seed: 1}.Data()
	if err != nil || test != nil || truth.Splits() != 3 {
		t.Fatalf("%v, %v", test, err)
	}
	var classes []string
	for i := range truth.Nodes {
		if n := &truth.Nodes[i]; n.Leaf() {
			classes = append(classes, truth.Classes[n.Class])
		}
	}
	if !slices.Equal(classes, []string{"A", "B", "A", "B"}) {
		t.Errorf("the leaves are %v", classes)
	}
}

func TestGTOBad(t *testing.T) {
	for want, g := range map[string]generate.GTO{
		"0 features":           {Rows: 10},
		"1 rows":               {Features: 1, Rows: 1},
		"-1 test rows":         {Features: 1, Rows: 10, TestRows: -1},
		"depth 17":             {Features: 1, Rows: 10, Depth: 17},
		"minimum fraction 0.6": {Features: 1, Rows: 10, MinShare: 0.6},
		"none of 10000 trees":  {Features: 1, Rows: 3, MinShare: 0.5},
	} {
		if _, _, _, err := g.Data(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, expected %q", g, err, want)
		}
	}
}
