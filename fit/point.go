package fit

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mio/verify"
	"github.com/octgen/octgen/tree"
)

// point is a feasible point of a model to start from.
type point struct {
	name      string
	values    []float64
	objective float64 // of the model
	seconds   float64 // that the heuristics took, all of them
	better    bool    // no start, but what was found after it:
	than      *point  // the start; nil for none
}

// bestPoint returns the best point of the trees, nil for none. A tree that the caller
// gave and that the model does not admit is an error; a heuristic's is pruned, or
// left out.
func (j *job) bestPoint(ctx context.Context, p *problem.Model, from *starts) (*point, error) {
	var best *point
	for _, g := range from.trees {
		if j.StartTree == g.Tree {
			s, err := j.newPoint(ctx, p, g.Name, g.Tree)
			if err != nil {
				return nil, fmt.Errorf("%w: start %s: %w", ErrInput, g.Name, err)
			}
			return s, nil
		}
		s, err := j.widenedPoint(ctx, p, g.Name, g.Tree)
		if err == nil && s == nil {
			s, err = j.prunedPoint(ctx, p, g.Name, g.Tree)
		}
		switch {
		case errors.Is(err, formulate.ErrNoStart):
			j.warn(fmt.Sprintf("no start from %s: %v", g.Name, err))
		case outOfTime(ctx, err): // its linear programs take too long
		case err != nil:
			return nil, err
		case best == nil || s.objective < best.objective-verify.Rounding:
			best = s
		}
	}
	if best != nil {
		best.seconds = from.seconds
	}
	return best, nil
}

// widener is a formulation that can replace splits whose margin is too narrow.
type widener interface {
	Widen(ctx context.Context, t *tree.Tree) (*tree.Tree, error)
}

// widenedPoint is, under constraints, newPoint on t with wider splits where the model does
// not admit it as it is: without some of its splits it may not hold them. It is nil where
// that is no start either.
func (j *job) widenedPoint(ctx context.Context, p *problem.Model, name string, t *tree.Tree) (*point, error) {
	w, ok := p.Formulation.(widener)
	if !ok || j.constrained.on == nil {
		return nil, nil
	}
	x, err := j.newPoint(ctx, p, name, t)
	if errors.Is(err, formulate.ErrNoStart) {
		if t, err = w.Widen(ctx, t); err == nil {
			x, err = j.newPoint(ctx, p, "widened "+name, t)
		}
	}
	if errors.Is(err, formulate.ErrNoStart) {
		return nil, nil
	}
	return x, err
}

// prunedPoint is newPoint on t, with the splits that the model does not admit turned
// into leaves one by one.
func (j *job) prunedPoint(ctx context.Context, p *problem.Model, name string, t *tree.Tree) (*point, error) {
	t = t.Collapse(j.data.Dataset)
	var first error // says more than that what is left of the tree is no start either
	for {
		s, err := j.newPoint(ctx, p, name, t)
		var no *formulate.NoStartError
		if !errors.As(err, &no) {
			return s, err
		}
		if first == nil {
			first = err
		}
		if no.Node >= len(t.Nodes) || t.Nodes[no.Node].Leaf() {
			return s, first
		}
		t = t.Prune(func(i int) bool { return i == no.Node }).Collapse(j.data.Dataset)
		name = "pruned " + strings.TrimPrefix(name, "pruned ")
	}
}

func (j *job) newPoint(ctx context.Context, p *problem.Model, name string, t *tree.Tree) (*point, error) {
	x, err := p.Formulation.Start(ctx, t)
	if err != nil {
		return nil, err
	}
	s := &point{name: name, values: x, objective: p.Model().Objective(x)}
	if p.Precision.Loose != "" {
		if u, err := p.Decode(x); err == nil {
			s.objective = p.Objective(u) // which no arithmetic of the model blurs
		}
	}
	if math.Abs(s.objective) < verify.Rounding {
		s.objective = 0 // what is left of rounding
	}
	j.stage("start: %s, objective %.6g", name, p.InUnits(s.objective))
	return s, nil
}

// witness is the point as something that is known of the model.
func (s *point) witness() *verify.Witness {
	if s == nil {
		return nil
	}
	return &verify.Witness{Name: "the start " + s.name, Objective: s.objective, Values: s.values}
}

// startable reports whether a solver can be given the point to start from.
func startable(p *problem.Model, from *point) bool {
	if p.Precision.Loose == "" {
		return true // an infeasible one is a defect, and an error
	}
	r := mio.Check(p.Model(), from.values, verify.Feasibility)
	return r.Feasible
}
