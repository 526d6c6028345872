package constraint

import (
	"fmt"
	"strings"
)

// featureCost: a price of each column that some split uses, once, in units of the
// baseline error as alpha is; the objective has the term sum_c cost_c u_c. Columns that
// are not named cost nothing.
type featureCost struct {
	columns []string
	cost    []float64
}

// MostPrice is the largest price of a column or a split: those of a tree add up.
const MostPrice = 1e300

func parseFeatureCost(texts []string) (constraint, error) {
	c := &featureCost{}
	err := assignments(texts, func(column, value string) error {
		v, err := limitOf(value, 0, MostPrice)
		c.columns, c.cost = append(c.columns, column), append(c.cost, v)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("%w; want COLUMN=PRICE,... such as glucose=0.02", err)
	}
	return c, unique(c.columns)
}

func unique(names []string) error {
	seen := make(map[string]bool, len(names))
	for _, name := range names {
		if seen[name] {
			return fmt.Errorf("the column %s is named twice", quote(name))
		}
		seen[name] = true
	}
	return nil
}

func (c *featureCost) String() string {
	all := make([]string, len(c.columns))
	for i, column := range c.columns {
		all[i] = quote(column) + "=" + number(c.cost[i])
	}
	return "feature-cost:" + strings.Join(all, ",")
}

func (c *featureCost) bind(o *On) (bound, error) {
	o.FeatureCost = make([]float64, len(o.Columns.Names))
	for i, column := range c.columns {
		at, err := o.Columns.find(column)
		if err != nil {
			return nil, err
		}
		o.FeatureCost[at] = c.cost[i]
	}
	return &boundFeatureCost{c, o}, nil
}

type boundFeatureCost struct {
	*featureCost
	on *On
}

func (b *boundFeatureCost) value(p *predictions) Value {
	v := b.on.Price(p.tree)
	return Value{Value: &v, Held: true}
}
