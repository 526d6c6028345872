package regression

import "github.com/octgen/octgen/tree"

// cut is a split of a set.
type cut struct {
	g, b int // feature of the set, -1 for none, and the last of its values that go left
}

// stump returns the least loss of one split or none: what a tree that keeps the least leaf weight has, and a bound without it.
func (s *solver) stump(a *set, best float64) (value, low float64, t *Node) {
	if a.numbers != nil {
		return s.quantileStump(a, best)
	}
	value, low = a.leaf(), a.leaf()
	at := cut{-1, -1}
	for g := range a.p {
		first, last := a.cuts(g)
		for b := first; b <= last; b++ {
			w, sum := a.upTo[b].w, a.upTo[b].s
			v := s.penalty + max(0, a.square[b]-sum*sum/w) + max(0, a.q-a.square[b]-(a.s-sum)*(a.s-sum)/(a.w-w))
			low = min(low, v)
			if v < value && w >= s.minLeaf && a.w-w >= s.minLeaf {
				value, at = v, cut{g, b}
			}
		}
	}
	if value >= best {
		return best, low, nil
	}
	return value, low, s.node(a, at, leafNode, leafNode)
}

// leafNode is a leaf: answers are worked out from the data.
var leafNode = &Node{}

// node is the tree of a cut; a leaf for none.
func (s *solver) node(a *set, at cut, left, right *Node) *Node {
	if at.g < 0 {
		return leafNode
	}
	f := int(a.feat[at.g])
	return &Node{Feature: f, Threshold: tree.Midpoint(s.values[f][a.val[at.b]], s.values[f][a.val[at.b+1]]), Left: left, Right: right}
}

// kernel solves the last two levels of a set.
type kernel struct {
	*solver
	a     *set
	g     int // feature whose rows are in the histogram, -1 for none
	moved int // rows of it that are left
	left  []sums
	later []span
	best  float64
	at    cut
	seen  func(g, b int, value float64) // told of values, which then are not the best one; nil for none
}

// begun is the kernel for a set.
func (s *solver) begun(a *set, best float64) *kernel {
	k := &s.kernel
	k.solver, k.a, k.g, k.later = s, a, -1, k.later[:0]
	k.left = resized(k.left, int(a.off[a.p]))
	k.best, k.at = best, cut{-1, -1}
	return k
}

// twoLevels returns the least loss of a tree of depth 2 below best, best if there is none; and a bound on that of all trees.
func (s *solver) twoLevels(a *set, best float64) (value, low float64, t *Node) {
	s.stats.Kernels++
	k := s.begun(a, best)
	leaf := a.leaf()
	if leaf < best {
		k.best = leaf
	}
	for g := range a.p {
		first, last := a.cuts(g)
		k.refine(g, first, last, (last+2-first)/8)
	}
	spans := k.later
	k.later = nil
	for _, sp := range spans {
		k.refine(sp.g, sp.first, sp.last, 0)
	}
	k.later = spans
	low = s.low(a)
	switch {
	case k.at.g >= 0:
		t = s.grown(k)
	case leaf < best:
		t = leafNode
	}
	return k.best, low, t
}

// refine evaluates the middle of a span and what is left on both sides; shorter ones than coarse are kept for later.
func (k *kernel) refine(g, first, last, coarse int) {
	for {
		var open bool
		if first, last, open = k.trim(k.a, first, last, k.best); !open || k.stopped {
			return
		}
		if last-first < coarse {
			k.later = append(k.later, span{g: g, first: first, last: last})
			return
		}
		m := (first + last) / 2
		k.evaluate(g, m)
		k.refine(g, first, m-1, coarse)
		first = m + 1
	}
}

// evaluate solves both sides of a cut by one level each.
func (k *kernel) evaluate(g, b int) {
	k.stats.Stumps++
	var low, high, value float64
	if k.a.numbers != nil {
		low, high, value = k.quantileSides(g, b)
	} else {
		k.spend(int(k.a.off[k.a.p]) + k.a.m)
		k.walk(g, b)
		low, high, value = k.stumps(b)
	}
	k.a.raiseLeft(g, b, low)
	k.a.raiseRight(g, b, high)
	switch {
	case k.seen != nil:
		k.seen(g, b, value)
	case value < k.best:
		k.best, k.at = value, cut{g, b}
	}
}

// walk moves rows between the sides of the cuts of feature g, up to cut b.
func (k *kernel) walk(g, b int) {
	a := k.a
	if k.g != g {
		clear(k.left)
		k.g, k.moved = g, 0
	}
	o := a.order[g*a.m : (g+1)*a.m]
	to := int(a.pos[b])
	for ; k.moved < to; k.moved++ {
		k.move(int(o[k.moved]), 1)
	}
	for k.moved > to {
		k.moved--
		k.move(int(o[k.moved]), -1)
	}
}

// move adds a row to the left side, or takes it away.
func (k *kernel) move(i int, sign float64) {
	a, h := k.a, k.left
	w, sum := sign*a.row[i].w, sign*a.row[i].s
	for _, b := range a.bucket[i*a.p : (i+1)*a.p] {
		h[b].w += w
		h[b].s += sum
	}
}

// stumps returns bounds on both sides of the cut at which the histogram is, by one level, and the value of the best tree that
// keeps the least leaf weight, more than any for none.
//
// A split of (W, S) into (w, s) and the rest gains W (s - w S/W)^2 / (w (W - w)); they are compared without division.
func (k *kernel) stumps(b int) (low, high, value float64) {
	a := k.a
	if k.minLeaf > 0 {
		return k.heavyStumps(b)
	}
	wl, sl := a.upTo[b].w, a.upTo[b].s
	wr, sr := a.w-wl, a.s-sl
	ml, mr := sl/wl, sr/wr
	gl, gr := 0.0, 0.0 // the best (s - w S/W)^2 / (w (W - w)) of either side
	for g := range a.p {
		first, last := a.cuts(g)
		if last < first {
			continue
		}
		var w, sum float64
		h, all := k.left[first:last+1], a.upTo[first:last+1]
		all = all[:len(h)]
		for c := range h {
			w += h[c].w
			sum += h[c].s
			x, y := sum-w*ml, w*(wl-w)
			x *= x
			if x > gl*y && y > 0 {
				gl = x / y
			}
			w2, s2 := all[c].w-w, all[c].s-sum
			x, y = s2-w2*mr, w2*(wr-w2)
			x *= x
			if x > gr*y && y > 0 {
				gr = x / y
			}
		}
	}
	l, r := max(0, a.square[b]-sl*ml), max(0, a.q-a.square[b]-sr*mr)
	low, high = max(0, min(l, l-gl*wl+k.penalty)), max(0, min(r, r-gr*wr+k.penalty))
	return low, high, k.both(l, r, low, high)
}

// heavyStumps is stumps with a least leaf weight.
func (k *kernel) heavyStumps(b int) (low, high, value float64) {
	a := k.a
	wl, sl := a.upTo[b].w, a.upTo[b].s
	wr, sr := a.w-wl, a.s-sl
	l, r := max(0, a.square[b]-sl*sl/wl), max(0, a.q-a.square[b]-sr*sr/wr)
	gl, gr, kl, kr := 0.0, 0.0, 0.0, 0.0 // largest gains, and those that keep the least weight
	gain := func(w, s, all, sum float64) float64 {
		if d := w * (all - w); d > 0 {
			x := s - w*sum/all
			return x * x / d * all
		}
		return 0
	}
	for g := range a.p {
		first, last := a.cuts(g)
		var w, sum float64
		for c := first; c <= last; c++ {
			w += k.left[c].w
			sum += k.left[c].s
			x := gain(w, sum, wl, sl)
			gl = max(gl, x)
			if w >= k.minLeaf && wl-w >= k.minLeaf {
				kl = max(kl, x)
			}
			w2, s2 := a.upTo[c].w-w, a.upTo[c].s-sum
			x = gain(w2, s2, wr, sr)
			gr = max(gr, x)
			if w2 >= k.minLeaf && wr-w2 >= k.minLeaf {
				kr = max(kr, x)
			}
		}
	}
	with := func(loss, gain float64) float64 { return max(0, min(loss, loss-gain+k.penalty)) }
	low, high = with(l, gl), with(r, gr)
	if wl < k.minLeaf || wr < k.minLeaf {
		return low, high, k.best
	}
	return low, high, k.both(l, r, with(l, kl), with(r, kr))
}

// both is the value of a cut whose sides have the losses l and r as leaves, left and right with a split or none: one of them, if
// the tree has two splits.
func (k *kernel) both(l, r, left, right float64) float64 {
	if k.a.splits == 2 {
		return k.penalty + min(left+r, l+right)
	}
	return k.penalty + left + right
}

// grown is the tree of the kernel's best cut: its sides are solved once more.
func (s *solver) grown(k *kernel) *Node {
	var sides [2]*Node
	var gains [2]float64
	for side := range sides {
		c := s.frame(1)
		s.take(k.a, k.at.g, k.at.b, side, c)
		s.compress(k.a, c)
		leaf := c.leaf()
		value, _, t := s.stump(c, leaf)
		if sides[side], gains[side] = t, leaf-value; t == nil {
			sides[side] = leafNode
		}
	}
	if k.a.splits == 2 { // the side that gains less stays a leaf
		if gains[0] < gains[1] {
			sides[0] = leafNode
		} else {
			sides[1] = leafNode
		}
	}
	return s.node(k.a, k.at, sides[0], sides[1])
}
