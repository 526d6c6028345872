package oct

import (
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/internal/grid"
	"github.com/octgen/octgen/tree"
	"github.com/octgen/octgen/tree/constraint"
)

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

// Options are the parameters of OCT. The zero value, with Depth set, is the
// threshold encoding with all tightenings, alpha 0 and no limits.
type Options struct {
	Depth     int     // D >= 1, levels of branch nodes
	Alpha     float64 // price of a split in units of the baseline error, >= 0
	MinLeaf   float64 // N_min, least training weight of a nonempty leaf, >= 0
	MaxSplits int     // C, most splits; 0 means no limit
	Encoding  formulate.Encoding
	Scale     Scale // big-M encodings only
	Tighten   Tightenings
	// Constraints are what trees must keep on the data, nil for nothing.
	Constraints *constraint.Set

	OmitNames bool // leave columns and rows unnamed, for in-process solving

	// Training is the data that Build is given, laid out already; not written to. Nil:
	// Build lays it out.
	Training *tree.Training

	// Warn, where not nil, is told before building what Inspect warns of.
	Warn func(string)
}

// predicts reports whether the program has the prediction of every row: constraints, and
// costs of answers, are of them.
func (o Options) predicts(g *grid.Grid) bool { return !o.Constraints.Empty() || g.Cost != nil }

// Tightenings switches off parts of the threshold encoding; the zero value has
// all that are exact for the options and data at hand. The comments in
// threshold.go and stumps.go say when each is exact and why.
type Tightenings struct {
	NoContinuousLast bool `json:"no_continuous_last,omitempty"` // keep last-level w binary
	NoThinLast       bool `json:"no_thin_last,omitempty"`       // keep all last-level thresholds
	NoSiblingLabels  bool `json:"no_sibling_labels,omitempty"`  // let sibling leaves share a label
	NoGroupPoints    bool `json:"no_group_points,omitempty"`    // route rows with equal features one by one
	NoLabelPairs     bool `json:"no_label_pairs,omitempty"`     // separate label variables at the last level
	NoBlocks         bool `json:"no_blocks,omitempty"`          // chains instead of blocks of thresholds, with label pairs
}
