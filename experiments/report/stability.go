package report

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"

	"github.com/octgen/octgen/tree"
)

// use is how the trees of several folds use a feature.
type use struct {
	name      string
	trees     int     // that have it
	roots     int     // that have it at the root
	low, high float64 // its thresholds in univariate splits, NaN for none
}

// mostFeatures is how many features the table of one method lists.
const mostFeatures = 8

// stable says how the splits of a method's trees agree; false for fewer than two trees
// or without a split.
func (s *Summary) stable(method string, trees []*tree.Tree) (stability, bool) {
	uses := usesOf(trees)
	if len(trees) < 2 || len(uses) == 0 {
		return stability{}, false
	}
	all := 0
	root := uses[0]
	for _, u := range uses {
		if u.trees == len(trees) {
			all++
		}
		if u.roots > root.roots {
			root = u
		}
	}
	of := fmt.Sprintf("of %d", len(trees))
	st := stability{Method: method, Table: &htmlTable{
		Label: "Splits of " + clean(method),
		Head:  heads("feature", "trees with it", "at the root", "thresholds"),
	}}
	st.Says = fmt.Sprintf("%s at the root in %d %s trees; %d of %d features are in every tree", root.name, root.roots, of, all, len(uses))
	for _, u := range uses[:min(mostFeatures, len(uses))] {
		st.Table.Rows = append(st.Table.Rows, htmlRow{Head: u.name, Cells: []htmlCell{
			{Text: fmt.Sprintf("%d %s", u.trees, of), Value: strconv.Itoa(u.trees), Bar: number(100*float64(u.trees)/float64(len(trees)), 0)},
			{Text: strconv.Itoa(u.roots), Value: strconv.Itoa(u.roots)},
			{Text: u.thresholds()},
		}})
	}
	if more := len(uses) - mostFeatures; more > 0 {
		st.Says += fmt.Sprintf("; %d rarer ones are not listed", more)
	}
	return st, true
}

// usesOf lists the features of trees, the most used first.
func usesOf(trees []*tree.Tree) []*use {
	by := make(map[string]*use)
	for _, t := range trees {
		seen := make(map[string]bool) // in this tree
		for i := range t.Nodes {
			split := t.Nodes[i].Split
			if split == nil {
				continue
			}
			for _, term := range split.Terms {
				name := clean(t.Features[term.Feature])
				u := by[name]
				if u == nil {
					u = &use{name: name, low: math.NaN(), high: math.NaN()}
					by[name] = u
				}
				if !seen[name] {
					seen[name] = true
					u.trees++
				}
				if i == 0 {
					u.roots++
				}
				if split.IsUnivariate() {
					u.add(split.Threshold)
				}
			}
		}
	}
	return slices.SortedFunc(maps.Values(by), func(a, b *use) int {
		return cmp.Or(cmp.Compare(b.trees, a.trees), cmp.Compare(b.roots, a.roots), cmp.Compare(a.name, b.name))
	})
}

func (u *use) add(threshold float64) {
	if math.IsNaN(u.low) {
		u.low, u.high = threshold, threshold
	}
	u.low, u.high = min(u.low, threshold), max(u.high, threshold)
}

func (u *use) thresholds() string {
	write := func(v float64) string { return strconv.FormatFloat(v, 'g', 4, 64) }
	switch {
	case math.IsNaN(u.low):
		return dash
	case u.low == u.high:
		return write(u.low)
	}
	return write(u.low) + " to " + write(u.high)
}
