package report

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/octgen/octgen/experiments/internal/trial"
	"github.com/octgen/octgen/experiments/run"
	"github.com/octgen/octgen/experiments/spec"
)

func plan(t *testing.T, path string) *run.Plan {
	t.Helper()
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

// execute runs the spec to completion.
func execute(t *testing.T, path string, o run.Options) *run.Outcome {
	t.Helper()
	got, err := plan(t, path).Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// outputs writes the tables of a folder and returns them with its trees.
func outputs(t *testing.T, dir string) map[string]string {
	t.Helper()
	s, err := Summarise(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Write(dir); err != nil {
		t.Fatal(err)
	}
	out := make(map[string]string)
	files, err := filepath.Glob(filepath.Join(dir, "trees", "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range append(files, filepath.Join(dir, "summary.csv"), filepath.Join(dir, "report.md")) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		out[filepath.Base(path)] = string(text)
	}
	return out
}

// TestHalfWritten: partial files of a crash are recognised for every file of a folder.
func TestHalfWritten(t *testing.T) {
	path, dir := trial.WriteSmall(t), filepath.Join(t.TempDir(), "out")
	execute(t, path, run.Options{Dir: dir, Only: regexp.MustCompile("^d/OCT/1.1$")})
	written := outputs(t, dir)
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var left []string
	for _, f := range files {
		if name := f.Name(); f.Type().IsRegular() && name != "lock" && name != run.ResultsFile { // never renamed
			left = append(left, filepath.Join(dir, "."+name+".77-0.tmp"))
		}
	}
	if len(left) < 6 || !slices.Contains(left, filepath.Join(dir, "."+HTMLFile+".77-0.tmp")) {
		t.Fatal(left)
	}
	for _, f := range left {
		if err := os.WriteFile(f, []byte("half"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	execute(t, path, run.Options{Dir: dir, Resume: true, Only: regexp.MustCompile("^d/OCT/1.1$")})
	for _, f := range left {
		if _, err := os.Stat(f); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s: %v", f, err)
		}
	}
	if diff := cmp.Diff(written, outputs(t, dir)); diff != "" {
		t.Error(diff)
	}
}
