package regression

import (
	"math"
	"slices"
)

// With a quantile q in place of the mean, a row costs q w (y - answer) where its number is above the answer, and (1 - q) w (answer - y)
// where it is below: for 1/2 half the absolute error. All bounds of the search hold for it, since a row has no negative cost and
// the best answer to fewer rows costs no more. Losses come from a table of weights by number (a Fenwick tree), to which the
// rows of a side are added one by one.

// quantiles is what losses of a quantile are worked out with.
type quantiles struct {
	q      float64
	y      []float64 // (n) by row
	weight []float64 // Fenwick tree of weights, by rank of the number within a set
	sum    []float64 // and of weight times number
	total  sums
}

// number gives the rows of a set the ranks of their numbers within it, and the set its loss.
func (s *solver) number(c *set) {
	if s.quantile == nil {
		return
	}
	c.numbers = c.numbers[:0]
	for _, r := range c.id {
		c.numbers = append(c.numbers, s.quantile.y[r])
	}
	slices.Sort(c.numbers)
	c.numbers = slices.Compact(c.numbers)
	c.place = resized(c.place, c.m)
	t := s.quantile
	t.reset(len(c.numbers))
	for i, r := range c.id {
		at, _ := slices.BinarySearch(c.numbers, t.y[r])
		c.place[i] = int32(at)
		t.add(at, c.row[i].w, t.y[r])
	}
	c.loss = t.loss(c.numbers)
}

func (t *quantiles) reset(n int) {
	t.weight, t.sum, t.total = resized(t.weight, n+1), resized(t.sum, n+1), sums{}
	clear(t.weight)
	clear(t.sum)
}

// add adds a row of the number of rank at.
func (t *quantiles) add(at int, w, y float64) {
	t.total.w += w
	t.total.s += w * y
	for i := at + 1; i < len(t.weight); i += i & -i {
		t.weight[i] += w
		t.sum[i] += w * y
	}
}

// loss is that of the best answer to the rows.
func (t *quantiles) loss(numbers []float64) float64 { return t.leaf(numbers).loss }

// leaf is the best answer to the rows, the least number up to which they have a share q of the weight, with its loss.
func (t *quantiles) leaf(numbers []float64) leafValue {
	need := t.q * t.total.w * (1 - 1e-12)
	at, below := 0, sums{}
	step := 1
	for 2*step < len(t.weight) {
		step *= 2
	}
	for ; step > 0; step /= 2 {
		if next := at + step; next < len(t.weight) && below.w+t.weight[next] < need {
			at, below = next, sums{below.w + t.weight[next], below.s + t.sum[next]}
		}
	}
	v := numbers[min(at, len(numbers)-1)]
	return leafValue{max(0, (1-t.q)*(v*below.w-below.s)+t.q*(t.total.s-below.s-v*(t.total.w-below.w))), v}
}

// quantileLeaves are the leaves on both sides of each cut of feature g.
func (s *solver) quantileLeaves(a *set, g int, left, right []leafValue) {
	first, last := a.cuts(g)
	o := a.order[g*a.m : (g+1)*a.m]
	q := s.quantile
	s.spend(4 * a.m)
	row := func(i int32) { q.add(int(a.place[i]), a.row[i].w, q.y[a.id[i]]) }
	q.reset(len(a.numbers))
	done := 0
	for b := first; b <= last; b++ {
		for ; done < int(a.pos[b]); done++ {
			row(o[done])
		}
		left[b-first] = q.leaf(a.numbers)
	}
	q.reset(len(a.numbers))
	done = a.m
	for b := last; b >= first; b-- {
		for ; done > int(a.pos[b]); done-- {
			row(o[done-1])
		}
		right[b-first] = q.leaf(a.numbers)
	}
}

// quantileStump is stump for a quantile.
func (s *solver) quantileStump(a *set, best float64) (value, low float64, t *Node) {
	value, low = a.leaf(), a.leaf()
	at := cut{-1, -1}
	for g := range a.p {
		first, last := a.cuts(g)
		left, right := s.leavesOf(a, g)
		for b := first; b <= last; b++ {
			v := s.penalty + left[b-first].loss + right[b-first].loss
			low = min(low, v)
			w := a.upTo[b].w
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

// quantileSides solves both sides of a cut by one level each: bounds, and the value of the best tree.
func (k *kernel) quantileSides(g, b int) (low, high, value float64) {
	var lows, values, leaves [2]float64
	for side := range 2 {
		c := k.frame(1)
		k.take(k.a, g, b, side, c)
		k.compress(k.a, c)
		leaves[side] = c.leaf()
		values[side], lows[side], _ = k.stump(c, math.Inf(1))
	}
	if w := k.a.upTo[b].w; w < k.minLeaf || k.a.w-w < k.minLeaf {
		return lows[0], lows[1], math.Inf(1)
	}
	return lows[0], lows[1], k.both(leaves[0], leaves[1], values[0], values[1])
}
