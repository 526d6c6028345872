package main

import (
	"fmt"
	"io"
	"sync"

	"github.com/schollz/progressbar/v3"

	"github.com/octgen/octgen/experiments"
	"github.com/octgen/octgen/fit"
)

// runReporter shows how far a run is: a bar on a terminal, else a line per task.
type runReporter struct {
	mu   sync.Mutex
	w    io.Writer // nil: quiet
	live bool
	bar  *progressbar.ProgressBar
}

func newRunReporter(w io.Writer, quiet bool) *runReporter {
	if quiet {
		return &runReporter{}
	}
	return &runReporter{w: w, live: isTerminal(w)}
}

// event shows an event of a run.
func (r *runReporter) event(e experiments.Event) {
	switch e.Kind {
	case experiments.Planned:
		r.begin(e)
	case experiments.Started:
		r.describe(e.Task.Name())
	case experiments.Solving:
		r.describe(fmt.Sprintf("%s  gap %s  %.0f s", e.Task.Name(), percent(e.Progress.Gap), e.Progress.Elapsed.Seconds()))
	case experiments.Finished:
		r.finished(e)
	}
}

func (r *runReporter) begin(e experiments.Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.w == nil {
		return
	}
	if e.Done > 0 {
		fmt.Fprintf(r.w, "octgen: %d of %d tasks are done already\n", e.Done, e.Total)
	}
	if r.live && e.Total > e.Done {
		r.bar = progressbar.NewOptions(e.Total-e.Done,
			progressbar.OptionSetWriter(r.w), progressbar.OptionShowCount(), progressbar.OptionSetPredictTime(true),
			progressbar.OptionThrottle(liveEvery), progressbar.OptionClearOnFinish(), progressbar.OptionSetWidth(20))
	}
}

// describe says beside the bar what runs.
func (r *runReporter) describe(text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.bar != nil {
		r.bar.Describe(text)
	}
}

func (r *runReporter) finished(e experiments.Event) {
	text := fmt.Sprintf("%d/%d %s: %s", e.Done, e.Total, e.Task.Name(), recordText(e.Record))
	r.mu.Lock()
	bar := r.bar
	r.mu.Unlock()
	if bar == nil || e.Record.Error != "" {
		r.line(text)
	}
	if bar != nil {
		_ = bar.Add(1) // fails where the terminal is gone, which ends no run
	}
}

// recordText is a result in a few words.
func recordText(rec *experiments.Record) string {
	if rec.Error != "" {
		return "failed: " + rec.Error
	}
	text := ""
	if t := rec.Result.Test; t != nil {
		text = fmt.Sprintf("test %.2f %% wrong, ", 100*t.Errors/t.Rows)
	}
	return text + fmt.Sprintf("%s%.1f s", statusText(rec.Result), rec.Result.Seconds)
}

// statusText is the solver's verdict, "" for methods without one.
func statusText(res *fit.Result) string {
	if res.Solver == nil {
		return ""
	}
	return res.Solver.Status + ", "
}

// line writes a line of its own.
func (r *runReporter) line(text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.w == nil {
		return
	}
	if r.bar != nil {
		_ = r.bar.Clear() // as above
	}
	fmt.Fprintln(r.w, "octgen:", text)
}

// close takes the bar away.
func (r *runReporter) close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.bar != nil {
		_ = r.bar.Clear() // as above
		r.bar = nil
	}
}
