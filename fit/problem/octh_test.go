package problem

import (
	"testing"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/tree"
)

// TestWholeMargin: no part of the margin is given away to a tree that no solver found,
// whichever rows have to keep it.
func TestWholeMargin(t *testing.T) {
	for _, c := range []struct {
		second, mu float64
		keeps      bool
	}{{5e-6, 1e-5, false}, {4.9945e-3, 0.005, false}, {4.999999e-3, 0.005, false}, {0.0051, 0.005, true}, {2e-5, 1e-5, true}} {
		ds, err := dataset.New([]float64{0, c.second, 1}, []int{0, 1, 0}, []string{"x"}, []string{"a", "b"})
		if err != nil {
			t.Fatal(err)
		}
		grown := tree.NewLeaf(ds, 0)
		_, right := grown.Grow(0, tree.Univariate(0, c.second/2), 0, 1)
		grown.Grow(right, tree.Univariate(0, 0.5), 1, 0)
		grown.Annotate(ds)
		d := NewData(ds)
		shape := Shape{Levels: Levels{2}}
		all := &OCTH{Shape: shape, Margin: Margin{c.mu}}
		if got := all.admits(d, nil)(grown); got != c.keeps {
			t.Errorf("rows %v apart, mu %v: admitted %v", c.second, c.mu, got)
		}
		served := &OCTH{Shape: shape, Margin: Margin{c.mu}, Keeping: "right"}
		if got := served.value(d, nil)(grown) == 0; got != c.keeps {
			t.Errorf("rows %v apart, mu %v: all right %v", c.second, c.mu, got)
		}
	}
}
