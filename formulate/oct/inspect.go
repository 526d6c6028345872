package oct

import (
	"context"

	"github.com/octgen/octgen/dataset"
)

// Inspect lays out the model for ds without building it. Errors as Build's.
func (o Options) Inspect(ctx context.Context, ds *dataset.Dataset) (*Inspection, error) {
	f, err := o.prepare(ctx, ds)
	if err != nil {
		return nil, err
	}
	g := f.g
	in := &Inspection{
		Encoding: f.opts.Encoding, Size: f.enc.size(), Rows: ds.N(), MergedRows: g.N, Points: g.Points.Len(),
		Features: g.P, Varying: len(g.Active), Baseline: g.Baseline(),
	}
	for _, j := range g.Active {
		in.Thresholds += g.NumThresholds(j)
	}
	in.UnavoidableWeight, in.UnavoidableErrors = g.DS.UnavoidableErrors()
	if g.Cost == nil { // costs are the data's
		in.UnavoidableWeight *= g.Unit.Size
	}
	in.Memory = memory(in.Size)
	in.Tightenings = f.enc.tightenings()
	f.enc.describe(in)
	in.Warnings = f.warnings(in.Size)
	return in, nil
}
