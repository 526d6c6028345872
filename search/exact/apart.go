package exact

import "unsafe"

// guard is what lies between the memory of a worker and any other, in bytes: a cache line,
// and the one beside it, which processors fetch with it.
const guard = 128

// apart returns n zeros with a guard on both sides. The allocator packs what is small, so
// that without one a worker's writes would take the lines away that another reads.
func apart[T any](n int) []T {
	var zero T
	pad := guard/int(unsafe.Sizeof(zero)) + 1
	return make([]T, n+2*pad)[pad : pad+n : pad+n]
}

// newApart is new with a guard on both sides.
func newApart[T any]() *T {
	return &new(struct {
		_ [guard]byte
		v T
		_ [guard]byte
	}).v
}
