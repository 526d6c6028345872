package localsearch

import (
	"math"
)

// pairMove re-optimises node i together with its children. Children that are leaves
// may be split, or grown anew.
func (u *univariate) pairMove(i int32, rows []int32) (changed, better bool) {
	before := u.lossAt(i, rows)
	u.sorted(rows)
	room := u.splitsBelow(i)
	if room >= 0 && room < 2 {
		return false, false // at most one split: nodeMove's
	}
	sd := &u.sides
	p := &u.pair
	p.bound, p.feature = before-u.tolerance, -1
	if u.setChildren(i, rows, false) {
		u.scanPairs(room)
	}
	exchanged := false
	if sd.fixed[0] || sd.fixed[1] {
		found := p.feature
		p.feature = -1
		if u.setChildren(i, rows, true) {
			u.scanPairs(room)
		}
		if exchanged = p.feature >= 0; !exchanged {
			p.feature = found
		}
	}
	if p.feature < 0 {
		return false, false
	}
	u.becomePair(i, exchanged)
	return true, u.settle(i, rows, before)
}

// setChildren prepares the two sides for the children of node i, exchanged or
// not. It answers false where the least leaf weight forbids the move.
func (u *univariate) setChildren(i int32, rows []int32, exchanged bool) bool {
	sd, n := &u.sides, u.cur.nodes[i]
	if len(rows) == u.n {
		sd.setUp(&u.all)
	} else {
		sd.setUp(&u.some)
	}
	if n.leaf() {
		return true
	}
	children := [2]int32{n.left, n.right}
	if exchanged {
		children[0], children[1] = children[1], children[0]
	}
	for side, c := range children {
		if u.cur.aboveLeaves(c) {
			continue
		}
		if u.minLeaf {
			return false
		}
		u.setWrong(side, sd.rows.rows, u.cur.nodes[c].left, u.cur.nodes[c].right)
	}
	return true
}

// scanPairs looks for a split and changes of both children that beat the bound.
func (u *univariate) scanPairs(room int) {
	sd, p := &u.sides, &u.pair
	sd.room = -1
	if room >= 0 {
		sd.room = room - 1
	}
	p.order = append(p.order[:0], sd.rows.features...)
	u.rng.Shuffle(len(p.order), func(a, b int) { p.order[a], p.order[b] = p.order[b], p.order[a] })
	for _, j := range p.order {
		if p.bound <= 0 || !u.scanFeature(j) {
			return
		}
	}
}

// scanFeature is scanPairs for the splits on feature j; false where a limit
// ended it. Thresholds are tried in the middle of intervals. An interval is left
// where the losses known of its sides, each from a subset of the rows, reach the
// bound; around a threshold, those are left that are nearer than the weight by
// which it misses the bound.
func (u *univariate) scanFeature(j int32) bool {
	sd, p := &u.sides, &u.pair
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
		if v.lo > v.hi || v.left+v.right+u.price >= p.bound {
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
		loss += u.price
		if loss < p.bound {
			p.bound, p.feature, p.pos, p.change = loss-u.tolerance, j, p.at[m], change
		}
		if u.budget.spend(sd.work()) {
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
		if u.minLeaf {
			left, right = 0, 0 // without a least weight they would hold
		}
		p.stack = append(p.stack,
			pairInterval{v.lo, lo, v.left, max(v.right, right)},
			pairInterval{hi, v.hi, max(v.left, left), v.right})
	}
	return true
}

// becomePair makes the change found of node i and of both its children.
func (u *univariate) becomePair(i int32, exchanged bool) {
	p := &u.pair
	kind := toSplit
	switch {
	case u.cur.nodes[i].leaf():
		kind = toStump
	case exchanged:
		kind = toSwapped
	}
	u.cur.become(i, kind, u.after(u.sides.rows, p.feature, p.pos))
	left, right := u.cur.nodes[i].left, u.cur.nodes[i].right
	u.become(left, p.change[0])
	u.become(right, p.change[1])
}
