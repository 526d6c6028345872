package localsearch

import (
	"cmp"
	"slices"
)

// climbs is the number of climbs per node and pricing of the rows: many short
// ones find more than few long ones, which end in a local minimum all the same.
const climbs = 4

// planeChange is the best that can become of a node so far.
type planeChange struct {
	loss  float64 // of its subtree
	found bool
	kind  changeKind
	plane hyperplane
}

// better takes a change that loses less, and says whether it does.
func (c *planeChange) better(loss float64, kind changeKind) bool {
	if loss >= c.loss {
		return false
	}
	c.loss, c.kind, c.found = loss, kind, true
	return true
}

// planeMove re-optimises node i given the subtrees below it, or with two new
// leaves, or replaces it, and says whether its subtree became better.
func (h *hyperplanes) planeMove(i int32, depth int, rows []int32) bool {
	n := h.cur.nodes[i]
	before := h.lossAt(i, rows)
	best := planeChange{loss: before - h.tolerance}
	best.better(h.leafLoss(rows), toLeaf)
	if !n.leaf() {
		best.better(h.lossAt(n.left, rows), toLeft)
		best.better(h.lossAt(n.right, rows), toRight)
	}
	h.startClimb(rows, h.mostFeatures(i))
	switch {
	case h.climb.room < 1:
	case !h.cur.aboveLeaves(i):
		h.priceSubtrees(rows, n.left, n.right)
		h.climbFrom(&n, toSplit, h.price*float64(h.termsBelow(n.left)+h.termsBelow(n.right)), &best)
	case depth < h.depth:
		for _, pair := range h.labelPairs(rows) {
			h.priceLabels(rows, pair[0], pair[1])
			h.climbFrom(&n, toStump, 0, &best)
		}
	}
	return best.found && h.change(i, &best, rows, before)
}

// climbFrom climbs from the plane of n, if it has one, and from univariate ones, to a
// change of that kind with that price of all below.
func (h *hyperplanes) climbFrom(n *node[hyperplane], kind changeKind, below float64, best *planeChange) {
	for start := range climbs {
		switch {
		case start > 0 || n.leaf():
			h.startUnivariate(1 / float64(max(1, start)))
		default:
			h.climb.plane.set(&n.split)
		}
		h.reach(20 + 4*len(h.active))
		if best.better(h.climb.cost+below, kind) {
			best.plane.set(&h.climb.plane)
		}
	}
}

// labelPairs lists the pairs of classes that two leaves may answer: all of the
// three heaviest.
func (h *hyperplanes) labelPairs(rows []int32) [][2]int32 {
	total := make([]float64, h.k)
	for _, i := range rows {
		total[h.y[i]] += h.w[i]
	}
	classes := make([]int32, h.k)
	for c := range classes {
		classes[c] = int32(c)
	}
	slices.SortStableFunc(classes, func(a, b int32) int { return cmp.Compare(total[b], total[a]) })
	var pairs [][2]int32
	for a := range min(3, len(classes)) {
		for b := range a {
			if total[classes[a]] > 0 {
				pairs = append(pairs, [2]int32{classes[b], classes[a]})
			}
		}
	}
	return pairs
}

// change makes that change of node i and says whether its subtree became better;
// where it did not, or a leaf became too light, all is as it was.
func (h *hyperplanes) change(i int32, c *planeChange, rows []int32, before float64) bool {
	h.undo.nodes = append(h.undo.nodes[:0], h.cur.nodes...)
	h.cur.become(i, c.kind, hyperplane{slices.Clone(c.plane.a), c.plane.b})
	_, _, least := h.tidy(&h.cur, i, rows)
	after := h.lossAt(i, rows)
	if after >= before-h.tolerance || least < h.floor && h.minLeaf {
		h.cur.nodes = append(h.cur.nodes[:0], h.undo.nodes...)
		return false
	}
	h.loss += after - before
	h.budget.stats.Moves++
	return true
}
