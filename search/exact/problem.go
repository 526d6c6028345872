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

// problem is the data in the form that the search uses; it is immutable.
//
// Weights are in their common unit (dataset.Unit), whole numbers if they have one. Then sums are
// exact, and a better tree is better by at least one. All values of the search are in these units.
type problem struct {
	kept []int         // its features as indices into those of the data, without constant and repeated ones
	pre  *tree.Presort // of the data

	n, p, k     int
	binary      int         // the number of leading features that are binary and whose pairs are counted
	pure        bool        // all features are such; nodes hold only bits
	bits        *bitLayout  // nil if binary is 0
	class       []int32     // (n)
	weight      []float64   // (n) with costs, the difference between the most and the least expensive prediction
	cost        []float64   // (n, K) of predictions, the minimum of each row 0; nil without costs
	gain        []float64   // (n, K) weight - cost for three or more classes, else nil: see setCosts
	leaf        []float64   // (n) weights as leaves count them, if that matters and they differ from weight; else nil
	unavoidable []float64   // (n) on one row of each point, the errors that its rows force on every tree
	mode        []int32     // (p) rank of the most frequent value; -1 if it is rare
	start       []int32     // (p) see layout
	room        int         // of all features
	hash        [][2]uint64 // (n) random numbers: see key
	spread      []uint64    // (n) the row's narrow lane value, four times; nil if there are no narrow lanes: see lanes.go
	wide        []int32     // (n) the row's wide lane value; nil if there are no wide lanes
	floors      []float64   // (n) weights as wide lanes have them; nil if there are no wide lanes
	wideCost    []int32     // (n, K) costs as wide lanes have them: see lanes.go
	grain       float64     // value of one in a wide lane, in units: a power of two
	total       float64

	rows     *dataset.Dataset
	baseline float64 // Lhat
	offset   float64 // cost of every tree in addition to its value: see labelCosts
	integral bool    // all weights are whole
	refined  bool    // set by refine
	unit     bool    // all weights are 1
	rules    Rules

	depth       int  // maximum depth
	leafBlurred bool // rounding may decide which leaves are heavy enough

	lambda  float64 // penalty per split: alpha * Lhat
	minLeaf float64 // minimum leaf weight minus a tolerance; 0 if every row is heavy enough
	step    float64 // a better value is better by at least this
	tol     float64 // values that differ by less count as equal
	slack   float64 // bound on the sum of tol over the nodes of a tree; 0 if values are whole
}

// maxRows is the number of rows that an entry can address.
const maxRows = math.MaxUint32 / laneBytes

// tooLarge returns an error if the merged data exceed the limits of a problem.
func tooLarge(merged *dataset.Dataset) error {
	if merged.N() > maxRows {
		return fmt.Errorf("treesearch: %d distinct rows; the maximum is %d", merged.N(), maxRows)
	}
	if merged.K() > math.MaxUint16/2 {
		return errors.New("treesearch: more than 32,767 classes")
	}
	return nil
}

// newProblem lays out merged and presorted data; their weights and Options.MinLeaf are in units.
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

	// if no split pays, the amount does not matter
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

// ranks, order and values return the presort's for feature f of the problem.
func (p *problem) ranks(f int) []int32    { return p.pre.Ranks(p.kept[f]) }
func (p *problem) order(f int) []int32    { return p.pre.Order(p.kept[f]) }
func (p *problem) values(f int) []float64 { return p.pre.Values(p.kept[f]) }

// blur returns the maximum by which an optimum can miss the minimum value: 0 if that is negligible
// relative to the tree's own terms, or less than half the smallest difference between two values.
func (p *problem) blur(value float64) float64 {
	if p.step > 0 {
		return 0
	}
	off := p.tol + p.slack
	if verify.Negligible(off, value+p.offset) {
		return 0
	}
	if p.integral && p.lambda < p.total { // a tree with more splits than errors is no better than a leaf
		values := verify.Lattice{Errors: 1, Price: p.lambda, Most: full(p.depth)}
		if off < values.Step()/2 {
			return 0
		}
	}
	return off
}

// setLeaves decides whether the minimum leaf weight matters, and which weights leaves count.
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

// leavesBlur reports whether rounding of sums of weights may decide which leaves are heavy enough.
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
		p.step, p.tol, p.slack = 1, max(1e-6, p.total*0x1p-50), 0 // a few units in the last place of any sum
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

// findUnavoidable stores the weight that every tree misclassifies at a point with rows of several
// classes on the first row of the point. No split separates the rows of a point, so the sum over a
// node's rows bounds its errors.
func (p *problem) findUnavoidable(merged *dataset.Dataset) {
	p.unavoidable = make([]float64, p.n)
	point, first := merged.Points()
	ends := make([]int32, len(first)+1) // end of each point's rows in the order
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

// leastMode sets the minimum frequency of a mode: one row in leastMode.
const leastMode = 16

// findModes chooses the modes and lays out the features.
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

// width returns the number of places that feature f may have.
func (p *problem) width(f int) int {
	if f == p.p-1 {
		return p.room - int(p.start[f])
	}
	return int(p.start[f+1] - p.start[f])
}

// averageRow returns the mean weight of a row.
func (p *problem) averageRow() float64 { return p.total / float64(p.n) }

// thr returns the value at which a bound closes a search for values below ub.
func (p *problem) thr(ub float64) float64 {
	if p.step > 0 {
		return ub - p.step + p.tol
	}
	return ub - p.tol
}

// above returns a bound that admits values equal to v up to rounding.
func (p *problem) above(v float64) float64 { return v + p.step + 2*p.tol }

// whole rounds a bound up to the next possible value.
func (p *problem) whole(lb float64) float64 {
	if p.step > 0 {
		return math.Ceil(lb-p.tol/2) + 0 // avoid negative zero
	}
	return lb
}

// value returns the cost of t on ds, whose weights are in units.
func (p *problem) value(t *tree.Tree, ds *dataset.Dataset) float64 {
	if p.cost != nil {
		ds = p.rows // these have their costs in units
	}
	return t.Evaluate(ds).Excess + p.lambda*float64(t.Splits())
}

// objective converts a value into the OCT objective.
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

// errorsOf returns the error of a leaf with these weights per class.
func errorsOf(class []float64) float64 { return sum(class) - maxOf(class) }

// laidOut holds the rows to search: rows of equal features and class are merged; with costs, all
// rows of equal features. unit is the unit of their weights. pre is nil if ctx has ended.
type laidOut struct {
	rows  *dataset.Dataset
	unit  dataset.Unit
	pre   *tree.Presort
	costs *labelCosts // nil if the data have no costs

	refined bool // costs were capped and rounded: see refine
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

// labelCosts holds what a search of data with costs needs besides its rows. Rows of equal features
// are merged; their costs are summed and reduced by the minimum of each row. See the package
// comment.
type labelCosts struct {
	points *dataset.Dataset // the merged rows with the weights that leaves count, and the costs of the data
	offset float64          // sum of the minimum costs of the merged rows
}

// layOutCosts merges rows of equal features. given is the presort of ds, or nil.
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

// addUpPoints returns the points of ds with their summed weights and costs, and the first row of
// each. It also sums beside, (n, K), in place.
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

// setCosts stores the costs and the objective's scale.
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
	// leastBinary is the minimum number of binary features among others that are counted
	// separately: sweeping fewer is as cheap as counting them.
	leastBinary = 8
	// mostPairBytes is the maximum memory for the counts of pairs, needed twice per worker. With
	// more binary features than fit, they are treated like all others.
	mostPairBytes = 64 << 20
)

// chooseFeatures sets p.kept: the features with more than one value, only the first of those that
// divide the rows alike, binary ones first if their pairs are counted.
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

// distinctFeatures returns the features with more than one value, except those whose order of the
// rows, forwards or backwards, equals that of an earlier feature: their cuts divide the rows in no
// other way.
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

// backwards chooses the direction in which an order is compared: the one in which the first row
// that is not in the middle comes before it.
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
