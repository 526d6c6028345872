package oct

import (
	"github.com/octgen/octgen/formulate/internal/grid"
	"github.com/octgen/octgen/formulate/internal/rates"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/tree/constraint"
)

// places says where a program has what constraints speak of. Of units u of rows with one
// prediction, nodes t that may predict, and classes k:
//
//	q_ukt   unit u is at t, which predicts k; sum_kt q_ukt = 1
//	c_kt    t predicts k; at most one k of each t
//	a_jt    branch node t splits on feature j, as the sum of some columns
//
// With c and all splits integral q is, too (q_ukt <= c_kt, sum_k q_ukt = z_ut, the
// routing rows on z), and sum_t q_ukt is the prediction of u: no row can be left
// uncounted.
type places struct {
	predictions rates.Predictions
	branches    int // branch nodes are 1..branches, in heap order

	label  func(k, t int) mio.Col
	splits func(t, j int) []mio.Col
	fixed  func(t, j, rank int) []rates.Term // what makes t split on j at the threshold of that rank
}

// newPlaces are those of a program of these units, whose columns q_ukt are at pred, of a
// tree with the given branch nodes.
func newPlaces(g *grid.Grid, units grid.Groups, branches int, pred func(u, k, t int) mio.Col) *places {
	at := func(u, k, t int) (mio.Col, bool) { return pred(u, k, t), true }
	return &places{predictions: rates.Predictions{Grid: g, Units: units, At: at}, branches: branches}
}

// constraintRows are the rows of the constraints; used is the column u_c of each source
// column, where they ask for it.
func (p *places) constraintRows(on *constraint.On, used func(column int) mio.Col, fixed *heapTree) []rates.Row {
	rows := append(p.predictions.RateRows(on), p.predictions.PurityRows(on)...)
	rows = append(rows, p.featureRows(on, used)...)
	rows = append(rows, p.fixedRows(fixed)...)
	return append(rows, p.monotoneRows(on)...)
}

// featureRows: u_c >= sum over the features j of column c of a_jt at all branch nodes t,
// and sum_c u_c <= F.
func (p *places) featureRows(on *constraint.On, used func(int) mio.Col) []rates.Row {
	if used == nil {
		return nil
	}
	var rows []rates.Row
	columns := rates.UsedColumns(p.predictions.Grid, on)
	for _, c := range columns {
		for t := 1; t <= p.branches; t++ {
			r := rates.Row{Lower: -mio.Inf, Name: "uses", Index: []int{c + 1, t}}
			for _, j := range p.predictions.Grid.Active {
				if on.Columns.Of[j] == c {
					for _, a := range p.splits(t, j) {
						r.Add(a, 1)
					}
				}
			}
			r.Add(used(c), -1)
			rows = append(rows, r)
		}
	}
	if on.MaxFeatures > 0 {
		r := rates.Row{Lower: -mio.Inf, Upper: float64(on.MaxFeatures), Name: "max_features"}
		for _, c := range columns {
			r.Add(used(c), 1)
		}
		rows = append(rows, r)
	}
	return rows
}

// fixedRows: the splits that stay.
func (p *places) fixedRows(h *heapTree) []rates.Row {
	if h == nil {
		return nil
	}
	var rows []rates.Row
	for t := 1; t <= p.branches; t++ {
		if h.feature[t] < 0 {
			continue
		}
		for n, f := range p.fixed(t, h.feature[t], h.threshold[t]) {
			rows = append(rows, rates.Row{Lower: f.Value, Upper: f.Value, Name: "fixed", Index: []int{t, n + 1}, Terms: []rates.Term{{Col: f.Col, Value: 1}}})
		}
	}
	return rows
}

// monotoneRows: where branch node t splits on a feature of sign +1, not both a node l on
// its left has a class of rank v or more and a node r on its right one below v,
//
//	sum_{k: rank >= v} c_kl + sum_{k: rank < v} c_kr + sum_{j of sign +1} a_jt <= 2
//
// for all t, l, r and v = 1..K-1; of sign -1 with l and r exchanged.
func (p *places) monotoneRows(on *constraint.On) []rates.Row {
	var rows []rates.Row
	for t := 1; t <= p.branches && on.Monotone != nil; t++ {
		for _, sign := range []int8{1, -1} {
			var splits []mio.Col
			for _, j := range p.predictions.Grid.Active {
				if on.Monotone[j] == sign {
					splits = append(splits, p.splits(t, j)...)
				}
			}
			if splits == nil {
				continue
			}
			higher, lower := p.below(2*t+1), p.below(2*t)
			if sign < 0 {
				higher, lower = lower, higher
			}
			for _, l := range lower {
				for _, h := range higher {
					for v := 1; v < p.predictions.Grid.K; v++ {
						r := rates.Row{Lower: -mio.Inf, Upper: 2, Name: "order", Index: []int{t, l, h, v}}
						for k, rank := range on.Rank {
							if rank >= v {
								r.Add(p.label(k, l), 1)
							} else {
								r.Add(p.label(k, h), 1)
							}
						}
						for _, a := range splits {
							r.Add(a, 1)
						}
						rows = append(rows, r)
					}
				}
			}
		}
	}
	return rows
}

// below are the nodes that may predict at and below node m.
func (p *places) below(m int) []int {
	var all []int
	for _, t := range p.predictions.Nodes {
		at := t
		for at > m {
			at /= 2
		}
		if at == m {
			all = append(all, t)
		}
	}
	return all
}
