// Package ort formulates the optimal regression tree with univariate splits. See [Formulation] for the mathematics.
package ort

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/internal/build"
	"github.com/octgen/octgen/formulate/internal/merged"
	"github.com/octgen/octgen/formulate/internal/point"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/tree"
	"github.com/octgen/octgen/tree/constraint"
	"github.com/octgen/octgen/tree/score"
)

// Formulation is the optimal regression tree (ORT): Bertsimas, Dunn & Paschalidis, Regression and classification using
// optimal decision trees (2017), and Dunn, Optimal trees for prediction and prescription (2018), with the tree structure of
// Bertsimas & Dunn, Optimal classification trees (2017), problem (24), on ranks in place of values. Let omega_i be the weight of
// row i, and beta_t what leaf t answers. It minimises
//
//	(1/Lhat) sum_i omega_i loss(y_i - beta_t(i)) + alpha sum_{t in T_B} d_t
//
// over univariate trees of depth at most D whose nonempty leaves weigh at least N_min, with at most C splits. The loss is the
// square, or that of a quantile q of the data, q e for e > 0 and (q - 1) e else, and Lhat that of the best single leaf. The
// first is a convex mixed-integer quadratic program, the second a linear one.
//
// Numbers are scaled to [0, 1], y' = (y - min) / (max - min). With n points (distinct rows of features), m numbers (of the squared
// loss one for each point, the mean of its rows; else the distinct ones of each point), p features that vary, B = 2^D - 1 branch
// nodes, T = 2^D leaves, the model has
//
//	columns   B (p + 2) + T (n + 2) + m, or 2 m of a quantile  [binaries  B (p + 1) + T (n + 1)]
//	rows      D T n + 2B + (B - 1) + n + T n + T + 2 m T [+ 1 with max_splits]
//
// and with a limit on columns or prices of them a binary of each column, B p rows, and one for the limit.
//
// norm(t), the tree of a start, is t without splits that leave a side empty of training rows, each leaf with the best answer to
// its rows. Decode answers so, too.
type Formulation struct {
	opts  Options
	d     *layout
	model *mio.Model

	// First columns of the blocks. Nodes are in heap order; branch nodes 1..B, leaves T..2T-1.
	a, s, b, z, l, beta, over, under, used mio.Col
}

// Options are the parameters. The zero value with Depth set has no penalty and no limits.
type Options struct {
	Depth     int     // D >= 1, levels of branch nodes
	Alpha     float64 // penalty per split, as a part of the loss of the single leaf, >= 0
	MinLeaf   float64 // N_min, minimum training weight of a nonempty leaf, >= 0
	MaxSplits int     // C, maximum number of splits; 0 means no limit
	// Constraints are forbidden columns, limits and prices of columns, and splits that stay, bound to the data; nil for none.
	Constraints *constraint.On
	OmitNames   bool // leave variables and constraints unnamed
}

// Needs lists the encodings of both losses with what a solver must support for each.
func Needs() []formulate.EncodingNeeds {
	return []formulate.EncodingNeeds{
		{Form: "ort squared", Encoding: formulate.BigM, Discrete: true, Convex: true},
		{Form: "ort quantile", Encoding: formulate.BigM, Discrete: true},
	}
}

// Build formulates the problem on ds, whose target are numbers. Errors: options out of range; formulate.ErrSingleLeaf for data of
// one number or without a feature that varies; an ended ctx, or one that ends before the model can be built.
func (o Options) Build(ctx context.Context, ds *dataset.Dataset) (*Formulation, error) {
	f, err := o.lay(ds)
	if err != nil {
		return nil, err
	}
	f.model, err = build.Model(ctx, f.size(), "ort", o.OmitNames, f.fill)
	return f, err
}

// Size returns the size of the model in closed form.
func (o Options) Size(ds *dataset.Dataset) (formulate.Size, error) {
	f, err := o.lay(ds)
	if err != nil {
		return formulate.Size{}, err
	}
	return f.size(), nil
}

func (o Options) lay(ds *dataset.Dataset) (*Formulation, error) {
	switch {
	case ds.Kind() != dataset.Numbers:
		return nil, fmt.Errorf("formulate: the target has classes; a regression tree predicts numbers")
	case o.Depth < 1 || o.Depth > formulate.MaxDepth:
		return nil, fmt.Errorf("formulate: depth is %d, expected 1 to %d", o.Depth, formulate.MaxDepth)
	case !(o.Alpha >= 0) || math.IsInf(o.Alpha, 1):
		return nil, fmt.Errorf("formulate: alpha is %v, expected a finite number >= 0", o.Alpha)
	case !(o.MinLeaf >= 0) || math.IsInf(o.MinLeaf, 1):
		return nil, fmt.Errorf("formulate: the minimum leaf weight is %v, expected a finite number >= 0", o.MinLeaf)
	case o.MaxSplits < 0:
		return nil, fmt.Errorf("formulate: the maximum number of splits is %d, expected 0 for no limit, or more", o.MaxSplits)
	}
	if on := o.Constraints; on != nil && (on.Monotone != nil || on.Purity > 0 || len(on.Rows) > 0) {
		return nil, fmt.Errorf("formulate: the model of ort has no constraints on answers")
	}
	d, err := newLayout(ds, o.MinLeaf)
	if err != nil {
		return nil, err
	}
	return &Formulation{opts: o, d: d}, nil
}

// Model returns the model.
func (f *Formulation) Model() *mio.Model { return f.model }

// Options returns the options.
func (f *Formulation) Options() Options { return f.opts }

// Objective returns (1/Lhat) loss + alpha splits of t, whose answers are learned from the training data if it has none.
func (f *Formulation) Objective(t *tree.Tree) float64 {
	if !t.IsRegression() {
		t = t.Clone()
		t.Annotate(f.d.src)
	}
	v := score.NumbersOf(t, f.d.src).Objective(f.opts.Alpha, t.Splits())
	if on := f.opts.Constraints; on != nil {
		v += on.Price(t)
	}
	return v
}

// branches and leaves are the numbers of nodes of the full tree.
func (f *Formulation) branches() int { return 1<<f.opts.Depth - 1 }
func (f *Formulation) leaves() int   { return 1 << f.opts.Depth }

// Start returns the point of the model for norm(t).
func (f *Formulation) Start(_ context.Context, t *tree.Tree) ([]float64, error) {
	if err := t.Validate(); err != nil {
		return nil, err
	}
	for i := range t.Nodes {
		if s := t.Nodes[i].Split; s != nil && !s.IsUnivariate() {
			return nil, point.NoStart(i, "its split is not univariate")
		}
	}
	c := t.Collapse(f.d.src)
	c.Annotate(f.d.src)
	if n := c.Splits(); f.opts.MaxSplits > 0 && n > f.opts.MaxSplits {
		return nil, point.NoStart(0, "the tree has %d splits, the maximum is %d", n, f.opts.MaxSplits)
	}
	if on := f.opts.Constraints; on != nil {
		if broken := on.Broken(c); broken != nil {
			return nil, point.NoStart(0, "%s", broken[0])
		}
		c = on.Kept(c)
	}
	v := make([]float64, f.model.NumCols())
	if f.columned() {
		for _, j := range c.FeaturesUsed() {
			v[f.colUsed(f.opts.Constraints.Columns.Of[j])] = 1
		}
	}
	leaf := make([]int, len(c.Nodes)) // of the full tree
	if err := f.place(v, c, 0, 1, leaf); err != nil {
		return nil, err
	}
	for u := range f.d.n {
		at := c.Find(f.d.row(u))
		t := leaf[at]
		answer := f.d.scale(*c.Nodes[at].Value)
		v[f.colZ(u, t)], v[f.colL(t)], v[f.colBeta(t)] = 1, 1, answer
		for i := f.d.first[u]; i < f.d.first[u+1]; i++ {
			switch e := f.d.y[i] - answer; {
			case f.d.q == 0:
				v[f.over+mio.Col(i)] = math.Abs(e)
			case e > 0:
				v[f.over+mio.Col(i)] = e
			default:
				v[f.under+mio.Col(i)] = -e
			}
		}
	}
	return v, nil
}

// place puts the subtree of c at node i at heap node t.
func (f *Formulation) place(v []float64, c *tree.Tree, i, t int, leaf []int) error {
	n := &c.Nodes[i]
	if n.Leaf() {
		w := 0.0
		for _, k := range n.Weight {
			w += k
		}
		if !tree.EnoughWeight(w, f.opts.MinLeaf) {
			return point.NoStart(i, "the leaf has weight %v, the minimum is %v", w, f.opts.MinLeaf)
		}
		for t < f.leaves() { // rows go right where there is no split
			t = 2*t + 1
		}
		leaf[i] = t
		return nil
	}
	if t >= f.leaves() {
		return point.NoStart(i, "the split is at depth %d, the maximum is %d levels", f.opts.Depth+1, f.opts.Depth)
	}
	j := n.Split.Terms[0].Feature
	jx, _ := slices.BinarySearch(f.d.active, j)
	rank, _ := slices.BinarySearch(f.d.values[j], n.Split.Threshold)
	v[f.colA(jx, t)], v[f.colD(t)], v[f.colB(t)] = 1, 1, f.d.level(j, rank)
	if err := f.place(v, c, n.Left, 2*t, leaf); err != nil {
		return err
	}
	return f.place(v, c, n.Right, 2*t+1, leaf)
}

// Decode returns the tree of a feasible point of the model. Splits with an empty side collapse.
func (f *Formulation) Decode(v []float64) (*tree.Tree, error) {
	if err := point.Length(v, f.model.NumCols()); err != nil {
		return nil, err
	}
	t := tree.NewLeaf(f.d.src, 0)
	at := map[int]int{1: 0} // nodes of t by those of the full tree; one without a split stands for its right child, too
	for node := 1; node <= f.branches(); node++ {
		s, err := f.split(v, node)
		if err != nil {
			return nil, err
		}
		own, reached := at[node]
		switch {
		case !reached:
		case s == nil:
			at[2*node+1] = own
		default:
			at[2*node], at[2*node+1] = t.Grow(own, s, 0, 0)
		}
	}
	full := map[int]int{}
	for node := f.leaves(); node < 2*f.leaves(); node++ {
		if own, ok := at[node]; ok {
			full[own] = node
		}
	}
	for u := range f.d.n {
		leaf := full[t.Find(f.d.row(u))]
		z, err := point.Binary(v[f.colZ(u, leaf)], "z", u+1, leaf)
		if err != nil {
			return nil, err
		}
		if !z {
			return nil, point.Bad("row %d is not in leaf %d, where the splits of the solution send it", u+1, leaf)
		}
	}
	t = t.Collapse(f.d.src).Recentred(f.d.src)
	if on := f.opts.Constraints; on != nil {
		t = on.Kept(t)
	}
	t.Annotate(f.d.src)
	return t, nil
}

// split reads the split of a branch node; nil for none.
func (f *Formulation) split(v []float64, t int) (s *tree.Split, err error) {
	on, err := point.Binary(v[f.colD(t)], "d", t)
	if err != nil {
		return nil, err
	}
	for jx, j := range f.d.active {
		a, err := point.Binary(v[f.colA(jx, t)], "a", j+1, t)
		if err != nil {
			return nil, err
		}
		if a != on && a || a && s != nil {
			return nil, point.Bad("branch node %d splits on feature %q, which contradicts d or another feature", t, f.d.src.Features[j])
		}
		if a {
			// Left rows have x <= b - eps_j, right ones x >= b: the middle of that gap tolerates rounding best.
			values := f.d.values[j]
			rank := int(math.Ceil(v[f.colB(t)]*float64(len(values)-1) - 0.5))
			s = tree.Univariate(j, threshold(values, rank))
		}
	}
	if on && s == nil {
		return nil, point.Bad("branch node %d splits on no feature", t)
	}
	return s, nil
}

// threshold is that below which the values of the ranks below rank are.
func threshold(values []float64, rank int) float64 {
	switch {
	case rank <= 0:
		return values[0]
	case rank >= len(values):
		return math.Nextafter(values[len(values)-1], math.Inf(1))
	}
	return tree.Midpoint(values[rank-1], values[rank])
}

// errConstant is the error of data of one number.
var errConstant = fmt.Errorf("formulate: %w: all rows have the same number", formulate.ErrSingleLeaf)

var errNoFeature = merged.ErrNoFeature
