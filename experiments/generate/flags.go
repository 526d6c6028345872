package generate

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
)

// Flags are the settings of a generator, as flags of the command line and, with _ for -, as keys of
// a spec. The struct tags are those of package internal/strict.
type Flags interface {
	// Generator returns the generator for the flags. An error names the flag; Data checks the
	// ranges.
	Generator() (Generator, error)
	// TestPoints returns the number of test points.
	TestPoints() int
}

// NewFlags returns the flags of the named generator, without defaults; nil for an unknown name.
func NewFlags(name string) Flags {
	if make, ok := generators[name]; ok {
		return make()
	}
	return nil
}

// Names lists the generators.
func Names() []string { return slices.Sorted(maps.Keys(generators)) }

var generators = map[string]func() Flags{
	"gto-tree":    func() Flags { return new(GTOFlags) },
	"oct-tree":    func() Flags { return new(OCTFlags) },
	"oct-h-tree":  func() Flags { return new(OCTHFlags) },
	"policy-tree": func() Flags { return new(PolicyFlags) },
}

// pointFlags are common to all generators.
type pointFlags struct {
	Features     int     `placeholder:"P" help:"Features; points are uniform in the unit cube."`
	Rows         int     `placeholder:"N" help:"Training points, 2 or more."`
	TestRows     int     `placeholder:"N" help:"Test points (default: none)."`
	LabelNoise   float64 `placeholder:"0" help:"Fraction of the training points whose class is changed to another one drawn uniformly."`
	FeatureNoise float64 `placeholder:"0" help:"F: add noise uniform in [-F, F) to each value of a training point."`
	TestNoise    bool    `help:"Add the same noise to the test points."`
	Seed         uint64  `default:"1" help:"Seed."`
}

// TestPoints returns the number of test points.
func (f *pointFlags) TestPoints() int { return f.TestRows }

func (f *pointFlags) noise() Noise {
	return Noise{Labels: f.LabelNoise, Features: f.FeatureNoise, Test: f.TestNoise}
}

// GTOFlags are the flags of gto-tree.
type GTOFlags struct {
	pointFlags
	Depth     *int    `min:"1" placeholder:"2" help:"Depth of the full tree, whose leaves have the classes A and B in turn."`
	Structure string  `placeholder:"((A,B),(A,B))" help:"Structure with leaf classes, instead of a depth."`
	Centred   bool    `help:"Points uniform in [-1, 1]^p instead of the unit cube [0, 1]^p."`
	MinShare  float64 `placeholder:"S" help:"Minimum fraction of a class in the training points; trees with less are drawn again (default: 0.2 divided by the number of classes)."`
}

// Generator returns a *GTO.
func (f *GTOFlags) Generator() (Generator, error) {
	g := &GTO{
		Features: f.Features, Rows: f.Rows, TestRows: f.TestRows, Structure: f.Structure, Centred: f.Centred, MinShare: f.MinShare,
		Noise: f.noise(), Seed: f.Seed,
	}
	return g, positive("--depth", f.Depth, &g.Depth)
}

// OCTFlags are the flags of oct-tree.
type OCTFlags struct {
	pointFlags
	Depth        *int    `min:"1" placeholder:"2" help:"Depth of the full tree."`
	Classes      *int    `min:"1" placeholder:"2" help:"Number of classes, at most the number of leaves; each has a leaf, and siblings differ."`
	MinLeafShare float64 `placeholder:"S" help:"Minimum fraction of the training points in a leaf; splits with less are drawn again (default: a quarter of an equal division)."`
}

// Generator returns an *OCT with univariate splits.
func (f *OCTFlags) Generator() (Generator, error) {
	return f.oct()
}

func (f *OCTFlags) oct() (*OCT, error) {
	g := &OCT{
		Features: f.Features, Rows: f.Rows, TestRows: f.TestRows, MinLeafShare: f.MinLeafShare,
		Noise: f.noise(), Seed: f.Seed,
	}
	return g, cmp.Or(positive("--depth", f.Depth, &g.Depth), positive("--classes", f.Classes, &g.Classes))
}

// OCTHFlags are the flags of oct-h-tree.
type OCTHFlags struct {
	OCTFlags
	SplitFeatures *int `min:"1" placeholder:"Q" help:"Features of each hyperplane (default: all)."`
}

// Generator returns an *OCT with hyperplanes.
func (f *OCTHFlags) Generator() (Generator, error) {
	g, err := f.oct()
	g.Hyperplanes = true
	return g, cmp.Or(err, positive("--split-features", f.SplitFeatures, &g.SplitFeatures))
}

// PolicyFlags are the flags of policy-tree.
type PolicyFlags struct {
	Features     int      `placeholder:"P" help:"Features; points are uniform in the unit cube."`
	Rows         int      `placeholder:"N" help:"Training points, 2 or more."`
	TestRows     int      `placeholder:"N" help:"Test points (default: none)."`
	Depth        *int     `min:"1" placeholder:"2" help:"Depth of the full tree."`
	Actions      *int     `min:"2" placeholder:"3" help:"Number of actions, at most the number of leaves; each has a leaf, and siblings differ."`
	Effect       *float64 `above:"0" placeholder:"1" help:"Advantage of the best action over any other."`
	OutcomeNoise float64  `min:"0" placeholder:"0" help:"Standard deviation of the normal noise of outcomes."`
	Seed         uint64   `default:"1" help:"Seed."`
}

// TestPoints returns the number of test points.
func (f *PolicyFlags) TestPoints() int { return f.TestRows }

// Generator returns a *Policy.
func (f *PolicyFlags) Generator() (Generator, error) {
	g := &Policy{Features: f.Features, Rows: f.Rows, TestRows: f.TestRows, Noise: f.OutcomeNoise, Seed: f.Seed}
	if f.Effect != nil {
		if g.Effect = *f.Effect; !(g.Effect > 0) {
			return nil, fmt.Errorf("--effect is %v, expected a number above 0", g.Effect)
		}
	}
	return g, cmp.Or(positive("--depth", f.Depth, &g.Depth), positive("--actions", f.Actions, &g.Actions))
}

// positive sets dst to the flag's value if the flag was given.
func positive(flag string, v *int, dst *int) error {
	switch {
	case v == nil:
		return nil
	case *v < 1:
		return fmt.Errorf("%s is %d, expected 1 or more", flag, *v)
	}
	*dst = *v
	return nil
}
