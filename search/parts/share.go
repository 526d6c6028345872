package parts

import (
	"context"
	"time"
)

// share is the time when one part of so many of what is left is over; zero for no limit.
func share(ctx context.Context, parts int) time.Time {
	end, ok := ctx.Deadline()
	if !ok {
		return time.Time{}
	}
	now := time.Now()
	return now.Add(end.Sub(now) / time.Duration(parts))
}

// until is the time when one part of so many of what is left until end is over.
func until(end time.Time, parts int) time.Time {
	if end.IsZero() {
		return end
	}
	now := time.Now()
	return now.Add(end.Sub(now) / time.Duration(parts))
}

// limited is ctx until end, which is zero for no limit.
func limited(ctx context.Context, end time.Time) (context.Context, context.CancelFunc) {
	if end.IsZero() {
		return context.WithCancel(ctx)
	}
	return context.WithDeadline(ctx, end)
}
