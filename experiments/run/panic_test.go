package run

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/octgen/octgen/experiments/internal/trial"
)

// TestPanic: a task that panics is an error of its own, which says what panicked;
// its stack is kept until the task runs without.
func TestPanic(t *testing.T) {
	trial.SetMood(trial.Panics)
	path, dir := trial.WriteMoody(t, "start: cart"), filepath.Join(t.TempDir(), "out")
	if got := run(t, path, Options{Dir: dir, Version: "v9"}); got.Failed != 3 || got.Done != 6 {
		t.Errorf("%+v", got)
	}
	for _, r := range recordsOf(t, dir, "OCT") {
		if !strings.HasPrefix(r.Error, "panic: out of temper; ") || !strings.HasSuffix(r.Error, panicsFolder+"/"+r.ID+".txt") {
			t.Errorf("error %q", r.Error)
		}
		text, err := os.ReadFile(filepath.Join(dir, panicsFolder, r.ID+".txt"))
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{"octgen v9, go", "task " + r.ID + " d/OCT/" + r.Split, "panic: out of temper", "moody.Solve"} {
			if !strings.Contains(string(text), want) {
				t.Errorf("no %q in\n%s", want, text)
			}
		}
	}
	trial.SetMood(trial.Works)
	if got := run(t, path, Options{Dir: dir, Retry: true, Version: "v9"}); got.Failed != 0 {
		t.Errorf("%+v", got)
	}
	if left, err := os.ReadDir(filepath.Join(dir, panicsFolder)); len(left) != 0 {
		t.Errorf("stacks of tasks that worked since: %v, %v", left, err)
	}
}
