package score

import (
	"math"
	"math/big"
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
