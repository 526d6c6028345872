package fit

import (
	"context"
	"errors"
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

// endedNow is ctx, or one whose time is over where ctx has not ended: the clock is
// ahead of its timer, or what is to be done needs more time than is left.
func endedNow(ctx context.Context) context.Context {
	if ctx.Err() != nil {
		return ctx
	}
	over, cancel := context.WithTimeout(context.WithoutCancel(ctx), 0)
	cancel()
	return over
}

// outOfTime reports whether err is the end of ctx, whose timer may be late for it.
func outOfTime(ctx context.Context, err error) bool {
	return err != nil && (ctx.Err() != nil || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled))
}

// interrupted reports whether something else than its deadline ended ctx.
func interrupted(ctx context.Context) bool {
	return ctx.Err() != nil && ctx.Err() != context.DeadlineExceeded
}
