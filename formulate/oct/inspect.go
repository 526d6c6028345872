package oct

import (
	"context"
	"fmt"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate"
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
		Features: g.P, Varying: len(g.Active), Baseline: g.Lhat * g.Unit.Size,
	}
	for _, j := range g.Active {
		in.Thresholds += g.Cuts(j)
	}
	in.UnavoidableWeight, in.UnavoidableErrors = g.DS.UnavoidableErrors()
	in.UnavoidableWeight *= g.Unit.Size
	in.Memory = memory(in.Size)
	in.Tightenings = f.enc.tightenings()
	f.enc.describe(in)
	in.judge(f)
	return in, nil
}

// judge fills Proof and Warnings from what solves took when they were measured
// (docs/oct.md): the work grows with upper-level binaries times rows.
func (in *Inspection) judge(f *Formulation) {
	work := float64(in.Size.Binaries) * float64(in.MergedRows)
	switch o := f.opts; {
	case o.Encoding == formulate.BigMPublished:
		in.Proof = "a proof would be worthless: this encoding's optimum can be below that of any tree"
	case o.Encoding == formulate.Indicator:
		in.Proof = "not realistic: a solver's relaxation of indicator rows is no stronger than that of bigm"
	case o.Encoding == formulate.BigM && work <= 1e4:
		in.Proof = "realistic, in seconds; encoding threshold is faster"
	case o.Encoding == formulate.BigM && work > 7e4:
		in.Proof = "not realistic: the relaxation of bigm is weak; use encoding threshold"
	case o.Encoding == formulate.BigM:
		in.Proof = "possible, in minutes; encoding threshold is much faster"
	case in.Size.Binaries == 0:
		in.Proof = "realistic: the model is a linear program"
	case o.Depth <= 2 && work <= 5e5:
		in.Proof = "realistic, in seconds to minutes"
	case o.Depth <= 3 && work <= 2e5:
		in.Proof = "possible, in minutes to hours"
	default:
		in.Proof = fmt.Sprintf("not realistic with a MIO solver: depth %d with %d binaries and %d rows; set a time limit", o.Depth, in.Size.Binaries, in.MergedRows)
	}
	in.Warnings = warnings(f.opts, f.g, in.Size)
}
