package problem

import (
	"cmp"
	"context"

	"github.com/octgen/octgen/tree"
	"github.com/octgen/octgen/tree/constraint"
)

// The paths of a tuning.
const (
	AlphaPath  = "alpha"
	SplitsPath = "splits"
)

// Walked are the options of methods that find their trees along a path.
type Walked struct {
	Validated
	Path string `placeholder:"alpha|splits" group:"Tuning" help:"oct-tuned, oct-h-tuned, ort-tuned: search over breakpoints of alpha (default) or over the number of splits."`
}

// hint says why the options are not there that a tuned method chooses.
func (w Walked) hint(flag string) string {
	if flag == "encoding" {
		return "takes the usual one"
	}
	return w.Validated.hint(flag)
}

// Validate refuses what no data make right.
func (w Walked) Validate() error {
	if w.Path != "" && w.Path != AlphaPath && w.Path != SplitsPath {
		return wrong("path", ": no path %q; they are %s and %s", w.Path, AlphaPath, SplitsPath)
	}
	return nil
}

// OCTTuned is oct with alpha chosen on validation rows.
type OCTTuned struct {
	Levels
	Leaves
	Walked
	Cache
	constraint.Rates
	constraint.Structural
	Fixing
	constraint.Univariate
}

// Info describes the method.
func (m *OCTTuned) Info() Info {
	info := Info{
		Name: "oct-tuned", Doc: "oct with alpha chosen on validation rows, by exact search or a named solver (Bertsimas & Dunn 2017, section 3)",
		Kind: Tuned, Proof: true, Costs: true, Hint: m.hint, Engines: []Engine{Search, MIO}, Settings: []string{"solver", "threads", "work-limit"},
		Depth: &m.Depth, AnyDepth: true, Validation: &m.Validation, MinLeaf: m.MinLeaf,
	}
	info.describe(m.options(), &m.Fixing)
	return info
}

// hint says why the options are not there that it chooses, or that are of hyperplanes.
func (m *OCTTuned) hint(flag string) string { return cmp.Or(univariateHint(flag), m.Walked.hint(flag)) }

// Validate refuses what no data make right.
func (m *OCTTuned) Validate() error {
	if _, err := parse(m.options()); err != nil {
		return err
	}
	if m.Depth == NoDepth {
		if m.Path == SplitsPath {
			return wrong("path", "%s needs a limit on the depth", SplitsPath)
		}
		if err := unlimited(m.options()); err != nil {
			return err
		}
	}
	return m.Walked.Validate()
}

// options are the constraints in use.
func (m *OCTTuned) options() constraint.Options {
	return m.Fixing.options(m.Rates, m.Structural, m.Univariate)
}

// On binds the method to data. Its trees hold the constraints on the rows that they are
// fitted to.
func (m *OCTTuned) On(_ context.Context, d *Data, depth int) (*Problem, error) {
	o := *m
	on, err := bound(d.Dataset, &o.Fixing, &o.Levels, depth, true, o.options)
	if err != nil {
		return nil, err
	}
	p := tuned(&o, d, o.Levels, o.Leaves, o.tuning())
	p.Keep = on
	return p, nil
}

// tuned is the problem of a tuned method.
func tuned(m Method, d *Data, l Levels, leaves Leaves, t Tuning) *Problem {
	return &Problem{Info: m.Info(), Method: m, Data: d, Shape: Shape{Levels: l, Leaves: leaves}, Complexity: t.Complexity, Bound: unbounded, Tuning: &t}
}

// tuning is what it consists of.
func (m *OCTTuned) tuning() Tuning {
	of := func(s Shape) Method {
		return &OCT{Shape: s, Cache: m.Cache, Rates: m.Rates, Structural: m.Structural, Fixing: m.Fixing, Univariate: m.Univariate}
	}
	return Tuning{Of: of, Complexity: (*tree.Tree).Splits, Depth: m.Greatest(), MinLeaf: m.MinLeaf, Validated: m.Validated, Path: m.Path}
}

// ORTTuned is ort with alpha chosen on validation rows.
type ORTTuned struct {
	Levels
	Leaves
	Walked
	constraint.Structural
	Fixing
	constraint.Univariate
}

// Info describes the method.
func (m *ORTTuned) Info() Info {
	info := Info{
		Name: "ort-tuned", Doc: "ort with alpha chosen on validation rows, by exact search or a named solver (Dunn 2018)", Measure: "squared error",
		Kind: Tuned, Proof: true, Numbers: true, OnlyNumbers: true, Hint: func(flag string) string { return cmp.Or(ortHint(flag), m.Walked.hint(flag)) },
		Engines: []Engine{Search, MIO}, Settings: []string{"solver", "threads", "work-limit"},
		Depth: &m.Depth, AnyDepth: true, Validation: &m.Validation, MinLeaf: m.MinLeaf,
	}
	info.describe(m.of(Shape{}).options(), &m.Fixing)
	return info
}

// of is the method whose trees compete.
func (m *ORTTuned) of(s Shape) *ORT {
	return &ORT{Shape: s, Structural: m.Structural, Fixing: m.Fixing, Univariate: m.Univariate}
}

// Validate refuses what no data make right.
func (m *ORTTuned) Validate() error {
	if err := m.of(Shape{}).Validate(); err != nil {
		return err
	}
	if m.Depth == NoDepth && m.Path == SplitsPath {
		return wrong("path", "%s needs a limit on the depth", SplitsPath)
	}
	return m.Walked.Validate()
}

// On binds the method to data. Its trees hold the constraints on the rows that they are fitted to.
func (m *ORTTuned) On(_ context.Context, d *Data, depth int) (*Problem, error) {
	o := *m
	on, err := bound(d.Dataset, &o.Fixing, &o.Levels, depth, true, o.of(Shape{}).options)
	if err != nil {
		return nil, err
	}
	p := tuned(&o, d, o.Levels, o.Leaves, Tuning{
		Of: func(s Shape) Method { return o.of(s) }, Complexity: (*tree.Tree).Splits, Depth: o.Greatest(), MinLeaf: o.MinLeaf, Validated: o.Validated, Path: o.Path,
	})
	p.Keep = on
	return p, nil
}

// narrowMu is the margin that validation may choose instead of the usual one: on
// features of long tails, scaled to [0, 1], few planes have more between most rows.
const narrowMu = 1e-4

// OCTHTuned is oct-h with alpha chosen on validation rows and, unless it is given, the
// margin.
type OCTHTuned struct {
	Levels
	Leaves
	Margin
	Walked
	Portfolio bool `group:"Tuning" help:"oct-h-tuned: also consider univariate trees and MSMT trees, which do not keep the margin."`
}

// Info describes the method.
func (m *OCTHTuned) Info() Info {
	return Info{
		Name: "oct-h-tuned", Oblique: true, Doc: "oct-h with alpha and margin chosen on validation rows, by alternating optimization or a named solver",
		Kind: Tuned, Proof: true, Counts: "feature", Hint: m.Walked.hint, Engines: []Engine{Heuristic, MIO}, Settings: []string{"solver", "threads", "work-limit"},
		Depth: &m.Depth, Validation: &m.Validation, MinLeaf: m.MinLeaf,
	}
}

// On binds the method to data.
func (m *OCTHTuned) On(_ context.Context, d *Data, depth int) (*Problem, error) {
	o := *m
	o.SetDepth(depth)
	t := o.ofMargin(o.Margin)
	if o.Mu == 0 && !o.Portfolio {
		narrower := o.ofMargin(Margin{narrowMu})
		t.Narrower = &narrower
	}
	return tuned(&o, d, o.Levels, o.Leaves, t), nil
}

// ofMargin is the tuning at one margin.
func (m *OCTHTuned) ofMargin(margin Margin) Tuning {
	of := func(s Shape) Method { return &OCTH{Shape: s, Margin: margin} }
	first := (&OCTTuned{Levels: m.Levels, Leaves: m.Leaves}).tuning()
	var admitting func(*Data) func(*tree.Tree) bool
	if !m.Portfolio {
		of := &OCTH{Shape: Shape{Levels: m.Levels, Leaves: m.Leaves}, Margin: margin}
		admitting = func(d *Data) func(*tree.Tree) bool { return of.admits(d, nil) }
	}
	return Tuning{
		Of: of, Admitting: admitting, First: &first, Hyperplanes: true, Complexity: (*tree.Tree).Terms,
		Depth: m.Greatest(), MinLeaf: m.MinLeaf, Mu: margin.mu(), Validated: m.Validated, Path: m.Path,
	}
}

// CARTTuned is CART, the subtree of its cost-complexity path chosen on validation
// rows: the baseline of the other two.
type CARTTuned struct {
	Levels
	Leaves
	Criterion
	Validated
}

// Info describes the method.
func (m *CARTTuned) Info() Info {
	return Info{
		Name: "cart-tuned", Doc: "CART with the cost-complexity subtree chosen on validation rows; the baseline of oct-tuned and ort-tuned",
		Kind: Tuned, Costs: true, Numbers: true, Hint: m.hint, Depth: &m.Depth, Validation: &m.Validation, MinLeaf: m.MinLeaf,
	}
}

// Validate refuses what no data make right.
func (m *CARTTuned) Validate() error {
	_, err := m.criterion()
	return err
}

// On binds the method to data.
func (m *CARTTuned) On(_ context.Context, d *Data, depth int) (*Problem, error) {
	o := *m
	o.SetDepth(depth)
	if err := ofClasses(d, map[string]bool{"criterion": m.Criterion.Criterion != ""}); err != nil {
		return nil, err
	}
	c, _ := o.criterion() // which Validate checks
	return tuned(&o, d, o.Levels, o.Leaves, Tuning{
		Complexity: (*tree.Tree).Splits, Depth: o.Greatest(), MinLeaf: o.MinLeaf, Criterion: c, Validated: o.Validated,
	}), nil
}
