package clauses

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/octgen/octgen/internal/pulse"
)

// TestSeparator: of random questions on random rows, each answer is right, the same as of a separator that was not asked before, and
// columns without a hyperplane are as few as can be.
func TestSeparator(t *testing.T) {
	rng := rand.New(rand.NewPCG(47, 3))
	yes, no := 0, 0
	for range 300 {
		n, p := 4+rng.IntN(30), 1+rng.IntN(6)
		margin := []float64{0.005, 0.0873, 0.2113}[rng.IntN(3)]
		levels := []int{1, 2, 4, 50}[rng.IntN(4)]
		x := make([]float64, n*p)
		for k := range x {
			x[k] = float64(rng.IntN(levels+1)) / float64(levels)
		}
		fresh := func() *Separator { return NewSeparator(pulse.New(context.Background()), x, p, margin) }
		s := fresh()
		for range 40 {
			var columns []int32
			share := rng.Float64()
			for i := range n {
				if rng.Float64() < share {
					columns = append(columns, Column(i, rng.IntN(2) == 0))
				}
			}
			two := slices.ContainsFunc(columns, func(c int32) bool { return c&1 == 0 }) && slices.ContainsFunc(columns, func(c int32) bool { return c&1 == 1 })
			few, found := s.Ask(columns)
			again, isFound := fresh().Ask(columns)
			if found != isFound || (few == nil) != (again == nil) || found == (few != nil) && two {
				t.Fatalf("%d of %d rows, %d features: %v %v, then %v %v", len(columns), n, p, few, found, again, isFound)
			}
			if found {
				yes++
				before := wide(t, s, columns)
				if !s.Widest(columns) || wide(t, s, columns) < before-1e-9 {
					t.Fatal("the widest is not wide")
				}
			}
			if few == nil {
				continue
			}
			no++
			least := s.Fewest(few)
			for k := range least {
				if !slices.Contains(columns, least[k]) {
					t.Fatalf("%v has a column that was not asked", least)
				}
				less := slices.Delete(slices.Clone(least), k, k+1)
				if worse, _ := fresh().Ask(less); worse != nil {
					t.Fatalf("%v need not have column %d", least, k)
				}
			}
		}
	}
	if yes < 1000 || no < 1000 {
		t.Errorf("%d hyperplanes, %d without: too few of one kind", yes, no)
	}
}

// wide checks that the hyperplane of a separator has columns on their sides with the margin.
func wide(t *testing.T, s *Separator, columns []int32) float64 {
	norm, below, above := 0.0, math.Inf(-1), math.Inf(1)
	for _, v := range s.Plane {
		norm += math.Abs(v)
	}
	for _, c := range columns {
		u := 0.0
		for j, v := range s.row(c) {
			u += s.Plane[j] * v
		}
		if c&1 == 0 {
			below = max(below, u)
		} else {
			above = min(above, u)
		}
	}
	if norm > 1+1e-9 || above-below < s.margin-1e-9 || math.Abs((above+below)/2-s.Offset) > 1e-9 {
		t.Fatalf("norm %v, %v apart, margin %v", norm, above-below, s.margin)
	}
	return above - below
}
