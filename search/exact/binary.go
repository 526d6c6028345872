package exact

import "math"

// solveBinaryPair searches a node of two levels where all features are binary: all
// of its trees at once, by the counts of pairs.
func (w *worker) solveBinaryPair(c *child, ub float64, a *answer) {
	p, counter := w.p, w.counter
	w.stats.Pairs++
	w.stats.Work += int64(c.n) * int64(p.p)
	counts := counter.load(c.pair)
	counter.evaluate(counts, c.class)
	thr, least := p.thr(ub), math.Inf(1)
	for _, way := range w.arms(2, c.budget) {
		for f := range p.p {
			left, right := counter.sides(c.header, f)
			if left.weight == 0 || right.weight == 0 || c.top && min(left.weight, right.weight) < p.minLeaf {
				continue
			}
			w.stats.Cuts++
			l, r := sideValue(left.side, way.left, p.lambda), sideValue(right.side, way.right, p.lambda)
			least = min(least, p.lambda+l+r)
			if p.lambda+l+r >= thr {
				continue
			}
			if p.minLeaf > 0 {
				l, r = w.exactBinary(c, counts, f, way)
			}
			if v := p.lambda + l + r; v < thr {
				thr = p.thr(v)
				*a = answer{lb: a.lb, value: v, depth: 2, feature: int32(f), pos: 1, lsplits: way.left, rsplits: way.right, lvalue: l, rvalue: r}
			}
		}
	}
	a.lb = p.whole(min(a.lb, least))
}

// binarySide is a side of a binary feature.
type binarySide struct {
	side
	weight float64
}

// sides returns what the parts of feature f cost, once evaluate has found their best
// stumps.
func (c *counter) sides(h *header, f int) (left, right binarySide) {
	most, other := 0.0, 0.0
	for class, w := range h.class {
		v := c.ones(class, f)
		right.weight += v
		most, other = max(most, v), max(other, w-v)
	}
	left.weight = h.weight - right.weight
	left.leaf, right.leaf = left.weight-other, right.weight-most
	left.stump, right.stump = left.weight-float64(c.right[0][f]), right.weight-float64(c.right[1][f])
	return left, right
}

// exactBinary is what the parts of feature f cost with regard to the least leaf.
func (w *worker) exactBinary(c *child, counts *pairCounts, f int, way arm) (left, right float64) {
	p := w.p
	l, r := make([]float64, p.k), make([]float64, p.k)
	for class := range p.k {
		r[class] = w.counter.ones(class, f)
		l[class] = c.class[class] - r[class]
	}
	parts := [2]side{{leaf: p.leafOf(l), stump: math.Inf(1)}, {leaf: p.leafOf(r), stump: math.Inf(1)}}
	zero, one := make([]float64, p.k), make([]float64, p.k)
	for g := range p.p {
		for at, of := range [2][]float64{l, r} {
			for class := range p.k {
				n := float64(w.counter.pair(counts, class, f, g))
				if at == 0 {
					n = w.counter.ones(class, g) - n
				}
				one[class], zero[class] = n, of[class]-n
			}
			parts[at].stump = min(parts[at].stump, p.leafOf(zero)+p.leafOf(one))
		}
	}
	return sideValue(parts[0], way.left, p.lambda), sideValue(parts[1], way.right, p.lambda)
}

// solveBinaryStump is solveStump where all features are binary.
func (w *worker) solveBinaryStump(c *child, ub float64, a *answer) {
	p := w.p
	w.stats.Stumps++
	w.stats.Work += int64(c.n) * int64(p.p)
	ones := w.counter.onesOf(c.pair)
	thr, least := p.thr(ub), math.Inf(1)
	zero, one := make([]float64, p.k), make([]float64, p.k)
	for f := range p.p {
		for class := range p.k {
			one[class] = float64(ones[class*p.bits.features()+f])
			zero[class] = c.class[class] - one[class]
		}
		left, right := errorsOf(zero), errorsOf(one)
		if sum(zero) == 0 || sum(one) == 0 {
			continue
		}
		least = min(least, p.lambda+left+right)
		if v := p.lambda + left + right; v < thr && min(sum(zero), sum(one)) >= p.minLeaf {
			thr = p.thr(v)
			*a = answer{lb: a.lb, value: v, depth: 1, feature: int32(f), pos: 1, lvalue: left, rvalue: right}
		}
	}
	a.lb = p.whole(min(a.lb, least))
}
