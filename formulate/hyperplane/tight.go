package hyperplane

import (
	"math"
	"slices"
)

// tight is the frame of the encodings soct and served, with what makes them small:
//
//   - units. Rows with equal features, whatever their classes, take the same path if
//     they keep the margin, and so share the rows of planes.
//   - swap. (a, b) -> (-a, mu - b) exchanges the sides of a split: a.x <= b - mu
//     becomes (-a).x >= mu - b, and a.x >= b becomes (-a).x <= (mu - b) - mu. Below a
//     split the two subtrees exchange places. So each split may be asked for one thing
//     that one of its two forms has.
//   - label order, at the last level: of two sibling leaves the left one has the lesser
//     label. Equal labels are never needed: all rows may go to one of the leaves, by
//     a = 0, and the label of the other is free.
//     Not where a split of the last level stays as it is.
//   - one row, above the last level (without label order at the last level too): the
//     rows of one unit, where they are in the tree, are in the left subtree of the root,
//     in the left subtree of that, and so on. One split cannot be asked for both. Not where
//     splits stay as they are.
//   - centring: x' = x - 1/2 and b' = b - sum_j a_j / 2 are the same split, and halve
//     what a.x' can be.
//
// The big-M of a unit is the most by which its rows can miss a side. With R the greatest
// |x'_ij| of all rows, 1/2 or without centring 1, b' is between beta = min(0, mu - R)
// and mu - beta: where both sides have rows, -R <= a.x' <= b' - mu for one of them and
// b' <= a.x' <= R for another; a split with an empty side is a = 0 with b' = 0 (all
// right) or b' = mu (all left). Then
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
	units    [][]int32 // rows of equal features, of those that the program sees
	one      int       // the unit that is kept left
	below    int       // the node below which it is kept: 1 for nowhere
}

// newTight is the frame of a program of these rows, nil for all.
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

// heaviest is the unit of greatest weight, the first of several: the one row is most
// likely in the tree where that is costly to give up.
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

// keptOut reports whether unit u is kept out of node t because the one row is left of
// it: t is neither above nor below the node below which it is.
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

// at is feature jx of the rows of unit u, as the program has it: 0 where shifting leaves
// only rounding.
func (e *tight) at(u, jx int) float64 {
	x := e.row(int(e.units[u][0]))[jx] - e.shift
	if math.Abs(x) < 1e-12 {
		return 0
	}
	return x
}

// bigM is M_u.
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

// canonical brings h to the form that soct and served ask for, by swaps of sides, and
// gives every node a plane and every leaf a label. The tree predicts as before: a swap
// negates its plane and exchanges the subtrees, a node without a split gets a = 0, and
// sibling leaves of one label become one.
func (e *tight) canonical(h *heapTree) {
	used := make([]bool, 2*e.leaves())
	for _, t := range h.at {
		used[t] = t > 0
	}
	for n := 1; n <= e.branches(); n++ {
		if h.planes[n] == nil {
			h.planes[n] = e.empty(false) // to the rightmost leaf, as heapTree has it
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

// empty is the plane that sends all rows left, or all right.
func (e *tight) empty(left bool) *plane {
	pl := &plane{a: make([]float64, e.p())}
	if left {
		pl.b = e.mu
	}
	return pl
}

// leafOfOne is the leaf of the one row, 0 where it has none.
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

// swaps changes a tree, and remembers where its leaves have gone.
type swaps struct {
	*tight
	h  *heapTree
	to []int // (2T)
}

// order makes the labels of the leaves of last-level node u, in use or not, ascend.
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
	// All rows have one label, if there are any.
	k := label[r]
	if left {
		k = label[l]
	}
	if !left && !right {
		k = 0
	}
	goes := k < highest // left, where a greater label is there for the right
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
