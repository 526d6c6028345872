package mps

import (
	"runtime"
	"sync"
)

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
