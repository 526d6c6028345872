package hyperplane

import (
	"context"
	"fmt"
	"math"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate/internal/build"
	"github.com/octgen/octgen/formulate/internal/grid"
	"github.com/octgen/octgen/formulate/internal/leaves"
)

// Build formulates OCT-H for ds. Rows with equal features and class are merged and
// constant features left out first. Errors: invalid options; data for which the
// single leaf is optimal (formulate.ErrSingleLeaf).
func (o Options) Build(ctx context.Context, ds *dataset.Dataset) (*Formulation, error) {
	f, err := o.prepare(ctx, ds)
	if err != nil {
		return nil, err
	}
	f.model, err = build.Model(ctx, f.size(), "oct-h", o.OmitNames, f.build)
	return f, err
}

// prepare validates the options and lays out the model without building it.
func (o Options) prepare(ctx context.Context, ds *dataset.Dataset) (*Formulation, error) {
	if err := o.validate(); err != nil {
		return nil, err
	}
	o = o.withDefaults()
	g, err := grid.New(ctx, ds, o.Training, o.MinLeaf)
	if err != nil {
		return nil, err
	}
	f := &Formulation{opts: o, g: g, leaf: leaves.New(g, o.Depth)}
	return f, f.scale()
}

// scale maps every feature to [0, 1].
func (f *Formulation) scale() error {
	g, p := f.g, len(f.g.Active)
	f.low, f.width = make([]float64, p), make([]float64, p)
	f.x = make([]float64, g.N*p)
	for jx, j := range g.Active {
		v := g.Vals[j]
		f.low[jx], f.width[jx] = v[0], v[len(v)-1]-v[0]
		if math.IsInf(f.width[jx], 0) {
			return fmt.Errorf("formulate: feature %q spans %v to %v, more than can be scaled to [0, 1]", g.DS.Features[j], v[0], v[len(v)-1])
		}
		for i := range g.N {
			f.x[i*p+jx] = (g.DS.At(i, j) - f.low[jx]) / f.width[jx]
		}
	}
	return nil
}
