package decompose

import (
	"context"
	"time"
)

func share(ctx context.Context, parts int) time.Time {
	end, ok := ctx.Deadline()
	if !ok {
		return time.Time{}
	}
	now := time.Now()
	return now.Add(end.Sub(now) / time.Duration(parts))
}

func until(end time.Time, parts int) time.Time {
	if end.IsZero() {
		return end
	}
	now := time.Now()
	return now.Add(end.Sub(now) / time.Duration(parts))
}

func limited(ctx context.Context, end time.Time) (context.Context, context.CancelFunc) {
	if end.IsZero() {
		return context.WithCancel(ctx)
	}
	return context.WithDeadline(ctx, end)
}
