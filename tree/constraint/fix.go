package constraint

import (
	"fmt"
	"slices"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/internal/nearest"
	"github.com/octgen/octgen/tree"
)

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
				return nil, fmt.Errorf("the tree splits on %s, which is no feature of the data; %s", quote(name), nearest.Hint(name, d.Features, "the features are "+quoted(d.Features)))
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
			o.warn(c, fmt.Sprintf("no row of the data goes one way at the split %s, so that it may be left out", said.Text))
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
