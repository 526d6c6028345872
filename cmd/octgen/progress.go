package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"sync"
	"time"

	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/solvers"
)

// How often progress is shown: a live line is redrawn at most every liveEvery;
// plain lines come after an improvement at most every plainEvery, and without
// one every plainIdle.
const (
	liveEvery  = 100 * time.Millisecond
	plainEvery = time.Second
	plainIdle  = 10 * time.Second
	clockEvery = 500 * time.Millisecond // looks whether a solver without news is to be shown
	hintAfter  = 3 * time.Second        // work goes on for so long: why, and what can be done
)

// reporter writes the news of a fit to a terminal, as one line that is redrawn,
// or as plain lines.
type reporter struct {
	mu    sync.Mutex
	w     io.Writer  // nil: quiet
	block *liveBlock // for the line; nil where w is no terminal
	last  time.Time
	shown solvers.Event

	news    solvers.Event // the latest one
	arrived time.Time     // when; zero before the solver runs
	stop    func()        // ends the clock

	hint   string    // what can be done about the stage that was reached last, "" for nothing
	hintAt time.Time // when it is told
}

func newReporter(w io.Writer, quiet bool) *reporter {
	if quiet {
		return &reporter{}
	}
	r := &reporter{w: w, block: newLiveBlock(w), hintAt: time.Now().Add(hintAfter)}
	r.stop = every(clockEvery, r.idle)
	return r
}

// idle shows the latest news again with the time since: the solver may have none for
// long, as in a long relaxation.
func (r *reporter) idle(now time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.w != nil && r.hint != "" && now.After(r.hintAt) {
		r.write(r.hint)
		r.hint = ""
	}
	if r.arrived.IsZero() || now.Sub(r.arrived) < clockEvery {
		return
	}
	e := r.news
	e.Elapsed += now.Sub(r.arrived)
	r.show(&e, now)
}

// event shows an event of a fit.
func (r *reporter) event(e fit.Event) {
	switch {
	case e.Progress != nil:
		r.progress(e.Progress, time.Now())
	case e.Warning != "":
		r.warn(plainText(e.Warning))
	default:
		r.line(e.Stage)
		r.mu.Lock()
		r.hint = e.Hint
		r.mu.Unlock()
	}
}

// warnings shows what looks wrong in data.
func (r *reporter) warnings(texts []string) {
	for _, text := range texts {
		r.warn(printable(text))
	}
}

// warn writes a warning.
func (r *reporter) warn(text string) { r.line(coloured(r.w, yellow, "warning:") + " " + text) }

// line writes a line of its own.
func (r *reporter) line(text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.w != nil {
		r.write(text)
	}
}

// write writes a line in the place of the live one.
func (r *reporter) write(text string) {
	r.block.erase()
	fmt.Fprintln(r.w, "octgen:", text)
}

// progress shows how far a solve is, unless it was shown just now.
func (r *reporter) progress(e *solvers.Event, now time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.w == nil {
		return
	}
	r.news, r.arrived = *e, now
	r.show(e, now)
}

func (r *reporter) show(e *solvers.Event, now time.Time) {
	since := now.Sub(r.last)
	if r.block != nil {
		if since >= liveEvery {
			r.block.draw([]string{progressText(e)})
			r.last = now
		}
		return
	}
	better := e.Objective != r.shown.Objective && !math.IsNaN(e.Objective) || e.Bound != r.shown.Bound && !math.IsInf(e.Bound, 0)
	if better && since >= plainEvery || since >= plainIdle {
		fmt.Fprintln(r.w, "octgen:", progressText(e))
		r.last, r.shown = now, *e
	}
}

// close takes the live line away and ends the reports.
func (r *reporter) close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.w != nil {
		r.block.erase()
		r.stop()
		r.w = nil
	}
}

func progressText(e *solvers.Event) string {
	return fmt.Sprintf("%6.1f s  incumbent %s  bound %s  gap %s  nodes %d",
		e.Elapsed.Seconds(), figure(e.Objective), figure(e.Bound), percent(e.Gap), e.Nodes)
}

// attended begins work that is told of on standard error, unless it is to be quiet,
// and that an interrupt ends early, which the text then says. done ends both.
func (a *app) attended(quiet bool, text string) (ctx context.Context, rep *reporter, done func()) {
	rep = newReporter(a.stderr, quiet)
	ctx, stop := interruptible(a.ctx, func() { rep.line(text) })
	return ctx, rep, func() { rep.close(); stop() }
}

// What is told of an interrupt.
const (
	onceMore   = "interrupted; once more ends at once"
	solverStop = "interrupted: waiting for the solver to stop; once more ends at once"
)
