package slurm

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"os/user"
	"regexp"
	"strconv"
	"strings"
)

// ErrCluster is wrapped where there is no cluster to ask, or it refuses.
var ErrCluster = errors.New("slurm")

// available says whether the commands of Slurm are there.
func available() error {
	for _, name := range []string{"sbatch", "squeue", "scontrol"} {
		if _, err := exec.LookPath(name); err != nil {
			return fmt.Errorf("%w: no %s in PATH; run this where jobs are submitted, or use --shard i/N with any other scheduler", ErrCluster, name)
		}
	}
	return nil
}

// command runs a command of Slurm and returns what it prints. Its error is what it says.
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

var prefix = regexp.MustCompile(`^[a-z]+: (error|fatal): (Batch job submission failed: )?`)

// said are the lines of a command's complaint without what stands in front of them.
func said(stderr string) string {
	var lines []string
	for line := range strings.Lines(stderr) {
		if line = prefix.ReplaceAllString(strings.TrimSpace(line), ""); line != "" {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "; ")
}

var maxArrayLine = regexp.MustCompile(`(?m)^MaxArraySize\s*=\s*(\d+)`)

// mostJobs is how many jobs an array may have: MaxArraySize is one more than the last
// index, and some sites count from 1.
func mostJobs(ctx context.Context) (int, error) {
	text, err := command(ctx, "scontrol", "show", "config")
	if err != nil {
		return 0, err
	}
	m := maxArrayLine.FindStringSubmatch(text)
	if m == nil {
		return 0, fmt.Errorf("%w: scontrol show config says nothing of MaxArraySize", ErrCluster)
	}
	size, err := strconv.Atoi(m[1])
	if err != nil || size < 2 {
		return 0, fmt.Errorf("%w: MaxArraySize is %s, so there are no job arrays; use --shard i/N", ErrCluster, m[1])
	}
	return size - 1, nil
}

// queued are the batches, by submission, whose jobs wait or run. Only the names of jobs
// and their places in arrays are asked for: of what has ended nothing is believed.
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
			continue // another one's
		}
		if all[submission] == nil {
			all[submission] = make(map[int]bool)
		}
		all[submission][offset+i] = true
	}
	return all, nil
}
