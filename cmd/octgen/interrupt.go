package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/octgen/octgen/solvers/external" // also registers the solvers
)

// interruptible returns a context that the first SIGINT or SIGTERM cancels,
// after calling first on a goroutine of its own; the second one ends the
// program at once. stop goes back to the default, which ends it at the first.
func interruptible(parent context.Context, first func()) (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancel(parent)
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		select {
		case <-signals:
		case <-ctx.Done():
			return
		}
		cancel()
		first()
		<-signals
		external.Abandon()
		os.Exit(exitInterrupted)
	}()
	return ctx, func() {
		signal.Stop(signals)
		cancel()
	}
}
