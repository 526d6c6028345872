// Package instances writes the programs of a spec as a library of instances for those who
// develop solvers: files in MPS, best known or proved objectives and points, in the forms
// of MIPLIB, and a table of sizes. The same spec, data and version give the same bytes.
package instances

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/experiments/run"
	"github.com/octgen/octgen/experiments/spec"
	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/method"
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
	Spec         method.Spec
	Model        *mio.Model

	Point     []float64 // the best that is known; nil for none
	Objective float64   // of Point
	Proved    bool      // no point is better: the exact search
	Tree      string    // whose point it is: the name of what found the tree
}

// Each builds the instances of a spec one after the other, in its order: every method on
// all rows of every data. Data of which the single leaf is the best tree have none, which
// skip is told. Methods that are no programs are an error.
func Each(ctx context.Context, s *spec.Spec, skip func(name string, why error), do func(*Instance) error) error {
	named := map[string]string{}
	for i := range s.Data {
		d := &s.Data[i]
		all, err := run.Whole(s, d)
		if err != nil {
			return err
		}
		for r, ds := range all {
			data := d.Name
			if len(all) > 1 {
				data = fmt.Sprintf("%s-%d", d.Name, r+1)
			}
			for j := range s.Methods {
				m := &s.Methods[j]
				name := fileName(data + "-" + m.Name)
				if of := data + ", " + m.Name; named[name] != "" {
					return fmt.Errorf("%w: %s and %s would both be %s: name them otherwise", fit.ErrInput, named[name], of, name)
				}
				named[name] = data + ", " + m.Name
				in, err := build(ctx, m, ds)
				if errors.Is(err, formulate.ErrSingleLeaf) {
					skip(name, err)
					continue
				}
				if err != nil && ctx.Err() == nil {
					return fmt.Errorf("%w: %s, %s: %w", fit.ErrInput, data, m.Name, err)
				}
				if err != nil {
					return err
				}
				in.Name, in.Data, in.Method = name, data, m.Name
				if err := do(in); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// others are the characters that names of files and models do without.
var others = regexp.MustCompile(`[^A-Za-z0-9_.-]+`)

func fileName(text string) string { return others.ReplaceAllString(text, "_") }

// build builds the program of a method on data, and finds the best point of it.
func build(ctx context.Context, m *spec.Method, ds *dataset.Dataset) (*Instance, error) {
	o, err := m.Options(ctx, ds)
	if err != nil {
		return nil, err
	}
	p, ok := o.Method.(method.Problem)
	if !ok {
		return nil, fmt.Errorf("method %s is no program; instances are of oct, oct-h and the others that octgen mps has", o.Method.Info().Name)
	}
	data := method.NewData(ds)
	model, err := p.Build(ctx, data, method.BuildOptions{})
	if err != nil {
		return nil, err
	}
	in := &Instance{Rows: ds.N(), Spec: model.Spec, Model: model.Model()}
	t := fit.StartOptions{Name: "cart", Seed: 1}
	if q, ok := p.(method.Searcher); ok && q.Crossable() && q.Searching() == "" {
		found, err := q.Search(ctx, data, method.SearchOptions{Workers: 1, Work: cmp.Or(o.WorkLimit, Work), Seed: 1})
		if err != nil {
			return nil, err
		}
		t.Name, t.Tree, in.Proved = found.Name, found.Tree, found.Status == mio.Optimal
	}
	in.Point, in.Tree, in.Objective, err = fit.StartPoint(ctx, ds, p, model, t)
	switch {
	case errors.Is(err, formulate.ErrNoStart) || errors.Is(err, fit.ErrInput) && !in.Proved:
		in.Point, in.Tree, in.Proved = nil, "", false
		return in, nil
	case err == nil && in.Proved:
		in.Objective = model.Objective(t.Tree) // of the tree, not summed up over the columns
	}
	return in, err
}
