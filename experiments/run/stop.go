package run

import (
	"context"
	"errors"
	"time"
)

// ErrStopped is the error of a run that Options.Stop ended before all tasks were done.
var ErrStopped = errors.New("stopped before all tasks were done; what is done is kept, and --resume goes on")

// halting is a run's way to its end by Options.Stop.
type halting struct {
	stop <-chan struct{}
	cut  context.Context // done once Grace is over: the tasks' context
	end  context.CancelFunc
}

// newHalting watches for Stop until the caller calls end.
func newHalting(parent context.Context, o *Options) *halting {
	ctx, cancel := context.WithCancel(parent)
	h := &halting{o.Stop, ctx, cancel}
	if o.Stop != nil {
		go h.watch(o.Grace)
	}
	return h
}

func (h *halting) watch(grace time.Duration) {
	select {
	case <-h.cut.Done():
		return
	case <-h.stop:
	}
	timer := time.NewTimer(grace)
	defer timer.Stop()
	select {
	case <-h.cut.Done():
	case <-timer.C:
		h.end()
	}
}

// stopped says whether no task may begin any more.
func (h *halting) stopped() bool {
	select {
	case <-h.stop: // never of nil
		return true
	default:
		return false
	}
}
