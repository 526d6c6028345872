package gto

import (
	"context"
	"fmt"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/internal/build"
)

// Build formulates GTO for ds. Errors: invalid options; a class of the data
// without a leaf; data of one class or without a feature that varies
// (formulate.ErrSingleLeaf).
func (o Options) Build(ctx context.Context, ds *dataset.Dataset) (*Formulation, error) {
	f, err := o.prepare(ds)
	if err != nil {
		return nil, err
	}
	f.model, err = build.Model(ctx, f.size(), "gto", o.OmitNames, f.build)
	return f, err
}

// prepare validates the options and lays out the structure without building.
func (o Options) prepare(ds *dataset.Dataset) (*Formulation, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	g, err := newData(ds, o.Training)
	if err != nil {
		return nil, err
	}
	if o, err = o.withDefaults(ds.K()); err != nil {
		return nil, err
	}
	f := &Formulation{opts: o, g: g, layout: newLayout(o.Structure, ds.K())}
	for c, w := range g.ds.ClassWeights() {
		if w > 0 && len(f.layout.classes[c].leaves) == 0 {
			return nil, fmt.Errorf("formulate: the structure %s has no leaf of class %q, which the data has", o.Structure.Text(ds.Classes), ds.Classes[c])
		}
	}
	return f, f.chooseEncoding()
}

// chooseEncoding fills in the default encoding and refuses one that does not fit
// the structure.
func (f *Formulation) chooseEncoding() error {
	most, class := 0, 0 // leaves of a class that the data has
	for c, w := range f.g.ds.ClassWeights() {
		if n := len(f.layout.classes[c].leaves); w > 0 && n > most {
			most, class = n, c
		}
	}
	products := f.opts.Objective == ProductError
	switch {
	case f.opts.Encoding == "" && products && most > 2:
		f.opts.Encoding = Multilinear
	case f.opts.Encoding == "":
		f.opts.Encoding = Needs(f.opts.Objective)[0].Encoding
	case f.opts.Encoding == formulate.Bilinear && products && most > 2:
		return fmt.Errorf("formulate: class %q has %d leaves; the %s encoding of the product error takes at most 2: use %q", f.g.ds.Classes[class], most, formulate.Bilinear, Multilinear)
	}
	return nil
}
