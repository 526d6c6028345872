package hyperplane

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/octgen/octgen/tree"
)

// placeRight lays c over the heap for margin right. It tries the rows that are right in
// c as it is, and all those that c predicts rightly, which have to lose rows at its
// splits; the heavier outcome counts.
func (f *Formulation) placeRight(ctx context.Context, c *tree.Tree) (*heapTree, error) {
	right := f.Route(c)
	var sure, hoped []int
	for _, i := range f.seen() {
		if right[i] {
			sure = append(sure, i)
		}
		if c.Predict(f.g.DS.Row(i)) == int(f.g.Y[i]) {
			hoped = append(hoped, i)
		}
	}
	h := f.newHeap()
	if err := f.placeRows(ctx, h, c, 0, 1, hoped); err != nil || f.weightIn(h) >= f.weight(sure) {
		return h, err
	}
	own := f.newHeap()
	if err := f.placeRows(ctx, own, c, 0, 1, sure); err != nil || f.weightIn(own) > f.weightIn(h) {
		return own, err
	}
	return h, nil
}

// weightIn is the weight of the rows that have a leaf in h.
func (f *Formulation) weightIn(h *heapTree) float64 {
	w := 0.0
	for i, t := range h.at {
		if t > 0 {
			w += f.g.W[i]
		}
	}
	return w
}

func (f *Formulation) weight(rows []int) float64 {
	w := 0.0
	for _, i := range rows {
		w += f.g.W[i]
	}
	return w
}

// placeRows lays the subtree of c at node i over the heap at node n, for those of the
// rows that keep the margin there.
func (f *Formulation) placeRows(ctx context.Context, h *heapTree, c *tree.Tree, i, n int, rows []int) error {
	node := &c.Nodes[i]
	if node.Leaf() {
		f.setLeaf(h, c, i, n, rows)
		return nil
	}
	if err := f.tooDeep(i, n); err != nil {
		return err
	}
	left, right := f.divided(node.Split, rows)
	var pl *plane
	if len(left) > 0 && len(right) > 0 {
		var err error
		if pl, left, right, err = f.fitRight(ctx, node.Split, left, right); err != nil {
			return err
		}
	}
	switch {
	case len(left) == 0:
		return f.placeRows(ctx, h, c, node.Right, n, right)
	case len(right) == 0:
		return f.placeRows(ctx, h, c, node.Left, n, left)
	}
	h.planes[n] = pl
	if err := f.placeRows(ctx, h, c, node.Left, 2*n, left); err != nil {
		return err
	}
	return f.placeRows(ctx, h, c, node.Right, 2*n+1, right)
}

// fitRight returns a plane for s and the rows of its two sides that have the margin: all
// of them with the plane of s or one re-centred, or else as much weight as the plane of
// s leaves with any threshold.
func (f *Formulation) fitRight(ctx context.Context, s *tree.Split, left, right []int) (pl *plane, keptLeft, keptRight []int, err error) {
	pl, err = f.fitPlane(ctx, f.opts.LP, s, left, right)
	if err == nil {
		return pl, left, right, nil
	}
	if !errors.Is(err, errMargin) {
		return nil, nil, nil, err
	}
	pl, ok := f.scaled(s)
	if !ok {
		return nil, left, nil, nil
	}
	atMostOne(pl.a)
	left, right = f.kept(pl.a, left, right)
	if len(left) > 0 && len(right) > 0 && !f.settle(pl, left, right) {
		return nil, left, nil, nil // not to be had by rounding
	}
	return pl, left, right, nil
}

// kept are the rows of the two sides that the best threshold for a.x leaves: those on
// the left are at most some value v, those on the right at least v + mu.
func (f *Formulation) kept(a []float64, left, right []int) (keptLeft, keptRight []int) {
	type row struct {
		i     int
		value float64
	}
	valued := func(rows []int) []row {
		out := make([]row, len(rows))
		for k, i := range rows {
			out[k] = row{i, dot(a, f.row(i))}
		}
		slices.SortFunc(out, func(p, q row) int {
			switch {
			case p.value < q.value:
				return -1
			case p.value > q.value:
				return 1
			}
			return p.i - q.i
		})
		return out
	}
	l, r := valued(left), valued(right)
	// The best v is that of a row on the left, or below all of them.
	weight := f.weight(right)
	best, cut, next := weight, math.Inf(-1), 0
	for k, p := range l {
		weight += f.g.W[p.i]
		for next < len(r) && r[next].value < p.value+f.mu {
			weight -= f.g.W[r[next].i]
			next++
		}
		if weight > best && (k+1 == len(l) || l[k+1].value > p.value) {
			best, cut = weight, p.value
		}
	}
	for _, p := range l {
		if p.value <= cut {
			keptLeft = append(keptLeft, p.i)
		}
	}
	for _, q := range r {
		if q.value >= cut+f.mu {
			keptRight = append(keptRight, q.i)
		}
	}
	return keptLeft, keptRight
}
