package constraint

import (
	"fmt"
	"slices"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/tree"
)

// fix: the splits of a tree stay where they are, at the root and below it; what was its
// leaves may be any trees. A split is the same if it sends the same training rows each
// way on the same feature: its threshold may move between two values of the data.
type fix struct {
	file string
	tree *tree.Tree
}

func (c *fix) String() string { return "fix:" + quote(c.file) }

func (c *fix) bind(o *On) (bound, error) {
	t, d := c.tree, o.Data
	if !slices.Equal(t.Features, d.Features) {
		return nil, fmt.Errorf("the tree has the features %s, the data %s", quoted(t.Features), quoted(d.Features))
	}
	b := &boundFix{c, d}
	reach := make([]int, len(t.Nodes))
	for i := range d.N() {
		for at := range b.path(d.Row(i)) {
			reach[at]++
		}
	}
	for i := range t.Nodes {
		s := t.Nodes[i].Split
		if s == nil {
			continue
		}
		if !s.IsUnivariate() {
			return nil, fmt.Errorf("node %d of the tree splits on several features; want splits on one", i)
		}
		if j := s.Terms[0].Feature; o.Forbidden != nil && o.Forbidden[j] {
			return nil, fmt.Errorf("node %d of the tree splits on %s, which --forbid forbids", i, quote(d.Features[j]))
		}
		if reach[t.Nodes[i].Left] == 0 || reach[t.Nodes[i].Right] == 0 {
			o.warn(c, fmt.Sprintf("no row of the data goes one way at node %d of the tree, so that its split may be left out", i))
		}
	}
	o.Fixed = t
	return b, nil
}

type boundFix struct {
	*fix
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
	missed := make([]bool, len(b.tree.Nodes))
	rows := make([]int, b.data.N())
	for i := range rows {
		rows[i] = i
	}
	b.match(p.tree, 0, 0, rows, missed)
	n := 0
	for _, m := range missed {
		if m {
			n++
		}
	}
	return atMost(float64(n), 0)
}

// match compares node f of the fixed tree with node at of t, which the rows reach.
func (b *boundFix) match(t *tree.Tree, f, at int, rows []int, missed []bool) {
	fixed, own := &b.tree.Nodes[f], &t.Nodes[at]
	if fixed.Split == nil || len(rows) == 0 {
		return
	}
	left, right := sides(fixed.Split, b.data, rows)
	switch {
	case len(left) == 0:
		b.match(t, fixed.Right, at, rows, missed)
		return
	case len(right) == 0:
		b.match(t, fixed.Left, at, rows, missed)
		return
	}
	if own.Split != nil {
		l, r := sides(own.Split, b.data, rows)
		switch {
		case len(l) == 0:
			b.match(t, f, own.Right, rows, missed)
			return
		case len(r) == 0:
			b.match(t, f, own.Left, rows, missed)
			return
		case slices.Equal(own.Split.Terms, fixed.Split.Terms) && slices.Equal(l, left):
			b.match(t, fixed.Left, own.Left, left, missed)
			b.match(t, fixed.Right, own.Right, right, missed)
			return
		}
	}
	missed[f] = true
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
