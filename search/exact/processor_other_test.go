//go:build !unix

package exact

// processorSeconds is not known here.
func processorSeconds() float64 { return 0 }
