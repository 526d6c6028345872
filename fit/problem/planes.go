package problem

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/linear"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/tree"
)

// plane is a method of one linear split.
type plane struct{}

// Hint says why options of trees are not there.
func (plane) Hint(flag string) string {
	return map[string]string{
		"depth": "has one split", "alpha": "has one split", "max-splits": "has one split",
		"min-leaf": "has no least weight of a leaf", "mu": "asks for no margin",
	}[flag]
}

// oneSplit is what the problems of one linear split have in common.
type oneSplit struct {
	plane
	Encoded
}

// Trees is the shape of the trees looked for.
func (*oneSplit) Trees() Shape { return Shape{Levels: Levels{1}} }

func anywhere(*tree.Tree) string { return "" }

// sides tells warn, nil for nobody, which class a linear split of several separates.
func sides(d *Data, form string, warn func(string)) {
	if d.K() <= 2 || warn == nil {
		return
	}
	w := d.ClassWeights()
	heaviest := d.Classes[slices.Index(w, slices.Max(w))]
	warn(fmt.Sprintf("of the %d classes, %s separates the heaviest, %s, from the rest", d.K(), form, heaviest))
}

// leastError solves RLP or RLP-P for its tree.
func leastError(ctx context.Context, d *Data, lp mio.SolveFunc, o linear.RLPOptions) (*tree.Tree, error) {
	l, err := d.Training(ctx)
	if err != nil {
		return nil, err
	}
	o.Training = l
	f, err := o.Build(ctx, d.Dataset)
	if err != nil {
		return nil, err
	}
	sol, err := lp(ctx, f.Model())
	if err != nil {
		return nil, err
	}
	if !sol.Status.HasSolution() {
		return nil, fmt.Errorf("the linear program of the least error ended %s", sol.Status)
	}
	return f.Decode(sol.Values)
}

// splitStart makes a start of the split that a form begins with: nil where the
// model does not admit it or there is none.
func splitStart(ctx context.Context, f formulate.Formulation, t *tree.Tree, err error) (*Grown, error) {
	if errors.Is(err, formulate.ErrSingleLeaf) || err == nil && t == nil {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if _, err := f.Start(ctx, t); err != nil {
		return nil, nil
	}
	return &Grown{Name: "rlp", Tree: t}, nil
}
