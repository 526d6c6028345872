package run

import (
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/experiments/generate"
	"github.com/octgen/octgen/experiments/internal/trial"
	"github.com/octgen/octgen/experiments/spec"
	"github.com/octgen/octgen/tree"
)

// TestConstraintsOfTheData: constraints that name something missing from the data are a mistake in
// the spec, reported with its position before anything runs.
func TestConstraintsOfTheData(t *testing.T) {
	const good = `name: constrained
data: [{file: d.csv, group: b, positive: yes}]
evaluate: {folds: 3}
methods:
  - {name: CART, method: cart}
  - {name: fair, method: oct, positive: yes, recall: no>=0.5, frontier: {constraint: "statistical-parity:b@x,y", limits: [0.2, 0.1]}}
`
	plan(t, trial.Write(t, good))
	for _, c := range []struct{ old, new, want string }{
		{"positive: yes}]", "positive: yess}]", `2:42: data[0].positive: no class "yess"; did you mean "yes"?`},
		{"group: b, positive: yes", "ignore: a", `6:123: methods[1].fair: the data d have no group b; add group: b to their keys`},
		{"no>=0.5", "noo>=0.5", `6:54: methods[1].recall: noo>=0.5 of the data d: no class noo; did you mean "no"?`},
		{"b@x,y", "b@x,w", "6:123: methods[1].fair: statistical-parity:b@x,w<=0.2 of the data d: the column b has no level w; it has x,y,z"},
		{"positive: yes, recall", "positive: maybe, recall", "methods[1].fair: statistical-parity:b@x,y<=0.2 of the data d: --positive: no class maybe; the classes are no,yes"},
		{"recall: no>=0.5", "forbid: c", "methods[1].forbid: c of the data d: no feature column c; the columns are a"},
	} {
		text := strings.Replace(good, c.old, c.new, 1)
		if text == good {
			t.Fatalf("%q is not in the spec", c.old)
		}
		s, err := spec.Load(trial.Write(t, text))
		if err != nil {
			t.Fatal(err)
		}
		_, err = NewPlan(s)
		var e *spec.Error
		if !errors.As(err, &e) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v\nwant %s", c.new, err, c.want)
		}
	}
}

// TestValidation: tuned methods use that fraction of all rows to choose alpha, unless they set
// their own; others train on it. It is part of a task's identity.
func TestValidation(t *testing.T) {
	path := trial.WriteSmall(t)
	withSpec := func(evaluate string) *Plan {
		text := strings.NewReplacer("{folds: 3, repeats: 2}", evaluate, "{name: BAD, method: cart, depth: 2, min_leaf: 27}",
			"{name: TUNED, method: oct-tuned, depth: 2}\n  - {name: OWN, method: cart-tuned, depth: 2, validation: 0.5}").Replace(trial.Small)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return plan(t, path)
	}
	p := withSpec("{holdout: 0.25, validation: 0.25}")
	dir := t.TempDir()
	if _, err := p.Run(t.Context(), Options{Dir: dir}); err != nil {
		t.Fatal(err)
	}
	r, err := Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, rec := range r.Records {
		u := rec.Result.Tuning
		if rec.Data != "d" { // generated, with test rows
			if rows := rec.Result.Train.Rows; rec.Method == "TUNED" && math.Abs(float64(u.ValidationRows)/rows-0.25) > 0.5/rows {
				t.Errorf("%s: %d of %v training rows are for validation, want a quarter", rec.Data, u.ValidationRows, rows)
			}
			continue
		}
		seen++
		want := map[string]int{"TUNED": 9, "OWN": 14}[rec.Method] // of 27 training rows of 36
		if want == 0 && u != nil || want > 0 && (u == nil || u.ValidationRows != want || u.TrainRows != 27-want) || rec.Result.Train.Rows != 27 {
			t.Errorf("%s: %+v, train %+v", rec.Method, u, rec.Result.Train)
		}
	}
	if seen != 4 {
		t.Errorf("%d results of 4", seen)
	}
	other := withSpec("{holdout: 0.25, validation: 0.3}")
	for i := range p.Tasks {
		if p.Tasks[i].ID == other.Tasks[i].ID {
			t.Errorf("%s: id %s and %s", p.Tasks[i].Name(), p.Tasks[i].ID, other.Tasks[i].ID)
		}
	}
}

// writeStump writes a tree with one split, on the feature a, next to the spec.
func writeStump(t *testing.T, path string, threshold float64) {
	t.Helper()
	stump := tree.NewLeaf(&dataset.Dataset{Features: []string{"a"}, Classes: []string{"no", "yes"}}, 0)
	stump.Grow(0, &tree.Split{Terms: []tree.Term{{Feature: 0, Weight: 1}}, Threshold: threshold}, 0, 1)
	f, err := os.Create(filepath.Join(filepath.Dir(path), "upper.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(stump.WriteJSON(f), f.Close()); err != nil {
		t.Fatal(err)
	}
}

const treeFiles = `name: trees
data: [{file: d.csv}]
evaluate: {folds: 3}
methods:
  - {name: fixed, method: oct, engine: search, depth: 2, fix: upper.json, frontier: {constraint: max-features, limits: [1, 2]}}
  - {name: tabu, method: epts, structure: upper.json}
`

// TestTreeFile: a tree named by a method is found next to the spec, its splits are fixed, and a run
// does not continue when it has changed.
func TestTreeFile(t *testing.T) {
	path := trial.Write(t, treeFiles)
	writeStump(t, path, 11.5)
	dir := t.TempDir()
	got := run(t, path, Options{Dir: dir})
	if text, err := os.ReadFile(filepath.Join(dir, ResultsFile)); got.Failed > 0 || err != nil {
		t.Errorf("%d tasks failed: %s, %v", got.Failed, text, err)
	}
	checked := 0
	for _, task := range plan(t, path).Tasks {
		if !strings.HasPrefix(task.Method, "fixed") {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, TreesFolder, task.ID+".json"))
		if err != nil {
			t.Fatal(err)
		}
		fitted, err := tree.ReadJSON(strings.NewReader(string(text)))
		if err != nil {
			t.Fatal(err)
		}
		if root := fitted.Nodes[0].Split; root == nil || len(root.Terms) != 1 || fitted.Features[root.Terms[0].Feature] != "a" || root.Threshold != 11.5 {
			t.Errorf("%s: the root splits by %+v", task.Name(), root)
		}
		checked++
	}
	if checked != 6 {
		t.Errorf("%d trees looked at, want 6", checked)
	}
	writeStump(t, path, 5.5)
	if _, err := plan(t, path).Run(t.Context(), Options{Dir: dir, Resume: true}); !errors.Is(err, ErrFolder) || !strings.Contains(err.Error(), `data "upper.json" has changed`) {
		t.Errorf("resumed with another tree: %v", err)
	}
}

// TestTreeFileMistakes: a tree that is missing, invalid or does not suit the data is a mistake in
// the spec, reported with its position before anything runs.
func TestTreeFileMistakes(t *testing.T) {
	for _, c := range []struct{ old, new, file, want string }{
		{"", "", "", "5:63: methods[0].fix: upper.json: no file upper.json in"},
		{"structure: upper.json", "structure: \"(no,maybe)\"", "stump", `6:43: methods[1].structure: data d: structure "(no,maybe)"`},
		{"upper.json, frontier", "none.json, frontier", "stump", "5:63: methods[0].fix: none.json: no file"},
		{"structure: upper.json", "structure: none.json", "stump", "6:43: methods[1].structure: none.json: no file"},
		{"", "", "{", "5:63: methods[0].fix: upper.json: "},
		{"depth: 2, fix", "depth: 2, ignored: 1, fix", "stump", "5:58: methods[0].ignored: unknown key"},
		{"file: d.csv", "file: d.csv, ignore: a", "stump", "5:63: methods[0].fix: data d: upper.json: the tree splits on a, which is not a feature"},
		{"engine: search, depth: 2, fix: upper.json, frontier: {constraint: max-features, limits: [1, 2]}", "forbid: a, fix: upper.json", "stump", "which --forbid forbids"},
	} {
		path := trial.Write(t, strings.Replace(treeFiles, c.old, c.new, 1))
		switch c.file {
		case "stump":
			writeStump(t, path, 11.5)
		case "":
		default:
			if err := os.WriteFile(filepath.Join(filepath.Dir(path), "upper.json"), []byte(c.file), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		s, err := spec.Load(path)
		if err == nil {
			_, err = NewPlan(s)
		}
		var e *spec.Error
		if !errors.As(err, &e) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v\nwant %s", c.new, err, c.want)
		}
	}
}

// TestTruth: results on generated data show how much of the true tree they recover, and the folder
// contains that tree.
func TestTruth(t *testing.T) {
	path := trial.Write(t, trial.Truth)
	dir := filepath.Join(t.TempDir(), "out")
	run(t, path, Options{Dir: dir, Workers: 2})

	for _, c := range []struct {
		file string
		of   generate.Generator
	}{
		{"uni-1.json", generate.OCT{Features: 2, Rows: 300, Seed: 1, Noise: generate.Noise{Labels: 0.02}}},
		{"uni-2.json", generate.OCT{Features: 2, Rows: 300, Seed: 2, Noise: generate.Noise{Labels: 0.02}}},
		{"hyper-1.json", generate.OCT{Features: 2, Rows: 60, Depth: 1, Hyperplanes: true, Seed: 1}},
	} {
		f, err := os.Open(filepath.Join(dir, "truth", c.file))
		if err != nil {
			t.Fatal(err)
		}
		got, err := tree.ReadJSON(f)
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		_, _, want, _ := c.of.Data()
		if err != nil || !got.Equal(want) {
			t.Errorf("%s is not the tree: %v", c.file, err)
		}
	}

	text, err := os.ReadFile(filepath.Join(dir, "results.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		var r Record
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		switch {
		case (r.Recovery == nil) != (r.Error != ""):
			t.Errorf("%s", line)
		case r.Method == "LEAF" && r.Data == "uni" && *r.Recovery != generate.Recovery{TrueSplits: 3}:
			t.Errorf("a leaf has %+v", r.Recovery)
		case r.Method == "OCT" && r.Data == "uni" && r.Recovery.Found < 2:
			t.Errorf("the optimal tree has %+v", r.Recovery)
		}
	}
}

// TestTruthFolder: partial files of a crash are removed, other files remain; for data from files
// there is no such folder.
func TestTruthFolder(t *testing.T) {
	path := trial.WriteSmall(t)
	dir := filepath.Join(t.TempDir(), "out")
	folder := filepath.Join(dir, "truth")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{".gen-1.json.77-0.tmp", "mine.txt"} {
		if err := os.WriteFile(filepath.Join(folder, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	run(t, path, Options{Dir: dir})
	files, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range files {
		names = append(names, f.Name())
	}
	if got := strings.Join(names, " "); got != "gen-1.json gen-2.json gen-3.json mine.txt" {
		t.Error(got)
	}

	only := strings.Replace(trial.Small, "  - {name: gen, generate: gto-tree, features: 2, rows: 30, test_rows: 20, replicates: 3, seed: 4}\n", "", 1)
	if err := os.WriteFile(path, []byte(only), 0o600); err != nil {
		t.Fatal(err)
	}
	dir = filepath.Join(t.TempDir(), "files")
	run(t, path, Options{Dir: dir})
	if _, err := os.Stat(filepath.Join(dir, "truth")); !os.IsNotExist(err) {
		t.Error("data from files have no truth:", err)
	}
}
