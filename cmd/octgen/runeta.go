package main

import (
	"fmt"
	"time"

	runs "github.com/octgen/octgen/experiments/run"
)

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

// roughly writes a duration as people say it.
func roughly(d time.Duration) string {
	s := int(max(0, d).Round(time.Second).Seconds())
	switch {
	case s < 60:
		return fmt.Sprintf("%d s", s)
	case s < 3600:
		return fmt.Sprintf("%d min %02d s", s/60, s%60)
	}
	return fmt.Sprintf("%d h %02d min", s/3600, s/60%60)
}
