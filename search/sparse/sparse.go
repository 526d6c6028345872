package sparse

import (
	"context"
	"fmt"
	"time"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/internal/pulse"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mio/verify"
	"github.com/octgen/octgen/tree"
)

// Solve finds the best tree for ds, of any depth. If ctx ends, or a limit is reached, the result has
// that status; this is never an error and never loses the best tree found. There always is one, at
// least the single leaf.
//
// Solve returns an error if an option is out of range or no tree is feasible.
//
// Time and memory grow exponentially with the number of leaves that the penalty allows. The table of
// sets takes 56 bytes per set.
func Solve(ctx context.Context, ds *dataset.Dataset, o Options) (*Result, error) {
	begin := time.Now()
	if err := o.validate(ds); err != nil {
		return nil, err
	}
	r := &Result{Tree: tree.NewLeaf(ds, 0)}
	r.Tree.Relabel(ds)
	defer func() { r.Runtime = time.Since(begin) }()
	if ds.TooFarApart() {
		r.unsearched(ds, &o, tooFarApart)
		return r, nil
	}
	p := newProblem(ds, &o)
	if p.lambda == 0 {
		r.unsearched(ds, &o, tooFarApart)
		return r, nil
	}
	s := newSearch(ctx, p, &o)
	r.Prepared = time.Since(begin)
	return r, r.search(s, &o, begin)
}

const tooFarApart = "weights, costs or the penalty lie too far apart for double precision"

// unsearched is the result without a search.
func (r *Result) unsearched(ds *dataset.Dataset, o *Options, why string) {
	r.Objective = r.Tree.Objective(ds, o.Alpha)
	r.Start, r.Status, r.Blurred = r.Objective, mio.Feasible, why
	if r.Objective <= 0 {
		r.Status, r.Blurred, r.Bound = mio.Optimal, "", r.Objective
	}
}

// search finds the best tree, beginning with greedy and given ones.
func (r *Result) search(s *search, o *Options, begin time.Time) error {
	p, root := s.p, s.root()
	ub := s.greedy(root, nil, 0)
	given := s.given(o)
	if given != nil {
		if v := p.value(given); v < ub {
			ub = v
		} else {
			given = nil
		}
	}
	r.Start = p.objective(ub)
	if o.Progress != nil {
		s.report = func(lb, ub int64) {
			o.Progress(Progress{p.objective(ub), p.objective(lb), time.Since(begin).Seconds(), s.stats})
		}
	}
	lb, found := s.run(root, ub)
	if s.stopped && lb < min(ub, found) {
		r.Limit = s.limit()
	}
	if r.Stats = s.stats; found < ub || given == nil {
		ub = min(ub, found)
		r.Tree = tree.NewLeaf(p.ds, 0)
		s.memo.dense = true // for sets found by segmentation
		s.stopped, s.work, s.pulse = false, 0, pulse.New(context.Background())
		if err := s.build(r.Tree, 0, root, s.everyPoint()); err != nil {
			return err
		}
	} else {
		r.Tree = given.Clone()
	}
	r.Tree.Relabel(p.ds)
	r.Stats.Sets = int64(s.memo.used)
	return r.finish(p, o, lb, ub)
}

// given is Options.Start if it is a tree of the problem.
func (s *search) given(o *Options) *tree.Tree {
	if o.Start == nil {
		return nil
	}
	t := o.Start.Collapse(s.p.ds)
	if float64(s.lambda)*float64(t.Splits()+1) > infinite {
		return nil
	}
	for i := range t.Nodes {
		n := &t.Nodes[i]
		if !n.Leaf() {
			if !n.Split.IsUnivariate() {
				return nil
			}
			continue
		}
		weight := 0.0
		for _, w := range n.Weight {
			weight += w
		}
		if !tree.EnoughWeight(weight, o.MinLeaf) {
			return nil
		}
	}
	return t
}

// slice is the work after which a search that has proved nothing goes on by deepening.
const slice = 1 << 31

// run searches all trees with a value below ub, and returns a bound on all trees and the value of
// the best one in the table. If a direct search does not end soon, it raises the budget of the
// root by lambda from round to round: a proof takes longer, but the bound is better until then.
func (s *search) run(root *node, ub int64) (lb, found int64) {
	work := s.work
	if work == 0 || work > slice {
		s.work = slice
	}
	lb, found = s.solve(root, nil, ub-1, 0)
	if s.stopped && s.work == slice && !s.full && !s.pulse.Ended() {
		s.stopped, s.work = false, work
	}
	for !s.stopped && lb < min(ub, found) {
		more, value := s.solve(root, nil, min(ub, found, lb+s.lambda)-1, 0)
		lb, found = max(lb, more), min(found, value)
	}
	return min(lb, ub, found), found
}

// finish scores the tree on the data and compares the score with the value from the search.
func (r *Result) finish(p *problem, o *Options, lb, ub int64) error {
	r.Objective = r.Tree.Objective(p.ds, o.Alpha)
	off := (p.off*float64(r.Tree.Splits()+1) + p.offRows) / p.scale
	// it may be better: the tree of a side may have become so after it was used
	tolerance := off + 1e-9*max(1, r.Objective)
	if most, least := p.objective(ub), p.objective(lb); r.Objective > most+tolerance || r.Objective < least-tolerance {
		return fmt.Errorf("sparse: internal error: the tree has objective %v, the search computed %v and a bound of %v", r.Objective, most, least)
	}
	r.Bound, r.Status = max(0, min(r.Objective, p.objective(lb))), mio.Feasible
	switch {
	case lb < ub:
	case off == 0, r.Objective <= 0, verify.Negligible(off, r.Objective), p.distinct(off*p.scale, r):
		r.Status, r.Bound, r.Limit = mio.Optimal, r.Objective, mio.NoLimit
	default:
		r.Blurred, r.Limit = tooFarApart, mio.NoLimit
	}
	return nil
}
