package mps

import (
	"fmt"
	"strconv"
)

// The methods here put together one line of output: start, fields, end.

// start begins a line. The buffer then has room for any line.
func (e *encoder) start() {
	if len(e.buf) > cap(e.buf)-maxOutLine {
		e.flush()
	}
	e.line = len(e.buf)
}

func (e *encoder) end() { e.buf = append(e.buf, '\n') }

// raw writes s as it is.
func (e *encoder) raw(s string) {
	if len(e.buf) > cap(e.buf)-maxOutLine {
		e.flush()
	}
	e.buf = append(e.buf, s...)
}

// gap moves to where the next field starts, in fixed format its position.
func (e *encoder) gap(position int) {
	e.buf = append(e.buf, ' ')
	if !e.num.fixed {
		return
	}
	for len(e.buf)-e.line < position {
		e.buf = append(e.buf, ' ')
	}
}

func (e *encoder) text(position int, s string) {
	e.gap(position)
	e.buf = append(e.buf, s...)
}

func (e *encoder) bytes(position int, s []byte) {
	e.gap(position)
	e.buf = append(e.buf, s...)
}

func (e *encoder) rowName(i int) {
	if e.renamedRow != nil && e.renamedRow[i/32]>>(i%32)&1 != 0 {
		e.buf = appendReplacement(e.buf, 'r', i)
		return
	}
	e.buf = e.m.AppendRowName(e.buf, i)
}

func (e *encoder) colName(j int32) {
	e.buf = e.mp.AppendColName(e.buf, e.m, int(j))
}

func (e *encoder) number(position int, v float64) {
	e.gap(position)
	n := len(e.buf)
	b := e.buf[:n+numberRoom]
	k := e.num.put(b[n:], v)
	e.buf = b[:n+k]
	if e.num.fixed && k > maxFixedNumber && e.err == nil {
		e.err = &FormatError{fmt.Errorf("fixed format: number %s in line %q has %d characters; at most %d fit (use the free format)",
			b[n:n+k], e.buf[e.line:n], k, maxFixedNumber)}
	}
}

// interval appends two bounds exactly, infinite ones as -Inf and +Inf.
func (e *encoder) interval(l, u float64) {
	e.exact(l)
	e.exact(u)
}

// exact appends a number as directives have it, of any width.
func (e *encoder) exact(v float64) {
	e.buf = strconv.AppendFloat(append(e.buf, ' '), v, 'g', -1, 64)
}

// flush hands the buffer on. A worker waits for the turn of its block, which it
// then has to the block's end.
func (e *encoder) flush() {
	if e.queue != nil {
		if err := e.queue.await(e.block); e.err == nil {
			e.err = err
		}
	}
	if e.err == nil {
		_, e.err = e.w.Write(e.buf)
	}
	e.line -= len(e.buf)
	e.buf = e.buf[:0]
}
