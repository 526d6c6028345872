package constraint

import (
	"fmt"

	"github.com/octgen/octgen/dataset"
)

// recall: of the rows of a class, by weight W_k, at least a part is predicted so,
//
//	sum_{i: y_i=k} omega_i q_ik >= r W_k.
type recall struct {
	class string
	least float64
}

func parseRecall(text string) (constraint, error) {
	class, limit, err := parseClass(text, ">=")
	return &recall{class, limit}, err
}

// parseClass reads CLASS op NUMBER; since the last comparison splits, the class needs no
// quotes for comparisons in it.
func parseClass(text, op string) (class string, limit float64, err error) {
	left, limit, err := compare(text, op, 0, 1)
	if err == nil {
		class, err = name(left)
		if err != nil && left != "" && left[0] != '"' {
			class, err = left, nil
		}
	}
	if err != nil {
		return "", 0, fmt.Errorf("%w; want CLASS%sNUMBER, such as yes%[2]s0.9", err, op)
	}
	return class, limit, nil
}

func (c *recall) String() string { return "recall:" + quote(c.class) + ">=" + number(c.least) }

func (c *recall) bind(o *On) (bound, error) {
	k, err := classIndex(o.Data, c.class)
	if err != nil {
		return nil, err
	}
	b := &boundRecall{recall: c, data: o.Data, k: k, total: o.Data.ClassWeights()[k]}
	if b.total == 0 {
		o.leftOut(c, fmt.Sprintf("no row is of class %s", quote(c.class)))
		return b, nil
	}
	row := Row{Name: "recall", Class: k, G: make([]float64, o.Data.N()), H: -c.least * b.total}
	for i, y := range o.Data.Y {
		if y == k {
			row.G[i] = -o.Data.Weight[i]
		}
	}
	o.addRow(c, row, o.unitStep(), b.total)
	return b, nil
}

type boundRecall struct {
	*recall
	data  *dataset.Dataset
	k     int
	total float64
}

func (b *boundRecall) value(p *predictions) Value {
	if b.total == 0 {
		return Value{Limit: &b.least, Held: true, Note: "no row is of the class: left out"}
	}
	right := 0.0
	for i, y := range b.data.Y {
		if y == b.k && p.class[i] == b.k {
			right += b.data.Weight[i]
		}
	}
	return atLeast(right/b.total, b.least)
}
