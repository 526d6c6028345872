package run

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/experiments/internal/trial"
	"github.com/octgen/octgen/experiments/spec"
	"github.com/octgen/octgen/tree"
)

// writeStump writes a tree with one split, on the feature a, beside the spec.
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

// TestTreeFile: a tree that a method of a spec names is found beside the spec, its splits
// stay, and a run does not go on when it has changed.
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

// TestTreeFileMistakes: a tree that is not there, is none or does not go with the data is a
// mistake in the spec, told with its place before anything runs.
func TestTreeFileMistakes(t *testing.T) {
	for _, c := range []struct{ old, new, file, want string }{
		{"", "", "", "5:63: methods[0].fix: upper.json: no file upper.json; it was looked for in"},
		{"structure: upper.json", "structure: \"(no,maybe)\"", "stump", `6:43: methods[1].structure: of the data d: structure "(no,maybe)"`},
		{"upper.json, frontier", "none.json, frontier", "stump", "5:63: methods[0].fix: none.json: no file"},
		{"structure: upper.json", "structure: none.json", "stump", "6:43: methods[1].structure: none.json: no file"},
		{"", "", "{", "5:63: methods[0].fix: upper.json: "},
		{"depth: 2, fix", "depth: 2, ignored: 1, fix", "stump", "5:58: methods[0].ignored: unknown key"},
		{"file: d.csv", "file: d.csv, ignore: a", "stump", "5:63: methods[0].fix: of the data d: upper.json: the tree splits on a, which is no feature"},
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
