package parts

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/hyperplane"
	"github.com/octgen/octgen/mio/verify"
	"github.com/octgen/octgen/tree"
)

// layout is the data for the bounds: equal rows merged, weights in their common unit, non-constant
// features scaled to [0, 1], as in hyperplane.Formulation.
type layout struct {
	data     *hyperplane.Data // of all rows; nil if no split is useful
	origin   *dataset.Dataset // the data as given
	src      *dataset.Dataset // annotates trees: the data, or the rows of a block
	ds       *dataset.Dataset // merged, weights in units
	ids      []int32          // indices of the rows of ds among all merged rows
	active   []int            // non-constant features
	training *tree.Training   // the data laid out
	low      []float64        // (active) of the scaling: x' = (x - low)/width
	width    []float64
	x        []float64 // (n, active) scaled
	total    float64   // of the weights
	lhat     float64   // error of the single leaf, or 1
	leaf     float64   // objective of the single leaf
	whole    bool      // weights are whole numbers of units
}

// newLayout lays ds out for a problem.
func newLayout(ctx context.Context, ds *dataset.Dataset, form hyperplane.Options) (*layout, error) {
	d := &layout{origin: ds, src: ds, training: form.Training}
	var err error
	if d.training == nil || d.training.Source != ds {
		if d.training, err = tree.NewTraining(ctx, ds); err != nil {
			return nil, err
		}
	}
	form.Training = d.training
	if d.data, err = form.Data(ctx, ds); err != nil && !errors.Is(err, formulate.ErrSingleLeaf) {
		return nil, err
	}
	d.ds, d.whole = d.training.Rows, d.training.Unit.Whole
	weights := d.ds.ClassWeights()
	heaviest := slices.Index(weights, slices.Max(weights))
	for c, w := range weights {
		d.total += w
		if c != heaviest {
			d.lhat += w
		}
	}
	if d.leaf = 1; d.lhat == 0 {
		d.leaf, d.lhat = 0, 1
	}
	d.ids = make([]int32, d.n())
	for i := range d.ids {
		d.ids[i] = int32(i)
	}
	d.scale()
	return d, nil
}

// scale maps every non-constant feature to [0, 1].
func (d *layout) scale() {
	n := d.n()
	for j := range d.ds.P() {
		low, high := math.Inf(1), math.Inf(-1)
		for i := range n {
			low, high = min(low, d.ds.At(i, j)), max(high, d.ds.At(i, j))
		}
		if low < high {
			d.active, d.low, d.width = append(d.active, j), append(d.low, low), append(d.width, high-low)
		}
	}
	d.x = make([]float64, 0, n*len(d.active))
	for i := range n {
		for jx, j := range d.active {
			d.x = append(d.x, (d.ds.At(i, j)-d.low[jx])/d.width[jx])
		}
	}
}

// of returns the layout of some rows, with the scale and Lhat of all.
func (d *layout) of(rows []int32) *layout {
	c := *d
	index := make([]int, len(rows))
	c.ids, c.x, c.total = make([]int32, len(rows)), make([]float64, 0, len(rows)*d.p()), 0
	for q, i := range rows {
		index[q], c.ids[q] = int(i), d.ids[i]
		c.x = append(c.x, d.row(int(i))...)
		c.total += d.weight(int(i))
	}
	c.ds = d.ds.Subset(index)
	c.src = c.ds
	weights := c.ds.ClassWeights()
	c.leaf = (c.total - slices.Max(weights)) / d.lhat
	return &c
}

func (d *layout) n() int               { return d.ds.N() }
func (d *layout) p() int               { return len(d.active) }
func (d *layout) class(i int) int      { return d.ds.Y[i] }
func (d *layout) weight(i int) float64 { return d.ds.Weight[i] }
func (d *layout) row(i int) []float64  { return d.x[i*d.p() : (i+1)*d.p()] }

// wrong returns the weight of the rows that a tree does not classify correctly with the margin.
func (d *layout) wrong(t *tree.Tree) (w float64) {
	right := d.data.Route(t)
	for i, id := range d.ids {
		if !right[id] {
			w += d.weight(i)
		}
	}
	return w
}

// lattice returns the set of values of an objective with at most most features, nil if the weights
// have no unit.
func (d *layout) lattice(alpha float64, most int) *verify.Lattice {
	if !d.whole {
		return nil
	}
	return &verify.Lattice{Errors: d.lhat, Price: alpha, Most: most, Slack: d.slack()}
}

// slack returns the maximum effect of a solver's tolerances on a bound.
func (d *layout) slack() float64 { return verify.BoundSlack * d.total / d.lhat }

// distance returns the maximum difference of two rows over the features, or some number above far
// as soon as it exceeds far.
func (d *layout) distance(i, k int, far float64) float64 {
	most := 0.0
	other := d.row(k)
	for jx, v := range d.row(i) {
		if most = max(most, math.Abs(v-other[jx])); most > far {
			return most
		}
	}
	return most
}

// cut returns the split, in the data's units, of a hyperplane on scaled features that gives the
// rows of left smaller values than those of right: halfway between them. It returns nil if rounding
// leaves nothing in between.
func (d *layout) cut(a []float64, left, right []int32) *tree.Split {
	s := &tree.Split{}
	for jx, v := range a {
		if v != 0 {
			s.Terms = append(s.Terms, tree.Term{Feature: d.active[jx], Weight: v / d.width[jx]})
		}
	}
	if len(s.Terms) == 1 && s.Terms[0].Weight > 0 {
		s.Terms[0].Weight = 1
	}
	value := func(i int32) (u float64) {
		for _, t := range s.Terms {
			u += t.Weight * d.ds.At(int(i), t.Feature)
		}
		return u
	}
	below, above := math.Inf(-1), math.Inf(1)
	for _, i := range left {
		below = max(below, value(i))
	}
	for _, i := range right {
		above = min(above, value(i))
	}
	if len(s.Terms) == 0 || !(below < above) {
		return nil
	}
	s.Threshold = tree.Midpoint(below, above)
	return s
}
