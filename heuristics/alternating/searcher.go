package alternating

import (
	"context"
	"math/rand/v2"
	"sync/atomic"
	"time"

	"github.com/octgen/octgen/internal/pulse"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/tree"
)

// searcher is a search under way.
type searcher struct {
	*rows
	*pulse.Pulse
	o       *Options
	ctx     context.Context
	first   *atomic.Int64 // least work after which a stream had a tree that is good enough
	rng     *rand.Rand
	price   float64 // of a feature, in weight
	scale   float64 // Lhat: weight that 1 of the objective stands for
	minLeaf float64
	total   float64
	within  float64   // cost of a row within a margin, beside that of a wrong row
	idle    float64   // stake of a row that costs the same on both sides
	noise   []float64 // (n) in [0, 1)

	best      *state
	bestWorth worth
	bestTree  *tree.Tree
	stats     Stats
	progress  func(objective float64) // nil for none
	began     time.Time
	work      int64
}

// leastGain is how much better a cost has to be, relative to it, to be more than rounding.
const leastGain = 1e-9

// spend counts work, in numbers looked at.
func (e *searcher) spend(cells int) {
	e.work += int64(cells)
	e.Spend(cells)
}

// over reports whether a limit has been met.
func (e *searcher) over() bool {
	switch {
	case e.stats.Limit != mio.NoLimit:
	case e.Ended() || e.ctx.Err() != nil:
		e.stats.Limit = mio.LimitOf(e.ctx)
	case e.o.Work > 0 && e.work >= e.o.Work/int64(e.o.Streams):
		e.stats.Limit = mio.LimitIterations
	case e.work > e.first.Load():
		e.stats.Limit = mio.LimitIterations // another stream has the answer
	default:
		return false
	}
	return true
}
