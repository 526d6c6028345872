package hyperplane

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
