package mio

import (
	"fmt"
	"math"
	"strings"
)

// Stats are the figures of a model's size and shape.
type Stats struct {
	Sense      string      `json:"sense"` // "minimize" or "maximize"
	Columns    ColumnStats `json:"columns"`
	Rows       RowStats    `json:"rows"`
	Nonzeros   int         `json:"nonzeros"`
	Matrix     Spread      `json:"matrix"`      // of the coefficients
	Costs      Spread      `json:"costs"`       // of the objective's linear coefficients, without its constant
	Bounds     Spread      `json:"bounds"`      // of the columns' finite bounds
	RightSides Spread      `json:"right_sides"` // of the rows' finite bounds
	Offset     float64     `json:"offset"`      // the objective's constant

	QuadraticCosts int `json:"quadratic_costs"` // terms of the objective
	QuadraticTerms int `json:"quadratic_terms"` // terms of the rows
	SOS1           int `json:"sos1"`            // sets of type 1
	SOS2           int `json:"sos2"`
}

// ColumnStats counts columns. Each is binary, integer or continuous; it may be
// some of the others, too.
type ColumnStats struct {
	Total      int `json:"total"`
	Binary     int `json:"binary"`  // integers within [0, 1], whatever their type
	Integer    int `json:"integer"` // the other ones
	Continuous int `json:"continuous"`
	Free       int `json:"free"`  // without a finite bound
	Fixed      int `json:"fixed"` // with equal bounds
	Empty      int `json:"empty"` // in no linear row
}

// RowStats counts rows. Each is of one of the first five kinds; it may be some of
// the others, too.
type RowStats struct {
	Total     int `json:"total"`
	Equal     int `json:"equal"` // a x = b
	Less      int `json:"less"`  // a x <= b
	Greater   int `json:"greater"`
	Range     int `json:"range"`     // two different finite bounds
	Free      int `json:"free"`      // none
	Empty     int `json:"empty"`     // without a linear coefficient
	Quadratic int `json:"quadratic"` // with quadratic terms
	Indicator int `json:"indicator"` // in force on a condition
}

// Spread is the least and the largest of absolute values that are not 0; both are
// 0 where there are none.
type Spread struct {
	Min float64 `json:"min"`
	Max float64 `json:"max"`
}

func (s *Spread) add(v float64) {
	v = math.Abs(v)
	if v == 0 || !finite(v) {
		return
	}
	if s.Min == 0 || v < s.Min {
		s.Min = v
	}
	s.Max = max(s.Max, v)
}

// Stats measures the model.
func (m *Model) Stats() Stats {
	s := Stats{Sense: m.sense.String(), Nonzeros: m.NumNonzeros(), Offset: m.offset, QuadraticCosts: len(m.quadCost), QuadraticTerms: len(m.quadRows)}
	for _, v := range m.value {
		s.Matrix.add(v)
	}
	for _, v := range m.cost {
		s.Costs.add(v)
	}
	for _, set := range m.sos {
		if set.Type == 1 {
			s.SOS1++
		} else {
			s.SOS2++
		}
	}
	m.columnStats(&s)
	m.rowStats(&s)
	return s
}

func (m *Model) columnStats(s *Stats) {
	c := &s.Columns
	c.Total = m.NumCols()
	for j, t := range m.colType {
		l, u := m.colLower[j], m.colUpper[j]
		s.Bounds.add(l)
		s.Bounds.add(u)
		switch {
		case t == Continuous:
			c.Continuous++
		case l >= 0 && u <= 1:
			c.Binary++
		default:
			c.Integer++
		}
		if math.IsInf(l, -1) && math.IsInf(u, 1) {
			c.Free++
		}
		if l == u {
			c.Fixed++
		}
		if m.start[j] == m.start[j+1] {
			c.Empty++
		}
	}
}

func (m *Model) rowStats(s *Stats) {
	r := &s.Rows
	r.Total, r.Indicator = m.NumRows(), len(m.indicators)
	for i, l := range m.rowLower {
		u := m.rowUpper[i]
		s.RightSides.add(l)
		s.RightSides.add(u)
		switch {
		case l == u:
			r.Equal++
		case math.IsInf(l, -1) && math.IsInf(u, 1):
			r.Free++
		case math.IsInf(l, -1):
			r.Less++
		case math.IsInf(u, 1):
			r.Greater++
		default:
			r.Range++
		}
	}
	filled := make([]bool, m.NumRows())
	for _, i := range m.index {
		filled[i] = true
	}
	for _, f := range filled {
		if !f {
			r.Empty++
		}
	}
	last := int32(-1)
	for _, t := range m.quadRows { // ascending
		if t.Row != last {
			r.Quadratic++
		}
		last = t.Row
	}
}

// CoefRange is the spread of the absolute values of a model's matrix: what
// decides how far a solver's tolerances can be trusted.
type CoefRange struct {
	Min, Max       float64 // 0 for a matrix without nonzeros
	MinRow, MaxRow string  // the blocks of rows that hold them: names without indices
}

// Ratio returns Max/Min, 1 for a matrix without nonzeros.
func (r CoefRange) Ratio() float64 {
	if r.Max == 0 {
		return 1
	}
	return r.Max / r.Min
}

// MaxCoefRatio is the ratio beyond which Warning warns.
const MaxCoefRatio = 1e8

// Warning names the blocks where the ratio passes MaxCoefRatio, else "".
func (r CoefRange) Warning() string {
	if r.Ratio() <= MaxCoefRatio {
		return ""
	}
	return fmt.Sprintf("coefficients from %.3g (rows %s) to %.3g (rows %s): a ratio of %.1g is more than solver tolerances can handle", r.Min, r.MinRow, r.Max, r.MaxRow, r.Ratio())
}

// CoefRange measures the matrix.
func (m *Model) CoefRange() CoefRange {
	if len(m.value) == 0 {
		return CoefRange{}
	}
	r := CoefRange{Min: math.Inf(1)}
	minAt, maxAt := 0, 0
	for k, v := range m.value {
		v = math.Abs(v)
		if v < r.Min {
			r.Min, minAt = v, k
		}
		if v > r.Max {
			r.Max, maxAt = v, k
		}
	}
	r.MinRow, r.MaxRow = block(m.RowName(int(m.index[minAt]))), block(m.RowName(int(m.index[maxAt])))
	return r
}

// block is a row's name without its indices: "left" for "left_3_5_1".
func block(name string) string {
	return strings.TrimRight(name, "_0123456789")
}
