package prices

import "math"

// climb is ascend for one dim: L is concave and made of lines, and the next price is
// where the lines of the best trees on both sides meet. Where L reaches that point, it
// is the maximum.
func (s *solver) climb(costs, most float64, took func(*evaluation) bool) (*evaluation, error) {
	p, unit := s.p, s.p.dims[0].unit
	best, err := s.evaluate([]float64{0}, costs)
	if err != nil || !took(best) {
		return best, err
	}
	slope := p.slope(&best.plane, 0, 0)
	if slope == 0 {
		return best, nil
	}
	sign := math.Copysign(1, slope)
	near, far := best, (*evaluation)(nil) // the maximum is between them
	at := firstPrice * unit
	for range mostEvaluations {
		if s.stop() || best.ended {
			break
		}
		if far != nil {
			// near.cost + u near.slope = far.cost + u far.slope
			a, b := sign*p.slope(&near.plane, 0, sign), sign*p.slope(&far.plane, 0, sign)
			if a-b <= 1e-12*math.Abs(a) {
				break
			}
			at = (far.plane.cost - near.plane.cost) / (a - b)
			lo, hi := sign*near.u[0], sign*far.u[0]
			if !(at > lo && at < hi) {
				break
			}
			if model := near.plane.cost + at*a; model-best.bound <= leastGain*0.01*math.Abs(best.bound) {
				break
			}
		} else if at > most*unit {
			break
		}
		e, err := s.evaluate([]float64{sign * at}, costs)
		if err != nil {
			return best, err
		}
		if e.bound > best.bound {
			best = e
		}
		if sign*p.slope(&e.plane, 0, sign) > 0 {
			near = e
		} else {
			far = e
		}
		if !took(e) || p.slope(&e.plane, 0, sign) == 0 {
			break
		}
		if far == nil {
			at *= 4
		}
	}
	return best, nil
}

// firstPrice is the first price that is tried, per unit of the dim.
const firstPrice = 0.125
