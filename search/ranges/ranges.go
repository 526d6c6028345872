package ranges

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate/oct"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mio/verify"
	"github.com/octgen/octgen/search/parts"
	"github.com/octgen/octgen/tree"
)

// Options say of which problem a proof is wanted, and what the caller knows and can do.
type Options struct {
	// Form is the problem. Its encoding and what belongs to it are not used.
	Form oct.Options

	// Solve solves the programs of the parts.
	Solve parts.Solve

	// Incumbent is the best tree known; nil for none but the single leaf.
	Incumbent *tree.Tree

	// Value is the objective of a tree.
	Value func(*tree.Tree) float64

	// Progress is told of each better tree of the whole depth; nil for nobody.
	Progress func(parts.Event)

	// Warn is told of wrong answers of the solver, which end the proof; nil for nobody.
	Warn func(string)

	// Between is the most rows between the sides of a range of several thresholds; 0 is
	// DefaultBetween. With more, programs are fewer and harder.
	Between int
}

// DefaultBetween was chosen by measurement (docs/encodings.md).
const DefaultBetween = 32

// Prove proves a tree the best, or ends with ctx, then without a bound. Nil: it is not for
// this problem: depth 1, a least leaf, most splits, constraints, weights without a unit.
func Prove(ctx context.Context, ds *dataset.Dataset, o Options) (*parts.Result, error) {
	f := o.Form
	if f.Depth < 2 || f.MaxSplits > 0 && f.MaxSplits < 1<<f.Depth-1 {
		return nil, nil
	}
	d, err := f.Divide(ctx, ds)
	if err != nil || d == nil || d.Total() > verify.MaxUnits || d.Step() < leastStep {
		return nil, err
	}
	if o.Between == 0 {
		o.Between = DefaultBetween
	}
	s := &search{Options: o, d: d, step: d.Step()}
	best := s.known()
	t, err := s.best(ctx, d.Rows(), f.Depth, s.below(best.value))
	if t != nil {
		best = t
	}
	r := &parts.Result{
		Status: mio.Feasible, Bound: math.Inf(-1), Tree: best.tree, Objective: o.Value(best.tree), Rounds: s.programs, Nodes: s.nodes, Rows: s.programs,
	}
	switch {
	case err == nil:
		r.Status, r.Bound, r.By = mio.Optimal, r.Objective, verify.ByRanges
	case ctx.Err() != nil:
		r.Limit = mio.LimitOf(ctx)
	case errors.Is(err, context.DeadlineExceeded): // a solver's clock was ahead of that of ctx
		r.Limit = mio.LimitTime
	case !errors.Is(err, errUnproved): // of which the whole program will tell
		return nil, fmt.Errorf("ranges: %w", err)
	}
	return r, nil
}

// leastStep is the least difference of values, in units, that solvers tell apart well.
const leastStep = 1e-3

// errUnproved is an answer of the solver that proves nothing.
var errUnproved = errors.New("a program was not solved to the end")

// search is a proof under way.
type search struct {
	Options
	d        *oct.Division
	step     float64 // least difference of values
	programs int     // solved
	nodes    int64   // of branch-and-bound, of all of them
}

// found is a best tree of some rows, and its value.
type found struct {
	tree  *tree.Tree
	value float64
}

// known is the best tree that is known at the beginning.
func (s *search) known() *found {
	leaf, value := s.d.Leaf(s.d.Rows())
	if t := s.Incumbent; t != nil {
		if v := s.Value(t) * s.d.Scale(); v < value {
			return &found{t, v}
		}
	}
	return &found{leaf, value}
}

// below is the cutoff that all values below v keep, and v does not.
func (s *search) below(v float64) float64 { return v - s.step/2 }

// above is the least value above a cutoff that a tree of this depth can have, at a price
// of splits.
func above(cut, price float64, depth int) float64 {
	if price == 0 {
		return max(0, math.Floor(cut)+1)
	}
	least := math.Inf(1)
	for c := range 1 << depth {
		paid := float64(c) * price
		least = min(least, paid+max(0, math.Floor(cut-paid)+1))
	}
	return least
}

// best is a best tree of some rows of at most this depth; nil where none has a value of at
// most cut. With an error it is the best so far.
func (s *search) best(ctx context.Context, rows []int32, depth int, cut float64) (b *found, err error) {
	if leaf, errors := s.d.Leaf(rows); errors <= cut {
		b = &found{leaf, errors}
		cut = s.below(errors)
	}
	if cut < s.d.Price() { // no tree that splits costs less
		return b, nil
	}
	split := s.divided
	if depth == 2 {
		split = s.ofPrograms
	}
	t, err := split(ctx, rows, depth, cut)
	if t != nil {
		b = t
	}
	return b, err
}
