package cart

import (
	"math"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/tree"
)

// BestSubtree returns the best tree that comes from t by turning branch nodes
// into leaves of their majority class on ds: the one that minimises the OCT
// objective errorWeight/Lhat + alpha*splits (tree.Objective) with at most the
// given depth and number of splits; negative: no limit. Of equally good ones it
// takes one with the fewest splits. Leaves of t keep their class. The result
// is annotated with ds. A minimum leaf weight that t obeys, the result obeys.
//
// Exact: dynamic programming over nodes, and over nodes x splits only where
// maxSplits binds, O(nodes x maxSplits) in memory and times that in time.
func BestSubtree(ds *dataset.Dataset, t *tree.Tree, alpha float64, depth, maxSplits int) *tree.Tree {
	a := t.Clone()
	a.Annotate(ds)
	s := newSubtreeSearch(a, alpha*tree.ErrorScale(ds), depth)
	keep, splits := s.unlimited()
	if maxSplits >= 0 && splits > maxSplits {
		keep = s.limited(maxSplits)
	}
	return a.Prune(func(i int) bool { return !keep[i] })
}

// subtreeSearch chooses the branch nodes to keep. All in units of weight.
type subtreeSearch struct {
	tree      *tree.Tree
	penalty   float64   // per split
	tolerance float64   // rounding: what counts as equal
	may       []bool    // (nodes) branch nodes above the depth limit
	leaf      []float64 // (nodes) error weight as a leaf, with costs what is lost against the least cost of each row
}

func newSubtreeSearch(t *tree.Tree, penalty float64, depth int) *subtreeSearch {
	s := &subtreeSearch{tree: t, penalty: penalty, may: make([]bool, len(t.Nodes)), leaf: make([]float64, len(t.Nodes))}
	level := make([]int, len(t.Nodes))
	for i := range t.Nodes {
		n := &t.Nodes[i]
		for k, w := range n.Weight {
			if k != n.Class {
				s.leaf[i] += w
			}
		}
		if n.Excess != nil {
			s.leaf[i] = n.Excess[n.Class]
		}
		if !n.Leaf() {
			level[n.Left], level[n.Right] = level[i]+1, level[i]+1
			s.may[i] = depth < 0 || level[i] < depth
		}
	}
	scale := t.Nodes[0].Weight
	if t.Nodes[0].Excess != nil {
		scale = t.Nodes[0].Excess
	}
	for _, w := range scale {
		s.tolerance += 1e-12 * w
	}
	return s
}

// unlimited returns the branch nodes of the best subtree with any number of
// splits, and that number. By induction from the leaves, each node has the
// least cost below it and, with it, the fewest splits.
func (s *subtreeSearch) unlimited() (keep []bool, splits int) {
	n := len(s.tree.Nodes)
	keep = make([]bool, n)
	cost, count := make([]float64, n), make([]int, n)
	for i := n - 1; i >= 0; i-- {
		cost[i] = s.leaf[i]
		if !s.may[i] {
			continue
		}
		l, r := s.tree.Nodes[i].Left, s.tree.Nodes[i].Right
		if c := cost[l] + cost[r] + s.penalty; c < cost[i]-s.tolerance {
			keep[i], cost[i], count[i] = true, c, 1+count[l]+count[r]
		}
	}
	return keep, count[0]
}

// limited returns the branch nodes of the best subtree with at most limit
// splits. err[i][c] is the least error weight below node i with exactly c
// splits, +Inf where there is no such subtree.
func (s *subtreeSearch) limited(limit int) []bool {
	n := len(s.tree.Nodes)
	errs := make([][]float64, n)
	toLeft := make([][]int32, n) // toLeft[i][c]: of the c-1 splits below i, those on the left
	for i := n - 1; i >= 0; i-- {
		if !s.may[i] {
			errs[i] = []float64{s.leaf[i]}
			continue
		}
		l, r := errs[s.tree.Nodes[i].Left], errs[s.tree.Nodes[i].Right]
		most := min(limit, len(l)+len(r)-1)
		errs[i], toLeft[i] = make([]float64, most+1), make([]int32, most+1)
		errs[i][0] = s.leaf[i]
		for c := 1; c <= most; c++ {
			errs[i][c] = math.Inf(1)
			for a := max(0, c-len(r)); a < min(c, len(l)); a++ {
				if e := l[a] + r[c-1-a]; e < errs[i][c] {
					errs[i][c], toLeft[i][c] = e, int32(a)
				}
			}
		}
	}
	best, at := errs[0][0], 0
	for c, e := range errs[0] {
		if v := e + s.penalty*float64(c); v < best-s.tolerance {
			best, at = v, c
		}
	}
	keep := make([]bool, n)
	type part struct{ node, splits int }
	for stack := []part{{0, at}}; len(stack) > 0; {
		p := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if p.splits == 0 {
			continue
		}
		keep[p.node] = true
		a := int(toLeft[p.node][p.splits])
		node := &s.tree.Nodes[p.node]
		stack = append(stack, part{node.Left, a}, part{node.Right, p.splits - 1 - a})
	}
	return keep
}
