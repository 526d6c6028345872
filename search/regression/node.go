package regression

import "math"

// envelope holds lower bounds of a row set by bucket: bucket b of local feature g, a distinct value among the rows, lies in
// off[g] <= b < off[g+1], and cut b parts the buckets up to b from the rest.
type envelope struct {
	limits         // left and right bound the trees below a split of one
	feat   []int32 // features, ascending
	off    []int32
	val    []int32 // rank of each bucket among all rows
	left   []float64
	right  []float64
}

// limits are those of a tree: its depth, and its splits, no more of which than a tree of the depth has.
type limits struct{ depth, splits int }

// limited are the limits of trees of a depth and so many splits, 0 for any number.
func limited(depth, splits int) limits {
	if full := full(depth); splits == 0 || splits > full {
		splits = full
	}
	return limits{min(depth, splits), splits}
}

// full is the number of splits of the full tree of a depth.
func full(depth int) int {
	if depth > 30 {
		return math.MaxInt32
	}
	return 1<<depth - 1
}

// side are the limits of one side of a split, if the other one is a leaf.
func (l limits) side() limits { return l.with(l.splits - 1) }

// with are the limits of one side that has so many of the splits.
func (l limits) with(splits int) limits {
	if splits == 0 {
		return limits{}
	}
	return limited(l.depth-1, splits)
}

// shared reports whether the sides of a split share the splits that are left: both at their limit have too many.
func (l limits) shared() bool { return 2*l.side().splits > l.splits-1 }

// admit reports whether trees of the limits m are among those of l.
func (l limits) admit(m limits) bool { return l.depth >= m.depth && l.splits >= m.splits }

// set is a set of rows, with the features that vary in it and the ranks of their values within it.
type set struct {
	envelope
	m, p    int
	w, s, q float64   // sums of weights, numbers and squares; the numbers are centred on the mean of the set
	hash    [2]uint64 // of the rows
	id      []int32   // (m) rows of the problem
	order   []int32   // (p, m) rows of the set by feature
	bucket  []int32   // (m, p)
	pos     []int32   // rows up to each bucket
	row     []sums    // (m)
	upTo    []sums    // up to each bucket
	square  []float64 // squares up to each bucket

	numbers []float64 // of quantiles: the distinct numbers, ascending; nil else
	place   []int32   // (m) rank of each row's number
	loss    float64   // of a single leaf

	mean  float64 // of the numbers of the rows
	tree  *Node   // the best one without constraints, and its value; nil if it is not known
	value float64
	found []openCut // whose best sides without constraints are below a budget, the best ones first; nil if they are not known
	below float64   // that budget
}

// leaf is the loss of a single leaf.
func (a *set) leaf() float64 {
	if a.numbers != nil {
		return a.loss
	}
	return max(0, a.q-a.s*a.s/a.w)
}

// cuts returns the cuts of feature g: first..last.
func (a *envelope) cuts(g int) (first, last int) { return int(a.off[g]), int(a.off[g+1]) - 2 }

// take makes c the rows left (side 0) or right (side 1) of cut b of feature f of a, without its features.
func (s *solver) take(a *set, f, b, side int, c *set) {
	o := a.order[f*a.m : (f+1)*a.m]
	if side == 0 {
		o = o[:a.pos[b]]
	} else {
		o = o[a.pos[b]:]
	}
	local := s.local[:a.m]
	for i := range local {
		local[i] = -1
	}
	c.m = len(o)
	c.id, c.row = c.id[:0], c.row[:0]
	c.hash, c.w, c.s, c.q = [2]uint64{}, 0, 0, 0
	for j, i := range o {
		r := a.id[i]
		local[i] = int32(j)
		c.id, c.row = append(c.id, r), append(c.row, s.of[r])
		c.w, c.s = c.w+s.of[r].w, c.s+s.of[r].s
		c.hash[0] ^= s.keys[r][0]
		c.hash[1] ^= s.keys[r][1]
	}
	mean := c.s / c.w
	c.mean, c.s = mean, 0
	for i := range c.row {
		r := &c.row[i]
		r.s -= mean * r.w
		c.s += r.s
		c.q += r.s * r.s / r.w
	}
	s.number(c)
}

// compress fills the features of c after take: of those of a, the ones that vary.
func (s *solver) compress(a, c *set) {
	local := s.local[:a.m]
	c.feat, c.off, c.val, c.pos = c.feat[:0], c.off[:0], c.val[:0], c.pos[:0]
	c.upTo, c.square = c.upTo[:0], c.square[:0]
	varying := s.varying[:0]
	for g := range a.p {
		o := a.order[g*a.m : (g+1)*a.m]
		i, j := 0, a.m-1
		for local[o[i]] < 0 {
			i++
		}
		for local[o[j]] < 0 {
			j--
		}
		if a.bucket[int(o[i])*a.p+g] != a.bucket[int(o[j])*a.p+g] {
			varying = append(varying, g)
		}
	}
	s.varying = varying
	p, m := len(varying), c.m
	c.p = p
	c.order, c.bucket = resized(c.order, p*m), resized(c.bucket, p*m)
	buckets := int32(0)
	for k, g := range varying {
		c.feat, c.off = append(c.feat, a.feat[g]), append(c.off, buckets)
		out := c.order[k*m : (k+1)*m]
		last, count := int32(-1), int32(0)
		var sum sums
		square := 0.0
		for _, i := range a.order[g*a.m : (g+1)*a.m] {
			j := local[i]
			if j < 0 {
				continue
			}
			if r := a.bucket[int(i)*a.p+g]; r != last {
				if count > 0 {
					c.pos, c.upTo, c.square = append(c.pos, count), append(c.upTo, sum), append(c.square, square)
				}
				c.val = append(c.val, a.val[r])
				buckets++
				last = r
			}
			out[count] = j
			count++
			c.bucket[int(j)*p+k] = buckets - 1
			r := c.row[j]
			sum.w, sum.s = sum.w+r.w, sum.s+r.s
			square += r.s * r.s / r.w
		}
		c.pos, c.upTo, c.square = append(c.pos, count), append(c.upTo, sum), append(c.square, square)
	}
	c.off = append(c.off, buckets)
	c.left, c.right = resized(c.left, int(buckets)), resized(c.right, int(buckets))
	clear(c.left)
	clear(c.right)
}

// inherit raises the bounds of c to those of e, the envelope of a subset of its rows: the sides of a cut of the subset are in
// those of c. Outside the subset's range of values one side holds all of it; its largest bound is valid there.
func (c *set) inherit(e *envelope) {
	if e == nil || !e.admit(c.limits) {
		return
	}
	k := 0
	for g := range c.p {
		for k < len(e.feat) && e.feat[k] < c.feat[g] {
			k++
		}
		if k == len(e.feat) {
			return
		}
		if e.feat[k] != c.feat[g] {
			continue
		}
		begin, last := int(e.off[k]), int(e.off[k+1])-1
		at := begin - 1
		first, end := c.cuts(g)
		for b := first; b <= end; b++ {
			for at < last && e.val[at+1] <= c.val[b] {
				at++
			}
			if at >= begin {
				c.left[b] = e.left[min(at, last-1)]
			}
			if at < last {
				c.right[b] = e.right[max(at, begin)]
			}
		}
	}
}

// raiseLeft notes that the rows left of cut b, and of all later ones, have a loss of at least v.
func (c *set) raiseLeft(g, b int, v float64) {
	for _, last := c.cuts(g); b <= last && c.left[b] < v; b++ {
		c.left[b] = v
	}
}

// raiseRight notes that the rows right of cut b, and of all earlier ones, have a loss of at least v.
func (c *set) raiseRight(g, b int, v float64) {
	for first, _ := c.cuts(g); b >= first && c.right[b] < v; b-- {
		c.right[b] = v
	}
}

// low is what the bounds of all cuts come to: no tree on the rows has a smaller loss.
func (s *solver) low(c *set) float64 {
	v := c.leaf()
	for g := range c.p {
		first, last := c.cuts(g)
		for b := first; b <= last; b++ {
			v = min(v, s.penalty+c.left[b]+c.right[b])
		}
	}
	return v
}

// trim shortens first..last to the cuts that are not closed; false if there is none.
func (s *solver) trim(c *set, first, last int, best float64) (int, int, bool) {
	for first <= last && s.closed(s.penalty+c.left[first]+c.right[first], best) {
		first++
	}
	for first <= last && s.closed(s.penalty+c.left[last]+c.right[last], best) {
		last--
	}
	return first, last, first <= last && !s.closed(s.penalty+c.left[first]+c.right[last], best)
}

// closed reports whether nothing below the best value is left above a bound.
func (s *solver) closed(bound, best float64) bool { return bound >= best-s.tolerance }

// resized returns a slice of length n, whose contents are of no concern.
func resized[T any](v []T, n int) []T {
	if cap(v) < n {
		return make([]T, n, n+n/4)
	}
	return v[:n]
}
