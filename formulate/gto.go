package formulate

import (
	"context"
	"fmt"
	"math"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/tree"
)

// DefaultGTOBox is the box on weights and thresholds, in standardised units,
// where GTOOptions.Box is 0. Of 1199 random problems of at most 10 rows and 2
// features (small integers, and normal values), all vertices tried, a box of 1
// cut off the optimum in 834, of 10 in 107, of 100 in 6, of 1000 in none; but M
// grows with the box, and with it what a solver's tolerances can hide.
const DefaultGTOBox = 100

// GTOOptions are the parameters of GTO. The zero value is the minimum error of
// the full tree of depth 2 (deeper where there are more than 4 classes), whose
// leaves have the classes 0, 1, ..., K-1, 0, 1, ... from left to right, as a
// mixed-integer linear program.
type GTOOptions struct {
	// Structure is the tree's shape with the classes of its leaves:
	// FullStructure, StructureOf a tree, ParseStructure, or made by hand. Where
	// it is nil, the full tree of depth Depth is taken with Labels as its leaf
	// classes from left to right, repeated as often as needed; no Labels are 0,
	// ..., K-1.
	Structure *Structure
	Depth     int
	Labels    []int

	Objective GTOObjective // default MinimumError
	Encoding  Encoding     // default the first of GTOEncodings that fits the structure
	Norm      int          // p of the decision errors: 1 (default) or 2

	// Box bounds |w_j| and |gamma| of every decision, on standardised features;
	// 0 is DefaultGTOBox. At least 1, which lets w = 0 send all rows one way. See
	// GTO for what it means.
	Box float64

	OmitNames bool // leave columns and rows unnamed, for in-process solving
}

// GTO is global tree optimization: Bennett & Blue, Optimal decision trees, R.P.I.
// Math Report 214 (1996). The structure is fixed: decisions d = 1..D, leaves
// k = D+1..2D+1 with their classes; theta_c are the leaves of class c, G^k and
// L^k the decisions at which the path to leaf k goes right and left. With
//
//	(y_l^d)_i = (x_i.w^d - gamma^d + 1)_+      (y_g^d)_i = (-x_i.w^d + gamma^d + 1)_+     (12)
//	LeafErr_ik = sum_{d in G^k} (y_g^d)_i^p + sum_{d in L^k} (y_l^d)_i^p                  (13), (14)
//
// it minimises over all w, gamma in the box
//
//	count    sum_i omega_i [min_{k in theta_{y_i}} LeafErr_ik > 0]                        (15), (16)
//	minimum  sum_i omega_i  min_{k in theta_{y_i}} LeafErr_ik                             (17), (18)
//	product  sum_i omega_i prod_{k in theta_{y_i}} LeafErr_ik                             (19), (20)
//
// for any number of classes; omega_i is the weight of row i, rows with equal
// features and class being merged. A row needs only the y of decisions and
// sides on the paths to leaves of its own class; the others are left out.
//
// Signs. In the paper x.w - gamma < 0 goes left, > 0 right, and a row is kept on
// its side by a margin of 1: x.w - gamma <= -1 or >= 1. The tree of a solution
// has the split w.x < gamma, the same but for rows on the plane, which go right
// in the tree, left in the paper, and are errors in all objectives.
//
// Units. Build standardises the features (mean 0, deviation 1) and leaves
// constant ones out; x.w - gamma is the same in both units, so that Decode
// returns data units and Objective needs only the tree. Decode keeps the scale
// of (w, gamma): multiplied by s > 1 it predicts the same with other errors.
//
// Box. |w_j|, |gamma| <= Box makes the bounds M of all encodings finite, but may
// cut off the optimum: an optimum is one within the box, unless BoxExact says
// that no tree outside is better. BoxBinding says whether a point touches it.
//
// norm(t), the tree a start stands for, is t laid over the structure, where
// sides may be swapped (with w and gamma negated) and decisions that t lacks
// send all rows one way (w = 0); where that fails, t without splits that leave a
// side empty of training rows, or also with sibling leaves of one class merged.
// Then thresholds are centred and decisions scaled until the least needed
// correct margin is 1, where that is better, and for minimum and product error
// scaled further towards less error; never beyond the box. A tree that lies in
// the box has Objective(norm(t)) <= Objective(t) for the count error; for the
// minimum error unless splits had to go, and with them leaves that are nearest
// to some row; for the product error where t has the structure itself, since
// other leaves are other factors.
type GTO struct {
	opts   GTOOptions
	g      *gtoData
	layout *gtoLayout
	cols   gtoCols
	model  *mio.Model
}

// Build formulates GTO for ds. Errors: invalid options; a class of the data
// without a leaf; data of one class or without a feature that varies
// (ErrSingleLeaf).
func (o GTOOptions) Build(ctx context.Context, ds *dataset.Dataset) (*GTO, error) {
	f, err := o.prepare(ds)
	if err != nil {
		return nil, err
	}
	f.model, err = f.size().build(ctx, "gto", o.OmitNames, f.build)
	return f, err
}

// prepare validates the options and lays out the structure without building.
func (o GTOOptions) prepare(ds *dataset.Dataset) (*GTO, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	g, err := newGTOData(ds)
	if err != nil {
		return nil, err
	}
	if o, err = o.withDefaults(ds.K()); err != nil {
		return nil, err
	}
	f := &GTO{opts: o, g: g, layout: newGTOLayout(o.Structure, ds.K())}
	for c, w := range g.ds.ClassWeights() {
		if w > 0 && len(f.layout.classes[c].leaves) == 0 {
			return nil, fmt.Errorf("formulate: the structure %s has no leaf of class %q, which the data has", o.Structure.Text(ds.Classes), ds.Classes[c])
		}
	}
	return f, f.chooseEncoding()
}

// withDefaults fills in valid options for k classes and checks the structure.
func (o GTOOptions) withDefaults(k int) (GTOOptions, error) {
	if o.Objective == "" {
		o.Objective = MinimumError
	}
	if o.Norm == 0 {
		o.Norm = 1
	}
	if o.Box == 0 {
		o.Box = DefaultGTOBox
	}
	if o.Structure == nil {
		o.Structure = o.fullStructure(k)
	}
	if o.Structure.Leaf() {
		return o, fmt.Errorf("formulate: the structure is a single leaf; GTO needs a decision")
	}
	return o, o.Structure.validate(k, 0)
}

func (o GTOOptions) fullStructure(k int) *Structure {
	labels := o.Labels
	for c := 0; c < k && len(o.Labels) == 0; c++ {
		labels = append(labels, c)
	}
	depth := o.Depth
	if depth == 0 {
		for depth = 2; 1<<depth < k; depth++ {
		}
	}
	return FullStructure(depth, labels...)
}

// Validate says which option is out of range, and what would be right. Build
// checks those that depend on the data as well.
func (o GTOOptions) Validate() error {
	switch {
	case o.Structure == nil && (o.Depth < 0 || o.Depth > MaxDepth):
		return fmt.Errorf("formulate: depth is %d, expected 1 to %d, or 0 for the least that suits the classes", o.Depth, MaxDepth)
	case o.Structure != nil && (o.Depth != 0 || len(o.Labels) > 0):
		return fmt.Errorf("formulate: a structure and a depth or labels: expected one of the two")
	case o.Norm < 0 || o.Norm > 2:
		return fmt.Errorf("formulate: the norm is %d, expected 1 or 2", o.Norm)
	case o.Box != 0 && !(o.Box >= 1 && o.Box <= math.MaxFloat64):
		return fmt.Errorf("formulate: the box is %v, expected a finite number of at least 1", o.Box)
	}
	objective := o.Objective
	if objective == "" {
		objective = MinimumError
	}
	_, err := gtoEncodingNeeds(objective, o.Encoding)
	return err
}

// chooseEncoding fills in the default encoding and refuses one that does not fit
// the structure.
func (f *GTO) chooseEncoding() error {
	most, class := 0, 0 // leaves of a class that the data has
	for c, w := range f.g.ds.ClassWeights() {
		if n := len(f.layout.classes[c].leaves); w > 0 && n > most {
			most, class = n, c
		}
	}
	products := f.opts.Objective == ProductError
	switch {
	case f.opts.Encoding == "" && products && most > 2:
		f.opts.Encoding = Multilinear
	case f.opts.Encoding == "":
		f.opts.Encoding = GTOEncodings(f.opts.Objective)[0].Encoding
	case f.opts.Encoding == Bilinear && products && most > 2:
		return fmt.Errorf("formulate: class %q has %d leaves; the %s encoding of the product error takes at most 2: use %q", f.g.ds.Classes[class], most, Bilinear, Multilinear)
	}
	return nil
}

// Model returns the program.
func (f *GTO) Model() *mio.Model { return f.model }

// Options returns the options with their defaults filled in.
func (f *GTO) Options() GTOOptions { return f.opts }

// Needs returns what a solver must take to solve the model, or a little more: a
// class with one leaf needs neither binary columns nor products.
func (f *GTO) Needs() EncodingNeeds {
	needs, _ := gtoEncodingNeeds(f.opts.Objective, f.opts.Encoding)
	needs.Quadratic = needs.Quadratic || f.opts.Norm == 2 && f.hasY()
	return needs
}

// ObjectiveUnit is the training weight that an objective of 1 stands for: the
// errors of the model, like those of Objective and Bound, are in units of weight.
func (f *GTO) ObjectiveUnit() float64 { return f.g.unit }

// Objective returns the error of t on the training data, from t's own leaves, in
// units of weight. A tree without a leaf of a class that the data has has infinite minimum and
// product errors.
func (f *GTO) Objective(t *tree.Tree) float64 {
	own := newGTOLayout(StructureOf(t), max(len(t.Classes), f.g.ds.K()))
	splits := gtoSplits(t)
	act := make([]float64, len(splits))
	sum := 0.0
	for i := range f.g.n {
		x := f.g.ds.Row(i)
		for d, s := range splits {
			act[d] = -s.Threshold
			for _, term := range s.Terms {
				act[d] += term.Weight * x[term.Feature]
			}
		}
		sum += f.g.ds.Weight[i] * own.pointError(f.opts.Objective, f.g.ds.Y[i], act, f.opts.Norm)
	}
	return sum
}

// value is the objective of planes, one per decision of the structure, given
// their activities.
func (f *GTO) value(act []float64) float64 {
	sum, d := 0.0, f.layout.decisions
	for i := range f.g.n {
		sum += f.g.ds.Weight[i] * f.layout.pointError(f.opts.Objective, f.g.ds.Y[i], act[i*d:(i+1)*d], f.opts.Norm)
	}
	return sum
}

// gtoSplits returns the splits of t in the order in which gtoLayout numbers
// decisions.
func gtoSplits(t *tree.Tree) []*tree.Split {
	var splits []*tree.Split
	for queue := []int{0}; len(queue) > 0; queue = queue[1:] {
		if n := &t.Nodes[queue[0]]; !n.Leaf() {
			splits = append(splits, n.Split)
			queue = append(queue, n.Left, n.Right)
		}
	}
	return splits
}
