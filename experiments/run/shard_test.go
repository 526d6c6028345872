package run

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/octgen/octgen/experiments/internal/trial"
	"github.com/octgen/octgen/fit"
)

// runShards runs all shards of the spec at the same time.
func runShards(t *testing.T, path, dir string, n int) {
	t.Helper()
	var g errgroup.Group
	for i := range n {
		p := plan(t, path)
		g.Go(func() error {
			_, err := p.Run(t.Context(), Options{Dir: dir, Shard: Shard{i, n}})
			return err
		})
	}
	if err := g.Wait(); err != nil {
		t.Fatal(err)
	}
}

func collect(t *testing.T, dir string) {
	t.Helper()
	if _, err := Collect(dir); err != nil {
		t.Fatal(err)
	}
}

// TestShards: the collected results of any number of simultaneous shards equal those of one
// process, however often they are collected.
func TestShards(t *testing.T) {
	path := trial.WriteSmall(t)
	whole := filepath.Join(t.TempDir(), "whole")
	run(t, path, Options{Dir: whole})
	want := outputs(t, whole)
	for _, n := range []int{1, 2, 5, 28} { // of 27 tasks: the last of 28 shards has none
		dir := filepath.Join(t.TempDir(), "out")
		runShards(t, path, dir, n)
		if _, err := Read(dir); !errors.Is(err, ErrFolder) || !strings.Contains(err.Error(), " are not collected yet; run octgen collect "+dir) {
			t.Error(err)
		}
		collect(t, dir)
		same(t, want, outputs(t, dir))
		first, err := os.ReadFile(filepath.Join(dir, ResultsFile))
		if err != nil {
			t.Fatal(err)
		}
		collect(t, dir)
		if !holds(filepath.Join(dir, ResultsFile), first) {
			t.Errorf("%d shards: collected again, results.jsonl differs", n)
		}
		if files, _ := filepath.Glob(filepath.Join(dir, truthFolder, "*")); len(files) != 3 {
			t.Errorf("%d shards: true trees %v", n, files)
		}
	}
}

// TestShardGoesOn: the same shard continues only with Resume; failed tasks run again only with
// Retry.
func TestShardGoesOn(t *testing.T) {
	path, dir := trial.WriteSmall(t), filepath.Join(t.TempDir(), "out")
	whole := filepath.Join(t.TempDir(), "whole")
	run(t, path, Options{Dir: whole})
	runShards(t, path, dir, 3)
	for i, failed := range []int{0, 0, 6} { // the tasks of the third of three methods
		journal := filepath.Join(dir, journalsFolder, fmt.Sprintf("shard-%d-of-3.jsonl", i))
		text, err := os.ReadFile(journal)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(journal, text[:len(text)/2], 0o600); err != nil { // as after a crash
			t.Fatal(err)
		}
		o := Options{Dir: dir, Shard: Shard{i, 3}}
		if _, err := plan(t, path).Run(t.Context(), o); !errors.Is(err, ErrFolder) || !strings.Contains(err.Error(), fmt.Sprintf("has results of shard %d/3; continue with --resume", i)) {
			t.Error(err)
		}
		o.Resume = true
		if got := run(t, path, o); *got != (Outcome{9, 9, failed}) {
			t.Errorf("shard %d: %+v", i, *got)
		}
		o.Retry = true
		started := 0
		o.Notify = func(e Event) {
			if e.Kind == Started {
				started++
			}
		}
		if run(t, path, o); started != failed {
			t.Errorf("shard %d: %d tasks run again, want %d", i, started, failed)
		}
	}
	collect(t, dir)
	same(t, outputs(t, whole), outputs(t, dir))
}

// TestSharedFolderRefuses: another number of shards, a plain run, a shard in the folder of a plain
// run, and a running shard are rejected; the error says what to do.
func TestSharedFolderRefuses(t *testing.T) {
	path := trial.WriteSmall(t)
	shared, plain := filepath.Join(t.TempDir(), "shared"), filepath.Join(t.TempDir(), "plain")
	runShards(t, path, shared, 2)
	run(t, path, Options{Dir: plain})
	unlock, err := lock(filepath.Join(shared, journalsFolder, "shard-1-of-2.lock"), "")
	if err != nil {
		t.Fatal(err)
	}
	defer unlock() //nolint:errcheck // a test's
	for _, c := range []struct {
		o    Options
		want string
	}{
		{Options{Dir: shared}, "is shared by 2 shards: continue with one of them (--shard i/2 --resume), collect their results with octgen collect " + shared + ", or"},
		{Options{Dir: shared, Resume: true}, "is shared by 2 shards: continue with one of them"},
		{Options{Dir: shared, Shard: Shard{0, 3}, Resume: true}, "is shared by 2 shards, not 3: use --shard i/2, or choose"},
		{Options{Dir: shared, Shard: Shard{1, 2}, Resume: true}, "another process runs shard 1/2 in " + shared},
		{Options{Dir: shared, Shard: Shard{0, 2}, Resume: true, Version: "2"}, "contains results of octgen , but this is 2"},
		{Options{Dir: plain, Shard: Shard{0, 2}}, "contains a run that is not shared: continue with --resume and without --shard and --scheduler, or"},
	} {
		if _, err := plan(t, path).Run(t.Context(), c.o); !errors.Is(err, ErrFolder) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v", c.o, err)
		}
	}
	if files, err := os.ReadDir(filepath.Join(plain, journalsFolder)); err == nil {
		t.Errorf("left behind: %v", files)
	}
}

// TestParseShard: i/N with i from 0 to N-1, and nothing else.
func TestParseShard(t *testing.T) {
	for text, want := range map[string]Shard{"0/1": {0, 1}, "0/4": {0, 4}, "3/4": {3, 4}} {
		if got, err := ParseShard(text); err != nil || got != want || got.String() != text {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
	for text, want := range map[string]string{
		"4/4": `there is no shard "4/4": shards are counted from 0, the last of 4 is 3/4`,
		"9/4": "the last of 4 is 3/4",
		"":    `"" is not a shard; want i/N, such as 0/4 for the first of four`, "1": "is not a shard", "1/": "is not a shard", "/2": "is not a shard", "-1/2": "is not a shard",
		"0/0": "is not a shard", "0/-1": "is not a shard", "1/2/3": "is not a shard", "a/b": "is not a shard", "0.5/2": "is not a shard", " 0/2": "is not a shard",
	} {
		if got, err := ParseShard(text); !errors.Is(err, fit.ErrInput) || !strings.Contains(err.Error(), want) || got != (Shard{}) {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
}

// submit prepares the folder and divides its missing tasks into batches of the given size.
func submit(t *testing.T, p *Plan, size int, o Options) (submission int, batches [][]string) {
	t.Helper()
	missing, err := p.Prepare("slurm", o)
	if err != nil {
		t.Fatal(err)
	}
	for i, task := range missing {
		if i%size == 0 {
			batches = append(batches, nil)
		}
		batches[len(batches)-1] = append(batches[len(batches)-1], task.ID)
	}
	submission, err = PutBatches(o.Dir, batches)
	if err != nil {
		t.Fatal(err)
	}
	return submission, batches
}

// runBatch runs a batch like a job, with a plan of its data only.
func runBatch(t *testing.T, path string, o Options) (*Outcome, error) {
	t.Helper()
	names, err := DataOfBatch(o.Dir, o.Batch)
	if err != nil {
		return nil, err
	}
	p, err := NewPlan(plan(t, path).Spec, names...)
	if err != nil {
		t.Fatal(err)
	}
	return p.Run(t.Context(), o)
}

// TestBatches: batches, some of them run twice, killed or never run, followed by the missing tasks,
// are collected to the results of one process.
func TestBatches(t *testing.T) {
	path := trial.WriteSmall(t)
	whole, dir := filepath.Join(t.TempDir(), "whole"), filepath.Join(t.TempDir(), "out")
	run(t, path, Options{Dir: whole})
	p := plan(t, path)
	submission, batches := submit(t, p, 4, Options{Dir: dir})
	if submission != 1 || len(batches) != 7 {
		t.Fatalf("submission %d of %d batches", submission, len(batches))
	}
	if _, err := p.Prepare("slurm", Options{Dir: dir}); !errors.Is(err, ErrFolder) || !strings.Contains(err.Error(), "has been submitted before; submit the missing tasks with --resume") {
		t.Error(err)
	}
	for _, k := range []int{0, 1, 2, 3, 6} {
		t.Setenv("SLURM_JOB_ID", "7"+string(rune('0'+k)))
		got, err := runBatch(t, path, Options{Dir: dir, Batch: Batch{1, k}})
		if err != nil || got.Done != len(batches[k]) {
			t.Errorf("batch %d: %+v, %v", k, got, err)
		}
	}
	// A job killed after its second task and requeued runs the others.
	journal := filepath.Join(dir, journalsFolder, "batch-1-00003.73-0.jsonl")
	text, err := os.ReadFile(journal)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(text), "\n")
	if err := os.WriteFile(journal, []byte(lines[0]+lines[1]+lines[2][:20]), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("SLURM_JOB_ID", "73")
	if _, err := runBatch(t, path, Options{Dir: dir, Batch: Batch{1, 3}}); err == nil || !strings.Contains(err.Error(), "run the batch again") {
		t.Error("two processes may write one journal:", err)
	}
	t.Setenv("SLURM_RESTART_COUNT", "1")
	started := 0
	got, err := runBatch(t, path, Options{Dir: dir, Batch: Batch{1, 3}, Notify: func(e Event) {
		if e.Kind == Started {
			started++
		}
	}})
	if err != nil || got.Done != 4 || started != 2 {
		t.Errorf("requeued: %+v, %d tasks run, want 2; %v", got, started, err)
	}
	submission, batches = submit(t, p, 3, Options{Dir: dir, Resume: true})
	if submission != 2 || len(batches) != 3 || len(batches[2]) != 2 {
		t.Fatalf("submission %d, batches %v; want the 8 tasks that are missing", submission, batches)
	}
	for k := range batches {
		if _, err := runBatch(t, path, Options{Dir: dir, Batch: Batch{2, k}}); err != nil {
			t.Error(err)
		}
	}
	collect(t, dir)
	same(t, outputs(t, whole), outputs(t, dir))
	missing, err := p.Prepare("slurm", Options{Dir: dir, Resume: true})
	if err != nil || len(missing) != 0 {
		t.Errorf("%d missing, %v", len(missing), err)
	}
	if missing, err = p.Prepare("slurm", Options{Dir: dir, Retry: true}); err != nil || len(missing) != 6 {
		t.Errorf("%d to be tried again, want the 6 that failed; %v", len(missing), err)
	}
}

// TestBatchRefuses: an unknown batch, a folder missing on the job's machine, another version,
// changed data, and a folder shared by jobs.
func TestBatchRefuses(t *testing.T) {
	path, dir := trial.WriteSmall(t), filepath.Join(t.TempDir(), "out")
	p := plan(t, path)
	submit(t, p, 9, Options{Dir: dir, Version: "1"})
	refused := func(o Options, want string) {
		t.Helper()
		if _, err := runBatch(t, path, o); !errors.Is(err, ErrFolder) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	refused(Options{Dir: dir, Batch: Batch{1, 3}}, "submission 1 of "+dir+" has 3 batches, counted from 0; there is no batch 3")
	refused(Options{Dir: dir, Batch: Batch{2, 0}}, "has no submission 2")
	refused(Options{Dir: filepath.Join(dir, "elsewhere"), Batch: Batch{1, 0}}, "is the folder on a file system shared with the machine that submitted?")
	refused(Options{Dir: dir, Batch: Batch{1, 0}, Version: "2"}, "contains results of octgen 1, but this is 2")
	if _, err := p.Run(t.Context(), Options{Dir: dir, Version: "1", Resume: true}); !errors.Is(err, ErrFolder) || !strings.Contains(err.Error(), "is shared by jobs of slurm: continue with --scheduler slurm --resume") {
		t.Error(err)
	}
	if err := os.WriteFile(batchesPath(dir, 1), []byte("0123456789abcdef\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	refused(Options{Dir: dir, Batch: Batch{1, 0}}, "the task 0123456789abcdef of batch 1:0 is not in the plan")
	for _, text := range []string{"", "1", "0:1", "1:-1", "a:b", "1:2:3"} {
		if b, err := ParseBatch(text); !errors.Is(err, fit.ErrInput) || b != (Batch{}) {
			t.Errorf("%q: %v, %v", text, b, err)
		}
	}
	if b, err := ParseBatch("3:17"); err != nil || b != (Batch{3, 17}) || b.String() != "3:17" {
		t.Errorf("%v, %v", b, err)
	}
}

// slowSpec has tasks that end only by their time limit, an hour.
const slowSpec = `name: slow
data: [{name: gen, generate: gto-tree, features: 6, rows: 400, test_rows: 20, label_noise: 0.2, replicates: 3}]
methods: [{name: LS, method: local-search, depth: 4, time_limit: 3600, work_limit: 1000000000000}]
`

// TestStop: after an announced end no task begins, the task that had all the time ends with its
// best tree, marked, and the others are left.
func TestStop(t *testing.T) {
	path, dir := trial.Write(t, slowSpec), filepath.Join(t.TempDir(), "out")
	stop := make(chan struct{})
	o := Options{Dir: dir, Stop: stop, Grace: 20 * time.Millisecond, Notify: func(e Event) {
		if e.Kind == Started {
			time.AfterFunc(100*time.Millisecond, func() { close(stop) })
		}
	}}
	got, err := plan(t, path).Run(t.Context(), o)
	if !errors.Is(err, ErrStopped) || *got != (Outcome{Total: 3, Done: 1}) {
		t.Fatalf("%+v, %v", got, err)
	}
	r, err := Read(dir)
	if err != nil || len(r.Records) != 1 || !r.Records[0].CutShort || LostTree(dir, &r.Records[0]) != nil || math.IsNaN(r.Records[0].Result.Train.Errors) {
		t.Fatalf("%+v, %v", r, err)
	}
	// Stopped before it begins: nothing runs, except with Retry the task that was cut short.
	closed := make(chan struct{})
	close(closed)
	if got, err := plan(t, path).Run(t.Context(), Options{Dir: dir, Resume: true, Stop: closed}); !errors.Is(err, ErrStopped) || got.Done != 1 {
		t.Errorf("%+v, %v", got, err)
	}
	var todo int
	ctx, cancel := context.WithCancel(t.Context())
	_, err = plan(t, path).Run(ctx, Options{Dir: dir, Retry: true, Notify: func(e Event) {
		if e.Kind == Planned {
			todo = len(e.Todo)
			cancel()
		}
	}})
	if !errors.Is(err, context.Canceled) || todo != 3 {
		t.Errorf("%d tasks to run again, %v", todo, err)
	}
}

// TestStopLeaves: of two successive tasks, the second did not have all the time: it is left; a task
// that finishes within the grace period is complete.
func TestStopLeaves(t *testing.T) {
	spec := strings.Replace(slowSpec, "methods: [", "methods: [{name: CART, method: cart}, ", 1)
	path, dir := trial.Write(t, spec), filepath.Join(t.TempDir(), "out")
	stop := make(chan struct{})
	started := 0
	got, err := plan(t, path).Run(t.Context(), Options{Dir: dir, Stop: stop, Grace: 20 * time.Millisecond, Notify: func(e Event) {
		if e.Kind == Started {
			if started++; started == 2 {
				close(stop)
			}
		}
	}})
	if !errors.Is(err, ErrStopped) || *got != (Outcome{Total: 6, Done: 1}) {
		t.Errorf("%+v, %v", got, err)
	}
	r, err := Read(dir)
	if err != nil || len(r.Records) != 1 || r.Records[0].CutShort || r.Records[0].Method != "CART" {
		t.Errorf("%+v, %v", r, err)
	}
}

// TestProvenance: a record names the machine and the program that made it.
func TestProvenance(t *testing.T) {
	t.Setenv("SLURM_JOB_ID", "12")
	t.Setenv("SLURM_ARRAY_JOB_ID", "10")
	t.Setenv("SLURM_ARRAY_TASK_ID", "2")
	t.Setenv("SLURM_RESTART_COUNT", "1")
	t.Setenv("SLURM_CPUS_PER_TASK", "1")
	p := provenance("1.2")
	if p.Job != "12" || p.Array != "10_2" || p.Restarts != 1 || p.Cores != 1 || p.Version != "1.2" {
		t.Errorf("%+v", p)
	}
	if p.Host == "" || p.Processor == "" || !strings.HasPrefix(p.Go, "go") || len(p.Binary) != 64 || !strings.Contains(p.System, "/") {
		t.Errorf("%+v", p)
	}
}
