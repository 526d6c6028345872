package oct

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/internal/build"
	"github.com/octgen/octgen/formulate/internal/grid"
	"github.com/octgen/octgen/formulate/internal/limits"
	"github.com/octgen/octgen/formulate/internal/point"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/tree"
	"github.com/octgen/octgen/verify"
)

// Encodings lists the encodings of Formulation, the default first.
func Encodings() []formulate.Encoding {
	return []formulate.Encoding{formulate.Threshold, formulate.BigM, formulate.Indicator, formulate.BigMPublished}
}

// Needs lists the encodings with what a solver must take for each, the default first.
func Needs() []formulate.EncodingNeeds {
	var all []formulate.EncodingNeeds
	for _, e := range Encodings() {
		all = append(all, formulate.EncodingNeeds{Form: "oct", Encoding: e, Discrete: true, Indicator: e == formulate.Indicator})
	}
	return all
}

// Scale says how features are mapped to [0, 1] in the big-M encodings.
type Scale string

const (
	// RankScale maps a value to its rank among the feature's distinct values,
	// divided by their number less one. The trees are the same, since
	// univariate splits are invariant under monotone maps, and the least gap
	// between values is far above solver tolerances. The default.
	RankScale Scale = "rank"
	// MinMaxScale is the paper's linear scaling.
	MinMaxScale Scale = "minmax"
)

// Options are the parameters of Formulation. The zero value, with Depth set, is the
// threshold encoding with all tightenings, alpha 0 and no limits.
type Options struct {
	Depth     int     // D >= 1, levels of branch nodes
	Alpha     float64 // price of a split in units of the baseline error, >= 0
	MinLeaf   float64 // N_min, least training weight of a nonempty leaf, >= 0
	MaxSplits int     // C, most splits; 0 means no limit
	Encoding  formulate.Encoding
	Scale     Scale // big-M encodings only
	Tighten   Tightenings
	OmitNames bool // leave columns and rows unnamed, for in-process solving

	// Warn, where not nil, is told before building what Inspect warns of.
	Warn func(string)
}

// Tightenings switches off parts of the threshold encoding; the zero value has
// all that are exact for the options and data at hand. The comments in
// octthreshold.go and octpairs.go say when each is exact and why.
type Tightenings struct {
	NoContinuousLast bool `json:"no_continuous_last,omitempty"` // keep last-level w binary
	NoThinLast       bool `json:"no_thin_last,omitempty"`       // keep all last-level thresholds
	NoSiblingLabels  bool `json:"no_sibling_labels,omitempty"`  // let sibling leaves share a label
	NoGroupPoints    bool `json:"no_group_points,omitempty"`    // route rows with equal features one by one
	NoLabelPairs     bool `json:"no_label_pairs,omitempty"`     // separate label variables at the last level
	NoBlocks         bool `json:"no_blocks,omitempty"`          // chains instead of blocks of cuts, with label pairs
}

// Formulation is the optimal classification tree with univariate splits: Bertsimas &
// Dunn, Optimal classification trees, Machine Learning 106 (2017), problem
// (24). With T_B the branch nodes 1..2^D-1 and T_L the leaves 2^D..2^(D+1)-1 of
// the full tree in heap order, omega_i the weight of row i, W their sum, and
// Lhat the baseline error, it minimises
//
//	(1/Lhat) sum_{t in T_L} L_t + alpha sum_{t in T_B} d_t
//
// over univariate trees of depth at most D whose nonempty leaves weigh at least
// N_min, with at most C splits: L_t is the misclassified weight at leaf t, d_t
// says that node t splits.
//
// norm(t), the tree a start stands for, is t without splits that leave a side
// empty of training rows. In the threshold encoding sibling leaves of equal
// label are also merged and, where N_min <= min omega_i, the splits of the last
// level (depth D-1) are re-optimised exactly given the routing by the upper
// ones, as Decode does.
type Formulation struct {
	opts  Options
	g     *grid.Grid
	model *mio.Model
	enc   encoding
	tmpl  *tree.Tree // names and encoder for decoded trees
}

// encoding is one way to write Formulation as a program.
type encoding interface {
	build(b *mio.Builder)
	size() formulate.Size
	start(h *heapTree) []float64
	// decode reads the branch nodes of a point, and the labels where they
	// matter; it reports fractional splits and contradictory routing.
	decode(values []float64) (*heapTree, error)
}

// Build formulates Formulation for ds. Rows with equal features and class are merged
// and constant features left out first. Errors: invalid options; data for
// which the single leaf is optimal (ErrSingleLeaf).
func (o Options) Build(ctx context.Context, ds *dataset.Dataset) (*Formulation, error) {
	f, err := o.prepare(ctx, ds)
	if err != nil {
		return nil, err
	}
	size := f.enc.size()
	if o.Warn != nil {
		for _, w := range f.warnings(size) {
			o.Warn(w)
		}
	}
	f.model, err = build.Model(ctx, size, "oct", o.OmitNames, f.enc.build)
	return f, err
}

// prepare validates the options and lays out the encoding without building it.
func (o Options) prepare(ctx context.Context, ds *dataset.Dataset) (*Formulation, error) {
	o = o.withDefaults()
	if err := o.Validate(); err != nil {
		return nil, err
	}
	g, err := grid.New(ctx, ds, o.MinLeaf)
	if err != nil {
		return nil, err
	}
	f := &Formulation{opts: o, g: g, tmpl: &tree.Tree{Features: ds.Features, Classes: ds.Classes, Encoder: ds.Encoder}}
	if o.Encoding == formulate.Threshold {
		f.enc = newThreshold(g, o)
	} else if f.enc, err = newBigM(g, o); err != nil {
		return nil, err
	}
	return f, nil
}

func (o Options) withDefaults() Options {
	if o.Encoding == "" {
		o.Encoding = formulate.Threshold
	}
	if o.Scale == "" {
		o.Scale = RankScale
	}
	return o
}

// Validate says which option is out of range, and what would be right.
func (o Options) Validate() error {
	o = o.withDefaults()
	if err := (limits.Limits{Depth: o.Depth, Alpha: o.Alpha, MinLeaf: o.MinLeaf, MaxSplits: o.MaxSplits}).Validate(); err != nil {
		return err
	}
	switch {
	case !slices.Contains(Encodings(), o.Encoding):
		return fmt.Errorf("formulate: OCT has no encoding %q; it has %q", o.Encoding, Encodings())
	case o.Scale != RankScale && o.Scale != MinMaxScale:
		return fmt.Errorf("formulate: scale is %q, expected %q or %q", o.Scale, RankScale, MinMaxScale)
	}
	return nil
}

// Model returns the program.
func (f *Formulation) Model() *mio.Model { return f.model }

// Options returns the options with their defaults filled in.
func (f *Formulation) Options() Options { return f.opts }

// Tightenings lists those of the encoding threshold that are in force.
func (f *Formulation) Tightenings() []string {
	if e, ok := f.enc.(*threshold); ok {
		return e.tightenings()
	}
	return nil
}

// Lhat returns the baseline error W - max_k W_k.
func (f *Formulation) Lhat() float64 { return f.g.Lhat * f.g.Unit.Size }

// Bound returns a lower bound on the objective of every tree: the errors that
// rows with equal features and different classes force on any of them. -Inf for
// bigm-published, whose optimum can be below that of any tree.
func (f *Formulation) Bound() float64 {
	if f.opts.Encoding == formulate.BigMPublished {
		return math.Inf(-1)
	}
	return f.g.Bound()
}

// Lattice returns the set of values that the objective can have; nil where the
// weights have no common unit, and for bigm-published.
func (f *Formulation) Lattice() *verify.Lattice {
	if f.opts.Encoding == formulate.BigMPublished {
		return nil
	}
	most := 1<<f.opts.Depth - 1
	if f.opts.MaxSplits > 0 {
		most = min(most, f.opts.MaxSplits)
	}
	return f.g.Lattice(f.opts.Alpha, most)
}

// Imprecise says why no solver's claim on this model is a proof, "" where it can be
// one: weights too far apart for rows of their sum.
func (f *Formulation) Imprecise() string {
	if f.opts.Encoding == formulate.Threshold {
		return ""
	}
	return f.g.Imprecise()
}

// Objective returns (1/Lhat) error weight + alpha splits of t on the training
// data.
func (f *Formulation) Objective(t *tree.Tree) float64 {
	return f.g.Objective(t, f.opts.Alpha, t.Splits())
}

// Start returns the point of the model that stands for norm(t).
func (f *Formulation) Start(_ context.Context, t *tree.Tree) ([]float64, error) {
	h, err := f.norm(t)
	if err != nil {
		return nil, err
	}
	return f.enc.start(h), nil
}

// Decode returns the tree of a feasible point of the model. Splits with an
// empty side collapse.
func (f *Formulation) Decode(values []float64) (*tree.Tree, error) {
	if err := point.Length(values, f.model.NumCols()); err != nil {
		return nil, err
	}
	h, err := f.enc.decode(values)
	if err != nil {
		return nil, err
	}
	if f.reoptimises() {
		f.reoptimise(h)
	}
	t := f.toTree(h).Collapse(f.g.DS)
	f.recentre(t)
	t.Annotate(f.g.Src) // in the data's weight
	return t, nil
}
