package constraint

import (
	"fmt"
	"math"

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

// share: of all rows, by weight W, at most a part is predicted a class (a capacity),
//
//	sum_i omega_i q_ik <= s W.
type share struct {
	class string
	most  float64
}

func parseShare(text string) (constraint, error) {
	class, limit, err := parseClass(text, "<=")
	return &share{class, limit}, err
}

func (c *share) String() string { return "share:" + quote(c.class) + "<=" + number(c.most) }

func (c *share) bind(o *On) (bound, error) {
	k, err := classIndex(o.Data, c.class)
	if err != nil {
		return nil, err
	}
	b := &boundShare{share: c, data: o.Data, k: k}
	for _, w := range o.Data.Weight {
		b.total += w
	}
	o.addRow(c, Row{Name: "share", Class: k, G: o.Data.Weight, H: c.most * b.total}, o.unitStep(), b.total)
	return b, nil
}

type boundShare struct {
	*share
	data  *dataset.Dataset
	k     int
	total float64
}

func (b *boundShare) value(p *predictions) Value {
	sum := 0.0
	for i, k := range p.class {
		if k == b.k {
			sum += b.data.Weight[i]
		}
	}
	return atMost(sum/b.total, b.most)
}

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
