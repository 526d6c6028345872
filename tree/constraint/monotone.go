package constraint

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/tree"
)

// monotone: at a split on a column of sign +1, no leaf on its left is of a higher class
// than a leaf on its right; of sign -1 of a lower one. The order of the classes is that of
// --class-order; of classes that are numbers, by default, theirs.
//
// The feature "column=?" of a missing value has no sign: a missing value has no place in the
// order of the column, so a split on it orders nothing. At splits on the column itself a row
// without a value lies where the value that fills in does. In an ordinal column "?" is a
// category, the last, and is ordered as one.
type monotone struct {
	columns []string
	signs   []int8
	order   []string // of classes, ascending; nil for the data's
}

func parseMonotone(texts, order []string) (constraint, error) {
	c := &monotone{}
	err := assignments(texts, func(column, value string) error {
		switch value {
		case "+1", "1":
			c.signs = append(c.signs, 1)
		case "-1":
			c.signs = append(c.signs, -1)
		default:
			return fmt.Errorf("%q is no sign", value)
		}
		c.columns = append(c.columns, column)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("%w; want COLUMN=+1,... or -1, such as age=-1", err)
	}
	for _, text := range order {
		classes, err := names(text)
		if err != nil {
			return nil, fmt.Errorf("--class-order: %w", err)
		}
		c.order = append(c.order, classes...)
	}
	return c, unique(c.columns)
}

func (c *monotone) String() string {
	all := make([]string, len(c.columns))
	for i, column := range c.columns {
		all[i] = fmt.Sprintf("%s=%+d", quote(column), c.signs[i])
	}
	return "monotone:" + strings.Join(all, ",")
}

func (c *monotone) bind(o *On) (bound, error) {
	o.Monotone = make([]int8, o.Data.P())
	for i, column := range c.columns {
		at, err := o.Columns.find(column)
		if err != nil {
			return nil, err
		}
		if o.Columns.kind[at] == dataset.OneHot {
			return nil, fmt.Errorf("the column %s has categories without an order; want a column of numbers, or --categorical ordinal", quote(column))
		}
		o.Monotone[slices.Index(o.Columns.Of, at)] = c.signs[i] // its first feature, the value
	}
	var err error
	if o.Rank, err = c.ranks(o.Data.Classes); err != nil {
		return nil, err
	}
	return &boundMonotone{c, o}, nil
}

// ranks are the places of the classes in their order.
func (c *monotone) ranks(classes []string) ([]int, error) {
	ranks := make([]int, len(classes))
	if c.order == nil {
		for k, class := range classes {
			if _, err := strconv.ParseFloat(class, 64); err != nil {
				return nil, fmt.Errorf("the classes %s are no numbers; say which is higher with --class-order, from the lowest", quoted(classes))
			}
			ranks[k] = k
		}
		return ranks, nil
	}
	if len(c.order) != len(classes) {
		return nil, fmt.Errorf("--class-order names %d classes of %d: %s", len(c.order), len(classes), quoted(classes))
	}
	for k, class := range classes {
		ranks[k] = slices.Index(c.order, class)
		if ranks[k] < 0 {
			return nil, fmt.Errorf("--class-order does not name the class %s", quote(class))
		}
	}
	return ranks, nil
}

type boundMonotone struct {
	*monotone
	on *On
}

// value is the number of splits with a leaf on the wrong side.
func (b *boundMonotone) value(p *predictions) Value {
	n := b.on.unordered(p.tree)
	v := atMost(float64(n), 0)
	switch n {
	case 0:
		v.Note = "no split breaks the order"
	case 1:
		v.Note = "1 split breaks the order"
	default:
		v.Note = fmt.Sprintf("%d splits break the order", n)
	}
	if columns := b.splitsOnMissing(p.tree); columns != nil {
		v.Note += "; splits on missing values have no order: " + strings.Join(columns, ", ")
	}
	return v
}

// splitsOnMissing lists the ordered columns whose missing values some split of t parts from
// the others.
func (b *boundMonotone) splitsOnMissing(t *tree.Tree) []string {
	var columns []string
	for _, j := range t.FeaturesUsed() {
		at := b.on.Columns.Of[j]
		if name := b.on.Columns.Names[at]; slices.Contains(b.columns, name) && j != slices.Index(b.on.Columns.Of, at) {
			columns = append(columns, name)
		}
	}
	return columns
}

// unordered counts the splits of t that break the order.
func (o *On) unordered(t *tree.Tree) int {
	low, high := make([]int, len(t.Nodes)), make([]int, len(t.Nodes))
	broken := 0
	for i := len(t.Nodes) - 1; i >= 0; i-- { // children come after their parent
		n := &t.Nodes[i]
		if n.Leaf() {
			low[i], high[i] = o.Rank[n.Class], o.Rank[n.Class]
			continue
		}
		low[i], high[i] = min(low[n.Left], low[n.Right]), max(high[n.Left], high[n.Right])
		for _, term := range n.Split.Terms {
			switch sign := o.Monotone[term.Feature]; {
			case sign > 0 && high[n.Left] > low[n.Right], sign < 0 && low[n.Left] < high[n.Right]:
				broken++
			}
		}
	}
	return broken
}
