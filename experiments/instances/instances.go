// Package instances writes the programs of a spec as a library of instances for those who
// develop solvers: files in MPS, best known or proved objectives and points, in the forms
// of MIPLIB, and a table of sizes. The same spec, data and version give the same bytes.
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
	name, data string // of the files; as messages call the data
	method     *spec.Method
	ds         *dataset.Dataset
}

// plan reads all data of a spec and lists its instances: every method on all rows of every
// data. What can be known to be wrong before a program is built is an error, which wraps
// fit.ErrInput or is a *spec.Error.
func plan(ctx context.Context, s *spec.Spec) ([]planned, error) {
	if _, err := run.ReadTrees(s); err != nil {
		return nil, err
	}
	named := map[string]string{} // by names in small letters, which some file systems hold for the same
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
					return nil, fmt.Errorf("%w: %s and %s would both be %s: name them otherwise", fit.ErrInput, other, of, p.name)
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

// others are the characters that names of files and models do without.
var others = lazy.Regexp(`[^A-Za-z0-9_.-]+`)

func fileName(text string) string { return others().ReplaceAllString(text, "_") }

// check refuses a method that is no program, or does not go with the data.
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
		return p.mistake(ctx, fmt.Errorf("method %s is no program; instances are of oct, oct-h and the others that octgen mps has", info.Name))
	case info.NotWritten != nil:
		return p.mistake(ctx, info.NotWritten)
	}
	return p.mistake(ctx, fit.CheckOptions(ctx, p.ds, o))
}

// mistake says of which data and method an error is, unless ctx has ended.
func (p *planned) mistake(ctx context.Context, err error) error {
	if err == nil || ctx.Err() != nil {
		return err
	}
	return fmt.Errorf("%w: %s, %s: %s", fit.ErrInput, p.data, p.method.Name, strings.TrimPrefix(err.Error(), fit.ErrInput.Error()+": "))
}

// seed is that of the heuristics.
const seed = 1

// find finds the best point of a model of p: of the exact search where it has one, which
// work ends, else the best that heuristics and the search of univariate trees know.
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
		if q == p { // else it is of fewer trees
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
	point, name, _, err := fit.NativePoint(ctx, p, m, seed, known...)
	if errors.Is(err, formulate.ErrNoStart) {
		return nil // nothing is known
	}
	if err != nil {
		return err
	}
	in.Point, in.Tree = point, name
	in.value(m, nil)
	in.Proved = in.Objective <= p.Bound()
	return nil
}

// searched is the problem that an exact search solves for p: p itself if the optimum of its
// model is that of the search, the same with univariate splits if it is that of hyperplanes;
// nil for none.
func searched(ctx context.Context, p *problem.Problem) (*problem.Problem, error) {
	switch {
	case p.AxisParallel != nil:
		return p.AxisParallel.On(ctx, p.Data, 0)
	case p.Search != nil && p.OnlySearch == "" && (p.Crossable || p.Keep != nil):
		return p, nil
	}
	return nil, nil
}

// place makes the point of the tree that the search of p has found; done is false where
// there is none, or none that the program admits.
func (in *Instance) place(ctx context.Context, p *problem.Problem, m *problem.Model, found *problem.Found) (done bool, err error) {
	if found.Tree == nil {
		return false, nil
	}
	point, name, _, err := fit.StartPoint(ctx, p, m, fit.StartOptions{Name: found.Name, Tree: found.Tree, Seed: seed})
	if errors.Is(err, formulate.ErrNoStart) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	in.Point, in.Tree, in.Proved = point, name, found.Status == mio.Optimal
	in.value(m, found.Tree)
	return true, nil
}

// value is the objective of the point: of the tree where the point is as good as that, not
// summed up over the columns. A nil tree is that which the point stands for.
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
