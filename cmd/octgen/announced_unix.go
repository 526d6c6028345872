//go:build unix

package main

import (
	"os"
	"os/signal"
	"syscall"
)

// endAnnounced returns a channel that is closed when SIGUSR1 comes, by which schedulers
// announce the end of a job; stop goes back to the default.
func endAnnounced() (announced <-chan struct{}, stop func()) {
	signals, closed, done := make(chan os.Signal, 1), make(chan struct{}), make(chan struct{})
	signal.Notify(signals, syscall.SIGUSR1)
	go func() {
		select {
		case <-signals:
			close(closed)
		case <-done:
		}
	}()
	return closed, func() {
		signal.Stop(signals)
		close(done)
	}
}
