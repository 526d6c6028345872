package linear

import (
	"context"
	"fmt"
	"math"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/internal/build"
	"github.com/octgen/octgen/formulate/internal/point"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/tree"
)

// RLPOptions are the parameters of RLP and RLP-P. The zero value is RLP.
type RLPOptions struct {
	Perturbed bool    // RLP-P instead of RLP
	Eps       float64 // of RLP-P, in (0, 1); 0 means DefaultEps
	OmitNames bool    // leave variables and constraints unnamed, for in-process solving

	// Training is the layout of the data passed to Build, which only reads it. nil: Build lays out
	// the data.
	Training *tree.Training
}

// DefaultEps is the default weight of |w|_1 in RLP-P: 0.02 as in Bredensteiner & Bennett (1996),
// section 5.1.
const DefaultEps = 0.02

// RLP is the robust linear program for one linear split between two point sets (Bennett 1992,
// problem (2.1.3); Bredensteiner & Bennett 1996, problem (4)). With A the rows of the heaviest
// class (of equal ones the first), B all others, omega the row weights, m and k the weights of A
// and B, it is
//
//	min  (1/m) omega.u + (1/k) omega.v
//	u + A w - e gamma >= e,   v - B w + e gamma >= e,   u, v >= 0
//
// and RLP-P (1996, problem (10)), which also penalises the size of w, is
//
//	min  (1-eps) ((1/m) omega.u + (1/k) omega.v) + eps e.s     with   -s <= w <= s,  s >= 0
//
// Departures from the papers: there are row weights. With more than two classes, the heaviest is
// separated from the rest. Features are standardised (divisor n), which changes the error of no
// plane in RLP, but the meaning of |w| in RLP-P. Constant features are dropped, and rows of a set
// with equal features merged.
//
// The tree has one split in the data's units, w_j = w'_j / sd_j and b = gamma' + sum_j w'_j mean_j
// / sd_j: the left leaf, x.w < b, is B, the right one A. If B has several classes, the left leaf
// predicts the heaviest of them among its rows. Rows on the plane go right. A solution with w = 0,
// which occurs only if the class means are equal, is a single leaf.
//
// With n = n_A + n_B merged rows, p non-constant features, and Z the number of zeros among their
// standardised values, the model has
//
//	        columns       rows     nonzeros
//	RLP     n + p + 1     n        n (p + 2) - Z
//	RLP-P   n + 2p + 1    n + 2p   n (p + 2) - Z + 4p
//
// norm(t), the tree of a warm start, is t with its split multiplied by the positive number that
// minimises the error, which changes no prediction, and with the classes of its sides as above.
// Objective uses the split at its own scale; it is +Inf for trees with several splits that separate
// rows.
type RLP struct {
	opts  RLPOptions
	d     *twoSets
	model *mio.Model
	cols  rlpCols
}

// rlpCols holds the first variable of each block of RLP and RLP-P.
type rlpCols struct {
	w, s, gamma, slack mio.Col
}

// Build formulates RLP for ds. Errors: invalid options; data for which the single leaf is optimal
// (formulate.ErrSingleLeaf).
func (o RLPOptions) Build(ctx context.Context, ds *dataset.Dataset) (*RLP, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	d, err := newTwoSets(ds, o.Training)
	if err != nil {
		return nil, err
	}
	f := &RLP{opts: o, d: d}
	f.model, f.cols, err = d.rlpModel(ctx, o)
	return f, err
}

func (o RLPOptions) withDefaults() (RLPOptions, error) {
	if o.Perturbed && o.Eps == 0 {
		o.Eps = DefaultEps
	}
	switch {
	case o.Perturbed && !(o.Eps > 0 && o.Eps < 1):
		return o, fmt.Errorf("formulate: eps is %v, expected a number between 0 and 1", o.Eps)
	case !o.Perturbed && o.Eps != 0:
		return o, fmt.Errorf("formulate: eps is %v, but only RLP-P has an eps", o.Eps)
	}
	return o, nil
}

// Model returns the model.
func (f *RLP) Model() *mio.Model { return f.model }

// Options returns the options with their defaults filled in.
func (f *RLP) Options() RLPOptions { return f.opts }

// ClassA returns the class of the right leaf.
func (f *RLP) ClassA() int { return f.d.classA }

// Start returns the point of the model for norm(t).
func (f *RLP) Start(_ context.Context, t *tree.Tree) ([]float64, error) {
	pl, err := f.norm(t)
	if err != nil {
		return nil, err
	}
	v := make([]float64, f.model.NumCols())
	for jx, w := range pl.w {
		v[f.cols.w+mio.Col(jx)] = w
		if f.opts.Perturbed {
			v[f.cols.s+mio.Col(jx)] = math.Abs(w)
		}
	}
	v[f.cols.gamma] = pl.gamma
	f.d.startSlacks(v[f.cols.slack:], pl)
	return v, nil
}

// norm returns the plane of norm(t).
func (f *RLP) norm(t *tree.Tree) (separator, error) {
	pl, err := f.d.fromTree(t)
	if err != nil || pl.features() == 0 {
		return pl, err
	}
	return pl.times(f.d.curve(pl, f.opts.Eps, 0).least(f.d.largestScale(pl))), nil
}

// Decode returns the tree of a feasible point of the model.
func (f *RLP) Decode(values []float64) (*tree.Tree, error) {
	if err := point.Length(values, f.model.NumCols()); err != nil {
		return nil, err
	}
	w := f.cols.w
	return f.d.toTree(separator{values[w : int(w)+f.d.p()], values[f.cols.gamma]})
}

// Objective returns the error of t's split at its own scale.
func (f *RLP) Objective(t *tree.Tree) float64 {
	pl, err := f.d.fromTree(t)
	if err != nil {
		return math.Inf(1)
	}
	return f.d.errorOf(pl, f.opts.Eps)
}

// rlpModel builds problem (4) or (10).
func (d *twoSets) rlpModel(ctx context.Context, o RLPOptions) (m *mio.Model, c rlpCols, err error) {
	name := "rlp"
	if o.Perturbed {
		name = "rlp-p"
	}
	m, err = build.Model(ctx, d.rlpSize(o), name, o.OmitNames, func(b *mio.Builder) {
		c = d.rlpColumns(b, o)
		d.errorRows(b, func(jx int, v float64, r mio.Row) { b.Add(r, c.w+mio.Col(jx), v) }, c.gamma, c.slack)
		if o.Perturbed {
			d.sizeRows(b, c)
		}
	})
	return m, c, err
}

func (d *twoSets) rlpSize(o RLPOptions) formulate.Size {
	n, p := int64(d.n), int64(d.p())
	s := formulate.Size{Rows: n, Cols: n + p + 1, Nonzeros: n*(p+2) - d.zeros}
	if o.Perturbed {
		s.Add(formulate.Size{Rows: 2 * p, Cols: p, Nonzeros: 4 * p})
	}
	return s
}

// rlpColumns adds w (free), s of RLP-P, gamma (free), u and v.
func (d *twoSets) rlpColumns(b *mio.Builder, o RLPOptions) (c rlpCols) {
	c.w = mio.Col(b.NumCols())
	for _, j := range d.active {
		b.AddCol(0, -mio.Inf, mio.Inf, mio.Continuous, "w", j+1)
	}
	c.s = mio.Col(b.NumCols())
	if o.Perturbed {
		for _, j := range d.active {
			b.AddCol(o.Eps, 0, mio.Inf, mio.Continuous, "s", j+1)
		}
	}
	c.gamma = b.AddCol(0, -mio.Inf, mio.Inf, mio.Continuous, "gamma")
	c.slack = d.slackColumns(b, 1-o.Eps)
	return c
}

// slackColumns adds u >= 0 of A and v >= 0 of B, with the costs price omega_i / m and price omega_i
// / k.
func (d *twoSets) slackColumns(b *mio.Builder, price float64) mio.Col {
	first := mio.Col(b.NumCols())
	for i, share := range d.share {
		if d.inA(i) {
			b.AddCol(price*share, 0, mio.Inf, mio.Continuous, "u", i+1)
		} else {
			b.AddCol(price*share, 0, mio.Inf, mio.Continuous, "v", i-d.nA+1)
		}
	}
	return first
}

// errorRows adds u + A w - e gamma >= e, then v - B w + e gamma >= e, as in (4). addW adds v w_j,
// for the jx-th feature, to constraint r.
func (d *twoSets) errorRows(b *mio.Builder, addW func(jx int, v float64, r mio.Row), gamma, slack mio.Col) {
	for i := range d.n {
		var r mio.Row
		if d.inA(i) {
			r = b.AddRow(1, mio.Inf, "a", i+1)
		} else {
			r = b.AddRow(1, mio.Inf, "b", i-d.nA+1)
		}
		b.Add(r, slack+mio.Col(i), 1)
		for jx, x := range d.row(i) {
			if x != 0 {
				addW(jx, d.side(i)*x, r)
			}
		}
		b.Add(r, gamma, -d.side(i))
	}
}

// sizeRows adds -s_j <= w_j <= s_j, all j, as in (10).
func (d *twoSets) sizeRows(b *mio.Builder, c rlpCols) {
	for jx, j := range d.active {
		w, s := c.w+mio.Col(jx), c.s+mio.Col(jx)
		r := b.AddRow(0, mio.Inf, "above", j+1)
		b.Add(r, w, 1)
		b.Add(r, s, 1)
		r = b.AddRow(-mio.Inf, 0, "below", j+1)
		b.Add(r, w, 1)
		b.Add(r, s, -1)
	}
}

// startSlacks sets u and v to the smallest values that the plane allows.
func (d *twoSets) startSlacks(slack []float64, pl separator) {
	for i, m := range d.margins(pl) {
		slack[i] = max(0, 1-m)
	}
}
