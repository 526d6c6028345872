package main

import (
	"context"
	"os"
	"os/signal"
	"sync"
	"syscall"

	"github.com/octgen/octgen/internal/atomicfile"
	"github.com/octgen/octgen/solvers/external" // also registers the solvers
)

// attention is what SIGINT and SIGTERM come to: the first one while work is under way
// ends that early; any other ends the program at once, with nothing half-written left
// behind, be it before the work, after it, while what was found is written, or because
// one was enough.
type attention struct {
	once sync.Once
	mu   sync.Mutex
	work *interrupted // under way, or ended early; nil for none
}

// interrupted is work that an interrupt may end.
type interrupted struct {
	come   bool // the interrupt
	cancel context.CancelFunc
	first  func()
}

var signals attention

// watch begins to look at signals, once.
func (a *attention) watch() {
	a.once.Do(func() {
		come := make(chan os.Signal, 2)
		signal.Notify(come, os.Interrupt, syscall.SIGTERM)
		go func() {
			for range come {
				a.interrupt()
			}
		}()
	})
}

func (a *attention) interrupt() {
	a.mu.Lock()
	w := a.work
	if w == nil || w.come {
		external.Abandon()
		atomicfile.Abandon()
		os.Exit(exitInterrupted)
	}
	w.come = true
	a.mu.Unlock()
	w.cancel()
	go w.first()
}

// interruptible returns a context that the first SIGINT or SIGTERM cancels, after which
// first is called on a goroutine of its own. stop ends that: the next signal ends the
// program at once.
func interruptible(parent context.Context, first func()) (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancel(parent)
	w := &interrupted{cancel: cancel, first: first}
	signals.watch()
	signals.mu.Lock()
	defer signals.mu.Unlock()
	signals.work = w
	return ctx, func() {
		signals.mu.Lock()
		defer signals.mu.Unlock()
		if signals.work == w {
			signals.work = nil
		}
		cancel()
	}
}
