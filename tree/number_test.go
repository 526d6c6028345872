package tree

import (
	"math"
	"testing"
)

func TestNumberHidesRounding(t *testing.T) {
	for _, c := range []struct {
		v        float64
		decimals int
		want     string
	}{
		{Midpoint(0.76, 0.83), 0, "0.795"},
		{0.1 + 0.2, 0, "0.3"},
		{5.4, 0, "5.4"},
		{1234567.25, 0, "1.23456725e+06"},
		{math.MaxFloat64, 0, "1.79769313486e+308"},
		{-5e-324, 0, "-5e-324"},
		{0.795, 1, "0.8"},
		{-0.01, 1, "0.0"},
	} {
		if got := (Format{Decimals: c.decimals}).number(c.v); got != c.want {
			t.Errorf("number(%v, %d decimals) = %q, want %q", c.v, c.decimals, got, c.want)
		}
	}
}
