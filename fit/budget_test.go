package fit

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

// TestBudget: each part has an equal share of what is left of the whole, and what one
// leaves goes to those after it.
func TestBudget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(context.Background(), 100*time.Second)
		defer cancel()
		share := budgetOf(ctx, 4, 3) // 25 s for three parts
		began := time.Now()
		for i, part := range []struct{ takes, has time.Duration }{
			{10 * time.Second, 25 * time.Second / 3}, // which ends it
			{time.Second, (25*time.Second - 25*time.Second/3) / 2},
			{time.Hour, 25*time.Second - 25*time.Second/3 - time.Second},
			{time.Hour, time.Nanosecond}, // one too many
		} {
			within, cancel := share.next(ctx)
			at := time.Now()
			select {
			case <-within.Done():
			case <-time.After(part.takes):
			}
			cancel()
			if got, want := time.Since(at), min(part.takes, part.has); got != want {
				t.Errorf("part %d took %v, want %v", i, got, want)
			}
		}
		if took := time.Since(began); took != 25*time.Second+time.Nanosecond {
			t.Errorf("%v in all", took)
		}
		if left, limited := timeLeft(ctx); !limited || left != 75*time.Second-time.Nanosecond {
			t.Errorf("%v left", left)
		}
	})
}

// TestBudgetWithoutLimit: without a deadline a part ends with its context only; after a
// deadline none has time.
func TestBudgetWithoutLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(context.Background())
		share := budgetOf(ctx, 10, 2)
		within, stop := share.next(ctx)
		defer stop()
		if _, limited := within.Deadline(); limited {
			t.Error("a limit from nowhere")
		}
		if _, limited := timeLeft(ctx); limited {
			t.Error("time is limited")
		}
		time.Sleep(time.Hour)
		if within.Err() != nil {
			t.Error(within.Err())
		}
		cancel()
		if within.Err() != context.Canceled || !interrupted(within) {
			t.Error("the interrupt is lost")
		}

		past, cancel := context.WithTimeout(context.Background(), -time.Second)
		defer cancel()
		share = budgetOf(past, 10, 2)
		within, stop = share.next(past)
		defer stop()
		if within.Err() != context.DeadlineExceeded || interrupted(within) {
			t.Errorf("after the deadline: %v", within.Err())
		}
	})
}
