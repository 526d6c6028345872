package fit

import (
	"context"
	"time"
)

// budget is time that several parts share: what one leaves goes to those after it.
// Without a deadline there is no limit.
type budget struct {
	end   time.Time // zero: no limit
	parts int       // still to come
}

// budgetOf is one part in so many of what is left until ctx's deadline, shared by
// parts.
func budgetOf(ctx context.Context, oneIn, parts int) budget {
	end, ok := ctx.Deadline()
	if !ok {
		return budget{parts: parts}
	}
	now := time.Now()
	return budget{end: now.Add(end.Sub(now) / time.Duration(oneIn)), parts: parts}
}

// next is the context of the next part, within its share of what is left.
func (b *budget) next(ctx context.Context) (context.Context, context.CancelFunc) {
	parts := max(1, b.parts)
	b.parts--
	if b.end.IsZero() {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, max(time.Nanosecond, time.Until(b.end)/time.Duration(parts)))
}

// timeLeft is what is left until ctx's deadline; ok is false without one.
func timeLeft(ctx context.Context) (left time.Duration, ok bool) {
	end, ok := ctx.Deadline()
	return time.Until(end), ok
}

// interrupted reports whether something else than its deadline ended ctx.
func interrupted(ctx context.Context) bool {
	return ctx.Err() != nil && ctx.Err() != context.DeadlineExceeded
}
