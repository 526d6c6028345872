package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/internal/atomicfile"
	"github.com/octgen/octgen/solvers"
	"github.com/octgen/octgen/solvers/external"
)

// workerCmd is `octgen worker`: other commands, asked for on standard input and answered on standard output, several at a
// time, for a program that has many fits and would start a process for each. docs/worker.md describes what is exchanged.
type workerCmd struct{}

// workerProtocol is the version of what is exchanged; it changes with what a program must know.
const workerProtocol = 1

// Limits of a request.
const (
	mostRequest      = 64 << 20        // bytes of its line
	mostTableColumns = 1 << 20         // of its table
	mostCells        = 1 << 29         // of its table
	largeTable       = 64 << 20        // bytes from which on memory is given back at once
	lastWait         = 2 * time.Second // for requests under way at the end of the input
)

// workerGreeting is the first line of a worker.
type workerGreeting struct {
	Octgen   string `json:"octgen"`
	Protocol int    `json:"protocol"`
}

// workerRequest is a line of the input. Bytes follow it: those of the files, then those of the columns, in order.
type workerRequest struct {
	ID    int64        `json:"id"`
	Args  []string     `json:"args"`            // of the command line, without "octgen"
	Files []workerFile `json:"files,omitempty"` // in place of files of these names
	Table *workerTable `json:"table,omitempty"` // in place of a data file of its name

	Stop int64 `json:"stop,omitempty"` // instead of all else: the request to be ended early, with what was found
}

type workerFile struct {
	Name  string `json:"name"`
	Bytes int    `json:"bytes"`
}

type workerTable struct {
	Name    string         `json:"name"`
	Rows    int            `json:"rows"`
	Columns []workerColumn `json:"columns"`
}

// workerColumn is a column of a table: numbers of 64 bits or, with texts, codes of 32 bits, both with the least byte first.
type workerColumn struct {
	Name  string   `json:"name"`
	Texts []string `json:"texts,omitempty"`
}

// workerAnswer is a line of the output. The bytes of standard output follow the last one of a request.
type workerAnswer struct {
	ID       int64           `json:"id"`
	Progress *workerProgress `json:"progress,omitempty"` // and nothing else: the request goes on

	Code   int    `json:"code"`   // exit code
	Stdout int    `json:"stdout"` // number of bytes
	Stderr string `json:"stderr"`
}

type workerProgress struct {
	Seconds   float64  `json:"seconds"`
	Objective *float64 `json:"objective"` // null where there is none, as the others
	Bound     *float64 `json:"bound"`
	Gap       *float64 `json:"gap"`
}

// Run answers requests until the input ends, which ends what is under way.
func (c *workerCmd) Run(a *app) error {
	if a.memory != nil {
		return badInput(errors.New("a worker is asked by a worker"))
	}
	w := &worker{app: a, in: bufio.NewReaderSize(a.stdin, 1<<20), stops: make(map[int64]context.CancelFunc)}
	if err := w.write(workerGreeting{version, workerProtocol}, nil); err != nil {
		return err
	}
	err := w.serve()
	w.end()
	if err == io.EOF {
		return nil
	}
	return badInput(fmt.Errorf("worker: %w", err))
}

// worker is one at work.
type worker struct {
	app *app
	in  *bufio.Reader

	out sync.Mutex // of the output

	mu    sync.Mutex
	stops map[int64]context.CancelFunc // by request under way
	busy  sync.WaitGroup
}

// serve reads requests until one is wrong or there are no more.
func (w *worker) serve() error {
	for {
		line, err := readLine(w.in)
		if err != nil {
			return err
		}
		var r workerRequest
		d := json.NewDecoder(bytes.NewReader(line))
		d.DisallowUnknownFields()
		if err := d.Decode(&r); err != nil {
			return fmt.Errorf("the request is no JSON object of the protocol: %w", err)
		}
		if r.Stop != 0 {
			w.stop(r.Stop)
			continue
		}
		m, err := r.read(w.in)
		if err != nil {
			return fmt.Errorf("request %d: %w", r.ID, err)
		}
		if !w.begin(&r, m) {
			return fmt.Errorf("request %d is there twice", r.ID)
		}
	}
}

// readLine reads a line that is not too long.
func readLine(in *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := in.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case err == nil:
			return line, nil
		case err == io.EOF && len(line) > 0:
			return nil, io.ErrUnexpectedEOF
		case err != bufio.ErrBufferFull:
			return nil, err
		case len(line) > mostRequest:
			return nil, fmt.Errorf("a line of more than %d bytes", mostRequest)
		}
	}
}

// read reads the bytes that follow the line of the request.
func (r *workerRequest) read(in io.Reader) (*memory, error) {
	m := &memory{files: make(map[string][]byte)}
	for _, f := range r.Files {
		if f.Bytes < 0 || f.Bytes > math.MaxInt32 {
			return nil, fmt.Errorf("the file %q has %d bytes", f.Name, f.Bytes)
		}
		b, err := io.ReadAll(io.LimitReader(in, int64(f.Bytes)))
		if err == nil && len(b) < f.Bytes {
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			return nil, err
		}
		m.files[f.Name] = b
	}
	t := r.Table
	if t == nil {
		return m, nil
	}
	if p := len(t.Columns); t.Rows < 0 || t.Rows > math.MaxInt32 || p > mostTableColumns || t.Rows*p > mostCells {
		return nil, fmt.Errorf("a table of %d rows and %d columns is too large", t.Rows, p)
	}
	m.frame = &dataset.Frame{Name: t.Name, Columns: make([]dataset.FrameColumn, len(t.Columns))}
	var raw []byte
	for j, c := range t.Columns {
		size := 8
		if c.Texts != nil {
			size = 4
		}
		raw = slices.Grow(raw[:0], size*t.Rows)[:size*t.Rows]
		if _, err := io.ReadFull(in, raw); err != nil {
			return nil, err
		}
		column := &m.frame.Columns[j]
		column.Name = c.Name
		if c.Texts == nil {
			column.Numbers = make([]float64, t.Rows)
			for i := range column.Numbers {
				column.Numbers[i] = math.Float64frombits(binary.LittleEndian.Uint64(raw[8*i:]))
			}
			continue
		}
		column.Texts, column.Codes = c.Texts, make([]int32, t.Rows)
		for i := range column.Codes {
			column.Codes[i] = int32(binary.LittleEndian.Uint32(raw[4*i:]))
		}
	}
	return m, nil
}

// begin starts to work on a request, unless one of its number is under way.
func (w *worker) begin(r *workerRequest, m *memory) bool {
	work, stop := context.WithCancel(w.app.ctx)
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.stops[r.ID] != nil {
		stop()
		return false
	}
	w.stops[r.ID] = stop
	w.busy.Go(func() { w.do(work, r, m) })
	return true
}

// stop ends a request early; one that has ended is left alone.
func (w *worker) stop(id int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if stop := w.stops[id]; stop != nil {
		stop()
	}
}

// do runs the command of a request and answers.
func (w *worker) do(work context.Context, r *workerRequest, m *memory) {
	var stdout, stderr bytes.Buffer
	a := &app{ctx: w.app.ctx, work: work, stdin: bytes.NewReader(nil), stderr: &stderr, memory: m}
	a.progress = func(e *solvers.Event) {
		_ = w.write(workerAnswer{ID: r.ID, Progress: progressOf(e)}, nil) // the answer tells what cannot be written
	}
	code := w.app.command(a, r.Args, &stdout)
	if a.release != nil {
		a.release()
	}
	w.stop(r.ID)
	w.mu.Lock()
	delete(w.stops, r.ID)
	w.mu.Unlock()
	_ = w.write(workerAnswer{ID: r.ID, Code: code, Stdout: stdout.Len(), Stderr: stderr.String()}, stdout.Bytes()) // the input ends with the output
	if t := r.Table; t != nil && 8*t.Rows*len(t.Columns) > largeTable {
		*m = memory{}
		debug.FreeOSMemory()
	}
}

// progressOf is an event without what JSON cannot say.
func progressOf(e *solvers.Event) *workerProgress {
	finite := func(v float64) *float64 {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil
		}
		return &v
	}
	return &workerProgress{Seconds: e.Elapsed.Seconds(), Objective: finite(e.Objective), Bound: finite(e.Bound), Gap: finite(e.Gap)}
}

// write writes a line and the bytes after it.
func (w *worker) write(line any, after []byte) error {
	b, err := json.Marshal(line)
	if err != nil {
		return err
	}
	w.out.Lock()
	defer w.out.Unlock()
	_, _ = w.app.stdout.Write(append(b, '\n')) // Flush has the error
	_, _ = w.app.stdout.Write(after)
	return w.app.stdout.Flush()
}

// end ends what is under way, and waits for it a little.
func (w *worker) end() {
	w.mu.Lock()
	for _, stop := range w.stops {
		stop()
	}
	w.mu.Unlock()
	ended := make(chan struct{})
	go func() {
		w.busy.Wait()
		close(ended)
	}()
	select {
	case <-ended:
	case <-time.After(lastWait):
		external.Abandon()
		atomicfile.Abandon()
	}
}
