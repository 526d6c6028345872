package constraint

import (
	"github.com/octgen/octgen/dataset"
)

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
