package oc1

import (
	"fmt"
	"math"
	"strings"
)

// Impurity is what OC1 minimises at a node: a function of the class weights on
// both sides of a hyperplane, L_k and R_k, with N_L and N_R their sums and N
// that of the node. The zero value is Twoing, the default of the authors'
// program. With two classes, Twoing, Gini and SumOfImpurity have the same
// minima.
type Impurity int

const (
	// Twoing (Breiman et al. 1984) maximises
	// N_L N_R / N^2 (sum_k |L_k/N_L - R_k/N_R|)^2 / 4.
	Twoing Impurity = iota
	// GiniIndex minimises sum over the sides of N_s (1 - sum_k (s_k/N_s)^2).
	GiniIndex
	// InformationGain (Quinlan 1986) minimises the entropy of the sides, each
	// times its weight.
	InformationGain
	// MaxMinority (Heath 1992) minimises the larger of the two sides' minorities:
	// the weight of all classes but the largest.
	MaxMinority
	// SumMinority (Heath 1992) minimises their sum: the training error of this
	// one split.
	SumMinority
	// SumOfImpurity (Heath 1992) minimises sum over the sides of
	// sum_i omega_i (k_i - mean)^2, the variance of the class numbers 0..K-1. It
	// depends on the order of the classes where there are more than two.
	SumOfImpurity
)

var impurityNames = [...]string{"twoing", "gini", "information-gain", "max-minority", "sum-minority", "sum-of-impurity"}

// String returns the name that ParseImpurity reads.
func (m Impurity) String() string {
	if m < 0 || int(m) >= len(impurityNames) {
		return fmt.Sprintf("Impurity(%d)", int(m))
	}
	return impurityNames[m]
}

// ParseImpurity returns the impurity of that name.
func ParseImpurity(name string) (Impurity, error) {
	for m, s := range impurityNames {
		if s == name {
			return Impurity(m), nil
		}
	}
	return 0, fmt.Errorf("impurity %q is not one of %s", name, strings.Join(impurityNames[:], ", "))
}

// valid reports whether m is one of the constants.
func (m Impurity) valid() bool { return m >= 0 && int(m) < len(impurityNames) }

// node returns the impurity of a node that is not split, with the given weight
// per class (K): the textbook figure for the shares (Gini, and Twoing, which
// has none of its own; bits for InformationGain), and units of weight for
// MaxMinority, SumMinority and SumOfImpurity.
func (m Impurity) node(weight []float64) float64 {
	total, most, squares, entropy, first, second := 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
	for k, w := range weight {
		total += w
		most = max(most, w)
		squares += w * w
		entropy += xlogx(w)
		first += w * float64(k)
		second += w * float64(k) * float64(k)
	}
	if total <= 0 {
		return 0
	}
	switch m {
	case Twoing, GiniIndex:
		return max(0, 1-squares/(total*total))
	case InformationGain:
		return max(0, (xlogx(total)-entropy)/total)
	case MaxMinority, SumMinority:
		return total - most
	case SumOfImpurity:
		return max(0, second-first*first/total)
	}
	panic("oc1: unknown impurity")
}

// xlogx returns v*log2(v), 0 at 0.
func xlogx(v float64) float64 {
	if v <= 0 {
		return 0
	}
	return v * math.Log2(v)
}
