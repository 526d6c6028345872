package gto

import (
	"context"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/octgen/octgen/formulate/internal/formtest"
	"github.com/octgen/octgen/tree"
)

// TestBytes: random models, starts and trees have the bytes that they had before.
func TestBytes(t *testing.T) {
	formtest.Bytes(t, 8, func(w io.Writer, rng *rand.Rand, _ int) error {
		k := 2 + rng.IntN(3)
		d := formtest.Data(rng, k+rng.IntN(30), 1+rng.IntN(4), k)
		f, err := randomOptions(rng, k).Build(context.Background(), d)
		if err != nil && strings.Contains(err.Error(), "takes at most 2") {
			return nil
		}
		if err != nil {
			return err
		}
		return formtest.WriteAll(w, rng, f, func() *tree.Tree { return randomPlaneTree(rng, d, f.Options().Structure) })
	})
}
