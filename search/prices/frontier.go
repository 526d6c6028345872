package prices

import (
	"math"
	"slices"

	"github.com/octgen/octgen/dataset"
)

// frontier finds the best tree that satisfies some of the rows, the active ones, from the outcomes
// of all trees in the window. For each part of the points, it keeps the outcomes that no other
// dominates in cost and in all active sums. Some best tree consists of such outcomes, because a
// subtree may be replaced by another on the same points with no larger cost and sums.
type frontier struct {
	*window
	active   []int // rows
	limited  int   // index of the sum that counts splits; -1 for none
	highest  int   // index of the highest class of a part; the negative lowest class follows; -1 for none
	sums     int
	most     []int64   // (sums) upper limits, including rounding
	cost     int64     // maximum cost of a tree of interest
	skipped  int64     // minimum cost of trees that satisfy the active rows but not all constraints; MaxInt64 for none
	weight   []float64 // (k) for pure
	violator *shape
	broken   []int // rows that the cheapest such tree violates
}

func newFrontier(s *solver, u []float64, active []int, work int64) *frontier {
	p := s.p
	f := &frontier{window: newWindow(s, u, work), active: active, skipped: math.MaxInt64, weight: make([]float64, p.k)}
	for _, r := range active {
		g := &p.whole.g[r]
		f.most = append(f.most, g.of(p.rows[r].h)+1+g.off)
	}
	f.sums = len(active)
	f.limited, f.highest = -1, -1
	if p.splits < 1<<p.depth-1 {
		f.limited = f.sums
		f.most = append(f.most, int64(p.splits))
		f.sums++
	}
	if p.signs != nil { // a subtree whose classes lie within those of another can replace it
		f.highest = f.sums
		f.most = append(f.most, math.MaxInt64, math.MaxInt64)
		f.sums += 2
	}
	f.narrow()
	return f
}

// gain returns the amount by which a tree must improve on this value to be of interest.
func (p *problem) gain(value float64) float64 {
	if p.step > 0 {
		return p.step * 0.999
	}
	return float64(2*p.whole.cost.off+2)*p.whole.cost.unit + same*value
}

// narrow narrows the window to the value of the best tree.
func (f *frontier) narrow() {
	if f.s.known() == math.Inf(1) { // without a tree, all are of interest
		f.below, f.cost = math.Inf(1), math.MaxInt64
		return
	}
	value := f.s.known() - f.p.gain(f.s.known())
	f.below = value + f.paid + f.noise
	f.cost = f.p.whole.cost.of(value) + f.p.whole.cost.off
}

// rootCut is a split of the root with the minimum priced cost of its trees.
type rootCut struct {
	feature int
	rank    int32
	l, r    float64
}

// run returns the proved bound and whether it completed. If it did, no tree that satisfies the rows
// costs less than the bound, which is the value of the best tree or the cost of a skipped tree.
func (f *frontier) run() (bound float64, ended bool) {
	if f.p.base != nil {
		return f.runBelow()
	}
	p, root := f.p, f.root()
	if len(root.order) == 0 {
		return math.Inf(-1), false
	}
	cuts := f.rootCuts(root)
	if f.failed {
		return math.Inf(-1), false
	}
	if p.depth == 1 { // all in one sweep
		f.stumps(root, 0, f.below, func(o *outcome) { f.offer(o) })
		return f.end()
	}
	slices.SortStableFunc(cuts, func(a, b rootCut) int {
		switch x, y := a.l+a.r, b.l+b.r; {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	})
	for _, c := range cuts {
		least := c.l + c.r + p.price
		if least >= f.below {
			break
		}
		f.both(root, p.depth, c, f.below, f.offer)
		if f.failed {
			return f.unpaid(least), false
		}
	}
	return f.end()
}

// unpaid returns a lower bound on the cost of trees with at least this priced cost.
func (f *frontier) unpaid(priced float64) float64 {
	return priced - f.paid - f.noise
}

// end returns the result of a complete enumeration.
func (f *frontier) end() (float64, bool) {
	bound := f.s.known()
	if f.p.step == 0 && bound < math.Inf(1) {
		bound -= f.p.gain(bound)
	}
	if cost := &f.p.whole.cost; f.skipped < math.MaxInt64 {
		bound = min(bound, float64(f.skipped-cost.off)*cost.unit)
	}
	return bound, true
}

// offer considers a tree for the whole data as the best.
func (f *frontier) offer(o *outcome) {
	if o.cost > f.cost || !f.within(o) || o.cost >= f.skipped {
		return
	}
	t, labels := f.shapeOf(o)
	sums := f.p.sums(t)
	f.s.spend(f.p.n * f.p.depth)
	broken, kept := f.p.broken(sums, labels)
	switch {
	case f.p.admits(sums) && f.s.keepBest(t, sums):
		f.narrow()
	case kept && f.s.keep(t, sums, labels): // labels that the search for labels could not reach
		f.narrow()
	}
	if !kept && o.cost <= f.cost { // the trees it dominates may satisfy what it violates
		f.skipped, f.violator, f.broken = o.cost, t, broken
	}
}

// within reports whether the active sums may be within their limits.
func (f *frontier) within(o *outcome) bool {
	for i, most := range f.most {
		if o.g[i] > most {
			return false
		}
	}
	return true
}

// broken returns the rows that labels violate; kept reports that there are none and that the leaves
// are heavy and pure enough.
func (p *problem) broken(s *sums, labels []int) (all []int, kept bool) {
	kept = p.admits(s)
	for l, k := range labels {
		kept = kept && (p.class == nil || p.allowed(s.class[l*p.k:(l+1)*p.k], k))
	}
	for r := range p.rows {
		sum := 0.0
		for l, k := range labels {
			if k == p.rows[r].class {
				sum += s.g[l*len(p.rows)+r]
			}
		}
		if sum > p.rows[r].h {
			all = append(all, r)
		}
	}
	return all, kept && len(all) == 0
}

// both emits the trees of depth d on a part with cut c at their root and priced cost below limit;
// of equivalent subtrees, one.
func (f *frontier) both(nd *part, d int, c rootCut, limit float64, emit func(*outcome)) {
	p := f.p
	l := &front{active: f.sums}
	r := &front{active: f.sums}
	limit -= p.price
	if d == 2 {
		ranks := p.pre.Ranks(c.feature)
		for _, q := range nd.order[c.feature] {
			f.side[q] = 1
			if ranks[q] <= c.rank {
				f.side[q] = 0
			}
		}
		f.stumps(nd, 0, limit-c.r, l.offer)
		f.stumps(nd, 1, limit-c.l, r.offer)
	} else {
		left, right := f.split(nd, c.feature, c.rank)
		f.trees(left, d-1, limit-c.r, l.offer)
		f.trees(right, d-1, limit-c.l, r.offer)
	}
	f.pairs(l, r, c, limit, emit)
}

// pairs emits the trees of a cut that combine one of l and one of r with total priced cost below
// limit.
func (f *frontier) pairs(l, r *front, c rootCut, limit float64, emit func(*outcome)) {
	if f.failed {
		return
	}
	p := f.p
	ls, rs := l.byPrice(), r.byPrice()
	for _, a := range ls {
		for _, b := range rs {
			if a.priced+b.priced >= limit {
				break
			}
			o := outcome{cost: a.cost + b.cost + p.whole.price, priced: a.priced + b.priced + p.price, feature: int32(c.feature), rank: c.rank, left: a, right: b}
			if f.join(&o) {
				emit(&o)
			}
		}
		f.s.spend(len(rs))
	}
}

// join sets the sums of a split from those of its two sides and reports whether their classes are
// allowed on its sides.
func (f *frontier) join(o *outcome) bool {
	a, b := o.left, o.right
	for i := range f.sums {
		o.g[i] = a.g[i] + b.g[i]
	}
	if f.limited >= 0 {
		o.g[f.limited]++
	}
	h := f.highest
	if h < 0 {
		return true
	}
	o.g[h], o.g[h+1] = max(a.g[h], b.g[h]), max(a.g[h+1], b.g[h+1])
	switch sign := f.p.signs[o.feature]; {
	case sign > 0:
		return a.g[h] <= -b.g[h+1]
	case sign < 0:
		return b.g[h] <= -a.g[h+1]
	}
	return true
}

// offer adds a copy of o unless it is dominated.
func (f *front) offer(o *outcome) {
	if !f.dominated(o) {
		c := *o
		f.add(&c)
	}
}

// trees emits the trees of depth d >= 2 on a part with priced cost below limit.
func (f *frontier) trees(nd *part, d int, limit float64, emit func(*outcome)) {
	for _, q := range nd.order[0] {
		f.side[q] = 0
	}
	f.leaves(nd, 0, limit, emit)
	if cuts, ok := f.listCuts(nd, d, limit); ok {
		for _, c := range cuts {
			f.both(nd, d, c, limit, emit)
		}
		return
	}
	f.cuts(nd, func() float64 { return limit }, func(feature int, rank int32) float64 {
		l, r := f.sideCosts(nd, d, feature, rank, limit)
		v := l + r + f.p.price
		if v < limit {
			f.both(nd, d, rootCut{feature, rank, l, r}, limit, emit)
		}
		return v
	})
}

// shapeOf returns the tree of an outcome.
func (f *frontier) shapeOf(o *outcome) (*shape, []int) {
	t := &shape{}
	var labels []int
	var grow func(o *outcome) int32
	grow = func(o *outcome) int32 {
		me := int32(len(t.nodes))
		if o.feature < 0 {
			t.nodes = append(t.nodes, node{feature: -1, leaf: int32(len(t.leaves))})
			t.leaves = append(t.leaves, me)
			labels = append(labels, int(o.label))
			return me
		}
		t.nodes = append(t.nodes, node{feature: o.feature, rank: o.rank})
		l := grow(o.left)
		r := grow(o.right)
		t.nodes[me].left, t.nodes[me].right = l, r
		return me
	}
	grow(o)
	f.p.mark(t)
	return t, labels
}

// leafSums are the sums of points in a leaf.
type leafSums struct {
	mass   int64
	points int
	cost   []int64   // (k)
	priced []float64 // (k)
	g      []int64   // (active)
	class  []int64   // (k) if leaves must be pure
}

func (f *frontier) newLeafSums() *leafSums {
	s := &leafSums{cost: make([]int64, f.p.k), priced: make([]float64, f.p.k), g: make([]int64, len(f.active))}
	if f.p.class != nil {
		s.class = make([]int64, f.p.k)
	}
	return s
}

func (f *frontier) addPoint(s *leafSums, q int32) {
	k, w := f.p.k, f.p.whole
	s.mass += w.mass.v[q]
	s.points++
	for c := range k {
		s.cost[c] += w.cost.v[int(q)*k+c]
		s.priced[c] += f.priced[int(q)*k+c]
	}
	for i, r := range f.active {
		s.g[i] += w.g[r].v[q]
	}
	for c := range s.class {
		s.class[c] += w.class.v[int(q)*k+c]
	}
}

// less sets s to a - b.
func (s *leafSums) less(a, b *leafSums) {
	s.mass, s.points = a.mass-b.mass, a.points-b.points
	for c := range s.cost {
		s.cost[c], s.priced[c] = a.cost[c]-b.cost[c], a.priced[c]-b.priced[c]
	}
	for i := range s.g {
		s.g[i] = a.g[i] - b.g[i]
	}
	for c := range s.class {
		s.class[c] = a.class[c] - b.class[c]
	}
}

// leafOutcome returns the outcome of predicting class k.
func (f *frontier) leafOutcome(s *leafSums, k int) outcome {
	o := outcome{cost: s.cost[k], priced: s.priced[k], feature: -1, label: int32(k)}
	for i, r := range f.active {
		if f.p.rows[r].class == k {
			o.g[i] = s.g[i]
		}
	}
	if h := f.highest; h >= 0 {
		o.g[h], o.g[h+1] = int64(f.p.rank[k]), -int64(f.p.rank[k])
	}
	return o
}

// leaves emits the leaves of the points of a part that are on a side.
func (f *frontier) leaves(nd *part, side int8, limit float64, emit func(*outcome)) *leafSums {
	all := f.newLeafSums()
	for _, q := range nd.order[0] {
		if f.side[q] == side {
			f.addPoint(all, q)
		}
	}
	for k := range f.p.k {
		if o := f.leafOutcome(all, k); o.priced < limit && f.heavy(all) && f.pure(all, k) {
			emit(&o)
		}
	}
	return all
}

// heavy and pure admit leaves that may be too light or impure only by rounding: the tree is checked
// again before it counts.
func (f *frontier) heavy(s *leafSums) bool {
	mass := &f.p.whole.mass
	return s.points > 0 && (f.p.minLeaf <= 0 || s.mass+mass.off+1 >= mass.of(f.p.minLeaf*(1-dataset.LeafTolerance)))
}

func (f *frontier) pure(s *leafSums, k int) bool {
	if s.class == nil {
		return true
	}
	weight, all := f.weight, 0.0
	for c, v := range s.class {
		weight[c] = float64(v)
		all += weight[c]
	}
	weight[k] += float64(f.p.whole.class.off) + 0x1p-50*all
	return f.p.allowed(weight, k)
}

// stumps emits the leaves and stumps of the points of a part that are on a side.
func (f *frontier) stumps(nd *part, side int8, limit float64, emit func(*outcome)) {
	all := f.leaves(nd, side, limit, emit)
	left, right := f.newLeafSums(), f.newLeafSums()
	f.s.spend(nd.n * len(nd.order) * (2 + len(f.active)))
	for feature, order := range nd.order {
		if f.stop() {
			return
		}
		ranks := f.p.pre.Ranks(feature)
		left.less(left, left)
		last := int32(-1)
		for _, q := range order {
			if f.side[q] != side {
				continue
			}
			if rank := ranks[q]; rank != last {
				if left.points > 0 {
					right.less(all, left)
					f.labelled(left, right, int32(feature), last, limit, emit)
				}
				last = rank
			}
			f.addPoint(left, q)
		}
	}
}

// labelled emits the stumps with a given cut.
func (f *frontier) labelled(left, right *leafSums, feature, rank int32, limit float64, emit func(*outcome)) {
	if !f.heavy(left) || !f.heavy(right) {
		return
	}
	p := f.p
	for a := range p.k {
		for b := range p.k {
			priced := left.priced[a] + right.priced[b] + p.price
			if a == b || priced >= limit || !f.pure(left, a) || !f.pure(right, b) || !p.ordered(feature, a, b) {
				continue
			}
			l, r := f.leafOutcome(left, a), f.leafOutcome(right, b)
			o := outcome{cost: l.cost + r.cost + p.whole.price, priced: priced, feature: feature, rank: rank, left: &l, right: &r}
			f.join(&o)
			emit(&o)
		}
	}
}

// fixedPart holds the points at a node of the fixed splits and, at their leaves, the remaining
// levels; least is the minimum priced cost of its trees.
type fixedPart struct {
	nd            *part
	feature, rank int32 // -1: a leaf
	depth         int
	least         float64
	left, right   *fixedPart
}

// lay lays out the subtree of base at a node. Its costs are valid only if nothing has failed.
func (f *frontier) lay(nd *part, at int32, depth int) *fixedPart {
	n := &f.p.base.nodes[at]
	x := &fixedPart{nd: nd, feature: n.feature, rank: n.rank, depth: depth}
	switch {
	case n.feature >= 0:
		left, right := f.split(nd, int(n.feature), n.rank)
		x.left, x.right = f.lay(left, n.left, depth-1), f.lay(right, n.right, depth-1)
		x.least = x.left.least + x.right.least + f.p.price
	case depth == 0:
		x.least = f.leaf(nd)
	default:
		x.least = f.leastTree(nd, depth, math.Inf(1))
	}
	return x
}

// grown emits the trees of a part with priced cost below limit; of equivalent subtrees, one.
func (f *frontier) grown(x *fixedPart, limit float64, emit func(*outcome)) {
	switch {
	case x.feature >= 0:
		l, r := &front{active: f.sums}, &front{active: f.sums}
		limit -= f.p.price
		f.grown(x.left, limit-x.right.least, l.offer)
		f.grown(x.right, limit-x.left.least, r.offer)
		f.pairs(l, r, rootCut{feature: int(x.feature), rank: x.rank}, limit, emit)
	case x.depth >= 2:
		f.trees(x.nd, x.depth, limit, emit)
	default:
		for _, q := range x.nd.order[0] {
			f.side[q] = 0
		}
		if x.depth == 0 {
			f.leaves(x.nd, 0, limit, emit)
		} else {
			f.stumps(x.nd, 0, limit, emit)
		}
	}
}

// runBelow is run with fixed splits.
func (f *frontier) runBelow() (bound float64, ended bool) {
	x := f.lay(f.root(), 0, f.p.depth)
	if f.failed {
		return math.Inf(-1), false
	}
	if x.least < f.below {
		f.grown(x, f.below, f.offer)
	}
	if f.failed {
		return f.unpaid(x.least), false
	}
	return f.end()
}
