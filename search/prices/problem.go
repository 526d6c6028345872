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

// problem is the data by points: rows with equal features reach the same leaf, so only their sums
// matter. It is immutable.
type problem struct {
	source *dataset.Dataset
	points *dataset.Dataset // one row per point; its Y and Weight are meaningless
	pre    *tree.Presort    // of points

	n, k    int
	cost    []float64 // (n, k) cost of predicting class k at a point, minus the minimum of the point
	mass    []float64 // (n) weight of a point's rows, at most N_min, for the minimum leaf weight
	total   float64   // weight of all rows
	class   []float64 // (n, k) weight by the rows' classes; nil without a purity constraint
	pure    float64   // minimum fraction of a leaf's weight that has its class
	signs   []int8    // (p) of monotone features; nil for none
	rank    []int     // (k) of classes, if they have an order
	rows    []row
	dims    []dim
	price   float64 // penalty per split, alpha Lhat
	scale   float64 // Lhat
	step    float64 // of values; 0 for none
	noise   float64 // rounding of sums from which costs are added and subtracted
	depth   int
	splits  int
	minLeaf float64 // N_min; 0 if every point is heavy enough
	whole   *grid   // costs, sums of rows and weights as whole numbers

	fixed *tree.Tree // fixed splits, each of which separates points; nil for none
	base  *shape     // its shape
}

// row is a constraint.Row on points.
type row struct {
	class int
	g     []float64 // (n)
	h     float64   // upper limit of the sum
	size  float64   // sum of all |g|
	noise float64   // rounding of sums of g
	text  string
}

// dim is one price: of a row, or of a row up and its opposite down, of which at most one has a
// positive price. A price is per unit of g: cost_i,class += u g_i for either sign of u.
type dim struct {
	up, down int     // rows; down is -1 if there is none
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
	// A row of weight N_min suffices for its leaf, and does not hide lighter rows in sums.
	for q := range p.mass {
		if p.minLeaf > 0 {
			p.mass[q] = min(p.mass[q], p.minLeaf)
		}
	}
	p.scale = tree.ErrorScale(ds)
	p.price = o.Alpha * p.scale
	if most := p.dearest(); most > 0 {
		p.price = min(p.price, 2*most) // above that, fewer splits are always better
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
		return fmt.Errorf("prices: the constraint %s does not match the data: %d numbers for %d rows, class %d of %d", r.Text, len(r.G), len(index), r.Class, p.k)
	}
	g, size := make([]float64, p.n), 0.0
	for i, q := range index {
		g[q] += r.G[i]
		size += math.Abs(r.G[i])
	}
	p.rows = append(p.rows, row{class: r.Class, g: g, h: r.H + r.Slack, size: size, noise: verify.SumError(p.n, size), text: r.Text})
	return nil
}

// pairRows finds opposite rows: |a - b| <= d is two rows with one price.
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

// opposite also requires that some sum satisfies both rows; then the Lagrangian of the pair is
// concave.
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

// allowed reports whether a leaf with these weights per class may have class k.
func (p *problem) allowed(class []float64, k int) bool {
	return p.class == nil || constraint.PureEnough(class, k, p.pure)
}

// ordered reports whether the classes low and high may stand left and right of a split on a
// feature.
func (p *problem) ordered(f int32, low, high int) bool {
	return p.signs == nil || int(p.signs[f])*(p.rank[high]-p.rank[low]) >= 0
}

// dearest returns an upper bound on the cost of the predictions of any tree.
func (p *problem) dearest() float64 {
	v := 0.0
	for q := range p.n {
		v += slices.Max(p.cost[q*p.k : (q+1)*p.k])
	}
	return v * (1 + 1e-9)
}

// worst returns an upper bound on the value of any tree.
func (p *problem) worst() float64 { return p.dearest() + p.price*float64(p.splits) }

// setCosts applies changed costs.
func (p *problem) setCosts() {
	p.noise = verify.SumError(p.n, p.dearest())
	p.whole = newGrid(p)
}

// near returns the problem with costs capped at the value of the best tree known, which changes no
// better tree's value: see refine in package exact.
func (p *problem) near(value float64) *problem {
	cut := *p
	cut.cost, cut.price = slices.Clone(p.cost), min(p.price, value)
	for i, v := range cut.cost {
		cut.cost[i] = min(v, value)
	}
	cut.setCosts()
	return &cut
}

// possibleValue returns the smallest value >= bound that a tree may have.
func (p *problem) possibleValue(bound float64) float64 {
	if p.step > 0 {
		return math.Ceil(bound/p.step-1e-7) * p.step
	}
	return bound
}

// closes reports whether a bound proves that no tree is better than one with the given value, the
// sum of the costs it pays.
func (p *problem) closes(bound, value float64) bool {
	bound = max(0, p.possibleValue(bound)) // no tree costs less than 0
	return bound >= value || verify.Negligible(value-bound, value)
}

// setFixed lays out the fixed splits: those of t that separate points.
func (p *problem) setFixed(t *tree.Tree) error {
	if t == nil {
		return nil
	}
	if t = t.Collapse(p.points); t.Splits() == 0 {
		return nil
	}
	if depth := t.Depth(); depth > p.depth {
		return fmt.Errorf("prices: the fixed splits have depth %d; the maximum is %d", depth, p.depth)
	}
	p.fixed = t
	p.base = p.shapeOf(t)
	p.mark(p.base)
	return nil
}

// possible reports whether any shape exists: the number of fixed splits is within the limit and
// every leaf is heavy enough.
func (p *problem) possible() bool {
	return p.base == nil || p.base.splits() <= p.splits && p.admits(p.sums(p.base))
}

// first returns the initial shape: the fixed splits, or the single leaf.
func (p *problem) first() *shape {
	if p.base != nil {
		return p.base.clone()
	}
	return &shape{nodes: []node{{feature: -1}}, leaves: []int32{0}}
}

// mark marks the fixed splits of a shape, which begins with those of base.
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

// admitted returns the shape of a warm start: its subtrees at each leaf of the fixed splits, as far
// as the depth allows; nil if it is infeasible.
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

// shape holds the splits of a tree on ranks of values: a point goes left at a node if the rank of
// its value is at most rank. Children come after their parent.
type shape struct {
	nodes  []node
	leaves []int32 // nodes that are leaves
}

type node struct {
	feature     int32 // -1 at a leaf
	rank        int32
	left, right int32
	leaf        int32 // index in leaves
	stays       bool  // the split is fixed
}

func (t *shape) splits() int { return len(t.nodes) - len(t.leaves) }

func (t *shape) clone() *shape {
	return &shape{slices.Clone(t.nodes), slices.Clone(t.leaves)}
}

// shapeOf returns the shape of a univariate tree on the points' features; it begins with the fixed
// splits.
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

// find returns the leaf, as an index into leaves, that point q reaches from node at.
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

// sums holds the sums of the leaves of a shape.
type sums struct {
	leaf []int32   // (n) leaf of each point
	cost []float64 // (leaves, k)
	g    []float64 // (leaves, rows) of each row, if its class were predicted
	mass []float64 // (leaves)

	points []int // (leaves)

	class []float64 // (leaves, k) with a purity constraint
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

// add adds point q to leaf l, or with sign -1 subtracts it.
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

// admits reports whether each leaf has a point and is heavy enough.
func (p *problem) admits(s *sums) bool {
	for l, m := range s.mass {
		if s.points[l] == 0 || !tree.EnoughWeight(m, p.minLeaf) {
			return false
		}
	}
	return true
}

// tree builds the tree of a shape with the classes of its leaves.
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

// gridBits is the binary logarithm of the number of units in the largest sum.
const gridBits = 60

// grid is the problem in whole numbers, each kind in multiples of a power of two. So sums do not
// depend on their order, and differences of sums are exact.
type grid struct {
	cost  scaled // (n, k)
	price int64  // penalty per split
	g     []scaled
	mass  scaled
	class scaled // empty without a purity constraint
}

// scaled holds numbers as multiples of unit. The rounding errors of all points add up to at most
// off units, 0 if the numbers are such multiples.
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
	w.cost.off += int64(leaves) // the penalty is rounded at each split
	for r := range p.rows {
		w.g = append(w.g, scale(p.rows[r].g, 1, math.Abs(p.rows[r].h)))
	}
	w.mass = scale(p.mass, 1, 0)
	if p.class != nil {
		w.class = scale(p.class, p.k, 0)
	}
	return w
}

// scale rounds values to a unit that holds the sum of values plus more. There are each values per
// point, of which a sum includes at most one.
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

// of returns v in units.
func (s *scaled) of(v float64) int64 { return int64(math.Round(v / s.unit)) }
