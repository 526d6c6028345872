package run

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/octgen/octgen/experiments/generate"
	"github.com/octgen/octgen/experiments/internal/trial"
	"github.com/octgen/octgen/tree"
)

// TestTruth: results on generated data say how much of the true tree they have,
// and the folder holds that tree.
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

// TestTruthFolder: what a crash leaves is swept, what is not ours stays; a folder of
// data from files has no such folder.
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
