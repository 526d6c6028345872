package vertex

import "context"

// pulseCells is the work, in numbers looked at, between two looks at the context:
// about a millisecond.
const pulseCells = 1_000_000

// pulse looks at a context by work done, so that a search over many rows stops as
// soon as one over few, whose inner loop must not pay for it.
type pulse struct {
	ctx     context.Context
	cells   int // since the last look
	stopped bool
}

// newPulse looks at the context at once.
func newPulse(ctx context.Context) pulse { return pulse{ctx: ctx, stopped: ctx.Err() != nil} }

// spend counts work and reports whether the context has ended.
func (p *pulse) spend(cells int) bool {
	if p.cells += cells; p.cells >= pulseCells {
		p.cells = 0
		p.stopped = p.stopped || p.ctx.Err() != nil
	}
	return p.stopped
}
