package vertex

import (
	"math"
	"slices"
)

// purify moves from the present point to an extreme point that gets no training row
// wrong that the point gets right (Bennett & Blue 1996, theorem 4.1). Its linear program
// (21) minimises the sum of the decision errors y that are 0 on the way to a leaf where a
// row is right; its least value, 0, is that of the present point (outside, which puts all
// rows that keep their margins beyond the perturbed ones, too). So any vertex of the
// program's optimal face will do, and of those purify takes the greedy one: one
// artificial basis position after another gives way to the plane met first along its
// edge, each time the edge and way of least error. No plane is crossed, and no y that is 0
// rises. Where the context ends it, the point so far need not be extreme.
func (v *gtoVertex) purify() {
	for ; ; v.Spend(v.cells() * v.edges()) {
		best, least := -1, math.Inf(1)
		for e := range v.edges() {
			if v.Spend(v.cells()) {
				return
			}
			at := v.edgeOf[e/2]
			if v.blocks[at.d].basis[at.k] != artificial || v.meeting(e).v == artificial {
				continue
			}
			if f := v.value(e, least); f < least || best < 0 {
				best, least = e, f
			}
		}
		if best < 0 {
			return
		}
		v.step(best)
	}
}

// outside scales a decision so that a row on its margin, 1, is beyond the perturbed
// margin, at most 1 + 1.5 perturbation, and its rounding.
func outside(h marginPlane) marginPlane {
	const by = 1 + 2*perturbation
	scaled := marginPlane{slices.Clone(h.w), by * h.gamma}
	for j := range scaled.w {
		scaled.w[j] *= by
	}
	return scaled
}
