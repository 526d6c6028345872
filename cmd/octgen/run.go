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

	"github.com/octgen/octgen/experiments/report"
	runs "github.com/octgen/octgen/experiments/run"
	"github.com/octgen/octgen/experiments/slurm"
	"github.com/octgen/octgen/experiments/spec"
	"github.com/octgen/octgen/fit"
)

// runCmd is `octgen run`.
type runCmd struct {
	Spec string `arg:"" name:"spec.yaml" help:"Experiment: data, methods, evaluation."`

	Out     string `placeholder:"DIR" help:"Folder of the results (default: the spec's name plus -results, in the current folder)."`
	Workers int    `placeholder:"N" help:"Parallel tasks (default: the spec's value, else 1)."`
	Resume  bool   `help:"Continue a run that has results already."`
	Retry   bool   `help:"Like --resume, and repeat tasks that failed, were cut short, or lack their tree."`
	Shard   string `placeholder:"i/N" help:"Run shard i of N (i from 0) in a shared folder; octgen collect builds the tables."`
	Only    string `placeholder:"PATTERN" help:"Run only tasks whose name DATA/METHOD/SPLIT matches this regular expression."`
	DryRun  bool   `help:"List the tasks only; with --scheduler, print the job script."`
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

// collectCmd is `octgen collect`.
type collectCmd struct {
	Dir string `arg:"" name:"DIR" help:"Shared folder of the shards or jobs."`
}

// Run gathers the results and makes the tables.
func (c *collectCmd) Run(a *app) error {
	if err := a.collect(c.Dir); err != nil {
		return err
	}
	return a.tables(c.Dir, 0)
}

// collect gathers the results of a folder, and warns of what is odd about them.
func (a *app) collect(dir string) error {
	g, err := runs.Collect(dir)
	if err != nil {
		return err
	}
	if g.Version != version {
		fmt.Fprintf(a.stderr, "octgen: warning: %s holds results of octgen %s, gathered by %s: what only the other one knows of them stays in the journals\n", dir, g.Version, version)
	}
	if damaged := runs.DamageText(g.Damaged); damaged != "" {
		fmt.Fprintln(a.stderr, "octgen: warning:", damaged)
	}
	return nil
}

// statusCmd is `octgen status`.
type statusCmd struct {
	Dir  string `arg:"" name:"DIR" help:"Folder of a run."`
	JSON bool   `name:"json" help:"Print a JSON object."`
}

// Run prints the status.
func (c *statusCmd) Run(a *app) error {
	s, err := runs.ReadStatus(c.Dir)
	if err != nil {
		return err
	}
	return a.print(c.JSON, s, func(w io.Writer) { printStatus(w, s, time.Now()) })
}

// printStatus prints the counts of all, of each method and of each writer.
func printStatus(w io.Writer, s *runs.Status, now time.Time) {
	fmt.Fprintf(w, "%s: %d of %s done, %d failed, %d missing\n", printable(s.Name), s.Done, count(s.Tasks, "task", "tasks"), s.Failed, s.Missing)
	width := 0
	for _, m := range s.Methods {
		width = max(width, cells(printable(m.Method)))
	}
	for _, m := range s.Methods {
		name := printable(m.Method)
		fmt.Fprintf(w, "  %s%*s  %d of %d done, %d failed\n", name, width-cells(name), "", m.Done, m.Tasks, m.Failed)
	}
	for _, x := range s.Writers {
		fmt.Fprintf(w, "%s: %s, %d failed, the last one %s ago\n", x.Name, count(x.Done, "result", "results"), x.Failed, roughly(now.Sub(x.Last)))
	}
	if damaged := runs.DamageText(s.Damaged); damaged != "" {
		fmt.Fprintln(w, damaged)
	}
}

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

// clusterFlags are the flags of `octgen run` for runs by the jobs of a scheduler.
type clusterFlags struct {
	Scheduler  string       `enum:",slurm" default:"" placeholder:"slurm" help:"Run the tasks as jobs of this scheduler, from a shared folder: submit, wait, build the tables."`
	SubmitOnly bool         `help:"With --scheduler: do not wait for the jobs."`
	Wait       bool         `help:"With --scheduler: wait for jobs submitted earlier, and build the tables."`
	Batch      string       `placeholder:"S:K" help:"Run this batch of a submission (used by job scripts)."`
	Grace      fit.Duration `default:"60s" help:"Time that running tasks get after the signal USR1, which announces the end of a job."`
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
