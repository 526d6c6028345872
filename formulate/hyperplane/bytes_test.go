package hyperplane

import (
	"context"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/octgen/octgen/formulate/internal/formtest"
	"github.com/octgen/octgen/tree"
)

// TestBytes: random models, starts and trees have the bytes that they had before.
func TestBytes(t *testing.T) {
	formtest.Bytes(t, 8, func(w io.Writer, rng *rand.Rand, _ int) error {
		o := randomOptions(rng)
		d := formtest.Data(rng, 4+rng.IntN(20), 1+rng.IntN(4), 2+rng.IntN(3))
		f, err := o.Build(context.Background(), d)
		if err != nil {
			return err
		}
		return formtest.WriteAll(w, rng, f, func() *tree.Tree { return randomHyperTree(rng, d, o.Depth) })
	})
}
