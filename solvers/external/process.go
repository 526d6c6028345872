package external

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// invocation is how an executable is run.
type invocation struct {
	args  []string
	stdin string
}

// process is an executable to be run.
type process struct {
	path string
	invocation
	dir   string
	take  func([]byte)  // gets its output, on the caller's goroutine; the bytes are lent
	limit time.Duration // after which it is stopped, within mostGrace; 0 for none
	grace time.Duration // from an interrupt to being killed; 0 kills at once

	tracked *tracked // is told of the process; may be nil
}

// ending is how a process ended.
type ending struct {
	err         error // it could not be started
	state       *os.ProcessState
	late        bool // it was stopped at its limit
	interrupted bool // it was stopped by the context
}

// stopped reports whether the process was asked to stop.
func (e ending) stopped() bool { return e.late || e.interrupted }

// crash says how the process failed by itself, "" if it did not.
func (e ending) crash(exitOK func(int) bool) string {
	code := e.state.ExitCode()
	switch {
	case code < 0:
		return "it was ended by a signal (" + e.state.String() + ")"
	case code == 0 || exitOK != nil && exitOK(code):
		return ""
	}
	return fmt.Sprintf("it ended with exit code %d", code)
}

const (
	// lateness is how late at the time limit a process is asked to stop.
	lateness = 100 * time.Millisecond
	// mostGrace is the most that it gets from then on until it is killed. After an
	// interrupt it is Options.Grace.
	mostGrace = 200 * time.Millisecond
)

// afterLife is how long output is waited for after a process and its group
// have ended, in case a child outside of the group holds the pipe.
const afterLife = 300 * time.Millisecond

// execute runs a process to its end, with its group. It is asked to stop
// (interrupt, then terminate, then kill) when ctx ends or the limit passes.
func execute(ctx context.Context, p process) (end ending) {
	out, in, err := os.Pipe()
	if err != nil {
		return ending{err: err}
	}
	defer out.Close() // the reader is done, or is to be
	cmd := exec.Command(p.path, p.args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = p.dir, in, in
	if p.stdin != "" {
		cmd.Stdin = strings.NewReader(p.stdin)
	}
	cmd.WaitDelay = afterLife // for what copies stdin
	ownGroup(cmd)

	chunks := make(chan []byte)
	abandon := make(chan struct{})
	defer close(abandon)
	ended := make(chan struct{})
	started := make(chan error)
	go func() {
		// Never unlocked: the thread is the parent whose death the process
		// is told of, so it must not end before it does.
		runtime.LockOSThread()
		err := cmd.Start()
		in.Close()
		started <- err
		if err == nil {
			_ = cmd.Wait() // cmd.ProcessState has it
			signalGroup(cmd, kill)
			close(ended)
		}
	}()
	if err := <-started; err != nil {
		return ending{err: err}
	}
	p.tracked.running(cmd)
	defer p.tracked.running(nil)
	defer func() { // also when take panics
		select {
		case <-ended:
		default:
			signalGroup(cmd, kill)
		}
	}()
	var over atomic.Bool
	go readChunks(out, &over, chunks, abandon)

	s := stopper{cmd: cmd, grace: p.grace}
	defer s.timer.stop()
	var overdue timer
	defer overdue.stop()
	overdue.set(p.limit)
	interrupt, ends := ctx.Done(), ended
	for {
		select {
		case b, ok := <-chunks:
			if ok {
				p.take(b)
				continue
			}
			chunks = nil
		case <-ends:
			ends = nil
			over.Store(true)
			_ = out.SetReadDeadline(time.Now().Add(afterLife)) // where pipes have none, there is nothing to wait for
		case <-overdue.c():
			end.late = true
			overdue.stop()
			s.grace = min(s.grace, mostGrace)
			s.next()
		case <-interrupt:
			end.interrupted, interrupt = true, nil
			overdue.stop()
			s.next()
		case <-s.timer.c():
			s.next()
		}
		if ends == nil && chunks == nil {
			end.state = cmd.ProcessState
			return end
		}
	}
}

// readChunks sends what is read from f until its end. A chunk is good until the
// next one is taken.
func readChunks(f *os.File, over *atomic.Bool, chunks chan<- []byte, abandon <-chan struct{}) {
	defer close(chunks)
	buffers := [2][]byte{make([]byte, 1<<15), make([]byte, 1<<15)}
	for k := 0; ; k = 1 - k {
		if over.Load() {
			_ = f.SetReadDeadline(time.Now().Add(afterLife))
		}
		n, err := f.Read(buffers[k])
		if n > 0 {
			select {
			case chunks <- buffers[k][:n]:
			case <-abandon:
				return
			}
		}
		if err != nil && !errors.Is(err, io.ErrShortBuffer) {
			return
		}
	}
}

// stopper asks a process to stop, ever more firmly.
type stopper struct {
	cmd   *exec.Cmd
	grace time.Duration
	steps int
	timer timer
}

// next takes the next step: interrupt at once, terminate after half of the
// grace, kill after three quarters of it.
func (s *stopper) next() {
	if s.grace == 0 || s.steps > 2 {
		s.steps = 2
	}
	switch s.steps {
	case 0:
		signalGroup(s.cmd, interrupt)
		s.timer.set(max(s.grace/2, 1))
	case 1:
		signalGroup(s.cmd, terminate)
		s.timer.set(max(s.grace/4, 1))
	case 2:
		signalGroup(s.cmd, kill)
		s.timer.stop()
	}
	s.steps++
}

// timer is a time.Timer that may not be set.
type timer struct{ t *time.Timer }

func (t *timer) set(d time.Duration) {
	t.stop()
	if d > 0 {
		t.t = time.NewTimer(d)
	}
}

func (t *timer) stop() {
	if t.t != nil {
		t.t.Stop()
	}
	t.t = nil
}

func (t *timer) c() <-chan time.Time {
	if t.t == nil {
		return nil
	}
	return t.t.C
}

// runs are the solves under way, for Abandon.
var runs struct {
	sync.Mutex
	live map[*tracked]struct{}
}

// tracked is what a solve must not leave behind.
type tracked struct {
	dir string    // "" while it only tells its version
	cmd *exec.Cmd // nil before it is started
}

// track remembers a solve's folder until forget.
func track(dir string) *tracked {
	t := &tracked{dir: dir}
	runs.Lock()
	defer runs.Unlock()
	if runs.live == nil {
		runs.live = make(map[*tracked]struct{})
	}
	runs.live[t] = struct{}{}
	return t
}

func (t *tracked) forget() {
	runs.Lock()
	defer runs.Unlock()
	delete(runs.live, t)
}

// running notes the process of the solve; nil stands for none.
func (t *tracked) running(cmd *exec.Cmd) {
	if t == nil {
		return
	}
	runs.Lock()
	defer runs.Unlock()
	t.cmd = cmd
}

// Abandon kills the executables of all solves under way, with their children,
// and removes their folders: for a program that is about to exit without
// waiting for them.
func Abandon() {
	runs.Lock()
	defer runs.Unlock()
	for t := range runs.live {
		if t.cmd != nil {
			signalGroup(t.cmd, kill)
		}
		if t.dir != "" {
			_ = os.RemoveAll(t.dir) // there is nobody left to tell
		}
	}
}
