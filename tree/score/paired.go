package score

import (
	"math"
	"math/big"
	"math/rand/v2"
)

// Paired holds two ways to predict the same rows against each other. Its JSON form is
// part of `octgen compare --json`: a contract.
type Paired struct {
	BothRight int `json:"both_right"`
	OnlyA     int `json:"only_a"` // rows that A alone predicts rightly
	OnlyB     int `json:"only_b"`
	BothWrong int `json:"both_wrong"`

	// PValue is McNemar's (1947), two-sided: how likely a difference as large as that of
	// OnlyA and OnlyB is where both predict equally well. Up to 1000 rows in the two it
	// is that of the binomial distribution, else chi-squared with one degree of freedom
	// and Edwards's correction, whose Statistic is (|OnlyA - OnlyB| - 1)^2 / (OnlyA + OnlyB).
	Test      string   `json:"test"`
	Statistic *float64 `json:"statistic"`
	PValue    float64  `json:"p_value"`
}

// The tests of Paired, and the most rows of which the first one is taken.
const (
	ExactBinomial = "exact binomial"
	ChiSquared    = "chi-squared"
	exactRows     = 1000
)

// NewPaired compares A with B, given of each row whether they are right. It panics where
// the numbers of rows differ. Weights have no part in it.
func NewPaired(rightA, rightB []bool) *Paired {
	if len(rightA) != len(rightB) {
		panic("score: the predictions are of different rows")
	}
	p := new(Paired)
	for i, a := range rightA {
		switch b := rightB[i]; {
		case a && b:
			p.BothRight++
		case a:
			p.OnlyA++
		case b:
			p.OnlyB++
		default:
			p.BothWrong++
		}
	}
	if n := p.OnlyA + p.OnlyB; n <= exactRows {
		p.Test, p.PValue = ExactBinomial, math.Min(1, 2*halfBinomial(min(p.OnlyA, p.OnlyB), n))
	} else {
		difference := math.Max(0, math.Abs(float64(p.OnlyA-p.OnlyB))-1)
		statistic := difference * difference / float64(n)
		p.Test, p.Statistic, p.PValue = ChiSquared, &statistic, math.Erfc(math.Sqrt(statistic/2))
	}
	return p
}

// halfBinomial is the probability of at most k heads in n tosses of a fair coin, from
// whole numbers and rounded once.
func halfBinomial(k, n int) float64 {
	ways, sum := big.NewInt(1), new(big.Int) // of i heads, of at most i
	for i := range k + 1 {
		sum.Add(sum, ways)
		ways.Mul(ways, big.NewInt(int64(n-i)))
		ways.Quo(ways, big.NewInt(int64(i+1)))
	}
	p, _ := new(big.Rat).SetFrac(sum, new(big.Int).Lsh(big.NewInt(1), uint(n))).Float64()
	return p
}

// Difference holds what two ways to predict the same rows cost against each other. Its
// JSON form is part of `octgen compare --json`: a contract.
type Difference struct {
	Mean          float64  `json:"mean"`           // cost of A less that of B, per row
	StandardError *float64 `json:"standard_error"` // of Mean; nil for one row
	Differ        int      `json:"differ"`         // rows on which the costs are not the same

	// PValue says how likely a mean as far from 0 is where on each row either of the two may
	// as well have had the other's cost: the test of Fisher (1935) by exchanged signs. Up to
	// 13 rows that differ it goes through all signs, up to 2000 it draws 9999 (always the
	// same ones), beyond it takes their sum for normal.
	Test   string  `json:"test"`
	PValue float64 `json:"p_value"`
}

// The tests of Difference, and the most rows of which the first two are taken.
const (
	AllSigns     = "all signs"
	DrawnSigns   = "drawn signs"
	Normal       = "normal"
	allSignsRows = 13
	drawnRows    = 2000
	drawn        = 9999
)

// NewDifference compares the costs of A with those of B, row by row. It panics where the
// numbers of rows differ, or are 0.
func NewDifference(a, b []float64) *Difference {
	if len(a) != len(b) || len(a) == 0 {
		panic("score: the costs are of different rows, or of none")
	}
	n, sum, size := float64(len(a)), 0.0, 0.0
	var differ []float64
	for i := range a {
		if d := a[i] - b[i]; d != 0 {
			differ = append(differ, d)
			sum += d
			size += math.Abs(d)
		}
	}
	d := &Difference{Mean: sum / n, Differ: len(differ)}
	if n > 1 {
		d.StandardError = new(spread(a, b, d.Mean))
	}
	far := math.Abs(sum) - 1e-12*size // sums as far as this one, but for rounding
	switch {
	case len(differ) <= allSignsRows:
		d.Test, d.PValue = AllSigns, allSigns(differ, far)
	case len(differ) <= drawnRows:
		d.Test, d.PValue = DrawnSigns, drawnSigns(differ, far)
	default:
		squares, unit := sumOfSquares(differ)
		d.Test, d.PValue = Normal, math.Erfc(math.Abs(sum)/unit/math.Sqrt(2*squares))
	}
	return d
}

// spread is the standard error of the mean difference.
func spread(a, b []float64, mean float64) float64 {
	apart, n := make([]float64, len(a)), float64(len(a))
	for i := range a {
		apart[i] = a[i] - b[i] - mean
	}
	squares, unit := sumOfSquares(apart)
	return math.Sqrt(squares/(n-1)/n) * unit
}

// allSigns is the share of all signs of the values whose sum is as far from 0.
func allSigns(values []float64, far float64) float64 {
	hits, all := 0, 1<<len(values)
	for signs := range all {
		sum := 0.0
		for i, v := range values {
			if signs>>i&1 == 1 {
				v = -v
			}
			sum += v
		}
		if math.Abs(sum) >= far {
			hits++
		}
	}
	return float64(hits) / float64(all)
}

// drawnSigns is that of drawn signs and the given ones.
func drawnSigns(values []float64, far float64) float64 {
	rng, hits := rand.New(rand.NewPCG(1, uint64(len(values)))), 1
	for range drawn {
		sum, bits := 0.0, uint64(0)
		for i, v := range values {
			if i%64 == 0 {
				bits = rng.Uint64()
			}
			if bits&1 == 1 {
				v = -v
			}
			bits >>= 1
			sum += v
		}
		if math.Abs(sum) >= far {
			hits++
		}
	}
	return float64(hits) / (drawn + 1)
}
