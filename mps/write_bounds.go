package mps

import (
	"math"

	"github.com/octgen/octgen/mio"
)

func (e *encoder) boundsSection() {
	if e.mp.FileCols() == 0 {
		return
	}
	e.raw("BOUNDS\n")
	n := e.m.NumCols()
	e.blocks(n, even(n), (*encoder).columnBounds)
	if e.mp.OffsetColumn != "" {
		e.bound("FX", []byte(e.mp.OffsetColumn), 1)
	}
}

func (e *encoder) columnBounds(b block) {
	lower, upper, types := e.m.ColLower(), e.m.ColUpper(), e.m.ColTypes()
	var col []byte
	for j := b.lo; j < b.hi; j++ {
		col = e.mp.AppendColName(col[:0], e.m, j)
		l, u := lower[j], upper[j]
		if types[j] != mio.Continuous {
			l, u = e.roundInwards(col, l, u)
		}
		e.bounds(col, types[j], l, u)
	}
}

// roundInwards returns the integral bounds equivalent to [l, u], which it
// keeps in a directive if they differ; an interval without an integer stays.
func (e *encoder) roundInwards(col []byte, l, u float64) (float64, float64) {
	rl, ru := math.Ceil(l), math.Floor(u)
	if rl == l && ru == u || rl > ru {
		return l, u
	}
	e.start()
	e.raw("* octgen bounds ")
	e.raw(string(col))
	e.interval(l, u)
	e.end()
	return rl, ru
}

// bounds states both bounds of a column.
func (e *encoder) bounds(col []byte, t mio.VarType, l, u float64) {
	switch {
	case isFree(l, u):
		e.boundType("FR", col)
	case l == u:
		e.bound("FX", col, l)
	case t == mio.Binary && l == 0 && u == 1:
		e.boundType("BV", col)
	default:
		if math.IsInf(l, -1) {
			e.boundType("MI", col)
		} else {
			e.bound("LO", col, l)
		}
		if math.IsInf(u, 1) {
			e.boundType("PL", col)
		} else {
			e.bound("UP", col, u)
		}
	}
}

func (e *encoder) bound(kind string, col []byte, v float64) {
	e.start()
	e.text(field1, kind)
	e.text(field2, boundSet)
	e.bytes(field3, col)
	e.number(field4, v)
	e.end()
}

func (e *encoder) boundType(kind string, col []byte) {
	e.start()
	e.text(field1, kind)
	e.text(field2, boundSet)
	e.bytes(field3, col)
	e.end()
}

func isFree(l, u float64) bool { return math.IsInf(l, -1) && math.IsInf(u, 1) }
