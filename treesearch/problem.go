package treesearch

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/tree"
)

// problem is the data as the search sees it; it does not change.
//
// Weights are in their common unit (dataset.Unit), whole numbers where they have
// one, so that sums are exact and a better tree is better by one at least; all
// values of the search are in these units.
type problem struct {
	kept []int // its features, without constant ones, among those of the data
	pre  *tree.Presort

	n, p, k     int
	class       []int32     // (n)
	weight      []float64   // (n)
	unavoidable []float64   // (n) on one row of each point, the errors that its rows force on every tree
	mode        []int32     // (p) rank of the most frequent value; -1 where it is rare
	start       []int32     // (p) see layout
	room        int         // of all features
	hash        [][2]uint64 // (n) random numbers: see key
	spread      []uint64    // (n) the row's lane value, four times: see lanes.go
	total       float64

	baseline float64 // Lhat
	integral bool    // all weights are whole
	unit     bool    // all weights are 1
	lanes    bool    // nodes that are light enough go through the lanes
	rules    Rules

	lambda  float64 // price of a split: alpha * Lhat
	minLeaf float64 // least weight of a leaf less a tolerance; 0 where every row is heavy enough
	step    float64 // a better value is better by at least this
	tol     float64 // what differs by less is equal
	slack   float64 // what tol may add up to in the nodes of a tree; 0 where values are whole
}

// maxRows is what an entry can address.
const maxRows = math.MaxUint32 / laneBytes

// newProblem lays out ds, whose weights, and Options.MinLeaf, are in units.
func newProblem(ds *dataset.Dataset, unit dataset.Unit, o *Options) (*problem, error) {
	merged, _ := ds.Merge()
	merged, kept := merged.DropConstant()
	if merged.N() > maxRows {
		return nil, fmt.Errorf("treesearch: %d distinct rows; at most %d are possible", merged.N(), maxRows)
	}
	if merged.K() > math.MaxUint16/2 {
		return nil, errors.New("treesearch: more than 32,767 classes")
	}
	p := &problem{
		kept: kept, rules: o.Rules, n: merged.N(), p: merged.P(), k: merged.K(),
		class: make([]int32, merged.N()),
	}
	for i, y := range merged.Y {
		p.class[i] = int32(y)
	}
	p.weight, p.total, p.integral = merged.Weight, unit.Total, unit.Whole
	p.unit = unit.Whole && maxOf(p.weight) == 1
	p.pre = tree.NewPresort(merged)
	p.findUnavoidable()
	p.findModes()

	p.baseline = tree.ErrorScale(ds)
	// where no split pays, how little does not matter
	p.lambda = min(o.Alpha*p.baseline, 2*p.total)
	if !tree.EnoughWeight(minOf(p.weight), o.MinLeaf) {
		p.minLeaf = tree.LeastWeight(o.MinLeaf)
	}
	p.setTolerance(o.Depth)
	p.lanes = p.integral && maxOf(p.weight) <= math.MaxInt16 && lanesAvailable && !o.scalar
	p.spreadLanes()
	random := rand.NewPCG(0x6f637467656e, 1)
	p.hash = make([][2]uint64, p.n)
	for i := range p.hash {
		p.hash[i] = [2]uint64{random.Uint64(), random.Uint64()}
	}
	return p, nil
}

// accuracy is what rounding may make of a sum of weights, relative to their
// total; with a term for each row where the weights are not whole.
const (
	accuracy    = 1e-13
	accuracyRow = 4e-16
)

func (p *problem) setTolerance(depth int) {
	if p.integral && p.lambda == 0 {
		p.step, p.tol, p.slack = 1, max(1e-6, p.total*0x1p-50), 0 // some units in the last place of any sum
		return
	}
	p.tol = accuracy * p.total
	if !p.integral {
		p.tol += accuracyRow * float64(p.n) * p.total
	}
	p.slack = p.tol * float64(full(depth)+1)
}

// mostUnits is the largest sum of weights at which sums and parts of 1 can be told
// apart.
const mostUnits = 1 << 46

// findUnavoidable puts the weight that every tree gets wrong at a point with
// rows of several classes on the first row of the point. Splits cannot part
// rows of a point, so the sum over a node's rows is a bound on its errors.
func (p *problem) findUnavoidable() {
	p.unavoidable = make([]float64, p.n)
	type point struct {
		first          int
		total, largest float64
	}
	points := map[string]*point{}
	key := make([]byte, 4*p.p)
	for i := range p.n { // merged rows: one per point and class
		for j := range p.p {
			r := p.pre.Ranks(j)[i]
			key[4*j], key[4*j+1], key[4*j+2], key[4*j+3] = byte(r), byte(r>>8), byte(r>>16), byte(r>>24)
		}
		q := points[string(key)]
		if q == nil {
			q = &point{first: i}
			points[string(key)] = q
		}
		q.total += p.weight[i]
		q.largest = max(q.largest, p.weight[i])
	}
	for _, q := range points {
		p.unavoidable[q.first] = q.total - q.largest
	}
}

// leastMode is the least share of the rows, one in so many, that a mode has.
const leastMode = 16

// findModes chooses the modes and lays the features out.
func (p *problem) findModes() {
	p.mode, p.start = make([]int32, p.p), make([]int32, p.p)
	for f := range p.p {
		count := make([]int, len(p.pre.Values(f)))
		for _, r := range p.pre.Ranks(f) {
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
	return t.Evaluate(ds).ErrorWeight + p.lambda*float64(t.Splits())
}

// objective turns a value into the OCT objective.
func (p *problem) objective(value float64) float64 { return value / p.baseline }

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
