package main

import (
	"errors"
	"strings"

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

// check refuses flags that exclude each other.
func (f *clusterFlags) check(shard, only string, workers int) error {
	switch {
	case f.Scheduler != "" && shard != "":
		return errors.New("--shard and --scheduler exclude each other: jobs run batches of tasks")
	case f.Scheduler != "" && workers > 0:
		return errors.New("--workers is for one machine: a job runs a task at a time; --slurm-throttle limits the jobs")
	case f.Batch != "" && (f.Scheduler != "" || shard != "" || only != ""):
		return errors.New("--batch is what a job runs; it goes with no --scheduler, --shard and --only")
	case f.Scheduler == "" && (f.SubmitOnly || f.Wait):
		return errors.New("--submit-only and --wait want --scheduler slurm")
	case f.SubmitOnly && f.Wait:
		return errors.New("--submit-only and --wait exclude each other")
	}
	return f.Slurm.Check(func(field string) string { return "--slurm-" + strings.ReplaceAll(field, "_", "-") })
}
