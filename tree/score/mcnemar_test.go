package score

import (
	"encoding/json"
	"math"
	"math/bits"
	"testing"
)

// pairedOf has so many rows of each kind.
func pairedOf(bothRight, onlyA, onlyB, bothWrong int) *Paired {
	var a, b []bool
	add := func(n int, rightA, rightB bool) {
		for range n {
			a, b = append(a, rightA), append(b, rightB)
		}
	}
	add(bothWrong, false, false)
	add(onlyA, true, false)
	add(bothRight, true, true)
	add(onlyB, false, true)
	return NewPaired(a, b)
}

// TestPairedExact: the p-value is the share of all outcomes of tosses that are as
// uneven.
func TestPairedExact(t *testing.T) {
	for a := range 7 {
		for b := range 7 {
			uneven := 0
			for tosses := range 1 << (a + b) {
				heads := bits.OnesCount(uint(tosses))
				if abs(2*heads-a-b) >= abs(a-b) {
					uneven++
				}
			}
			want := float64(uneven) / float64(int(1)<<(a+b))
			p := pairedOf(3, a, b, 2)
			if p.PValue != want || p.Test != ExactBinomial || p.Statistic != nil || p.OnlyA != a || p.OnlyB != b || p.BothRight != 3 || p.BothWrong != 2 {
				t.Errorf("%d, %d: %+v, want %v", a, b, p, want)
			}
		}
	}
}

func abs(v int) int { return max(v, -v) }

// TestPairedChiSquared: of many rows the distribution is that of the statistic, which
// agrees with the exact one; a p-value never exceeds 1.
func TestPairedChiSquared(t *testing.T) {
	p := pairedOf(0, 550, 460, 0)
	if p.Test != ChiSquared || p.Statistic == nil || *p.Statistic != 89.0*89/1010 {
		t.Fatalf("%+v", p)
	}
	if exact := 2 * halfBinomial(460, 1010); math.Abs(p.PValue-exact) > 0.01*exact {
		t.Errorf("%v, exactly %v", p.PValue, exact)
	}
	for _, even := range []*Paired{pairedOf(0, 600, 600, 0), pairedOf(0, 600, 601, 0), pairedOf(4, 0, 0, 0), pairedOf(0, 3, 3, 0)} {
		if even.PValue != 1 {
			t.Errorf("%+v", even)
		}
	}
	if b, err := json.Marshal(pairedOf(4, 0, 5, 1)); err != nil || string(b) != `{"both_right":4,"only_a":0,"only_b":5,"both_wrong":1,"test":"exact binomial","statistic":null,"p_value":0.0625}` {
		t.Errorf("%s, %v", b, err)
	}
}
