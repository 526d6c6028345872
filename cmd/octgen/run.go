package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	runs "github.com/octgen/octgen/experiments/run"
	"github.com/octgen/octgen/experiments/spec"
)

// runCmd is `octgen run`.
type runCmd struct {
	Spec string `arg:"" name:"spec.yaml" help:"Experiment: data, methods, evaluation."`

	Out     string `placeholder:"DIR" help:"Folder of the results (default: the name of the spec's file, without .yaml and with -results, in the current folder)."`
	Workers int    `placeholder:"N" help:"Tasks at a time (default: what the spec says, else 1)."`
	Resume  bool   `help:"Go on where the folder has results already."`
	Retry   bool   `help:"Like --resume, and run the tasks again whose result is an error or was cut short, or whose tree is missing or damaged."`
	Shard   string `placeholder:"i/N" help:"Run this one of N parts of the tasks, i from 0 to N-1, in a folder that the others share; octgen collect makes the tables."`
	Only    string `placeholder:"PATTERN" help:"Tasks whose name DATA/METHOD/SPLIT matches this regular expression."`
	DryRun  bool   `help:"List the tasks and do nothing; with --scheduler, print the script of the jobs."`
	Quiet   bool   `help:"No progress."`

	clusterFlags
}

// reportCmd is `octgen report`.
type reportCmd struct {
	Dir string `arg:"" name:"DIR" help:"Folder of a run."`
}

// Run runs the tasks and prints the tables.
func (c *runCmd) Run(a *app) error {
	o, err := c.options()
	if err != nil {
		return badInput(err)
	}
	plan, err := c.plan(&o)
	if err != nil {
		return badInput(err)
	}
	switch {
	case c.Scheduler != "":
		return a.onCluster(plan, o, &c.clusterFlags, c.DryRun, c.Quiet)
	case c.DryRun:
		c.list(a.stdout, plan, &o)
		return nil
	}
	outcome, err := c.run(a, plan, o)
	if outcome == nil {
		return err
	}
	if errors.Is(err, context.Canceled) {
		err = errStopped
	}
	if part := c.part(); part != "" {
		a.part(part, o.Dir, outcome)
		return errors.Join(err, someFailed(outcome.Failed))
	}
	if err != nil {
		return errors.Join(err, a.tables(o.Dir, 0)) // failed tasks are in the tables
	}
	return a.tables(o.Dir, outcome.Failed)
}

// options are those of the run.
func (c *runCmd) options() (runs.Options, error) {
	o := runs.Options{Dir: c.out(), Workers: c.Workers, Resume: c.Resume, Retry: c.Retry, Version: version, Grace: time.Duration(c.Grace)}
	if c.Workers < 0 {
		return o, errors.New("--workers is out of range, expected 1 or more")
	}
	if c.Spec == "-" {
		return o, errors.New("a spec is a file, not standard input: its data are looked for beside it and its name is that of the results; write it to one and give its path")
	}
	var err error
	if o.Only, err = regexp.Compile(c.Only); err != nil { // "" matches all
		return o, fmt.Errorf("--only: %w", err)
	}
	if err := c.check(c.Shard, c.Only, c.Workers); err != nil {
		return o, err
	}
	if c.Shard != "" {
		if o.Shard, err = runs.ParseShard(c.Shard); err != nil {
			return o, err
		}
	}
	if c.Batch != "" {
		o.Batch, err = runs.ParseBatch(c.Batch)
	}
	return o, err
}

// plan finds the data of the spec, of a batch those that it needs.
func (c *runCmd) plan(o *runs.Options) (*runs.Plan, error) {
	experiment, err := spec.Load(c.Spec)
	if err != nil {
		return nil, err
	}
	var data []string
	if c.Batch != "" {
		if data, err = runs.DataOfBatch(o.Dir, o.Batch); err != nil {
			return nil, err
		}
	}
	return runs.NewPlan(experiment, data...)
}

// part names what of a shared run this process does, "" where it does all.
func (c *runCmd) part() string {
	switch {
	case c.Shard != "":
		return "shard " + c.Shard
	case c.Batch != "":
		return "batch " + c.Batch
	}
	return ""
}

func (c *runCmd) out() string {
	if c.Out != "" {
		return c.Out
	}
	base := filepath.Base(c.Spec)
	return strings.TrimSuffix(base, filepath.Ext(base)) + "-results"
}

// list prints the tasks that would run.
func (c *runCmd) list(w io.Writer, plan *runs.Plan, o *runs.Options) {
	tasks := plan.Matching(o.Only, o.Shard)
	for _, t := range tasks {
		fmt.Fprintln(w, t.ID, t.Name())
	}
	fmt.Fprintf(w, "%d of %s\n", len(tasks), count(len(plan.Tasks), "task", "tasks"))
}

func (c *runCmd) run(a *app, plan *runs.Plan, o runs.Options) (*runs.Outcome, error) {
	show := newRunReporter(a.stderr, c.Quiet)
	ctx, stop := interruptible(a.ctx, func() {
		show.note("interrupted: waiting for what runs; once more ends at once")
	})
	defer stop()
	announced, quiet := endAnnounced()
	defer quiet()
	defer show.close()
	o.Notify, o.Stop = show.event, announced
	return plan.Run(ctx, o)
}

// Run makes the tables of a folder again.
func (c *reportCmd) Run(a *app) error { return a.tables(c.Dir, 0) }
