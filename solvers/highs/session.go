//go:build cgo && !nohighs

package highs

// Files with exported functions may have declarations only in their preamble.

// #include "bridge.h"
import "C"

import (
	"math"
	"runtime/cgo"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/solvers"
)

// session is what the solver's thread and the goroutine in Solve share: the
// thread's callbacks put in, Solve takes out.
type session struct {
	began time.Time
	quiet bool // nobody takes the events
	wake  chan struct{}

	// Of the model. The solver's thread may set them, before it solves.
	columns, rows, nonzeros int
	maximize                bool

	mu       sync.Mutex
	control  *C.octgen_control // nil once the thread has ended
	stopping bool              // the solver is to end
	closed   bool              // Solve has returned: nothing more is taken
	log      []byte            // not yet handed on
	events   []solvers.Event   // not yet handed on
	last     solvers.Event     // best known of everything, without Values
	best     []float64         // values of the best incumbent
	first    float64           // objective of the first incumbent, NaN before
	startLog string            // what the log said of the start
	problems []string          // errors that HiGHS logged
}

func newSession(columns int, maximize, quiet bool) *session {
	s := &session{began: time.Now(), columns: columns, maximize: maximize, quiet: quiet, wake: make(chan struct{}, 1), first: math.NaN()}
	s.last = solvers.Event{Objective: math.NaN(), Bound: s.worstBound(), Gap: math.Inf(1)}
	return s
}

// describe tells the session of a model that was not known when it was made.
func (s *session) describe(columns, rows, nonzeros int, maximize bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.columns, s.rows, s.nonzeros, s.maximize = columns, rows, nonzeros, maximize
	s.last.Bound = s.worstBound()
}

func (s *session) worstBound() float64 {
	if s.maximize {
		return math.Inf(1)
	}
	return math.Inf(-1)
}

// open makes the control block and returns the function that frees it. Both
// are for the solver's thread.
func (s *session) open(iterLimit int64, allLog bool) (*C.octgen_control, func()) {
	c := (*C.octgen_control)(C.calloc(1, C.sizeof_octgen_control))
	h := cgo.NewHandle(s)
	c.handle = C.uintptr_t(h)
	c.iter_limit = C.int64_t(iterLimit)
	if allLog {
		c.log = 1
	}
	s.mu.Lock()
	if s.stopping {
		c.stop = 1
	}
	s.control = c
	s.mu.Unlock()
	return c, func() {
		s.mu.Lock()
		s.control = nil
		s.mu.Unlock()
		h.Delete()
		C.free(unsafe.Pointer(c))
	}
}

// stop asks the solver to end.
func (s *session) stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stopping = true
	if s.control != nil {
		atomic.StoreInt32((*int32)(unsafe.Pointer(&s.control.stop)), 1)
	}
}

// close ends the taking of events and makes sure that the solver ends, too.
func (s *session) close() {
	s.stop()
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
}

func (s *session) signal() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// logLine takes a piece of HiGHS's log, usually a line.
func (s *session) logLine(logType int, message string) {
	const logError = 5
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return
	}
	if logType >= logError {
		s.problems = append(s.problems, strings.TrimSpace(strings.TrimPrefix(message, "ERROR:")))
	}
	if strings.Contains(message, "MIP start solution") {
		s.startLog = strings.TrimSpace(message)
	}
	if !s.quiet {
		s.log = append(s.log, message...)
		s.signal()
	}
}

// progress takes the state of a MIP solve, with the values of a new incumbent
// if there is one. It keeps what is best of all that it was ever told, because
// HiGHS's bound and counts may fall back for a moment at a restart.
func (s *session) progress(objective, bound float64, nodes, iter int64, values []float64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return
	}
	e := &s.last
	if !math.IsInf(objective, 0) && !math.IsNaN(objective) {
		if math.IsNaN(s.first) {
			s.first = objective
		}
		if math.IsNaN(e.Objective) || s.better(objective, e.Objective) {
			e.Objective = objective
			if values != nil {
				s.best = values
			}
		} else {
			values = nil
		}
	}
	if s.better(e.Bound, bound) && !math.IsNaN(bound) {
		e.Bound = bound
	}
	e.Nodes = max(e.Nodes, nodes)
	e.Iter = max(e.Iter, iter)
	e.Gap = mio.Gap(e.Objective, e.Bound)
	e.Elapsed = time.Since(s.began)
	if s.quiet {
		return
	}
	event := *e
	event.Values = values
	if n := len(s.events); n > 0 && s.events[n-1].Values == nil {
		s.events[n-1] = event // not taken yet: only the newest is of interest
	} else {
		s.events = append(s.events, event)
	}
	s.signal()
}

// better reports whether objective a is strictly better than b.
func (s *session) better(a, b float64) bool {
	if s.maximize {
		return a > b
	}
	return a < b
}

// take returns what has come since the last call.
func (s *session) take() (log []byte, events []solvers.Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	log, events = s.log, s.events
	s.log, s.events = nil, nil
	return log, events
}

//export octgenHighsLog
func octgenHighsLog(handle C.uintptr_t, logType C.int, message *C.char) {
	s := cgo.Handle(handle).Value().(*session)
	s.logLine(int(logType), C.GoString(message))
}

//export octgenHighsProgress
func octgenHighsProgress(handle C.uintptr_t, objective, bound C.double, nodes, iter C.int64_t, solution *C.double) {
	s := cgo.Handle(handle).Value().(*session)
	var values []float64
	if solution != nil && s.columns > 0 {
		values = make([]float64, s.columns)
		copy(values, unsafe.Slice((*float64)(unsafe.Pointer(solution)), s.columns))
	}
	s.progress(float64(objective), float64(bound), int64(nodes), int64(iter), values)
}
