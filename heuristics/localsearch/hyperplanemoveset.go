package localsearch

import (
	"math"
	"slices"

	"github.com/octgen/octgen/tree"
)

// These methods make hyperplanes the move set of trees of hyperplanes.

// begin takes first, without kicks, the last of the starts, which is the best, the
// single leaf, and the other starts; then the best tree and random splits at the
// root in turn.
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

// adopt scales a split to sum |a| = 1; false where it has no feature that varies. One
// that does not is part of the threshold.
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

// kinds: a node alone.
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
	h.cur.nodes[at.node].stuck = allStuck // what is below it comes first
	return true
}

// between separates two random rows on one or two features.
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

// measure counts what is within margins, too: a tree that has any is never the best,
// since the single leaf is kept first and loses less.
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

// unscaled is the plane as a split of the data's units, without its threshold;
// exchanged says that its sides are, so that a univariate split is x_j < b.
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
