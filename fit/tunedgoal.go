package fit

import (
	"context"
	"fmt"
	"time"
)

// tuneGoal is a problem of a tuning: least error weight + alpha x Lhat x
// complexity, of depth and complexity at most.
type tuneGoal struct {
	depth int
	most  int // complexity; 0: no limit
	alpha float64
	time  time.Duration // 0: no limit
}

// within is ctx with so many tenths of the goal's time.
func (g *tuneGoal) within(ctx context.Context, tenths time.Duration) (context.Context, context.CancelFunc) {
	if g.time == 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, max(1, g.time*tenths/10))
}

// String is the goal in words.
func (g *tuneGoal) String() string {
	if g.most > 0 {
		return fmt.Sprintf("depth %d, complexity at most %d", g.depth, g.most)
	}
	return fmt.Sprintf("depth %d, alpha %.4g", g.depth, g.alpha)
}

// solvedGoal is a goal with what was proved of it.
type solvedGoal struct {
	tuneGoal
	bound float64 // on the goal's value, in weight; -Inf for none
}
