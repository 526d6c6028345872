package run

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/octgen/octgen/experiments/internal/trial"
)

// journalLines returns the lines of all journals of a folder, by file.
func journalLines(t *testing.T, dir string) map[string][]string {
	t.Helper()
	paths, err := journals(dir)
	if err != nil {
		t.Fatal(err)
	}
	lines := make(map[string][]string)
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		lines[path] = strings.SplitAfter(strings.TrimSuffix(string(text), "\n"), "\n")
		lines[path][len(lines[path])-1] += "\n"
	}
	return lines
}

// asError returns a record's line as that of a failed task.
func asError(t *testing.T, line string) string {
	t.Helper()
	var r Record
	if err := json.Unmarshal([]byte(line), &r); err != nil {
		t.Fatal(err)
	}
	r.Result, r.Error = nil, "a node without a solver"
	text, err := json.Marshal(&r)
	if err != nil {
		t.Fatal(err)
	}
	return string(text) + "\n"
}

// TestCollectInAnyOrder: records that appear twice, or together with a failure of another process,
// in any file and order, are collected to the same bytes, and none counts twice.
func TestCollectInAnyOrder(t *testing.T) {
	path, dir := trial.WriteSmall(t), filepath.Join(t.TempDir(), "out")
	runShards(t, path, dir, 3)
	lines := journalLines(t, dir)
	collect(t, dir)
	want := outputs(t, dir)
	paths := slices.Sorted(maps.Keys(lines))
	all := slices.Concat(slices.Collect(maps.Values(lines))...)
	r := rand.New(rand.NewPCG(3, 4))
	for range 5 {
		var files [3]string
		for _, line := range all {
			for range 1 + r.IntN(3) {
				files[r.IntN(3)] += line
			}
			if r.IntN(2) == 0 && !strings.Contains(line, `"error"`) {
				files[r.IntN(3)] += asError(t, line)
			}
		}
		for i, text := range files {
			if err := os.WriteFile(paths[i], []byte(text+`{"id":"half a li`), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		collect(t, dir)
		same(t, want, outputs(t, dir))
		s, err := ReadStatus(dir)
		if err != nil || s.Done != 27 || s.Failed != 6 || s.Missing != 0 {
			t.Errorf("%+v, %v", s, err)
		}
	}
}

// TestCollectAfterLoss: collected results survive the loss of journals; a lost or damaged tree is
// restored from them; a lost record is run again.
func TestCollectAfterLoss(t *testing.T) {
	path, dir := trial.WriteSmall(t), filepath.Join(t.TempDir(), "out")
	runShards(t, path, dir, 2)
	collect(t, dir)
	want := outputs(t, dir)
	trees, err := filepath.Glob(filepath.Join(dir, TreesFolder, "*"))
	if err != nil || len(trees) != 21 {
		t.Fatal(trees, err)
	}
	half := filepath.Join(dir, TreesFolder, ".0123456789abcdef.json.7-0.tmp")
	if err := errors.Join(os.Remove(trees[3]), os.WriteFile(trees[5], []byte("{"), 0o600), os.WriteFile(half, nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	collect(t, dir)
	same(t, want, outputs(t, dir))
	first := filepath.Join(dir, journalsFolder, "shard-0-of-2.jsonl")
	if err := os.Remove(first); err != nil {
		t.Fatal(err)
	}
	collect(t, dir)
	same(t, want, outputs(t, dir))
	if err := os.Remove(filepath.Join(dir, ResultsFile)); err != nil {
		t.Fatal(err)
	}
	collect(t, dir)
	if s, err := ReadStatus(dir); err != nil || s.Missing != 14 {
		t.Errorf("%+v, %v", s, err)
	}
	run(t, path, Options{Dir: dir, Shard: Shard{0, 2}})
	collect(t, dir)
	same(t, want, outputs(t, dir))
}

// TestCollectWhileRunning: shards may continue while their results are collected.
func TestCollectWhileRunning(t *testing.T) {
	path, dir := trial.WriteSmall(t), filepath.Join(t.TempDir(), "out")
	gathered := 0
	for i := range 2 {
		run(t, path, Options{Dir: dir, Shard: Shard{i, 2}, Notify: func(e Event) {
			if e.Kind != Finished {
				return
			}
			collect(t, dir)
			gathered++
			if r, err := Read(dir); err != nil || len(r.Records) != gathered {
				t.Errorf("%d of %d records gathered, %v", len(r.Records), gathered, err)
			}
		}})
	}
	if gathered != 27 {
		t.Errorf("gathered %d times", gathered)
	}
}

// TestCollectRefuses: two collections at once, folders that are not shared, another run's results
// and a lost list of tasks are rejected without changes.
func TestCollectRefuses(t *testing.T) {
	path, dir := trial.WriteSmall(t), filepath.Join(t.TempDir(), "out")
	runShards(t, path, dir, 2)
	collect(t, dir)
	want := outputs(t, dir)
	refused := func(dir, text string) {
		t.Helper()
		if _, err := Collect(dir); err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("%v, want %q", err, text)
		}
	}
	unlock, err := lock(filepath.Join(dir, lockFile), "")
	if err != nil {
		t.Fatal(err)
	}
	refused(dir, "another process collects in "+dir)
	if err := unlock(); err != nil {
		t.Fatal(err)
	}
	refused(t.TempDir(), "contains no results of a run")
	plain := filepath.Join(t.TempDir(), "plain")
	run(t, path, Options{Dir: plain})
	refused(plain, "is not shared by several processes, so there is nothing to collect; octgen report "+plain)
	refused(filepath.Join(plain, ResultsFile), "contains no results of a run")
	strange := []byte(`{"id":"0123456789abcdef"}` + "\n")
	results := filepath.Join(dir, ResultsFile)
	good, err := os.ReadFile(results)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(results, strange, 0o600); err != nil {
		t.Fatal(err)
	}
	refused(dir, "none of the 1 records of "+results+" belongs to a task in tasks.csv, so the file belongs to another run")
	if err := os.WriteFile(results, good, 0o600); err != nil {
		t.Fatal(err)
	}
	list := filepath.Join(dir, tasksFile)
	tasks, err := os.ReadFile(list)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(list); err != nil {
		t.Fatal(err)
	}
	refused(dir, "has lost its tasks.csv")
	if err := os.WriteFile(list, tasks, 0o600); err != nil {
		t.Fatal(err)
	}
	manifest := filepath.Join(dir, manifestFile)
	text, err := os.ReadFile(manifest)
	if err != nil {
		t.Fatal(err)
	}
	text = bytes.Replace(text, []byte(`"schema_version": 1`), []byte(`"schema_version": 2`), 1)
	if err := os.WriteFile(manifest, text, 0o600); err != nil {
		t.Fatal(err)
	}
	refused(dir, "has schema version 2, but this octgen collects version 1")
	same(t, want, outputs(t, dir))
}

// TestDamagedLines: lines of a journal that are not records are named and skipped, and their tasks,
// unless other lines have them, are run again.
func TestDamagedLines(t *testing.T) {
	path, dir := trial.WriteSmall(t), filepath.Join(t.TempDir(), "out")
	runShards(t, path, dir, 2)
	collect(t, dir)
	want := outputs(t, dir)
	if err := os.Remove(filepath.Join(dir, ResultsFile)); err != nil {
		t.Fatal(err)
	}
	first := filepath.Join(dir, journalsFolder, "shard-0-of-2.jsonl")
	lines := journalLines(t, dir)[first]
	lines[2] = lines[2][:len(lines[2])/2] + "\n"
	lines[5] = "{}\n"
	lines[6] = strings.Replace(lines[6], `"rows":`, `"rows":"many","was":`, 1)
	lines[8] = strings.Replace(lines[8], `"threshold":`, `"threshold":"low","was":`, 1)
	lines = append(lines, `{"id":7}`+"\n", strings.Replace(lines[3], `{"id":"`, `{"id":"other `, 1), lines[0])
	if err := os.WriteFile(first, []byte(strings.Join(lines, "")), 0o600); err != nil {
		t.Fatal(err)
	}
	named := []int{3, 6, 7, 9, len(lines) - 2, len(lines) - 1}
	whys := []string{"unexpected end", "no id", "result.data.rows: a string is of the wrong type", "$.nodes[0].split.threshold: a number is needed", "id: a number is of the wrong type", `no task in tasks.csv has the id "`}
	check := func(damaged []Damage, err error) {
		t.Helper()
		if err != nil || len(damaged) != len(named) {
			t.Fatal(damaged, err)
		}
		for i, d := range damaged {
			if d.File != first || d.Line != named[i] || !strings.Contains(d.Why, whys[i]) {
				t.Errorf("%+v", d)
			}
		}
	}
	s, err := ReadStatus(dir)
	check(s.Damaged, err)
	if s.Done != 23 || s.Missing != 4 {
		t.Errorf("%+v", s)
	}
	g, err := Collect(dir)
	check(g.Damaged, err)
	if r, err := Read(dir); err != nil || len(r.Records) != 23 {
		t.Error(len(r.Records), err)
	}
	run(t, path, Options{Dir: dir, Shard: Shard{0, 2}, Resume: true})
	collect(t, dir)
	same(t, want, outputs(t, dir))
}

func TestDamageText(t *testing.T) {
	if text := DamageText(nil); text != "" {
		t.Error(text)
	}
	d := Damage{"j", 2, "no id"}
	if text, want := DamageText([]Damage{d}), "skipped 1 line that is not a result: j:2 (no id); octgen run --resume repeats the missing tasks"; text != want {
		t.Error(text)
	}
	if text := DamageText([]Damage{d, d, d, d, d, d, d}); !strings.HasPrefix(text, "skipped 7 lines that are not results: j:2 (no id), ") || !strings.Contains(text, " and 2 more; ") {
		t.Error(text)
	}
}

// TestCollectDiskFull: if a tree cannot be written, results.jsonl does not change.
func TestCollectDiskFull(t *testing.T) {
	path, dir := trial.WriteSmall(t), filepath.Join(t.TempDir(), "out")
	run(t, path, Options{Dir: dir, Shard: Shard{0, 2}})
	collect(t, dir)
	want, err := os.ReadFile(filepath.Join(dir, ResultsFile))
	if err != nil {
		t.Fatal(err)
	}
	run(t, path, Options{Dir: dir, Shard: Shard{1, 2}})
	trees := filepath.Join(dir, TreesFolder)
	if err := errors.Join(os.RemoveAll(trees), os.WriteFile(trees, nil, 0o600)); err != nil { // a place where no tree can be written
		t.Fatal(err)
	}
	if _, err := Collect(dir); !errors.Is(err, syscall.ENOTDIR) {
		t.Error(err)
	}
	if !holds(filepath.Join(dir, ResultsFile), want) {
		t.Error("results.jsonl has changed")
	}
}

// TestStatus: counts over all tasks, per method and per process, in shared folders and others.
func TestStatus(t *testing.T) {
	path, dir := trial.WriteSmall(t), filepath.Join(t.TempDir(), "out")
	run(t, path, Options{Dir: dir, Shard: Shard{1, 4}, Version: "v"})
	run(t, path, Options{Dir: dir, Shard: Shard{3, 4}, Version: "v"})
	got, err := ReadStatus(dir)
	if err != nil {
		t.Fatal(err)
	}
	for i := range got.Writers {
		if got.Writers[i].Last.IsZero() {
			t.Error("no time")
		}
		got.Writers[i].Last = got.Writers[0].Last
	}
	last := got.Writers[0].Last
	want := &Status{
		Name: "small", Version: "v", Shards: 4, Tasks: 27, Done: 13, Failed: 3, Missing: 14,
		Methods: []MethodStatus{{"CART", 9, 4, 0}, {"OCT", 9, 5, 0}, {"BAD", 9, 4, 3}},
		Writers: []WriterStatus{{"shard-1-of-4", 7, 2, last}, {"shard-3-of-4", 6, 1, last}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if _, err := ReadStatus(t.TempDir()); !errors.Is(err, ErrFolder) {
		t.Error(err)
	}
	plain := filepath.Join(t.TempDir(), "plain")
	run(t, path, Options{Dir: plain})
	if got, err := ReadStatus(plain); err != nil || got.Done != 27 || got.Failed != 6 || len(got.Writers) != 1 || got.Writers[0].Name != "results" {
		t.Errorf("%+v, %v", got, err)
	}
}

// FuzzIndex: any journal gives an index or an error, and the lines are where the index says.
func FuzzIndex(f *testing.F) {
	f.Add([]byte(`{"id":"a"}` + "\n" + `{"id":"a","error":"e"}` + "\n" + `{"id":"b`))
	f.Add([]byte("\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, ResultsFile), text, 0o600); err != nil {
			t.Fatal(err)
		}
		x, err := readIndex(dir)
		if err != nil {
			return
		}
		from := &reader{index: x, files: make(map[int]*os.File)}
		defer from.close()
		for id, p := range x.at {
			line, err := from.line(p)
			var r leanRecord
			if err != nil || json.Unmarshal(line, &r) != nil || r.ID != id || r.rank() != p.rank {
				t.Errorf("%s: %q, %v", id, line, err)
			}
		}
	})
}
