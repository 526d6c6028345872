package constraint

import (
	"math"

	"github.com/octgen/octgen/dataset"
)

// precision: of the rows that are predicted a class, by weight, at least a part is of it,
//
//	sum_i omega_i ([y_i=k] - r) q_ik >= 0,
//
// which is held where nobody is predicted so.
type precision struct {
	class string
	least float64
}

func parsePrecision(text string) (constraint, error) {
	class, limit, err := parseClass(text, ">=")
	return &precision{class, limit}, err
}

func (c *precision) String() string { return "precision:" + quote(c.class) + ">=" + number(c.least) }

func (c *precision) bind(o *On) (bound, error) {
	k, err := classIndex(o.Data, c.class)
	if err != nil {
		return nil, err
	}
	least, step := c.lattice(o)
	row := Row{Name: "precision", Class: k, G: make([]float64, o.Data.N())}
	for i, y := range o.Data.Y {
		row.G[i] = o.Data.Weight[i] * least
		if y == k {
			row.G[i] = -o.Data.Weight[i] * (1 - least)
		}
	}
	o.addRow(c, row, step, 0)
	return &boundPrecision{c, o.Data, k}, nil
}

// lattice is the limit of the row and the step of its sums, 0 for none. A tolerance of the
// rate is one of the weight that is predicted so, which may be little, so that the limit
// is lower by it. On a lattice the tolerance of all rows is less than half a step, and the
// limit is as it is.
func (c *precision) lattice(o *On) (least, step float64) {
	b, total := parts(c.least), 0.0
	for _, w := range o.Data.Weight {
		total += w
	}
	if b > 0 {
		step = o.unitStep() / b
	}
	if step < leastStep || tolerance*total >= step/2 {
		return c.least - tolerance, 0
	}
	return math.Round(c.least*b) / b, step
}

type boundPrecision struct {
	*precision
	data *dataset.Dataset
	k    int
}

func (b *boundPrecision) value(p *predictions) Value {
	right, all := 0.0, 0.0
	for i, y := range b.data.Y {
		if p.class[i] == b.k {
			all += b.data.Weight[i]
			if y == b.k {
				right += b.data.Weight[i]
			}
		}
	}
	if all == 0 {
		return Value{Limit: &b.least, Held: true, Note: "nobody is predicted so, which counts as held"}
	}
	return atLeast(right/all, b.least)
}
