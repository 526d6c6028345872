package localsearch

import (
	"cmp"
	"math"
	"slices"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/tree"
)

// patience is the number of kicks in a row without a better tree after which
// the search begins anew.
const patience = 12

// run searches until a limit, or until the best tree is known to be optimal.
func (s *uniSearch) run(starts []*tree.Tree) {
	var local lsTree
	for begun := 0; s.budget.begin(); begun++ {
		s.construct(starts, begun)
		s.descend()
		if s.keep() {
			return
		}
		local.copyFrom(&s.cur)
		least := s.loss
		for failed := 0; failed < patience && !s.budget.over(); failed++ {
			if !s.kick() {
				break
			}
			s.budget.stats.Kicks++
			s.descend()
			switch {
			case s.loss < least-s.tolerance:
				failed = -1
				fallthrough
			case s.loss <= least+s.tolerance: // another tree as good: onwards from there
				least = s.loss
				local.copyFrom(&s.cur)
				if s.keep() {
					return
				}
			default:
				s.cur.copyFrom(&local)
				s.loss = least
			}
		}
	}
}

// keep notes cur where it is the best so far, and says whether nothing can be
// better.
func (s *uniSearch) keep() bool {
	if s.loss < s.bestLoss-s.tolerance {
		s.best.copyFrom(&s.cur)
		s.bestLoss = s.loss
		s.budget.improved(s.loss / s.scale)
	}
	if s.budget.over() {
		return true
	}
	exact := s.opts.Depth <= 2 && !s.minLeaf && s.opts.MaxSplits == 0
	return exact || s.bestLoss <= s.known+s.tolerance
}

// construct makes cur the next tree to begin from: the starts first, then trees
// with one split each, at first on the features by the Gini impurity of their
// best split and then anywhere, and now and then the best tree.
func (s *uniSearch) construct(starts []*tree.Tree, begun int) {
	random := begun - len(starts)
	switch {
	case begun < len(starts):
		s.cur.nodes = s.cur.nodes[:0]
		if !s.adopt(starts[begun], 0, 0) {
			s.cur.nodes = s.cur.nodes[:0]
			s.cur.newLeaf(0)
		}
	case random%4 == 3:
		s.cur.copyFrom(&s.best)
		s.cur.dirty(0)
	default:
		s.cur.nodes = s.cur.nodes[:0]
		s.cur.newLeaf(0)
		features := s.byGini()
		at := random - random/4
		if at >= len(features) {
			at = s.rng.IntN(len(features))
			s.splitAnywhere(0, &s.all, features[at].Feature)
			break
		}
		b := features[at]
		s.split(0, int32(b.Feature), s.all.cut(s.lsData, int32(b.Feature), b.Size-1))
	}
	if s.minLeaf || s.opts.MaxSplits > 0 {
		_, splits, least := s.tidy(&s.cur, 0, slices.Clone(s.everything))
		if s.minLeaf && least < s.floor || s.opts.MaxSplits > 0 && splits > s.opts.MaxSplits {
			s.cur.nodes = s.cur.nodes[:0]
			s.cur.newLeaf(0)
		}
	}
}

// adopt adds node i of t as a node of cur at the given depth; false where it is
// not univariate.
func (s *uniSearch) adopt(t *tree.Tree, i, depth int) bool {
	n := &t.Nodes[i]
	at := s.cur.newLeaf(int32(n.Class))
	if n.Leaf() || depth == s.opts.Depth {
		return true
	}
	if !n.Split.IsUnivariate() {
		return false
	}
	j := n.Split.Terms[0].Feature
	cut, _ := slices.BinarySearch(s.pre.Values(j), n.Split.Threshold)
	left := int32(len(s.cur.nodes))
	if !s.adopt(t, n.Left, depth+1) {
		return false
	}
	right := int32(len(s.cur.nodes))
	if !s.adopt(t, n.Right, depth+1) {
		return false
	}
	c := &s.cur.nodes[at]
	c.feature, c.cut, c.left, c.right = int32(j), int32(cut), left, right
	return true
}

// byGini lists the best split of each feature that varies, the best first.
func (s *uniSearch) byGini() []tree.Best {
	if s.gini == nil {
		sweeper := tree.NewSweeper(s.pre, tree.Gini, 0)
		for _, j := range s.all.features {
			b, _ := sweeper.BestOn(s.pre.All(), int(j))
			s.gini = append(s.gini, b)
		}
		slices.SortStableFunc(s.gini, func(a, b tree.Best) int { return cmp.Compare(a.Loss, b.Loss) })
	}
	return s.gini
}

// split gives node i another split; a leaf gets two leaves.
func (s *uniSearch) split(i, feature, cut int32) {
	if s.cur.nodes[i].leaf() {
		l := s.cur.newLeaf(0)
		r := s.cur.newLeaf(0)
		s.cur.nodes[i].left, s.cur.nodes[i].right = l, r
	}
	s.cur.nodes[i].feature, s.cur.nodes[i].cut = feature, cut
}

// splitAnywhere gives node i a random split of rows on feature j, one of
// rows.features.
func (s *uniSearch) splitAnywhere(i int32, rows *lsRows, j int) {
	order := rows.order(int32(j))
	for { // the entries before a threshold are odd, and there is one
		q := s.rng.IntN(len(order))
		if order[q]&1 == 1 {
			s.split(i, int32(j), rows.cut(s.lsData, int32(j), q))
			return
		}
	}
}

// kick changes the split of a random node, and says whether there is anything
// to change. Leaves that are too light are none of its results.
func (s *uniSearch) kick() bool {
	s.swapped.copyFrom(&s.cur)
	for range 20 {
		visits := s.visit()
		v := int32(s.rng.IntN(len(visits)))
		if visits[v].depth == s.opts.Depth || s.cur.nodes[visits[v].node].leaf() && s.roomAt(visits[v].node) == 0 {
			continue
		}
		rows := s.sorted(s.rowsAt(visits, v))
		s.budget.spend(rows.n)
		if len(rows.features) == 0 {
			continue
		}
		i := visits[v].node
		j := rows.features[s.rng.IntN(len(rows.features))]
		s.splitAnywhere(i, rows, int(j))
		_, _, least := s.tidy(&s.cur, 0, append(s.scratch[:0], s.everything...))
		if s.minLeaf && least < s.floor {
			s.cur.copyFrom(&s.swapped)
			continue
		}
		s.cur.dirty(0)
		if i < int32(len(s.cur.nodes)) { // what is below it comes first
			s.cur.nodes[i].nodeDone, s.cur.nodes[i].pairDone = true, true
		}
		return true
	}
	return false
}

// descend makes moves until none makes cur better: single nodes first, the
// deepest first, then nodes with their children.
func (s *uniSearch) descend() {
	errs, splits, _ := s.tidy(&s.cur, 0, append(s.scratch[:0], s.everything...))
	s.loss = errs + s.price*float64(splits)
	for !s.budget.over() && s.loss > s.known+s.tolerance {
		visits := s.visit()
		if v := s.choose(visits, func(n *lsNode, depth int) bool { return !n.nodeDone }); v >= 0 {
			i := visits[v].node
			if !s.nodeMove(i, visits[v].depth, s.rowsAt(visits, v)) {
				s.cur.nodes[i].nodeDone = true
			}
			continue
		}
		v := s.choose(visits, func(n *lsNode, depth int) bool { return !n.pairDone && depth+2 <= s.opts.Depth })
		if v < 0 {
			return
		}
		i := visits[v].node
		if !s.pairMove(i, s.rowsAt(visits, v)) {
			s.cur.nodes[i].pairDone = true
		}
	}
}

// choose returns one of the deepest visits that are open, -1 for none.
func (s *uniSearch) choose(visits []lsVisit, open func(n *lsNode, depth int) bool) int32 {
	chosen, depth, equal := int32(-1), -1, 0
	for v := range visits {
		if visits[v].depth < depth || !open(&s.cur.nodes[visits[v].node], visits[v].depth) {
			continue
		}
		if visits[v].depth > depth {
			depth, equal = visits[v].depth, 0
		}
		equal++
		if s.rng.IntN(equal) == 0 {
			chosen = int32(v)
		}
	}
	return chosen
}

// result is the best tree in the data's units, as a tree of ds, whose merged
// rows the search had.
func (s *uniSearch) result(ds *dataset.Dataset) *tree.Tree {
	if math.IsInf(s.bestLoss, 1) {
		return leafOf(ds)
	}
	t := tree.NewLeaf(ds, 0)
	s.emit(t, 0, 0, slices.Clone(s.everything))
	t.Annotate(ds)
	return t
}

// emit makes node at of t what node i of best is, with the threshold half way
// between the rows on its two sides.
func (s *uniSearch) emit(t *tree.Tree, at int, i int32, rows []int32) {
	n := &s.best.nodes[i]
	if n.leaf() {
		t.Nodes[at].Class = int(n.class)
		return
	}
	q := s.best.route(s.lsData, i, rows)
	rank, values := s.pre.Ranks(int(n.feature)), s.pre.Values(int(n.feature))
	below, above := int32(-1), int32(math.MaxInt32)
	for _, r := range rows[:q] {
		below = max(below, rank[r])
	}
	for _, r := range rows[q:] {
		above = min(above, rank[r])
	}
	l, r := t.Grow(at, tree.Univariate(int(n.feature), tree.Midpoint(values[below], values[above])), 0, 0)
	s.emit(t, l, n.left, rows[:q])
	s.emit(t, r, n.right, rows[q:])
}
