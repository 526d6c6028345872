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
	mass    []float64 // (n) weight of a point's rows, for the least leaf
	total   float64   // of mass
	class   []float64 // (n, k) of mass, by the rows' classes; nil where leaves may be impure
	pure    float64   // least part of a leaf's mass of its class
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
