package fit

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/heuristics/cart"
	"github.com/octgen/octgen/heuristics/localsearch"
	"github.com/octgen/octgen/heuristics/oc1"
	"github.com/octgen/octgen/heuristics/vertex"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/tree"
)

// HeuristicOptions are the settings of the native methods, as methods and as
// starts. Run sets in them what other options say: depth, least leaf, alpha and
// most splits are those of Options.OCT, the margin of hyperplanes is Options.Mu,
// the seed and the time limit (of all but CART and C45) are those of Options.Solve.
type HeuristicOptions struct {
	CART cart.Options
	C45  cart.C45Options
	OC1  oc1.Options
	MSMT vertex.MSMTOptions

	// EPTS and FrankWolfe: structure and objective are those of Options.GTO.
	EPTS       vertex.EPTSOptions
	FrankWolfe vertex.FrankWolfeOptions

	// LocalSearch makes hyperplane splits where it is told to by Hyperplanes, or
	// as a start where the program has such splits.
	LocalSearch localsearch.Options

	CacheMemory int64 // treesearch.Options.CacheMemory
}

// Heuristic says how a native method went. What does not apply to the method is
// left out.
type Heuristic struct {
	Limit       string `json:"limit,omitempty"`        // what ended it; none where it came to its own end
	GrownSplits *int   `json:"grown_splits,omitempty"` // before pruning, of methods that grow and prune
	Iterations  *int   `json:"iterations,omitempty"`   // of epts and frank-wolfe
	*Search            // of local-search
}

// grown is a heuristic's tree.
type grown struct {
	name    string // of the heuristic
	tree    *tree.Tree
	outcome *Heuristic
	optimal bool // proved among univariate trees
}

// growTree is a heuristic: it makes a tree for a form of program to start from,
// or where form is "" as the method that was asked for.
type growTree func(ctx context.Context, r *run, form string) (grown, error)

// runHeuristic is the method that ends with a heuristic's tree.
func runHeuristic(grow growTree) func(context.Context, *run) error {
	return func(ctx context.Context, r *run) error {
		g, err := grow(ctx, r, "")
		if errors.Is(err, formulate.ErrSingleLeaf) {
			return r.planeLeaf(err)
		}
		if err != nil {
			return err
		}
		r.res.Tree, r.res.Heuristic = g.tree, g.outcome
		return nil
	}
}

// startShare is the part of the time limit that the heuristics may take for starts:
// one over it. Of OCT-H's program a solver rarely finds more than its start.
func startShare(form string) time.Duration {
	if form == "oct-h" {
		return 4
	}
	return 10
}

// timeLeft is the time limit of a heuristic, 0 for none.
func (r *run) timeLeft(form string) time.Duration {
	limit := r.opts.Solve.TimeLimit
	switch {
	case limit == 0:
		return 0
	case form != "":
		return r.startLimit
	}
	return max(1, limit-time.Since(r.began))
}

func growCART(ctx context.Context, r *run, _ string) (grown, error) {
	o := r.opts.Heuristics.CART
	o.MaxDepth, o.MinLeaf, o.Seed = r.opts.OCT.Depth, r.opts.OCT.MinLeaf, r.seed
	res, err := cart.Grow(ctx, r.ds, o)
	if err != nil {
		return grown{}, fmt.Errorf("%w: %w", ErrInput, err)
	}
	return r.bestSubtree(ctx, res.Tree, res.Stats.Grown, res.Stats.Stopped), nil
}

func growC45(ctx context.Context, r *run, _ string) (grown, error) {
	o := r.opts.Heuristics.C45
	o.MaxDepth = r.opts.OCT.Depth
	if r.opts.OCT.MinLeaf != 1 { // the default elsewhere; C4.5's own is 2
		o.MinLeaf = r.opts.OCT.MinLeaf
	}
	res, err := cart.C45(ctx, r.ds, o)
	if err != nil {
		return grown{}, fmt.Errorf("%w: %w", ErrInput, err)
	}
	return r.bestSubtree(ctx, res.Tree, res.Stats.Grown, res.Stats.Stopped), nil
}

func growOC1(ctx context.Context, r *run, form string) (grown, error) {
	o := r.opts.Heuristics.OC1
	o.MaxDepth, o.MinLeaf, o.Seed = r.opts.OCT.Depth, r.opts.OCT.MinLeaf, r.seed
	o.TimeLimit = r.timeLeft(form)
	res, err := oc1.Grow(ctx, r.ds, o)
	if err != nil {
		return grown{}, fmt.Errorf("%w: %w", ErrInput, err)
	}
	return r.bestSubtree(ctx, res.Tree, res.Stats.Grown, res.Stats.Stopped), nil
}

// stoppedBy says what stopped a native method, if something did.
func stoppedBy(ctx context.Context, stopped bool) mio.Limit {
	switch {
	case !stopped:
		return mio.NoLimit
	case ctx.Err() != nil:
		return mio.LimitInterrupt
	}
	return mio.LimitTime
}

// bestSubtree is what a greedy method grew, cut back to the best subtree for
// alpha and max_splits.
func (r *run) bestSubtree(ctx context.Context, t *tree.Tree, splits int, stopped bool) grown {
	outcome := &Heuristic{GrownSplits: &splits, Limit: stoppedBy(ctx, stopped).String()}
	if o := r.opts.OCT; o.Alpha > 0 || o.MaxSplits > 0 {
		limit := -1
		if o.MaxSplits > 0 {
			limit = o.MaxSplits
		}
		t = cart.BestSubtree(r.ds, t, o.Alpha, o.Depth, limit)
	}
	return grown{tree: t, outcome: outcome}
}
