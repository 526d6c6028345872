package report

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/octgen/octgen/experiments/run"
)

// LostTree is a tree that a task made and that cannot be read from the folder any
// more, or is another one.
type LostTree struct {
	Task string // DATA/METHOD/SPLIT
	ID   string // of the task; the tree is trees/ID.json
	Err  error
}

func (l *LostTree) String() string { return fmt.Sprintf("%s (%s: %s)", l.Task, l.file(), l.reason()) }

func (l *LostTree) file() string { return run.TreesFolder + "/" + l.ID + ".json" }

func (l *LostTree) reason() string {
	if errors.Is(l.Err, fs.ErrNotExist) {
		return "no such file"
	}
	return strings.TrimPrefix(clean(l.Err.Error()), "tree: ")
}

// fewLost is how many lost trees a remark names.
const fewLost = 5
