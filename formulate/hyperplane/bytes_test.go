package hyperplane

import (
	"context"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/internal/formtest"
	"github.com/octgen/octgen/tree"
)

// TestBytes: random models, starts and trees have the bytes that they had before, in
// the first lines those of the paper's encodings.
func TestBytes(t *testing.T) {
	formtest.Bytes(t, 16, func(w io.Writer, rng *rand.Rand, i int) error {
		o := randomOptions(rng, formulate.BigM, formulate.Indicator)
		if i >= 8*40 {
			o = randomOptions(rng, SOCT, Served)
		}
		d := formtest.Data(rng, 4+rng.IntN(20), 1+rng.IntN(4), 2+rng.IntN(3))
		f, err := o.Build(context.Background(), d)
		if err != nil {
			return err
		}
		return formtest.WriteAll(w, rng, f, func() *tree.Tree { return randomHyperTree(rng, d, o.Depth) })
	})
}
