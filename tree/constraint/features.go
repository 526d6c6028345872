package constraint

// maxFeatures: splits use at most F columns of the source file, u_c = 1 iff some split
// uses column c,
//
//	sum_c u_c <= F,  u_c >= a_jt for the features j of c and all nodes t.
type maxFeatures struct{ most int }

func (c *maxFeatures) String() string { return "max-features<=" + number(float64(c.most)) }

func (c *maxFeatures) bind(o *On) (bound, error) {
	o.MaxFeatures = c.most
	return &boundMaxFeatures{c, o.Columns}, nil
}

type boundMaxFeatures struct {
	*maxFeatures
	columns *Columns
}

func (b *boundMaxFeatures) value(p *predictions) Value {
	n := 0
	for _, used := range b.columns.Used(p.tree) {
		if used {
			n++
		}
	}
	return atMost(float64(n), float64(b.most))
}
