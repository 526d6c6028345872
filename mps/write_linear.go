package mps

import (
	"math"
	"strconv"

	"github.com/octgen/octgen/mio"
)

func (e *encoder) nameSection() {
	name := e.m.Name()
	if !legalName([]byte(name)) || e.opts.Format == Fixed && len(name) > maxFixedName {
		name = fallbackModel
	}
	e.start()
	if e.opts.Format == Fixed {
		e.raw("NAME          " + name)
	} else {
		e.raw("NAME " + name + " FREE") // without FREE, CBC takes short names for fixed format
	}
	e.end()
}

func (e *encoder) rowsSection() {
	e.raw("ROWS\n")
	e.start()
	e.text(field1, "N")
	e.text(field2, objectiveName)
	e.end()
	n, lazy := e.m.NumRows(), e.m.NumLazy()
	e.rowBlocks(0, n-lazy)
	if lazy == 0 {
		return
	}
	if e.lazySection() {
		e.raw("LAZYCONS\n")
	} else {
		e.raw("* octgen lazy " + strconv.Itoa(lazy) + "\n")
	}
	e.rowBlocks(n-lazy, n)
}

// lazySection reports whether the lazy rows stand in a section of their own: CPLEX and
// Gurobi have one, of rows with one right-hand side.
func (e *encoder) lazySection() bool {
	if e.opts.Dialect != CPLEX && e.opts.Dialect != Gurobi {
		return false
	}
	lower, upper := e.m.RowLower(), e.m.RowUpper()
	for i := e.m.NumRows() - e.m.NumLazy(); i < e.m.NumRows(); i++ {
		if isFree(lower[i], upper[i]) || isRange(lower[i], upper[i]) {
			return false
		}
	}
	return true
}

// rowBlocks writes the rows lo..hi-1.
func (e *encoder) rowBlocks(lo, hi int) {
	n := hi - lo
	e.blocks(n, even(n), func(e *encoder, b block) {
		b.lo, b.hi = b.lo+lo, b.hi+lo
		e.rows(b)
	})
}

func (e *encoder) rows(b block) {
	lower, upper := e.m.RowLower(), e.m.RowUpper()
	for i := b.lo; i < b.hi; i++ {
		e.start()
		e.text(field1, rowKind(lower[i], upper[i]))
		e.gap(field2)
		e.rowName(i)
		e.end()
	}
}

// rowKind returns the type of a row. That of a range is the side it is
// anchored at: the larger in magnitude, which loses least to rounding.
func rowKind(lower, upper float64) string {
	switch {
	case isFree(lower, upper):
		return "N"
	case lower == upper:
		return "E"
	case math.IsInf(lower, -1):
		return "L"
	case math.IsInf(upper, 1) || math.Abs(upper) >= math.Abs(lower):
		return "G"
	}
	return "L"
}

func (e *encoder) columnsSection() {
	e.raw("COLUMNS\n")
	n, types := e.m.NumCols(), e.m.ColTypes()
	groups := 0
	e.blocks(n, func(lo int) block {
		b := block{lo: lo, hi: e.columnBlock(lo), groups: groups}
		for j := max(lo, 1); j < b.hi; j++ {
			if types[j-1] != mio.Continuous && types[j] != types[j-1] {
				groups++
			}
		}
		return b
	}, (*encoder).columns)
	if n > 0 {
		e.marker(types[n-1], groups, "'INTEND'")
	}
	if e.mp.OffsetColumn != "" {
		e.start()
		e.text(field2, e.mp.OffsetColumn)
		e.text(field3, objectiveName)
		e.number(field4, e.mp.Sign*e.mp.Offset)
		e.end()
	}
}

// columnBlock returns the end of the block of columns that begins at lo.
func (e *encoder) columnBlock(lo int) int {
	start, _, _ := e.m.Matrix()
	n, most := e.m.NumCols(), int(start[lo])+blockNonzeros
	hi := lo + 1
	for hi < n && hi < lo+blockElements && int(start[hi+1]) <= most {
		hi++
	}
	return hi
}

func (e *encoder) columns(b block) {
	types, cost := e.m.ColTypes(), e.m.Costs()
	group, groups := mio.Continuous, b.groups
	if b.lo > 0 {
		group = types[b.lo-1]
	}
	_, names := e.m.RowNames()
	plain := !e.num.fixed && names != nil && e.renamedRow == nil
	var col []byte
	for j := b.lo; j < b.hi && e.err == nil; j++ {
		if types[j] != group {
			groups += e.marker(group, groups, "'INTEND'")
			group = types[j]
			e.marker(group, groups, "'INTORG'")
		}
		col = e.mp.AppendColName(col[:0], e.m, j)
		if plain {
			e.plainColumn(col, e.mp.Sign*cost[j], j)
		} else {
			e.column(col, e.mp.Sign*cost[j], j)
		}
	}
}

// marker writes the begin or end of a group of integer or binary columns and
// returns 1, or 0 for continuous columns, which have none.
func (e *encoder) marker(t mio.VarType, k int, what string) int {
	if t == mio.Continuous {
		return 0
	}
	name := integerMarker
	if t == mio.Binary {
		name = binaryMarker
	}
	e.start()
	e.text(field2, name+strconv.Itoa(k))
	e.text(field3, markerWord)
	e.text(field5, what)
	e.end()
	return 1
}

// column writes a column's entries, two to a line. An empty column gets a zero
// cost, so that it exists.
func (e *encoder) column(name []byte, cost float64, j int) {
	rows, values := e.m.Column(j)
	second := false
	if cost != 0 || len(rows) == 0 {
		e.start()
		e.bytes(field2, name)
		e.text(field3, objectiveName)
		e.number(field4, cost)
		second = true
	}
	for k, i := range rows {
		if second {
			e.gap(field5)
			e.rowName(int(i))
			e.number(field6, values[k])
			e.end()
		} else {
			e.start()
			e.bytes(field2, name)
			e.gap(field3)
			e.rowName(int(i))
			e.number(field4, values[k])
		}
		second = !second
	}
	if second {
		e.end()
	}
}

// wordCopy is the length of the copies of constant length that plainColumn makes
// of short names.
const wordCopy = 16

// plainColumn is column for the free format where all rows have names of their
// own: what nearly all of a large model's bytes are.
func (e *encoder) plainColumn(name []byte, cost float64, j int) {
	rows, values := e.m.Column(j)
	text, end := e.m.RowNames()
	second := false
	if cost != 0 || len(rows) == 0 {
		e.start()
		e.bytes(field2, name)
		e.text(field3, objectiveName)
		e.number(field4, cost)
		second = true
	}
	var head [maxName + 2 + wordCopy]byte // the name between blanks
	h := copy(head[1:], name) + 2
	head[0], head[h-1] = ' ', ' '
	b, n := e.buf[:cap(e.buf)], len(e.buf)
	limit := len(b) - maxOutLine
	for k, i := range rows {
		if second {
			b[n] = ' '
			n++
		} else {
			if n > limit {
				e.buf = b[:n]
				e.flush()
				n = 0
			}
			n += putShort(b[n:], head[:], h)
		}
		lo := uint32(0)
		if i > 0 {
			lo = end[i-1]
		}
		if size := int(end[i] - lo); size > 0 {
			n += putShort(b[n:], text[lo:], size)
		} else {
			n = len(e.m.AppendRowName(b[:n], int(i)))
		}
		b[n] = ' '
		n++
		n += e.num.put(b[n:], values[k])
		if second {
			b[n] = '\n'
			n++
		}
		second = !second
	}
	e.buf = b[:n]
	if second {
		e.end()
	}
}

// putShort copies the first n bytes of s to b and returns n. Where it can it
// copies a constant number of bytes, which is faster.
func putShort(b, s []byte, n int) int {
	if n <= wordCopy && len(s) >= wordCopy && len(b) >= wordCopy {
		*(*[wordCopy]byte)(b) = *(*[wordCopy]byte)(s)
		return n
	}
	return copy(b, s[:n])
}

func (e *encoder) rhsSection() {
	e.raw("RHS\n")
	n := e.m.NumRows()
	e.blocks(n, even(n), (*encoder).rightSides)
}

func (e *encoder) rightSides(b block) {
	lower, upper := e.m.RowLower(), e.m.RowUpper()
	for i := b.lo; i < b.hi; i++ {
		rhs := upper[i]
		switch rowKind(lower[i], upper[i]) {
		case "N":
			continue
		case "G":
			rhs = lower[i]
		}
		if rhs != 0 {
			e.rowEntry(rhsSet, i, rhs)
		}
	}
}

func (e *encoder) rangesSection() {
	lower, upper := e.m.RowLower(), e.m.RowUpper()
	n := len(lower)
	for i := range n {
		if isRange(lower[i], upper[i]) {
			e.raw("RANGES\n")
			e.blocks(n, even(n), (*encoder).ranges)
			return
		}
	}
}

func (e *encoder) ranges(b block) {
	lower, upper := e.m.RowLower(), e.m.RowUpper()
	for i := b.lo; i < b.hi; i++ {
		l, u := lower[i], upper[i]
		if !isRange(l, u) {
			continue
		}
		r, exact := rangeOf(l, u)
		if !exact {
			e.start()
			e.raw("* octgen range ")
			e.rowName(i)
			e.interval(l, u)
			e.end()
		}
		e.rowEntry(rangeSet, i, r)
	}
}

func isRange(l, u float64) bool { return l != u && !math.IsInf(l, 0) && !math.IsInf(u, 0) }

// rangeOf returns the range of a row with finite bounds l < u, and whether a
// reader gets exactly the other bound from it.
func rangeOf(l, u float64) (r float64, exact bool) {
	r = math.Min(u-l, math.MaxFloat64)
	for _, r := range [...]float64{r, math.Nextafter(r, 0), math.Nextafter(r, math.MaxFloat64)} {
		if rowKind(l, u) == "G" && l+r == u || rowKind(l, u) == "L" && u-r == l {
			return r, r > 0
		}
	}
	return r, false
}

// rowEntry writes a row's entry of RHS or RANGES.
func (e *encoder) rowEntry(set string, i int, v float64) {
	e.start()
	e.text(field2, set)
	e.gap(field3)
	e.rowName(i)
	e.number(field4, v)
	e.end()
}

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
