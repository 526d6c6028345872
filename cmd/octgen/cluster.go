package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	runs "github.com/octgen/octgen/experiments/run"
	"github.com/octgen/octgen/experiments/slurm"
	"github.com/octgen/octgen/experiments/spec"
	"github.com/octgen/octgen/fit"
)

// clusterFlags are the flags of `octgen run` for runs by the jobs of a scheduler.
type clusterFlags struct {
	Scheduler  string       `enum:",slurm" default:"" placeholder:"slurm" help:"Run the tasks as jobs of this scheduler, from a folder that its nodes share; submits them, waits, and makes the tables."`
	SubmitOnly bool         `help:"With --scheduler: do not wait for the jobs."`
	Wait       bool         `help:"With --scheduler: submit nothing, wait for the jobs that were submitted, and make the tables."`
	Batch      string       `placeholder:"S:K" help:"Run this batch of a submission; the scripts of jobs do."`
	Grace      fit.Duration `default:"60s" help:"How long running tasks may go on after the signal USR1, by which a scheduler announces the end of a job."`
	Slurm      spec.Slurm   `embed:"" prefix:"slurm-"`
}

// errLeft says that an interrupt ended the waiting, not the jobs.
var errLeft = errors.New("interrupted; the jobs go on: octgen run with --scheduler slurm --wait waits for them, scancel ends them")

// check refuses flags that exclude each other.
func (f *clusterFlags) check(c *runCmd) error {
	switch {
	case f.Scheduler != "" && c.Shard != "":
		return errors.New("--shard and --scheduler exclude each other: jobs run batches of tasks")
	case f.Scheduler != "" && c.Workers > 0:
		return errors.New("--workers is for one machine: a job runs a task at a time; --slurm-throttle limits the jobs")
	case f.Batch != "" && (f.Scheduler != "" || c.Shard != "" || c.Only != ""):
		return errors.New("--batch is what a job runs; it goes with no --scheduler, --shard and --only")
	case f.Scheduler == "" && (f.SubmitOnly || f.Wait):
		return errors.New("--submit-only and --wait want --scheduler slurm")
	case f.SubmitOnly && f.Wait:
		return errors.New("--submit-only and --wait exclude each other")
	}
	return f.Slurm.Check(func(field string) string { return "--slurm-" + strings.ReplaceAll(field, "_", "-") })
}

// onCluster runs the tasks as jobs of a cluster.
func (c *runCmd) onCluster(a *app, plan *runs.Plan, o runs.Options) error {
	options := slurm.Options{Options: o, Jobs: c.Slurm.Over(plan.Spec.Slurm)}
	if c.DryRun {
		_, err := slurm.Preview(plan, options, a.stdout)
		return err
	}
	ctx, stop := interruptible(a.ctx, func() {})
	defer stop()
	if !c.Wait {
		submitted, err := slurm.Submit(ctx, plan, options)
		if err != nil {
			return err
		}
		a.submitted(submitted, o.Dir)
		if c.SubmitOnly {
			return nil
		}
	}
	if err := c.await(ctx, a, o.Dir); err != nil {
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
func (c *runCmd) await(ctx context.Context, a *app, dir string) error {
	err := slurm.Wait(ctx, dir, func(jobs int) {
		if !c.Quiet {
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
	if err := runs.Collect(o.Dir); err != nil {
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
