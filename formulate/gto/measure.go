package gto

import (
	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate/internal/merged"
	"github.com/octgen/octgen/tree"
)

// Measure returns the error of trees on ds in training weight: Objective times
// ObjectiveUnit of a formulation of ds, without a structure and without building it.
// Errors: options out of range; data without rows or of one class
// (formulate.ErrSingleLeaf).
func (o Options) Measure(ds *dataset.Dataset) (func(*tree.Tree) float64, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	rows, unit, err := merged.Rows(ds, o.Training)
	if err != nil {
		return nil, err
	}
	o = o.withErrors()
	return func(t *tree.Tree) float64 { return o.errorOf(t, rows) * unit.Size }, nil
}

// errorOf is the error of t on merged rows, from t's own leaves, in their weight.
func (o Options) errorOf(t *tree.Tree, rows *dataset.Dataset) float64 {
	own := newLayout(StructureOf(t), max(len(t.Classes), rows.K()))
	splits := splitsOf(t)
	act := make([]float64, len(splits))
	sum := 0.0
	for i := range rows.N() {
		x := rows.Row(i)
		for d, s := range splits {
			act[d] = -s.Threshold
			for _, term := range s.Terms {
				act[d] += term.Weight * x[term.Feature]
			}
		}
		sum += rows.Weight[i] * own.pointError(o.Objective, rows.Y[i], act, o.Norm)
	}
	return sum
}

// splitsOf returns the splits of t in the order in which layout numbers
// decisions.
func splitsOf(t *tree.Tree) []*tree.Split {
	var splits []*tree.Split
	for queue := []int{0}; len(queue) > 0; queue = queue[1:] {
		if n := &t.Nodes[queue[0]]; !n.Leaf() {
			splits = append(splits, n.Split)
			queue = append(queue, n.Left, n.Right)
		}
	}
	return splits
}
