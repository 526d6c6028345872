package main

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	runs "github.com/octgen/octgen/experiments/run"
)

// drawEvery is how often the lines of a run are drawn again on a terminal.
const drawEvery = 200 * time.Millisecond

// runReporter shows how far a run is: on a terminal a bar and a line for every
// task that runs, else a line per task that is done.
type runReporter struct {
	mu      sync.Mutex
	w       io.Writer // nil: quiet
	now     func() time.Time
	block   *liveBlock // nil where w is no terminal, and when there is nothing to wait for
	bar     *runBar    // nil before the run begins
	failed  int
	running []*runningTask // in the order they began
	eta     estimate
	stop    func() // ends the clock; nil where there is none
}

// runBar draws how many tasks are done: 25% |█████               | (1/4). Parts of
// a percent and of a cell do not count.
type runBar struct {
	width       int // between the ends
	done, total int
}

func (b *runBar) String() string {
	percent := 100 * b.done / max(1, b.total)
	full := b.width * percent / 100
	return fmt.Sprintf("%d%% |%s%s| (%d/%d)", percent, strings.Repeat("█", full), strings.Repeat(" ", b.width-full), b.done, b.total)
}

func newRunReporter(w io.Writer, quiet bool) *runReporter {
	if quiet {
		return &runReporter{now: time.Now}
	}
	r := &runReporter{w: w, now: time.Now}
	if r.block = newLiveBlock(w); r.block != nil {
		r.stop = every(drawEvery, r.redraw)
	}
	return r
}

// event takes in an event of a run.
func (r *runReporter) event(e runs.Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.w == nil {
		return
	}
	switch e.Kind {
	case runs.Planned:
		r.begin(e)
	case runs.Started:
		r.running = append(r.running, &runningTask{e.Task, r.now(), math.NaN()})
		r.eta.begin(e.Task.Method)
	case runs.Solving:
		if t := r.line(e.Task); t != nil {
			t.gap = e.Progress.Gap
		}
	case runs.Finished:
		r.finished(e)
	}
}

func (r *runReporter) begin(e runs.Event) {
	if e.Done > 0 {
		fmt.Fprintf(r.w, "octgen: %d of %d tasks are done already\n", e.Done, e.Total)
	}
	if e.Total == e.Done {
		r.block = nil
	}
	r.eta = newEstimate(e.Todo, e.Workers)
	for _, rec := range e.Earlier {
		if rec.Result != nil {
			r.eta.end(rec.Method, time.Duration(rec.Result.Seconds*float64(time.Second)))
		}
	}
	width := 20
	if r.block != nil {
		columns, _ := r.block.size()
		width = min(width, max(5, columns-40))
	}
	r.bar = &runBar{width, e.Done, e.Total}
}

// line finds the line of a task, nil for none.
func (r *runReporter) line(t *runs.Task) *runningTask {
	for _, l := range r.running {
		if l.task == t {
			return l
		}
	}
	return nil
}

func (r *runReporter) finished(e runs.Event) {
	if l := r.line(e.Task); l != nil {
		r.eta.end(e.Task.Method, r.now().Sub(l.began))
		r.running = slices.DeleteFunc(r.running, func(o *runningTask) bool { return o == l })
	}
	r.bar.done = e.Done
	if e.Record.Error != "" {
		r.failed++
	}
	if r.block == nil || e.Record.Error != "" {
		r.print(r.doneText(e))
	}
}

// doneText is the line of a task that is done, cut to the terminal so that a part
// of its name and of what it came to can be seen: whole errors are in the tables.
func (r *runReporter) doneText(e runs.Event) string {
	count, name, came := fmt.Sprintf("octgen: %d/%d ", e.Done, e.Total), e.Task.Name(), ": "+recordText(e.Record)
	if r.block == nil {
		return count + name + came
	}
	width, _ := r.block.size()
	width--
	came = printable(came)
	room := width - cells(count) - min(cells(came), width/2)
	return cut(count+cut(printable(name), max(room, 8))+came, width)
}

// redraw draws the bar and the tasks.
func (r *runReporter) redraw(time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.block != nil {
		r.block.draw(r.lines())
	}
}

// lines are the bar and the tasks as they stand, none before the run begins.
func (r *runReporter) lines() []string {
	if r.bar == nil {
		return nil
	}
	width, _ := r.block.size()
	lines := []string{r.headline()}
	for _, t := range r.running {
		lines = append(lines, t.text(r.now(), width-1))
	}
	return lines
}

// tally is the bar and what failed.
func (r *runReporter) tally() string {
	text := r.bar.String()
	if r.failed > 0 {
		text += fmt.Sprintf("  %d failed", r.failed)
	}
	return text
}

// headline is the tally and how long it may take.
func (r *runReporter) headline() string {
	text := r.tally()
	if left := r.eta.left(r.running, r.now()); left != "" {
		text += "  ETA " + left
	}
	return text
}

// text is the line of a task: its name, cut so that the rest can be seen, its gap
// and its time.
func (t *runningTask) text(now time.Time, width int) string {
	rest := "  " + roughly(now.Sub(t.began))
	if !math.IsNaN(t.gap) {
		rest = "  gap " + percent(t.gap) + rest
	}
	name := "  " + printable(t.task.Name())
	return cut(name, max(width-cells(rest), min(12, width))) + rest
}

// recordText is a result in a few words.
func recordText(rec *runs.Record) string {
	if rec.Error != "" {
		return "failed: " + rec.Error
	}
	text := ""
	if t := rec.Result.Test; t != nil && t.Reward != nil {
		text = fmt.Sprintf("test reward %s a row, ", figure(t.Reward.Mean))
	} else if t != nil {
		text = fmt.Sprintf("test %.2f %% wrong, ", 100*t.Errors/t.Rows)
	}
	if rec.Result.Solver != nil {
		text += rec.Result.Status + ", "
	}
	return text + fmt.Sprintf("%.1f s", rec.Result.Seconds)
}

// note writes a line of its own.
func (r *runReporter) note(text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.w != nil {
		r.print("octgen: " + text)
	}
}

func (r *runReporter) print(text string) {
	if r.block == nil {
		fmt.Fprintln(r.w, text)
		return
	}
	r.block.above(printable(text), r.lines())
}

// close takes the block away but for the tally, and ends the reports.
func (r *runReporter) close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.block != nil {
		r.block.erase()
		if r.bar != nil {
			width, _ := r.block.size()
			fmt.Fprintln(r.w, cut(r.tally(), width-1))
		}
	}
	if r.stop != nil {
		r.stop()
	}
	r.w, r.block, r.stop = nil, nil, nil
}

// estimate foretells how long a run takes from the mean time of each method's
// tasks that are done; a method without one is taken for the mean of the others.
type estimate struct {
	workers int
	waiting map[string]int           // tasks by method that have not begun
	done    map[string]int           // that this run has done
	spent   map[string]time.Duration // by them
}

// runningTask is a task that runs.
type runningTask struct {
	task  *runs.Task
	began time.Time
	gap   float64 // NaN until the solver has news
}

func newEstimate(todo []*runs.Task, workers int) estimate {
	e := estimate{max(1, workers), make(map[string]int), make(map[string]int), make(map[string]time.Duration)}
	for _, t := range todo {
		e.waiting[t.Method]++
	}
	return e
}

func (e *estimate) begin(method string) { e.waiting[method]-- }

func (e *estimate) end(method string, took time.Duration) {
	e.done[method]++
	e.spent[method] += took
}

// mean is the mean time of a method's tasks. Of a method without one it is no more
// than a guess: at least as long as a task of it runs already.
func (e *estimate) mean(method string, running []*runningTask, now time.Time) time.Duration {
	if n := e.done[method]; n > 0 {
		return e.spent[method] / time.Duration(n)
	}
	n, all := 0, time.Duration(0)
	for m, d := range e.spent {
		n += e.done[m]
		all += d
	}
	guess := all / time.Duration(max(1, n))
	for _, t := range running {
		if t.task.Method == method {
			guess = max(guess, now.Sub(t.began))
		}
	}
	return guess
}

// left is the time until all tasks are done, "" before the first one is; it is a
// bound from below while there is a method without one.
func (e *estimate) left(running []*runningTask, now time.Time) string {
	if len(e.done) == 0 {
		return ""
	}
	known := true
	work, longest := time.Duration(0), time.Duration(0)
	for m, n := range e.waiting {
		if n > 0 {
			work += time.Duration(n) * e.mean(m, running, now)
			known = known && e.done[m] > 0
		}
	}
	for _, t := range running {
		rest := max(0, e.mean(t.task.Method, running, now)-now.Sub(t.began))
		work += rest
		longest = max(longest, rest)
		known = known && e.done[t.task.Method] > 0
	}
	text := roughly(max(longest, work/time.Duration(e.workers)))
	if !known {
		return "over " + text
	}
	return text
}
