package prices

import (
	"math"
	"runtime"
	"slices"

	"github.com/octgen/octgen/mio/verify"
	"github.com/octgen/octgen/tree"
	"golang.org/x/sync/errgroup"
)

// rates enumerates what trees of two levels can reach, if two classes and all rows depend on two sums
// only: X, the cost of the points predicted the first class, and Y, that of the others. So do errors,
// recall, precision and shares. The first class is the one with the smaller maximum of X (see newRates).
//
// Let E(S, q) be the minimum Y of leaves and stumps for the points S with X = q. For a cut of the root
// into A and B, the rows allow a tree with X = q if some E(A, a) + E(B, q-a) is at most cap(q). (A lower
// limit on Y is left out; the result is then a bound.) One pass over the points of a feature gives E for
// both sides of all its cuts: for each feature g and each value (slot) of g at which a point has x > 0,
// it keeps the sums of y up to it. Claim: some best stump with a given X cuts right after a slot or right
// before one. Proof: between two slots, moving the cut changes Y alone, which is smallest at one end. So
// E is found in O(p slots), without a look at the points.
type rates struct {
	p     *problem
	x, y  []int32 // (n) cost of a point if it is predicted the first or the second class
	first int     // the class of x
	all   [2]int32
	caps  []float64 // (most X + 1) maximum of Y by the rows; negative: none
	lower bool      // some row also limits Y from below, which caps leave out
	slots [][]int32 // (p) of each feature, ascending: the rank of a value at which a point has x > 0
	at    [][]int32 // (p)(n) the first slot with at least the value of a point
	same  [][]bool  // (p)(n) whether it has the same value
	whole *rateSide // of all points
}

const (
	mostRates = 1 << 33 // operations up to which trees are enumerated
	farOff    = math.MaxInt32 / 4
)

// newRates returns nil if the problem is not of this kind or too large.
func newRates(p *problem) *rates {
	if p.k != 2 || p.depth != 2 || p.splits < 3 || p.fixed != nil || p.minLeaf > 0 || p.signs != nil || p.pure > 0 || len(p.rows) == 0 {
		return nil
	}
	e := &rates{p: p, x: make([]int32, p.n), y: make([]int32, p.n)}
	var sum [2]float64
	for at, v := range p.cost {
		if v != math.Trunc(v) || v < 0 {
			return nil
		}
		if sum[at%2] += v; sum[at%2] > farOff {
			return nil
		}
	}
	if sum[1] < sum[0] {
		e.first = 1
	}
	for q := range p.n {
		e.x[q], e.y[q] = int32(p.cost[2*q+e.first]), int32(p.cost[2*q+1-e.first])
	}
	e.all = [2]int32{int32(sum[e.first]), int32(sum[1-e.first])}
	if !e.setCaps() {
		return nil
	}
	e.setSlots()
	if e.size() > mostRates {
		return nil
	}
	e.whole = e.newSide()
	for q := range p.n {
		e.whole.add(q)
	}
	return e
}

// setCaps turns the rows into limits on Y for each X; it reports false if one depends on other sums.
func (e *rates) setCaps() bool {
	e.caps = slices.Repeat([]float64{farOff}, int(e.all[0])+1)
	for i := range e.p.rows {
		r := &e.p.rows[i]
		a, b, ok := e.linear(r)
		if !ok {
			return false
		}
		for q := range e.caps {
			// the sum over the points predicted r.class is a (their x) + b (their y)
			rest, slope := r.h+r.noise, b
			if r.class == e.first { // x of these points is X, y is that of all others less Y
				rest, slope = rest-a*float64(q)-b*float64(e.all[1]), -b
			} else {
				rest -= a * float64(e.all[0]-int32(q))
			}
			e.lower = e.lower || slope < 0
			switch {
			case slope > 0:
				e.caps[q] = min(e.caps[q], rest/slope*(1+1e-12))
			case rest < slope*float64(e.all[1]): // for no Y
				e.caps[q] = -1
			}
		}
	}
	most := len(e.caps)
	for most > 0 && e.caps[most-1] < 0 {
		most--
	}
	e.caps = e.caps[:most]
	return true
}

// linear returns a and b such that g = a x + b y at all points.
func (e *rates) linear(r *row) (a, b float64, ok bool) {
	var xx, xy, yy, xg, yg float64
	for q, g := range r.g {
		x, y := float64(e.x[q]), float64(e.y[q])
		xx, xy, yy, xg, yg = xx+x*x, xy+x*y, yy+y*y, xg+x*g, yg+y*g
	}
	det := xx*yy - xy*xy
	if det <= 0 {
		return 0, 0, false
	}
	a, b = (xg*yy-yg*xy)/det, (yg*xx-xg*xy)/det
	for q, g := range r.g {
		x, y := float64(e.x[q]), float64(e.y[q])
		if math.Abs(g-a*x-b*y) > 1e-9*(math.Abs(a)*x+math.Abs(b)*y) {
			return 0, 0, false
		}
	}
	return a, b, true
}

func (e *rates) setSlots() {
	p := e.p
	for j := range p.pre.P() {
		ranks := p.pre.Ranks(j)
		var slots []int32
		for _, q := range p.pre.Order(j) {
			if e.x[q] > 0 && (len(slots) == 0 || slots[len(slots)-1] != ranks[q]) {
				slots = append(slots, ranks[q])
			}
		}
		at, same, k := make([]int32, p.n), make([]bool, p.n), 0
		for _, q := range p.pre.Order(j) {
			for k < len(slots) && slots[k] < ranks[q] {
				k++
			}
			at[q], same[q] = int32(k), k < len(slots) && slots[k] == ranks[q]
		}
		e.slots, e.at, e.same = append(e.slots, slots), append(e.at, at), append(e.same, same)
	}
}

// size estimates the operations.
func (e *rates) size() float64 {
	slots, cuts := 0, 0
	for j := range e.slots {
		slots += len(e.slots[j])
		cuts += len(e.p.pre.Values(j)) - 1
	}
	n, features := float64(e.p.n), float64(len(e.slots))
	short := float64(min(len(e.caps), int(e.all[0])))
	return n*features*float64(slots) + float64(cuts)*(4*features*short+short*short)
}

// rateSide is a set of points as sums.
type rateSide struct {
	e      *rates
	x, y   int32
	at     [][]int32 // (p)(slots) x at a slot
	below  [][]int32 // y of all points before a slot
	within [][]int32 // y of these and of the slot's
}

func (e *rates) newSide() *rateSide {
	s := &rateSide{e: e}
	for _, slots := range e.slots {
		s.at, s.below, s.within = append(s.at, make([]int32, len(slots))), append(s.below, make([]int32, len(slots))), append(s.within, make([]int32, len(slots)))
	}
	return s
}

// add adds a point.
func (s *rateSide) add(q int) {
	e := s.e
	x, y := e.x[q], e.y[q]
	s.x += x
	s.y += y
	for j := range e.slots {
		k := e.at[j][q]
		if x > 0 {
			s.at[j][k] += x
		}
		if y == 0 {
			continue
		}
		addFrom(s.within[j][k:], y)
		if e.same[j][q] {
			k++
		}
		addFrom(s.below[j][k:], y)
	}
}

func addFrom(v []int32, y int32) {
	for i := range v {
		v[i] += y
	}
}

// option is a leaf or a stump: what it costs, and where it cuts.
type option struct {
	y       int32
	feature int32 // -1: a leaf
	rank    int32 // the cut is after it
}

// options sets the best leaf and the best stump for each X, of the points of s without those of less, which
// may be nil.
func (e *rates) options(s, less *rateSide, leaf, stump []option) {
	for q := range leaf {
		leaf[q], stump[q] = option{y: farOff, feature: -1}, option{y: farOff, feature: -1}
	}
	var lx, ly int32
	if less != nil {
		lx, ly = less.x, less.y
	}
	x, y, most := s.x-lx, s.y-ly, int32(len(leaf))
	leaf[0].y = y // all are predicted the second class
	if x < most {
		leaf[x].y = min(leaf[x].y, 0)
	}
	for j := range e.slots {
		at, below, within := s.at[j], s.below[j], s.within[j]
		var lessAt, lessBelow, lessWithin []int32
		if less != nil {
			lessAt, lessBelow, lessWithin = less.at[j], less.below[j], less.within[j]
		}
		// The first class left of a cut before a slot: its X grows from 0.
		left := int32(0)
		for k := range at {
			v, b := at[k], below[k]
			if less != nil {
				v, b = v-lessAt[k], b-lessBelow[k]
			}
			if v == 0 {
				continue
			}
			if left >= most {
				break
			}
			if rank := e.slots[j][k]; y-b < stump[left].y && rank > 0 {
				stump[left] = option{y - b, int32(j), rank - 1}
			}
			left += v
		}
		// The first class right of a cut after a slot: likewise from the right.
		right := int32(0)
		for k := len(at) - 1; k >= 0; k-- {
			v, w := at[k], within[k]
			if less != nil {
				v, w = v-lessAt[k], w-lessWithin[k]
			}
			if v == 0 {
				continue
			}
			if right >= most {
				break
			}
			if rank := e.slots[j][k]; w < stump[right].y && int(rank) < len(e.p.pre.Values(j))-1 {
				stump[right] = option{w, int32(j), rank}
			}
			right += v
		}
	}
}

// rateTree is a tree of two levels.
type rateTree struct {
	value       float64
	feature     int
	rank        int32
	left, right option
}

// search returns the best tree with a cut of feature f at the root and a value below most; its value is
// +Inf if there is none. done ends it.
func (e *rates) search(f int, most float64, done func() bool) rateTree {
	p := e.p
	best := rateTree{value: math.Inf(1), feature: f}
	if len(e.caps) == 0 {
		return best
	}
	side := e.newSide()
	var of [2][2][]option // of both sides, leaves and stumps
	for i := range of {
		of[i] = [2][]option{make([]option, len(e.caps)), make([]option, len(e.caps))}
	}
	order, ranks := p.pre.Order(f), p.pre.Ranks(f)
	for i, q := range order[:len(order)-1] {
		side.add(int(q))
		if ranks[order[i+1]] == ranks[q] {
			continue
		}
		if done() {
			break
		}
		e.options(side, nil, of[0][0], of[0][1])
		e.options(e.whole, side, of[1][0], of[1][1])
		for kinds := range 4 {
			splits := 1 + kinds&1 + kinds>>1
			e.join(of[0][kinds&1], of[1][kinds>>1], p.price*float64(splits), min(most, best.value), func(v float64, l, r option) {
				best = rateTree{v, f, ranks[q], l, r}
				most = min(most, v)
			})
		}
	}
	return best
}

// join calls found with pairs of options within the caps whose value is below most, ever smaller.
func (e *rates) join(left, right []option, price, most float64, found func(v float64, l, r option)) {
	for a := range left {
		if left[a].y >= farOff {
			continue
		}
		for b := range right[:len(right)-a] {
			y := left[a].y + right[b].y
			if v := price + float64(a+b) + float64(y); v < most && float64(y) <= e.caps[a+b] && y < farOff {
				most = v
				found(v, left[a], right[b])
			}
		}
	}
}

// twoLevels finds the best tree, or shows that there is none, by enumeration, and reports whether it did.
func (s *solver) twoLevels() bool {
	e := newRates(s.p)
	if e == nil || s.stop() {
		return false
	}
	best := make([]rateTree, len(e.slots))
	work := int64(e.size()) / 8 // many operations are adjacent
	if s.o.WorkLimit > 0 && s.work+work > s.o.WorkLimit {
		return false
	}
	s.work += work
	var group errgroup.Group
	group.SetLimit(min(max(1, s.o.Workers), runtime.GOMAXPROCS(0)))
	most := s.known()
	for f := range best {
		group.Go(func() error {
			best[f] = e.search(f, most, func() bool { return s.ctx.Err() != nil })
			return nil
		})
	}
	_ = group.Wait() // no task fails
	if s.ctx.Err() != nil {
		return false
	}
	found := slices.MinFunc(best, func(a, b rateTree) int {
		switch {
		case a.value < b.value:
			return -1
		case a.value > b.value:
			return 1
		}
		return 0
	})
	switch {
	case found.value < math.Inf(1):
		s.consider(s.p.shapeOf(e.tree(&found)))
		s.raise(min(found.value, s.known())-verify.SumError(s.p.n, found.value), s.prices)
	case s.known() == math.Inf(1):
		s.bound, s.shown = math.Inf(1), true
	default:
		s.raise(s.known(), s.prices)
	}
	return s.closed() || s.bound == math.Inf(1)
}

// tree builds a tree; its classes are chosen later.
func (e *rates) tree(r *rateTree) *tree.Tree {
	p := e.p
	t := tree.NewLeaf(p.points, 0)
	split := func(at, f int, rank int32) (int, int) {
		values := p.pre.Values(f)
		return t.Grow(at, tree.Univariate(f, tree.Midpoint(values[rank], values[rank+1])), 0, 0)
	}
	left, right := split(0, r.feature, r.rank)
	for at, o := range map[int]option{left: r.left, right: r.right} {
		if o.feature >= 0 {
			split(at, int(o.feature), o.rank)
		}
	}
	return t
}
