// Package merged prepares training data for the formulations.
package merged

import (
	"fmt"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/verify"
)

// ErrNoFeature is the error of data in which no feature varies.
var ErrNoFeature = fmt.Errorf("formulate: %w: no feature has two different values", formulate.ErrSingleLeaf)

// Rows returns ds with rows of equal features and class merged into one, and all
// weights in their common unit, so that the program of data does not depend on a
// factor of the weights. Errors: no rows; rows of one class only
// (formulate.ErrSingleLeaf).
func Rows(ds *dataset.Dataset) (*dataset.Dataset, dataset.Unit, error) {
	if ds.N() == 0 {
		return nil, dataset.Unit{}, fmt.Errorf("formulate: the data has no rows")
	}
	inUnits, unit := ds.InUnits(verify.MaxUnits) // before merging: sums of whole numbers are exact
	m, _ := inUnits.Merge()
	classes := 0
	for _, w := range m.ClassWeights() {
		if w > 0 {
			classes++
		}
	}
	if classes <= 1 {
		return nil, unit, fmt.Errorf("formulate: %w: all rows have one class", formulate.ErrSingleLeaf)
	}
	return m, unit, nil
}
