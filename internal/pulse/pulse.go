// Package pulse looks at a context by work done, so that a loop over many rows stops
// as soon as one over few, whose inner loop must not pay for it.
package pulse

import "context"

// Cells is the work, in numbers looked at, between two looks at the context: about a
// millisecond.
const Cells = 1_000_000

// Pulse counts work. Once it has seen that its context has ended it says so for good.
// It is not safe for concurrent use.
type Pulse struct {
	ctx   context.Context
	cells int // since the last look
	ended bool
}

// New returns the pulse of ctx, which it looks at.
func New(ctx context.Context) *Pulse { return &Pulse{ctx: ctx, ended: ctx.Err() != nil} }

// Spend counts work, in numbers looked at, and says whether the context has ended.
func (p *Pulse) Spend(cells int) bool {
	if p.cells += cells; p.cells >= Cells {
		p.cells = 0
		p.ended = p.ended || p.ctx.Err() != nil
	}
	return p.ended
}

// Ended says whether the context had ended at the last look.
func (p *Pulse) Ended() bool { return p.ended }
