package exact

import "math"

// Lanes of costs. Where answers have costs, a wide lane says with the row's weight, or 0,
// whether its cut sends the row left; what the row costs each class is added to a sum per
// class and lane. At a boundary the two leaves of a stump cost the least of the sums before
// it, and the least of those after it: sums of the part less those before. The same of the
// right part, whose sums are those of all rows less the left part's.

// mostCostBytes is what an entry can address of costs.
const mostCostBytes = math.MaxUint32

// costLanes is what the routines of costs work on. costlanes_amd64.s knows this layout.
type costLanes struct {
	lanes *uint64
	costs *int32 // (n, K)
	k     int
	sums  *laneRow    // (K) of the rows passed, per lane
	left  *laneRow    // (K) of the left part
	right *laneRow    // (K) of the right part
	whole *laneRow    // (K) of the rows passed, whatever their side: the first half, 8 times the same
	best  *[2]laneRow // the least cost of a stump, left and right
}

// costBatch holds the memory of costLanes.
type costBatch struct {
	lanes                    costLanes
	sums, left, right, whole []laneRow
	all                      []laneRow // (K) whole of all rows
	best                     [2]laneRow
}

func newCostBatch(p *problem, lanes []uint64) *costBatch {
	x := &costBatch{
		sums: make([]laneRow, p.k), left: make([]laneRow, p.k), right: make([]laneRow, p.k),
		whole: make([]laneRow, p.k), all: make([]laneRow, p.k),
	}
	x.lanes = costLanes{
		lanes: &lanes[0], costs: &p.wideCost[0], k: p.k,
		sums: &x.sums[0], left: &x.left[0], right: &x.right[0], whole: &x.whole[0], best: &x.best,
	}
	return x
}

// layCosts fills p.wideCost: costs rounded down to multiples of the grain.
func (p *problem) layCosts() {
	p.wideCost = make([]int32, len(p.cost))
	for i, c := range p.cost {
		p.wideCost[i] = int32(math.Floor(c / p.grain))
	}
}

// evaluateCosts fills left and right for the cuts that were added.
func (b *batch) evaluateCosts(nd *pairNode) {
	b.lay(nd)
	x, p, g := b.costs, b.p, b.p.grain
	clear(x.sums)
	clear(x.whole)
	addCosts(&x.lanes, &nd.rows[0], nd.n)
	copy(x.left, x.sums)
	copy(x.all, x.whole)
	used := b.used * slotLanes
	for l := range used {
		b.left[l].leaf, b.right[l].leaf = math.Inf(1), math.Inf(1)
		for c := range p.k {
			left := x.left[c].at(wideLanes, l)
			right := x.all[c].at(wideLanes, 0) - left
			x.right[c].set(wideLanes, l, right)
			b.left[l].leaf, b.right[l].leaf = min(b.left[l].leaf, g*left), min(b.right[l].leaf, g*right)
		}
		for side := range x.best {
			x.best[side].set(wideLanes, l, math.MaxInt32)
		}
	}
	for f := range p.p {
		seq := nd.order(f)
		low, high := split(seq, nd.mode[f])
		if low > 0 {
			clear(x.sums)
			clear(x.whole)
			forwardCosts(&x.lanes, &seq[0], low)
		}
		if n := len(seq) - high; n > 0 {
			copy(x.sums, x.left)
			copy(x.whole, x.all)
			backwardCosts(&x.lanes, &seq[len(seq)-1], n)
		}
	}
	for l := range used {
		b.left[l].stump = min(b.left[l].leaf, g*x.best[0].at(wideLanes, l))
		b.right[l].stump = min(b.right[l].leaf, g*x.best[1].at(wideLanes, l))
	}
}
