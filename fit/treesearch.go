package fit

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"time"

	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/solvers"
	"github.com/octgen/octgen/tree"
	"github.com/octgen/octgen/treesearch"
	"github.com/octgen/octgen/verify"
)

// Work of the exact search for a start, in its units: about a second, or half a
// minute where it is asked for by name. What is not proved by then is a start
// all the same.
const (
	autoSearchWork  = 5e8
	namedSearchWork = 1e10
)

// runTreesearch is method treesearch: the OCT problem by the exact native search.
func runTreesearch(ctx context.Context, r *run) error {
	o := r.searchOptions()
	o.TimeLimit, o.WorkLimit = r.timeLeft(""), r.opts.WorkLimit
	first, err := r.searchStart(ctx)
	if err != nil {
		return err
	}
	o.Start = first.tree
	if r.opts.Notify != nil {
		o.Progress = func(p treesearch.Progress) {
			r.opts.Notify(Event{Progress: &solvers.Event{
				Elapsed: time.Duration(p.Seconds * float64(time.Second)), Objective: p.Objective, Bound: p.Bound, Gap: mio.Gap(p.Objective, p.Bound), Nodes: p.Stats.Nodes + p.Stats.Pairs,
			}})
		}
	}
	r.stage("searching all trees of depth %d", o.Depth)
	res, err := treesearch.Solve(ctx, r.ds, o)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrInput, err)
	}
	r.res.Tree = res.Tree
	r.res.Solver = describeTreesearch(res)
	r.res.Solver.Start, r.res.Solver.StartObjective = first.name, &res.Start
	if r.startSeconds > 0 { // CART's time is the search's own
		r.res.Solver.StartSeconds = &r.startSeconds
	}
	gain := res.Start - res.Objective
	r.res.Solver.StartGain = &gain
	r.checkSearched(res.Tree, res.Objective)
	return nil
}

// withoutSolver answers oct where no solver was named and the usual one is not
// there: the search solves the same problem. The result says so.
func (r *run) withoutSolver(ctx context.Context, why error) error {
	r.warn("%v; the exact native search answers instead (method treesearch)", why)
	if err := runTreesearch(ctx, r); err != nil {
		return err
	}
	r.res.Solver.Note = fmt.Sprintf("it answers in place of %s, which is not available", r.opts.Solver)
	return nil
}

// searchOptions are those of the problem that every univariate method solves.
func (r *run) searchOptions() treesearch.Options {
	oct := r.opts.OCT
	workers := r.opts.Solve.Threads
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	return treesearch.Options{Depth: oct.Depth, Alpha: oct.Alpha, MinLeaf: oct.MinLeaf, MaxSplits: oct.MaxSplits, Workers: workers, CacheMemory: r.opts.Heuristics.CacheMemory}
}

// searchStart returns the tree that the search begins with; with auto, CART is
// grown by the search itself.
func (r *run) searchStart(ctx context.Context) (grown, error) {
	switch {
	case r.opts.StartTree != nil:
		return grown{name: r.opts.StartName, tree: r.opts.StartTree}, nil
	case r.opts.Start == "auto" || r.opts.Method == "oct":
		return grown{name: "cart"}, nil
	case r.opts.Start == "none" || r.opts.Start == "treesearch":
		return grown{}, fmt.Errorf("%w: treesearch begins with a tree: auto, another method, or a tree.json", ErrInput)
	}
	trees, err := r.growStarts(ctx, "oct")
	if err != nil {
		return grown{}, err
	}
	return trees[0], nil
}

func describeTreesearch(res *treesearch.Result) *Solver {
	return &Solver{
		Name: "treesearch", Status: res.Status.String(), Limit: res.Limit.String(),
		Objective: &res.Objective, Bound: &res.Bound, Gap: &res.Gap,
		Nodes: res.Stats.Nodes + res.Stats.Pairs + res.Stats.Stumps, Seconds: res.Runtime.Seconds(),
		Search: &res.Stats,
	}
}

// checkSearched holds a tree against the limits asked for and the objective
// that is claimed of it.
func (r *run) checkSearched(t *tree.Tree, claimed float64) {
	yes, matches := true, verify.Near(r.objective(t), claimed)
	r.res.Check = &Check{Feasible: &yes, ObjectiveMatches: &matches}
	r.checkLimits(t, (*tree.Tree).Splits)
	if !matches {
		r.res.Check.Problem = fmt.Sprintf("the search says that its tree has objective %v, but it has %v", claimed, r.objective(t))
	}
}

// growTreesearch makes starts. What it proves best among univariate trees no
// other heuristic for them can beat.
func growTreesearch(ctx context.Context, r *run, form string) (grown, error) {
	o := r.searchOptions()
	o.WorkLimit, o.TimeLimit = namedSearchWork, r.timeLeft(form)
	if r.opts.Start == "auto" {
		o.WorkLimit = autoSearchWork
	}
	res, err := treesearch.Solve(ctx, r.ds, o)
	if err != nil {
		return grown{}, fmt.Errorf("%w: %w", ErrInput, err)
	}
	return grown{tree: res.Tree, optimal: res.Status == mio.Optimal}, nil
}

// CrossCheck is the exact native search's word on the same problem.
type CrossCheck struct {
	Status    string  `json:"status"` // optimal, or feasible where a limit came first
	Limit     string  `json:"limit,omitempty"`
	Objective float64 `json:"objective"` // of its tree
	Bound     float64 `json:"bound"`
	Seconds   float64 `json:"seconds"`
	Agrees    bool    `json:"agrees"`
}

// crossCheck searches the problem that a solver answered, and compares: neither
// may have a tree below the other's bound.
func (r *run) crossCheck(ctx context.Context) error {
	if r.res.Tree == nil || r.res.Solver == nil {
		return nil
	}
	o := r.searchOptions()
	if limit := r.opts.Solve.TimeLimit; limit > 0 {
		o.TimeLimit = max(time.Second, limit-time.Since(r.began))
	}
	r.stage("cross-check: searching all trees of depth %d", o.Depth)
	res, err := treesearch.Solve(ctx, r.ds, o)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrInput, err)
	}
	x := &CrossCheck{
		Status: res.Status.String(), Limit: res.Limit.String(), Objective: res.Objective, Bound: res.Bound,
		Seconds: res.Runtime.Seconds(), Agrees: true,
	}
	r.res.CrossCheck = x
	problem := verify.Cross(r.res.Solver.Name, r.claimed(), r.objective(r.res.Tree), verify.Searched{
		Objective: res.Objective, Bound: res.Bound, Proved: res.Status == mio.Optimal,
	})
	if x.Agrees = problem == ""; !x.Agrees {
		if r.res.Check == nil {
			r.res.Check = &Check{}
		}
		if r.res.Check.Problem == "" {
			r.res.Check.Problem = problem
		}
	}
	return nil
}

// claimed is what the result says of the optimum, as a solution.
func (r *run) claimed() *mio.Solution {
	if r.claim != nil {
		return r.claim
	}
	s := &mio.Solution{Objective: math.Inf(1), Bound: math.Inf(-1)}
	if b := r.res.Solver.Bound; b != nil {
		s.Bound = *b
	}
	return s
}
