package run

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/internal/atomicfile"
	"github.com/octgen/octgen/solvers"
)

// Options are the options of a run.
type Options struct {
	Dir     string         // folder of the results; created if it does not exist
	Workers int            // tasks at a time; 0: the value of the spec
	Resume  bool           // continue if Dir contains results
	Retry   bool           // like Resume, and repeat tasks whose result is an error or was cut short, or whose tree is missing or damaged
	Only    *regexp.Regexp // tasks by name; nil: all
	Shard   Shard          // subset of the tasks, in a shared folder; zero: all tasks, not shared
	Batch   Batch          // a batch of jobs, in a folder divided by Submit; zero: none
	Version string         // version of octgen: results of two versions are not mixed
	Notify  func(Event)    // nil for none; calls do not overlap

	// Stop, when it is closed, announces the end by a scheduler: no task begins any more, and
	// running tasks have Grace to finish. A task that does not then ends with its best tree if it
	// has had the whole time of this run, since no other run would give it more; otherwise it is
	// left to the next run.
	Stop  <-chan struct{}
	Grace time.Duration

	scheduler string // whose jobs share the folder
}

// goesOn reports whether the run continues existing results.
func (o *Options) goesOn() bool { return o.Resume || o.Retry }

// Event is an event of a run.
type Event struct {
	Kind     EventKind
	Task     *Task
	Record   *Record        // of Finished
	Progress *solvers.Event // of Solving
	Todo     []*Task        // of Planned: tasks to run
	Earlier  []*Record      // of Planned: existing results, in the order of tasks
	Workers  int            // of Planned: number of tasks at a time
	Done     int            // tasks with a result, including earlier runs
	Total    int            // tasks of this run, including those with a result
}

// EventKind is the kind of an Event.
type EventKind int

// Kinds of events.
const (
	Planned  EventKind = iota // before the first task
	Started                   // a task begins
	Solving                   // progress of its solver
	Finished                  // its result is on disk
)

// JobsFolder contains the files of a scheduler's jobs: the batches of each submission, and logs.
const JobsFolder = "jobs"

// Batch is the part of a plan that one job of a scheduler runs: a line of the list of batches of a
// submission. The zero Batch means none.
type Batch struct {
	Submission int // 1, 2, ...; 0: no batch
	Number     int // 0, 1, ... within the submission
}

// ParseBatch parses SUBMISSION:NUMBER, such as 1:0. Anything else is fit.ErrInput.
func ParseBatch(text string) (Batch, error) {
	before, after, _ := strings.Cut(text, ":")
	s, err := strconv.Atoi(before)
	n, err2 := strconv.Atoi(after)
	if err != nil || err2 != nil || s < 1 || n < 0 {
		return Batch{}, fmt.Errorf("%w: %q is not a batch; want SUBMISSION:NUMBER, such as 1:0 for the first batch of the first submission", fit.ErrInput, text)
	}
	return Batch{s, n}, nil
}

func (b Batch) String() string { return fmt.Sprintf("%d:%d", b.Submission, b.Number) }

// prefix returns the prefix of the names of the batch's journals. Each run of the batch has a new
// journal.
func (b Batch) prefix() string { return fmt.Sprintf("batch-%d-%05d.", b.Submission, b.Number) }

// journal returns the name of this process's journal. No other process has the same one: a job that
// was requeued while a node was out of reach may still run there.
func (b Batch) journal() string {
	run := fmt.Sprintf("%s-%d", cmp.Or(fixed().Host, "host"), os.Getpid())
	if job := os.Getenv("SLURM_JOB_ID"); job != "" {
		run = fmt.Sprintf("%s-%d", job, number("SLURM_RESTART_COUNT"))
	}
	return b.prefix() + run
}

// batchesPath returns the path of the list of the batches of a submission: a line of task ids each.
func batchesPath(dir string, submission int) string {
	return filepath.Join(dir, JobsFolder, fmt.Sprintf("batches-%d.txt", submission))
}

// PutBatches adds a submission with these batches of task ids to the folder, and returns its
// number.
func PutBatches(dir string, batches [][]string) (submission int, err error) {
	if err := os.MkdirAll(filepath.Join(dir, JobsFolder), 0o777); err != nil {
		return 0, err
	}
	submission = Submissions(dir) + 1
	return submission, atomicfile.WriteNew(batchesPath(dir, submission), func(w io.Writer) error {
		out := bufio.NewWriter(w)
		for _, ids := range batches {
			_, _ = out.WriteString(strings.Join(ids, " ") + "\n") // Flush returns the errors
		}
		return out.Flush()
	})
}

// Submissions returns the number of submissions in the folder.
func Submissions(dir string) int {
	n := 0
	for {
		if _, err := os.Stat(batchesPath(dir, n+1)); err != nil {
			return n
		}
		n++
	}
}

// Batches reads the batches of a submission.
func Batches(dir string, submission int) ([][]string, error) {
	text, err := os.ReadFile(batchesPath(dir, submission))
	if err != nil {
		return nil, fmt.Errorf("%w: %s has no submission %d: %w", ErrFolder, dir, submission, err)
	}
	var batches [][]string
	for line := range strings.Lines(string(text)) {
		batches = append(batches, strings.Fields(line))
	}
	return batches, nil
}

// ids returns the ids of the batch's tasks.
func (b Batch) ids(dir string) ([]string, error) {
	batches, err := Batches(dir, b.Submission)
	if err != nil {
		return nil, err
	}
	if b.Number >= len(batches) {
		return nil, fmt.Errorf("%w: submission %d of %s has %d batches, counted from 0; there is no batch %d", ErrFolder, b.Submission, dir, len(batches), b.Number)
	}
	return batches[b.Number], nil
}

// DataOfBatch returns the names of the data of the batch's tasks: a plan of these suffices.
func DataOfBatch(dir string, b Batch) ([]string, error) {
	if _, err := readManifest(dir); err != nil {
		host, _ := os.Hostname()
		return nil, fmt.Errorf("%w: no run found in %s on the machine %s: is the folder on a file system shared with the machine that submitted? (%w)", ErrFolder, dir, host, err)
	}
	ids, err := b.ids(dir)
	if err != nil {
		return nil, err
	}
	tasks, err := readTasks(dir)
	if err != nil {
		return nil, err
	}
	dataOf := make(map[string]string, len(tasks))
	for i := range tasks {
		dataOf[tasks[i].id] = tasks[i].data
	}
	var names []string
	for _, id := range ids {
		name, ok := dataOf[id]
		if !ok {
			return nil, fmt.Errorf("%w: the task %s of batch %v is not in the plan %s", ErrFolder, id, b, filepath.Join(dir, tasksFile))
		}
		if len(names) == 0 || names[len(names)-1] != name { // tasks are ordered by data
			names = append(names, name)
		}
	}
	return names, nil
}

// chosen returns the tasks of a run with these options. It is an error if no name matches; a shard
// may have no task.
func (p *Plan) chosen(o *Options) ([]*Task, error) {
	if o.Batch.Submission > 0 {
		return p.ofBatch(o)
	}
	tasks := p.Matching(o.Only, o.Shard)
	if len(tasks) == 0 && len(p.Matching(o.Only, Shard{})) == 0 {
		return nil, fmt.Errorf("%w: no task matches %q; names are DATA/METHOD/SPLIT, such as %s", fit.ErrInput, o.Only, p.Tasks[0].Name())
	}
	return tasks, nil
}

// ofBatch returns the tasks of a batch, in order.
func (p *Plan) ofBatch(o *Options) ([]*Task, error) {
	ids, err := o.Batch.ids(o.Dir)
	if err != nil {
		return nil, err
	}
	of := make(map[string]*Task, len(p.Tasks))
	for i := range p.Tasks {
		of[p.Tasks[i].ID] = &p.Tasks[i]
	}
	tasks := make([]*Task, 0, len(ids))
	for _, id := range ids {
		t := of[id]
		if t == nil {
			return nil, fmt.Errorf("%w: the task %s of batch %v does not belong to this spec and data; they have changed since %s was begun", ErrFolder, id, o.Batch, o.Dir)
		}
		tasks = append(tasks, t)
	}
	return tasks, nil
}
