package localsearch

import (
	"math"
)

// pairScan finds the best split of a node with both its children re-optimised.
type pairScan struct {
	at     []int     // positions of the thresholds of a feature
	behind []float64 // weight of the rows up to and including each
	stack  []pairInterval
	order  []int32 // features, shuffled

	bound   float64 // what must be beaten
	feature int32   // of the best split; -1: none
	pos     int
	change  [2]lsChange
}

// pairInterval are thresholds lo..hi that are still open. No tree on the left
// side loses less than left there, none on the right side less than right.
type pairInterval struct {
	lo, hi      int
	left, right float64
}

// pairMove re-optimises node i together with its children and says whether its
// subtree became better. Children that are leaves may be split, or grown anew.
func (s *uniSearch) pairMove(i int32, rows []int32) bool {
	before := s.lossAt(i, rows)
	s.sorted(rows)
	room := s.roomAt(i)
	if room >= 0 && room < 2 {
		return false // at most one split: nodeMove's
	}
	sd := &s.sides
	p := &s.pair
	p.bound, p.feature = before-s.tolerance, -1
	if s.setChildren(i, rows, false) {
		s.scanPairs(room)
	}
	exchanged := false
	if sd.fixed[0] || sd.fixed[1] {
		found := p.feature
		p.feature = -1
		if s.setChildren(i, rows, true) {
			s.scanPairs(room)
		}
		if exchanged = p.feature >= 0; !exchanged {
			p.feature = found
		}
	}
	if p.feature < 0 {
		return false
	}
	s.becomePair(i, exchanged)
	return s.settle(i, rows, before)
}

// setChildren prepares the two sides for the children of node i, exchanged or
// not. It answers false where the least leaf weight forbids the move.
func (s *uniSearch) setChildren(i int32, rows []int32, exchanged bool) bool {
	sd, n := &s.sides, s.cur.nodes[i]
	if len(rows) == s.n {
		sd.setUp(&s.all)
	} else {
		sd.setUp(&s.some)
	}
	if n.leaf() {
		return true
	}
	children := [2]int32{n.left, n.right}
	if exchanged {
		children[0], children[1] = children[1], children[0]
	}
	for side, c := range children {
		if s.aboveLeaves(c) {
			continue
		}
		if s.minLeaf {
			return false
		}
		s.setWrong(side, sd.rows.rows, s.cur.nodes[c].left, s.cur.nodes[c].right)
	}
	return true
}

// scanPairs looks for a split and changes of both children that beat the bound.
func (s *uniSearch) scanPairs(room int) {
	sd, p := &s.sides, &s.pair
	sd.room = -1
	if room >= 0 {
		sd.room = room - 1
	}
	p.order = append(p.order[:0], sd.rows.features...)
	s.rng.Shuffle(len(p.order), func(a, b int) { p.order[a], p.order[b] = p.order[b], p.order[a] })
	for _, j := range p.order {
		if p.bound <= 0 || !s.scanFeature(j) {
			return
		}
	}
}

// scanFeature is scanPairs for the splits on feature j; false where a limit
// ended it. Thresholds are tried in the middle of intervals. An interval is left
// where the losses known of its sides, each from a subset of the rows, reach the
// bound; around a threshold, those are left that are nearer than the weight by
// which it misses the bound.
func (s *uniSearch) scanFeature(j int32) bool {
	sd, p := &s.sides, &s.pair
	order := sd.rows.order(j)
	p.at, p.behind = p.at[:0], p.behind[:0]
	sum := 0.0
	for q, e := range order {
		sum += sd.rows.w[e>>1]
		if e&1 == 1 {
			p.at, p.behind = append(p.at, q), append(p.behind, sum)
		}
	}
	sd.reset(1)
	front := 0 // rows before it are on the left
	p.stack = append(p.stack[:0], pairInterval{lo: 0, hi: len(p.at) - 1})
	for len(p.stack) > 0 {
		v := p.stack[len(p.stack)-1]
		p.stack = p.stack[:len(p.stack)-1]
		if v.lo > v.hi || v.left+v.right+s.price >= p.bound {
			continue
		}
		m := (v.lo + v.hi) / 2
		for ; front <= p.at[m]; front++ {
			sd.move(order[front]>>1, 0)
		}
		for ; front > p.at[m]+1; front-- {
			sd.move(order[front-1]>>1, 1)
		}
		sd.optimise()
		loss, change := sd.together()
		loss += s.price
		if loss < p.bound {
			p.bound, p.feature, p.pos, p.change = loss-s.tolerance, j, p.at[m], change
		}
		if s.budget.spend(sd.work()) {
			return false
		}
		near := loss - p.bound
		if math.IsInf(loss, 1) {
			near = 0 // a side is too light: nothing is known of the neighbours
		}
		lo, hi := m-1, m+1
		for lo >= v.lo && p.behind[m]-p.behind[lo] <= near {
			lo--
		}
		for hi <= v.hi && p.behind[hi]-p.behind[m] <= near {
			hi++
		}
		left, right := sd.best[0].loss, sd.best[1].loss
		if s.minLeaf {
			left, right = 0, 0 // without a least weight they would hold
		}
		p.stack = append(p.stack,
			pairInterval{v.lo, lo, v.left, max(v.right, right)},
			pairInterval{hi, v.hi, max(v.left, left), v.right})
	}
	return true
}

// becomePair applies the split found to node i. Each child is made a node first,
// where there is none.
func (s *uniSearch) becomePair(i int32, exchanged bool) {
	t, p := &s.cur, &s.pair
	if t.nodes[i].leaf() {
		l := t.newLeaf(0)
		r := t.newLeaf(0)
		t.nodes[i].left, t.nodes[i].right = l, r
	}
	n := &t.nodes[i]
	if exchanged {
		n.left, n.right = n.right, n.left
	}
	n.feature, n.cut = p.feature, s.sides.rows.cut(s.lsData, p.feature, p.pos)
	left, right := n.left, n.right
	s.become(left, p.change[0])
	s.become(right, p.change[1])
}
