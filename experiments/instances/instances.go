// Package instances writes the programs of a spec as a library of instances for those who
// develop solvers: files in MPS, best known or proved objectives and points, in the forms
// of MIPLIB, and a table of sizes. The same spec, data and version give the same bytes.
package instances

import (
	"cmp"
	"context"
	"errors"

	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/mio"
)

// Work is the work after which the exact search of an instance ends, unless the spec's
// method has a limit of its own; the same on every machine.
const Work = 2_000_000_000

// Instance is one program, and what is known of its optimum.
type Instance struct {
	Name         string // of the files
	Data, Method string // as the spec names them
	Rows         int    // of the data
	Spec         problem.Spec
	Depth        int      // of the trees
	Lines        []string // what the program is, in words
	Model        *mio.Model

	Point      []float64 // the best that is known; nil for none
	Objective  float64   // of Point
	Proved     bool      // no point is better: the exact search, or the data
	Infeasible bool      // there is no point: the exact search
	Tree       string    // whose point it is: the name of what found the tree
}

// each builds the instances one after the other. Data of which the single leaf is the best
// tree have none, which skip is told.
func each(ctx context.Context, all []planned, skip func(name string, why error), do func(*Instance) error) error {
	for i := range all {
		p := &all[i]
		in, err := p.build(ctx)
		switch {
		case ctx.Err() != nil: // which is no error of the searches: they have a tree
			return cmp.Or(err, ctx.Err())
		case errors.Is(err, formulate.ErrSingleLeaf):
			skip(p.name, err)
			continue
		case err != nil:
			return p.mistake(ctx, err)
		}
		if err := do(in); err != nil {
			return err
		}
	}
	return nil
}

// build builds the program of a method on data, and finds the best point of it.
func (p *planned) build(ctx context.Context) (*Instance, error) {
	o, err := p.method.Options(ctx, p.ds)
	if err != nil {
		return nil, err
	}
	of, data := o.Method.(problem.Problem), problem.NewData(p.ds)
	model, err := of.Build(ctx, data, problem.BuildOptions{})
	if err != nil {
		return nil, err
	}
	in := &Instance{
		Name: p.name, Data: p.data, Method: p.method.Name, Rows: p.ds.N(),
		Spec: model.Spec, Depth: of.Trees().Greatest(), Lines: model.Lines, Model: model.Model(),
	}
	return in, in.find(ctx, data, of, model, cmp.Or(o.WorkLimit, Work))
}
