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

// DefaultWork is the work limit of a Search without limits: one to four
// seconds of a core.
const DefaultWork = 800_000_000

// Options are the settings of Search. The zero value, with
// Depth set, searches univariate trees without a price on splits for
// DefaultWork.
type Options struct {
	Depth     int     // D >= 1
	Alpha     float64 // price of a split (univariate) or of a feature in a split (hyperplanes), in units of the baseline error, >= 0
	MinLeaf   float64 // N_min, least training weight of a leaf, >= 0
	MaxSplits int     // C, most splits (univariate) or features over all splits (hyperplanes); 0 means no limit

	Hyperplanes bool    // OCT-H: hyperplane splits
	Mu          float64 // hyperplanes: least margin on scaled features; 0 means hyperplane.DefaultMu

	// Starts are trees of the data to begin from, besides CART's. What the limits do
	// not admit of them is pruned; the answer is no worse than any that they admit.
	Starts []*tree.Tree

	Seed uint64

	// Work, Restarts and the time end the search, whichever comes first. Work counts
	// rows times features looked at, 2e8 to 7e8 a second. TimeLimit is a deadline as
	// that of the context is. 0 means no limit; where there is none at all, Work is
	// DefaultWork. What ends on Work or Restarts is the same for the same seed; what
	// ends on time is not.
	Work      int64
	Restarts  int
	TimeLimit time.Duration

	// Presort, where not nil, is that of the dataset, whose rows the caller has merged
	// (dataset.Merge), for callers that have both already; rows that are not merged cost
	// time only. It stays theirs: it is only read, and may be read by others meanwhile.
	Presort *tree.Presort

	// CART, where not nil, grows CART's trees, for callers that have some of them already.
	CART cart.Grower

	// Progress, where not nil, is called with each better tree's objective.
	Progress func(objective float64)
}

// Stats says what Search did.
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

func (o *Options) validate(ds *dataset.Dataset) error {
	if ds.N() == 0 {
		return errors.New("local search: the dataset has no rows")
	}
	if err := ds.Validate(); err != nil {
		return fmt.Errorf("local search: %w", err)
	}
	switch {
	case !(o.Mu >= 0 && o.Mu <= 1):
		return fmt.Errorf("local search: mu %v; 0 (for %v) to 1 is needed", o.Mu, octh.DefaultMu)
	case o.Mu != 0 && !o.Hyperplanes:
		return errors.New("local search: mu is the margin of hyperplane splits; these are univariate")
	case o.Presort != nil && !o.Presort.Fits(ds):
		return errors.New("local search: Presort is not of this dataset")
	case o.Work < 0 || o.Restarts < 0 || o.TimeLimit < 0:
		return errors.New("local search: a negative limit; 0 means none")
	}
	if err := tree.CheckShape(o.Depth, formulate.MaxDepth, o.Alpha, o.MinLeaf, o.MaxSplits); err != nil {
		return fmt.Errorf("local search: %w", err)
	}
	for i, t := range o.Starts {
		if !slices.Equal(t.Features, ds.Features) || !slices.Equal(t.Classes, ds.Classes) {
			return fmt.Errorf("local search: start %d has other features or classes than the data", i)
		}
	}
	return nil
}

// budget is what a search may still spend, and its statistics.
type budget struct {
	ctx      context.Context
	work     int64 // most; 0: no limit
	restarts int   // most; 0: no limit
	progress func(objective float64)
	began    time.Time
	stats    Stats
	end      context.CancelFunc // of a part
}

// spend counts work and says whether a limit has been met.
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

// ended says whether the context has ended. It is for loops within a step, where no
// other limit may end what the same seed is to repeat.
func (b *budget) ended() bool { return b.ctx.Err() != nil }

// begin counts a restart, and says whether there may be one more.
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

// improved notes a better tree.
func (b *budget) improved(objective float64) {
	b.stats.Improved++
	b.stats.BestAfter, b.stats.Best = b.stats.Work, time.Since(b.began)
	if b.progress != nil {
		b.progress(objective)
	}
}

// part is a fifth of what is left of the time and of the work, and that many restarts,
// for a search that reports no progress; end must follow.
func (b *budget) part(restarts int) *budget {
	p := &budget{ctx: b.ctx, work: (b.work + 4) / 5, restarts: restarts, began: b.began, end: func() {}}
	if deadline, ok := b.ctx.Deadline(); ok {
		p.ctx, p.end = context.WithTimeout(b.ctx, time.Until(deadline)/5)
	}
	return p
}
