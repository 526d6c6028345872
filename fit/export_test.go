package fit

import "testing"

// UsualSolvers makes names the solvers that answer where none is named, for the time
// of a test.
func UsualSolvers(t *testing.T, names ...string) {
	was := usualSolvers
	usualSolvers = names
	t.Cleanup(func() { usualSolvers = was })
}
