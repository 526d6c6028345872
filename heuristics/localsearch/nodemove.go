package localsearch

import (
	"math"
	"slices"
)

// nodeMove re-optimises a node alone, given the two subtrees below it.
func (u *univariate) nodeMove(i int32, depth int, rows []int32) (changed, better bool) {
	n := &u.cur.nodes[i]
	before := u.lossAt(i, rows)
	sd := &u.sides
	sd.setUp(u.sorted(rows))
	if !u.cur.aboveLeaves(i) {
		u.setWrong(0, sd.rows.rows, n.left, n.right)
		sd.may[0] = !u.minLeaf
	} else {
		sd.may[0] = depth < u.depth && u.splitsBelow(i) != 0
	}
	sd.reset(0)
	sd.optimise()
	u.budget.spend(sd.work())
	if sd.fixed[0] && u.minLeaf {
		u.heavySplits(i, before)
	}
	if u.minLeaf && (sd.best[0].kind == toLeft || sd.best[0].kind == toRight) && !u.heavyEnough(i, sd.best[0].kind, rows) {
		sd.best[0].loss = math.Inf(1)
	}
	if leaf := u.leafLoss(rows); sd.fixed[0] && leaf <= sd.best[0].loss+u.tolerance {
		sd.best[0] = change{loss: leaf, kind: toLeaf}
	}
	if sd.best[0].loss >= before-u.tolerance {
		return false, false
	}
	u.become(i, sd.best[0])
	return true, u.settle(i, rows, before)
}

// heavyEnough says whether all leaves of a subtree that takes the place of node
// i stay heavy enough.
func (u *univariate) heavyEnough(i int32, kind changeKind, rows []int32) bool {
	child := u.cur.nodes[i].left
	if kind == toRight {
		child = u.cur.nodes[i].right
	}
	u.swapped.copySubtree(&u.cur, child)
	_, _, least := u.tidy(&u.swapped, 0, slices.Clone(rows))
	return least >= u.floor
}

// heavySplits is sides.splitsAbove where the least leaf weight may bind.
func (u *univariate) heavySplits(i int32, before float64) {
	sd, d, n := &u.sides, &u.light, u.cur.nodes[i]
	below := sd.splits[0][0] + sd.splits[0][1] + 1
	price := u.price * float64(below)
	for _, kind := range []changeKind{toSplit, toSwapped} {
		left, right, base := n.left, n.right, sd.errs[0][1]
		if kind == toSwapped {
			left, right, base = n.right, n.left, sd.errs[0][0]
		}
		u.setLeaves(left, right)
		u.gain = u.gain[:0]
		for q := range sd.v {
			g := sd.v[q][0]
			if kind == toSwapped {
				g = -g
			}
			u.gain = append(u.gain, g)
		}
		best := base + price - min(before, sd.best[0].loss) + u.tolerance
		for _, j := range sd.rows.features {
			if u.budget.ended() {
				break
			}
			if q, sum := d.sweep(sd.rows.order(j), u.gain, sd.rows.w, best); q >= 0 {
				sd.accept(0, change{base - sum + price, below, kind, j, q})
				best = sum + u.tolerance
			}
		}
		u.budget.spend(2 * sd.work())
	}
}

// setLeaves notes the leaf that each row reaches in both subtrees.
func (u *univariate) setLeaves(left, right int32) {
	d, rows := &u.light, u.sides.rows
	d.floor = u.floor
	d.leftLeaf, d.rightLeaf = d.leftLeaf[:0], d.rightLeaf[:0]
	d.start = slices.Grow(d.start[:0], len(u.cur.nodes))[:len(u.cur.nodes)]
	d.weight = slices.Grow(d.weight[:0], len(u.cur.nodes))[:len(u.cur.nodes)]
	clear(d.start)
	for q, r := range rows.rows {
		d.leftLeaf = append(d.leftLeaf, u.find(left, r))
		d.rightLeaf = append(d.rightLeaf, u.find(right, r))
		d.start[d.rightLeaf[q]] += rows.w[q]
	}
}
