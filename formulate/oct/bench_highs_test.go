//go:build cgo && !nohighs

package oct_test

import (
	"context"
	"testing"

	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/solvers/highs"
)

// BenchmarkWriteHiGHS measures HiGHS's own writer on the same models. The time includes passing the
// model and its names to HiGHS.
func BenchmarkWriteHiGHS(b *testing.B) {
	benchWrite(b, func(m *mio.Model, path string) error {
		return highs.WriteModel(context.Background(), m, path)
	})
}
