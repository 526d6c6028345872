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

// TestDifference: by hand for few rows; where all differences are alike the test by signs
// is McNemar's exact one, drawn or not, and near the normal one for many.
func TestDifference(t *testing.T) {
	d := NewDifference([]float64{5, 1, 0, 2}, []float64{0, 0, 0, 0})
	if d.Mean != 2 || d.Differ != 3 || d.Test != AllSigns || d.PValue != 0.25 {
		t.Errorf("%+v", d)
	}
	if want := math.Sqrt((9 + 1 + 4 + 0) / 3.0 / 4); math.Abs(*d.StandardError-want) > 1e-15 {
		t.Errorf("standard error %v, want %v", *d.StandardError, want)
	}
	// One dear error of B's and three cheap ones of A's: the sum is as far from 0 as -2
	// whatever the signs.
	if d := NewDifference([]float64{1, 1, 1, 0}, []float64{0, 0, 0, 5}); d.Mean != -0.5 || d.PValue != 1 {
		t.Errorf("%+v", d)
	}
	if d := NewDifference([]float64{1}, []float64{1}); d.Mean != 0 || d.StandardError != nil || d.PValue != 1 {
		t.Errorf("%+v", d)
	}
	for _, c := range []struct {
		onlyA, onlyB int
		test         string
		tolerance    float64
	}{{1, 9, AllSigns, 1e-12}, {3, 10, AllSigns, 1e-12}, {10, 30, DrawnSigns, 0.002}, {90, 120, DrawnSigns, 0.02}, {1500, 1600, Normal, 0.005}} {
		a, b := make([]float64, c.onlyA+c.onlyB+50), make([]float64, c.onlyA+c.onlyB+50)
		right := [2][]bool{make([]bool, len(a)), make([]bool, len(a))}
		for i := range c.onlyA + c.onlyB {
			right[0][i], right[1][i] = i < c.onlyA, i >= c.onlyA
			if i < c.onlyA {
				b[i] = 0.1
			} else {
				a[i] = 0.1
			}
		}
		got, want := NewDifference(a, b), NewPaired(right[0], right[1])
		if got.Test != c.test || math.Abs(got.PValue-want.PValue) > c.tolerance {
			t.Errorf("%d and %d: %+v, McNemar's %v", c.onlyA, c.onlyB, got, want.PValue)
		}
		if back := NewDifference(b, a); back.Mean != -got.Mean || back.PValue != got.PValue {
			t.Errorf("turned round: %+v and %+v", got, back)
		}
	}
}

// TestDifferencesOfAnySize: the figures grow with the costs, and the p-value stays the same.
func TestDifferencesOfAnySize(t *testing.T) {
	const n = 3000
	for _, size := range []float64{1e-300, 1e-200, 1e200, 1e290} {
		a, b, largeA, largeB := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
		weight := make([]float64, n)
		for i := range a {
			a[i], b[i], weight[i] = float64(i%7), float64(i%5)+1, 1
			largeA[i], largeB[i] = a[i]*size, b[i]*size
		}
		want, got := NewDifference(a, b), NewDifference(largeA, largeB)
		if want.Test != Normal || math.Abs(*got.StandardError/size-*want.StandardError) > 1e-12 || math.Abs(got.PValue-want.PValue) > 1e-9 {
			t.Errorf("costs of %g: standard error %g, p %g; want %g and %g", size, *got.StandardError, got.PValue, *want.StandardError*size, want.PValue)
		}
		if e, f := earned(a, weight), earned(largeA, weight); math.Abs(*f.SE/size-*e.SE) > 1e-12 {
			t.Errorf("rewards of %g: standard error %g; want %g", size, *f.SE, *e.SE*size)
		}
	}
}
