package localsearch

import (
	"context"
	"time"

	"github.com/octgen/octgen/mio"
)

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
