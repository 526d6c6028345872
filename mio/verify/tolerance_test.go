package verify_test

import (
	"math"
	"testing"

	"github.com/octgen/octgen/mio/verify"
)

// TestInfinite: no bound, minus infinity, agrees with no figure, so that it can become
// none.
func TestInfinite(t *testing.T) {
	none := math.Inf(-1)
	for _, v := range []float64{0, 6, -3, math.Inf(1)} {
		if verify.Same(none, v) || verify.Same(v, none) || verify.Near(none, v) || verify.Near(v, none) {
			t.Errorf("%v agrees with %v", none, v)
		}
	}
	if !verify.Same(none, none) || !verify.Near(none, none) {
		t.Errorf("%v does not agree with itself", none)
	}
}
