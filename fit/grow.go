package fit

import (
	"context"
	"fmt"
	"time"

	"github.com/octgen/octgen/heuristics"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/tree"
)

// GrowOptions are the settings of the methods that grow trees greedily. Depth
// and least leaf are those of Options.OCT, the seed and the time limit (of OC1)
// those of Options.Solve; Run sets them here.
type GrowOptions struct {
	CART heuristics.CARTOptions
	C45  heuristics.C45Options
	OC1  heuristics.OC1Options
}

// Heuristic says how a native method ended.
type Heuristic struct {
	Limit  string `json:"limit,omitempty"` // time or interrupt, where that ended it
	Splits int    `json:"grown_splits"`    // before pruning
}

// grown is the outcome of a method that grows trees.
type grown struct {
	tree    *tree.Tree
	splits  int // before pruning
	stopped bool
}

// growers are the methods that grow trees, by name.
var growers = map[string]func(ctx context.Context, r *run) (grown, error){
	"cart": growCART,
	"c45":  growC45,
	"oc1":  growOC1,
}

func growCART(ctx context.Context, r *run) (grown, error) {
	o := r.opts.Grow.CART
	o.MaxDepth, o.MinLeaf, o.Seed = r.opts.OCT.Depth, r.opts.OCT.MinLeaf, uint64(r.opts.Solve.Seed)
	res, err := heuristics.CART(ctx, r.ds, o)
	if err != nil {
		return grown{}, err
	}
	return grown{res.Tree, res.Stats.Grown, res.Stats.Stopped}, nil
}

func growC45(ctx context.Context, r *run) (grown, error) {
	o := r.opts.Grow.C45
	o.MaxDepth = r.opts.OCT.Depth
	if r.opts.OCT.MinLeaf != 1 { // the default elsewhere; C4.5's own is 2
		o.MinLeaf = r.opts.OCT.MinLeaf
	}
	res, err := heuristics.C45(ctx, r.ds, o)
	if err != nil {
		return grown{}, err
	}
	return grown{res.Tree, res.Stats.Grown, res.Stats.Stopped}, nil
}

func growOC1(ctx context.Context, r *run) (grown, error) {
	o := r.opts.Grow.OC1
	o.MaxDepth, o.MinLeaf, o.Seed = r.opts.OCT.Depth, r.opts.OCT.MinLeaf, uint64(r.opts.Solve.Seed)
	if limit := r.opts.Solve.TimeLimit; limit > 0 {
		o.TimeLimit = max(1, limit-time.Since(r.began))
	}
	res, err := heuristics.OC1(ctx, r.ds, o)
	if err != nil {
		return grown{}, err
	}
	return grown{res.Tree, res.Stats.Grown, res.Stats.Stopped}, nil
}

// grow runs the method of that name and takes the best subtree for alpha and
// max_splits.
func (r *run) grow(ctx context.Context, name string) (grown, error) {
	g, err := growers[name](ctx, r)
	if err != nil {
		return g, fmt.Errorf("%w: %w", ErrInput, err)
	}
	if o := r.opts.OCT; o.Alpha > 0 || o.MaxSplits > 0 {
		limit := -1
		if o.MaxSplits > 0 {
			limit = o.MaxSplits
		}
		g.tree = heuristics.BestSubtree(r.ds, g.tree, o.Alpha, o.Depth, limit)
	}
	return g, nil
}

// runGrower is the method of that name.
func runGrower(name string) func(context.Context, *run) error {
	return func(ctx context.Context, r *run) error {
		g, err := r.grow(ctx, name)
		if err != nil {
			return err
		}
		r.res.Tree = g.tree
		r.res.Heuristic = &Heuristic{Splits: g.splits}
		switch {
		case !g.stopped:
		case ctx.Err() != nil:
			r.res.Heuristic.Limit = mio.LimitInterrupt.String()
		default:
			r.res.Heuristic.Limit = mio.LimitTime.String()
		}
		return nil
	}
}
