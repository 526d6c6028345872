package vertex

import "math"

// boundedError solves step 1 of Algorithm 4.1 without a solver,
//
//	min over w, gamma  C(w) = sum_j c_j |w_j|   where E(w, gamma) <= delta
//
// with c >= 0 and the error E of RLP or RLP-P. Both are convex, so that with the
// multiplier mu >= 0 of the bound the optimum minimises C + mu E, and between two planes
// that minimise it for the same mu both C and E are linear: where one of the two keeps the
// bound and the other does not, the point between them with E = delta is optimal. The mu
// comes of a secant (Eisner & Severance 1976): of a plane that keeps the bound and one
// beyond it, the line through (E, C) of the two has the slope -mu; a plane below the line
// takes the place of the one on its side, and none is below it at last. Each step is a
// descent from the last vertex. Weights that are 0 in exact arithmetic are up to 1/M here:
// onFew has the plane without them.
type boundedError struct {
	*pricedDescent
	eps, delta float64
	least      marginPlane // of least error, at most delta
	seed       uint64
	errorOf    func(marginPlane) float64
}

// boundTolerance is how far an error may be over delta, and parametricGain what a plane
// must be below the line, relative to it: the rounding of prices and of descents.
const (
	boundTolerance  = 1e-8
	parametricGain  = 1e-6
	parametricSteps = 200
)

// program returns an optimum for these prices; stopped says that the context came first.
func (b *boundedError) program(price []float64) (_ marginPlane, stopped bool) {
	within := b.least
	if b.costOf(within, price) == 0 {
		return within, false
	}
	beyond, stopped := b.free(price)
	if stopped || b.errorOf(beyond) <= b.delta+boundTolerance {
		return beyond, stopped
	}
	for range parametricSteps {
		cw, ew, cb, eb := b.costOf(within, price), b.errorOf(within), b.costOf(beyond, price), b.errorOf(beyond)
		if cw <= cb || eb <= ew { // rounding
			break
		}
		mu := (cw - cb) / (eb - ew)
		scale := 1 / (1 + mu)
		h, end := b.minimum(scale*mu*(1-b.eps), func(j int) float64 { return scale * (price[j] + mu*b.eps) }, math.MaxInt)
		if end.stopped {
			return within, true
		}
		e := b.errorOf(h)
		if b.costOf(h, price)+mu*e >= (cw+mu*ew)*(1-parametricGain) {
			break
		}
		if e <= b.delta+boundTolerance {
			within = h
		} else {
			beyond = h
		}
	}
	return b.between(within, beyond), false
}

// between is the plane between the two whose error is delta.
func (b *boundedError) between(within, beyond marginPlane) marginPlane {
	ew, eb := b.errorOf(within), b.errorOf(beyond)
	t := max(0, min(1, (b.delta-ew)/(eb-ew)))
	if !(t > 0) {
		return within
	}
	h := marginPlane{make([]float64, len(within.w)), within.gamma + t*(beyond.gamma-within.gamma)}
	for j, w := range within.w {
		h.w[j] = w + t*(beyond.w[j]-w)
	}
	return h
}

func (b *boundedError) costOf(h marginPlane, price []float64) float64 {
	c := 0.0
	for j, w := range h.w {
		c += price[j] * math.Abs(w)
	}
	return c
}

// onFew is the plane of least error on the features of h; not where that is beyond delta.
func (b *boundedError) onFew(h marginPlane) (on marginPlane, keeps, stopped bool) {
	price := make([]float64, len(h.w))
	for j, w := range h.w {
		if w == 0 {
			price[j] = 1
		}
	}
	on, stopped = b.free(price)
	return on, b.errorOf(on) <= b.delta+boundTolerance, stopped
}

// free is the plane of least error on the features without a price.
func (b *boundedError) free(price []float64) (_ marginPlane, stopped bool) {
	var kept []int
	for j, c := range price {
		if c == 0 {
			kept = append(kept, j)
		}
	}
	h := marginPlane{w: make([]float64, b.m.p)}
	if len(kept) == 0 {
		return h, false
	}
	sub := &marginRows{ds: b.m.ds, n: b.m.n, p: len(kept), x: make([]float64, 0, b.m.n*len(kept))}
	for i := range b.m.n {
		for _, j := range kept {
			sub.x = append(sub.x, b.m.row(i)[j])
		}
	}
	on, end := planeOf(b.Pulse, sub, RLPOptions{Eps: b.eps, Seed: b.seed})
	for k, j := range kept {
		h.w[j] = on.w[k]
	}
	h.gamma = on.gamma
	return h, end.stopped
}
