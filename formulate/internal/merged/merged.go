// Package merged prepares training data for the formulations.
package merged

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/mio/verify"
	"github.com/octgen/octgen/tree"
)

// ErrNoFeature is the error for data in which all features are constant.
var ErrNoFeature = fmt.Errorf("formulate: %w: no feature has two different values", formulate.ErrSingleLeaf)

// Rows returns ds with rows of equal features and class merged, and all weights in their common
// unit, so that the model does not change when all weights are multiplied by a factor. Errors: no
// rows; rows of one class only, unless predictions have costs and the class is only a name
// (formulate.ErrSingleLeaf).
//
// If l is not nil, it is a layout of ds, whose rows are already merged.
func Rows(ds *dataset.Dataset, l *tree.Training) (*dataset.Dataset, dataset.Unit, error) {
	if ds.N() == 0 {
		return nil, dataset.Unit{}, fmt.Errorf("formulate: the data has no rows")
	}
	if l == nil {
		inUnits, unit := ds.InUnits(dataset.MostUnits) // before merging: sums of whole numbers are exact
		m, _ := inUnits.Merge()
		l = &tree.Training{Source: ds, Rows: m, Unit: unit}
	}
	if l.Source != ds {
		return nil, l.Unit, errors.New("formulate: Training does not match the dataset")
	}
	m, unit := l.Rows, l.Unit
	if unit.Whole && unit.Total > verify.MaxUnits {
		m, unit = inLeast(l)
	}
	if m.Kind() == dataset.Errors && !slices.ContainsFunc(m.Y, func(y int) bool { return y != m.Y[0] }) {
		return nil, unit, fmt.Errorf("formulate: %w: %s", formulate.ErrSingleLeaf, m.Kind().Trivial())
	}
	return m, unit, nil
}

// inLeast expresses weights in units of the smallest.
func inLeast(l *tree.Training) (*dataset.Dataset, dataset.Unit) {
	unit := dataset.Unit{Size: slices.Min(l.Source.Weight)}
	least := math.Round(unit.Size / l.Unit.Size)
	m := *l.Rows
	m.Weight = make([]float64, m.N())
	for i, w := range l.Rows.Weight {
		m.Weight[i] = w / least
		unit.Total += m.Weight[i]
	}
	return &m, unit
}
