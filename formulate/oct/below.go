package oct

import (
	"errors"
	"math"

	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/internal/rates"
	"github.com/octgen/octgen/mio"
)

var errBelow = errors.New("formulate: bounds below the root are of the encoding threshold with label pairs, without a minimum leaf weight above the lightest row, constraints or prediction costs")

// strengthened is the encoding threshold with the bounds of Below as rows, which are not from a paper. With x_jc = w_1jc - w_1j,c+1, which is 1
// if and only if the root splits on feature j at the threshold of rank c:
//
//	sum_i omega_i left_i1 - sum_{t below 2} sum_i omega_i e_it + alpha Lhat sum_{t from 2 down} d_t >= Lhat sum_jc Left_jc x_jc
//	sum_i omega_i (1 - left_i1) - sum_{t below 3} sum_i omega_i e_it + alpha Lhat sum_{t from 3 down} d_t >= Lhat (1 - d_1 + sum_jc Right_jc x_jc)
//
// Claim: no tree is cut off. Proof: e_it is at most 1, only for rows that reach t and that it classifies correctly,
// so the left side of a row is at least the errors and price of the root's subtree; x selects the bound on it. If
// the root is a leaf, x and d are 0, and all rows go right to one leaf, whose errors are at least Lhat.
//
// The sum of both rows, with alpha d_1, is a bound on the objective: if the bounds are exact, the linear relaxation
// has the optimum of the problem. What the bounds cost is therefore part of any proof.
type strengthened struct {
	*threshold
	e     *counts
	below *Below
}

// strengthen adds the bounds to an encoding. At depth 1 the linear relaxation is exact without them.
func strengthen(e encoding, below *Below) (encoding, error) {
	t, ok := e.(*threshold)
	if !ok {
		return nil, errBelow
	}
	switch s := t.lowest.(type) {
	case *rootStump:
		return e, nil
	case *countedStumps:
		return &strengthened{t, &s.e, below}, belowFits(t, below)
	}
	return nil, errBelow
}

// belowFits returns an error for bounds of other data.
func belowFits(e *threshold, below *Below) error {
	for _, j := range e.g.Active {
		for _, all := range [][][]float64{below.Left, below.Right} {
			if len(all) != e.g.P || len(all[j]) != len(e.g.Vals[j]) {
				return errors.New("formulate: bounds below the root do not match the data: want one for each distinct value of each feature")
			}
		}
	}
	return nil
}

func (s *strengthened) build(b *mio.Builder) {
	s.threshold.build(b)
	rates.AddRows(b, s.bounds())
}

// size adds what has no closed form, the nonzeros of the bounds, by counting them.
func (s *strengthened) size() formulate.Size {
	z := s.threshold.size()
	z.Add(rates.SizeOf(s.bounds()))
	return z
}

// bounds returns the rows of both subtrees.
func (s *strengthened) bounds() []rates.Row {
	total := 0.0
	for _, w := range s.g.W {
		total += w
	}
	left := rates.Row{Lower: 0, Upper: mio.Inf, Name: "least", Index: []int{2}}
	right := rates.Row{Lower: s.g.Lhat - total, Upper: mio.Inf, Name: "least", Index: []int{3}}
	for _, j := range s.g.Active {
		weight := make([]float64, len(s.upper.thresholds[j])+1) // of the rows that go left from this threshold on
		for i, w := range s.g.W {
			weight[s.upper.above[j][s.g.Ranks(i)[j]]] += w
		}
		beforeLeft, beforeRight := 0.0, 0.0
		for v, c := range s.upper.thresholds[j] {
			least, other := s.inWeight(s.below.Left[j][c]), s.inWeight(s.below.Right[j][c])
			left.Add(s.upper.col(1, j, v), weight[v]-(least-beforeLeft))
			right.Add(s.upper.col(1, j, v), -weight[v]-(other-beforeRight))
			beforeLeft, beforeRight = least, other
		}
	}
	right.Add(s.colD(1), s.g.Lhat)
	s.addBelow(&left, 2)
	s.addBelow(&right, 3)
	return []rates.Row{left, right}
}

// addBelow adds the counted rows and the price of the splits at and below node m.
func (s *strengthened) addBelow(r *rates.Row, m int) {
	for first, end := m, m+1; first < s.leaves(); first, end = 2*first, 2*end { // level by level
		for t := first; t < end; t++ {
			r.Add(s.colD(t), s.alpha*s.g.Lhat)
			if t < s.last() {
				continue
			}
			for i, w := range s.g.W {
				r.Add(s.e.col(i, t), -w)
			}
		}
	}
}

// inWeight returns a bound in the weight of the rows: a whole number where it is one but for rounding, else slightly
// less, so that rounding cuts off no tree.
func (s *strengthened) inWeight(bound float64) float64 {
	v := bound * s.g.Lhat
	rounding := 1e-9 * max(1, v)
	if whole := math.Round(v); math.Abs(v-whole) < rounding {
		return whole
	}
	return max(0, v-rounding)
}
