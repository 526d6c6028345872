package localsearch

import (
	"math/rand/v2"
	"slices"
)

// hyperplane is a split on scaled features: rows with a.x < b go left.
type hyperplane struct {
	a []float64 // (active) sum |a| = 1
	b float64
}

func (p *hyperplane) set(q *hyperplane) {
	p.a = append(p.a[:0], q.a...)
	p.b = q.b
}

// features counts the nonzeros of a.
func (p *hyperplane) features() int {
	n := 0
	for _, a := range p.a {
		if a != 0 {
			n++
		}
	}
	return n
}

// hyperplanes is what the moves of trees of hyperplanes share, for OCT-H, on features
// scaled to [0, 1]. Every split keeps the margin: with sum_j |a_j| = 1, no row at its
// node has |a.x - b| < mu/2. A loss has, beside the error weight and the price of the
// features, forbidden for each unit of weight within a margin.
//
// A node is re-optimised given the subtrees below it, or given the labels of its
// two leaves: all that matters of a row is its price on the left, on the right
// and within the margin. The split starts as it is, as the best univariate one,
// or as the best one on few features, and moves along lines (as OC1's
// perturbations, Murthy et al. 1993, section 2.1): from the plane without feature
// j to the one of feature j alone, with a random pivot on that feature, so that
// leaving out a feature and coming back to a univariate split are the ends of the
// line; and in its threshold. Each line is searched exactly (planeLine). At
// first, rows within the margin have a small price, so that a split can pass over
// them, and at last a forbidding one.
type hyperplanes struct {
	*state[hyperplane]
	active    []int32   // features that vary
	low, span []float64 // (active) of the scaling
	column    [][]float64
	half      float64 // of the margin
	forbidden float64 // price of weight within a margin

	undo  workTree[hyperplane] // scratch
	line  planeLine
	climb planeClimb
}

// planeClimb moves one plane along lines, for prices of the rows at its node
// that do not change.
type planeClimb struct {
	rows  []int32
	value []float64 // (n) at plane
	other []float64 // (n) at trial
	plane hyperplane
	trial hyperplane
	cost  float64 // of plane, with the price of its features
	room  int     // most features
}

// roomForMargin is how much more than mu is kept, for the rounding of those who
// check it.
const roomForMargin = 1 + 1e-6

// newHyperplanes scales the features; nil where the context ends that.
func newHyperplanes(p *problem, b *budget, rng *rand.Rand, mu float64) *hyperplanes {
	total := 0.0
	for _, w := range p.w {
		total += w
	}
	h := &hyperplanes{
		state: newState[hyperplane](p, b, rng), half: mu / 2 * roomForMargin,
		forbidden: 10 * (total + p.price*float64(p.p)*float64(int(2)<<min(p.depth, 20))) / slices.Min(p.w),
	}
	h.splitting = h
	for j := range p.p {
		v := p.pre.Values(j)
		if len(v) < 2 {
			continue
		}
		if b.ended() {
			return nil
		}
		low, span := v[0], v[len(v)-1]-v[0]
		column := make([]float64, p.n)
		for i := range column {
			column[i] = (p.ds.At(i, j) - low) / span
		}
		h.active, h.low, h.span, h.column = append(h.active, int32(j)), append(h.low, low), append(h.span, span), append(h.column, column)
	}
	return h
}

// value of row i at a plane, less its threshold.
func (h *hyperplanes) value(p *hyperplane, i int32) float64 {
	v := -p.b
	for jx, a := range p.a {
		if a != 0 {
			v += a * h.column[jx][i]
		}
	}
	return v
}

// terms of a split: its features.
func (h *hyperplanes) terms(p *hyperplane) int { return p.features() }

// route moves the rows that go left to the front and returns their number.
func (h *hyperplanes) route(p *hyperplane, rows []int32) int {
	left := 0
	for q, r := range rows {
		if h.value(p, r) < 0 {
			rows[q], rows[left] = rows[left], r
			left++
		}
	}
	return left
}

// cost of row i in the subtree of node at: its weight where it is classified
// wrongly, and more where it is within a margin on its way.
func (h *hyperplanes) cost(at int32, i int32) float64 {
	within := 0.0
	for {
		n := &h.cur.nodes[at]
		if n.leaf() {
			if n.class != h.y[i] {
				within += h.w[i]
			}
			return within
		}
		v := h.value(&n.split, i)
		if v > -h.half && v < h.half {
			within += h.w[i] * h.forbidden
		}
		if v < 0 {
			at = n.left
		} else {
			at = n.right
		}
	}
}

// lossAt is the loss of the subtree of node i for the rows that reach it.
func (h *hyperplanes) lossAt(i int32, rows []int32) float64 {
	loss := h.price * float64(h.termsBelow(i))
	for _, r := range rows {
		loss += h.cost(i, r)
	}
	return loss
}

// mostFeatures is the number of features that the split of node i may have.
func (h *hyperplanes) mostFeatures(i int32) int {
	if h.most == 0 {
		return len(h.active)
	}
	return h.room(i)
}
