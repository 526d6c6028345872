package slurm

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/octgen/octgen/experiments/run"
	"github.com/octgen/octgen/experiments/spec"
	"github.com/octgen/octgen/fit"
)

func planOf(t *testing.T, text string) *run.Plan {
	t.Helper()
	path := filepath.Join(t.TempDir(), "spec.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := spec.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	p, err := run.NewPlan(s)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

const mixed = `name: mixed
data: [{name: gen, generate: gto-tree, features: 2, rows: 40, test_rows: 10, replicates: 6}]
methods:
  - {name: CART, method: cart}
  - {name: OCT, method: oct, engine: mio, time_limit: 4m, threads: 3}
slurm: {partition: short, batch: 20m}
`

// TestDivide: batches contain all tasks, each once and in order; none is longer than its target
// unless it is one task; limits, the time per task and the defaults apply.
func TestDivide(t *testing.T) {
	p := planOf(t, mixed) // alternately 1m and 4m
	tasks := p.Matching(nil, run.Shard{})
	for _, c := range []struct {
		s       spec.Slurm
		sizes   []int
		longest time.Duration
		wall    string
	}{
		{spec.Slurm{}, []int{4, 4, 4}, 10 * time.Minute, "0-00:17:00"},
		{p.Spec.Slurm, []int{8, 4}, 20 * time.Minute, "0-00:29:00"},
		{spec.Slurm{Batch: fit.Duration(time.Second)}, []int{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, 4 * time.Minute, "0-00:10:00"},
		{spec.Slurm{TimePerTask: fit.Duration(7 * time.Hour), Batch: fit.Duration(28 * time.Hour)}, []int{4, 4, 4}, 28 * time.Hour, "1-09:41:00"},
		{spec.Slurm{Time: fit.Duration(61 * time.Second), Batch: fit.Duration(time.Hour)}, []int{12}, 30 * time.Minute, "0-00:02:00"},
	} {
		batches, longest := divide(tasks, &c.s)
		var sizes []int
		var ids []string
		for _, b := range batches {
			sizes = append(sizes, len(b))
			ids = append(ids, b...)
		}
		if diff := cmp.Diff(c.sizes, sizes); diff != "" || longest != c.longest {
			t.Errorf("%+v: longest %v, %s", c.s, longest, diff)
		}
		for i, task := range tasks {
			if ids[i] != task.ID {
				t.Errorf("%+v: task %d is another one", c.s, i)
			}
		}
		if got := wallText(wallTime(longest, &c.s)); got != c.wall {
			t.Errorf("%+v: wall time %s, want %s", c.s, got, c.wall)
		}
	}
	if n := cores(tasks, &spec.Slurm{}); n != 3 {
		t.Errorf("%d cores, want the 3 threads of OCT", n)
	}
	if n := cores(tasks[:1], &spec.Slurm{}); n != 1 {
		t.Errorf("%d cores of CART", n)
	}
	if n := cores(tasks, &spec.Slurm{Cores: 2}); n != 2 {
		t.Errorf("%d cores, want the requested 2", n)
	}
}

// TestChunks: every job is in one array, no array exceeds the limit, and the names give the
// beginning of each.
func TestChunks(t *testing.T) {
	n := namingOf("/results")
	for _, c := range []struct{ jobs, most, arrays int }{{1, 1000, 1}, {1000, 1000, 1}, {1001, 1000, 2}, {10000, 1000, 10}, {7, 2, 4}} {
		all := chunks(n, 3, c.jobs, c.most, 5)
		next := 0
		for _, x := range all {
			submission, offset, ok := n.parse(x.Name)
			if !ok || submission != 3 || offset != next || x.Offset != next || x.Jobs > c.most || x.Array() != fmt.Sprintf("0-%d%%5", x.Jobs-1) {
				t.Errorf("%+v: %+v", c, x)
			}
			next += x.Jobs
		}
		if next != c.jobs || len(all) != c.arrays {
			t.Errorf("%+v: %d jobs in %d arrays", c, next, len(all))
		}
	}
	for _, name := range []string{"", "octgen", n.job(1, 0)[1:], namingOf("/other").job(1, 0), "octgen-" + n.folder + "-x-0", "octgen-" + n.folder + "-1"} {
		if s, o, ok := n.parse(name); ok {
			t.Errorf("%q is the job of %d, %d", name, s, o)
		}
	}
}

// TestScript: the whole script, with values of the command line over those of the spec.
func TestScript(t *testing.T) {
	p := planOf(t, mixed)
	t.Setenv("OCTGEN_DATA", "/data of all")
	var got strings.Builder
	o := Options{
		Options: run.Options{Dir: "/results of %j's", Version: "1.0"},
		Jobs:    spec.Slurm{Program: "/opt/octgen", Account: "proj", Memory: "4G", Throttle: 7, Setup: []string{"module load gurobi", "ulimit -n 99"}, Options: []string{"--qos=long"}}.Over(p.Spec.Slurm),
	}
	s, err := Preview(p, o, &got)
	if err != nil || s.Tasks != 12 || s.Jobs != 2 {
		t.Fatalf("%+v, %v", s, err)
	}
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	want := strings.NewReplacer("HERE", here, "SPEC", p.Spec.File, "NAME", namingOf("/results of %j's").job(1, 0)).Replace(`#!/bin/bash
# Written by octgen 1.0: 12 tasks in 2 jobs, submission 1 of its folder.
# It may be changed, and submitted again by hand; what has a result is passed over:
#   sbatch '/results of %j'\''s'/submit.sbatch
#SBATCH --job-name=NAME
#SBATCH --array=0-1%7
#SBATCH --time=0-00:29:00
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=3
#SBATCH --mem=4G
#SBATCH --partition=short
#SBATCH --account=proj
#SBATCH --qos=long
#SBATCH --signal=B:USR1@90
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output="/results of %%j's/jobs/%A_%a.log"
#SBATCH --chdir="HERE"
export OCTGEN_DATA='/data of all'
module load gurobi
ulimit -n 99

# The signal comes 90 seconds before the job's time is over: no task begins any more, and
# one that runs has 60 seconds to come to its end.
exec '/opt/octgen' run 'SPEC' --out '/results of %j'\''s' \
  --batch "1:$(( ${1:-0} + SLURM_ARRAY_TASK_ID ))" --grace 60s --quiet
`)
	if diff := cmp.Diff(want, got.String()); diff != "" {
		t.Error(diff)
	}
	more := script{Slurm: o.Jobs, Dir: "/r", Chunks: chunks(namingOf("/r"), 2, 5, 2, 0)}
	text, err := more.text()
	if n := namingOf("/r"); err != nil || !strings.Contains(text, "#   sbatch '/r'/submit.sbatch\n#   sbatch --array=0-1 --job-name="+n.job(2, 2)+" '/r'/submit.sbatch 2\n#   sbatch --array=0-0 --job-name="+n.job(2, 4)+" '/r'/submit.sbatch 4\n") {
		t.Errorf("%s, %v", text, err)
	}
}

// TestSaid: Slurm's error messages without their prefixes.
func TestSaid(t *testing.T) {
	got := said("sbatch: error: invalid partition specified: nope\nsbatch: error: Batch job submission failed: Invalid partition name specified\n\n")
	if want := "invalid partition specified: nope; Invalid partition name specified"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
