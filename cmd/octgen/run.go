package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/octgen/octgen/experiments/report"
	runs "github.com/octgen/octgen/experiments/run"
	"github.com/octgen/octgen/experiments/spec"
)

// runCmd is `octgen run`.
type runCmd struct {
	Spec string `arg:"" name:"spec.yaml" help:"Experiment: data, methods, evaluation."`

	Out     string `placeholder:"DIR" help:"Folder of the results (default: the name of the spec's file, without .yaml and with -results, in the current folder)."`
	Workers int    `placeholder:"N" help:"Tasks at a time (default: what the spec says, else 1)."`
	Resume  bool   `help:"Go on where the folder has results already."`
	Retry   bool   `help:"Like --resume, and run the tasks again whose result is an error or whose tree is missing or damaged."`
	Shard   string `placeholder:"i/N" help:"Run this one of N parts of the tasks, i from 0 to N-1, in a folder that the others share; octgen collect makes the tables."`
	Only    string `placeholder:"PATTERN" help:"Tasks whose name DATA/METHOD/SPLIT matches this regular expression."`
	DryRun  bool   `help:"List the tasks and do nothing."`
	Quiet   bool   `help:"No progress."`
}

// reportCmd is `octgen report`.
type reportCmd struct {
	Dir string `arg:"" name:"DIR" help:"Folder of a run."`
}

// Run runs the tasks and prints the tables.
func (c *runCmd) Run(a *app) error {
	if c.Workers < 0 {
		return badInput(errors.New("--workers is out of range, expected 1 or more"))
	}
	only, err := regexp.Compile(c.Only) // "" matches all
	if err != nil {
		return badInput(fmt.Errorf("--only: %w", err))
	}
	if c.Spec == "-" {
		return badInput(errors.New("a spec is a file, not standard input: its data are looked for beside it and its name is that of the results; write it to one and give its path"))
	}
	var shard runs.Shard
	if c.Shard != "" {
		if shard, err = runs.ParseShard(c.Shard); err != nil {
			return err
		}
	}
	experiment, err := spec.Load(c.Spec)
	if err != nil {
		return badInput(err)
	}
	plan, err := runs.NewPlan(experiment)
	if err != nil {
		return badInput(err)
	}
	if c.DryRun {
		c.list(a.stdout, plan, only, shard)
		return nil
	}
	dir := c.out()
	outcome, err := c.run(a, plan, dir, only, shard)
	if outcome == nil {
		return err
	}
	if errors.Is(err, context.Canceled) {
		err = errStopped
	}
	if shard.Of > 0 {
		a.part(fmt.Sprintf("shard %v", shard), dir, outcome)
		return errors.Join(err, someFailed(outcome.Failed))
	}
	if err != nil {
		return errors.Join(err, a.tables(dir, 0)) // failed tasks are in the tables
	}
	return a.tables(dir, outcome.Failed)
}

func (c *runCmd) out() string {
	if c.Out != "" {
		return c.Out
	}
	base := filepath.Base(c.Spec)
	return strings.TrimSuffix(base, filepath.Ext(base)) + "-results"
}

// list prints the tasks that would run.
func (c *runCmd) list(w io.Writer, plan *runs.Plan, only *regexp.Regexp, shard runs.Shard) {
	tasks := plan.Matching(only, shard)
	for _, t := range tasks {
		fmt.Fprintln(w, t.ID, t.Name())
	}
	fmt.Fprintf(w, "%d of %s\n", len(tasks), count(len(plan.Tasks), "task", "tasks"))
}

func (c *runCmd) run(a *app, plan *runs.Plan, dir string, only *regexp.Regexp, shard runs.Shard) (*runs.Outcome, error) {
	show := newRunReporter(a.stderr, c.Quiet)
	ctx, stop := interruptible(a.ctx, func() {
		show.note("interrupted: waiting for what runs; once more ends at once")
	})
	defer stop()
	defer show.close()
	return plan.Run(ctx, runs.Options{
		Dir: dir, Workers: c.Workers, Resume: c.Resume, Retry: c.Retry, Only: only, Shard: shard, Version: version, Notify: show.event,
	})
}

// tables writes a folder's tables and prints them; failed tasks make it an error.
func (a *app) tables(dir string, failed int) error {
	s, err := report.Summarise(dir)
	if err != nil {
		return err
	}
	if err := s.Write(dir); err != nil {
		return err
	}
	if err := s.Print(a.stdout); err != nil {
		return err
	}
	fmt.Fprintf(a.stdout, "written to %s, %s and %s\n", filepath.Join(dir, "summary.csv"), filepath.Join(dir, "report.md"), filepath.Join(dir, report.HTMLFile))
	a.stdout.Flush() // before standard error
	if lost := s.LostTreesText(); lost != "" {
		fmt.Fprintln(a.stderr, "octgen:", lost)
	}
	return someFailed(failed)
}

// someFailed is the error of a run with failed tasks, nil for none.
func someFailed(failed int) error {
	if failed == 0 {
		return nil
	}
	return fmt.Errorf("%s failed; --retry runs them again", count(failed, "task", "tasks"))
}

// part says what one of several processes that share a folder has done: the tables are
// for the one that gathers.
func (a *app) part(what, dir string, o *runs.Outcome) {
	fmt.Fprintf(a.stdout, "%s: %d of %s done, %d failed; octgen collect %s gathers what all have\n", what, o.Done, count(o.Total, "task", "tasks"), o.Failed, dir)
	a.stdout.Flush() // before standard error
}

// Run makes the tables of a folder again.
func (c *reportCmd) Run(a *app) error { return a.tables(c.Dir, 0) }
