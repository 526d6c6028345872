package report

import (
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/octgen/octgen/experiments/internal/trial"
	"github.com/octgen/octgen/experiments/run"
)

// TestTruth: tables say how much of the true tree was found.
func TestTruth(t *testing.T) {
	path, dir := trial.Write(t, trial.Truth), filepath.Join(t.TempDir(), "out")
	execute(t, path, run.Options{Dir: dir, Workers: 2})
	s, err := Summarise(dir)
	if err != nil {
		t.Fatal(err)
	}
	leaf, oct := s.find("uni", "LEAF", "true_discovery"), s.find("uni", "OCT", "true_discovery")
	if leaf.N != 2 || leaf.Mean != 0 || oct.Mean < 60 || leaf.Versus != nil {
		t.Errorf("%+v, %+v", leaf, oct)
	}
	if f := s.find("uni", "LEAF", "false_discovery"); f.Mean != 0 || f.Versus == nil {
		t.Errorf("%+v", f)
	}
	if b := s.find("uni", "BAD", "true_discovery"); b.N != 0 || !math.IsNaN(b.Mean) {
		t.Errorf("%+v", b)
	}
	var printed strings.Builder
	if err := s.Print(&printed); err != nil || !strings.Contains(printed.String(), "true_discovery: splits of the true tree that the tree has, %") {
		t.Error(printed.String(), err)
	}
}
