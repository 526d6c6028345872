// Package treetest draws the trees of tests.
package treetest

import (
	"slices"

	"pgregory.net/rapid"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/tree"
)

// Upper draws splits that stay, up to so many and within a depth: at the root, at a child,
// or deeper; some part no rows.
func Upper(t *rapid.T, ds *dataset.Dataset, depth, most int) *tree.Tree {
	f := tree.NewLeaf(ds, 0)
	at := []struct{ leaf, depth int }{{0, 0}}
	for range rapid.IntRange(1, most).Draw(t, "fixed splits") {
		i := rapid.IntRange(0, len(at)-1).Draw(t, "where")
		here := at[i]
		if here.depth == depth {
			continue
		}
		j := rapid.IntRange(0, ds.P()-1).Draw(t, "fixed feature")
		v := ds.Distinct(j)
		threshold := v[0] - 1 // which parts nothing
		if rapid.IntRange(0, 7).Draw(t, "vacuous") > 0 {
			threshold = rapid.SampledFrom(v).Draw(t, "fixed value") - 0.25
		}
		l, r := f.Grow(here.leaf, tree.Univariate(j, threshold), 0, 0)
		at = append(slices.Delete(at, i, i+1), struct{ leaf, depth int }{l, here.depth + 1}, struct{ leaf, depth int }{r, here.depth + 1})
	}
	return f
}
