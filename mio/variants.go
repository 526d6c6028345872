package mio

import (
	"math"
	"slices"
)

// WithName returns the model under another name; it shares all arrays with m.
func (m *Model) WithName(name string) *Model {
	c := *m
	c.name = name
	return &c
}

// WithRowBounds returns a model with other row bounds that shares all other
// arrays with m. It takes ownership of the slices, which must have NumRows
// entries each and obey the Model contract; it panics otherwise.
func (m *Model) WithRowBounds(lower, upper []float64) *Model {
	if len(lower) != m.NumRows() || len(upper) != m.NumRows() {
		panic("mio: WithRowBounds: wrong length")
	}
	for i := range lower {
		if err := checkBounds(lower[i], upper[i]); err != "" {
			panic("mio: WithRowBounds: row " + m.RowName(i) + ": " + err)
		}
	}
	c := *m
	c.rowLower, c.rowUpper = lower, upper
	return &c
}

// WithCost returns a model with another linear objective, without quadratic
// terms, that shares all other arrays with m. It takes ownership of cost, which
// must have NumCols finite entries; it panics otherwise.
func (m *Model) WithCost(sense Sense, offset float64, cost []float64) *Model {
	if len(cost) != m.NumCols() {
		panic("mio: WithCost: wrong length")
	}
	for _, v := range cost {
		if !finite(v) {
			panic("mio: WithCost: cost is not finite")
		}
	}
	if !finite(offset) {
		panic("mio: WithCost: offset is not finite")
	}
	c := *m
	c.sense, c.offset, c.cost, c.quadCost = sense, offset, cost, nil
	return &c
}

// A model's lazy rows are its last ones. They are rows like others, and every solution
// satisfies them; but few of them matter, and a solver that can leaves them out until
// some point violates them. One that cannot takes the whole model.

// Linear is a row  Lower <= sum_k Value[k] x_Index[k] <= Upper  outside a model.
type Linear struct {
	Lower, Upper float64
	Index        []int32
	Value        []float64
}

// Relaxed returns the model without integrality; it shares all other arrays with m.
func (m *Model) Relaxed() *Model {
	c := *m
	c.colType = make([]VarType, m.NumCols())
	return &c
}

// Discrete returns m with its continuous columns as integer ones.
func (m *Model) Discrete() *Model {
	c := *m
	c.colType = slices.Clone(m.colType)
	for j, t := range c.colType {
		if t == Continuous {
			c.colType[j] = Integer
		}
	}
	return &c
}

// Fixed returns m with every discrete column fixed at the integer nearest to its value in x, within
// its bounds, and as a continuous one.
func (m *Model) Fixed(x []float64) *Model {
	c := m.Relaxed()
	c.colLower, c.colUpper = slices.Clone(m.colLower), slices.Clone(m.colUpper)
	for j, t := range m.colType {
		if t != Continuous {
			v := min(max(math.Round(x[j]), m.colLower[j]), m.colUpper[j])
			c.colLower[j], c.colUpper[j] = v, v
		}
	}
	return c
}

// WithRows returns m with more rows, named by the prefix and their number, before its
// lazy ones or, with lazy false, instead of them. It panics where m is not linear.
func (m *Model) WithRows(more []Linear, prefix string, lazy bool) (*Model, error) {
	if !m.IsLinear() {
		panic("mio: WithRows: the model is not linear")
	}
	eager := m.NumRows() - m.lazy
	b := NewBuilder(m.name)
	if m.rowNames.end == nil {
		prefix = "" // no row has a name
	}
	b.SetSense(m.sense)
	b.AddOffset(m.offset)
	nonzeros := len(m.index)
	for _, r := range more {
		nonzeros += len(r.Index)
	}
	b.Reserve(m.NumCols(), m.NumRows()+len(more), nonzeros)
	for j := range m.cost {
		b.AddCol(m.cost[j], m.colLower[j], m.colUpper[j], m.colType[j], string(m.colNames.bytes(j)))
	}
	copyRow := func(i int) {
		name := ""
		if m.rowNames.end != nil {
			name = m.RowName(i)
		}
		b.AddRow(m.rowLower[i], m.rowUpper[i], name)
	}
	for i := range eager {
		copyRow(i)
	}
	for k, r := range more {
		at := b.AddRow(r.Lower, r.Upper, prefix, k+1)
		for p, j := range r.Index {
			b.Add(at, Col(j), r.Value[p])
		}
	}
	if lazy && m.lazy > 0 {
		b.BeginLazy()
		for i := range m.lazy {
			copyRow(eager + i)
		}
	}
	for j := range m.cost {
		rows, values := m.Column(j)
		for p, i := range rows {
			switch {
			case int(i) < eager:
				b.Add(Row(i), Col(j), values[p])
			case lazy:
				b.Add(Row(int(i)+len(more)), Col(j), values[p])
			}
		}
	}
	return b.Model()
}
