package hyperplane

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/octgen/octgen/formulate/internal/point"
	"github.com/octgen/octgen/tree"
)

// Start returns the point of the model for norm(t).
func (f *Formulation) Start(ctx context.Context, t *tree.Tree) ([]float64, error) {
	if err := t.Validate(); err != nil {
		return nil, err
	}
	c := t.Collapse(f.g.DS)
	if n := c.Terms(); f.maxSplits > 0 && n > f.maxSplits {
		return nil, point.NoStart(0, "its splits use %d features in total, the maximum is %d", n, f.maxSplits)
	}
	if err := f.checkConstraints(c); err != nil {
		return nil, err
	}
	var h *heapTree
	var err error
	if f.opts.Margin == Right {
		h, err = f.placeRight(ctx, c)
	} else {
		h = f.newHeap()
		err = f.place(ctx, h, c, 0, 1, f.all())
	}
	if err != nil {
		return nil, err
	}
	return f.enc.start(h), nil
}

// place places the subtree of c at node i, reached by the given rows, at heap node n.
func (f *Formulation) place(ctx context.Context, h *heapTree, c *tree.Tree, i, n int, rows []int) error {
	node := &c.Nodes[i]
	if node.Leaf() {
		if err := f.g.CheckLeaf(i, node); err != nil {
			return err
		}
		f.setLeaf(h, c, i, n, rows)
		return nil
	}
	if err := f.tooDeep(i, n); err != nil {
		return err
	}
	left, right := f.divided(node.Split, rows)
	pl, err := f.fitPlane(ctx, f.opts.LP, node.Split, left, right)
	if errors.Is(err, errMargin) {
		return point.NoStart(i, "no split on its features has margin %v: %v", f.mu, err)
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

// placeRight places c for margin right. It tries the rows that are correct in c as it is, and all
// rows that c predicts correctly, some of which its splits must give up; the outcome with the
// larger weight counts.
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

// weightIn returns the weight of the rows that have a leaf in h.
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

// placeRows places the subtree of c at node i at heap node n, for those of the rows that keep the
// margin there.
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

// fitRight returns a plane for s and the rows of its two sides that keep the margin. If the plane
// of s, or a re-centred one, keeps all of them, it takes that; otherwise it keeps the maximum
// weight that the plane of s can keep with any threshold.
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
		return nil, left, nil, nil // rounding makes it impossible
	}
	return pl, left, right, nil
}

// kept returns the rows of the two sides that the best threshold for a.x keeps: those on the left
// are at most some value v, those on the right at least v + mu.
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
	// The best v is the value of a row on the left, or below all of them.
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

// Widen returns a tree that sends the training rows like t and keeps the margin: a split whose
// margin is below Mu, even re-centred on its own features, gets the hyperplane with the maximum
// margin on all features. The error wraps formulate.ErrNoStart if that is below Mu as well. So a
// univariate tree whose values lie close together may serve as a warm start. Widen needs
// Options.LP.
func (f *Formulation) Widen(ctx context.Context, t *tree.Tree) (*tree.Tree, error) {
	c := t.Collapse(f.g.DS)
	return c, f.widen(ctx, c, 0, f.all())
}

// widen is Widen for the subtree at node i, which the rows reach.
func (f *Formulation) widen(ctx context.Context, c *tree.Tree, i int, rows []int) error {
	n := &c.Nodes[i]
	if n.Leaf() {
		return nil
	}
	left, right := f.divided(n.Split, rows)
	_, err := f.fitPlane(ctx, f.opts.LP, n.Split, left, right)
	if errors.Is(err, errMargin) && f.opts.LP != nil {
		err = f.widenSplit(ctx, n, left, right)
	}
	switch {
	case errors.Is(err, errMargin):
		return point.NoStart(i, "no split between its rows has margin %v: %v", f.mu, err)
	case err != nil:
		return err
	}
	if err := f.widen(ctx, c, n.Left, left); err != nil {
		return err
	}
	return f.widen(ctx, c, n.Right, right)
}

// widenSplit replaces the split of n by one on all features.
func (f *Formulation) widenSplit(ctx context.Context, n *tree.Node, left, right []int) error {
	pl := &plane{a: make([]float64, f.p())}
	for jx := range pl.a {
		pl.a[jx] = 1
	}
	if err := f.recentre(ctx, f.opts.LP, pl, left, right); err != nil {
		return err
	}
	for jx, v := range pl.a {
		if v < noise && v > -noise {
			pl.a[jx] = 0
		}
	}
	if !f.settle(pl, left, right) {
		return errMargin
	}
	s, _, _, ok := f.split(pl.a, left, right)
	if !ok {
		return errMargin
	}
	n.Split = s
	return nil
}

// Decode returns the tree of a feasible point of the model in data units, with a_j = 0 where s_j =
// 0 and every threshold halfway between the training rows on its two sides; with margin right,
// between the correct ones. Splits with an empty side collapse.
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

// grow appends the subtree at heap node n, reached by the given rows, to t and returns its index.
func (f *Formulation) grow(t *tree.Tree, s *solution, n int, rows []int) (int, error) {
	for n < f.leaves() {
		var left, right []int
		if pl := s.planes[n]; pl != nil {
			// Left rows have a.x <= b - mu, right ones a.x >= b: the middle of that gap tolerates
			// rounding best.
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
		return 0, point.Bad("leaf %d has rows but no label", n)
	}
	if class < 0 {
		class = f.commonest(rows)
	}
	t.Nodes = append(t.Nodes, tree.Node{Class: class})
	return len(t.Nodes) - 1, nil
}

// commonest returns the class with the largest weight among rows, the first of equal ones.
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
		return 0, point.Bad("node %d: its two sides are not separate in data units (%v and %v)", n, below, above)
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

// keeping returns t, or t re-centred, so that all of rows are correct with the margin.
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
	return nil, point.Bad("row %d is correct in the solution, but lacks half the margin %v in its tree", i+1, f.mu)
}

// loses returns the first of rows that is not correct in t with the margin; ok reports that there
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
