package alternating

import (
	"math"
	"slices"
)

// kick gives a random node a random plane.
func (e *searcher) kick(s *state) {
	t := 1 + e.rng.IntN(s.leaves()-1)
	if rows := e.reaching(s, t); len(rows) > 1 {
		s.plane[t] = e.between(rows)
		if e.rng.Float64() < 0.5 {
			e.scatterBelow(s, t)
		}
	}
}

// scatter gives the nodes from t on random planes.
func (e *searcher) scatter(s *state, t int) {
	if rows := e.reaching(s, t); len(rows) > 1 {
		s.plane[t] = e.between(rows)
	}
	e.scatterBelow(s, t)
}

func (e *searcher) scatterBelow(s *state, t int) {
	for c := 2 * t; c <= 2*t+1; c++ {
		if c < s.leaves() {
			e.scatter(s, c)
			continue
		}
		s.label[c] = e.heaviest(e.reaching(s, c))
	}
}

// heaviest is the class that weighs most among the rows.
func (e *searcher) heaviest(rows []int32) int32 {
	weight := e.classWeights(rows)
	return int32(slices.Index(weight, slices.Max(weight)))
}

// between is a plane between two random rows, of different classes where there are, in
// their direction, or in that of some of its features.
func (e *searcher) between(rows []int32) plane {
	i := rows[e.rng.IntN(len(rows))]
	k := rows[e.rng.IntN(len(rows))]
	for range 8 {
		if e.y[k] != e.y[i] {
			break
		}
		k = rows[e.rng.IntN(len(rows))]
	}
	s := plane{a: make([]float64, e.p)}
	few := e.rng.IntN(2) == 0
	norm := 0.0
	x, z := e.row(i), e.row(k)
	for j := range s.a {
		d := x[j] - z[j]
		if few && e.rng.IntN(e.p) >= 2 {
			continue
		}
		s.a[j] = d
		norm += math.Abs(d)
	}
	if norm == 0 {
		j := e.rng.IntN(e.p)
		s.a[j], norm = 1, 1
	}
	for j := range s.a {
		s.a[j] /= norm
		s.b += s.a[j] * (x[j] + z[j]) / 2
	}
	return s
}
