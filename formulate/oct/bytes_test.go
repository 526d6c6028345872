package oct

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/internal/formtest"
	"github.com/octgen/octgen/tree"
)

// TestBytes: all combinations of tightenings, at all depths and with and without
// N_min, give the models, starts and trees that they gave before. The encodings are those
// of which testdata/bytes.txt was written: another one has its golden model, and none of
// these lines changes by it.
func TestBytes(t *testing.T) {
	held := []formulate.Encoding{Threshold, formulate.BigM, formulate.Indicator, BigMPublished}
	formtest.Bytes(t, 64, func(w io.Writer, rng *rand.Rand, i int) error {
		o := randomOptions(rng, held)
		if i%4 > 0 {
			o.Encoding = Threshold
		}
		bit := func(b int) bool { return i/4>>b&1 == 1 } // 640 quadruples: each of the 64 ten times
		o.Tighten = Tightenings{bit(0), bit(1), bit(2), bit(3), bit(4), bit(5)}
		d := formtest.Data(rng, 4+rng.IntN(60), 1+rng.IntN(4), 2+rng.IntN(3))
		in, err := o.Inspect(context.Background(), d)
		if err != nil {
			return err
		}
		text, err := json.Marshal(in)
		if err != nil {
			return err
		}
		fmt.Fprintln(w, string(text))
		f, err := o.Build(context.Background(), d)
		if err != nil {
			return err
		}
		return formtest.WriteAll(w, rng, f, func() *tree.Tree { return formtest.Tree(rng, d, 1+rng.IntN(o.Depth)) })
	})
}
