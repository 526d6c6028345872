package slurm

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode"

	"github.com/octgen/octgen/experiments/run"
	"github.com/octgen/octgen/experiments/spec"
	"github.com/octgen/octgen/internal/atomicfile"
)

// ScriptFile is the script of the last submission, in the results folder.
const ScriptFile = "submit.sbatch"

// Options say what is submitted.
type Options struct {
	run.Options            // the folder, which tasks, whether to go on; what is of one process has no part here
	Jobs        spec.Slurm // what jobs look like
}

// Submitted says what a submission came to.
type Submitted struct {
	Done     int           // tasks that have a result already
	UnderWay int           // tasks whose jobs wait or run
	Tasks    int           // tasks submitted now
	Jobs     int           // jobs that run them
	Arrays   []string      // ids of their arrays
	Wall     time.Duration // of each job
}

// Submit submits the tasks that have no result in the folder and no job that waits or
// runs. The script is ScriptFile in the folder. An error of the cluster is ErrCluster;
// what was submitted before it stays.
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

// Preview writes the script that Submit would submit, to w, and says of how many
// tasks and jobs. It asks no cluster and touches no folder: what has a result counts, too.
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

// reach says how many jobs an array may have, or why no cluster can be reached.
func reach(ctx context.Context) (int, error) {
	if err := available(); err != nil {
		return 0, err
	}
	return mostJobs(ctx)
}

// prepare makes the folder, whose path becomes absolute, and returns the tasks that it
// has no result of.
func prepare(p *run.Plan, o *Options) ([]*run.Task, naming, error) {
	dir, err := filepath.Abs(o.Dir)
	if err != nil {
		return nil, naming{}, err
	}
	if o.Dir = dir; strings.ContainsFunc(dir, unicode.IsControl) {
		return nil, naming{}, fmt.Errorf("%w: the path %q has control characters, which no script of a job can hold", run.ErrFolder, dir)
	}
	missing, err := p.Prepare("slurm", o.Options)
	return missing, namingOf(dir), err
}

// notQueued are the tasks that are in no batch whose job waits or runs.
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

// newScript is the script of a submission.
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

// submitAll submits the arrays of a script and returns their ids. With a throttle, each
// waits for the one before it, so that it holds for all of them.
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
			return ids, fmt.Errorf("%w; the script is %s, %s; put that right and submit what is missing with --resume", err, path, submittedText(ids))
		}
		id, _, _ := strings.Cut(strings.TrimSpace(out), ";") // ID or ID;CLUSTER
		ids = append(ids, id)
	}
	return ids, nil
}

func submittedText(ids []string) string {
	return cmp.Or(strings.Join(ids, " and "), "nothing") + " was submitted"
}
