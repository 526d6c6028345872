package hyperplane

import (
	"context"
	"slices"

	"github.com/octgen/octgen/formulate/internal/point"
	"github.com/octgen/octgen/tree"
)

// Decode returns the tree of a feasible point of the model in data units, with
// a_j = 0 where s_j = 0 and every threshold half way between the training rows
// on its two sides, with margin right between those that are right. Splits with an
// empty side collapse.
func (f *Formulation) Decode(values []float64) (*tree.Tree, error) {
	if err := point.Length(values, f.model.NumCols()); err != nil {
		return nil, err
	}
	s, err := f.enc.decode(values)
	if err != nil {
		return nil, err
	}
	t := f.g.Bare()
	if _, err := f.grow(t, s, 1, s.rows); err != nil {
		return nil, err
	}
	t = f.on.Kept(t.Collapse(f.g.Src)) // annotated in the data's weight
	if f.opts.Margin == Right {
		return f.keeping(t, s.rows)
	}
	return t, nil
}

// grow appends the subtree at heap node n, reached by the given rows, to t and
// returns its index.
func (f *Formulation) grow(t *tree.Tree, s *solution, n int, rows []int) (int, error) {
	for n < f.leaves() {
		var left, right []int
		if pl := s.planes[n]; pl != nil {
			// Left rows have a.x <= b - mu, right ones a.x >= b: the middle of
			// that gap is the tolerant place to cut.
			for _, i := range rows {
				if dot(pl.a, f.row(i)) < pl.b-f.mu/2 {
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
			return f.growSplit(t, s, n, left, right)
		}
	}
	for _, i := range rows {
		if !s.holds(i, n) {
			return 0, point.Bad("row %d is not in leaf %d, where the splits of the solution send it", i+1, n)
		}
	}
	class := int(s.label[n])
	if class < 0 && s.labelled {
		return 0, point.Bad("leaf %d has rows, and no label", n)
	}
	if class < 0 {
		class = f.commonest(rows)
	}
	t.Nodes = append(t.Nodes, tree.Node{Class: class})
	return len(t.Nodes) - 1, nil
}

// commonest is the class of the most weight among rows, the first of several.
func (f *Formulation) commonest(rows []int) int {
	weight := make([]float64, f.g.K)
	for _, i := range rows {
		weight[f.g.Y[i]] += f.g.W[i]
	}
	return slices.Index(weight, slices.Max(weight))
}

func (f *Formulation) growSplit(t *tree.Tree, s *solution, n int, left, right []int) (int, error) {
	split, below, above, ok := f.split(s.planes[n].a, left, right)
	if !ok {
		return 0, point.Bad("node %d: in data units its two sides are not apart (%v and %v)", n, below, above)
	}
	id := len(t.Nodes)
	t.Nodes = append(t.Nodes, tree.Node{Split: split})
	l, err := f.grow(t, s, 2*n, left)
	if err != nil {
		return 0, err
	}
	r, err := f.grow(t, s, 2*n+1, right)
	t.Nodes[id].Left, t.Nodes[id].Right = l, r
	return id, err
}

// keeping returns t, or t re-centred, in which all of rows are right with the margin.
func (f *Formulation) keeping(t *tree.Tree, rows []int) (*tree.Tree, error) {
	i, ok := f.loses(t, rows)
	if ok {
		return t, nil
	}
	if f.opts.LP != nil {
		numbers := make([]int32, len(rows))
		for k, i := range rows {
			numbers[k] = int32(i)
		}
		centred, err := f.Recentre(context.Background(), f.opts.LP, t, numbers)
		if err != nil {
			return nil, err
		}
		if _, ok := f.loses(centred, rows); ok {
			return centred, nil
		}
	}
	return nil, point.Bad("row %d is right in the solution, and has not half the margin %v in its tree", i+1, f.mu)
}

// loses is the first of rows that is not right in t with the margin; ok says that there
// is none.
func (f *Formulation) loses(t *tree.Tree, rows []int) (row int, ok bool) {
	right := f.Route(t)
	for _, i := range rows {
		if !right[i] {
			return i, false
		}
	}
	return 0, true
}
