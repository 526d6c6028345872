package slurm

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/octgen/octgen/experiments/run"
)

// How often the cluster is asked, and for how long it may be silent.
const (
	firstPoll  = time.Second
	lastPoll   = 30 * time.Second
	mostSilent = 10 * time.Minute
)

// Wait waits until no job of the folder waits or runs any more. It calls notify, where
// that is not nil, when their number changes. A cluster that cannot be asked for ten
// minutes is an error, ErrCluster; ctx ends the waiting, not the jobs.
func Wait(ctx context.Context, dir string, notify func(jobs int)) error {
	if err := available(); err != nil {
		return err
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	n := namingOf(dir)
	before, heard, pause := -1, time.Now(), firstPoll
	for {
		jobs, err := queued(ctx, n)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil && time.Since(heard) > mostSilent:
			return err
		case err == nil:
			heard = time.Now()
			left := count(jobs)
			if left == 0 {
				return nil
			}
			if left != before && notify != nil {
				notify(left)
			}
			before = left
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause):
		}
		pause = min(lastPoll, pause*5/4)
	}
}

func count(jobs map[int]map[int]bool) int {
	n := 0
	for _, numbers := range jobs {
		n += len(numbers)
	}
	return n
}

// Unfinished says what is known of tasks that have no result though no job is left
// that would make one.
func Unfinished(dir string, missing int) error {
	logs, err := filepath.Abs(filepath.Join(dir, run.JobsFolder))
	if err != nil {
		return err
	}
	found, err := os.ReadDir(logs)
	if err != nil {
		return err
	}
	left := slices.ContainsFunc(found, func(f os.DirEntry) bool { return filepath.Ext(f.Name()) == ".log" })
	if !left {
		return fmt.Errorf("%w: %d tasks have no result, and the jobs left no log in %s: is it on a file system that the nodes share?", ErrCluster, missing, logs)
	}
	return fmt.Errorf("%w: %d tasks have no result; what their jobs said is in %s; --resume submits them again", ErrCluster, missing, logs)
}
