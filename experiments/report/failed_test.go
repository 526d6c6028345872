package report

import (
	"path/filepath"
	"testing"

	"github.com/octgen/octgen/experiments/internal/trial"
	"github.com/octgen/octgen/experiments/metric"
	"github.com/octgen/octgen/experiments/run"
)

// TestFailed: what failed has no figure, though there may be a result; tried again
// with success it has one.
func TestFailed(t *testing.T) {
	trial.SetMood(trial.Breaks)
	path, dir := trial.WriteMoody(t, "start: cart"), filepath.Join(t.TempDir(), "out")
	execute(t, path, run.Options{Dir: dir})
	s, err := Summarise(dir)
	if err != nil {
		t.Fatal(err)
	}
	if row := s.find("d", "OCT", metric.TestError); row.N != 0 || row.Failed != 3 || len(s.Failed) != 3 {
		t.Errorf("%+v", row)
	}
	trial.SetMood(trial.Works)
	execute(t, path, run.Options{Dir: dir, Retry: true})
	s, err = Summarise(dir)
	if err != nil || s.Done != 6 || len(s.Failed) != 0 || s.find("d", "OCT", metric.TestError).N != 3 {
		t.Errorf("%+v, %v", s, err)
	}
}
