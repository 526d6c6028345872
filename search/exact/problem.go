package exact

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/mio/verify"
	"github.com/octgen/octgen/tree"
)

// problem is the data as the search sees it; it does not change.
//
// Weights are in their common unit (dataset.Unit), whole numbers where they have
// one, so that sums are exact and a better tree is better by one at least; all
// values of the search are in these units.
type problem struct {
	kept []int         // its features, without constant and repeated ones, among those of the data
	pre  *tree.Presort // of the data

	n, p, k     int
	binary      int         // the first so many features have two values, and their pairs are counted
	pure        bool        // they are all: nodes have bits only
	bits        *bitLayout  // nil where binary is 0
	class       []int32     // (n)
	weight      []float64   // (n) with costs, what the dearest answer costs more than the cheapest
	cost        []float64   // (n, K) of answers, the least of each row 0; nil without costs
	gain        []float64   // (n, K) weight - cost, of three classes or more; else nil: see setCosts
	leaf        []float64   // (n) weights as leaves count them, where that matters and they are others; else nil
	unavoidable []float64   // (n) on one row of each point, the errors that its rows force on every tree
	mode        []int32     // (p) rank of the most frequent value; -1 where it is rare
	start       []int32     // (p) see layout
	room        int         // of all features
	hash        [][2]uint64 // (n) random numbers: see key
	spread      []uint64    // (n) the row's narrow lane value, four times; nil where there are none: see lanes.go
	wide        []int32     // (n) the row's wide lane value, nil where there are none
	floors      []float64   // (n) weights as wide lanes have them, nil where there are none
	wideCost    []int32     // (n, K) costs as wide lanes have them: see lanes.go
	grain       float64     // one of a wide lane, in units: a power of two
	total       float64

	rows     *dataset.Dataset
	baseline float64 // Lhat
	offset   float64 // what every tree costs beside its value: see labelCosts
	integral bool    // all weights are whole
	refined  bool    // by refine: see there
	unit     bool    // all weights are 1
	rules    Rules

	depth       int  // most levels of splits
	leafBlurred bool // rounding may decide which leaves are heavy enough

	lambda  float64 // price of a split: alpha * Lhat
	minLeaf float64 // least weight of a leaf less a tolerance; 0 where every row is heavy enough
	step    float64 // a better value is better by at least this
	tol     float64 // what differs by less is equal
	slack   float64 // what tol may add up to in the nodes of a tree; 0 where values are whole
}

// maxRows is what an entry can address.
const maxRows = math.MaxUint32 / laneBytes

// tooLarge says what of merged data is more than a problem takes.
func tooLarge(merged *dataset.Dataset) error {
	if merged.N() > maxRows {
		return fmt.Errorf("treesearch: %d distinct rows; at most %d are possible", merged.N(), maxRows)
	}
	if merged.K() > math.MaxUint16/2 {
		return errors.New("treesearch: more than 32,767 classes")
	}
	return nil
}

// newProblem lays out merged data, which are presorted and whose weights, like
// Options.MinLeaf, are in units.
func newProblem(l laidOut, o *Options) *problem {
	merged, unit := l.rows, l.unit
	p := &problem{
		pre: l.pre, rules: o.Rules, n: merged.N(), k: merged.K(),
		class: make([]int32, merged.N()), rows: merged, depth: o.Depth, refined: l.refined,
	}
	for i, y := range merged.Y {
		p.class[i] = int32(y)
	}
	p.weight, p.total, p.integral = merged.Weight, unit.Total, unit.Whole
	p.unit = unit.Whole && maxOf(p.weight) == 1 && minOf(p.weight) == 1
	p.baseline = tree.ErrorScale(merged)
	if l.costs != nil {
		p.setCosts(l.costs)
	}
	p.setLeaves(l.costs, o)
	p.chooseFeatures(o.scalar)
	p.findUnavoidable(merged)
	if !p.pure {
		p.findModes()
	}

	// where no split pays, how little does not matter
	p.lambda = min(o.Alpha*p.baseline, 2*p.total)
	p.setTolerance(o.Depth)
	if lanesAvailable && !o.scalar {
		p.layLanes()
	}
	random := rand.NewPCG(0x6f637467656e, 1)
	p.hash = make([][2]uint64, p.n)
	for i := range p.hash {
		p.hash[i] = [2]uint64{random.Uint64(), random.Uint64()}
	}
	return p
}

// ranks, order and values are the presort's for feature f of the problem.
func (p *problem) ranks(f int) []int32    { return p.pre.Ranks(p.kept[f]) }
func (p *problem) order(f int) []int32    { return p.pre.Order(p.kept[f]) }
func (p *problem) values(f int) []float64 { return p.pre.Values(p.kept[f]) }

// blur is by how much an optimum can miss the least value, 0 where that is negligible
// beside the tree's own terms, or less than half of what any two values differ by.
func (p *problem) blur(value float64) float64 {
	if p.step > 0 {
		return 0
	}
	off := p.tol + p.slack
	if verify.Negligible(off, value+p.offset) {
		return 0
	}
	if p.integral && p.lambda < p.total { // a tree of more splits than its errors is a leaf
		values := verify.Lattice{Errors: 1, Price: p.lambda, Most: full(p.depth)}
		if off < values.Step()/2 {
			return 0
		}
	}
	return off
}

// setLeaves decides whether the least leaf matters, and how rows count for it.
func (p *problem) setLeaves(c *labelCosts, o *Options) {
	leaf := p.weight
	if c != nil {
		leaf = c.points.Weight
	}
	if tree.EnoughWeight(minOf(leaf), o.MinLeaf) {
		return
	}
	p.minLeaf = tree.LeastWeight(o.MinLeaf)
	p.leafBlurred = leavesBlur(leaf, o.MinLeaf)
	if c != nil {
		p.leaf = leaf
	}
}

// leavesBlur reports whether rounding of sums of weights may decide which leaves are heavy
// enough.
func leavesBlur(weight []float64, minLeaf float64) bool {
	return !wholeNumbers(weight) && !verify.Negligible(verify.SumError(len(weight), sum(weight)), minLeaf)
}

func wholeNumbers(v []float64) bool {
	for _, x := range v {
		if x != math.Trunc(x) {
			return false
		}
	}
	return sum(v) <= 1<<52
}

func (p *problem) setTolerance(depth int) {
	if p.integral && p.lambda == 0 {
		p.step, p.tol, p.slack = 1, max(1e-6, p.total*0x1p-50), 0 // some units in the last place of any sum
		return
	}
	switch {
	case p.refined:
		p.tol = p.total * 0x1p-49
	case p.integral:
		p.tol = verify.WholeError(p.total)
	default:
		p.tol = verify.SumError(p.n, p.total)
	}
	p.slack = p.tol * float64(full(depth)+1)
}

// findUnavoidable puts the weight that every tree gets wrong at a point with
// rows of several classes on the first row of the point. Splits cannot part
// rows of a point, so the sum over a node's rows is a bound on its errors.
func (p *problem) findUnavoidable(merged *dataset.Dataset) {
	p.unavoidable = make([]float64, p.n)
	point, first := merged.Points()
	ends := make([]int32, len(first)+1) // of each point's rows in order
	for _, q := range point {
		ends[q+1]++
	}
	for q := range first {
		ends[q+1] += ends[q]
	}
	order := make([]int32, p.n)
	for i, q := range point {
		order[ends[q]] = int32(i)
		ends[q]++
	}
	class := make([]float64, p.k)
	from := int32(0)
	for q, row := range first {
		rows := order[from:ends[q]]
		from = ends[q]
		total, largest := 0.0, 0.0
		for _, i := range rows {
			total += p.weight[i]
			class[p.class[i]] += p.weight[i]
			largest = max(largest, class[p.class[i]])
		}
		p.unavoidable[row] = total - largest
		for _, i := range rows {
			class[p.class[i]] = 0
		}
	}
}

// leastMode is the least share of the rows, one in so many, that a mode has.
const leastMode = 16

// findModes chooses the modes and lays the features out.
func (p *problem) findModes() {
	p.mode, p.start = make([]int32, p.p), make([]int32, p.p)
	for f := range p.p {
		count := make([]int, len(p.values(f)))
		for _, r := range p.ranks(f) {
			count[r]++
		}
		p.mode[f], p.start[f] = -1, int32(p.room)
		p.room += p.n + 1
		if most := slices.Max(count); most*leastMode >= p.n {
			p.mode[f] = int32(slices.Index(count, most))
			p.room -= most
		}
	}
}

// thr is the value from which on a bound closes a search for values below ub.
func (p *problem) thr(ub float64) float64 {
	if p.step > 0 {
		return ub - p.step + p.tol
	}
	return ub - p.tol
}

// above is a bound that lets values through that equal v up to rounding.
func (p *problem) above(v float64) float64 { return v + p.step + 2*p.tol }

// whole rounds a bound up to the next possible value.
func (p *problem) whole(lb float64) float64 {
	if p.step > 0 {
		return math.Ceil(lb-p.tol/2) + 0 // no negative zero
	}
	return lb
}

// value is what t costs on ds, whose weights are in units.
func (p *problem) value(t *tree.Tree, ds *dataset.Dataset) float64 {
	if p.cost != nil {
		ds = p.rows // whose costs are in units
	}
	return t.Evaluate(ds).Excess + p.lambda*float64(t.Splits())
}

// objective turns a value into the OCT objective.
func (p *problem) objective(value float64) float64 { return (value + p.offset) / p.baseline }

func maxOf(v []float64) float64 {
	m := math.Inf(-1)
	for _, x := range v {
		m = max(m, x)
	}
	return m
}

func minOf(v []float64) float64 {
	m := math.Inf(1)
	for _, x := range v {
		m = min(m, x)
	}
	return m
}

func sum(v []float64) float64 {
	s := 0.0
	for _, x := range v {
		s += x
	}
	return s
}

// errorsOf is what a leaf with these weights per class errs on.
func errorsOf(class []float64) float64 { return sum(class) - maxOf(class) }

// laidOut is the rows that are searched: those of equal features and class are one, with
// costs all those of equal features. unit is that of their weights, pre nil where ctx has
// ended.
type laidOut struct {
	rows  *dataset.Dataset
	unit  dataset.Unit
	pre   *tree.Presort
	costs *labelCosts // nil where the data have no costs

	refined bool // costs were cut and rounded: see refine
}

func layOut(ctx context.Context, ds *dataset.Dataset, unit dataset.Unit, o *Options) laidOut {
	if ds.Cost != nil {
		return layOutCosts(ctx, ds, o.Presort)
	}
	l := laidOut{rows: ds, unit: unit, pre: o.Presort}
	if l.pre == nil {
		l.rows, _ = ds.Merge()
		l.pre, _ = tree.NewPresortContext(ctx, l.rows)
	}
	return l
}

// labelCosts is what a search of data with costs knows beside its rows: those of equal
// features are one, whose costs are the sums, less the least of each. See the package
// comment.
type labelCosts struct {
	points *dataset.Dataset // the rows with the weights by which leaves count them, and the costs of the data
	offset float64          // the least costs of the rows that were added up
}

// layOutCosts makes one row of those of equal features. given is the presort of ds, or
// nil.
func layOutCosts(ctx context.Context, ds *dataset.Dataset, given *tree.Presort) laidOut {
	excess, unit := ds.ExcessInUnits(dataset.MostUnits)
	points, first := addUpPoints(ds, excess)
	c, n, k := &labelCosts{points: points}, points.N(), points.K()
	l := laidOut{unit: unit, costs: c}

	rows := *points // its costs are the excess, in units
	rows.Y, rows.Weight, rows.Cost = make([]int, n), make([]float64, n), excess[:n*k]
	l.rows, l.unit.Total = &rows, 0
	for i := range n {
		class, least := rows.CheapestClass(i)
		costs := rows.CostsOf(i)
		for label := range costs {
			costs[label] -= least
			rows.Weight[i] = max(rows.Weight[i], costs[label])
		}
		rows.Y[i] = class
		c.offset += least
		l.unit.Total += rows.Weight[i]
	}
	if given != nil {
		l.pre = given.OfRows(first, rows.Y, rows.Weight)
	} else {
		l.pre, _ = tree.NewPresortContext(ctx, &rows)
	}
	return l
}

// addUpPoints returns the points of ds with their weights and costs, and the first row of
// each. What is beside the costs, (n, K), is added up in its place, too.
func addUpPoints(ds *dataset.Dataset, beside []float64) (*dataset.Dataset, []int) {
	index, first := ds.Points()
	points, k := ds.Subset(first), ds.K()
	points.Cost = make([]float64, len(first)*k)
	clear(points.Weight)
	clear(points.Count)
	sums := make([]float64, len(first)*k)
	for i, q := range index {
		points.Weight[q] += ds.Weight[i]
		points.Count[q] += ds.Count[i]
		for c, v := range ds.CostsOf(i) {
			points.Cost[int(q)*k+c] += v
		}
		for c, v := range beside[i*k : (i+1)*k] {
			sums[int(q)*k+c] += v
		}
	}
	copy(beside, sums)
	return points, first
}

// setCosts takes the costs over, and the objective's scale.
func (p *problem) setCosts(c *labelCosts) {
	p.cost, p.offset = p.rows.Cost, c.offset
	single := make([]float64, p.k)
	for at, v := range p.cost {
		single[at%p.k] += v
	}
	if p.baseline = minOf(single) + c.offset; p.baseline <= 0 {
		p.baseline = 1
	}
	if p.k <= 2 {
		return
	}
	p.gain = make([]float64, len(p.cost))
	for at, v := range p.cost {
		p.gain[at] = p.weight[at/p.k] - v
	}
}

const (
	// leastBinary is how many binary features beside others are treated on their own:
	// fewer are swept as cheaply as counted.
	leastBinary = 8
	// mostPairBytes is what the counts of their pairs may take, twice per worker: with
	// more binary features than that they are treated as all others are.
	mostPairBytes = 64 << 20
)

// chooseFeatures sets p.kept: the features with more than one value, but of those
// that divide the rows alike the first only; and binary ones first, where their pairs
// are counted.
func (p *problem) chooseFeatures(scalar bool) {
	p.kept = distinctFeatures(p.pre, p.n)
	p.p = len(p.kept)
	var binary, others []int
	for _, j := range p.kept {
		if len(p.pre.Values(j)) == 2 {
			binary = append(binary, j)
		} else {
			others = append(others, j)
		}
	}
	if scalar || p.leaf != nil || p.cost != nil && p.k > 2 || !p.integral || p.total > math.MaxInt32 || !worthCounting(len(binary), p.p, p.k) {
		return
	}
	p.kept, p.binary, p.pure = append(binary, others...), len(binary), len(others) == 0
	p.bits = newBitLayout(p)
}

func worthCounting(binary, features, classes int) bool {
	if binary == 0 || binary < features && binary < leastBinary {
		return false
	}
	groups := (binary + groupSize - 1) / groupSize
	return pairTiles(groups)*classes*tileSize*4 <= mostPairBytes
}

// distinctFeatures returns the features with more than one value whose order of the
// rows no feature before has, forwards or backwards: the cuts of such divide the rows
// in no other way.
func distinctFeatures(pre *tree.Presort, n int) []int {
	var kept []int
	alike := map[uint64][]int{}
	for j := range pre.P() {
		values := len(pre.Values(j))
		if values < 2 {
			continue
		}
		ranks := pre.Ranks(j)
		h := orderHash(ranks[:n], int32(values-1), backwards(ranks, int32(values-1)))
		known := false
		for _, i := range alike[h] {
			known = known || sameOrder(pre, i, j)
		}
		if !known {
			kept = append(kept, j)
			alike[h] = append(alike[h], j)
		}
	}
	return kept
}

// backwards says in which of its two directions an order is compared: so that the
// first row that is not in the middle comes before it.
func backwards(ranks []int32, last int32) bool {
	for _, r := range ranks {
		if 2*r != last {
			return 2*r > last
		}
	}
	return false
}

func orderHash(ranks []int32, last int32, backwards bool) uint64 {
	const prime = 0x9e3779b97f4a7c15
	h := uint64(last)
	for _, r := range ranks {
		if backwards {
			r = last - r
		}
		h = (h ^ uint64(r)) * prime
		h ^= h >> 29
	}
	return h
}

func sameOrder(pre *tree.Presort, i, j int) bool {
	a, b := pre.Ranks(i), pre.Ranks(j)
	last := int32(len(pre.Values(i)) - 1)
	if len(pre.Values(j)) != len(pre.Values(i)) {
		return false
	}
	turned := backwards(a, last) != backwards(b, last)
	for r, x := range a {
		y := b[r]
		if turned {
			y = last - y
		}
		if x != y {
			return false
		}
	}
	return true
}
