package gto

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate/internal/point"
	"github.com/octgen/octgen/tree"
)

// Start returns the point of the model for norm(t).
func (f *Formulation) Start(ctx context.Context, t *tree.Tree) ([]float64, error) {
	planes, err := f.norm(ctx, t)
	if err != nil {
		return nil, err
	}
	return f.point(planes), nil
}

// point returns the point of the model with the given planes, which lie in the box: y and t are as
// small as the constraints allow, each row at its nearest leaf.
func (f *Formulation) point(planes []plane) []float64 {
	x := make([]float64, f.model.NumCols())
	for d := range planes {
		for jx, w := range planes[d].w {
			x[f.colW(jx, d)] = w
		}
		x[f.colGamma(d)] = planes[d].gamma
	}
	act := f.g.activities(planes)
	d := len(planes)
	for i := range f.g.n {
		a := act[i*d : (i+1)*d]
		q := f.chosen(i, a)
		f.pointErrors(x, i, q, a)
		switch {
		case q < 0:
			x[f.cols.e[i]] = 1
		case f.cols.q[i] >= 0:
			x[at(f.cols.q[i], q)] = 1
		}
	}
	return x
}

// chosen returns the leaf of row i at the point with the given activities, as a position in its
// class's leaves; -1 if the row counts as an error.
func (f *Formulation) chosen(i int, act []float64) int {
	if f.opts.Objective == CountError {
		return f.layout.kept(f.g.ds.Y[i], act)
	}
	q, _ := f.layout.nearest(f.g.ds.Y[i], act, f.opts.Norm)
	return q
}

// pointErrors sets y, t and v of row i at its leaf q.
func (f *Formulation) pointErrors(x []float64, i, q int, act []float64) {
	if !f.hasY() {
		return
	}
	c := f.class(i)
	for pos, s := range c.slots {
		if !f.gated() || slices.Contains(s.leaves, q) {
			x[at(f.cols.y[i], pos)] = slotError(s.slot, act[s.slot/2], 1)
		}
	}
	if f.hasT() {
		for q, k := range c.leaves {
			x[at(f.cols.t[i], q)] = f.layout.leafError(k, act, 2)
		}
	}
	if f.opts.Encoding == Multilinear {
		product := f.layout.leafError(c.leaves[0], act, f.opts.Norm)
		for m := range c.products() {
			product *= f.layout.leafError(c.leaves[m+1], act, f.opts.Norm)
			x[at(f.cols.v[i], m)] = product
		}
	}
}

// norm returns the planes of norm(t), one per decision, as described at Formulation, or an error
// for the node of t that is outside the model.
func (f *Formulation) norm(ctx context.Context, t *tree.Tree) ([]plane, error) {
	if err := t.Validate(); err != nil {
		return nil, err
	}
	if len(t.Features) != f.g.ds.P() || len(t.Classes) != f.g.ds.K() {
		return nil, point.NoStart(0, "the tree has %d features and %d classes, the data %d and %d", len(t.Features), len(t.Classes), f.g.ds.P(), f.g.ds.K())
	}
	t, p := f.fitting(t)
	if p == nil {
		return nil, f.misfit(t)
	}
	own := make([]plane, len(p))
	for d := range p {
		own[d] = f.inBox(p[d].plane(f.g, t, f.opts.Box), 1)
	}
	best, act := own, f.g.activities(own)
	value := f.value(act)
	centred := f.centred(t, p, own)
	if a := f.g.activities(centred); f.value(a) < value {
		best, act, value = centred, a, f.value(a)
	}
	if f.opts.Objective != CountError {
		f.rescale(ctx, best, act, value)
	}
	return best, nil
}

// BoxFor returns a box within which the model of ds admits the best of the trees as it is:
// DefaultBox, or more if that would cost the tree some of its error. It skips trees that do not fit
// the structure. A search such as EPTS stops at the vertices of the margin planes, which lie outside
// DefaultBox where rows of different classes nearly touch. Errors: those of Build.
func (o Options) BoxFor(ctx context.Context, ds *dataset.Dataset, trees []*tree.Tree) (float64, error) {
	o.Box = 0
	f, err := o.prepare(ds)
	if err != nil {
		return 0, err
	}
	best, box := math.Inf(1), f.opts.Box
	for _, t := range trees {
		if t.Validate() != nil || len(t.Features) != f.g.ds.P() || len(t.Classes) != f.g.ds.K() {
			continue
		}
		u, p := f.fitting(t)
		if p == nil {
			continue
		}
		own, size := make([]plane, len(p)), 0.0
		for d := range p {
			own[d] = p[d].plane(f.g, u, math.MaxFloat64)
			size = max(size, own[d].size())
		}
		value := f.value(f.g.activities(own))
		if value >= best || math.IsInf(size, 1) {
			continue
		}
		within, err := f.norm(ctx, t)
		if err != nil {
			return 0, err
		}
		best, box = value, f.opts.Box
		if f.value(f.g.activities(within)) > value*(1+1e-9)+1e-9 {
			box = max(box, roundUp(size))
		}
	}
	return box, nil
}

// roundUp returns v rounded up to two digits.
func roundUp(v float64) float64 {
	unit := math.Pow(10, math.Floor(math.Log10(v))-1)
	return math.Ceil(v/unit*(1+1e-9)) * unit
}

// fitting lays t over the structure: as it is, without vacuous splits, or also with sibling leaves
// of one class merged, whichever fits first. It returns t itself and nil if none fits.
func (f *Formulation) fitting(t *tree.Tree) (*tree.Tree, []placement) {
	for _, form := range []func() *tree.Tree{
		func() *tree.Tree { return t },
		func() *tree.Tree { return t.Collapse(f.g.ds) },
		func() *tree.Tree { return t.Simplify(f.g.ds) },
	} {
		u := form()
		if p := f.place(u); p != nil {
			return u, p
		}
	}
	return t, nil
}

// inBox returns s times the plane without noise, scaled less if the box requires it.
func (f *Formulation) inBox(h plane, s float64) plane {
	if size := h.size(); s*size > f.opts.Box {
		s = f.opts.Box / size
	}
	h = h.scaled(s, f.opts.Box)
	h.clean()
	return h
}

// centred moves the threshold of each decision to the middle of the rows beyond it that t
// classifies correctly, and scales the decision until the nearest of them has the margin 1. If they
// are all on one side and the box is too narrow for that, w = 0 sends all rows there.
func (f *Formulation) centred(t *tree.Tree, p []placement, own []plane) []plane {
	decision := map[int]int{} // of the nodes of t
	for d := range p {
		if p[d].node >= 0 {
			decision[p[d].node] = d
		}
	}
	below, above := make([]float64, len(p)), make([]float64, len(p)) // w.x of these rows: maximum on the left, minimum on the right
	for d := range p {
		below[d], above[d] = math.Inf(-1), math.Inf(1)
	}
	for i := range f.g.n {
		raw := f.g.ds.Row(i)
		if t.Predict(raw) != f.g.ds.Y[i] {
			continue
		}
		for at := 0; !t.Nodes[at].Leaf(); {
			d, left := decision[at], t.Nodes[at].Split.Left(raw)
			u := own[d].activity(f.g.row(i)) + own[d].gamma
			if left != p[d].swapped {
				below[d] = max(below[d], u)
			} else {
				above[d] = min(above[d], u)
			}
			if left {
				at = t.Nodes[at].Left
			} else {
				at = t.Nodes[at].Right
			}
		}
	}
	out := slices.Clone(own)
	for d := range p {
		if p[d].node >= 0 {
			out[d] = f.centre(own[d], below[d], above[d])
		}
	}
	return out
}

func (f *Formulation) centre(h plane, below, above float64) plane {
	left, right := !math.IsInf(below, -1), !math.IsInf(above, 1)
	margin := min(h.gamma-below, above-h.gamma)
	switch {
	case left && right:
		h.gamma = below + (above-below)/2
		margin = (above - below) / 2
		if !(margin > 0) {
			return h
		}
	case !left && !right:
		return h
	case !(margin > 0) || h.size()/margin > f.opts.Box:
		vacuous := plane{w: make([]float64, f.g.p), gamma: 1}
		if right {
			vacuous.gamma = -1
		}
		return vacuous
	}
	return f.inBox(h, 1/margin)
}

// maxScales is the number of scales of a decision tried in a pass of rescale.
const maxScales = 32

// rescale improves the scale of one decision after another until none improves, at most three times
// each, and updates the activities. With p = 1 and everything else fixed, the minimum error is
// concave in the scale between scales at which some row has the margin 1 exactly, so one of these
// is best; rescale tries a sample of them until ctx ends.
func (f *Formulation) rescale(ctx context.Context, planes []plane, act []float64, value float64) {
	n, D := f.g.n, len(planes)
	trial := slices.Clone(act)
	for improved, pass := true, 0; improved && pass < 3; pass++ {
		improved = false
		for d := range planes {
			for _, s := range f.scales(planes[d], act, d, D) {
				if ctx.Err() != nil {
					return
				}
				h := f.inBox(planes[d], s)
				for i := range n {
					trial[i*D+d] = h.activity(f.g.row(i))
				}
				if v := f.value(trial); v < value*(1-1e-9) {
					planes[d], value, improved = h, v, true
					for i := range n {
						act[i*D+d] = trial[i*D+d]
					}
				}
			}
			for i := range n {
				trial[i*D+d] = act[i*D+d]
			}
		}
	}
}

// scales returns scales of decision d within the box at which some row has the margin 1.
func (f *Formulation) scales(h plane, act []float64, d, D int) []float64 {
	size := h.size()
	var all []float64
	for i := range f.g.n {
		if a := math.Abs(act[i*D+d]); a > 0 && size/a <= f.opts.Box {
			all = append(all, 1/a)
		}
	}
	slices.Sort(all)
	all = slices.Compact(all)
	if len(all) <= maxScales {
		return all
	}
	some := make([]float64, maxScales)
	for k := range some {
		some[k] = all[k*(len(all)-1)/(maxScales-1)]
	}
	return some
}

// placement describes a decision of the structure in a tree laid over it.
type placement struct {
	node    int  // branch node of the tree; -1 for none
	swapped bool // the node's left is the decision's right
	right   bool // without a node: all rows go right
}

// plane returns the decision in standardised units.
func (p placement) plane(g *data, t *tree.Tree, box float64) plane {
	h := plane{w: make([]float64, g.p)}
	switch {
	case p.node < 0 && p.right:
		h.gamma = -1
		return h
	case p.node < 0:
		h.gamma = 1
		return h
	}
	s := t.Nodes[p.node].Split
	at := make(map[int]int, g.p)
	for jx, j := range g.active {
		at[j] = jx
	}
	h.gamma = s.Threshold
	for _, term := range s.Terms {
		h.gamma -= term.Weight * g.mean[term.Feature]
		if jx, varies := at[term.Feature]; varies {
			h.w[jx] = term.Weight * g.sd[term.Feature]
		}
	}
	if p.swapped {
		h = h.scaled(-1, max(box, h.size()))
	}
	return h
}

// place lays t over the structure, nil if that is impossible. It places a node upon a decision as
// it is, or with its sides swapped, or the whole subtree beyond one side of a decision that is
// missing in the tree; and a leaf upon a leaf of its class. It takes the first of these ways that
// works, in this order.
func (f *Formulation) place(t *tree.Tree) []placement {
	e := &embedding{l: f.layout, t: t, fits: map[[2]int]bool{}, out: make([]placement, f.layout.decisions)}
	for d := range e.out {
		e.out[d].node = -1
	}
	if !e.fit(0, e.root()) {
		return nil
	}
	e.lay(0, e.root())
	return e.out
}

// embedding searches for a way to lay t over a structure. There are few pairs of a node and a
// decision (or ^leaf), and the result for each is cached.
type embedding struct {
	l    *layout
	t    *tree.Tree
	fits map[[2]int]bool
	out  []placement
}

func (e *embedding) root() int {
	if e.l.decisions == 0 {
		return ^0
	}
	return 0
}

// way is one of the ways of place: what is placed upon the left and right child of a decision; -1
// for nothing.
type way struct{ left, right int }

func (e *embedding) ways(node int) []way {
	n := &e.t.Nodes[node]
	if n.Leaf() {
		return []way{{node, -1}, {-1, node}}
	}
	return []way{{n.Left, n.Right}, {n.Right, n.Left}, {node, -1}, {-1, node}}
}

// fit reports whether the subtree of t at node can be placed upon a decision or ^leaf.
func (e *embedding) fit(node, upon int) bool {
	if node < 0 {
		return true
	}
	if upon < 0 {
		n := &e.t.Nodes[node]
		return n.Leaf() && n.Class == e.l.leaves[^upon].class
	}
	key := [2]int{node, upon}
	ok, known := e.fits[key]
	if !known {
		for _, w := range e.ways(node) {
			if ok = e.fit(w.left, e.l.left[upon]) && e.fit(w.right, e.l.right[upon]); ok {
				break
			}
		}
		e.fits[key] = ok
	}
	return ok
}

// lay sets out for a pair that fits.
func (e *embedding) lay(node, upon int) {
	if node < 0 || upon < 0 {
		return
	}
	for k, w := range e.ways(node) {
		if !e.fit(w.left, e.l.left[upon]) || !e.fit(w.right, e.l.right[upon]) {
			continue
		}
		if w.left >= 0 && w.right >= 0 {
			e.out[upon] = placement{node: node, swapped: k == 1}
		} else {
			e.out[upon] = placement{node: -1, right: w.left < 0}
		}
		e.lay(w.left, e.l.left[upon])
		e.lay(w.right, e.l.right[upon])
		return
	}
}

// misfit returns an error for the first node of t, from the root, none of whose subtree can be
// placed anywhere, or else for the root.
func (f *Formulation) misfit(t *tree.Tree) error {
	e := &embedding{l: f.layout, t: t, fits: map[[2]int]bool{}}
	text := f.opts.Structure.Text(f.g.ds.Classes)
	worst := 0
	for node := range t.Nodes {
		if !e.anywhere(node) {
			worst = node // children come after their parent: the last one is a smallest subtree
		}
	}
	what := "its subtree"
	if n := &t.Nodes[worst]; n.Leaf() {
		what = fmt.Sprintf("its leaf of class %q", t.Classes[n.Class])
	}
	return point.NoStart(worst, "%s fits nowhere in the structure %s", what, text)
}

func (e *embedding) anywhere(node int) bool {
	for d := range e.l.decisions {
		if e.fit(node, d) {
			return true
		}
	}
	for k := range e.l.leaves {
		if e.fit(node, ^k) {
			return true
		}
	}
	return false
}

// LayOver returns t laid over the structure of the options, norm(t) of Formulation: the tree of a
// warm start, without building the formulation. If ctx ends, its decisions are scaled less well.
// Errors: those of Build, and formulate.ErrNoStart for a tree that does not fit.
func (o Options) LayOver(ctx context.Context, ds *dataset.Dataset, t *tree.Tree) (*tree.Tree, error) {
	f, err := o.prepare(ds)
	if err != nil {
		return nil, err
	}
	planes, err := f.norm(ctx, t)
	if err != nil {
		return nil, err
	}
	return f.toTree(planes)
}
