package run

import (
	"fmt"

	"github.com/octgen/octgen/experiments/generate"
	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/tree"
)

// truth is the tree that made a dataset.
type truth struct {
	data      string
	replicate int        // 1, 2, ...
	tree      *tree.Tree // nil until the data were drawn
}

func (of *truth) file() string { return fmt.Sprintf("%s-%d.json", of.data, of.replicate) }

// recovery compares the tree of a result with the true one, where there are both.
func (of *truth) recovery(res *fit.Result) *generate.Recovery {
	if of == nil || of.tree == nil || res == nil || res.Tree == nil {
		return nil
	}
	r := generate.Recover(of.tree, res.Tree)
	return &r
}
