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

// Options describe the problem, and what the caller knows and provides.
type Options struct {
	// Form is the problem. Its encoding and the encoding's options are ignored.
	Form oct.Options

	// Solve solves the models.
	Solve parts.Solve

	// Incumbent is the best tree known; nil if only the single leaf is known.
	Incumbent *tree.Tree

	// Value returns the objective of a tree.
	Value func(*tree.Tree) float64

	// Progress receives each better tree of the whole depth; it may be nil.
	Progress func(parts.Event)

	// Warn receives wrong results of the solver, which end the proof; it may be nil.
	Warn func(string)

	// Between is the maximum number of rows between the sides of a range of several thresholds; 0
	// means DefaultBetween. A larger number gives fewer but harder models.
	Between int
}

// DefaultBetween was chosen by measurement (docs/encodings.md).
const DefaultBetween = 32

// Prove finds a tree and proves it optimal; if ctx ends first, there is no bound. It returns nil if
// it does not apply: depth 1, a minimum leaf size, a maximum number of splits, constraints, or
// weights without a unit.
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
	case errors.Is(err, context.DeadlineExceeded): // the solver's clock was ahead of ctx
		r.Limit = mio.LimitTime
	case !errors.Is(err, errUnproved): // the whole model decides this case
		return nil, fmt.Errorf("ranges: %w", err)
	}
	return r, nil
}

// leastStep is the smallest difference of values, in units, that solvers distinguish reliably.
const leastStep = 1e-3

// errUnproved reports a result of the solver that proves nothing.
var errUnproved = errors.New("a model was not solved to optimality")

// search is a proof in progress.
type search struct {
	Options
	d        *oct.Division
	step     float64 // smallest difference between values
	programs int     // solved
	nodes    int64   // branch-and-bound nodes of all models
}

// found is a best tree for some rows, with its value.
type found struct {
	tree  *tree.Tree
	value float64
}

// known returns the best tree known at the beginning.
func (s *search) known() *found {
	leaf, value := s.d.Leaf(s.d.Rows())
	if t := s.Incumbent; t != nil {
		if v := s.Value(t) * s.d.Scale(); v < value {
			return &found{t, v}
		}
	}
	return &found{leaf, value}
}

// below returns the cutoff that separates v from all smaller values.
func (s *search) below(v float64) float64 { return v - s.step/2 }

// above returns the smallest value above a cutoff that a tree of this depth can have, for a given
// penalty per split.
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

// best returns a best tree for some rows with at most this depth, nil if no tree has a value of at
// most cut. With an error, it returns the best tree so far.
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

// A solve may end within gapAsked of a step, since no value lies in between. Its claim is checked
// within gapTaken.
const (
	gapAsked = 0.9
	gapTaken = 0.95
)

// ofPrograms is best for trees of two levels that split, with one model per range of the root's
// thresholds.
func (s *search) ofPrograms(ctx context.Context, rows []int32, _ int, cut float64) (b *found, err error) {
	for _, r := range s.d.Ranges(rows, s.Between) {
		t, err := s.program(ctx, rows, r, cut)
		if err != nil {
			return b, err
		}
		if t == nil {
			continue
		}
		b, cut = t, s.below(t.value)
		s.tell(t, 2)
		if cut < s.d.Price() {
			break
		}
	}
	return b, nil
}

// program is best for the trees of two levels whose root splits in a range.
func (s *search) program(ctx context.Context, rows []int32, r oct.Range, cut float64) (*found, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	p, err := s.d.Program(ctx, rows, r, cut)
	if err != nil {
		return nil, err
	}
	sol, err := s.Solve(ctx, p.Model(), parts.Limits{AbsGap: gapAsked * s.step})
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errUnproved, err)
	}
	s.programs++
	s.nodes += sol.Nodes
	switch {
	case sol.Status == mio.Infeasible:
		return nil, s.confirm(p, cut+s.step/2)
	case !sol.Status.HasSolution():
		return nil, errUnproved
	}
	t, value, err := p.Decode(sol.Values)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errUnproved, err)
	}
	if value > cut || value-sol.Bound > gapTaken*s.step {
		return nil, fmt.Errorf("%w: a tree of %v and the bound %v", errUnproved, value, sol.Bound)
	}
	return &found{t, value}, s.confirm(p, value)
}

// confirm checks the solver's proof that no tree of a model has a value below value against all
// candidates. The proof is the solver's, but a better tree refutes it.
func (s *search) confirm(p *oct.Ranged, value float64) error {
	if least := p.Least(); least < value-s.step/4 {
		if s.Warn != nil {
			s.Warn(fmt.Sprintf("the solver's result for a range is wrong: it reports no tree below %v, but a tree has value %v; octgen solves the whole model instead", value, least))
		}
		return errUnproved
	}
	return nil
}

// tell reports a tree of the whole depth that improves on the best one.
func (s *search) tell(t *found, depth int) {
	if s.Progress != nil && depth == s.Form.Depth {
		s.Progress(parts.Event{Objective: s.Value(t.tree), Tree: t.tree, Round: s.programs})
	}
}

// span is a range of thresholds of a feature, as indices.
type span struct{ from, to int }

// divided is best for trees of more than two levels that split: it halves ranges of the root's
// thresholds until the bound on their sides is above the cutoff.
func (s *search) divided(ctx context.Context, rows []int32, depth int, cut float64) (b *found, err error) {
	for _, j := range s.d.Features() {
		at := s.d.Thresholds(rows, j)
		if len(at) == 0 {
			continue
		}
		k := &sides{search: s, depth: depth - 1}
		for open := []span{{0, len(at) - 1}}; len(open) > 0; {
			o := open[len(open)-1]
			open = open[:len(open)-1]
			left, right, _ := s.d.Sides(rows, oct.Range{Feature: j, From: at[o.from], To: at[o.to]})
			l, r, err := k.best(ctx, side{o.from, left}, side{-o.to, right}, cut-s.d.Price())
			if err != nil {
				return b, err
			}
			if l == nil {
				continue
			}
			if o.from < o.to {
				mid := (o.from + o.to) / 2
				open = append(open, span{o.from, mid}, span{mid + 1, o.to})
				continue
			}
			b = &found{s.d.Join(j, at[o.from], l.tree, r.tree), s.d.Price() + l.value + r.value}
			cut = s.below(b.value)
			s.tell(b, depth)
		}
	}
	return b, nil
}

// side is the set of rows on one side of a threshold of a feature. at is the threshold's index,
// negative on the right. Of two left sides, or two right sides, the one with the larger at contains
// the other.
type side struct {
	at   int
	rows []int32
}

// sides holds the bounds found for the sides of a feature's thresholds.
type sides struct {
	*search
	depth  int         // of trees
	proved [2][]proved // left, right
}

// proved is a lower bound on the values of a side, with the best tree if it was found.
type proved struct {
	at    int
	bound float64
	best  *found
}

// known returns the best tree or the largest bound known for a side: its own, or the bound of a
// side that it contains.
func (k *sides) known(which, at int) (p proved) {
	for _, q := range k.proved[which] {
		if q.at == at && q.best != nil {
			return q
		}
		if q.at <= at {
			p.bound = max(p.bound, q.bound)
		}
	}
	return p
}

// best returns the best trees of two sides, nil if the sum of their values is above cut. It
// searches the side with more rows first.
func (k *sides) best(ctx context.Context, left, right side, cut float64) (l, r *found, err error) {
	both := [2]side{left, right}
	order := [2]int{0, 1}
	if len(right.rows) > len(left.rows) {
		order = [2]int{1, 0}
	}
	var best [2]*found
	for _, which := range order {
		other := 1 - which
		beside := k.known(other, both[other].at).bound
		if best[which], err = k.one(ctx, which, both[which], cut-beside); best[which] == nil {
			return nil, nil, err
		}
	}
	return best[0], best[1], nil
}

// one returns the best tree of a side, nil if its value is above cut.
func (k *sides) one(ctx context.Context, which int, of side, cut float64) (*found, error) {
	p := k.known(which, of.at)
	if p.bound > cut {
		return nil, nil
	}
	if p.best != nil {
		return p.best, nil
	}
	t, err := k.search.best(ctx, of.rows, k.depth, cut)
	if err != nil {
		return nil, err
	}
	p = proved{of.at, above(cut, k.d.Price(), k.depth), t}
	if t != nil {
		p.bound = t.value
	}
	k.proved[which] = append(k.proved[which], p)
	return t, nil
}
