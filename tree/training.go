package tree

import (
	"context"

	"github.com/octgen/octgen/dataset"
)

// Training is training data laid out once for everything that searches trees in
// it: weights in their common unit, equal rows merged, features sorted. It is not
// written to and safe for concurrent use.
type Training struct {
	Source  *dataset.Dataset // as given
	Unit    dataset.Unit     // of the weights of Rows
	Rows    *dataset.Dataset // of Source, those of equal features and class made one
	Presort *Presort         // of Rows
}

// NewTraining lays ds out until ctx ends; its cause is the error then. Weights are
// whole numbers where they add up to at most dataset.MostUnits.
func NewTraining(ctx context.Context, ds *dataset.Dataset) (*Training, error) {
	inUnits, unit := ds.InUnits(dataset.MostUnits) // before merging: sums of whole numbers are exact
	rows, _ := inUnits.Merge()
	pre, err := NewPresortContext(ctx, rows)
	if err != nil {
		return nil, err
	}
	return &Training{Source: ds, Unit: unit, Rows: rows, Presort: pre}, nil
}

// InSource returns t, which was made of Rows, annotated with the source.
func (l *Training) InSource(t *Tree) *Tree {
	t = t.Clone()
	t.Annotate(l.Source)
	return t
}
