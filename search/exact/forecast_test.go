package exact

import (
	"context"
	"testing"
	"time"

	"github.com/octgen/octgen/internal/datatest"
)

// TestExtrapolate: a deeper tree takes longer, by at least what one level more took before.
func TestExtrapolate(t *testing.T) {
	if v := extrapolate([]float64{0.001, 0.01}, 0.5, 3); v < 0.5 || v > 10 {
		t.Errorf("one level more: %v", v)
	}
	last := 0.0
	for depth := 3; depth < 8; depth++ {
		v := extrapolate([]float64{0.001, 0.1}, 2, depth)
		if v < last*leastRise {
			t.Errorf("depth %d: %v after %v", depth, v, last)
		}
		last = v
	}
	if v := extrapolate(nil, 2, 4); v < 2*leastRise*leastRise {
		t.Errorf("nothing known: %v", v)
	}
}

// TestProbe: trees that the probe proves, or without errors, need no estimate.
func TestProbe(t *testing.T) {
	wine := datatest.Load(t, "wine")
	f, err := Probe(context.Background(), wine, Options{Depth: 6}, time.Minute)
	if err != nil || f.Proved != 6 || f.Seconds > 60 {
		t.Errorf("%+v, %v", f, err)
	}
	f, err = Probe(context.Background(), datatest.Load(t, "pima"), Options{Depth: 6}, 100*time.Millisecond)
	if err != nil || f.Proved < 1 || f.Proved > 4 || f.Seconds < 1 {
		t.Errorf("%+v, %v", f, err)
	}
	few, many := Memory(wine, &Options{Depth: 3}), Memory(datatest.Load(t, "adult"), &Options{Depth: 3})
	if few < 30<<20 || few > 80<<20 || many < 2*few {
		t.Errorf("memory %d and %d", few, many)
	}
}
