package exact

import (
	"cmp"
	"math"
	"slices"
)

// propose returns another split of slot v.
func (a *annealer) propose(v int) upper {
	nd, s, p := a.cur[v].node, a.cur[v].upper, a.p
	kind, f := a.rng.IntN(10), a.rng.IntN(p.p)
	if kind < 4 && !s.flat && nd.zeros == nil { // some places along the feature
		at := nd.order(int(s.feature))
		if pos := a.position(nd, s); pos > 0 {
			wide := 8
			if a.rng.IntN(2) == 0 {
				wide = 50
			}
			step := int32(1 + a.rng.IntN(max(2, len(at)/wide)))
			if a.rng.IntN(2) == 0 {
				pos = nd.previousCut(int(s.feature), pos-step)
			} else {
				pos = nd.nextCut(int(s.feature), pos+step)
			}
			if pos > 0 && int(pos) < len(at) {
				return a.splitAt(nd, int(s.feature), pos)
			}
		}
	}
	if kind < 8 || nd.zeros != nil { // the purest of a feature, almost
		a.w.stats.Work += int64(nd.n)
		best, ok := a.purest(nd, f, 0.1*nd.leaf()*a.rng.Float64())
		if !ok {
			return upper{flat: true}
		}
		return best.upper
	}
	at := nd.order(f)
	if len(at) < 2 {
		return upper{flat: true}
	}
	pos := nd.nextCut(f, 1+int32(a.rng.IntN(len(at)-1)))
	if int(pos) >= len(at) {
		pos = nd.previousCut(f, int32(len(at)-1))
	}
	if pos <= 0 {
		return upper{flat: true}
	}
	return a.splitAt(nd, f, pos)
}

// splitAt returns the split that makes the cut pos of feature f.
func (a *annealer) splitAt(nd *node, f int, pos int32) upper {
	if nd.zeros != nil {
		return upper{feature: int32(f)}
	}
	return upper{feature: int32(f), rank: int32(nd.order(f)[pos-1] >> 32)}
}

// pick is the split of a feature with the smallest impurity.
type pick struct {
	upper
	loss float64
}

// greedy returns the best split by impurity, or the second best one of another feature.
func (a *annealer) greedy(nd *node) upper {
	if nd.n < 2 || nd.leaf() <= nd.unavoidable {
		return upper{flat: true}
	}
	a.picks = a.picks[:0]
	a.w.stats.Work += int64(nd.n) * int64(a.p.p)
	for f := range a.p.p {
		if s, ok := a.purest(nd, f, 0); ok {
			a.picks = append(a.picks, s)
		}
	}
	if len(a.picks) == 0 {
		return upper{flat: true}
	}
	slices.SortStableFunc(a.picks, func(x, y pick) int { return cmp.Compare(x.loss, y.loss) })
	return a.picks[a.rng.IntN(min(2, len(a.picks)))].upper
}

// purest returns the cut of a feature with the smallest Gini impurity (Breiman et al. 1984), to which
// it adds up to noise.
func (a *annealer) purest(nd *node, f int, noise float64) (pick, bool) {
	p := a.p
	best := pick{loss: math.Inf(1)}
	left := a.class[0]
	if nd.zeros != nil {
		if a.position(nd, upper{feature: int32(f)}) == 0 {
			return best, false
		}
		for class, w := range nd.class {
			left[class] = w - float64(nd.bits.ones[class*p.bits.features()+f])
		}
		return pick{upper{feature: int32(f)}, impurity(left, nd.class)}, true
	}
	at, mode := nd.order(f), int(nd.mode[f])
	if len(at) < 2 {
		return best, false
	}
	middle := a.class[1]
	if mode >= 0 {
		copy(middle, nd.class)
		for i, e := range at {
			if i != mode {
				a.count(middle, rowOf(e), -1)
			}
		}
	}
	clear(left)
	for i, e := range at[:len(at)-1] {
		if i == mode {
			for class, w := range middle {
				left[class] += w
			}
		} else {
			a.count(left, rowOf(e), 1)
		}
		if at[i+1]>>32 == e>>32 {
			continue
		}
		loss := impurity(left, nd.class)
		if noise > 0 {
			loss += noise * a.rng.Float64()
		}
		if loss < best.loss {
			best = pick{upper{feature: int32(f), rank: int32(e >> 32)}, loss}
		}
	}
	return best, best.loss < math.Inf(1)
}

// count adds a row times sign to sums of classes.
func (a *annealer) count(class []float64, r int32, sign float64) {
	p := a.p
	if p.gain == nil {
		class[p.class[r]] += sign * p.weight[r]
		return
	}
	for c, v := range p.gain[int(r)*p.k : int(r+1)*p.k] {
		class[c] += sign * v
	}
}

// impurity returns the Gini impurity of both sides of a cut, times their weights.
func impurity(left, all []float64) float64 {
	var squares, weight [2]float64
	for class, l := range left {
		r := all[class] - l
		squares[0] += l * l
		squares[1] += r * r
		weight[0] += l
		weight[1] += r
	}
	loss := 0.0
	for side, w := range weight {
		if w > 0 {
			loss += w - squares[side]/w
		}
	}
	return loss
}
