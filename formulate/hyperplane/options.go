package hyperplane

import (
	"fmt"
	"math"
	"slices"

	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/tree"
	"github.com/octgen/octgen/tree/constraint"
)

// DefaultMu is the margin of the paper: the minimum distance between the sides of a hyperplane
// split on scaled features.
const DefaultMu = 0.005

// minMu is the minimum margin: well above the tolerances of solvers, which could otherwise put a
// row on both sides.
const minMu = 1e-5

// Margin selects the rows that must keep the margin at the splits on their path. The values define
// two problems, not two encodings of one: see [Formulation].
type Margin string

const (
	All   Margin = "all"   // all rows: the published problem. The default.
	Right Margin = "right" // rows that count as correct
)

// Margins lists the margins, the default first.
func Margins() []Margin { return []Margin{All, Right} }

// Facts are properties of an encoding for all data.
type Facts struct {
	Margin     Margin // margin of its problem
	Tightened  bool   // Options.Without may name tightenings of the model
	Sums       bool   // has constraints over the weights of all rows, which very different weights make imprecise
	Indicators bool   // has indicator constraints
}

// Encodings specific to OCT-H.
const (
	// SOCT formulates the paths of rows as flows from the root to the leaves, with a big-M for each
	// node instead of each leaf. It is the default.
	SOCT formulate.Encoding = "soct"
	// Served decides for each row only whether it is correct, and where; for margin right.
	Served formulate.Encoding = "served"
)

// kinds are the encodings of OCT-H, the default of each margin first.
var kinds = []struct {
	name formulate.Encoding
	Facts
}{
	{SOCT, Facts{Margin: All, Tightened: true}},
	{formulate.BigM, Facts{Margin: All, Sums: true}},
	{formulate.Indicator, Facts{Margin: All, Sums: true, Indicators: true}},
	{Served, Facts{Margin: Right, Tightened: true}},
}

// Encodings lists the encodings of OCT-H, the default first.
func Encodings() []formulate.Encoding {
	var all []formulate.Encoding
	for _, k := range kinds {
		all = append(all, k.name)
	}
	return all
}

// EncodingsOf lists the encodings of the problem of a margin, its default first.
func EncodingsOf(m Margin) []formulate.Encoding {
	var all []formulate.Encoding
	for _, k := range kinds {
		if k.Margin == m || m == "" && k.Margin == All {
			all = append(all, k.name)
		}
	}
	return all
}

// FactsOf returns the properties of an encoding of OCT-H; the zero Facts for others.
func FactsOf(e formulate.Encoding) Facts {
	for _, k := range kinds {
		if k.name == e {
			return k.Facts
		}
	}
	return Facts{}
}

// Needs lists the encodings with what a solver must support for each, the default first.
func Needs() []formulate.EncodingNeeds {
	var all []formulate.EncodingNeeds
	for _, k := range kinds {
		all = append(all, formulate.EncodingNeeds{Form: "oct-h", Encoding: k.name, Discrete: true, Indicator: k.Indicators})
	}
	return all
}

// Options are the parameters of OCT-H. The zero value with Depth set is the published problem in
// the encoding soct with all its tightenings, alpha 0, the paper's margin and no limits.
type Options struct {
	Depth     int                // D >= 1
	Alpha     float64            // penalty per feature in a split, in units of the baseline error, >= 0
	MinLeaf   float64            // N_min, minimum training weight of a nonempty leaf, >= 0
	MaxSplits int                // C, maximum number of features over all splits (sum of s); 0 means no limit
	Mu        float64            // minimum margin on scaled features; 0 means DefaultMu
	Margin    Margin             // "" means All
	Encoding  formulate.Encoding // one of EncodingsOf(Margin); "" means the first
	Without   []string           // names of Switches to disable
	OmitNames bool

	// Constraints are constraints on the trees over the data, nil for none; for margin all only.
	// Monotone columns are not supported.
	Constraints *constraint.Set

	// Rows are the merged rows of the model, by their numbers in Data, ascending; nil means all.
	// Scaling, margin, units of weight and the baseline error still use all rows. For the encoding
	// served only.
	Rows []int32
	// Cutoff is the maximum objective, as the constraint "cutoff"; 0 means none. If values come in
	// steps, the middle between two of them requires the lower one despite rounding. For the
	// encoding served only.
	Cutoff float64

	// Training is the layout of the data passed to Build, which only reads it. nil: Build lays out
	// the data.
	Training *tree.Training

	// LP solves the maximum-margin programs with which Start re-centres splits whose margin is
	// below Mu. Without it, such a tree gives formulate.ErrNoStart, or with margin right a warm
	// start with fewer correct rows.
	LP mio.SolveFunc
}

func (o Options) withDefaults() Options {
	if o.Margin == "" {
		o.Margin = All
	}
	if o.Encoding == "" {
		o.Encoding = EncodingsOf(o.Margin)[0]
	}
	if o.Mu == 0 {
		o.Mu = DefaultMu
	}
	return o
}

// validate returns an error that names an option out of range and its valid values.
func (o Options) validate() error {
	if math.IsNaN(o.Mu) || o.Mu != 0 && o.Mu < minMu || o.Mu > 1 {
		return fmt.Errorf("formulate: mu is %v, expected %v to 1, or 0 for %v: solvers violate constraints by up to 1e-6", o.Mu, minMu, DefaultMu)
	}
	if err := o.checkEncoding(); err != nil {
		return err
	}
	if err := o.checkWithout(); err != nil {
		return err
	}
	o = o.withDefaults()
	switch {
	case o.Margin != All && !o.Constraints.Empty():
		return fmt.Errorf("formulate: constraints need margin %s: margin %s has no prediction for misclassified rows", All, o.Margin)
	case o.Rows != nil && o.Encoding != Served:
		return fmt.Errorf("formulate: a model of some of the rows needs the encoding %s, not %s", Served, o.Encoding)
	case o.Cutoff != 0 && o.Encoding != Served:
		return fmt.Errorf("formulate: a cutoff needs the encoding %s, not %s", Served, o.Encoding)
	case math.IsNaN(o.Cutoff) || math.IsInf(o.Cutoff, 0) || o.Cutoff < 0:
		return fmt.Errorf("formulate: the cutoff is %v, expected a finite number > 0, or 0 for none", o.Cutoff)
	}
	if err := tree.CheckShape(o.Depth, formulate.MaxDepth, o.Alpha, o.MinLeaf, o.MaxSplits); err != nil {
		return fmt.Errorf("formulate: %w", err)
	}
	return nil
}

// checkEncoding returns an error for an unknown margin, an unknown encoding, or an encoding of
// another margin.
func (o Options) checkEncoding() error {
	m := o.withDefaults().Margin
	switch {
	case !slices.Contains(Margins(), m):
		return fmt.Errorf("formulate: margin is %q, expected one of %q", m, Margins())
	case o.Encoding == "" || FactsOf(o.Encoding).Margin == m:
		return nil
	case !slices.Contains(Encodings(), o.Encoding):
		return fmt.Errorf("formulate: OCT-H has no encoding %q; for margin %s use one of %q", o.Encoding, m, EncodingsOf(m))
	}
	return fmt.Errorf("formulate: encoding %s is for margin %s; for margin %s use one of %q", o.Encoding, FactsOf(o.Encoding).Margin, m, EncodingsOf(m))
}

// checkWithout returns an error for an unknown name, or a tightening of another encoding.
func (o Options) checkWithout() error {
	e := o.withDefaults().Encoding
	for _, name := range o.Without {
		switch {
		case !slices.Contains(Switches(), name):
			return fmt.Errorf("formulate: OCT-H has no %q to disable; expected one of %q", name, Switches())
		case slices.Contains(Tightenings(), name) && !FactsOf(e).Tightened:
			return fmt.Errorf("formulate: %s is not a tightening of the encoding %s, which has none", name, e)
		}
	}
	return nil
}

// with reports whether name is not disabled.
func (o Options) with(name string) bool { return !slices.Contains(o.Without, name) }

// Names for Options.Without. Names of the model are tightenings of soct and served; the comments
// where they are added prove each exact.
const (
	LabelOrder     = "label-order"     // label order: the labels of two sibling leaves ascend
	OneRow         = "one-row"         // one unit of rows is kept in the left subtrees
	Centring       = "centring"        // features are shifted to [-1/2, 1/2]
	IntegralLabels = "integral-labels" // labels are binary even if they need not be

	Rows       = "rows"       // proofs by row generation
	Chunks     = "chunks"     // bounds by chunks of rows
	Subsystems = "subsystems" // proofs by minimal infeasible subsystems
	Clauses    = "clauses"    // proofs by clauses on where rows are
	Cells      = "cells"      // proofs by cells of directions
)

// Tightenings lists the switches of the model.
func Tightenings() []string { return []string{LabelOrder, OneRow, Centring, IntegralLabels} }

// Proofs lists the switches of methods that prove bounds alongside the model, which does not use
// them.
func Proofs() []string { return []string{Rows, Chunks, Subsystems, Clauses, Cells} }

// Switches lists all names of Options.Without.
func Switches() []string { return append(Tightenings(), Proofs()...) }
