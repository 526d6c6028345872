//go:build !linux

package exact

// FreeMemory returns the memory in bytes that the machine has free for programs, 0 if that is not known.
func FreeMemory() int64 { return 0 }
