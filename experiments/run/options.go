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

// Options says where and how to run a plan.
type Options struct {
	Dir     string         // folder of the results; made if it is not there
	Workers int            // tasks at a time; 0: what the spec says
	Resume  bool           // go on where Dir has results already
	Retry   bool           // as Resume, and run the tasks again whose result is an error or was cut short, or whose tree is missing or damaged
	Only    *regexp.Regexp // tasks by name; nil: all
	Shard   Shard          // part of the tasks, in a folder that others share; zero: all, alone
	Batch   Batch          // a batch of jobs, in a folder that Submit divided; zero: none
	Version string         // of octgen: results of two versions are not mixed
	Notify  func(Event)    // nil for none; calls do not overlap

	// Stop, once it is closed, is the end that a scheduler announces: no task begins any
	// more, and those that run have Grace to come to their end. One that is not done
	// then ends with its best tree if it has had the whole time of this run, as no other
	// run would give it more, and is left to the next run otherwise.
	Stop  <-chan struct{}
	Grace time.Duration

	scheduler string // whose jobs share the folder
}

// goesOn says whether the run goes on where there are results.
func (o *Options) goesOn() bool { return o.Resume || o.Retry }

// Event is news of a run.
type Event struct {
	Kind     EventKind
	Task     *Task
	Record   *Record        // of Finished
	Progress *solvers.Event // of Solving
	Todo     []*Task        // of Planned: the tasks to run
	Earlier  []*Record      // of Planned: the results that there are, in the order of tasks
	Workers  int            // of Planned: how many run at a time
	Done     int            // tasks with a result, earlier runs included
	Total    int            // tasks of this run, those with a result included
}

// EventKind says what an Event tells.
type EventKind int

// The kinds of events.
const (
	Planned  EventKind = iota // before the first task
	Started                   // a task begins
	Solving                   // its solver has news
	Finished                  // its result is on the disk
)

// JobsFolder holds what the jobs of a scheduler need and what they say: the batches of
// each submission, and logs.
const JobsFolder = "jobs"

// Batch is the part of a plan that one job of a scheduler runs: a line of the list of
// batches of a submission. The zero Batch is none.
type Batch struct {
	Submission int // 1, 2, ...; 0: no batch
	Number     int // 0, 1, ... within the submission
}

// ParseBatch reads SUBMISSION:NUMBER, such as 1:0. What is not one is fit.ErrInput.
func ParseBatch(text string) (Batch, error) {
	before, after, _ := strings.Cut(text, ":")
	s, err := strconv.Atoi(before)
	n, err2 := strconv.Atoi(after)
	if err != nil || err2 != nil || s < 1 || n < 0 {
		return Batch{}, fmt.Errorf("%w: %q is no batch; want SUBMISSION:NUMBER, such as 1:0 for the first one of the first submission", fit.ErrInput, text)
	}
	return Batch{s, n}, nil
}

func (b Batch) String() string { return fmt.Sprintf("%d:%d", b.Submission, b.Number) }

// prefix is how the names of the batch's journals begin. Each time that the batch is
// run it has another journal.
func (b Batch) prefix() string { return fmt.Sprintf("batch-%d-%05d.", b.Submission, b.Number) }

// journal is the name of this process's journal. No other process has the same one:
// a job that was requeued while a node was out of reach may still run there.
func (b Batch) journal() string {
	run := fmt.Sprintf("%s-%d", cmp.Or(fixed().Host, "host"), os.Getpid())
	if job := os.Getenv("SLURM_JOB_ID"); job != "" {
		run = fmt.Sprintf("%s-%d", job, number("SLURM_RESTART_COUNT"))
	}
	return b.prefix() + run
}

// batchesPath is the list of the batches of a submission: a line each, of task ids.
func batchesPath(dir string, submission int) string {
	return filepath.Join(dir, JobsFolder, fmt.Sprintf("batches-%d.txt", submission))
}

// PutBatches adds a submission to the folder, with these batches of task ids, and
// returns its number.
func PutBatches(dir string, batches [][]string) (submission int, err error) {
	if err := os.MkdirAll(filepath.Join(dir, JobsFolder), 0o777); err != nil {
		return 0, err
	}
	submission = Submissions(dir) + 1
	return submission, atomicfile.WriteNew(batchesPath(dir, submission), func(w io.Writer) error {
		out := bufio.NewWriter(w)
		for _, ids := range batches {
			_, _ = out.WriteString(strings.Join(ids, " ") + "\n") // errors stay until Flush
		}
		return out.Flush()
	})
}

// Submissions is the number of submissions that the folder has.
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

// ids are the ids of the batch's tasks.
func (b Batch) ids(dir string) ([]string, error) {
	batches, err := Batches(dir, b.Submission)
	if err != nil {
		return nil, err
	}
	if b.Number >= len(batches) {
		return nil, fmt.Errorf("%w: submission %d of %s has %d batches, counted from 0, and no %d", ErrFolder, b.Submission, dir, len(batches), b.Number)
	}
	return batches[b.Number], nil
}

// DataOfBatch names the data that the batch's tasks are of: a plan of these is enough.
func DataOfBatch(dir string, b Batch) ([]string, error) {
	if _, err := readManifest(dir); err != nil {
		host, _ := os.Hostname()
		return nil, fmt.Errorf("%w: no run is found in %s on the machine %s: is it on a file system that this machine shares with the one that submitted? (%w)", ErrFolder, dir, host, err)
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
			return nil, fmt.Errorf("%w: the task %s of batch %v is none of the plan in %s", ErrFolder, id, b, filepath.Join(dir, tasksFile))
		}
		if len(names) == 0 || names[len(names)-1] != name { // tasks go by data
			names = append(names, name)
		}
	}
	return names, nil
}

// chosen are the tasks of a run with these options. None, where no name matches, is an
// error; a shard may have none.
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

// ofBatch are the tasks of a batch, in its order.
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
			return nil, fmt.Errorf("%w: the task %s of batch %v is none of this spec with these data; they have changed since %s was begun", ErrFolder, id, o.Batch, o.Dir)
		}
		tasks = append(tasks, t)
	}
	return tasks, nil
}
