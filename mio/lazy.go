package mio

import "errors"

// A model's lazy rows are its last ones. They are rows like others, and every solution
// satisfies them; but few of them matter, and a solver that can leaves them out until
// some point violates them. One that cannot takes the whole model.

// Linear is a row  Lower <= sum_k Value[k] x_Index[k] <= Upper  outside a model.
type Linear struct {
	Lower, Upper float64
	Index        []int32
	Value        []float64
}

// BeginLazy makes the rows that are added from now on lazy. They are linear, without
// indicators.
func (b *Builder) BeginLazy() { b.lazyFrom, b.hasLazy = b.NumRows(), true }

// finishLazy counts the lazy rows and validates them.
func (b *Builder) finishLazy() error {
	if !b.hasLazy {
		return nil
	}
	m := &b.m
	for _, t := range m.quadRows {
		if int(t.Row) >= b.lazyFrom {
			return errors.New("mio: the lazy row " + m.RowName(int(t.Row)) + " has quadratic terms")
		}
	}
	for _, in := range m.indicators {
		if int(in.Row) >= b.lazyFrom {
			return errors.New("mio: the lazy row " + m.RowName(int(in.Row)) + " has an indicator")
		}
	}
	m.lazy = m.NumRows() - b.lazyFrom
	return nil
}

// NumLazy returns the number of lazy rows, the last ones.
func (m *Model) NumLazy() int { return m.lazy }

// Relaxed returns the model without integrality; it shares all other arrays with m.
func (m *Model) Relaxed() *Model {
	c := *m
	c.colType = make([]VarType, m.NumCols())
	return &c
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
