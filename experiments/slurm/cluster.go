package slurm

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/octgen/octgen/experiments/run"
	"github.com/octgen/octgen/internal/lazy"
)

// ErrCluster is wrapped if no cluster can be reached, or if it rejects a request.
var ErrCluster = errors.New("slurm")

// available returns an error if the commands of Slurm are missing.
func available() error {
	for _, name := range []string{"sbatch", "squeue", "scontrol"} {
		if _, err := exec.LookPath(name); err != nil {
			return fmt.Errorf("%w: no %s in PATH; run this where jobs are submitted, or use --shard i/N with any other scheduler", ErrCluster, name)
		}
	}
	return nil
}

// command runs a Slurm command and returns its output. Its error is the command's error message.
func command(ctx context.Context, name string, args ...string) (string, error) {
	out, err := exec.CommandContext(ctx, name, args...).Output()
	if err == nil {
		return string(out), nil
	}
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	text := err.Error()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && len(exit.Stderr) > 0 {
		text = said(string(exit.Stderr))
	}
	return "", fmt.Errorf("%w: %s: %s", ErrCluster, name, text)
}

var prefix = lazy.Regexp(`^[a-z]+: (error|fatal): (Batch job submission failed: )?`)

// said returns the lines of a command's error message without their prefixes.
func said(stderr string) string {
	var lines []string
	for line := range strings.Lines(stderr) {
		if line = prefix().ReplaceAllString(strings.TrimSpace(line), ""); line != "" {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "; ")
}

var maxArrayLine = lazy.Regexp(`(?m)^MaxArraySize\s*=\s*(\d+)`)

// mostJobs returns the maximum number of jobs of an array: MaxArraySize is one more than the last
// index, and some sites count from 1.
func mostJobs(ctx context.Context) (int, error) {
	text, err := command(ctx, "scontrol", "show", "config")
	if err != nil {
		return 0, err
	}
	m := maxArrayLine().FindStringSubmatch(text)
	if m == nil {
		return 0, fmt.Errorf("%w: scontrol show config does not report MaxArraySize", ErrCluster)
	}
	size, err := strconv.Atoi(m[1])
	if err != nil || size < 2 {
		return 0, fmt.Errorf("%w: MaxArraySize is %s, so there are no job arrays; use --shard i/N", ErrCluster, m[1])
	}
	return size - 1, nil
}

// queued returns the batches, by submission, whose jobs wait or run. It asks only for the names of
// jobs and their indices in arrays, since information on completed jobs is unreliable.
func queued(ctx context.Context, n naming) (map[int]map[int]bool, error) {
	args := []string{"--noheader", "--array", "--format=%j|%K"}
	if u, err := user.Current(); err == nil {
		args = append(args, "--user="+u.Username)
	}
	text, err := command(ctx, "squeue", args...)
	if err != nil {
		return nil, err
	}
	all := make(map[int]map[int]bool)
	for line := range strings.Lines(text) {
		name, at, _ := strings.Cut(strings.TrimSpace(line), "|")
		submission, offset, ok := n.parse(name)
		i, err := strconv.Atoi(at)
		if !ok || err != nil {
			continue // another user's job
		}
		if all[submission] == nil {
			all[submission] = make(map[int]bool)
		}
		all[submission][offset+i] = true
	}
	return all, nil
}

// naming makes the names of the jobs of one folder, by which they are found again:
// octgen-FOLDER-SUBMISSION-OFFSET, where offset is the batch of the array's index 0.
type naming struct{ folder string }

// namingOf returns the naming of a folder, by its absolute path.
func namingOf(dir string) naming {
	return naming{fmt.Sprintf("%x", sha256.Sum256([]byte(dir)))[:8]}
}

func (n naming) job(submission, offset int) string {
	return fmt.Sprintf("octgen-%s-%d-%d", n.folder, submission, offset)
}

// parse parses the name of a job of this folder.
func (n naming) parse(name string) (submission, offset int, ok bool) {
	rest, mine := strings.CutPrefix(name, "octgen-"+n.folder+"-")
	if !mine {
		return 0, 0, false
	}
	if _, err := fmt.Sscanf(rest, "%d-%d", &submission, &offset); err != nil {
		return 0, 0, false
	}
	return submission, offset, true
}

// Intervals between requests to the cluster, and the maximum time without an answer.
const (
	firstPoll  = time.Second
	lastPoll   = 30 * time.Second
	mostSilent = 10 * time.Minute
)

// Wait waits until no job of the folder waits or runs. It calls notify, if not nil, when their
// number changes. A cluster that does not answer for ten minutes gives ErrCluster; ctx ends the
// waiting, not the jobs.
func Wait(ctx context.Context, dir string, notify func(jobs int)) error {
	if err := available(); err != nil {
		return err
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	n := namingOf(dir)
	before, heard, pause := -1, time.Now(), firstPoll
	for {
		jobs, err := queued(ctx, n)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil && time.Since(heard) > mostSilent:
			return err
		case err == nil:
			heard = time.Now()
			left := count(jobs)
			if left == 0 {
				return nil
			}
			if left != before && notify != nil {
				notify(left)
			}
			before = left
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause):
		}
		pause = min(lastPoll, pause*5/4)
	}
}

func count(jobs map[int]map[int]bool) int {
	n := 0
	for _, numbers := range jobs {
		n += len(numbers)
	}
	return n
}

// Unfinished returns an error for tasks that have no result although no job is left that would make
// one.
func Unfinished(dir string, missing int) error {
	logs, err := filepath.Abs(filepath.Join(dir, run.JobsFolder))
	if err != nil {
		return err
	}
	found, err := os.ReadDir(logs)
	if err != nil {
		return err
	}
	left := slices.ContainsFunc(found, func(f os.DirEntry) bool { return filepath.Ext(f.Name()) == ".log" })
	if !left {
		return fmt.Errorf("%w: %d tasks have no result, and the jobs left no log in %s: is the folder on a file system shared by the nodes?", ErrCluster, missing, logs)
	}
	return fmt.Errorf("%w: %d tasks have no result; the logs of their jobs are in %s; resubmit them with --resume", ErrCluster, missing, logs)
}
