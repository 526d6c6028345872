package prices

import (
	"math"
	"slices"
)

// gridBits is the number of units in the largest sum, as a power of two.
const gridBits = 60

// grid is the problem in whole numbers, each kind in multiples of a power of two, so that
// sums do not depend on their order and nothing is lost where a part is the difference of
// two others.
type grid struct {
	cost  scaled // (n, k)
	price int64  // of a split
	g     []scaled
	mass  scaled
	class scaled // empty where leaves may be impure
}

// scaled are numbers as multiples of unit. What the numbers of all points lost when they
// were rounded adds up to off units at most, 0 where they are such multiples themselves.
type scaled struct {
	v    []int64
	unit float64
	off  int64
}

func newGrid(p *problem) *grid {
	w := &grid{}
	leaves := float64(int(1) << p.depth)
	w.cost = scale(p.cost, p.k, p.price*leaves)
	w.price = w.cost.of(p.price)
	w.cost.off += int64(leaves) // the price is rounded at each split
	for r := range p.rows {
		w.g = append(w.g, scale(p.rows[r].g, 1, math.Abs(p.rows[r].h)))
	}
	w.mass = scale(p.mass, 1, 0)
	if p.class != nil {
		w.class = scale(p.class, p.k, 0)
	}
	return w
}

// scale rounds values, so many of each point of which a sum takes at most one, to a unit
// that holds their sum and as much again as more.
func scale(values []float64, each int, more float64) scaled {
	for part := range slices.Chunk(values, each) {
		most := 0.0
		for _, v := range part {
			most = max(most, math.Abs(v))
		}
		more += most
	}
	if more == 0 {
		return scaled{v: make([]int64, len(values)), unit: 1}
	}
	_, exponent := math.Frexp(more)
	s := scaled{v: make([]int64, len(values)), unit: math.Ldexp(1, max(exponent-gridBits, -1074))}
	lost := 0.0
	for at, part := range slices.Collect(slices.Chunk(values, each)) {
		most := 0.0
		for i, v := range part {
			n := s.of(v)
			s.v[at*each+i] = n
			most = max(most, math.Abs(v/s.unit-float64(n)))
		}
		lost += most
	}
	s.off = int64(math.Ceil(lost))
	return s
}

// of is v in units.
func (s *scaled) of(v float64) int64 { return int64(math.Round(v / s.unit)) }
