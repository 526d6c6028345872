package problem

import (
	"fmt"
	"slices"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/tree"
)

// CheckCosts refuses data with costs of answers for a method that cannot learn from them.
func CheckCosts(m Method, ds *dataset.Dataset) error {
	if ds.Cost == nil || ds.Reward != nil || m.Info().Costs {
		return nil
	}
	var can []string
	for _, other := range All() {
		if other.Info().Costs {
			can = append(can, other.Info().Name)
		}
	}
	return fmt.Errorf("the data have costs of answers (--cost-matrix), which method %s cannot learn from; %s can", m.Info().Name, Listed(can))
}

// twoClasses are data with costs as classification without, for those who know no other
// cost than weight: an error where they are not the same problem.
func twoClasses(d *Data, who string, minLeaf float64) (*Data, error) {
	const search = "; the exact search can (--method oct --engine search)"
	switch {
	case d.K() > 2:
		return nil, fmt.Errorf("%s cannot learn from costs of more than two classes%s", who, search)
	case !tree.EnoughWeight(slices.Min(d.Weight), minLeaf):
		return nil, fmt.Errorf("%s cannot keep a least leaf of %v with costs, where rows weigh as little as %v%s", who, minLeaf, slices.Min(d.Weight), search)
	}
	if err := d.SingleLeaf(); err != nil {
		return nil, err
	}
	return NewData(d.AsClassification()), nil
}

// costed is a formulation of data with costs, made of the same as classification.
type costed struct {
	formulate.Formulation
	d *Data
}

// Decode returns the tree of a point with the weights and costs of all rows.
func (c costed) Decode(x []float64) (*tree.Tree, error) {
	t, err := c.Formulation.Decode(x)
	if err != nil {
		return nil, err
	}
	t = t.Clone()
	t.Annotate(c.d.Dataset)
	return t, nil
}
