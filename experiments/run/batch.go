package run

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/internal/atomicfile"
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
