package report

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/octgen/octgen/experiments/internal/trial"
	"github.com/octgen/octgen/experiments/run"
)

// TestOtherTree: a tree that is whole but of another task is told from its figures,
// and made again.
func TestOtherTree(t *testing.T) {
	p := plan(t, trial.WriteSmall(t))
	dir := t.TempDir()
	if _, err := p.Run(t.Context(), run.Options{Dir: dir}); err != nil {
		t.Fatal(err)
	}
	s, err := Summarise(dir)
	if err != nil {
		t.Fatal(err)
	}
	var one, other *run.Record
	for i := range s.records {
		r := &s.records[i]
		if r.Result == nil || r.Result.Train == nil {
			continue
		}
		if one == nil {
			one = r
		} else if r.Result.Train.Errors != one.Result.Train.Errors {
			other = r
			break
		}
	}
	text, err := os.ReadFile(filepath.Join(dir, run.TreesFolder, other.ID+".json"))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, run.TreesFolder, one.ID+".json")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	if s, err = Summarise(dir); err != nil || len(s.LostTrees) != 1 || s.LostTrees[0].ID != one.ID {
		t.Fatalf("%v, lost %+v; want that of %s", err, s.LostTrees, one.ID)
	}
	if _, err := p.Run(t.Context(), run.Options{Dir: dir, Resume: true, Retry: true}); err != nil {
		t.Fatal(err)
	}
	if s, err = Summarise(dir); err != nil || len(s.LostTrees) != 0 {
		t.Errorf("after a retry: %v, lost %+v", err, s.LostTrees)
	}
}

// TestEditedSpec: a spec that is not the one the results are of gives no report.
func TestEditedSpec(t *testing.T) {
	p := plan(t, trial.WriteSmall(t))
	dir := t.TempDir()
	if _, err := p.Run(t.Context(), run.Options{Dir: dir}); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "spec.yaml")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(strings.Replace(string(text), "depth: 2", "depth: 3", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Summarise(dir); !errors.Is(err, run.ErrFolder) || !strings.Contains(err.Error(), "is not the spec that the results are of") {
		t.Errorf("%v; want a refusal", err)
	}
}
