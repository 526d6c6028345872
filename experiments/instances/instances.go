// Package instances writes the models of a spec as a library of instances for solver developers:
// files in MPS, best known or proved objectives and points, in the formats of MIPLIB, and a table
// of sizes. The same spec, data and version give the same bytes.
package instances

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/experiments/run"
	"github.com/octgen/octgen/experiments/spec"
	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/internal/lazy"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/tree"
)

// Work is the work limit of the exact search of an instance, unless the spec's method has its own
// limit; it is the same on every machine.
const Work = 2_000_000_000

// Instance is one model, with what is known about its optimum.
type Instance struct {
	Name         string // of the files
	Data, Method string // names in the spec
	Rows         int    // of the data
	Spec         problem.Spec
	Depth        int      // of the trees
	Lines        []string // description of the model
	Model        *mio.Model

	Point      []float64 // best known point; nil for none
	Objective  float64   // of Point
	Proved     bool      // proved optimal, by the exact search or the data
	Infeasible bool      // proved infeasible by the exact search
	Tree       string    // source of the tree of the point
}

// each builds the instances one after the other. Data for which the single leaf is the best tree
// have no instance; skip receives these.
func each(ctx context.Context, all []planned, skip func(name string, why error), do func(*Instance) error) error {
	for i := range all {
		p := &all[i]
		in, err := p.build(ctx)
		switch {
		case ctx.Err() != nil: // the searches return a tree without an error
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

// build builds the model of a method on data, and finds its best point.
func (p *planned) build(ctx context.Context) (*Instance, error) {
	o, err := p.method.Options(ctx, p.ds)
	if err != nil {
		return nil, err
	}
	of, err := o.Method.On(ctx, problem.NewData(p.ds), 0)
	if err != nil {
		return nil, err
	}
	model, err := of.Build(ctx, problem.BuildOptions{})
	if err != nil {
		return nil, err
	}
	in := &Instance{
		Name: p.name, Data: p.data, Method: p.method.Name, Rows: p.ds.N(),
		Spec: model.Spec, Depth: of.Shape.Greatest(), Lines: model.Lines, Model: model.Model(),
	}
	return in, in.find(ctx, of, model, cmp.Or(o.WorkLimit, Work))
}

// planned is an instance to be built.
type planned struct {
	name, data string // of the files; name of the data in messages
	method     *spec.Method
	ds         *dataset.Dataset
}

// plan reads all data of a spec and lists its instances: every method on all rows of every data.
// Mistakes that can be found before a model is built are errors that wrap fit.ErrInput or are a
// *spec.Error.
func plan(ctx context.Context, s *spec.Spec) ([]planned, error) {
	if _, err := run.ReadTrees(s); err != nil {
		return nil, err
	}
	named := map[string]string{} // by names in lower case, since some file systems ignore case
	var all []planned
	for i := range s.Data {
		d := &s.Data[i]
		sets, err := run.Whole(s, d)
		if err != nil {
			return nil, err
		}
		for r, ds := range sets {
			data := d.Name
			if len(sets) > 1 {
				data = fmt.Sprintf("%s-%d", d.Name, r+1)
			}
			for j := range s.Methods {
				p := planned{name: fileName(data + "-" + s.Methods[j].Name), data: data, method: &s.Methods[j], ds: ds}
				of, key := data+", "+p.method.Name, strings.ToLower(p.name)
				if other := named[key]; other != "" {
					return nil, fmt.Errorf("%w: %s and %s would both get the name %s: rename one of them", fit.ErrInput, other, of, p.name)
				}
				named[key] = of
				if err := p.check(ctx); err != nil {
					return nil, err
				}
				all = append(all, p)
			}
		}
	}
	return all, nil
}

// others matches the characters not used in names of files and models.
var others = lazy.Regexp(`[^A-Za-z0-9_.-]+`)

func fileName(text string) string { return others().ReplaceAllString(text, "_") }

// check returns an error for a method without a model, or one that does not suit the data.
func (p *planned) check(ctx context.Context) error {
	if err := p.method.CheckConstraints(p.data, p.ds); err != nil {
		return err
	}
	o, err := p.method.Options(ctx, p.ds)
	if err != nil {
		return p.mistake(ctx, err)
	}
	switch info := o.Method.Info(); {
	case info.Kind != problem.Formulation:
		return p.mistake(ctx, fmt.Errorf("method %s has no model; use oct, oct-h or another method of octgen mps", info.Name))
	case info.NotWritten != nil:
		return p.mistake(ctx, info.NotWritten)
	}
	return p.mistake(ctx, fit.CheckOptions(ctx, p.ds, o))
}

// mistake adds data and method to an error, unless ctx has ended.
func (p *planned) mistake(ctx context.Context, err error) error {
	if err == nil || ctx.Err() != nil {
		return err
	}
	return fmt.Errorf("%w: %s, %s: %s", fit.ErrInput, p.data, p.method.Name, strings.TrimPrefix(err.Error(), fit.ErrInput.Error()+": "))
}

// seed is the seed of the heuristics.
const seed = 1

// find finds the best point of a model of p: from the exact search if there is one, limited by
// work, otherwise the best of the heuristics and the univariate search.
func (in *Instance) find(ctx context.Context, p *problem.Problem, m *problem.Model, work int64) error {
	var known []*problem.Grown
	q, err := searched(ctx, p)
	if err != nil {
		return err
	}
	if q != nil {
		found, err := q.Search(ctx, problem.SearchOptions{Workers: 1, Work: work, Seed: seed})
		if err != nil {
			return err
		}
		if q == p { // otherwise it covers fewer trees
			if in.Infeasible = found.Status == mio.Infeasible; in.Infeasible {
				return nil
			}
			if done, err := in.place(ctx, p, m, found); done || err != nil {
				return err
			}
		}
		if found.Tree != nil {
			known = append(known, &problem.Grown{Name: found.Name, Tree: found.Tree})
		}
	}
	start, err := fit.NativePoint(ctx, p, m, seed, known...)
	if errors.Is(err, formulate.ErrNoStart) {
		return nil // no tree was found
	}
	if err != nil {
		return err
	}
	in.Point, in.Tree = start.Values, start.Name
	in.value(m, nil)
	in.Proved = in.Objective <= p.Bound()
	return nil
}

// searched returns the problem that an exact search solves for p: p itself if the optimum of its
// model is that of the search, its univariate version if p has hyperplanes; nil for none.
func searched(ctx context.Context, p *problem.Problem) (*problem.Problem, error) {
	switch {
	case p.AxisParallel != nil:
		return p.AxisParallel.On(ctx, p.Data, 0)
	case p.Search != nil && p.OnlySearch == "" && (p.Crossable || p.Keep != nil):
		return p, nil
	}
	return nil, nil
}

// place computes the point of the tree that the search of p found; done is false if there is none,
// or none that is feasible in the model.
func (in *Instance) place(ctx context.Context, p *problem.Problem, m *problem.Model, found *problem.Found) (done bool, err error) {
	if found.Tree == nil {
		return false, nil
	}
	start, err := fit.StartPoint(ctx, p, m, fit.StartOptions{Name: found.Name, Tree: found.Tree, Seed: seed})
	if errors.Is(err, formulate.ErrNoStart) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	in.Point, in.Tree, in.Proved = start.Values, start.Name, found.Status == mio.Optimal
	in.value(m, found.Tree)
	return true, nil
}

// value sets the objective of the point: that of the tree if the point is as good, rather than a
// sum over the variables. A nil tree means the tree of the point.
func (in *Instance) value(m *problem.Model, t *tree.Tree) {
	in.Objective = in.Model.Objective(in.Point)
	if t == nil {
		var err error
		if t, err = m.Decode(in.Point); err != nil {
			return
		}
	}
	const rounding = 1e-9
	if v := m.Objective(t); math.Abs(v-in.Objective) <= rounding*max(1, math.Abs(v)) {
		in.Objective = v
	}
}
