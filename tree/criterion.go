package tree

import (
	"fmt"
	"math"
)

// Criterion measures how far a node is from being of one class, in units of
// weight: the node's weight times the textbook impurity of its class shares.
// The loss of a split is the sum over its two sides.
type Criterion int

const (
	// Gini is w * (1 - sum_k p_k^2) (Breiman et al. 1984); the zero value.
	Gini Criterion = iota
	// Entropy is w * -sum_k p_k log2 p_k (Quinlan 1993), in bits.
	Entropy
	// Misclassification is w * (1 - max_k p_k): the weight of the errors of the
	// best-labelled leaf. The least loss of a split is then the least error of
	// a tree of depth 1.
	Misclassification
)

var criterionNames = [...]string{"gini", "entropy", "misclassification"}

// String returns the criterion's name, as ParseCriterion reads it.
func (c Criterion) String() string {
	if c < 0 || int(c) >= len(criterionNames) {
		return fmt.Sprintf("Criterion(%d)", int(c))
	}
	return criterionNames[c]
}

// ParseCriterion returns the criterion of that name: gini, entropy or
// misclassification.
func ParseCriterion(name string) (Criterion, error) {
	for c, s := range criterionNames {
		if s == name {
			return Criterion(c), nil
		}
	}
	return 0, fmt.Errorf("tree: criterion %q is not one of gini, entropy, misclassification", name)
}

// Valid reports whether c is one of the constants.
func (c Criterion) Valid() bool { return c >= 0 && int(c) < len(criterionNames) }

// Loss returns the loss of a node with the given weight per class.
func (c Criterion) Loss(weight []float64) float64 {
	total := 0.0
	for _, w := range weight {
		total += w
	}
	if total <= 0 {
		return 0
	}
	switch c {
	case Gini:
		squares := 0.0
		for _, w := range weight {
			squares += w * w
		}
		return max(0, total-squares/total)
	case Entropy:
		sum := 0.0
		for _, w := range weight {
			sum += xlogx(w)
		}
		return max(0, xlogx(total)-sum)
	case Misclassification:
		_, loss := majority(weight)
		return loss
	}
	panic("tree: unknown criterion")
}

// xlogx returns v*log2(v), 0 at 0.
func xlogx(v float64) float64 {
	if v <= 0 {
		return 0
	}
	return v * math.Log2(v)
}
