package formulate

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/tree"
)

// plane is a split on scaled features: left iff a.x < b, in the model
// a.x + mu <= b for rows on the left and a.x >= b for rows on the right.
type plane struct {
	a []float64 // (active features)
	b float64
}

func dot(a, x []float64) float64 {
	s := 0.0
	for j, v := range a {
		s += v * x[j]
	}
	return s
}

// Start returns the point of the model that stands for norm(t).
func (f *OCTH) Start(ctx context.Context, t *tree.Tree) ([]float64, error) {
	if err := t.Validate(); err != nil {
		return nil, err
	}
	c := t.Collapse(f.g.ds)
	if n := c.Terms(); f.opts.MaxSplits > 0 && n > f.opts.MaxSplits {
		return nil, noStart(0, "its splits use %d features in all, at most %d are allowed", n, f.opts.MaxSplits)
	}
	h := &hyperTree{planes: make([]*plane, f.leaves()), label: make([]int32, 2*f.leaves()), at: make([]int, f.g.n)}
	rows := make([]int, f.g.n)
	for i := range rows {
		rows[i] = i
	}
	if err := f.place(ctx, h, c, 0, 1, rows); err != nil {
		return nil, err
	}
	v := make([]float64, f.end())
	for n, pl := range h.planes {
		if pl == nil {
			continue
		}
		v[f.colD(n)], v[f.colB(n)] = 1, pl.b
		for jx, a := range pl.a {
			if a != 0 {
				v[f.colA(jx, n)], v[f.colAhat(jx, n)], v[f.colS(jx, n)] = a, math.Abs(a), 1
			}
		}
	}
	f.startLeaves(v, h.at, h.label)
	return v, nil
}

// hyperTree is a tree of hyperplanes over the full tree in heap order.
type hyperTree struct {
	planes []*plane // (T) nil where a branch node does not split
	label  []int32  // (2T)
	at     []int    // (n) leaf of each row
}

// place lays the subtree of c at node i, reached by the given rows, over the
// heap at node n.
func (f *OCTH) place(ctx context.Context, h *hyperTree, c *tree.Tree, i, n int, rows []int) error {
	node := &c.Nodes[i]
	if node.Leaf() {
		for n < f.leaves() {
			n = 2*n + 1
		}
		if w := sumOf(node.Weight); !tree.EnoughWeight(w, f.minLeaf) {
			return noStart(i, "the leaf has weight %v, at least %v is required", w*f.g.unit.Size, f.opts.MinLeaf)
		}
		h.label[n] = int32(node.Class)
		for _, r := range rows {
			h.at[r] = n
		}
		return nil
	}
	if n >= f.leaves() {
		return noStart(i, "the split is at depth %d, at most %d levels are allowed", f.depth+1, f.depth)
	}
	var left, right []int
	for _, r := range rows {
		if node.Split.Left(f.g.ds.Row(r)) {
			left = append(left, r)
		} else {
			right = append(right, r)
		}
	}
	pl, err := f.fitPlane(ctx, node.Split, left, right)
	if errors.Is(err, errMargin) {
		return noStart(i, "no split on its features has margin %v: %v", f.opts.Mu, err)
	}
	if err != nil {
		return err
	}
	h.planes[n] = pl
	if err := f.place(ctx, h, c, node.Left, 2*n, left); err != nil {
		return err
	}
	return f.place(ctx, h, c, node.Right, 2*n+1, right)
}

// fitPlane scales s to sum |a| = 1 with b as far right as the right rows allow
// and, where the margin to the left rows is below mu, re-centres it on its own
// features.
func (f *OCTH) fitPlane(ctx context.Context, s *tree.Split, left, right []int) (*plane, error) {
	pl := &plane{a: make([]float64, f.p())}
	norm := 0.0
	jx := 0
	for _, term := range s.Terms {
		for jx < f.p() && f.g.active[jx] < term.Feature {
			jx++
		}
		if jx < f.p() && f.g.active[jx] == term.Feature {
			pl.a[jx] = term.Weight * f.width[jx]
			norm += math.Abs(pl.a[jx])
		}
	}
	for jx := range pl.a {
		pl.a[jx] /= norm
	}
	if norm > 0 && !math.IsInf(norm, 0) && f.settle(pl, left, right) {
		return pl, nil
	}
	if f.opts.LP == nil {
		return nil, fmt.Errorf("%w without an LP solver", errMargin)
	}
	if err := f.recentre(ctx, pl, left, right); err != nil {
		return nil, err
	}
	if !f.settle(pl, left, right) {
		return nil, errMargin
	}
	return pl, nil
}

// settle scales pl to sum |a| <= 1, moves b to the least value on the right and
// says whether the margin to the left is mu.
func (f *OCTH) settle(pl *plane, left, right []int) bool {
	norm := 0.0
	for _, a := range pl.a {
		norm += math.Abs(a)
	}
	for jx := range pl.a {
		if norm > 1 {
			pl.a[jx] /= norm * (1 + 1e-15)
		}
	}
	below, above := f.sides(pl.a, left, right)
	pl.b = above
	return below+f.opts.Mu <= above
}

// sides returns the greatest value of a.x on the left and the least on the
// right.
func (f *OCTH) sides(a []float64, left, right []int) (below, above float64) {
	below, above = math.Inf(-1), math.Inf(1)
	for _, i := range left {
		below = max(below, dot(a, f.row(i)))
	}
	for _, i := range right {
		above = min(above, dot(a, f.row(i)))
	}
	return below, above
}

// recentre replaces pl by the hyperplane of greatest margin on its own features:
// max gamma s.t. a.x + gamma <= b on the left, a.x >= b on the right,
// sum_j ahat_j <= 1, -ahat <= a <= ahat.
func (f *OCTH) recentre(ctx context.Context, pl *plane, left, right []int) error {
	b := mio.NewBuilder("max-margin")
	b.SetSense(mio.Maximize)
	gamma := b.AddCol(1, -2, 2, mio.Continuous, "")
	off := b.AddCol(0, -1, 1, mio.Continuous, "")
	a := make([]mio.Col, f.p())
	norm := b.AddRow(-mio.Inf, 1, "")
	for jx, v := range pl.a {
		if v == 0 {
			continue
		}
		a[jx] = b.AddCol(0, -1, 1, mio.Continuous, "")
		hat := b.AddCol(0, 0, 1, mio.Continuous, "")
		b.Add(norm, hat, 1)
		for _, sign := range []float64{1, -1} {
			r := b.AddRow(0, mio.Inf, "")
			b.Add(r, hat, 1)
			b.Add(r, a[jx], sign)
		}
	}
	side := func(rows []int, lower, upper, margin float64) {
		for _, i := range rows {
			r := b.AddRow(lower, upper, "")
			for jx, x := range f.row(i) {
				if pl.a[jx] != 0 && x != 0 {
					b.Add(r, a[jx], x)
				}
			}
			b.Add(r, off, -1)
			if margin != 0 {
				b.Add(r, gamma, margin)
			}
		}
	}
	side(left, -mio.Inf, 0, 1)
	side(right, 0, mio.Inf, 0)
	m, err := b.Model()
	if err != nil {
		return err
	}
	sol, err := f.opts.LP(ctx, m)
	if err != nil {
		return err
	}
	if !sol.Status.HasSolution() {
		return fmt.Errorf("%w: the max-margin program ended %s", errMargin, sol.Status)
	}
	for jx, v := range pl.a {
		if v != 0 {
			pl.a[jx] = sol.Values[a[jx]]
		}
	}
	return nil
}

// Decode returns the tree of a feasible point of the model in data units, with
// a_j = 0 where s_j = 0 and every threshold half way between the training rows
// on its two sides. Splits with an empty side collapse.
func (f *OCTH) Decode(values []float64) (*tree.Tree, error) {
	if len(values) != f.model.NumCols() {
		return nil, badPoint("%d values, expected %d", len(values), f.model.NumCols())
	}
	planes := make([]*plane, f.leaves())
	for n := 1; n <= f.branch(); n++ {
		on, err := asBinary(values[f.colD(n)], "d", n)
		if err != nil {
			return nil, err
		}
		if !on {
			continue
		}
		planes[n] = &plane{a: make([]float64, f.p()), b: values[f.colB(n)]}
		for jx, j := range f.g.active {
			used, err := asBinary(values[f.colS(jx, n)], "s", j+1, n)
			if err != nil {
				return nil, err
			}
			if used {
				planes[n].a[jx] = values[f.colA(jx, n)]
			}
		}
	}
	label := make([]int32, 2*f.leaves())
	if err := f.decodeLabels(values, label); err != nil {
		return nil, err
	}
	rows := make([]int, f.g.n)
	for i := range rows {
		rows[i] = i
	}
	t := *f.tmpl
	if _, err := f.grow(&t, values, planes, label, 1, rows); err != nil {
		return nil, err
	}
	return t.Collapse(f.g.src), nil // annotated in the data's weight
}

// grow appends the subtree at heap node n, reached by the given rows, to t and
// returns its index.
func (f *OCTH) grow(t *tree.Tree, v []float64, planes []*plane, label []int32, n int, rows []int) (int, error) {
	for n < f.leaves() {
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
		if z, err := asBinary(v[f.colZ(i, n)], "z", i+1, n); err != nil || !z {
			return 0, badPoint("row %d is not in leaf %d, where the splits of the solution send it", i+1, n)
		}
	}
	t.Nodes = append(t.Nodes, tree.Node{Class: int(label[n])})
	return len(t.Nodes) - 1, nil
}

func (f *OCTH) growSplit(t *tree.Tree, v []float64, planes []*plane, label []int32, n int, left, right []int) (int, error) {
	s := &tree.Split{}
	for jx, a := range planes[n].a {
		if a != 0 {
			s.Terms = append(s.Terms, tree.Term{Feature: f.g.active[jx], Weight: a / f.width[jx]})
		}
	}
	if len(s.Terms) == 1 && s.Terms[0].Weight > 0 {
		s.Terms[0].Weight = 1
	}
	below, above := math.Inf(-1), math.Inf(1)
	value := func(i int) float64 {
		u := 0.0
		for _, term := range s.Terms {
			u += term.Weight * f.g.ds.At(i, term.Feature)
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
		return 0, badPoint("node %d: in data units its two sides are not apart (%v and %v)", n, below, above)
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

// LeastMargin returns the least margin of the splits of t between the training
// rows on their two sides, on scaled features with sum_j |a_j| = 1; +Inf for a
// single leaf.
func (f *OCTH) LeastMargin(t *tree.Tree) float64 {
	least := math.Inf(1)
	left, right := make([][]int, len(t.Nodes)), make([][]int, len(t.Nodes))
	for i := range f.g.n {
		for at := 0; t.Nodes[at].Split != nil; {
			if n := &t.Nodes[at]; n.Split.Left(f.g.ds.Row(i)) {
				left[at], at = append(left[at], i), n.Left
			} else {
				right[at], at = append(right[at], i), n.Right
			}
		}
	}
	for i := range t.Nodes {
		s := t.Nodes[i].Split
		if s == nil || len(left[i]) == 0 || len(right[i]) == 0 {
			continue
		}
		a, norm := make([]float64, f.p()), 0.0
		for jx, j := range f.g.active {
			for _, term := range s.Terms {
				if term.Feature == j {
					a[jx] = term.Weight * f.width[jx]
					norm += math.Abs(a[jx])
				}
			}
		}
		below, above := f.sides(a, left[i], right[i])
		least = min(least, (above-below)/norm)
	}
	return least
}
