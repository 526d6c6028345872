package constraint

import (
	"fmt"
	"math"

	"github.com/octgen/octgen/dataset"
)

// purity: of the rows at a leaf, by weight, at least a part is of the leaf's class k,
//
//	sum_{i at the leaf} omega_i ([y_i=k] - r) >= 0.
//
// A leaf that no row reaches is held.
type purity struct{ least float64 }

func (c *purity) String() string { return "leaf-purity>=" + number(c.least) }

func (c *purity) bind(o *On) (bound, error) {
	if !(c.least >= 0 && c.least <= 1) {
		return nil, fmt.Errorf("the limit is %v, want a number within 0 and 1", c.least)
	}
	o.Purity = c.least
	if b := parts(c.least); b > 0 && o.unitStep()/b >= leastStep {
		o.PuritySlack = o.unitStep() / b / 2
	}
	return &boundPurity{c, o.Data}, nil
}

// PureEnough reports whether a leaf of class k with these weights per class is as pure as
// least asks, to the tolerance of rates.
func PureEnough(weight []float64, k int, least float64) bool {
	total := 0.0
	for _, w := range weight {
		total += w
	}
	return weight[k] >= (least-tolerance)*total
}

type boundPurity struct {
	*purity
	data *dataset.Dataset
}

func (b *boundPurity) value(p *predictions) Value {
	right, all := make([]float64, len(p.tree.Nodes)), make([]float64, len(p.tree.Nodes))
	for i, leaf := range p.leaf {
		all[leaf] += b.data.Weight[i]
		if b.data.Y[i] == p.class[i] {
			right[leaf] += b.data.Weight[i]
		}
	}
	least := math.Inf(1)
	for leaf, w := range all {
		if w > 0 {
			least = min(least, right[leaf]/w)
		}
	}
	return atLeast(least, b.least)
}
