package problem

import (
	"cmp"
	"context"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/tree"
	"github.com/octgen/octgen/tree/constraint"
)

// Tuned is a procedure that chooses alpha by validation: Bertsimas & Dunn (2017),
// section 3. Package fit runs it.
type Tuned interface {
	Method
	// Tuning is what it consists of.
	Tuning() Tuning
}

// Tuning describes a tuned method.
type Tuning struct {
	Of          func(Shape) Problem // whose trees compete, at each alpha; nil for the subtrees of CART
	First       *Tuning             // whose trees, found first, compete too; nil for none
	Hyperplanes bool                // else splits are univariate
	Complexity  func(*tree.Tree) int
	Admitting   func(*Data) func(*tree.Tree) bool // which trees of the data compete; nil for all
	Depth       int
	MinLeaf     float64
	Mu          float64 // of hyperplanes
	Narrower    *Tuning // the same of a smaller margin, where validation chooses between the two; nil for no choice
	Criterion   tree.Criterion
	Validated
	Path string
}

// Validated are the options of methods that choose alpha themselves.
type Validated struct {
	Validation Part `placeholder:"1/3" group:"Tuning" help:"oct-tuned, oct-h-tuned, cart-tuned: part of the training rows that alpha is chosen by (default: a third)."`
	Refit      bool `group:"Tuning" help:"oct-tuned, oct-h-tuned, cart-tuned: fit once more to all training rows, at the alpha chosen."`
}

// Hint says why the options are not there that a tuned method chooses.
func (Validated) Hint(flag string) string {
	if flag == "alpha" || flag == "max-splits" {
		return "chooses alpha, and so the splits, on validation rows"
	}
	return ""
}

// SetValidation sets the part where none was asked for.
func (v *Validated) SetValidation(part float64) {
	if v.Validation == 0 {
		v.Validation = Part(part)
	}
}

// validationSetter is a method that chooses by a part of the rows, see
// [WithValidation].
type validationSetter interface {
	// SetValidation sets the part where none was asked for.
	SetValidation(part float64)
}

// WithValidation returns m, or a copy of it with the part of the rows that it chooses
// by where it has none.
func WithValidation(m Tuned, part float64) Tuned {
	c := clone(m).(Tuned)
	if v, ok := c.(validationSetter); ok {
		v.SetValidation(part)
	}
	return c
}

// IsTuned reports whether the method of that name chooses alpha itself.
func IsTuned(name string) bool {
	m, err := Lookup(name)
	_, tuned := m.(Tuned)
	return err == nil && tuned
}

// The paths of a tuning.
const (
	AlphaPath  = "alpha"
	SplitsPath = "splits"
)

// Walked are the options of methods that find their trees along a path.
type Walked struct {
	Validated
	Path string `placeholder:"alpha|splits" group:"Tuning" help:"oct-tuned, oct-h-tuned: find the trees by breakpoints of alpha (default) or for each number of splits."`
}

// Hint says why the options are not there that a tuned method chooses.
func (w Walked) Hint(flag string) string {
	if flag == "encoding" {
		return "takes the usual one"
	}
	return w.Validated.Hint(flag)
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
	Rates
	Structural
	Fixing
	Univariate
}

var (
	_ Tuned         = (*OCTTuned)(nil)
	_ Constrainable = (*OCTTuned)(nil)
	_ specific      = (*OCTTuned)(nil)
)

func init() { register(func() Method { return new(OCTTuned) }) }

// Info describes the method.
func (*OCTTuned) Info() Info {
	return Info{
		Costs: true, Name: "oct-tuned", Doc: "oct with alpha chosen on validation rows, by exact search or a solver that is named (Bertsimas & Dunn 2017, section 3)", Proof: true,
		Engines: []Engine{Search, MIO}, Settings: []string{"solver", "threads", "work-limit"},
	}
}

// Hint says why the options are not there that it chooses, or that are of hyperplanes.
func (m *OCTTuned) Hint(flag string) string {
	return cmp.Or(univariate[flag], m.Walked.Hint(flag))
}

// Validate refuses what no data make right.
func (m *OCTTuned) Validate() error {
	if _, err := parse(m.options()); err != nil {
		return err
	}
	return m.Walked.Validate()
}

// options are the constraints in use.
func (m *OCTTuned) options() constraint.Options {
	return options(&m.Rates, &m.Structural, &m.Fixing, &m.Univariate)
}

// Constraints are those in use, which trees hold on the rows that they are fitted to.
func (m *OCTTuned) Constraints() *constraint.Set {
	s, _ := parse(m.options()) // which Validate has tried
	return s
}

// resolve reads the splits that stay, and refuses constraints that name what the data
// have not.
func (m *OCTTuned) resolve(_ context.Context, ds *dataset.Dataset, files Files) error {
	if err := m.read(files, ds); err != nil {
		return err
	}
	return ofData(m.Constraints(), ds, &m.Levels, true)
}

// Tuning is what it consists of.
func (m *OCTTuned) Tuning() Tuning {
	of := func(s Shape) Problem {
		return &OCT{Shape: s, Cache: m.Cache, Rates: m.Rates, Structural: m.Structural, Fixing: m.Fixing, Univariate: m.Univariate}
	}
	return Tuning{Of: of, Complexity: (*tree.Tree).Splits, Depth: m.Greatest(), MinLeaf: m.MinLeaf, Validated: m.Validated, Path: m.Path}
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
	Portfolio bool `group:"Tuning" help:"oct-h-tuned: let trees compete that do not keep the margin, too: univariate ones and those of MSMT's linear programs."`
}

var _ Tuned = (*OCTHTuned)(nil)

func init() { register(func() Method { return new(OCTHTuned) }) }

// Info describes the method.
func (*OCTHTuned) Info() Info {
	return Info{
		Name: "oct-h-tuned", Counts: "feature", Doc: "oct-h with alpha and margin chosen on validation rows, by alternating or a solver that is named", Proof: true,
		Engines: []Engine{Heuristic, MIO}, Settings: []string{"solver", "threads", "work-limit"},
	}
}

// Tuning is what it consists of.
func (m *OCTHTuned) Tuning() Tuning {
	t := m.ofMargin(m.Margin)
	if m.Mu == 0 && !m.Portfolio {
		narrower := m.ofMargin(Margin{narrowMu})
		t.Narrower = &narrower
	}
	return t
}

// ofMargin is the tuning at one margin.
func (m *OCTHTuned) ofMargin(margin Margin) Tuning {
	of := func(s Shape) Problem { return &OCTH{Shape: s, Margin: margin} }
	first := (&OCTTuned{Levels: m.Levels, Leaves: m.Leaves}).Tuning()
	var admitting func(*Data) func(*tree.Tree) bool
	if !m.Portfolio {
		admitting = (&OCTH{Shape: Shape{Levels: m.Levels, Leaves: m.Leaves}, Margin: margin}).admitting
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

var _ Tuned = (*CARTTuned)(nil)

func init() { register(func() Method { return new(CARTTuned) }) }

// Info describes the method.
func (*CARTTuned) Info() Info {
	return Info{Costs: true, Name: "cart-tuned", Doc: "CART, the subtree of its cost-complexity path chosen on validation rows: the baseline of oct-tuned"}
}

// Validate refuses what no data make right.
func (m *CARTTuned) Validate() error {
	_, err := m.criterion()
	return err
}

// Tuning is what it consists of.
func (m *CARTTuned) Tuning() Tuning {
	c, _ := m.criterion() // which Validate checks
	return Tuning{Complexity: (*tree.Tree).Splits, Depth: m.Greatest(), MinLeaf: m.MinLeaf, Criterion: c, Validated: m.Validated}
}
