package oct

import (
	"errors"
	"math"

	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/internal/grid"
	"github.com/octgen/octgen/formulate/internal/rates"
	"github.com/octgen/octgen/mio"
)

var errStrengthened = errors.New("formulate: bounds below the root and pairs of rows are of the encodings threshold, with label pairs and without a minimum leaf weight above the lightest row, flow and cut; without constraints or prediction costs")

// strengthened is an encoding with further rows that cut off no tree: those of pairs.go and, with Options.Below, the
// bounds on the subtrees below the root, which are not from a paper. With x_jc = 1 if the root splits on feature j at the
// threshold of rank c, and errors_L, errors_R the errors of the rows that go left and right there,
//
//	errors_L + alpha Lhat splits_L >= Lhat sum_jc Left_jc x_jc
//	errors_R + alpha Lhat splits_R >= Lhat sum_jc Right_jc x_jc
//
// The functions moreRows say what errors and splits are in their variables.
//
// The sum of both rows, with alpha for the root's split, is a bound on the objective: if the bounds are exact, the linear
// relaxation has the optimum of the problem. What the bounds cost is therefore part of any proof. Excluding root splits
// that are worse than a known tree adds nothing to them, and would make starts infeasible.
type strengthened struct {
	encoding
	more func() []rates.Row
}

// strengthen adds what the options ask for. At depth 1 the linear relaxation of threshold is exact without.
func strengthen(e encoding, g *grid.Grid, o Options) (encoding, error) {
	below := o.Below
	if below != nil && o.Depth > 1 {
		if err := belowFits(g, below); err != nil {
			return nil, err
		}
	}
	if o.predicts(g) {
		return nil, errStrengthened
	}
	var pairs [][2]int
	if o.Pairs {
		pairs = nearestPairs(g)
	}
	switch e := e.(type) {
	case *flow:
		return &strengthened{e, func() []rates.Row { return e.moreRows(below, pairs) }}, nil
	case *cut:
		e.more = func() []rates.Row { return e.moreRows(below, pairs) } // before its lazy rows
		return e, nil
	case *threshold:
		switch last := e.lowest.(type) {
		case *rootStump:
			return e, nil
		case *countedStumps:
			return &strengthened{e, func() []rates.Row { return e.moreRows(last, below, pairs) }}, nil
		}
	}
	return nil, errStrengthened
}

// belowFits returns an error for bounds of other data.
func belowFits(g *grid.Grid, below *Below) error {
	for _, j := range g.Active {
		for _, all := range [][][]float64{below.Left, below.Right} {
			if len(all) != g.P || len(all[j]) != len(g.Vals[j]) {
				return errors.New("formulate: bounds below the root do not match the data: want one for each distinct value of each feature")
			}
		}
	}
	return nil
}

func (s *strengthened) build(b *mio.Builder) {
	s.encoding.build(b)
	rates.AddRows(b, s.more())
}

// size adds what has no closed form, the nonzeros of the further rows, by counting them.
func (s *strengthened) size() formulate.Size {
	z := s.encoding.size()
	z.Add(rates.SizeOf(s.more()))
	return z
}

// moreRows returns the further rows of threshold, for D >= 2. There x_jc = w_1jc - w_1j,c+1, and
//
//	errors_L = sum_i omega_i left_i1 - sum_{t below 2} sum_i omega_i e_it
//	errors_R = sum_i omega_i (1 - left_i1) - sum_{t below 3} sum_i omega_i e_it
//
// with Lhat (1 - d_1) on the right side of the second bound. Claim: no tree is cut off. Proof: e_it is at most 1, only for rows
// that reach t and that it classifies correctly. If the root is a leaf, x and d are 0, and all rows go right to one leaf,
// whose errors are at least Lhat.
func (e *threshold) moreRows(last *countedStumps, below *Below, pairs [][2]int) []rates.Row {
	var rows []rates.Row
	if below != nil {
		rows = e.leastRows(last, below)
	}
	for _, p := range pairs {
		rows = append(rows, e.pairRow(last, p[0], p[1]))
	}
	return rows
}

// leastRows returns the bounds of both subtrees.
func (e *threshold) leastRows(last *countedStumps, below *Below) []rates.Row {
	total := 0.0
	for _, w := range e.g.W {
		total += w
	}
	left := rates.Row{Lower: 0, Upper: mio.Inf, Name: "least", Index: []int{2}}
	right := rates.Row{Lower: e.g.Lhat - total, Upper: mio.Inf, Name: "least", Index: []int{3}}
	for _, j := range e.g.Active {
		weight := make([]float64, len(e.upper.thresholds[j])+1) // of the rows that go left from this threshold on
		for i, w := range e.g.W {
			weight[e.upper.above[j][e.g.Ranks(i)[j]]] += w
		}
		beforeLeft, beforeRight := 0.0, 0.0
		for v, c := range e.upper.thresholds[j] {
			least, other := inWeight(e.g, below.Left[j][c]), inWeight(e.g, below.Right[j][c])
			left.Add(e.upper.col(1, j, v), weight[v]-(least-beforeLeft))
			right.Add(e.upper.col(1, j, v), -weight[v]-(other-beforeRight))
			beforeLeft, beforeRight = least, other
		}
	}
	right.Add(e.colD(1), e.g.Lhat)
	rows := []rates.Row{left, right}
	for side := range rows {
		r := &rows[side]
		eachBelow(2+side, e.leaves(), func(t int) {
			r.Add(e.colD(t), e.alpha*e.g.Lhat)
			if t < e.last() {
				return
			}
			for i, w := range e.g.W {
				r.Add(last.e.col(i, t), -w)
			}
		})
	}
	return rows
}

// pairRow returns the row of a pair. correct is the sum of e over the last-level nodes; of their splits only the stumps
// count that have the right label on both sides.
func (e *threshold) pairRow(last *countedStumps, a, b int) rates.Row {
	r := rates.Row{Lower: -mio.Inf, Upper: 1, Name: "pair", Index: []int{a + 1, b + 1}}
	for m := e.last(); m < e.leaves(); m++ {
		r.Add(last.e.col(a, m), 1)
		r.Add(last.e.col(b, m), 1)
	}
	eachBetween(e.g, a, b, func(j, low, high int, from, to int32) {
		for t := 1; t < e.last(); t++ {
			if v := int(e.upper.above[j][from]); v < len(e.upper.thresholds[j]) {
				r.Add(e.upper.col(t, j, v), -1)
			}
			if v := int(e.upper.above[j][to]); v < len(e.upper.thresholds[j]) {
				r.Add(e.upper.col(t, j, v), 1)
			}
		}
		for _, p := range last.touching[e.g.Y[low]] {
			if p.j != j || p.k != e.g.Y[low] || p.l != e.g.Y[high] {
				continue
			}
			for q := firstAbove(p.thresholds, int(from)); q < firstAbove(p.thresholds, int(to)); q++ {
				for m := e.last(); m < e.leaves(); m++ {
					r.Add(last.node(m)+mio.Col(p.col(q)), -1)
				}
			}
		}
	})
	return r
}

// moreRows returns the further rows of flow. There x_jc = b_1jc, and with W_jc the weight of the rows that go left
//
//	errors_L = sum_jc W_jc x_jc - sum_{t below 2} sum_i omega_i zeta_i,y(i),t
//
// and errors_R with the weight of those that go right. Claim: no tree is cut off. Proof: if the root splits, W_jc is the
// weight of the rows on that side, and zeta is at most 1, only for rows that are correct at t; else all is 0.
func (e *flow) moreRows(below *Below, pairs [][2]int) []rates.Row {
	var rows []rates.Row
	if below != nil && e.depth > 1 {
		rows = []rates.Row{e.leastRow(2, below.Left), e.leastRow(3, below.Right)}
	}
	for _, p := range pairs {
		rows = append(rows, e.pairRow(p[0], p[1]))
	}
	return rows
}

// leastRow returns the bound of the subtree at node m, a child of the root.
func (e *flow) leastRow(m int, least [][]float64) rates.Row {
	r := rates.Row{Lower: 0, Upper: mio.Inf, Name: "below", Index: []int{m}}
	total := 0.0
	for _, w := range e.g.W {
		total += w
	}
	for _, j := range e.g.Active {
		at := make([]float64, len(e.g.Vals[j]))
		for i, w := range e.g.W {
			at[e.g.Ranks(i)[j]] += w
		}
		side := 0.0
		for c := 1; c <= e.g.NumThresholds(j); c++ {
			side += at[c-1]
			reached := side
			if m == 3 {
				reached = total - side
			}
			r.Add(e.colB(1, j, c), reached-inWeight(e.g, least[j][c]))
		}
	}
	eachBelow(m, 2*e.leaves(), func(t int) {
		for i, w := range e.g.W {
			r.Add(e.colZeta(i, int(e.g.Y[i]), t), -w)
		}
		if t >= e.leaves() {
			return
		}
		for f := range e.num {
			r.Add(e.b+mio.Col((t-1)*e.num+f), e.alpha*e.g.Lhat)
		}
	})
	return r
}

// pairRow returns the row of a pair. correct is the sum of zeta over the nodes.
func (e *flow) pairRow(a, b int) rates.Row {
	r := rates.Row{Lower: -mio.Inf, Upper: 1, Name: "pair", Index: []int{a + 1, b + 1}}
	for t := 1; t <= e.nodes(); t++ {
		r.Add(e.colZeta(a, int(e.g.Y[a]), t), 1)
		r.Add(e.colZeta(b, int(e.g.Y[b]), t), 1)
	}
	e.separates(&r, a, b)
	return r
}

// separates subtracts the splits that separate two rows.
func (e *flow) separates(r *rates.Row, a, b int) {
	eachBetween(e.g, a, b, func(j, _, _ int, from, to int32) {
		for t := 1; t < e.leaves(); t++ {
			for c := int(from) + 1; c <= int(to); c++ {
				r.Add(e.colB(t, j, c), -1)
			}
		}
	})
}

// moreRows returns the further rows of cut, which does not know on which side a row is: the sum of both bounds, with the
// single leaf if the root is one,
//
//	sum_i omega_i (1 - g_i) + alpha Lhat sum_{t >= 2, f} b_tf >= Lhat (p_1 + sum_jc (Left_jc + Right_jc) b_1jc)
//
// Claim: no tree is cut off. Proof: 1 - g_i is at least 1 for a row with an error. If the root is a leaf, the errors are at
// least Lhat; else those of both sides and the price of their splits are at least the bounds that b_1 selects.
func (e *cut) moreRows(below *Below, pairs [][2]int) []rates.Row {
	var rows []rates.Row
	if below != nil && e.depth > 1 {
		r := rates.Row{Upper: mio.Inf, Name: "below", Index: []int{1}}
		for i, w := range e.g.W {
			r.Lower -= w
			r.Add(e.colG(i, int(e.g.Y[i])), -w)
		}
		r.Add(e.colP(1), -e.g.Lhat)
		for _, j := range e.g.Active {
			for c := 1; c <= e.g.NumThresholds(j); c++ {
				r.Add(e.colB(1, j, c), -inWeight(e.g, below.Left[j][c])-inWeight(e.g, below.Right[j][c]))
			}
		}
		for f := e.num; f < (e.leaves()-1)*e.num; f++ {
			r.Add(e.b+mio.Col(f), e.alpha*e.g.Lhat)
		}
		rows = append(rows, r)
	}
	for _, p := range pairs {
		a, b := p[0], p[1]
		r := rates.Row{Lower: -mio.Inf, Upper: 1, Name: "pair", Index: []int{a + 1, b + 1}}
		r.Add(e.colG(a, int(e.g.Y[a])), 1)
		r.Add(e.colG(b, int(e.g.Y[b])), 1)
		e.separates(&r, a, b)
		rows = append(rows, r)
	}
	return rows
}

// eachBelow calls do for the nodes at and below m before end, level by level.
func eachBelow(m, end int, do func(t int)) {
	for first, next := m, m+1; first < end; first, next = 2*first, 2*next {
		for t := first; t < next; t++ {
			do(t)
		}
	}
}

// inWeight returns a bound in the weight of the rows: a whole number where it is one but for rounding, else slightly
// less, so that rounding cuts off no tree.
func inWeight(g *grid.Grid, bound float64) float64 {
	v := bound * g.Lhat
	rounding := 1e-9 * max(1, v)
	if whole := math.Round(v); math.Abs(v-whole) < rounding {
		return whole
	}
	return max(0, v-rounding)
}
