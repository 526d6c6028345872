package proof

import (
	"math"
	"math/bits"
)

// noTree is the value where no leaf is heavy enough.
const noTree = math.MaxInt64 / 4

// pair is the values of the best trees of one level at most on the two sides of a cut: without the least weight of leaves,
// for the bounds of other cuts, and with it.
type pair struct{ left, right, leftHeavy, rightHeavy int64 }

// twoLevels reports whether every tree of at most two levels and so many splits on the rows of nd, one split at least, costs v or
// more.
func (p *problem) twoLevels(nd *node, depth int, splits int64, heavy bool, v int64) bool {
	least := int64(0)
	if heavy {
		least = p.leaf
	}
	if p.bits != nil {
		return p.binaryLevels(nd, depth, splits, least, v)
	}
	if depth == 1 || splits == 1 {
		return p.price+p.stump(nd, least) >= v
	}
	e := newEvaluation(p, nd, least, splits == 2)
	for f := range p.rank {
		if !e.feature(f, v) {
			return false
		}
	}
	return true
}

// stump is the least loss of two leaves on the rows of nd, divided by a cut.
func (p *problem) stump(nd *node, least int64) int64 {
	best := int64(noTree)
	left := make([]int64, p.k)
	for f, order := range nd.order {
		clear(left)
		heavy := int64(0)
		for j, i := range order {
			if j > 0 && p.rank[f][i] != p.rank[f][order[j-1]] && heavy >= least && nd.heavy-heavy >= least {
				best = min(best, p.leaves(left, nd.sums))
			}
			for k, v := range p.losses(int(i)) {
				left[k] += v
			}
			heavy += p.weight[i]
		}
	}
	return best
}

// leaves is the loss of a leaf for rows whose losses add up to left, and of one for the rest.
func (p *problem) leaves(left, all []int64) int64 {
	if p.moments {
		return p.squares.of(left[0], left[1], left[2]) + p.squares.of(all[0]-left[0], all[1]-left[1], all[2]-left[2])
	}
	a, b := left[0], all[0]-left[0]
	for k := 1; k < len(left); k++ {
		a, b = min(a, left[k]), min(b, all[k]-left[k])
	}
	return a + b
}

// evaluation evaluates the cuts of a node with two levels.
type evaluation struct {
	p      *problem
	nd     *node
	least  int64
	shared bool // two splits only: one side is a leaf

	right         []uint8 // (n) the side of each row
	sums          [2][]int64
	left          [2][]int64
	heavy, leftOf [2]int64
	last          [2]int32
	most          []int64 // (rows of nd) losses up to each place in the order of the feature
	ends          []int32 // places where cuts are
}

func newEvaluation(p *problem, nd *node, least int64, shared bool) *evaluation {
	e := &evaluation{p: p, nd: nd, least: least, shared: shared, right: make([]uint8, p.n)}
	for s := range 2 {
		e.sums[s], e.left[s] = make([]int64, p.k), make([]int64, p.k)
	}
	return e
}

// gap is a range of cuts that are open, with bounds of the sides of all of them.
type gap struct {
	from, to    int
	left, right int64
}

// feature reports whether every tree whose first split is on f costs v or more.
func (e *evaluation) feature(f int, v int64) bool {
	p, order := e.p, e.nd.order[f]
	similar := !p.moments || p.reach != nil
	e.ends, e.most = e.ends[:0], append(e.most[:0], 0)
	for j, i := range order {
		if j > 0 && p.rank[f][i] != p.rank[f][order[j-1]] {
			e.ends = append(e.ends, int32(j))
		}
		if similar {
			e.most = append(e.most, e.most[j]+p.dearest(int(i)))
		}
	}
	open := []gap{{0, len(e.ends) - 1, 0, 0}}
	for len(open) > 0 {
		g := open[len(open)-1]
		open = open[:len(open)-1]
		if g.from > g.to || p.price+g.left+g.right >= v {
			continue
		}
		mid := (g.from + g.to) / 2
		at := e.at(f, int(e.ends[mid]))
		if e.value(at) < v {
			return false
		}
		// What lies between two cuts costs no more than its dearest answers (the similarity bound of Demirovic et al., 2022).
		slack := p.price + at.left + at.right - v
		low, high := mid-1, mid+1
		if slack >= 0 && similar {
			for low >= g.from && e.most[e.ends[mid]]-e.most[e.ends[low]] <= slack {
				low--
			}
			for high <= g.to && e.most[e.ends[high]]-e.most[e.ends[mid]] <= slack {
				high++
			}
		}
		open = append(open, gap{g.from, low, g.left, max(g.right, at.right)}, gap{high, g.to, max(g.left, at.left), g.right})
	}
	return true
}

// dearest is the largest loss of an answer in a row.
func (p *problem) dearest(i int) int64 {
	if p.single {
		return p.cost[i]
	}
	if p.moments {
		return p.reach[i]
	}
	v := int64(0)
	for _, x := range p.losses(i) {
		v = max(v, x)
	}
	return v
}

// divide marks the rows from a place on as those of the right side.
func (e *evaluation) divide(f, end int) {
	for s := range 2 {
		clear(e.sums[s])
		e.heavy[s] = 0
	}
	for j, i := range e.nd.order[f] {
		s := uint8(0)
		if j >= end {
			s = 1
		}
		e.right[i] = s
		for k, v := range e.p.losses(int(i)) {
			e.sums[s][k] += v
		}
		e.heavy[s] += e.p.weight[i]
	}
}

// at is the pair of a cut.
func (e *evaluation) at(f, end int) pair {
	p := e.p
	e.divide(f, end)
	stumps := e.stumps
	if p.k == 2 {
		stumps = e.stumpsOfTwo
	}
	free, bound := stumps()
	var out pair
	for s, to := range [2]*int64{&out.left, &out.right} {
		*to = min(p.least(e.sums[s]), p.price+free[s])
	}
	for s, to := range [2]*int64{&out.leftHeavy, &out.rightHeavy} {
		*to = noTree
		if e.heavy[s] >= e.least {
			*to = min(p.least(e.sums[s]), p.price+bound[s])
		}
	}
	return out
}

// stumpsOfTwo is stumps for two answers.
func (e *evaluation) stumpsOfTwo() (free, bound [2]int64) {
	p := e.p
	free, bound = [2]int64{noTree, noTree}, [2]int64{noTree, noTree}
	all := [2][2]int64{{e.sums[0][0], e.sums[0][1]}, {e.sums[1][0], e.sums[1][1]}}
	loss := p.loss
	for g, order := range e.nd.order {
		rank := p.rank[g]
		var left [2][2]int64
		var heavy [2]int64
		last := [2]int32{-1, -1}
		for _, i := range order {
			s := e.right[i] & 1
			at := &left[s]
			if r := rank[i]; r != last[s] {
				if last[s] >= 0 {
					v := min(at[0], at[1]) + min(all[s][0]-at[0], all[s][1]-at[1])
					free[s] = min(free[s], v)
					if v < bound[s] && heavy[s] >= e.least && e.heavy[s]-heavy[s] >= e.least {
						bound[s] = v
					}
				}
				last[s] = r
			}
			at[0] += loss[2*i]
			at[1] += loss[2*i+1]
			heavy[s] += p.weight[i]
		}
	}
	return free, bound
}

// stumps are the least losses of two leaves on each side of the cut: of any leaves, and of those that are heavy enough.
func (e *evaluation) stumps() (free, bound [2]int64) {
	p := e.p
	free, bound = [2]int64{noTree, noTree}, [2]int64{noTree, noTree}
	for g, order := range e.nd.order {
		rank := p.rank[g]
		for s := range 2 {
			clear(e.left[s])
			e.leftOf[s], e.last[s] = 0, -1
		}
		for _, i := range order {
			s := e.right[i]
			left := e.left[s]
			if r := rank[i]; r != e.last[s] {
				if e.last[s] >= 0 {
					v := p.leaves(left, e.sums[s])
					free[s] = min(free[s], v)
					if v < bound[s] && e.leftOf[s] >= e.least && e.heavy[s]-e.leftOf[s] >= e.least {
						bound[s] = v
					}
				}
				e.last[s] = r
			}
			if p.single {
				own, c := p.own[i], p.cost[i]
				for k := range left {
					left[k] += c
				}
				left[own] -= c
			} else {
				for k, v := range p.losses(int(i)) {
					left[k] += v
				}
			}
			e.leftOf[s] += p.weight[i]
		}
	}
	return free, bound
}

// value is that of the best tree with the cut of a pair, which was evaluated last.
func (e *evaluation) value(at pair) int64 {
	p := e.p
	if !e.shared {
		return p.price + at.leftHeavy + at.rightHeavy
	}
	if e.heavy[0] < e.least || e.heavy[1] < e.least {
		return noTree
	}
	return p.price + min(p.least(e.sums[0])+at.rightHeavy, at.leftHeavy+p.least(e.sums[1]))
}

func leastOf(v []int64) int64 {
	least := v[0]
	for _, x := range v[1:] {
		least = min(least, x)
	}
	return least
}

// binaryLevels is twoLevels where all features have two values and all losses are 1: it counts the rows of each answer for
// each pair of features.
func (p *problem) binaryLevels(nd *node, depth int, splits, least, v int64) bool {
	words := (p.n + 63) / 64
	in := make([]uint64, words)
	for _, i := range nd.rows {
		in[i/64] |= 1 << (i % 64)
	}
	q := len(p.bits)
	one := make([]int64, p.k*q)    // rows with both answer and feature
	both := make([]int64, p.k*q*q) // and another feature
	class := make([]int64, p.k)
	mask, with := make([]uint64, words), make([]uint64, words)
	for k, rows := range p.byAnswer {
		for w := range mask {
			mask[w] = rows[w] & in[w]
			class[k] += int64(bits.OnesCount64(mask[w]))
		}
		for f, b := range p.bits {
			n := 0
			for w := range with {
				with[w] = mask[w] & b[w]
				n += bits.OnesCount64(with[w])
			}
			one[k*q+f] = int64(n)
			if depth == 1 || n == 0 {
				continue
			}
			for g := f + 1; g < q; g++ {
				n, other := 0, p.bits[g]
				for w, x := range with {
					n += bits.OnesCount64(x & other[w])
				}
				both[(k*q+f)*q+g], both[(k*q+g)*q+f] = int64(n), int64(n)
			}
		}
	}
	c := binaryCounts{p: p, q: q, one: one, both: both, class: class, least: least}
	for f := range q {
		if c.root(f, depth, splits) < v {
			return false
		}
	}
	return true
}

// binaryCounts are the rows of a node by answer, feature and pair of features.
type binaryCounts struct {
	p                *problem
	q                int
	one, both, class []int64
	least            int64
}

// leafOf is the loss of a leaf with the counts of answers that of gives, noTree where it is too light; false where it has no
// row.
func (c *binaryCounts) leafOf(of func(k int) int64) (int64, bool) {
	total, most := int64(0), int64(0)
	for k := range c.class {
		n := of(k)
		total, most = total+n, max(most, n)
	}
	if total < c.least {
		return noTree, total > 0
	}
	return total - most, total > 0
}

// root is the value of the best tree whose first split is on f.
func (c *binaryCounts) root(f, depth int, splits int64) int64 {
	leaf, deeper := [2]int64{}, [2]int64{}
	for s := range 2 {
		side := func(k int) int64 {
			if s == 1 {
				return c.one[k*c.q+f]
			}
			return c.class[k] - c.one[k*c.q+f]
		}
		var some bool
		if leaf[s], some = c.leafOf(side); !some {
			return noTree // no cut
		}
		deeper[s] = leaf[s]
		if depth == 1 || splits == 1 {
			continue
		}
		for g := range c.q {
			ones := func(k int) int64 {
				n := c.both[(k*c.q+f)*c.q+g]
				if s == 0 {
					n = c.one[k*c.q+g] - n
				}
				return n
			}
			if g == f {
				continue
			}
			a, some := c.leafOf(ones)
			b, too := c.leafOf(func(k int) int64 { return side(k) - ones(k) })
			if some && too {
				deeper[s] = min(deeper[s], c.p.price+a+b)
			}
		}
	}
	if splits == 2 {
		return c.p.price + min(leaf[0]+deeper[1], deeper[0]+leaf[1])
	}
	return c.p.price + deeper[0] + deeper[1]
}
