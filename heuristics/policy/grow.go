package policy

import (
	"slices"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/tree"
)

// greedy splits leaves until the depth is reached, each by its best split with one answer
// on either side, also where that saves nothing yet: splits below may. The root is split by
// feature root in the middle, for -1 by the best split, too.
func greedy(ds *dataset.Dataset, s *sweeper, depth, root int) *tree.Tree {
	type open struct {
		at, depth int
		rows      tree.Subset
	}
	t, parts := tree.NewLeaf(ds, 0), tree.NewPartitioner(s.pre)
	for stack := []open{{0, 0, s.pre.All().Clone()}}; len(stack) > 0; {
		n := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if n.depth == depth || s.pre.P() == 0 || slices.Min(s.costs(n.rows.Order(0))) == 0 {
			continue
		}
		best, ok := found{}, false
		if n.at == 0 && root >= 0 {
			best, ok = s.middle(n.rows, root)
		} else {
			best, ok = s.best(n.rows)
		}
		if !ok {
			continue
		}
		left, right := t.Grow(n.at, best.split(), 0, 0)
		l, r := parts.Split(n.rows, best.feature, best.size)
		stack = append(stack, open{right, n.depth + 1, r}, open{left, n.depth + 1, l})
	}
	t.Relabel(ds)
	return t
}
