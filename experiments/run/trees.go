package run

import (
	"fmt"
	"math"
	"os"
	"path/filepath"

	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/internal/atomicfile"
	"github.com/octgen/octgen/tree"
)

func treePath(dir, id string) string { return filepath.Join(dir, TreesFolder, id+".json") }

func putTree(path string, t *tree.Tree) error {
	file, err := atomicfile.Create(path)
	if err != nil {
		return err
	}
	err = t.WriteJSON(file)
	if err == nil {
		err = file.Sync()
	}
	return file.Finish(err)
}

// dropTree takes the tree out of a record that is kept without it.
func (r *Record) dropTree() {
	if r.Result != nil && r.Result.Tree != nil {
		short := *r.Result
		short.Tree = nil
		r.Result = &short
	}
}

// HasTree says whether the task made a tree: figures of one are there where one is.
func (r *Record) HasTree() bool { return r.Result != nil && r.Result.Train != nil }

// LostTree says what is wrong with a record's tree, nil where it is whole and the
// record's own, or the task made none.
func LostTree(dir string, r *Record) error {
	if !r.HasTree() {
		return nil
	}
	t, err := ReadTree(dir, r.ID)
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

// ReadTree reads the tree of a task.
func ReadTree(dir, id string) (*tree.Tree, error) {
	f, err := os.Open(treePath(dir, id))
	if err != nil {
		return nil, err
	}
	defer f.Close() // read-only: closing has nothing to report
	return tree.ReadJSON(f)
}
