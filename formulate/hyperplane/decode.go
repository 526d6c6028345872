package hyperplane

import (
	"math"

	"github.com/octgen/octgen/formulate/internal/point"
	"github.com/octgen/octgen/tree"
)

// Decode returns the tree of a feasible point of the model in data units, with
// a_j = 0 where s_j = 0 and every threshold half way between the training rows
// on its two sides. Splits with an empty side collapse.
func (f *Formulation) Decode(values []float64) (*tree.Tree, error) {
	if err := point.Length(values, f.model.NumCols()); err != nil {
		return nil, err
	}
	planes := make([]*plane, f.leaf.Leaves())
	for n := 1; n <= f.leaf.Branches(); n++ {
		on, err := point.Binary(values[f.colD(n)], "d", n)
		if err != nil {
			return nil, err
		}
		if !on {
			continue
		}
		planes[n] = &plane{a: make([]float64, f.p()), b: values[f.colB(n)]}
		for jx, j := range f.g.Active {
			used, err := point.Binary(values[f.colS(jx, n)], "s", j+1, n)
			if err != nil {
				return nil, err
			}
			if used {
				planes[n].a[jx] = values[f.colA(jx, n)]
			}
		}
	}
	label := make([]int32, 2*f.leaf.Leaves())
	if err := f.leaf.Labels(values, label); err != nil {
		return nil, err
	}
	rows := make([]int, f.g.N)
	for i := range rows {
		rows[i] = i
	}
	t := f.g.Bare()
	if _, err := f.grow(t, values, planes, label, 1, rows); err != nil {
		return nil, err
	}
	return t.Collapse(f.g.Src), nil // annotated in the data's weight
}

// grow appends the subtree at heap node n, reached by the given rows, to t and
// returns its index.
func (f *Formulation) grow(t *tree.Tree, v []float64, planes []*plane, label []int32, n int, rows []int) (int, error) {
	for n < f.leaf.Leaves() {
		var left, right []int
		if pl := planes[n]; pl != nil {
			// Left rows have a.x <= b - mu, right ones a.x >= b: the middle of
			// that gap is the tolerant place to cut.
			for _, i := range rows {
				if dot(pl.a, f.row(i)) < pl.b-f.opts.Mu/2 {
					left = append(left, i)
				} else {
					right = append(right, i)
				}
			}
		}
		switch {
		case len(left) == 0:
			n = 2*n + 1
		case len(right) == 0:
			n = 2 * n
		default:
			return f.growSplit(t, v, planes, label, n, left, right)
		}
	}
	for _, i := range rows {
		if z, err := point.Binary(v[f.leaf.ColZ(i, n)], "z", i+1, n); err != nil || !z {
			return 0, point.Bad("row %d is not in leaf %d, where the splits of the solution send it", i+1, n)
		}
	}
	t.Nodes = append(t.Nodes, tree.Node{Class: int(label[n])})
	return len(t.Nodes) - 1, nil
}

func (f *Formulation) growSplit(t *tree.Tree, v []float64, planes []*plane, label []int32, n int, left, right []int) (int, error) {
	s := &tree.Split{}
	for jx, a := range planes[n].a {
		if a != 0 {
			s.Terms = append(s.Terms, tree.Term{Feature: f.g.Active[jx], Weight: a / f.width[jx]})
		}
	}
	if len(s.Terms) == 1 && s.Terms[0].Weight > 0 {
		s.Terms[0].Weight = 1
	}
	below, above := math.Inf(-1), math.Inf(1)
	value := func(i int) float64 {
		u := 0.0
		for _, term := range s.Terms {
			u += term.Weight * f.g.DS.At(i, term.Feature)
		}
		return u
	}
	for _, i := range left {
		below = max(below, value(i))
	}
	for _, i := range right {
		above = min(above, value(i))
	}
	if !(below < above) {
		return 0, point.Bad("node %d: in data units its two sides are not apart (%v and %v)", n, below, above)
	}
	s.Threshold = tree.Midpoint(below, above)
	id := len(t.Nodes)
	t.Nodes = append(t.Nodes, tree.Node{Split: s})
	l, err := f.grow(t, v, planes, label, 2*n, left)
	if err != nil {
		return 0, err
	}
	r, err := f.grow(t, v, planes, label, 2*n+1, right)
	t.Nodes[id].Left, t.Nodes[id].Right = l, r
	return id, err
}
