//go:build !unix

package slurm

// processorSeconds is 0: the processor time is unknown on this system.
func processorSeconds() float64 { return 0 }
