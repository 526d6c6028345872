package mps

import (
	"strconv"

	"github.com/octgen/octgen/mio"
)

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
