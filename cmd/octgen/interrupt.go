package main

import (
	"context"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"

	"github.com/octgen/octgen/internal/atomicfile"
	"github.com/octgen/octgen/solvers/external" // also registers the solvers
)

// interruptible returns a context that the first SIGINT or SIGTERM cancels,
// after calling first on a goroutine of its own; the second one ends the
// program at once, also after stop, while what was found is written. Where there
// was none, stop goes back to the default, which ends the program at the first.
func interruptible(parent context.Context, first func()) (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancel(parent)
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	var interrupted atomic.Bool
	go func() {
		select {
		case <-signals:
		case <-ctx.Done():
			return
		}
		interrupted.Store(true)
		cancel()
		first()
		<-signals
		external.Abandon()
		atomicfile.Abandon()
		os.Exit(exitInterrupted)
	}()
	return ctx, func() {
		if !interrupted.Load() {
			signal.Stop(signals)
		}
		cancel()
	}
}
