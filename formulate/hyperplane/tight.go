package hyperplane

import (
	"math"
	"slices"
)

// tight is the frame of the encodings soct and served, with the tightenings that keep them small:
//
//   - units. Rows with equal features, whatever their classes, take the same path if they keep
//     the margin, and so share the constraints of planes.
//   - swap. (a, b) -> (-a, mu - b) exchanges the sides of a split: a.x <= b - mu becomes (-a).x
//     >= mu - b, and a.x >= b becomes (-a).x <= (mu - b) - mu. Below the split, the two subtrees
//     are exchanged. So each split may be required to have one property that one of its two forms
//     has.
//   - label order, at the last level: of two sibling leaves, the left one has the smaller label.
//     Equal labels are never needed: with a = 0 all rows may go to one of the leaves, and the label
//     of the other is free. Not if a fixed split is on the last level.
//   - one row, above the last level (without label order, at the last level as well): the rows of
//     one unit, if they are in the tree, are in the left subtree of the root, in the left subtree
//     of that, and so on. One split cannot be required to satisfy both. Not with fixed splits.
//   - centring: x' = x - 1/2 and b' = b - sum_j a_j / 2 give the same split, and halve the range
//     of a.x'.
//
// The big-M of a unit is the maximum by which its rows can miss a side. Let R be the maximum of
// |x'_ij| over all rows, 1/2, or 1 without centring. Claim: b' is between beta = min(0, mu - R) and
// mu - beta. Proof: if both sides have rows, -R <= a.x' <= b' - mu for one of them and b' <= a.x'
// <= R for another; a split with an empty side is a = 0 with b' = 0 (all right) or b' = mu (all
// left). Then
//
//	a.x'_i - b' + mu <= max_j |x'_ij| - beta + mu,   b' - a.x'_i <= max_j |x'_ij| + mu - beta
//
// are both at most M_i = max_j |x'_ij| + max(mu, R).
type tight struct {
	*frame
	ordered  bool // label order
	fixed    bool // with two classes: labels are constants, 0 on the left and 1 on the right
	integral bool // labels are binary
	shift    float64
	beta     float64
	units    [][]int32 // rows of equal features, of the rows of the model
	one      int       // unit that is kept left
	below    int       // node below which it is kept; 1 for nowhere
}

// newTight returns the frame of a model of these rows, nil for all.
func newTight(f *frame, o Options, rows []int32) *tight {
	e := &tight{frame: f, ordered: o.with(LabelOrder) && f.levelsFixed() < f.depth, integral: o.with(IntegralLabels), below: 1}
	e.fixed = e.ordered && f.g.K == 2
	e.integral = e.integral || !o.Constraints.Empty() // predictions are exact with integral labels only
	radius := 1.0
	if o.with(Centring) {
		e.shift, radius = 0.5, 0.5
	}
	e.beta = min(0, f.mu-radius)
	e.units = unitsOf(f.Data, rows)
	if o.with(OneRow) && f.stays == nil {
		e.below = f.leaves()
		if e.ordered {
			e.below = f.last()
		}
		e.one = e.heaviest()
	}
	return e
}

// unitsOf groups rows, nil for all, by equal features.
func unitsOf(d *Data, rows []int32) [][]int32 {
	points := &d.g.Points
	units := make([][]int32, points.Len())
	for u := range units {
		units[u] = points.Rows(u)
	}
	if rows == nil {
		return units
	}
	clear(units)
	for _, i := range rows {
		u := points.Of[i]
		units[u] = append(units[u], i)
	}
	return slices.DeleteFunc(units, func(rows []int32) bool { return len(rows) == 0 })
}

// heaviest returns the unit with the largest weight, the first of equal ones: the one row is most
// likely to be in the tree if it is costly to give up.
func (e *tight) heaviest() int {
	best, most := 0, 0.0
	for u := range e.units {
		if w := e.unitWeight(u); w > most {
			best, most = u, w
		}
	}
	return best
}

func (e *tight) unitWeight(u int) float64 {
	w := 0.0
	for _, i := range e.units[u] {
		w += e.g.W[i]
	}
	return w
}

// keptOut reports whether the one row keeps unit u out of node t: t is neither above nor below the
// node below which the unit is kept.
func (e *tight) keptOut(u, t int) bool {
	if u != e.one {
		return false
	}
	for at := e.below; at > t; at /= 2 {
		if at/2 == t {
			return false
		}
	}
	at := t
	for at > e.below {
		at /= 2
	}
	return at != e.below
}

// at returns feature jx of the rows of unit u as in the model: 0 if shifting leaves only rounding
// error.
func (e *tight) at(u, jx int) float64 {
	x := e.row(int(e.units[u][0]))[jx] - e.shift
	if math.Abs(x) < 1e-12 {
		return 0
	}
	return x
}

// bigM returns M_u.
func (e *tight) bigM(u int) float64 {
	most := 0.0
	for jx := range e.p() {
		most = max(most, math.Abs(e.at(u, jx)))
	}
	return most + e.mu - e.beta
}

// shifted returns b' of pl.
func (e *tight) shifted(pl *plane) float64 {
	b := pl.b
	if e.shift != 0 {
		for _, v := range pl.a {
			b -= v * e.shift
		}
	}
	return min(max(b, e.beta), e.mu-e.beta)
}

// original returns the plane with these weights and b'.
func (e *tight) original(a []float64, b float64) *plane {
	if e.shift != 0 {
		for _, v := range a {
			b += v * e.shift
		}
	}
	return &plane{a: a, b: b}
}

// canonical brings h to the form required by soct and served, by swaps of sides, and gives every
// node a plane and every leaf a label. The predictions do not change: a swap negates its plane and
// exchanges the subtrees, a node without a split gets a = 0, and sibling leaves of one label are
// merged.
func (e *tight) canonical(h *heapTree) {
	used := make([]bool, 2*e.leaves())
	for _, t := range h.at {
		used[t] = t > 0
	}
	for n := 1; n <= e.branches(); n++ {
		if h.planes[n] == nil {
			h.planes[n] = e.empty(false) // to the rightmost leaf, as in heapTree
		}
	}
	s := &swaps{tight: e, h: h, to: make([]int, 2*e.leaves())}
	for t := range s.to {
		s.to[t] = t
	}
	for u := e.last(); u < e.leaves() && e.ordered; u++ {
		s.order(u, used[2*u], used[2*u+1])
	}
	for n := 1; n < e.below; n *= 2 {
		if t := e.leafOfOne(h); t > 0 && under(s.to[t], 2*n+1) {
			s.swap(n)
		}
	}
	for i, t := range h.at {
		h.at[i] = s.to[t]
	}
}

// empty returns the plane that sends all rows left, or all right.
func (e *tight) empty(left bool) *plane {
	pl := &plane{a: make([]float64, e.p())}
	if left {
		pl.b = e.mu
	}
	return pl
}

// leafOfOne returns the leaf of the one row, 0 if it has none.
func (e *tight) leafOfOne(h *heapTree) int {
	for _, i := range e.units[e.one] {
		if t := h.at[i]; t > 0 {
			return t
		}
	}
	return 0
}

// under reports whether t is n or below it.
func under(t, n int) bool {
	for t > n {
		t /= 2
	}
	return t == n
}

// swaps changes a tree and records the new positions of its leaves.
type swaps struct {
	*tight
	h  *heapTree
	to []int // (2T)
}

// order makes the labels of the leaves of last-level node u, used or not, ascend.
func (s *swaps) order(u int, left, right bool) {
	label, highest := s.h.label, int32(s.g.K-1)
	l, r := 2*u, 2*u+1
	switch {
	case left && right && label[l] > label[r]:
		s.swap(u)
		return
	case left && right && label[l] < label[r]:
		return
	}
	// All rows, if any, have one label.
	k := label[r]
	if left {
		k = label[l]
	}
	if !left && !right {
		k = 0
	}
	goes := k < highest // left, if a greater label remains for the right
	s.h.planes[u] = s.empty(goes)
	if goes {
		s.to[l], s.to[r] = l, l
		label[l], label[r] = k, highest
	} else {
		s.to[l], s.to[r] = r, r
		label[l], label[r] = 0, k
	}
}

// swap exchanges the sides of node n.
func (s *swaps) swap(n int) {
	pl := s.h.planes[n]
	for jx, v := range pl.a {
		pl.a[jx] = -v
	}
	pl.b = s.mu - pl.b
	for half := 1; ; half *= 2 { // half the nodes of a level below n
		first := 2 * n * half
		if first < s.leaves() {
			exchange(s.h.planes[first : first+2*half])
			continue
		}
		exchange(s.h.label[first : first+2*half])
		for t, at := range s.to {
			if at >= first && at < first+2*half {
				s.to[t] = at ^ half
			}
		}
		return
	}
}

// exchange exchanges the halves of v.
func exchange[T any](v []T) {
	half := len(v) / 2
	for k := range half {
		v[k], v[half+k] = v[half+k], v[k]
	}
}
