package constraint

// forbid: no split uses any of these columns of the source file.
type forbid struct{ columns []string }

func parseForbid(texts []string) (constraint, error) {
	c := &forbid{}
	for _, text := range texts {
		columns, err := names(text)
		if err != nil {
			return nil, err
		}
		c.columns = append(c.columns, columns...)
	}
	return c, unique(c.columns)
}

func (c *forbid) String() string { return "forbid:" + quoted(c.columns) }

func (c *forbid) bind(o *On) (bound, error) {
	b := &boundForbid{c, o.Columns, make([]bool, len(o.Columns.Names))}
	for _, column := range c.columns {
		at, err := o.Columns.find(column)
		if err != nil {
			return nil, err
		}
		b.forbidden[at] = true
	}
	o.Forbidden = make([]bool, o.Data.P())
	for j, at := range o.Columns.Of {
		o.Forbidden[j] = b.forbidden[at]
	}
	return b, nil
}

type boundForbid struct {
	*forbid
	columns   *Columns
	forbidden []bool // (columns)
}

// value is the number of forbidden columns that are used.
func (b *boundForbid) value(p *predictions) Value {
	var all []string
	for at, used := range b.columns.Used(p.tree) {
		if used && b.forbidden[at] {
			all = append(all, quote(b.columns.Names[at]))
		}
	}
	v := atMost(float64(len(all)), 0)
	v.Note = "no split uses " + verb(b.forbid.columns, "it", "them")
	if all != nil {
		v.Note = few(all) + verb(all, " is used", " are used")
	}
	return v
}
