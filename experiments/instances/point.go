package instances

import (
	"context"
	"errors"
	"math"

	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/tree"
)

// seed is that of the heuristics.
const seed = 1

// find finds the best point of a model of p: of the exact search where it has one, which
// work ends, else the best that heuristics and the search of univariate trees know.
func (in *Instance) find(ctx context.Context, d *problem.Data, p problem.Problem, m *problem.Model, work int64) error {
	var known []*problem.Grown
	if q := searched(p); q != nil {
		found, err := q.Search(ctx, d, problem.SearchOptions{Workers: 1, Work: work, Seed: seed})
		if err != nil {
			return err
		}
		if q == p { // else it is of fewer trees
			if in.Infeasible = found.Status == mio.Infeasible; in.Infeasible {
				return nil
			}
			if done, err := in.place(ctx, d, p, m, found); done || err != nil {
				return err
			}
		}
		if found.Tree != nil {
			known = append(known, &problem.Grown{Name: found.Name, Tree: found.Tree})
		}
	}
	point, name, _, err := fit.NativePoint(ctx, d.Dataset, p, m, seed, known...)
	if errors.Is(err, formulate.ErrNoStart) {
		return nil // nothing is known
	}
	if err != nil {
		return err
	}
	in.Point, in.Tree = point, name
	in.value(m, nil)
	if b, ok := p.(problem.Bounded); ok {
		in.Proved = in.Objective <= b.DataBound(d)
	}
	return nil
}

// searched is the problem that an exact search solves for p: p itself where the optimum of
// its program is that of the search, the same with univariate splits where it is that of
// hyperplanes; nil for none.
func searched(p problem.Problem) problem.Searcher {
	switch p := p.(type) {
	case *problem.OCTH:
		return &problem.OCT{Shape: p.Shape, Rates: p.Rates, Structural: p.Structural, Fixing: p.Fixing}
	case problem.Searcher:
		c, constrained := p.(problem.Constrainable)
		if p.Searching() == "" && (p.Crossable() || constrained && !c.Constraints().Empty()) {
			return p
		}
	}
	return nil
}

// place makes the point of the tree that the search of p has found; done is false where
// there is none, or none that the program admits.
func (in *Instance) place(ctx context.Context, d *problem.Data, p problem.Problem, m *problem.Model, found *problem.Found) (done bool, err error) {
	if found.Tree == nil {
		return false, nil
	}
	point, name, _, err := fit.StartPoint(ctx, d.Dataset, p, m, fit.StartOptions{Name: found.Name, Tree: found.Tree, Seed: seed})
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
