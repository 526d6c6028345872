package localsearch

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate"
	octh "github.com/octgen/octgen/formulate/hyperplane"
	"github.com/octgen/octgen/heuristics/cart"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/tree"
)

// DefaultWork is the work limit of a Search without limits: one to four seconds of one core.
const DefaultWork = 800_000_000

// Options are the settings of Search. The zero value with Depth set searches univariate trees
// without a penalty on splits for DefaultWork.
type Options struct {
	Depth     int     // D >= 1, or tree.NoDepth
	Alpha     float64 // complexity parameter: penalty per split (univariate) or per feature in a split (hyperplanes), in units of the baseline error, >= 0
	MinLeaf   float64 // N_min, minimum training weight of a leaf, >= 0
	MaxSplits int     // C, maximum number of splits (univariate) or of features over all splits (hyperplanes); 0 means no limit

	Hyperplanes bool    // OCT-H: hyperplane splits
	Mu          float64 // hyperplanes: minimum margin on scaled features; 0 means hyperplane.DefaultMu

	// Starts are warm starts, in addition to CART. They are pruned to satisfy the limits; the
	// result is no worse than any that satisfies them.
	Starts []*tree.Tree

	Seed uint64

	// Work and Restarts end the search, whichever comes first. Work counts rows times
	// features visited, 2e8 to 7e8 a second. 0 means no limit; without any limit, and without a
	// deadline of the context, Work is DefaultWork. A run that ends by Work or Restarts is
	// reproducible for the same seed; a run that ends by time is not.
	Work     int64
	Restarts int

	// Presort, if not nil, is the presort of the dataset, whose rows the caller must have merged
	// (dataset.Merge). Unmerged rows only cost time. Search only reads it; others may read it at
	// the same time.
	Presort *tree.Presort

	// CART, if not nil, grows the CART trees, for callers that already have some of them.
	CART cart.Grower

	// Progress, if not nil, is called with the objective of each better tree.
	Progress func(objective float64)
}

// Stats describes a run of Search.
type Stats struct {
	Objective   float64   // of the tree
	Limit       mio.Limit // what ended the search: time, interrupt, iterations (Work or Restarts); NoLimit if the tree is known to be optimal
	Restarts    int       // trees begun
	Kicks       int       // random changes of a local optimum
	Moves       int       // changes that improved a tree
	Improved    int       // improvements of the best tree
	Work        int64     // rows times features visited
	BestAfter   int64     // Work when the tree was found
	Total, Best time.Duration
}

func (o *Options) validate(ds *dataset.Dataset) error {
	if ds.N() == 0 {
		return errors.New("local search: the dataset has no rows")
	}
	if err := ds.Validate(); err != nil {
		return fmt.Errorf("local search: %w", err)
	}
	switch {
	case !(o.Mu >= 0 && o.Mu <= 1):
		return fmt.Errorf("local search: mu %v; want 0 to 1 (0: the default %v)", o.Mu, octh.DefaultMu)
	case o.Mu != 0 && !o.Hyperplanes:
		return errors.New("local search: mu is only for hyperplane splits")
	case o.Presort != nil && !o.Presort.Fits(ds):
		return errors.New("local search: Presort does not match the dataset")
	case o.Work < 0 || o.Restarts < 0:
		return errors.New("local search: limits must not be negative (0: no limit)")
	}
	most := formulate.MaxDepth
	if o.Depth == tree.NoDepth {
		most = tree.NoDepth
	}
	if err := tree.CheckShape(o.Depth, most, o.Alpha, o.MinLeaf, o.MaxSplits); err != nil {
		return fmt.Errorf("local search: %w", err)
	}
	for i, t := range o.Starts {
		if !slices.Equal(t.Features, ds.Features) || !slices.Equal(t.Classes, ds.Classes) {
			return fmt.Errorf("local search: features or classes of start %d do not match the data", i)
		}
	}
	return nil
}

// budget is the remaining budget of a search, and its statistics.
type budget struct {
	ctx      context.Context
	work     int64 // maximum; 0: no limit
	restarts int   // maximum; 0: no limit
	progress func(objective float64)
	began    time.Time
	stats    Stats
	end      context.CancelFunc // of a partial budget
}

// spend counts work and reports whether a limit was reached.
func (b *budget) spend(work int) bool {
	b.stats.Work += int64(work)
	return b.over()
}

func (b *budget) over() bool {
	switch {
	case b.stats.Limit != mio.NoLimit:
	case b.ended():
		b.stats.Limit = mio.LimitOf(b.ctx)
	case b.work > 0 && b.stats.Work >= b.work:
		b.stats.Limit = mio.LimitIterations
	default:
		return false
	}
	return true
}

// ended reports whether the context has ended. It is for loops within a step, which no other limit
// may end, so that the same seed gives the same result.
func (b *budget) ended() bool { return b.ctx.Err() != nil }

// begin counts a restart, and reports whether it may run.
func (b *budget) begin() bool {
	if b.over() {
		return false
	}
	if b.restarts > 0 && b.stats.Restarts >= b.restarts {
		b.stats.Limit = mio.LimitIterations
		return false
	}
	b.stats.Restarts++
	return true
}

// improved records a better tree.
func (b *budget) improved(objective float64) {
	b.stats.Improved++
	b.stats.BestAfter, b.stats.Best = b.stats.Work, time.Since(b.began)
	if b.progress != nil {
		b.progress(objective)
	}
}

// part returns a budget of a fifth of the remaining time and work, and restarts restarts, for a
// search without progress reports; the caller must call end.
func (b *budget) part(restarts int) *budget {
	p := &budget{ctx: b.ctx, work: (b.work + 4) / 5, restarts: restarts, began: b.began, end: func() {}}
	if deadline, ok := b.ctx.Deadline(); ok {
		p.ctx, p.end = context.WithTimeout(b.ctx, time.Until(deadline)/5)
	}
	return p
}
