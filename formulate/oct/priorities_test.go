package oct

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/octgen/octgen/formulate/internal/formtest"
	"github.com/octgen/octgen/mio"
)

// TestPriorities: in every encoding the columns that start with the root's split have the
// highest priority, D + 1, those of its children one less, and no continuous column has
// any.
func TestPriorities(t *testing.T) {
	d := formtest.Data(rand.New(rand.NewPCG(19, 6)), 20, 2, 2)
	for _, e := range Encodings() {
		f, err := Options{Depth: 3, Encoding: e}.Build(context.Background(), d)
		if err != nil {
			t.Fatal(err)
		}
		count := map[int]int{}
		for j, p := range f.Priorities() {
			if f.model.ColTypes()[j] == mio.Continuous && p != 0 || p < 0 || p > 4 {
				t.Errorf("%s: %s has the priority %d", e, f.model.ColName(j), p)
			}
			count[p]++
		}
		if count[4] == 0 || count[3] < 2*count[4]-1 {
			t.Errorf("%s: columns by priority: %v", e, count)
		}
		if f, err = (Options{Depth: 3, Encoding: e, OmitNames: true}).Build(context.Background(), d); err != nil || f.Priorities() != nil {
			t.Errorf("%s without names: %v, %v", e, f.Priorities(), err)
		}
	}
}
