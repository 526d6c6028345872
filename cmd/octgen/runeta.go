package main

import (
	"time"

	"github.com/octgen/octgen/experiments"
)

// estimate foretells how long a run takes from the mean time of each method's
// tasks that are done; a method without one is taken for the mean of the others.
type estimate struct {
	workers int
	waiting map[string]int           // tasks by method that have not begun
	done    map[string]int           // that this run has done
	spent   map[string]time.Duration // by them
}

// runTime is how long a task runs already.
type runTime struct {
	method  string
	elapsed time.Duration
}

func newEstimate(todo []*experiments.Task, workers int) estimate {
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

// mean is the mean time of a method's tasks.
func (e *estimate) mean(method string) time.Duration {
	if n := e.done[method]; n > 0 {
		return e.spent[method] / time.Duration(n)
	}
	n, all := 0, time.Duration(0)
	for m, d := range e.spent {
		n += e.done[m]
		all += d
	}
	return all / time.Duration(max(1, n))
}

// left is the time until all tasks are done, false before the first one is.
func (e *estimate) left(running []runTime) (time.Duration, bool) {
	if len(e.done) == 0 {
		return 0, false
	}
	work, longest := time.Duration(0), time.Duration(0)
	for m, n := range e.waiting {
		work += time.Duration(max(0, n)) * e.mean(m)
	}
	for _, t := range running {
		rest := max(0, e.mean(t.method)-t.elapsed)
		work += rest
		longest = max(longest, rest)
	}
	return max(longest, work/time.Duration(e.workers)), true
}
