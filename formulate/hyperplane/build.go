package hyperplane

import (
	"context"
	"fmt"
	"slices"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate/internal/build"
)

// Build formulates OCT-H for ds. Rows with equal features and class are merged and constant
// features dropped first. Errors: invalid options; data for which the single leaf is optimal
// (formulate.ErrSingleLeaf); with margin right, a row lighter than the minimum leaf weight; fixed
// splits that are too deep or violate the margin.
func (o Options) Build(ctx context.Context, ds *dataset.Dataset) (*Formulation, error) {
	f, err := o.prepare(ctx, ds)
	if err != nil {
		return nil, err
	}
	f.model, err = build.Model(ctx, f.enc.size(), "oct-h", o.OmitNames, f.enc.build)
	return f, err
}

// prepare validates the options and lays out the model without building it.
func (o Options) prepare(ctx context.Context, ds *dataset.Dataset) (*Formulation, error) {
	d, err := o.Data(ctx, ds)
	if err != nil {
		return nil, err
	}
	o = o.withDefaults()
	if err := o.fits(d); err != nil {
		return nil, err
	}
	on, err := o.Constraints.On(d.g.DS)
	if err != nil {
		return nil, err
	}
	f := &Formulation{on: on, frame: &frame{Data: d, depth: o.Depth, maxSplits: o.MaxSplits, alpha: o.Alpha}, opts: o}
	if f.stays, err = o.layFixed(ctx, d, on); err != nil {
		return nil, err
	}
	switch o.Encoding {
	case SOCT:
		f.enc = newSOCT(f.frame, o)
	case Served:
		f.enc = newServed(f.frame, o)
	default:
		f.enc = newPublished(f.frame, FactsOf(o.Encoding).Indicators)
	}
	if !o.Constraints.Empty() {
		f.enc = constrain(f.enc.(placed), on)
	}
	return f, nil
}

// FitsLeaves returns an error for a minimum leaf weight that margin right cannot enforce on ds. It
// ignores all other errors of Build.
func (o Options) FitsLeaves(ctx context.Context, ds *dataset.Dataset) error {
	if o.Margin != Right || o.MinLeaf == 0 {
		return nil
	}
	d, err := o.Data(ctx, ds)
	if err != nil {
		return nil
	}
	return o.fitsLeaves(d)
}

func (o Options) fitsLeaves(d *Data) error {
	if o.Margin != Right || d.g.FreeLeaves() {
		return nil
	}
	return fmt.Errorf("formulate: margin %s assigns no leaf to misclassified rows, so it cannot enforce the minimum leaf weight %v, above that of the lightest row: use at most %v, or margin %s",
		Right, o.MinLeaf, slices.Min(d.g.W)*d.g.Unit.Size, All)
}

// fits returns an error for options that the data rule out: a minimum leaf weight that margin right
// cannot enforce, and rows that do not exist.
func (o Options) fits(d *Data) error {
	if err := o.fitsLeaves(d); err != nil || o.Rows == nil {
		return err
	}
	if len(o.Rows) == 0 {
		return fmt.Errorf("formulate: the model has no rows; expected some of 0 to %d", d.Len()-1)
	}
	last := int32(-1)
	for _, i := range o.Rows {
		if i <= last || int(i) >= d.Len() {
			return fmt.Errorf("formulate: the rows of a model must be ascending numbers from 0 to %d; %d came after %d", d.Len()-1, i, last)
		}
		last = i
	}
	return nil
}
