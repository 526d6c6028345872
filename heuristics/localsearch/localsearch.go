package localsearch

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/hyperplane"
	"github.com/octgen/octgen/heuristics/cart"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/tree"
)

// DefaultWork is the work limit of a LocalSearch without limits: one to four
// seconds of a core.
const DefaultWork = 800_000_000

// Options are the settings of LocalSearch. The zero value, with
// Depth set, searches univariate trees without a price on splits for
// DefaultWork.
type Options struct {
	Depth     int     // D >= 1
	Alpha     float64 // price of a split (univariate) or of a feature in a split (hyperplanes), in units of the baseline error, >= 0
	MinLeaf   float64 // N_min, least training weight of a leaf, >= 0
	MaxSplits int     // C, most splits (univariate) or features over all splits (hyperplanes); 0 means no limit

	Hyperplanes bool    // OCT-H: hyperplane splits
	Mu          float64 // hyperplanes: least margin on scaled features; 0 means hyperplane.DefaultMu

	// Starts are trees of the data to begin from, besides CART's. What the
	// limits do not admit of them is pruned.
	Starts []*tree.Tree

	Seed uint64

	// Work, Restarts and TimeLimit end the search, whichever comes first. Work
	// counts rows times features looked at, 2e8 to 7e8 a second. 0 means no limit;
	// where all are 0, Work is DefaultWork. What ends on Work or Restarts is
	// the same for the same seed; what ends on TimeLimit is not.
	Work      int64
	Restarts  int
	TimeLimit time.Duration

	// Progress, where not nil, is called with each better tree's objective.
	Progress func(objective float64)
}

// Stats says what LocalSearch did.
type Stats struct {
	Objective   float64   // of the tree
	Limit       mio.Limit // what ended the search: time, interrupt, iterations (Work or Restarts); NoLimit where the tree is known to be optimal
	Restarts    int       // trees that were begun anew
	Kicks       int       // random changes of a local optimum
	Moves       int       // changes of a tree that made it better
	Improved    int       // times the best tree became better
	Work        int64     // rows times features looked at
	BestAfter   int64     // Work when the tree was found
	Total, Best time.Duration
}

// Result is what LocalSearch returns. The tree is annotated with the
// training data, has no vacuous split, and its thresholds lie half way between
// the training rows on their two sides.
type Result struct {
	Tree  *tree.Tree
	Stats Stats
}

// LocalSearch improves trees for the exact objective of OCT (problem (24) of
// Bertsimas & Dunn 2017) or OCT-H (their section 4) by coordinate descent over
// the nodes, from CART trees and random restarts (Dunn, Optimal trees for
// prediction and prescription, 2018, section 2.3). All of ds's weights and
// classes count; rows with equal features and class are merged first.
//
// A univariate tree is a local optimum where none of these moves improves it:
//
//   - one node: its split is re-optimised given the two subtrees below it,
//     either way round, by one sweep over the presorted rows of each feature
//     (what matters of a row is whether the left and the right subtree classify
//     it correctly: O(n p)); above two leaves the sweep is over the best
//     labels. Or the node gives way to a leaf or to one of its subtrees;
//   - a node and its two children together, given all the others: for each
//     split of the node, both children are re-optimised by sweeps. Intervals of
//     thresholds that cannot improve are passed over by the bounds of
//     Brita, van der Linden & Demirović (2025): the loss of one side never falls
//     as it gains rows, nor rises by more than their weight. At the last two
//     levels that is the best subtree of depth 2.
//
// A local optimum is kicked by a random split at a random node, a few times,
// and then the search begins anew. At depth 1 and 2, where MinLeaf is at most
// the least weight of a row and there is no MaxSplits, the first local optimum
// is optimal and ends the search; so does a tree with only the errors that rows
// with equal features force on every tree, at alpha 0.
//
// Hyperplane splits are searched as lsPlaneSearch says.
//
// Errors are options out of range and data that is not valid. An ended ctx or a
// limit is none: the best tree so far is the result.
func Search(ctx context.Context, ds *dataset.Dataset, o Options) (*Result, error) {
	if err := o.validate(ds); err != nil {
		return nil, err
	}
	if o.Work == 0 && o.Restarts == 0 && o.TimeLimit == 0 {
		o.Work = DefaultWork
	}
	b := &lsBudget{ctx: ctx, opts: &o, began: time.Now()}
	merged, _ := ds.Merge()
	if single(merged) {
		return b.finish(ds, leafOf(ds)), nil
	}
	starts, err := lsStarts(ctx, merged, &o)
	if err != nil {
		return nil, err
	}
	s := newUniSearch(merged, &o, b)
	if !o.Hyperplanes {
		s.run(starts)
		return b.finish(ds, s.result(ds)), nil
	}
	return b.finish(ds, searchPlanes(ds, s, starts)), nil
}

func (o *Options) validate(ds *dataset.Dataset) error {
	if ds.N() == 0 {
		return errors.New("local search: the dataset has no rows")
	}
	if err := ds.Validate(); err != nil {
		return fmt.Errorf("local search: %w", err)
	}
	switch {
	case o.Depth < 1 || o.Depth > formulate.MaxDepth:
		return fmt.Errorf("local search: depth %d; 1 to %d is needed", o.Depth, formulate.MaxDepth)
	case !(o.Alpha >= 0) || math.IsInf(o.Alpha, 0):
		return fmt.Errorf("local search: alpha %v; a finite number of 0 or more is needed", o.Alpha)
	case !(o.MinLeaf >= 0) || math.IsInf(o.MinLeaf, 0):
		return fmt.Errorf("local search: least leaf weight %v; a finite number of 0 or more is needed", o.MinLeaf)
	case o.MaxSplits < 0:
		return fmt.Errorf("local search: most splits %d; 1 or more is needed, or 0 for no limit", o.MaxSplits)
	case !(o.Mu >= 0 && o.Mu <= 1):
		return fmt.Errorf("local search: mu %v; 0 (for %v) to 1 is needed", o.Mu, hyperplane.DefaultMu)
	case o.Mu != 0 && !o.Hyperplanes:
		return errors.New("local search: mu is the margin of hyperplane splits; these are univariate")
	case o.Work < 0 || o.Restarts < 0 || o.TimeLimit < 0:
		return errors.New("local search: a negative limit; 0 means none")
	}
	for i, t := range o.Starts {
		if !slices.Equal(t.Features, ds.Features) || !slices.Equal(t.Classes, ds.Classes) {
			return fmt.Errorf("local search: start %d has other features or classes than the data", i)
		}
	}
	return nil
}

// single says whether the leaf is the only tree worth having.
func single(ds *dataset.Dataset) bool {
	_, kept := ds.DropConstant()
	return tree.Baseline(ds) <= 0 || len(kept) == 0
}

func leafOf(ds *dataset.Dataset) *tree.Tree {
	t := tree.NewLeaf(ds, 0)
	t.Relabel(ds)
	return t
}

// lsStarts are the trees to begin from: those given, and CART's by each
// criterion, pruned to the best subtree for the objective.
func lsStarts(ctx context.Context, ds *dataset.Dataset, o *Options) ([]*tree.Tree, error) {
	starts := slices.Clone(o.Starts)
	limit := -1
	if o.MaxSplits > 0 {
		limit = o.MaxSplits
	}
	pre := tree.NewPresort(ds)
	for _, c := range []tree.Criterion{tree.Gini, tree.Entropy, tree.Misclassification} {
		res, err := cart.Grow(ctx, ds, cart.Options{Criterion: c, MaxDepth: o.Depth, MinLeaf: o.MinLeaf, Presort: pre})
		if err != nil {
			return nil, err
		}
		starts = append(starts, cart.BestSubtree(ds, res.Tree, o.Alpha, o.Depth, limit))
	}
	return starts, nil
}

// lsBudget is what the search may still spend, and its statistics.
type lsBudget struct {
	ctx   context.Context
	opts  *Options
	began time.Time
	stats Stats
}

// spend counts work and says whether a limit has been met.
func (b *lsBudget) spend(work int) bool {
	b.stats.Work += int64(work)
	return b.over()
}

func (b *lsBudget) over() bool {
	o := b.opts
	switch {
	case b.stats.Limit != mio.NoLimit:
	case b.ctx.Err() != nil:
		b.stats.Limit = mio.LimitInterrupt
	case o.TimeLimit > 0 && time.Since(b.began) >= o.TimeLimit:
		b.stats.Limit = mio.LimitTime
	case o.Work > 0 && b.stats.Work >= o.Work:
		b.stats.Limit = mio.LimitIterations
	default:
		return false
	}
	return true
}

// begin counts a restart, and says whether there may be one more.
func (b *lsBudget) begin() bool {
	if b.over() {
		return false
	}
	if b.opts.Restarts > 0 && b.stats.Restarts >= b.opts.Restarts {
		b.stats.Limit = mio.LimitIterations
		return false
	}
	b.stats.Restarts++
	return true
}

// improved notes a better tree.
func (b *lsBudget) improved(objective float64) {
	b.stats.Improved++
	b.stats.BestAfter, b.stats.Best = b.stats.Work, time.Since(b.began)
	if b.opts.Progress != nil {
		b.opts.Progress(objective)
	}
}

// finish is the result: all figures recomputed from the tree.
func (b *lsBudget) finish(ds *dataset.Dataset, t *tree.Tree) *Result {
	complexity := t.Splits()
	if b.opts.Hyperplanes {
		complexity = 0
		for i := range t.Nodes {
			if s := t.Nodes[i].Split; s != nil {
				complexity += len(s.Terms)
			}
		}
	}
	b.stats.Objective = t.Evaluate(ds).ErrorWeight/tree.ErrorScale(ds) + b.opts.Alpha*float64(complexity)
	b.stats.Total = time.Since(b.began)
	return &Result{Tree: t, Stats: b.stats}
}
