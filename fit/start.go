package fit

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/tree"
	"github.com/octgen/octgen/verify"
)

// start is a feasible point to start from.
type start struct {
	name      string
	point     []float64
	objective float64 // of the point
}

// chooseStart returns the start asked for, nil for none. A tree given by the
// user that the model does not admit is an error; a heuristic's is left out.
func (r *run) chooseStart(ctx context.Context, f *problem) (*start, error) {
	if r.opts.StartTree != nil {
		s, err := r.newStart(ctx, f, r.opts.StartName, r.opts.StartTree)
		if err != nil {
			return nil, fmt.Errorf("%w: start %s: %w", ErrInput, r.opts.StartName, err)
		}
		return s, nil
	}
	if r.opts.Start == "none" {
		return nil, nil
	}
	trees, err := r.growStarts(ctx, f.form)
	if err != nil {
		return nil, err
	}
	var best *start
	for _, g := range trees {
		s, err := r.prunedStart(ctx, f, g.name, g.tree)
		switch {
		case errors.Is(err, formulate.ErrNoStart):
			r.warn("no start from %s: %v", g.name, err)
		case err != nil:
			return nil, err
		case best == nil || s.objective < best.objective-verify.Rounding:
			best = s
		}
	}
	return best, nil
}

// prunedStart is newStart on t, with the splits that the model does not admit
// turned into leaves one by one.
func (r *run) prunedStart(ctx context.Context, f formulate.Formulation, name string, t *tree.Tree) (*start, error) {
	t = t.Collapse(r.ds)
	for {
		s, err := r.newStart(ctx, f, name, t)
		var no *formulate.NoStartError
		if !errors.As(err, &no) || no.Node >= len(t.Nodes) || t.Nodes[no.Node].Leaf() {
			return s, err
		}
		t = t.Prune(func(i int) bool { return i == no.Node }).Collapse(r.ds)
		name = "pruned " + strings.TrimPrefix(name, "pruned ")
	}
}

func (r *run) newStart(ctx context.Context, f formulate.Formulation, name string, t *tree.Tree) (*start, error) {
	x, err := f.Start(ctx, t)
	if err != nil {
		return nil, err
	}
	s := &start{name: name, point: x, objective: f.Model().Objective(x)}
	if math.Abs(s.objective) < verify.Rounding {
		s.objective = 0 // what is left of rounding
	}
	r.stage("start: %s, objective %.6g", name, r.objective(t))
	return s, nil
}
