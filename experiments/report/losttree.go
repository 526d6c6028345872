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

// lostTreesText is a remark on the trees that cannot be shown, "" where there are
// none.
func lostTreesText(lost []LostTree) string {
	if len(lost) == 0 {
		return ""
	}
	var named []string
	for i := range lost[:min(fewLost, len(lost))] {
		named = append(named, lost[i].String())
	}
	text := strings.Join(named, ", ")
	if more := len(lost) - fewLost; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	are := "trees are"
	if len(lost) == 1 {
		are = "tree is"
	}
	return fmt.Sprintf("%d %s missing or damaged, octgen run --retry makes what is lost again: %s", len(lost), are, text)
}
