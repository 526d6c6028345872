// Package rates formulates constraints on predictions for models of classification trees.
package rates

import (
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/internal/grid"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/tree/constraint"
)

// Term is a variable with a coefficient.
type Term struct {
	Col   mio.Col
	Value float64
}

// Row is a constraint of a model: Lower <= sum of value col <= Upper.
type Row struct {
	Lower, Upper float64
	Name         string
	Index        []int
	Terms        []Term
}

// Add adds a term unless its value is 0.
func (r *Row) Add(c mio.Col, v float64) {
	if v != 0 {
		r.Terms = append(r.Terms, Term{c, v})
	}
}

// AddRows adds the constraints to a model.
func AddRows(b *mio.Builder, rows []Row) {
	for i := range rows {
		s := &rows[i]
		r := b.AddRow(s.Lower, s.Upper, s.Name, s.Index...)
		for _, t := range s.Terms {
			b.Add(r, t.Col, t.Value)
		}
	}
}

// SizeOf returns the size of the constraints.
func SizeOf(rows []Row) formulate.Size {
	s := formulate.Size{Rows: int64(len(rows))}
	for i := range rows {
		s.Nonzeros += int64(len(rows[i].Terms))
	}
	return s
}

// Predictions are the predictions of a model: for units u of rows with one prediction, nodes t that
// may predict, and classes k, q_ukt is 1 if u is at t, which predicts k.
type Predictions struct {
	Grid  *grid.Grid
	Units grid.Groups
	Nodes []int

	// At returns the variable q_ukt; ok is false if t cannot predict k. nil if rows have
	// predictions but no node.
	At func(u, k, t int) (c mio.Col, ok bool)
	// Class returns variables that add up to sum_t q_ukt; nil means those of At.
	Class func(u, k int) []mio.Col
}

// classes returns the variables that add up to sum_t q_ukt.
func (p *Predictions) classes(u, k int) []mio.Col {
	if p.Class != nil {
		return p.Class(u, k)
	}
	var all []mio.Col
	for _, t := range p.Nodes {
		if c, ok := p.At(u, k, t); ok {
			all = append(all, c)
		}
	}
	return all
}

// RateRows returns sum_i g_i sum_t q_ikt <= h for the class k of each row of a rate.
func (p *Predictions) RateRows(on *constraint.On) []Row {
	var rows []Row
	for n := range on.Rows {
		rate := &on.Rows[n]
		r := Row{Lower: -mio.Inf, Upper: rate.H + rate.Slack, Name: rate.Name, Index: []int{n + 1}}
		for u := range p.Units.Len() {
			g := 0.0
			for _, i := range p.Units.Rows(u) {
				g += rate.G[i]
			}
			for _, c := range p.classes(u, rate.Class) {
				r.Add(c, g)
			}
		}
		rows = append(rows, r)
	}
	return rows
}

// PurityRows returns sum_uk (W_uk - r W_u) q_ukt >= 0 at all nodes t that predict, where W_uk is
// the weight of class k in unit u.
func (p *Predictions) PurityRows(on *constraint.On) []Row {
	if on.Purity <= 0 {
		return nil
	}
	var rows []Row
	for _, t := range p.Nodes {
		r := Row{Lower: -on.PuritySlack, Upper: mio.Inf, Name: "pure", Index: []int{t}}
		for u := range p.Units.Len() {
			weight, total := p.weights(u)
			for k, w := range weight {
				if c, ok := p.At(u, k, t); ok {
					r.Add(c, w-on.Purity*total)
				}
			}
		}
		rows = append(rows, r)
	}
	return rows
}

// weights returns the class weights of unit u and their sum.
func (p *Predictions) weights(u int) (weight []float64, total float64) {
	weight = make([]float64, p.Grid.K)
	for _, i := range p.Units.Rows(u) {
		weight[p.Grid.Y[i]] += p.Grid.W[i]
		total += p.Grid.W[i]
	}
	return weight, total
}

// UsedColumns returns the source columns of the non-constant features, ascending.
func UsedColumns(g *grid.Grid, on *constraint.On) []int {
	var all []int
	for _, j := range g.Active {
		if c := on.Columns.Of[j]; len(all) == 0 || all[len(all)-1] != c {
			all = append(all, c)
		}
	}
	return all
}
