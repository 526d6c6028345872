package regression

import (
	"math"
	"slices"
)

// Values of whole trees, whatever search they come from.

// worth is the value of a tree on all rows, those of root; infinite if it breaks a limit or a constraint other than of splits.
func (s *solver) worth(root *set, t *Node) float64 {
	l, q := s.most(), s.problem
	if t.Splits() > l.splits || !t.within(l.depth) || q.Monotone != nil && !s.keeps(root, t, everything) {
		return math.Inf(1)
	}
	v := s.lossOf(root.id, t) + s.penalty*float64(t.Splits())
	if q.columned() {
		used := make([]bool, slices.Max(q.Columns)+1)
		for _, f := range t.features(nil) {
			used[q.Columns[f]] = true
		}
		if v += s.price(used); !s.allowed(used) {
			return math.Inf(1)
		}
	}
	return v
}

// within reports whether a tree is no deeper.
func (n *Node) within(depth int) bool {
	return n.Left == nil || depth > 0 && n.Left.within(depth-1) && n.Right.within(depth-1)
}

// lossOf is that of a tree on rows of the problem; infinite if a leaf has less than the least weight.
func (s *solver) lossOf(rows []int32, t *Node) float64 {
	if t.Left != nil {
		left, right := s.parted(rows, t)
		if len(left) == 0 || len(right) == 0 {
			return math.Inf(1)
		}
		return s.lossOf(left, t.Left) + s.lossOf(right, t.Right)
	}
	v, answer, weight := 0.0, s.answer(rows), 0.0
	for _, r := range rows {
		w := s.of[r].w
		e := s.of[r].s/w - answer
		weight += w
		switch {
		case s.quantile == nil:
			v += w * e * e
		case e > 0:
			v += s.quantile.q * w * e
		default:
			v -= (1 - s.quantile.q) * w * e
		}
	}
	if weight < s.minLeaf && len(rows) < s.n {
		return math.Inf(1)
	}
	return v
}

// parted are the rows on the sides of a split.
func (s *solver) parted(rows []int32, t *Node) (left, right []int32) {
	f := t.Feature
	for _, r := range rows {
		if s.values[f][s.rank[int(r)*s.p+f]] < t.Threshold {
			left = append(left, r)
		} else {
			right = append(right, r)
		}
	}
	return left, right
}
