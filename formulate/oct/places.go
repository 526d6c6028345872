package oct

import (
	"github.com/octgen/octgen/constraint"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/internal/grid"
	"github.com/octgen/octgen/mio"
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
	g        *grid.Grid
	units    grid.Groups
	branches int // branch nodes are 1..branches, in heap order
	nodes    []int

	pred   func(u, k, t int) mio.Col // nil where rows are predicted, but lie nowhere
	class  func(u, k int) []mio.Col  // that add up to u's prediction of k; nil: those of pred
	label  func(k, t int) mio.Col
	splits func(t, j int) []mio.Col
	fixed  func(t, j, rank int) []fixing // what makes t split on j at the threshold of that rank
}

// fixing is a column with the value that it is to have.
type fixing struct {
	col   mio.Col
	value float64
}

// sumRow is a row of a program: lower <= sum of value col <= upper.
type sumRow struct {
	lower, upper float64
	name         string
	index        []int
	terms        []fixing
}

func (r *sumRow) add(c mio.Col, v float64) {
	if v != 0 {
		r.terms = append(r.terms, fixing{c, v})
	}
}

// constraintRows are the rows of the constraints; used is the column u_c of each source
// column, where they ask for it.
func (p *places) constraintRows(on *constraint.On, used func(column int) mio.Col, fixed *heapTree) []sumRow {
	rows := p.rateRows(on)
	if on.Purity > 0 {
		rows = append(rows, p.purityRows(on)...)
	}
	rows = append(rows, p.featureRows(on, used)...)
	rows = append(rows, p.fixedRows(fixed)...)
	return append(rows, p.monotoneRows(on)...)
}

// rateRows: sum_i g_i sum_t q_ikt <= h for the class k of each row of a rate.
func (p *places) rateRows(on *constraint.On) []sumRow {
	var rows []sumRow
	for n := range on.Rows {
		rate := &on.Rows[n]
		r := sumRow{lower: -mio.Inf, upper: rate.H + rate.Slack, name: rate.Name, index: []int{n + 1}}
		for u := range p.units.Len() {
			g := 0.0
			for _, i := range p.units.Rows(u) {
				g += rate.G[i]
			}
			for _, c := range p.classes(u, rate.Class) {
				r.add(c, g)
			}
		}
		rows = append(rows, r)
	}
	return rows
}

// classes are the columns that add up to sum_t q_ukt.
func (p *places) classes(u, k int) []mio.Col {
	if p.class != nil {
		return p.class(u, k)
	}
	all := make([]mio.Col, len(p.nodes))
	for i, t := range p.nodes {
		all[i] = p.pred(u, k, t)
	}
	return all
}

// purityRows: sum_uk (W_uk - r W_u) q_ukt >= 0 at all nodes t that predict, with W_uk the
// weight of class k in unit u.
func (p *places) purityRows(on *constraint.On) []sumRow {
	var rows []sumRow
	for _, t := range p.nodes {
		r := sumRow{lower: -on.PuritySlack, upper: mio.Inf, name: "pure", index: []int{t}}
		for u := range p.units.Len() {
			weight, total := p.weights(u)
			for k, w := range weight {
				r.add(p.pred(u, k, t), w-on.Purity*total)
			}
		}
		rows = append(rows, r)
	}
	return rows
}

// weights are those of the classes of unit u, and their sum.
func (p *places) weights(u int) (weight []float64, total float64) {
	weight = make([]float64, p.g.K)
	for _, i := range p.units.Rows(u) {
		weight[p.g.Y[i]] += p.g.W[i]
		total += p.g.W[i]
	}
	return weight, total
}

// featureRows: u_c >= sum over the features j of column c of a_jt at all branch nodes t,
// and sum_c u_c <= F.
func (p *places) featureRows(on *constraint.On, used func(int) mio.Col) []sumRow {
	if used == nil {
		return nil
	}
	var rows []sumRow
	columns := usedColumns(p.g, on)
	for _, c := range columns {
		for t := 1; t <= p.branches; t++ {
			r := sumRow{lower: -mio.Inf, name: "uses", index: []int{c + 1, t}}
			for _, j := range p.g.Active {
				if on.Columns.Of[j] == c {
					for _, a := range p.splits(t, j) {
						r.add(a, 1)
					}
				}
			}
			r.add(used(c), -1)
			rows = append(rows, r)
		}
	}
	if on.MaxFeatures > 0 {
		r := sumRow{lower: -mio.Inf, upper: float64(on.MaxFeatures), name: "max_features"}
		for _, c := range columns {
			r.add(used(c), 1)
		}
		rows = append(rows, r)
	}
	return rows
}

// usedColumns are the source columns of the features that vary, ascending.
func usedColumns(g *grid.Grid, on *constraint.On) []int {
	var all []int
	for _, j := range g.Active {
		if c := on.Columns.Of[j]; len(all) == 0 || all[len(all)-1] != c {
			all = append(all, c)
		}
	}
	return all
}

// fixedRows: the splits that stay.
func (p *places) fixedRows(h *heapTree) []sumRow {
	if h == nil {
		return nil
	}
	var rows []sumRow
	for t := 1; t <= p.branches; t++ {
		if h.feature[t] < 0 {
			continue
		}
		for n, f := range p.fixed(t, h.feature[t], h.threshold[t]) {
			rows = append(rows, sumRow{lower: f.value, upper: f.value, name: "fixed", index: []int{t, n + 1}, terms: []fixing{{f.col, 1}}})
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
func (p *places) monotoneRows(on *constraint.On) []sumRow {
	var rows []sumRow
	for t := 1; t <= p.branches && on.Monotone != nil; t++ {
		for _, sign := range []int8{1, -1} {
			var splits []mio.Col
			for _, j := range p.g.Active {
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
					for v := 1; v < p.g.K; v++ {
						r := sumRow{lower: -mio.Inf, upper: 2, name: "order", index: []int{t, l, h, v}}
						for k, rank := range on.Rank {
							if rank >= v {
								r.add(p.label(k, l), 1)
							} else {
								r.add(p.label(k, h), 1)
							}
						}
						for _, a := range splits {
							r.add(a, 1)
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
	for _, t := range p.nodes {
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

// addRows adds the rows to a program.
func addRows(b *mio.Builder, rows []sumRow) {
	for i := range rows {
		s := &rows[i]
		r := b.AddRow(s.lower, s.upper, s.name, s.index...)
		for _, m := range s.terms {
			b.Add(r, m.col, m.value)
		}
	}
}

// sizeOf is the size of the rows.
func sizeOf(rows []sumRow) formulate.Size {
	s := formulate.Size{Rows: int64(len(rows))}
	for i := range rows {
		s.Nonzeros += int64(len(rows[i].terms))
	}
	return s
}
