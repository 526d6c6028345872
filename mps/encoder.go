package mps

import (
	"fmt"
	"io"
	"runtime"
	"strconv"
	"sync"

	"github.com/octgen/octgen/mio"
)

// Start positions of the six fields in fixed format, from 0.
const (
	field1 = 1
	field2 = 4
	field3 = 14
	field4 = 24
	field5 = 39
	field6 = 49
)

const (
	bufferSize = 1 << 16
	maxOutLine = 4096 // no line is longer
	commentLen = 240  // CBC reads lines of at most 1000 characters
)

// FormatError says what a file of the format and dialect asked for cannot hold.
type FormatError struct{ Err error }

func (e *FormatError) Error() string { return e.Err.Error() }

func (e *FormatError) Unwrap() error { return e.Err }

// encoder appends lines to a buffer. Each section has one method.
type encoder struct {
	w          io.Writer
	m          *mio.Model
	mp         *Map
	opts       Options
	buf        []byte
	line       int // where the current line starts in buf
	renamedRow []uint32
	num        *numberCache
	err        error // first error; the rest of the work is harmless

	workers []*encoder // for the sections' blocks; none: e does them itself
	queue   *queue     // of a worker
	block   int        // the number of a worker's block
}

func newEncoder(w io.Writer, m *mio.Model, mp *Map) *encoder {
	e := &encoder{w: w, m: m, mp: mp, buf: make([]byte, 0, bufferSize), num: new(numberCache)}
	if len(mp.RenamedRows) > 0 {
		e.renamedRow = make([]uint32, (m.NumRows()+31)/32)
		for _, r := range mp.RenamedRows {
			e.renamedRow[r.Index/32] |= 1 << (r.Index % 32)
		}
	}
	return e
}

// The methods that follow put together one line of output: start, fields, end.

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

const (
	maxWorkers    = 8
	workerBuffer  = 1 << 18
	blockNonzeros = 1 << 12 // their lines mostly fit a worker's buffer
	blockElements = 1 << 12
	parallelFrom  = 1 << 16 // rows, columns and nonzeros from which workers pay
)

// block is a range of rows or columns. Its lines in a section depend on nothing
// else.
type block struct {
	number, lo, hi int
	groups         int // in COLUMNS: groups of markers that ended before lo
}

// queue hands out a section's blocks in order, and lets those who render them
// write in the same order, so that the bytes are those of one worker.
type queue struct {
	cut func(lo int) block // the block that begins at lo; its number is not set
	n   int                // rows or columns

	mu   sync.Mutex
	cond sync.Cond // turn or err changed
	last block     // handed out
	turn int       // the number of the block that may write
	err  error     // the first in the order of the blocks
}

// next returns the next block; ok is false if there is none, or no use for it.
func (q *queue) next() (b block, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.last.hi == q.n || q.err != nil {
		return block{}, false
	}
	number := q.last.number + 1
	q.last = q.cut(q.last.hi)
	q.last.number = number
	return q.last, true
}

// await waits for a block's turn to write and returns the error of those before.
func (q *queue) await(number int) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	for q.turn != number {
		q.cond.Wait()
	}
	return q.err
}

// pass ends the turn of a block that met err.
func (q *queue) pass(err error) {
	q.mu.Lock()
	if q.err == nil {
		q.err = err
	}
	q.turn++
	q.mu.Unlock()
	q.cond.Broadcast()
}

// startWorkers makes an encoder for each core if the model is large.
func (e *encoder) startWorkers() {
	n := min(runtime.GOMAXPROCS(0), maxWorkers)
	if n == 1 || e.m.NumRows()+e.m.NumCols()+e.m.NumNonzeros() < parallelFrom {
		return
	}
	for range n {
		w := *e
		w.buf = make([]byte, 0, workerBuffer)
		w.num = &numberCache{fixed: e.num.fixed}
		e.workers = append(e.workers, &w)
	}
}

// blocks puts the lines of n rows or columns. cut returns the block that begins
// at lo, and is called in order; put, called for different blocks at once, puts
// the lines of one.
func (e *encoder) blocks(n int, cut func(lo int) block, put func(e *encoder, b block)) {
	if len(e.workers) == 0 {
		for lo := 0; lo < n && e.err == nil; {
			b := cut(lo)
			put(e, b)
			lo = b.hi
		}
		return
	}
	e.flush()
	q := &queue{cut: cut, n: n, turn: 1, err: e.err}
	q.cond.L = &q.mu
	var wg sync.WaitGroup
	for _, w := range e.workers {
		w.queue = q
		wg.Go(func() { w.work(put) })
	}
	wg.Wait()
	e.err = q.err
}

// work puts blocks until there are no more.
func (e *encoder) work(put func(e *encoder, b block)) {
	for {
		b, ok := e.queue.next()
		if !ok {
			return
		}
		e.block = b.number
		put(e, b)
		e.flush()
		e.queue.pass(e.err)
	}
}

// even cuts blocks of elements that have about equally long lines.
func even(n int) func(lo int) block {
	return func(lo int) block { return block{lo: lo, hi: min(lo+blockElements, n)} }
}
