package prices

import (
	"github.com/octgen/octgen/mio/verify"
	"math"
)

// window enumerates the costs of trees at fixed prices, subtree by subtree. Every part of a
// feasible tree that costs less than the best one is cheap at any prices,
//
//	cost + u.(g - h) <= cost < value of the best,
//
// so a subtree is of no interest if it violates this together with the cheapest remainder of the
// tree.
type window struct {
	s      *solver
	p      *problem
	priced []float64 // (n, k)
	spread []float64 // (n) maximum minus minimum of them: the most that moving a point can cost
	paid   float64
	noise  float64 // rounding of priced costs and of paid
	below  float64 // trees with at least this priced cost are of no interest
	side   []int8  // (n) for the current node of two levels: 0 left, 1 right
	total  [2][]float64
	left   [2][]float64
	last   int64 // work at which to give up
	failed bool
}

// part is a set of points in the order of each feature.
type part struct {
	n     int
	order [][]int32 // (p)
}

func newWindow(s *solver, u []float64, work int64) *window {
	w := &window{s: s, p: s.p, priced: s.p.priced(u, 1), spread: make([]float64, s.p.n), side: make([]int8, s.p.n), last: s.work + work}
	size := w.p.price * float64(w.p.splits)
	for q := range w.p.n {
		least, most := math.Inf(1), math.Inf(-1)
		for _, v := range w.priced[q*w.p.k : (q+1)*w.p.k] {
			least, most = min(least, v), max(most, v)
		}
		w.spread[q] = most - least
		size += max(most, -least)
	}
	for d := range w.p.dims {
		paid := w.p.paid(&w.p.dims[d], u[d])
		w.paid += paid
		size += math.Abs(paid)
	}
	w.noise = 4 * verify.SumError(w.p.n, size) // for sums of subtrees, with spreads subtracted
	for i := range w.total {
		w.total[i], w.left[i] = make([]float64, w.p.k), make([]float64, w.p.k)
	}
	return w
}

func (w *window) root() *part {
	r := &part{n: w.p.n}
	for f := range w.p.pre.P() {
		r.order = append(r.order, w.p.pre.Order(f))
	}
	return r
}

// stop reports whether to give up.
func (w *window) stop() bool {
	w.failed = w.failed || w.s.work >= w.last || w.s.stop()
	return w.failed
}

// split divides a part: points with rank at most rank go left.
func (w *window) split(nd *part, f int, rank int32) (left, right *part) {
	ranks := w.p.pre.Ranks(f)
	for _, q := range nd.order[f] {
		w.side[q] = 1
		if ranks[q] <= rank {
			w.side[q] = 0
		}
	}
	w.s.spend(nd.n * len(nd.order))
	left, right = &part{}, &part{}
	for _, order := range nd.order {
		var l, r []int32
		for _, q := range order {
			if w.side[q] == 0 {
				l = append(l, q)
			} else {
				r = append(r, q)
			}
		}
		left.order, right.order = append(left.order, l), append(right.order, r)
	}
	left.n, right.n = len(left.order[0]), len(right.order[0])
	return left, right
}

// cuts calls try for the cuts of a part, in the order of each feature. try returns the minimum
// priced cost of trees with this cut at their root, or a lower bound. A cut is skipped if that
// value and the spread of the points in between show that it also costs at least limit().
func (w *window) cuts(nd *part, limit func() float64, try func(f int, rank int32) float64) {
	for f, order := range nd.order {
		ranks, free := w.p.pre.Ranks(f), 0.0
		for i := 0; i+1 < len(order); i++ {
			q := order[i]
			free -= w.spread[q]
			if ranks[order[i+1]] == ranks[q] || free > 0 {
				continue
			}
			if w.stop() {
				return
			}
			free = try(f, ranks[q]) - limit()
		}
	}
}

// leaf returns the minimum priced cost of a leaf for a part.
func (w *window) leaf(nd *part) float64 {
	clear(w.total[0])
	for _, q := range nd.order[0] {
		for k, v := range w.priced[int(q)*w.p.k : (int(q)+1)*w.p.k] {
			w.total[0][k] += v
		}
	}
	return least(w.total[0])
}

// leastTree returns the minimum priced cost of trees of depth d on a part, or some value >= limit
// if the minimum is >= limit.
func (w *window) leastTree(nd *part, d int, limit float64) float64 {
	best := w.leaf(nd)
	if d == 1 {
		for _, q := range nd.order[0] {
			w.side[q] = 0
		}
		l, _ := w.stumpCosts(nd)
		return min(best, l)
	}
	w.cuts(nd, func() float64 { return min(best, limit) }, func(f int, rank int32) float64 {
		l, r := w.sideCosts(nd, d, f, rank, min(best, limit))
		v := l + r + w.p.price
		best = min(best, v)
		return v
	})
	if w.failed {
		return math.Inf(-1)
	}
	return best
}

// sideCosts returns the minimum priced costs of trees of depth d-1 on both sides of a cut. The
// second is only a lower bound if the sum is >= limit anyway.
func (w *window) sideCosts(nd *part, d, f int, rank int32, limit float64) (l, r float64) {
	if d == 2 {
		ranks := w.p.pre.Ranks(f)
		for _, q := range nd.order[f] {
			w.side[q] = 1
			if ranks[q] <= rank {
				w.side[q] = 0
			}
		}
		return w.stumpCosts(nd)
	}
	left, right := w.split(nd, f, rank)
	l = w.leastTree(left, d-1, math.Inf(1))
	return l, w.leastTree(right, d-1, math.Inf(1))
}

// stumpCosts returns the minimum priced costs of stumps, or leaves, on both sides of a part.
func (w *window) stumpCosts(nd *part) (l, r float64) {
	if w.p.k == 2 {
		return w.stumpCosts2(nd)
	}
	p := w.p
	w.s.spend(nd.n * len(nd.order))
	clear(w.total[0])
	clear(w.total[1])
	for _, q := range nd.order[0] {
		t := w.total[w.side[q]]
		for k, v := range w.priced[int(q)*p.k : (int(q)+1)*p.k] {
			t[k] += v
		}
	}
	best := [2]float64{least(w.total[0]) - p.price, least(w.total[1]) - p.price}
	for f, order := range nd.order {
		ranks := p.pre.Ranks(f)
		clear(w.left[0])
		clear(w.left[1])
		last := int32(-1)
		for _, q := range order {
			if rank := ranks[q]; rank != last {
				if last >= 0 {
					for s := range best {
						best[s] = min(best[s], leastOfTwo(w.left[s], w.total[s]))
					}
				}
				last = rank
			}
			t := w.left[w.side[q]]
			for k, v := range w.priced[int(q)*p.k : (int(q)+1)*p.k] {
				t[k] += v
			}
		}
	}
	return best[0] + p.price, best[1] + p.price
}

// leastOfTwo returns the minimum cost of two leaves that hold left and the rest of total.
func leastOfTwo(left, total []float64) float64 {
	a, b := math.Inf(1), math.Inf(1)
	for k, v := range left {
		a, b = min(a, v), min(b, total[k]-v)
	}
	return a + b
}

// stumpCosts2 is stumpCosts for two classes. Let the balance b of a left side be the cost of class
// 1 there minus that of class 0. A stump costs the cost of class 0 everywhere plus min(b, 0) +
// min(B - b, 0); this is minimal where b or B - b is minimal.
func (w *window) stumpCosts2(nd *part) (l, r float64) {
	p := w.p
	w.s.spend(nd.n * len(nd.order))
	var zero, balance [2]float64
	for _, q := range nd.order[0] {
		s := w.side[q] & 1
		zero[s] += w.priced[2*q]
		balance[s] += w.priced[2*q+1] - w.priced[2*q]
	}
	gain := [2]float64{min(balance[0], 0) - p.price, min(balance[1], 0) - p.price}
	for f, order := range nd.order {
		ranks := p.pre.Ranks(f)
		var at [2]float64
		last := int32(-1)
		for _, q := range order {
			if rank := ranks[q]; rank != last {
				for s := range at {
					gain[s] = min(gain[s], min(at[s], 0)+min(balance[s]-at[s], 0))
				}
				last = rank
			}
			at[w.side[q]&1] += w.priced[2*q+1] - w.priced[2*q]
		}
	}
	return zero[0] + gain[0] + p.price, zero[1] + gain[1] + p.price
}
