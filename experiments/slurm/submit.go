// Package slurm runs the tasks of a plan as jobs of a Slurm cluster: it divides them into batches,
// writes the script of a job array, submits it, and waits. The results folder determines which
// tasks are done; the cluster is asked only for queued jobs.
package slurm

import (
	"cmp"
	"context"
	_ "embed" // of the script's template
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"text/template"
	"time"
	"unicode"

	"github.com/octgen/octgen/experiments/run"
	"github.com/octgen/octgen/experiments/spec"
	"github.com/octgen/octgen/internal/atomicfile"
)

// ScriptFile is the script of the last submission, in the results folder.
const ScriptFile = "submit.sbatch"

// Options are the options of a submission.
type Options struct {
	run.Options            // the folder, the tasks, whether to continue; settings of a single process are ignored
	Jobs        spec.Slurm // properties of the jobs
}

// Submitted describes a submission.
type Submitted struct {
	Done     int           // tasks that already have a result
	UnderWay int           // tasks whose jobs wait or run
	Tasks    int           // tasks submitted now
	Jobs     int           // jobs that run them
	Arrays   []string      // ids of their arrays
	Wall     time.Duration // of each job
}

// Submit submits the tasks that have no result in the folder and no waiting or running job. The
// script is ScriptFile in the folder. An error of the cluster is ErrCluster; arrays submitted
// before it remain.
func Submit(ctx context.Context, p *run.Plan, o Options) (*Submitted, error) {
	most, err := reach(ctx)
	if err != nil {
		return nil, err
	}
	missing, n, err := prepare(p, &o)
	if err != nil {
		return nil, err
	}
	todo, err := notQueued(ctx, o.Dir, n, missing)
	if err != nil {
		return nil, err
	}
	chosen := len(p.Matching(o.Only, run.Shard{}))
	s := &Submitted{Done: chosen - len(missing), UnderWay: len(missing) - len(todo), Tasks: len(todo)}
	if len(todo) == 0 {
		return s, nil
	}
	batches, longest := divide(todo, &o.Jobs)
	submission, err := run.PutBatches(o.Dir, batches)
	if err != nil {
		return nil, err
	}
	s.Jobs, s.Wall = len(batches), wallTime(longest, &o.Jobs)
	script, err := newScript(p, &o, n, submission, todo, s, most)
	if err != nil {
		return nil, err
	}
	path := filepath.Join(o.Dir, ScriptFile)
	if err := writeScript(path, script); err != nil {
		return nil, err
	}
	s.Arrays, err = submitAll(ctx, path, script.Chunks)
	return s, err
}

// Preview writes the script that Submit would submit to w, and returns the numbers of tasks and
// jobs. It does not access the cluster or the folder, so tasks with a result count as well.
func Preview(p *run.Plan, o Options, w io.Writer) (*Submitted, error) {
	dir, err := filepath.Abs(o.Dir)
	if err != nil {
		return nil, err
	}
	o.Dir = dir
	todo := p.Matching(o.Only, run.Shard{})
	batches, longest := divide(todo, &o.Jobs)
	s := &Submitted{Tasks: len(todo), Jobs: len(batches), Wall: wallTime(longest, &o.Jobs)}
	script, err := newScript(p, &o, namingOf(dir), run.Submissions(dir)+1, todo, s, max(1, len(batches)))
	if err != nil {
		return nil, err
	}
	text, err := script.text()
	if err == nil {
		_, err = io.WriteString(w, text)
	}
	return s, err
}

// reach returns the maximum number of jobs of an array, or an error if no cluster can be reached.
func reach(ctx context.Context) (int, error) {
	if err := available(); err != nil {
		return 0, err
	}
	return mostJobs(ctx)
}

// prepare creates the folder, makes its path absolute, and returns the tasks without a result in
// it.
func prepare(p *run.Plan, o *Options) ([]*run.Task, naming, error) {
	dir, err := filepath.Abs(o.Dir)
	if err != nil {
		return nil, naming{}, err
	}
	if o.Dir = dir; strings.ContainsFunc(dir, unicode.IsControl) {
		return nil, naming{}, fmt.Errorf("%w: the path %q has control characters, which a job script cannot contain", run.ErrFolder, dir)
	}
	missing, err := p.Prepare("slurm", o.Options)
	return missing, namingOf(dir), err
}

// notQueued returns the tasks that are in no batch whose job waits or runs.
func notQueued(ctx context.Context, dir string, n naming, tasks []*run.Task) ([]*run.Task, error) {
	jobs, err := queued(ctx, n)
	if err != nil {
		return nil, err
	}
	underWay := make(map[string]bool)
	for submission, numbers := range jobs {
		batches, err := run.Batches(dir, submission)
		if err != nil {
			return nil, err
		}
		for number := range numbers {
			if number < len(batches) {
				for _, id := range batches[number] {
					underWay[id] = true
				}
			}
		}
	}
	var rest []*run.Task
	for _, t := range tasks {
		if !underWay[t.ID] {
			rest = append(rest, t)
		}
	}
	return rest, nil
}

// newScript returns the script of a submission.
func newScript(p *run.Plan, o *Options, n naming, submission int, todo []*run.Task, s *Submitted, most int) (*script, error) {
	specPath, err := filepath.Abs(p.Spec.File)
	if err != nil {
		return nil, err
	}
	here, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	jobs := o.Jobs
	jobs.Cores = cores(todo, &o.Jobs)
	if jobs.Program == "" {
		if jobs.Program, err = os.Executable(); err != nil {
			return nil, err
		}
	}
	data := os.Getenv("OCTGEN_DATA")
	if data != "" {
		if data, err = filepath.Abs(data); err != nil {
			return nil, err
		}
	}
	return &script{
		Slurm: jobs, Version: o.Version, Spec: specPath, Dir: o.Dir, Here: here, Data: data,
		Submission: submission, Tasks: s.Tasks, Jobs: s.Jobs, Name: n.job(submission, 0), Wall: s.Wall,
		Chunks: chunks(n, submission, s.Jobs, most, jobs.Throttle),
	}, nil
}

func writeScript(path string, s *script) error {
	text, err := s.text()
	if err != nil {
		return err
	}
	return atomicfile.Write(path, func(w io.Writer) error { _, err := io.WriteString(w, text); return err })
}

// submitAll submits the arrays of a script and returns their ids. With a throttle, each array waits
// for the one before it, so that the throttle holds for all of them.
func submitAll(ctx context.Context, path string, arrays []chunk) ([]string, error) {
	var ids []string
	for i, c := range arrays {
		args := []string{"--parsable"}
		if i > 0 {
			args = append(args, "--array="+c.Array(), "--job-name="+c.Name)
			if c.throttle > 0 {
				args = append(args, "--dependency=afterany:"+ids[i-1])
			}
		}
		args = append(args, path)
		if i > 0 {
			args = append(args, fmt.Sprint(c.Offset))
		}
		out, err := command(ctx, "sbatch", args...)
		if err != nil {
			return ids, fmt.Errorf("%w; the script is %s, %s; fix the cause and submit the missing tasks with --resume", err, path, submittedText(ids))
		}
		id, _, _ := strings.Cut(strings.TrimSpace(out), ";") // ID or ID;CLUSTER
		ids = append(ids, id)
	}
	return ids, nil
}

func submittedText(ids []string) string {
	return cmp.Or(strings.Join(ids, " and "), "nothing") + " was submitted"
}

const (
	// defaultTask is the assumed time of a task without a limit.
	defaultTask = time.Minute
	// defaultBatch is the target time of a job.
	defaultBatch = 10 * time.Minute
	// marginPercent and margin extend the wall time beyond the tasks' times: for reading data, warm
	// starts, and a signal that comes early.
	marginPercent = 20
	margin        = 5 * time.Minute
)

// need returns the time that a task may take.
func need(t *run.Task, s *spec.Slurm) time.Duration {
	switch limit := t.TimeLimit(); {
	case s.TimePerTask > 0:
		return time.Duration(s.TimePerTask)
	case limit > 0:
		return limit
	}
	return defaultTask
}

// divide divides tasks, in order, into batches that take about the time of a job, and returns the
// longest batch's time.
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

// wallTime returns the wall time of a job, in whole minutes.
func wallTime(longest time.Duration, s *spec.Slurm) time.Duration {
	wall := time.Duration(s.Time)
	if wall == 0 {
		wall = longest + longest*marginPercent/100 + margin
	}
	return (wall + time.Minute - 1).Truncate(time.Minute)
}

// cores returns the number of processors of a job.
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

// script is the input of the template of submit.sbatch.
type script struct {
	spec.Slurm
	Version, Spec, Dir, Here, Data string // absolute paths; Data is $OCTGEN_DATA, "" for none
	Submission, Tasks, Jobs        int
	Name                           string
	Wall                           time.Duration
	Chunks                         []chunk
}

// chunk is a job array: batches Offset to Offset + Jobs - 1 of the submission.
type chunk struct {
	Name         string
	Offset, Jobs int
	throttle     int
}

// Array returns the value of sbatch's option --array.
func (c chunk) Array() string {
	text := fmt.Sprintf("0-%d", c.Jobs-1)
	if c.throttle > 0 {
		text += fmt.Sprintf("%%%d", c.throttle)
	}
	return text
}

// chunks divides jobs into arrays of at most most jobs.
func chunks(n naming, submission, jobs, most, throttle int) []chunk {
	var all []chunk
	for offset := 0; offset < jobs; offset += most {
		all = append(all, chunk{n.job(submission, offset), offset, min(most, jobs-offset), throttle})
	}
	return all
}

//go:embed submit.sbatch.tmpl
var scriptText string

var scriptTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("submit.sbatch").Funcs(template.FuncMap{
		"quote": quote, "wall": wallText, "logs": logs, "path": value, "line": oneLine,
	}).Parse(scriptText))
})

func (s *script) text() (string, error) {
	var b strings.Builder
	err := scriptTemplate().Execute(&b, s)
	return b.String(), err
}

// quote quotes a text as one word of the shell.
func quote(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

// oneLine returns a text as one line, for a comment.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// value quotes a text as a value in a line of sbatch's options.
func value(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`
}

// logs returns the pattern of the jobs' logs, in which % begins a variable.
func logs(dir string) string {
	return value(strings.ReplaceAll(filepath.Join(dir, run.JobsFolder), "%", "%%") + "/%A_%a.log")
}

// wallText formats a time for sbatch: D-HH:MM:SS.
func wallText(d time.Duration) string {
	minutes := int(d / time.Minute)
	return fmt.Sprintf("%d-%02d:%02d:00", minutes/(24*60), minutes/60%24, minutes%60)
}
