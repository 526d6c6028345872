package constraint

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/internal/nearest"
	"github.com/octgen/octgen/tree"
)

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

// featureCost: a price of each column that some split uses, once, in units of the
// baseline error as alpha is; the objective has the term sum_c cost_c u_c. Columns that
// are not named cost nothing.
type featureCost struct {
	columns []string
	cost    []float64
}

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

// monotone: at a split on a column of sign +1, no leaf on its left is of a higher class
// than a leaf on its right, or answers a larger number; of sign -1 of a lower one. The order of the classes is that of
// --class-order; of classes that are numbers, by default, theirs.
//
// Of a column whose splits choose the side of missing values these are ordered with their side.
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
		if k := o.Columns.kind[at]; k == dataset.OneHot || k == dataset.Subsets {
			return nil, fmt.Errorf("the column %s has categories without an order; want a column of numbers, or --categorical ordinal", quote(column))
		}
		first := slices.Index(o.Columns.Of, at) // the value
		if o.Monotone[first] = c.signs[i]; o.Columns.route[at] {
			o.Monotone[first+1] = c.signs[i] // in which missing values are last
		}
	}
	if o.Data.Kind() == dataset.Numbers { // which have their own order
		o.spread = slices.Max(o.Data.Target)/2 - slices.Min(o.Data.Target)/2
		return &boundMonotone{c, o}, nil
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
				return nil, fmt.Errorf("the classes %s are not numbers; say which is higher with --class-order, from the lowest", firstOf(classes))
			}
			ranks[k] = k
		}
		return ranks, nil
	}
	if len(c.order) != len(classes) {
		return nil, fmt.Errorf("--class-order names %d classes of %d: %s", len(c.order), len(classes), firstOf(classes))
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
		if name := b.on.Columns.Names[at]; slices.Contains(b.columns, name) && j != slices.Index(b.on.Columns.Of, at) && !b.on.Columns.route[at] {
			columns = append(columns, name)
		}
	}
	return columns
}

// unordered counts the splits of t that break the order.
func (o *On) unordered(t *tree.Tree) int {
	low, high := make([]float64, len(t.Nodes)), make([]float64, len(t.Nodes))
	broken := 0
	const same = 1e-9                        // part of half the range of numbers that is rounding
	for i := len(t.Nodes) - 1; i >= 0; i-- { // children come after their parent
		n := &t.Nodes[i]
		if n.Leaf() {
			if n.Value != nil {
				low[i], high[i] = *n.Value, *n.Value
			} else {
				low[i], high[i] = float64(o.Rank[n.Class]), float64(o.Rank[n.Class])
			}
			continue
		}
		low[i], high[i] = min(low[n.Left], low[n.Right]), max(high[n.Left], high[n.Right])
		for _, term := range n.Split.Terms {
			switch sign := o.Monotone[term.Feature]; {
			case sign > 0 && high[n.Left]-low[n.Right] > same*o.spread, sign < 0 && high[n.Right]-low[n.Left] > same*o.spread:
				broken++
			}
		}
	}
	return broken
}

// fix: the splits of a tree stay where they are, at the root and below it; what was its
// leaves may be any trees. A split is the same if it sends the same training rows each
// way on the same feature, or on some of the features of a hyperplane: its threshold may
// move between two values of the data, weights as far as the rows let them.
type fix struct {
	file string
	tree *tree.Tree
}

func (c *fix) String() string { return "fix:" + quote(c.file) }

// splits are those of the tree on the features of d. The tree may be one of other features,
// too, on which it does not split, and of other classes.
func (c *fix) splits(d *dataset.Dataset) (*tree.Tree, error) {
	out := tree.NewLeaf(d, 0)
	at := make([]int, len(c.tree.Nodes)) // children come after their parent
	for i := range c.tree.Nodes {
		n := &c.tree.Nodes[i]
		if n.Split == nil {
			continue
		}
		s := &tree.Split{Terms: slices.Clone(n.Split.Terms), Threshold: n.Split.Threshold}
		for k := range s.Terms {
			name := c.tree.Features[s.Terms[k].Feature]
			if s.Terms[k].Feature = slices.Index(d.Features, name); s.Terms[k].Feature < 0 {
				return nil, fmt.Errorf("the tree splits on %s, which is not a feature of the data; %s", quote(name), nearest.Hint(name, d.Features, "the features are "+quoted(d.Features)))
			}
		}
		slices.SortFunc(s.Terms, func(a, b tree.Term) int { return a.Feature - b.Feature })
		at[n.Left], at[n.Right] = out.Grow(at[i], s, 0, 0)
	}
	return out, nil
}

func (c *fix) bind(o *On) (bound, error) {
	d := o.Data
	t, err := c.splits(d)
	if err != nil {
		return nil, err
	}
	b := &boundFix{c, t, d}
	reach := make([]int, len(t.Nodes))
	for i := range d.N() {
		for at := range b.path(d.Row(i)) {
			reach[at]++
		}
	}
	for i, said := range t.Conditions(tree.Format{}) {
		s := t.Nodes[i].Split
		if s == nil {
			continue
		}
		if reach[t.Nodes[i].Left] == 0 || reach[t.Nodes[i].Right] == 0 {
			o.warn(c, fmt.Sprintf("all rows go the same way at the split %s: it can be left out", said.Text))
			continue
		}
		for _, term := range s.Terms {
			if j := term.Feature; o.Forbidden != nil && o.Forbidden[j] {
				return nil, fmt.Errorf("the tree splits on %s, which --forbid forbids", quote(d.Features[j]))
			}
		}
	}
	o.Fixed = t.Collapse(d)
	return b, nil
}

type boundFix struct {
	*fix
	tree *tree.Tree // of the data's features
	data *dataset.Dataset
}

// path yields the nodes of the fixed tree that x comes by.
func (b *boundFix) path(x []float64) func(func(int) bool) {
	return func(yield func(int) bool) {
		for at := 0; yield(at); {
			n := &b.tree.Nodes[at]
			switch {
			case n.Split == nil:
				return
			case n.Split.Left(x):
				at = n.Left
			default:
				at = n.Right
			}
		}
	}
}

// value is the number of fixed splits that the tree has otherwise. A split with all of its
// rows on one side is no split on these data, in either tree.
func (b *boundFix) value(p *predictions) Value {
	var stay, missed []string
	conditions := b.tree.Conditions(tree.Format{})
	b.compare(p.tree, func(f, at int) {
		if at < 0 {
			missed = append(missed, conditions[f].Text)
		} else {
			stay = append(stay, conditions[f].Text)
		}
	})
	v := atMost(float64(len(missed)), 0)
	switch {
	case len(missed) > 0:
		v.Note = splitNames(missed) + verb(missed, " is not there", " are not there")
	case len(stay) > 0:
		v.Note = splitNames(stay) + verb(stay, " stays", " stay")
	default:
		v.Note = "no split of it parts the rows"
	}
	return v
}

func splitNames(all []string) string { return verb(all, "the split ", "the splits ") + few(all) }

// Kept returns t with the splits on one feature that stay as they were given where it has
// them: those that search have other thresholds between the same values. t is not changed.
func (o *On) Kept(t *tree.Tree) *tree.Tree {
	for _, c := range o.list {
		if b, ok := c.(*boundFix); ok {
			out := t.Clone()
			b.compare(t, func(f, at int) {
				if at >= 0 && b.tree.Nodes[f].Split.IsUnivariate() {
					out.Nodes[at].Split = b.tree.Nodes[f].Split
				}
			})
			return out
		}
	}
	return t
}

// compare tells take of each split that stays and parts rows which node of t it is, -1
// where t has it not; of those below such a one nothing.
func (b *boundFix) compare(t *tree.Tree, take func(f, at int)) {
	rows := make([]int, b.data.N())
	for i := range rows {
		rows[i] = i
	}
	b.match(t, 0, 0, rows, take)
}

// match compares node f of the fixed tree with node at of t, which the rows reach.
func (b *boundFix) match(t *tree.Tree, f, at int, rows []int, take func(f, at int)) {
	fixed, own := &b.tree.Nodes[f], &t.Nodes[at]
	if fixed.Split == nil || len(rows) == 0 {
		return
	}
	left, right := sides(fixed.Split, b.data, rows)
	switch {
	case len(left) == 0:
		b.match(t, fixed.Right, at, rows, take)
		return
	case len(right) == 0:
		b.match(t, fixed.Left, at, rows, take)
		return
	}
	if own.Split != nil {
		l, r := sides(own.Split, b.data, rows)
		switch {
		case len(l) == 0:
			b.match(t, f, own.Right, rows, take)
			return
		case len(r) == 0:
			b.match(t, f, own.Left, rows, take)
			return
		case within(own.Split, fixed.Split) && slices.Equal(l, left):
			take(f, at)
			b.match(t, fixed.Left, own.Left, left, take)
			b.match(t, fixed.Right, own.Right, right, take)
			return
		}
	}
	take(f, -1)
}

// within says whether a split uses none but the features of another.
func within(s, of *tree.Split) bool {
	for _, term := range s.Terms {
		if !slices.ContainsFunc(of.Terms, func(t tree.Term) bool { return t.Feature == term.Feature }) {
			return false
		}
	}
	return true
}

// sides divides the rows.
func sides(s *tree.Split, d *dataset.Dataset, rows []int) (left, right []int) {
	for _, i := range rows {
		if s.Left(d.Row(i)) {
			left = append(left, i)
		} else {
			right = append(right, i)
		}
	}
	return left, right
}
