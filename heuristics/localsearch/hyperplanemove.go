package localsearch

import (
	"cmp"
	"math"
	"slices"

	"github.com/octgen/octgen/tree"
)

// These methods implement moveSet for hyperplane trees.

// begin first takes, without kicks, the last of the starts, which is the best, the single leaf, and
// the other starts; then it alternates between the best tree and random splits at the root.
func (h *hyperplanes) begin(starts, restart int) beginning[hyperplane] {
	switch {
	case restart == 1:
		return beginning[hyperplane]{from: fromLeaf}
	case restart <= starts:
		return beginning[hyperplane]{from: fromStart, start: starts - max(1, restart)}
	case (restart-starts)%2 == 1:
		return beginning[hyperplane]{from: fromBest, patience: patience}
	}
	return beginning[hyperplane]{from: fromKick, patience: patience / 3}
}

// adopt scales a split to sum |a| = 1; it returns false for a split without non-constant features.
// Constant features become part of the threshold.
func (h *hyperplanes) adopt(split *tree.Split) (hyperplane, bool) {
	p := hyperplane{a: make([]float64, len(h.active)), b: split.Threshold}
	norm := 0.0
	for _, term := range split.Terms {
		jx, ok := slices.BinarySearch(h.active, int32(term.Feature))
		if !ok {
			p.b -= term.Weight * h.ds.At(0, term.Feature)
			continue
		}
		p.a[jx] = term.Weight * h.span[jx]
		p.b -= term.Weight * h.low[jx]
		norm += math.Abs(p.a[jx])
	}
	for jx := range p.a {
		p.a[jx] /= norm
	}
	p.b /= norm
	return p, norm > 0 && !math.IsInf(norm, 0) && !math.IsNaN(p.b) && !math.IsInf(p.b, 0)
}

// kinds returns 1: the only move is that of a single node.
func (h *hyperplanes) kinds(int) uint8 { return 1 }

func (h *hyperplanes) move(_ uint8, at visit, rows []int32) (changed, better bool) {
	better = h.planeMove(at.node, at.depth, rows)
	return better, better
}

// kick gives the node a split on one or two features.
func (h *hyperplanes) kick(at visit, rows []int32) bool {
	p := h.between(rows, h.mostFeatures(at.node))
	if left := h.countLeft(&p, rows); left == 0 || left == len(rows) {
		return false
	}
	h.cur.reopen(0)
	h.cur.setSplit(at.node, p)
	h.cur.nodes[at.node].stuck = allStuck // the nodes below come first
	return true
}

// between returns a plane that separates two random rows on one or two features.
func (h *hyperplanes) between(rows []int32, room int) hyperplane {
	p := hyperplane{a: make([]float64, len(h.active))}
	i, k := rows[h.rng.IntN(len(rows))], rows[h.rng.IntN(len(rows))]
	norm := 0.0
	for range min(1+h.rng.IntN(2), room) {
		jx := h.rng.IntN(len(h.active))
		norm -= math.Abs(p.a[jx])
		p.a[jx] = 2*h.rng.Float64() - 1
		norm += math.Abs(p.a[jx])
	}
	for jx := range p.a {
		p.a[jx] /= norm
		p.b += p.a[jx] * (h.column[jx][i] + h.column[jx][k]) / 2
	}
	return p
}

func (h *hyperplanes) countLeft(p *hyperplane, rows []int32) int {
	n := 0
	for _, i := range rows {
		if h.value(p, i) < 0 {
			n++
		}
	}
	return n
}

// measure also counts the weight within margins: a tree that has any is never the best, since the
// single leaf is kept first and has a smaller loss.
func (h *hyperplanes) measure(float64, int) float64 { return h.lossAt(0, h.everything) }

func (h *hyperplanes) exact() bool { return false }

// emit measures the sides in the data's units. A univariate split is x_j < b.
func (h *hyperplanes) emit(p *hyperplane, left, right []int32) (split *tree.Split, exchanged bool) {
	split, exchanged = h.unscaled(p)
	if exchanged {
		left, right = right, left
	}
	if !split.Centre(h.ds, left, right) {
		return nil, false
	}
	return split, exchanged
}

// unscaled returns the plane as a split in the data's units, without its threshold; exchanged
// reports that its sides are exchanged, so that a univariate split is x_j < b.
func (h *hyperplanes) unscaled(p *hyperplane) (split *tree.Split, exchanged bool) {
	split = &tree.Split{}
	for jx, a := range p.a {
		if a != 0 {
			split.Terms = append(split.Terms, tree.Term{Feature: int(h.active[jx]), Weight: a / h.span[jx]})
		}
	}
	if len(split.Terms) == 1 {
		exchanged = split.Terms[0].Weight < 0
		split.Terms[0].Weight = 1
	}
	return split, exchanged
}

// climbs is the number of climbs per node and pricing of the rows: many short climbs find more than
// few long ones, since each ends in a local minimum.
const climbs = 4

// planeChange is the best change of a node so far.
type planeChange struct {
	loss  float64 // of its subtree
	found bool
	kind  changeKind
	plane hyperplane
}

// better records a change with a smaller loss, and reports whether it is smaller.
func (c *planeChange) better(loss float64, kind changeKind) bool {
	if loss >= c.loss {
		return false
	}
	c.loss, c.kind, c.found = loss, kind, true
	return true
}

// planeMove re-optimises node i given the subtrees below it, or with two new leaves, or replaces
// it, and reports whether its subtree improved.
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

// climbFrom climbs from the plane of n, if it has one, and from univariate ones, to a change of the
// given kind, where below is the penalty for everything below.
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

// labelPairs lists the pairs of classes for two leaves: all pairs of the three heaviest.
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

// change applies a change to node i and reports whether its subtree improved; if it did not, or a
// leaf became too light, it restores the tree.
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
