package oct

import (
	"context"
	"fmt"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/internal/build"
	"github.com/octgen/octgen/formulate/internal/grid"
)

// Build formulates OCT for ds. Rows with equal features and class are merged
// and constant features left out first. Errors: invalid options; data for
// which the single leaf is optimal (formulate.ErrSingleLeaf).
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
	if err := o.validate(); err != nil {
		return nil, err
	}
	g, err := grid.New(ctx, ds, o.Training, o.MinLeaf)
	if err != nil {
		return nil, err
	}
	k := kindOf(o.Encoding)
	f := &Formulation{opts: o, facts: k.Facts, g: g}
	if f.on, err = o.Constraints.On(g.DS); err != nil {
		return nil, err
	}
	if f.on.Purity > 0 && f.facts.FreeLeaves {
		return nil, fmt.Errorf("formulate: the encoding %s does not say in which leaf a row lies, and so knows no leaf purity; use %s or %s", o.Encoding, Threshold, Flow)
	}
	if err := checkCosts(g, o); err != nil {
		return nil, err
	}
	if err := allow(g, f.on); err != nil {
		return nil, err
	}
	if f.enc, err = k.lay(g, o); err != nil || !o.predicts(g) {
		return f, err
	}
	f.enc, err = constrain(f.enc.(placed), g, f.on, o.Depth)
	return f, err
}

// checkCosts refuses costs of answers that the encoding does not know, and those of which
// the single leaf costs nothing.
func checkCosts(g *grid.Grid, o Options) error {
	switch {
	case g.Cost == nil:
		return nil
	case !FactsOf(o.Encoding).Constrained:
		return fmt.Errorf("formulate: the encoding %s has no costs of answers; %s have", o.Encoding, constrainedText())
	case o.Constraints.Empty() && g.CheapestAnswer():
		return fmt.Errorf("formulate: %w: one answer is the cheapest for all rows", formulate.ErrSingleLeaf)
	}
	return nil
}
