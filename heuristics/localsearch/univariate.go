package localsearch

import (
	"math/rand/v2"
	"slices"

	"github.com/octgen/octgen/tree"
)

// threshold is a univariate split: rows whose value of the feature has a rank below
// go left.
type threshold struct{ feature, rank int32 }

// univariate is what the moves of univariate trees share.
type univariate struct {
	*state[threshold]
	all, some rowSet // of the root, and of another node
	sides     sides
	pair      pairScan
	light     deficit
	gain      []float64
	gini      []tree.Best
	swapped   workTree[threshold] // scratch
}

// pairScan finds the best split of a node with both its children re-optimised.
type pairScan struct {
	at     []int     // positions of the thresholds of a feature
	behind []float64 // weight of the rows up to and including each
	stack  []pairInterval
	order  []int32 // features, shuffled

	bound   float64 // what must be beaten
	feature int32   // of the best split; -1: none
	pos     int
	change  [2]change
}

// pairInterval are thresholds lo..hi that are still open. No tree on the left
// side loses less than left there, none on the right side less than right.
type pairInterval struct {
	lo, hi      int
	left, right float64
}

func newUnivariate(p *problem, b *budget, rng *rand.Rand) *univariate {
	u := &univariate{state: newState[threshold](p, b, rng)}
	u.splitting = u
	u.sides = sides{
		d: p.data, price: p.price, tolerance: p.tolerance, floor: p.floor, minLeaf: p.minLeaf,
		total: make([]float64, 2*p.k), left: make([]float64, 2*p.k),
	}
	u.all.fill(p.data, p.everything)
	return u
}

// terms of a split: one.
func (u *univariate) terms(*threshold) int { return 1 }

// route moves the rows that go left to the front and returns their number.
func (u *univariate) route(split *threshold, rows []int32) int {
	ranks, left := u.pre.Ranks(int(split.feature)), 0
	for q, r := range rows {
		if ranks[r] < split.rank {
			rows[q], rows[left] = rows[left], r
			left++
		}
	}
	return left
}

// find returns the leaf that row i of the data reaches from node at.
func (u *univariate) find(at, i int32) int32 {
	nodes := u.cur.nodes
	for n := &nodes[at]; n.left != 0; n = &nodes[at] {
		if u.pre.Ranks(int(n.split.feature))[i] < n.split.rank {
			at = n.left
		} else {
			at = n.right
		}
	}
	return at
}

// lossAt is the loss of the subtree of node i for the rows that reach it.
func (u *univariate) lossAt(i int32, rows []int32) float64 {
	loss := u.price * float64(u.cur.splits(i))
	for _, r := range rows {
		if u.cur.nodes[u.find(i, r)].class != u.y[r] {
			loss += u.w[r]
		}
	}
	return loss
}

// sorted returns the rows in the order of each feature.
func (u *univariate) sorted(rows []int32) *rowSet {
	if len(rows) == u.n {
		return &u.all
	}
	u.some.fill(u.data, rows)
	u.budget.stats.Work += int64(u.n * u.p / 4)
	return &u.some
}

// after is the split of rows whose threshold follows position q of feature j.
func (u *univariate) after(rows *rowSet, j int32, q int) threshold {
	return threshold{j, rows.rankAfter(u.data, j, q)}
}

// setWrong notes which of the two subtrees err at each of the rows.
func (u *univariate) setWrong(side int, rows []int32, left, right int32) {
	sd := &u.sides
	sd.fixed[side] = true
	sd.splits[side] = [2]int{u.cur.splits(left), u.cur.splits(right)}
	sd.wrong[side] = slices.Grow(sd.wrong[side][:0], len(rows))[:len(rows)]
	for q, i := range rows {
		var e uint8
		if u.cur.nodes[u.find(left, i)].class != u.y[i] {
			e = 1
		}
		if u.cur.nodes[u.find(right, i)].class != u.y[i] {
			e |= 2
		}
		sd.wrong[side][q] = e
	}
}

// splitsBelow is the number of splits that the subtree of node i may have, -1 for any.
func (u *univariate) splitsBelow(i int32) int {
	if u.most == 0 {
		return -1
	}
	return u.most - u.cur.splits(0) + u.cur.splits(i)
}

// become makes a change found by sides of node i.
func (u *univariate) become(i int32, c change) {
	var split threshold
	if c.kind == toStump || c.kind == toSplit || c.kind == toSwapped {
		split = u.after(u.sides.rows, c.feature, c.pos)
	}
	u.cur.become(i, c.kind, split)
}

// settle tidies the subtree of node i after a move and says whether it became
// better than before.
func (u *univariate) settle(i int32, rows []int32, before float64) bool {
	errs, splits, _ := u.tidy(&u.cur, i, rows)
	after := errs + u.price*float64(splits)
	u.loss += after - before
	u.budget.stats.Moves++
	return after < before-u.tolerance
}
