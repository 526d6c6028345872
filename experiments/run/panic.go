package run

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"

	"github.com/octgen/octgen/experiments/spec"
)

// panicsFolder holds the stacks of tasks that panicked, ID.txt.
const panicsFolder = "panics"

// panicked is the error of a task that panicked: a mistake in octgen, of which a
// report needs the stack.
type panicked struct {
	value any
	stack []byte
}

// newPanicked is for the deferred function that recovered value.
func newPanicked(value any) *panicked { return &panicked{value, debug.Stack()} }

func (p *panicked) Error() string { return fmt.Sprintf("panic: %v", p.value) }

// setError keeps a task's error in its record, with the file of its stack where it
// panicked.
func (r *Record) setError(err error) {
	if err == nil {
		return
	}
	r.Error = spec.Plain(err)
	if errors.As(err, &r.panicked) {
		r.Error += "; a mistake in octgen: please report it with " + panicsFolder + "/" + r.ID + ".txt"
	}
}

// putPanic writes what a bug report needs, or takes away that of an earlier result
// of the task.
func (f *folder) putPanic(r *Record) error {
	path := filepath.Join(f.dir, panicsFolder, r.ID+".txt")
	if r.panicked == nil {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	text := fmt.Sprintf("octgen %s, %s %s/%s\ntask %s %s/%s/%s of %s\n%s\n\n%s",
		f.version, runtime.Version(), runtime.GOOS, runtime.GOARCH,
		r.ID, r.Data, r.Method, r.Split, specFile, r.panicked.Error(), r.panicked.stack)
	return os.WriteFile(path, []byte(text), 0o666)
}
