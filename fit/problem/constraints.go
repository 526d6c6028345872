package problem

import (
	"errors"
	"slices"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/tree"
	"github.com/octgen/octgen/tree/constraint"
)

// Fixing is the option of fixed upper splits.
type Fixing struct {
	Fix string `placeholder:"tree.json" group:"Constraints" help:"Fixed tree: keep its splits and optimise below them."`

	fixed *tree.Tree // read from Fix
	own   bool       // fixed is on the features of the data
}

// options are these constraints with the fixed splits.
func (f *Fixing) options(r constraint.Rates, s constraint.Structural, u constraint.Univariate) constraint.Options {
	return constraint.Options{Rates: r, Structural: s, Fix: f.Fix, FixTree: f.fixed, Univariate: u}
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

// asked is the first option in use, of a fixed tree before it is read, too; "" for none.
func asked(s *constraint.Set, o constraint.Options) string {
	if s.Empty() && o.Fix != "" {
		return "fix"
	}
	return s.Flag()
}

// describe adds the constraints of a method to its info.
func (i *Info) describe(o constraint.Options, f *Fixing) {
	i.Constraints, _ = parse(o) // Validate has tried
	i.Positive, i.Groups = o.Positive, o.Groups()
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
			l.Depth = Depth(levels)
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

// fixing is the fixed tree that was written with a model.
func fixing(o *constraint.Options) Fixing { return Fixing{o.Fix, o.FixTree, o.FixTree != nil} }

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
