//go:build !unix

package main

// endAnnounced returns nil: there is no signal by which a scheduler announces an end.
func endAnnounced() (announced <-chan struct{}, stop func()) { return nil, func() {} }
