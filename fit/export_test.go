package fit

import (
	"context"
	"testing"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/mio"
)

// UsualSolvers makes names the solvers that answer where none is named, for the time
// of a test.
func UsualSolvers(t *testing.T, names ...string) {
	was := usualSolvers
	usualSolvers = names
	t.Cleanup(func() { usualSolvers = was })
}

// Build is build for the model alone.
func (s *Sidecar) Build(ctx context.Context, ds *dataset.Dataset, lp mio.SolveFunc) (*problem.Model, error) {
	_, m, err := s.build(ctx, ds, lp)
	return m, err
}
