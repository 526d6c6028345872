package fit_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/internal/datatest"
	"github.com/octgen/octgen/tree"
)

// upperSplits are one to three random splits at and below the root, within a depth, on some
// of the features.
func upperSplits(rng *rand.Rand, ds *dataset.Dataset, depth int, features []int) *tree.Tree {
	f := tree.NewLeaf(ds, 0)
	leaves := map[int]int{0: 0} // with their depths
	for range 1 + rng.IntN(3) {
		for leaf := len(f.Nodes) - 1; leaf >= 0; leaf-- {
			if d, ok := leaves[leaf]; ok && d < depth && rng.IntN(2) == 0 {
				j := features[rng.IntN(len(features))]
				v := ds.Distinct(j)
				l, r := f.Grow(leaf, tree.Univariate(j, v[rng.IntN(len(v))]-0.25), 0, 0)
				delete(leaves, leaf)
				leaves[l], leaves[r] = d+1, d+1
				break
			}
		}
	}
	return f
}

// fixing is m with the splits of a tree that stay, on the data.
func fixing(t *testing.T, m problem.Method, ds *dataset.Dataset, f *tree.Tree) problem.Method {
	t.Helper()
	of, err := problem.ReadFiles(m, problem.Files{Tree: func(string) (*tree.Tree, error) { return f, nil }})
	if err == nil {
		_, err = of.On(context.Background(), problem.NewData(ds), 0)
	}
	if err != nil {
		t.Fatal(err)
	}
	return of
}

// TestFixedForbidden: columns that no split may use are as if the data had not had them,
// below splits that stay, too, with limits on rates, columns and splits and without. The
// splits that stay keep their thresholds.
func TestFixedForbidden(t *testing.T) {
	rng := rand.New(rand.NewPCG(18, 2))
	compared, infeasible := 0, 0
	for trial := range 160 {
		ds := datatest.Tied(rng, 8, 3)
		if ds.P() < 2 {
			continue
		}
		forbidden := rng.IntN(ds.P())
		var rest []int
		for j := range ds.P() {
			if j != forbidden {
				rest = append(rest, j)
			}
		}
		m := problem.OCT{Fixing: problem.Fixing{Fix: "upper.json"}}
		m.Depth = problem.Depth(1 + rng.IntN(3))
		m.Alpha = []float64{0, 0.02, 0.2}[rng.IntN(3)]
		m.MaxSplits = rng.IntN(5)
		switch rng.IntN(4) {
		case 0:
			m.Recall = []string{ds.Classes[0] + ">=0.7"}
		case 1:
			m.Share = []string{ds.Classes[1] + "<=0.4"}
			m.MaxFeatures = 1
		case 2:
			m.FeatureCost = []string{ds.Features[rest[0]] + "=0.1"}
		}
		f := upperSplits(rng, ds, int(m.Depth), rest)
		fewer, all := m, m
		all.Forbid = []string{ds.Features[forbidden]}
		without := ds.WithFeatures(rest)
		want, none := fit.Run(context.Background(), without, fit.Options{Method: fixing(t, &fewer, without, f), Engine: problem.Search})
		got, wrong := fit.Run(context.Background(), ds, fit.Options{Method: fixing(t, &all, ds, f), Engine: problem.Search})
		if none != nil || wrong != nil {
			if (none == nil) != (wrong == nil) || errors.Is(none, fit.ErrInfeasible) != errors.Is(wrong, fit.ErrInfeasible) {
				t.Errorf("trial %d: %v, without the column %v", trial, wrong, none)
			}
			infeasible++
			continue
		}
		compared++
		if got.Status != "optimal" || want.Status != "optimal" || math.Abs(*got.Objective-*want.Objective) > 1e-9 {
			t.Errorf("trial %d: %s with %v, without the column %s with %v", trial, got.Status, *got.Objective, want.Status, *want.Objective)
		}
		for i, s := range f.Collapse(ds).Nodes {
			if i == 0 && s.Split != nil && got.Tree.Nodes[0].Split.Threshold != s.Split.Threshold {
				t.Errorf("trial %d: the root splits at %v, not at %v", trial, got.Tree.Nodes[0].Split.Threshold, s.Split.Threshold)
			}
		}
	}
	t.Logf("%d compared, %d without a tree", compared, infeasible)
	if compared < 60 {
		t.Errorf("only %d compared", compared)
	}
}
