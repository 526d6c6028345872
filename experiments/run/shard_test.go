package run

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

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

// TestShards: what any number of shards do at the same time is, gathered, what one
// process does, however often it is gathered.
func TestShards(t *testing.T) {
	path := trial.WriteSmall(t)
	whole := filepath.Join(t.TempDir(), "whole")
	run(t, path, Options{Dir: whole})
	want := outputs(t, whole)
	for _, n := range []int{1, 2, 5, 28} { // of 27 tasks: the last one of 28 has nothing to do
		dir := filepath.Join(t.TempDir(), "out")
		runShards(t, path, dir, n)
		if _, err := Read(dir); !errors.Is(err, ErrFolder) || !strings.Contains(err.Error(), "is not gathered yet; octgen collect "+dir) {
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
			t.Errorf("%d shards: gathered again, results.jsonl is another one", n)
		}
		if files, _ := filepath.Glob(filepath.Join(dir, truthFolder, "*")); len(files) != 3 {
			t.Errorf("%d shards: true trees %v", n, files)
		}
	}
}

// TestShardGoesOn: the same shard again goes on, and only if it is told to; tasks that
// failed are run again only if that is wanted.
func TestShardGoesOn(t *testing.T) {
	path, dir := trial.WriteSmall(t), filepath.Join(t.TempDir(), "out")
	whole := filepath.Join(t.TempDir(), "whole")
	run(t, path, Options{Dir: whole})
	runShards(t, path, dir, 3)
	for i, failed := range []int{0, 0, 6} { // of three methods the third one's tasks
		journal := filepath.Join(dir, journalsFolder, fmt.Sprintf("shard-%d-of-3.jsonl", i))
		text, err := os.ReadFile(journal)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(journal, text[:len(text)/2], 0o600); err != nil { // as a crash leaves it
			t.Fatal(err)
		}
		o := Options{Dir: dir, Shard: Shard{i, 3}}
		if _, err := plan(t, path).Run(t.Context(), o); !errors.Is(err, ErrFolder) || !strings.Contains(err.Error(), fmt.Sprintf("has results of shard %d/3; go on with --resume", i)) {
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

// TestSharedFolderRefuses: another number of shards, a plain run, a shard in the folder
// of a plain run, and a shard that runs already are refused with the way out.
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
		{Options{Dir: shared}, "is shared by 2 shards: go on with one of them (--shard i/2 --resume), gather what they have with octgen collect " + shared + ", or"},
		{Options{Dir: shared, Resume: true}, "is shared by 2 shards: go on with one of them"},
		{Options{Dir: shared, Shard: Shard{0, 3}, Resume: true}, "is shared by 2 shards, not 3: take --shard i/2, or choose"},
		{Options{Dir: shared, Shard: Shard{1, 2}, Resume: true}, "another process runs shard 1/2 in " + shared},
		{Options{Dir: shared, Shard: Shard{0, 2}, Resume: true, Version: "2"}, "holds results of octgen , this is 2"},
		{Options{Dir: plain, Shard: Shard{0, 2}}, "holds a run that is not shared: go on with --resume and without --shard and --scheduler, or"},
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
		"4/4": `there is no shard "4/4": they are counted from 0, the last of 4 is 3/4`,
		"9/4": "the last of 4 is 3/4",
		"":    `"" is no shard; want i/N, such as 0/4 for the first of four`, "1": "is no shard", "1/": "is no shard", "/2": "is no shard", "-1/2": "is no shard",
		"0/0": "is no shard", "0/-1": "is no shard", "1/2/3": "is no shard", "a/b": "is no shard", "0.5/2": "is no shard", " 0/2": "is no shard",
	} {
		if got, err := ParseShard(text); !errors.Is(err, fit.ErrInput) || !strings.Contains(err.Error(), want) || got != (Shard{}) {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
}
