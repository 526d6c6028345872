package experiments

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/tree"
)

// LostTree is a tree that a task made and that cannot be read from the folder any
// more, or is another one.
type LostTree struct {
	Task string // DATA/METHOD/SPLIT
	ID   string // of the task; the tree is trees/ID.json
	Err  error
}

func (l *LostTree) String() string { return fmt.Sprintf("%s (%s: %s)", l.Task, l.file(), l.reason()) }

func (l *LostTree) file() string { return treesFolder + "/" + l.ID + ".json" }

func (l *LostTree) reason() string {
	if errors.Is(l.Err, fs.ErrNotExist) {
		return "no such file"
	}
	return strings.TrimPrefix(clean(l.Err.Error()), "tree: ")
}

// findLostTrees notes the trees of the folder that are missing or damaged.
func (s *Summary) findLostTrees(dir string) {
	for _, d := range s.Spec.dataNames() {
		for _, m := range s.Spec.methodNames() {
			for _, r := range s.of(d, m) {
				if err := lostTree(dir, r); err != nil {
					s.LostTrees = append(s.LostTrees, LostTree{d + "/" + m + "/" + r.Split, r.ID, err})
				}
			}
		}
	}
}

// lostTree says what is wrong with a record's tree, nil where it is whole and the
// record's own, or the task made none.
func lostTree(dir string, r *Record) error {
	if r.Result == nil || r.Result.Train == nil { // figures of a tree are there where a tree is
		return nil
	}
	t, err := readTree(dir, r.ID)
	if err != nil {
		return err
	}
	return belongs(t, r.Result.Train)
}

// belongs compares a tree with what its task says of it.
func belongs(t *tree.Tree, s *fit.Scores) error {
	errors, counted := 0.0, true
	for i := range t.Nodes {
		n := &t.Nodes[i]
		if !n.Leaf() {
			continue
		}
		counted = counted && n.Count != nil
		for c, rows := range n.Count {
			if c != n.Class {
				errors += rows
			}
		}
	}
	switch {
	case t.Splits() != s.Splits || t.Depth() != s.Depth:
		return fmt.Errorf("it has %d splits and depth %d, the task's result %d and %d", t.Splits(), t.Depth(), s.Splits, s.Depth)
	case counted && math.Abs(errors-s.Errors) > 1e-6*max(1, s.Errors):
		return fmt.Errorf("its leaves have %.6g errors, the task's result %.6g", errors, s.Errors)
	}
	return nil
}

// readTree reads the tree of a task.
func readTree(dir, id string) (*tree.Tree, error) {
	f, err := os.Open(filepath.Join(dir, treesFolder, id+".json"))
	if err != nil {
		return nil, err
	}
	defer f.Close() // read-only: closing has nothing to report
	return tree.ReadJSON(f)
}

// fewLost is how many lost trees a remark names.
const fewLost = 5

// LostTreesText is a remark on the trees that cannot be shown, "" where there are
// none.
func (s *Summary) LostTreesText() string {
	if len(s.LostTrees) == 0 {
		return ""
	}
	var named []string
	for i := range s.LostTrees[:min(fewLost, len(s.LostTrees))] {
		named = append(named, s.LostTrees[i].String())
	}
	text := strings.Join(named, ", ")
	if more := len(s.LostTrees) - fewLost; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	are := "trees are"
	if len(s.LostTrees) == 1 {
		are = "tree is"
	}
	return fmt.Sprintf("%d %s missing or damaged, octgen run --retry makes what is lost again: %s", len(s.LostTrees), are, text)
}
