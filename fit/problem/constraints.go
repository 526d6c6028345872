package problem

import (
	"errors"
	"slices"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/tree"
	"github.com/octgen/octgen/tree/constraint"
)

// Rates are the options of constraints on the rates of predictions.
type Rates struct {
	Recall    []string `sep:"none" placeholder:"CLASS>=R" group:"Constraints" help:"Of the training rows of the class, predict at least this part so; may be repeated."`
	Precision []string `sep:"none" placeholder:"CLASS>=R" group:"Constraints" help:"Of the training rows predicted the class, at least this part is of it; may be repeated."`
	Share     []string `sep:"none" placeholder:"CLASS<=S" group:"Constraints" help:"Predict at most this part of the training rows the class; may be repeated."`
	Fair      []string `sep:"none" placeholder:"METRIC:COLUMN<=D" group:"Constraints" help:"Let the rates of the levels of a column differ by at most D: statistical-parity, equal-opportunity, predictive-equality or equalized-odds, of all levels or of two (COLUMN@A,B); may be repeated. The column is kept out of the features, see --group."`
	Positive  string   `placeholder:"CLASS" group:"Constraints" help:"Class whose rates --fair compares."`
}

// Structural are the options of constraints on leaves and splits.
type Structural struct {
	LeafPurity  float64  `above:"0" max:"1" placeholder:"R" group:"Constraints" help:"Least part of a leaf's training rows that is of its class."`
	MaxFeatures int      `min:"1" placeholder:"F" group:"Constraints" help:"Most columns that splits use."`
	FeatureCost []string `sep:"none" placeholder:"COLUMN=C,..." group:"Constraints" help:"Prices of columns, paid once by a tree that uses them, in units of the baseline error."`
	Forbid      []string `sep:"none" placeholder:"COLUMN,..." group:"Constraints" help:"Columns that no split may use."`
}

// Fixing is the option of fixed upper splits.
type Fixing struct {
	Fix string `placeholder:"tree.json" group:"Constraints" help:"Tree whose splits stay; the rest is optimised below them."`

	fixed *tree.Tree // read from Fix
	own   bool       // fixed is on the features of the data
}

// Univariate are the options of constraints that only univariate trees have.
type Univariate struct {
	Monotone   []string `sep:"none" placeholder:"COLUMN=+1,..." group:"Constraints" help:"At splits on the column, let no leaf on the left be of a higher class than one on the right; -1: of a lower one."`
	ClassOrder []string `sep:"none" placeholder:"CLASS,..." group:"Constraints" help:"Classes from the lowest, for --monotone (default: of numbers, theirs)."`
}

// options are the constraints as package constraint takes them.
func options(r *Rates, s *Structural, f *Fixing, u *Univariate) constraint.Options {
	o := constraint.Options{
		Recall: r.Recall, Precision: r.Precision, Share: r.Share, Fair: r.Fair, Positive: r.Positive,
		LeafPurity: s.LeafPurity, MaxFeatures: s.MaxFeatures, FeatureCost: s.FeatureCost, Forbid: s.Forbid,
		Fix: f.Fix, FixTree: f.fixed,
	}
	if u != nil {
		o.Monotone, o.ClassOrder = u.Monotone, u.ClassOrder
	}
	return o
}

// parse reads the constraints. The error is an *[OptionError].
func parse(o constraint.Options) (*constraint.Set, error) {
	s, err := constraint.Parse(o)
	return s, optionError(err)
}

// optionError makes an *[OptionError] of a mistake in a constraint.
func optionError(err error) error {
	var e *constraint.Error
	switch {
	case !errors.As(err, &e):
		return err
	case e.Text == "":
		return wrong(e.Flag, ": %w", e.Err)
	}
	return wrong(e.Flag, "%s: %w", e.Text, e.Err)
}

// groups are the columns that the constraints compare rows by.
func (r *Rates) groups() []string {
	o := constraint.Options{Fair: r.Fair}
	return o.Groups()
}

// asked is the first option in use, "" for none.
func asked(o constraint.Options) string {
	for _, option := range []struct {
		name string
		used bool
	}{
		{"recall", o.Recall != nil}, {"precision", o.Precision != nil}, {"share", o.Share != nil}, {"fair", o.Fair != nil},
		{"leaf-purity", o.LeafPurity != 0}, {"max-features", o.MaxFeatures != 0}, {"feature-cost", o.FeatureCost != nil},
		{"forbid", o.Forbid != nil}, {"fix", o.Fix != ""}, {"monotone", o.Monotone != nil},
	} {
		if option.used {
			return option.name
		}
	}
	return ""
}

// describe adds the constraints of a method to its info.
func (i *Info) describe(o constraint.Options, r *Rates, f *Fixing) {
	i.Constraints, _ = parse(o) // Validate has tried
	i.Positive, i.Groups = r.Positive, r.groups()
	if i.TreeFile = f.Fix; f.Fix != "" {
		i.ReadFile = f.read
	}
}

// read reads the tree whose splits are fixed.
func (f *Fixing) read(files Files) (err error) {
	if f.fixed != nil {
		return nil
	}
	if f.fixed, err = files.tree(f.Fix); err != nil {
		return wrong("fix", "%s: %w", f.Fix, err)
	}
	return nil
}

// onto puts the tree that was read on the features of ds.
func (f *Fixing) onto(ds *dataset.Dataset) error {
	if f.Fix == "" || f.own {
		return nil
	}
	if err := f.read(Files{}); err != nil {
		return err
	}
	t, err := f.fixed.Recode(ds)
	var missing *tree.FeatureError
	switch {
	case errors.As(err, &missing): // constraints refuse it by that name
	case err != nil:
		return wrong("fix", "%s: %w", f.Fix, err)
	default:
		f.fixed = t
	}
	f.own = true
	return nil
}

// bound are the constraints of a method on the rows of ds, nil for none. It refuses those
// that name what the data lack, and fixed splits that the trees sought cannot have. It sets
// the depth if the options name none: the usual one, or as many levels as the fixed splits
// need.
func bound(ds *dataset.Dataset, f *Fixing, l *Levels, depth int, univariate bool, options func() constraint.Options) (*constraint.On, error) {
	if err := f.onto(ds); err != nil {
		return nil, err
	}
	set, err := parse(options())
	if err != nil {
		return nil, err
	}
	on, err := set.On(ds)
	if err != nil {
		return nil, optionError(err)
	}
	if on.Fixed != nil {
		if univariate && !univariateTree(on.Fixed) {
			return nil, wrong("fix", ": the tree has splits on several features, which only --method oct-h keeps; want splits on one")
		}
		switch levels := on.Fixed.Collapse(ds).Depth(); {
		case levels <= l.Greatest():
		case l.Depth == 0:
			l.Depth = levels
		default:
			return nil, wrong("fix", ": the tree has splits in %d levels, and the trees looked for have %d; want --depth %d or more", levels, l.Depth, levels)
		}
	}
	l.SetDepth(depth)
	if set.Empty() {
		return nil, nil
	}
	return on, nil
}

// columnPrices returns what trees pay for the columns that they use.
func columnPrices(on *constraint.On) func(*tree.Tree) float64 {
	if on == nil || on.FeatureCost == nil {
		return func(*tree.Tree) float64 { return 0 }
	}
	return on.Price
}

// fromOptions are the options of constraints that were written with a model.
func fromOptions(o *constraint.Options) (r Rates, s Structural, f Fixing, u Univariate) {
	if o == nil {
		return r, s, f, u
	}
	return Rates{o.Recall, o.Precision, o.Share, o.Fair, o.Positive},
		Structural{o.LeafPurity, o.MaxFeatures, o.FeatureCost, o.Forbid},
		Fixing{o.Fix, o.FixTree, o.FixTree != nil}, Univariate{o.Monotone, o.ClassOrder}
}

// constraintLines are the lines about constraints in a model's file.
func constraintLines(s *constraint.Set) []string {
	var lines []string
	for _, text := range slices.Compact(s.Texts()) {
		lines = append(lines, "constraint "+text)
	}
	return lines
}

func univariateTree(t *tree.Tree) bool {
	for i := range t.Nodes {
		if s := t.Nodes[i].Split; s != nil && !s.IsUnivariate() {
			return false
		}
	}
	return true
}
