package hyperplane

import (
	"fmt"
	"slices"
)

// Names of what Options.Without switches off. Those of the program are tightenings of
// soct and served; the comments where they are added say why each is exact.
const (
	LabelOrder     = "label-order"     // the labels of two sibling leaves ascend
	OneRow         = "one-row"         // one row is kept in the left subtrees
	Centring       = "centring"        // features are shifted to [-1/2, 1/2]
	IntegralLabels = "integral-labels" // labels are binary where they need not be

	Rows       = "rows"       // proofs by row generation
	Chunks     = "chunks"     // bounds by chunks of rows
	Subsystems = "subsystems" // proofs by minimal infeasible subsystems
)

// Tightenings lists the switches of the program.
func Tightenings() []string { return []string{LabelOrder, OneRow, Centring, IntegralLabels} }

// Proofs lists the switches of those who prove bounds beside the program, which it does
// not use itself.
func Proofs() []string { return []string{Rows, Chunks, Subsystems} }

// Switches lists all names of Options.Without.
func Switches() []string { return append(Tightenings(), Proofs()...) }

// checkWithout refuses names that there are not, and tightenings of other encodings.
func (o Options) checkWithout() error {
	e := o.withDefaults().Encoding
	for _, name := range o.Without {
		switch {
		case !slices.Contains(Switches(), name):
			return fmt.Errorf("formulate: OCT-H has no %q to do without; it has %q", name, Switches())
		case slices.Contains(Tightenings(), name) && !FactsOf(e).Tightened:
			return fmt.Errorf("formulate: %s is no tightening of the encoding %s, which has none", name, e)
		}
	}
	return nil
}

// with reports whether what has this name is not switched off.
func (o Options) with(name string) bool { return !slices.Contains(o.Without, name) }
