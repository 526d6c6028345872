package constraint

import "github.com/octgen/octgen/dataset"

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
	row := Row{Name: "precision", Class: k, G: make([]float64, o.Data.N())}
	for i, y := range o.Data.Y {
		row.G[i] = o.Data.Weight[i] * c.least
		if y == k {
			row.G[i] = -o.Data.Weight[i] * (1 - c.least)
		}
	}
	step := 0.0
	if b := parts(c.least); b > 0 {
		step = o.unitStep() / b
	}
	// A tolerance of the rate is one of the weight that is predicted, which may be little:
	// the lattice alone decides, and without one what is below all rounding.
	o.addRow(c, row, step, 0)
	return &boundPrecision{c, o.Data, k}, nil
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
