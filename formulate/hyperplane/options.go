package hyperplane

import (
	"fmt"
	"math"
	"slices"

	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/internal/shape"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/tree"
)

// DefaultMu is the margin of the paper: the least distance between the sides of
// a hyperplane split on scaled features.
const DefaultMu = 0.005

// minMu is a margin well above the tolerances of solvers, which could otherwise
// put a row on both sides.
const minMu = 1e-5

// Options are the parameters of OCT-H. The zero value, with Depth set, is
// the big-M encoding with alpha 0, the paper's margin and no limits.
type Options struct {
	Depth     int                // D >= 1
	Alpha     float64            // price of a feature in a split, in units of the baseline error, >= 0
	MinLeaf   float64            // N_min, least training weight of a nonempty leaf, >= 0
	MaxSplits int                // C, most features over all splits (sum of s); 0 means no limit
	Mu        float64            // least margin on scaled features; 0 means DefaultMu
	Encoding  formulate.Encoding // BigM (default) or Indicator
	OmitNames bool

	// Training is the data that Build is given, laid out already; not written to. Nil:
	// Build lays it out.
	Training *tree.Training

	// LP solves the max-margin programs with which Start re-centres splits
	// whose margin is below Mu. Without it such a tree is formulate.ErrNoStart.
	LP mio.SolveFunc
}

// Encodings lists the encodings of OCT-H, the default first.
func Encodings() []formulate.Encoding {
	return []formulate.Encoding{formulate.BigM, formulate.Indicator}
}

// Needs lists the encodings with what a solver must take for each, the default first.
func Needs() []formulate.EncodingNeeds {
	var all []formulate.EncodingNeeds
	for _, e := range Encodings() {
		all = append(all, formulate.EncodingNeeds{Form: "oct-h", Encoding: e, Discrete: true, Indicator: e == formulate.Indicator})
	}
	return all
}

func (o Options) withDefaults() Options {
	if o.Encoding == "" {
		o.Encoding = formulate.BigM
	}
	if o.Mu == 0 {
		o.Mu = DefaultMu
	}
	return o
}

// validate says which option is out of range, and what would be right.
func (o Options) validate() error {
	switch {
	case math.IsNaN(o.Mu) || o.Mu != 0 && o.Mu < minMu || o.Mu > 1:
		return fmt.Errorf("formulate: mu is %v, expected %v to 1, or 0 for %v: solvers let rows be off by 1e-6", o.Mu, minMu, DefaultMu)
	case o.Encoding != "" && !slices.Contains(Encodings(), o.Encoding):
		return fmt.Errorf("formulate: OCT-H has no encoding %q; it has %q", o.Encoding, Encodings())
	}
	return shape.Check(o.Depth, o.Alpha, o.MinLeaf, o.MaxSplits)
}
