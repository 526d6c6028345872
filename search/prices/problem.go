package prices

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/mio/verify"
	"github.com/octgen/octgen/tree"
	"github.com/octgen/octgen/tree/constraint"
)

// problem is the data as this package sees them, by points: rows with equal features
// reach the same leaf, so that only their sums matter. It does not change.
type problem struct {
	source *dataset.Dataset
	points *dataset.Dataset // one row for each; its Y and Weight mean nothing
	pre    *tree.Presort    // of points

	n, k    int
	cost    []float64 // (n, k) of answering k at a point, above what no tree can save
	mass    []float64 // (n) weight of a point's rows, N_min at most, for the least leaf
	total   float64   // weight of all rows
	class   []float64 // (n, k) weight by the rows' classes; nil where leaves may be impure
	pure    float64   // least part of a leaf's weight of its class
	signs   []int8    // (p) of monotone features; nil for none
	rank    []int     // (k) of classes, where there are
	rows    []row
	dims    []dim
	price   float64 // of a split, alpha Lhat
	scale   float64 // Lhat
	step    float64 // of values, 0 for none
	noise   float64 // rounding of sums of costs that were added and taken away again
	depth   int
	splits  int
	minLeaf float64 // N_min; 0 where every point is heavy enough
	whole   *grid   // costs, sums of rows and weights as whole numbers

	fixed *tree.Tree // splits that stay, each of which parts points; nil for none
	base  *shape     // of it
}

// row is a constraint.Row on points.
type row struct {
	class int
	g     []float64 // (n)
	h     float64   // sums up to here hold
	size  float64   // of all |g|
	noise float64   // rounding of sums of g
	text  string
}

// dim is one price: of a row, or of a row up and its opposite down, of which at most one
// is paid. A price is for one unit of g: cost_i,class += u g_i for either sign of u.
type dim struct {
	up, down int     // rows; down is -1 for none
	unit     float64 // a price of 1 per unit of weight on average
}

func newProblem(ctx context.Context, ds *dataset.Dataset, o *Options) (*problem, error) {
	p := &problem{source: ds, k: ds.K(), depth: o.Depth, splits: 1<<o.Depth - 1, minLeaf: o.MinLeaf}
	if o.MaxSplits > 0 {
		p.splits = min(p.splits, o.MaxSplits)
	}
	index, first := ds.Points()
	p.n = len(first)
	p.points = ds.Subset(first)
	p.points.Cost, p.points.Line = nil, nil
	var err error
	if p.pre, err = tree.NewPresortContext(ctx, p.points); err != nil {
		return nil, err
	}
	p.cost, p.mass = make([]float64, p.n*p.k), make([]float64, p.n)
	if p.signs = o.Monotone; p.signs != nil {
		p.rank = o.Rank
	}
	if p.pure = o.Purity; p.pure > 0 {
		p.class = make([]float64, p.n*p.k)
		for i, q := range index {
			p.class[int(q)*p.k+ds.Y[i]] += ds.Weight[i]
		}
	}
	excess := ds.Excess()
	for i, q := range index {
		p.mass[q] += ds.Weight[i]
		p.total += ds.Weight[i]
		for c, v := range excess[i*p.k : (i+1)*p.k] {
			p.cost[int(q)*p.k+c] += v
		}
	}
	if tree.EnoughWeight(slices.Min(p.mass), p.minLeaf) {
		p.minLeaf = 0 // every leaf has a point
	}
	// A row of N_min is enough for its leaf, and hides no lighter one in sums.
	for q := range p.mass {
		if p.minLeaf > 0 {
			p.mass[q] = min(p.mass[q], p.minLeaf)
		}
	}
	p.scale = tree.ErrorScale(ds)
	p.price = o.Alpha * p.scale
	if most := p.dearest(); most > 0 {
		p.price = min(p.price, 2*most) // beyond that fewer splits are always better
	} else {
		p.price = min(p.price, 1)
	}
	if o.Alpha == 0 {
		p.step = o.Step
	}
	for i := range o.Rows {
		if err := p.addRow(&o.Rows[i], index); err != nil {
			return nil, err
		}
	}
	p.pairRows()
	p.setCosts()
	return p, p.setFixed(o.Fixed)
}

func (p *problem) addRow(r *constraint.Row, index []int32) error {
	if len(r.G) != len(index) || r.Class < 0 || r.Class >= p.k {
		return fmt.Errorf("lagrange: the constraint %s is not of these data: %d numbers for %d rows, class %d of %d", r.Text, len(r.G), len(index), r.Class, p.k)
	}
	g, size := make([]float64, p.n), 0.0
	for i, q := range index {
		g[q] += r.G[i]
		size += math.Abs(r.G[i])
	}
	p.rows = append(p.rows, row{class: r.Class, g: g, h: r.H + r.Slack, size: size, noise: verify.SumError(p.n, size), text: r.Text})
	return nil
}

// pairRows finds the rows that are opposite: |a - b| <= d are two rows with one price.
func (p *problem) pairRows() {
	paired := make([]bool, len(p.rows))
	for i := range p.rows {
		if paired[i] {
			continue
		}
		d := dim{up: i, down: -1, unit: 1}
		if size := p.rows[i].size; size > 0 {
			d.unit = p.total / size
		}
		for j := i + 1; j < len(p.rows) && d.down < 0; j++ {
			if !paired[j] && opposite(&p.rows[i], &p.rows[j]) {
				paired[j], d.down = true, j
			}
		}
		p.dims = append(p.dims, d)
	}
}

// opposite also asks that some sum holds both: the Lagrangian of a pair is concave then.
func opposite(a, b *row) bool {
	if a.class != b.class || a.h+b.h < 0 {
		return false
	}
	for i, v := range a.g {
		if v != -b.g[i] {
			return false
		}
	}
	return true
}

// allowed says whether a leaf of the weights per class may answer k.
func (p *problem) allowed(class []float64, k int) bool {
	return p.class == nil || constraint.PureEnough(class, k, p.pure)
}

// ordered says whether classes may stand left and right of a split on a feature.
func (p *problem) ordered(f int32, low, high int) bool {
	return p.signs == nil || int(p.signs[f])*(p.rank[high]-p.rank[low]) >= 0
}

// dearest is more than the answers of any tree cost.
func (p *problem) dearest() float64 {
	v := 0.0
	for q := range p.n {
		v += slices.Max(p.cost[q*p.k : (q+1)*p.k])
	}
	return v * (1 + 1e-9)
}

// worst is more than any tree costs.
func (p *problem) worst() float64 { return p.dearest() + p.price*float64(p.splits) }

// setCosts takes changed costs over.
func (p *problem) setCosts() {
	p.noise = verify.SumError(p.n, p.dearest())
	p.whole = newGrid(p)
}

// near is the problem with costs cut at the value of the best tree that is known, which
// changes no better tree's value: see refine in package exact.
func (p *problem) near(value float64) *problem {
	cut := *p
	cut.cost, cut.price = slices.Clone(p.cost), min(p.price, value)
	for i, v := range cut.cost {
		cut.cost[i] = min(v, value)
	}
	cut.setCosts()
	return &cut
}

// possibleValue is the least value that is not below bound and that some tree may have.
func (p *problem) possibleValue(bound float64) float64 {
	if p.step > 0 {
		return math.Ceil(bound/p.step-1e-7) * p.step
	}
	return bound
}

// closes says whether a bound proves that trees are no better than one of the value, the
// sum of what that tree pays.
func (p *problem) closes(bound, value float64) bool {
	bound = max(0, p.possibleValue(bound)) // no tree costs less than nothing
	return bound >= value || verify.Negligible(value-bound, value)
}

// setFixed lays the splits that stay out: those of t that part points.
func (p *problem) setFixed(t *tree.Tree) error {
	if t == nil {
		return nil
	}
	if t = t.Collapse(p.points); t.Splits() == 0 {
		return nil
	}
	if depth := t.Depth(); depth > p.depth {
		return fmt.Errorf("lagrange: the splits that stay have depth %d; the greatest is %d", depth, p.depth)
	}
	p.fixed = t
	p.base = p.shapeOf(t)
	p.mark(p.base)
	return nil
}

// possible says whether there is a shape at all: the splits that stay are no more than the
// limit and leave enough to every leaf.
func (p *problem) possible() bool {
	return p.base == nil || p.base.splits() <= p.splits && p.admits(p.sums(p.base))
}

// first is the shape to begin with: the splits that stay, or the single leaf.
func (p *problem) first() *shape {
	if p.base != nil {
		return p.base.clone()
	}
	return &shape{nodes: []node{{feature: -1}}, leaves: []int32{0}}
}

// mark marks the splits of a shape that stay; it begins with those of base.
func (p *problem) mark(t *shape) {
	if p.base == nil {
		return
	}
	var down func(b, at int32)
	down = func(b, at int32) {
		of, n := &p.base.nodes[b], &t.nodes[at]
		if of.feature < 0 {
			return
		}
		n.stays = true
		down(of.left, n.left)
		down(of.right, n.right)
	}
	down(0, 0)
}

// admitted is the shape of a tree to begin with: what it does at each leaf of the splits
// that stay, as far as the depth allows; nil where it is no tree of the problem.
func (p *problem) admitted(t *tree.Tree) *shape {
	if p.base != nil {
		rows := make([][]int, len(p.fixed.Nodes))
		for q := range p.n {
			leaf := p.fixed.Find(p.points.Row(q))
			rows[leaf] = append(rows[leaf], q)
		}
		whole := p.fixed.Clone()
		for leaf := range p.fixed.Nodes {
			if p.fixed.Nodes[leaf].Leaf() {
				whole.Graft(leaf, t.Collapse(p.points.Subset(rows[leaf])))
			}
		}
		t = whole
	}
	if t.Depth() > p.depth || t.Splits() > p.splits {
		return nil
	}
	return p.shapeOf(t)
}

// shape is the splits of a tree, on ranks of values: a point goes left at a node where the
// rank of its value is at most rank. Children come after their parent.
type shape struct {
	nodes  []node
	leaves []int32 // nodes that are leaves
}

type node struct {
	feature     int32 // -1 at a leaf
	rank        int32
	left, right int32
	leaf        int32 // index in leaves
	stays       bool  // the split is one of those that stay
}

func (t *shape) splits() int { return len(t.nodes) - len(t.leaves) }

func (t *shape) clone() *shape {
	return &shape{slices.Clone(t.nodes), slices.Clone(t.leaves)}
}

// shapeOf is the shape of a univariate tree on the points' features, which begins with the
// splits that stay.
func (p *problem) shapeOf(t *tree.Tree) *shape {
	s := &shape{nodes: make([]node, len(t.Nodes))}
	for i := range t.Nodes {
		n := &t.Nodes[i]
		if n.Leaf() {
			s.nodes[i] = node{feature: -1, leaf: int32(len(s.leaves))}
			s.leaves = append(s.leaves, int32(i))
			continue
		}
		f := n.Split.Terms[0].Feature
		values := p.pre.Values(f)
		below, _ := slices.BinarySearch(values, n.Split.Threshold) // values below the threshold go left
		s.nodes[i] = node{feature: int32(f), rank: int32(below) - 1, left: int32(n.Left), right: int32(n.Right)}
	}
	p.mark(s)
	return s
}

// find is the leaf, an index in leaves, that point q reaches from node at.
func (p *problem) find(t *shape, at int32, q int) int32 {
	for {
		n := &t.nodes[at]
		switch {
		case n.feature < 0:
			return n.leaf
		case p.pre.Ranks(int(n.feature))[q] <= n.rank:
			at = n.left
		default:
			at = n.right
		}
	}
}

// sums are what the leaves of a shape hold.
type sums struct {
	leaf []int32   // (n) each point's
	cost []float64 // (leaves, k)
	g    []float64 // (leaves, rows) of each row, were its class answered
	mass []float64 // (leaves)

	points []int // (leaves)

	class []float64 // (leaves, k) where leaves have to be pure
}

func (p *problem) sums(t *shape) *sums {
	s := p.newSums(len(t.leaves))
	s.leaf = make([]int32, p.n)
	for q := range p.n {
		l := p.find(t, 0, q)
		s.leaf[q] = l
		p.add(s, int(l), q, 1)
	}
	return s
}

func (p *problem) newSums(leaves int) *sums {
	s := &sums{cost: make([]float64, leaves*p.k), g: make([]float64, leaves*len(p.rows)), mass: make([]float64, leaves), points: make([]int, leaves)}
	if p.class != nil {
		s.class = make([]float64, leaves*p.k)
	}
	return s
}

// add adds point q to leaf l, or with sign -1 takes it away.
func (p *problem) add(s *sums, l, q int, sign float64) {
	cost := s.cost[l*p.k : (l+1)*p.k]
	for k, v := range p.cost[q*p.k : (q+1)*p.k] {
		cost[k] += sign * v
	}
	g := s.g[l*len(p.rows) : (l+1)*len(p.rows)]
	for r := range p.rows {
		g[r] += sign * p.rows[r].g[q]
	}
	s.mass[l] += sign * p.mass[q]
	s.points[l] += int(sign)
	if p.class != nil {
		for k, v := range p.class[q*p.k : (q+1)*p.k] {
			s.class[l*p.k+k] += sign * v
		}
	}
}

// admits says whether the leaves are heavy enough, each with a point.
func (p *problem) admits(s *sums) bool {
	for l, m := range s.mass {
		if s.points[l] == 0 || !tree.EnoughWeight(m, p.minLeaf) {
			return false
		}
	}
	return true
}

// tree makes a tree of a shape with the classes of its leaves.
func (p *problem) tree(t *shape, labels []int) *tree.Tree {
	out := tree.NewLeaf(p.source, 0)
	var grow func(at int32, to int)
	grow = func(at int32, to int) {
		n := &t.nodes[at]
		if n.feature < 0 {
			out.Nodes[to].Class = labels[n.leaf]
			return
		}
		f := int(n.feature)
		l, r := out.Grow(to, tree.Univariate(f, p.pre.Threshold(f, int(n.rank))), 0, 0)
		grow(n.left, l)
		grow(n.right, r)
	}
	grow(0, 0)
	out.Annotate(p.source)
	return out
}

// gridBits is the number of units in the largest sum, as a power of two.
const gridBits = 60

// grid is the problem in whole numbers, each kind in multiples of a power of two, so that
// sums do not depend on their order and nothing is lost where a part is the difference of
// two others.
type grid struct {
	cost  scaled // (n, k)
	price int64  // of a split
	g     []scaled
	mass  scaled
	class scaled // empty where leaves may be impure
}

// scaled are numbers as multiples of unit. What the numbers of all points lost when they
// were rounded adds up to off units at most, 0 where they are such multiples themselves.
type scaled struct {
	v    []int64
	unit float64
	off  int64
}

func newGrid(p *problem) *grid {
	w := &grid{}
	leaves := float64(int(1) << p.depth)
	w.cost = scale(p.cost, p.k, p.price*leaves)
	w.price = w.cost.of(p.price)
	w.cost.off += int64(leaves) // the price is rounded at each split
	for r := range p.rows {
		w.g = append(w.g, scale(p.rows[r].g, 1, math.Abs(p.rows[r].h)))
	}
	w.mass = scale(p.mass, 1, 0)
	if p.class != nil {
		w.class = scale(p.class, p.k, 0)
	}
	return w
}

// scale rounds values, so many of each point of which a sum takes at most one, to a unit
// that holds their sum and as much again as more.
func scale(values []float64, each int, more float64) scaled {
	for part := range slices.Chunk(values, each) {
		most := 0.0
		for _, v := range part {
			most = max(most, math.Abs(v))
		}
		more += most
	}
	if more == 0 {
		return scaled{v: make([]int64, len(values)), unit: 1}
	}
	_, exponent := math.Frexp(more)
	s := scaled{v: make([]int64, len(values)), unit: math.Ldexp(1, max(exponent-gridBits, -1074))}
	lost := 0.0
	for at, part := range slices.Collect(slices.Chunk(values, each)) {
		most := 0.0
		for i, v := range part {
			n := s.of(v)
			s.v[at*each+i] = n
			most = max(most, math.Abs(v/s.unit-float64(n)))
		}
		lost += most
	}
	s.off = int64(math.Ceil(lost))
	return s
}

// of is v in units.
func (s *scaled) of(v float64) int64 { return int64(math.Round(v / s.unit)) }
