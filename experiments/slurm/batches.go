// Package slurm runs the tasks of a plan as jobs of a Slurm cluster: it divides them
// into batches, writes the script of a job array, submits it, and waits. What is done is
// what the results folder says; the cluster is asked only what is queued.
package slurm

import (
	"time"

	"github.com/octgen/octgen/experiments/run"
	"github.com/octgen/octgen/experiments/spec"
)

const (
	// defaultTask is taken for the time of a task without a limit.
	defaultTask = time.Minute
	// defaultBatch is what the tasks of a job are to take together.
	defaultBatch = 10 * time.Minute
	// marginPercent and margin are what the wall time has beyond the tasks' times: for
	// reading data, for starts that take their share, for a signal that comes early.
	marginPercent = 20
	margin        = 5 * time.Minute
)

// need is the time that a task may take.
func need(t *run.Task, s *spec.Slurm) time.Duration {
	switch limit := t.TimeLimit(); {
	case s.TimePerTask > 0:
		return time.Duration(s.TimePerTask)
	case limit > 0:
		return limit
	}
	return defaultTask
}

// divide puts tasks, in their order, into batches that take about the time of a job,
// and returns the longest one's time.
func divide(tasks []*run.Task, s *spec.Slurm) (batches [][]string, longest time.Duration) {
	target := time.Duration(s.Batch)
	if target == 0 {
		target = defaultBatch
	}
	var batch []string
	sum := time.Duration(0)
	for _, t := range tasks {
		if n := need(t, s); len(batch) > 0 && sum+n > target {
			batches, batch, sum = append(batches, batch), nil, 0
		}
		batch = append(batch, t.ID)
		sum += need(t, s)
		longest = max(longest, sum)
	}
	if len(batch) > 0 {
		batches = append(batches, batch)
	}
	return batches, longest
}

// wallTime is the time that a job is granted, in whole minutes.
func wallTime(longest time.Duration, s *spec.Slurm) time.Duration {
	wall := time.Duration(s.Time)
	if wall == 0 {
		wall = longest + longest*marginPercent/100 + margin
	}
	return (wall + time.Minute - 1).Truncate(time.Minute)
}

// cores is how many processors a job asks for.
func cores(tasks []*run.Task, s *spec.Slurm) int {
	if s.Cores > 0 {
		return s.Cores
	}
	most := 1
	for _, t := range tasks {
		most = max(most, t.Threads())
	}
	return most
}
