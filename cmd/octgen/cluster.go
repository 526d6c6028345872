package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	runs "github.com/octgen/octgen/experiments/run"
	"github.com/octgen/octgen/experiments/slurm"
)

// onCluster runs the tasks of a plan as jobs of a cluster; preview prints the script of the
// jobs instead.
func (a *app) onCluster(plan *runs.Plan, o runs.Options, f *clusterFlags, preview, quiet bool) error {
	options := slurm.Options{Options: o, Jobs: f.Slurm.Over(plan.Spec.Slurm)}
	if preview {
		_, err := slurm.Preview(plan, options, a.stdout)
		return err
	}
	ctx, stop := interruptible(a.ctx, func() {})
	defer stop()
	if !f.Wait {
		submitted, err := slurm.Submit(ctx, plan, options)
		if err != nil {
			return err
		}
		a.submitted(submitted, o.Dir)
		if f.SubmitOnly {
			return nil
		}
	}
	if err := a.await(ctx, o.Dir, quiet); err != nil {
		return err
	}
	return a.gathered(plan, o)
}

// submitted says what was submitted.
func (a *app) submitted(s *slurm.Submitted, dir string) {
	if s.Done > 0 || s.UnderWay > 0 {
		fmt.Fprintf(a.stdout, "%s have a result, %d have jobs that wait or run\n", count(s.Done, "task", "tasks"), s.UnderWay)
	}
	if s.Tasks == 0 {
		fmt.Fprintln(a.stdout, "nothing to submit")
	} else {
		fmt.Fprintf(a.stdout, "%s in %s of at most %s submitted, array %s; octgen status %s says how far they are\n",
			count(s.Tasks, "task", "tasks"), count(s.Jobs, "job", "jobs"), roughly(s.Wall), strings.Join(s.Arrays, ", "), dir)
	}
	a.stdout.Flush() // who waits reads it
}

// await waits for the jobs of the folder.
func (a *app) await(ctx context.Context, dir string, quiet bool) error {
	err := slurm.Wait(ctx, dir, func(jobs int) {
		if !quiet {
			fmt.Fprintf(a.stderr, "octgen: %s wait or run\n", count(jobs, "job", "jobs"))
		}
	})
	if errors.Is(err, context.Canceled) {
		return errLeft
	}
	return err
}

// gathered makes the tables of a folder whose jobs have ended. Tasks without a result
// are an error.
func (a *app) gathered(plan *runs.Plan, o runs.Options) error {
	if err := a.collect(o.Dir); err != nil {
		return err
	}
	s, err := runs.ReadStatus(o.Dir)
	if err != nil {
		return err
	}
	o.Resume, o.Retry = true, false
	missing, err := plan.Prepare("slurm", o)
	if err != nil {
		return err
	}
	err = a.tables(o.Dir, s.Failed)
	if len(missing) > 0 {
		err = errors.Join(err, slurm.Unfinished(o.Dir, len(missing)))
	}
	return err
}
