package oc1

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/tree"
)

// Impurity is the function that OC1 minimises at a node. It depends on the class weights on both
// sides of a hyperplane, L_k and R_k, with sums N_L and N_R, and N for the node. The zero value is
// Twoing, the default of the authors' program. With two classes, Twoing, Gini and SumOfImpurity
// have the same minima.
type Impurity int

const (
	// Twoing (Breiman et al. 1984) maximises N_L N_R / N^2 (sum_k |L_k/N_L - R_k/N_R|)^2 / 4.
	Twoing Impurity = iota
	// GiniIndex minimises sum over the sides of N_s (1 - sum_k (s_k/N_s)^2).
	GiniIndex
	// InformationGain (Quinlan 1986) minimises the weighted entropy of the sides.
	InformationGain
	// MaxMinority (Heath 1992) minimises the larger of the two sides' minorities: the weight of all
	// classes except the largest.
	MaxMinority
	// SumMinority (Heath 1992) minimises their sum: the training error of this split.
	SumMinority
	// SumOfImpurity (Heath 1992) minimises sum over the sides of sum_i omega_i (k_i - mean)^2, the
	// variance of the class numbers 0..K-1. With more than two classes, it depends on their order.
	SumOfImpurity
)

var impurityNames = [...]string{"twoing", "gini", "information-gain", "max-minority", "sum-minority", "sum-of-impurity"}

// String returns the name that ParseImpurity accepts.
func (m Impurity) String() string {
	if m < 0 || int(m) >= len(impurityNames) {
		return fmt.Sprintf("Impurity(%d)", int(m))
	}
	return impurityNames[m]
}

// ParseImpurity returns the impurity with that name.
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

// node returns the impurity of an unsplit node with the given weight per class (K). For Gini,
// Twoing (which uses Gini) and InformationGain (in bits) it is the textbook value for the class
// proportions. For MaxMinority, SumMinority and SumOfImpurity it is in units of weight.
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

// Order is the order in which OC1 perturbs the coefficients of a hyperplane (section 2.1 of the
// paper).
type Order int

const (
	Sequential Order = iota // Seq: in turn, until none moves
	BestFirst               // Best: the coefficient that improves most, until it stays
	Random50                // 50 times a random one
)

var orderNames = [...]string{"seq", "best", "r-50"}

// String returns the name that ParseOrder accepts.
func (o Order) String() string {
	if o < 0 || int(o) >= len(orderNames) {
		return fmt.Sprintf("Order(%d)", int(o))
	}
	return orderNames[o]
}

// ParseOrder returns the order with that name: seq, best or r-50.
func ParseOrder(name string) (Order, error) {
	for o, s := range orderNames {
		if s == name {
			return Order(o), nil
		}
	}
	return 0, fmt.Errorf("order %q is not one of seq, best, r-50", name)
}

// Options are the settings of Grow. The zero value has the defaults of the authors' program.
type Options struct {
	Impurity Impurity
	Order    Order
	Restarts int // initial hyperplanes per node; 0: 20
	Jumps    int // random directions tried at a local minimum; 0: 5, negative: none

	// Paper restricts Grow to the paper of 1993: every initial hyperplane is random; the split is
	// the best plane reached, with all its features and without comparison to a univariate one,
	// however few the rows. Jumps 0 then means 1, and Holdout 0 means no pruning except that nodes
	// below Threshold are leaves.
	Paper bool

	// AxisOnly allows only univariate splits.
	AxisOnly bool
	// RowsPerFeature is the minimum number of rows per feature for a node to have an oblique split;
	// with fewer, almost any plane separates. 0: 2; negative: always.
	RowsPerFeature float64

	MaxDepth  int     // maximum depth; 0: no limit
	MinLeaf   float64 // minimum weight of a leaf; a leaf always has a row
	MinSplit  float64 // minimum weight of a node to split; 0: two rows suffice
	Threshold float64 // a node whose impurity (Impurity.node) is at most this is a leaf

	// Holdout is the fraction of the rows held out from growing, to choose the cost-complexity
	// subtree with the fewest errors there. 0: 0.1; negative: no pruning.
	Holdout float64
	// PruneSE chooses the smallest of these subtrees within this many standard errors of the
	// minimum. 0: 0.5; negative: the minimum.
	PruneSE float64

	Seed uint64

	// Presort, if not nil, is the presort of the dataset. Grow only reads it; others may read it at
	// the same time.
	Presort *tree.Presort
}

// Stats describes a run of Grow.
type Stats struct {
	Nodes         int   // nodes whose split was searched
	Oblique       int   // nodes with an oblique split
	Perturbations int64 // one-dimensional searches
	Grown         int   // splits before pruning
	Stopped       bool  // the context ended the growth; the tree is complete but smaller
	Total         time.Duration
}

func (o *Options) defaults() {
	if o.Restarts == 0 {
		o.Restarts = 20
	}
	switch {
	case o.Jumps == 0 && o.Paper:
		o.Jumps = 1
	case o.Jumps == 0:
		o.Jumps = 5
	case o.Jumps < 0:
		o.Jumps = 0
	}
	if o.RowsPerFeature == 0 {
		o.RowsPerFeature = 2
	}
	switch {
	case o.Holdout == 0 && o.Paper:
		o.Holdout = -1
	case o.Holdout == 0:
		o.Holdout = 0.1
	}
	switch {
	case o.PruneSE == 0:
		o.PruneSE = 0.5
	case o.PruneSE < 0:
		o.PruneSE = 0
	}
}

func (o *Options) validate(ds *dataset.Dataset) error {
	switch {
	case ds.N() == 0:
		return errors.New("oc1: the dataset has no rows")
	case !o.Impurity.valid():
		return fmt.Errorf("oc1: impurity %v is unknown", o.Impurity)
	case o.Order < 0 || int(o.Order) >= len(orderNames):
		return fmt.Errorf("oc1: order %v is unknown", o.Order)
	case o.Paper && o.AxisOnly:
		return errors.New("oc1: Paper and AxisOnly exclude each other: the paper has no univariate splits")
	case o.Restarts < 0:
		return fmt.Errorf("oc1: number of restarts %d is negative", o.Restarts)
	case o.MaxDepth < 0:
		return fmt.Errorf("oc1: maximum depth %d is negative", o.MaxDepth)
	case !(o.MinLeaf >= 0):
		return fmt.Errorf("oc1: minimum leaf weight %v is not a number >= 0", o.MinLeaf)
	case !(o.MinSplit >= 0):
		return fmt.Errorf("oc1: minimum weight of a split node %v is not a number >= 0", o.MinSplit)
	case !(o.Threshold >= 0):
		return fmt.Errorf("oc1: impurity threshold %v is not a number >= 0", o.Threshold)
	case math.IsNaN(o.RowsPerFeature):
		return errors.New("oc1: the number of rows per feature is NaN")
	case math.IsNaN(o.PruneSE):
		return errors.New("oc1: the number of standard errors of pruning is NaN")
	case o.Presort != nil && !o.Presort.Fits(ds):
		return errors.New("oc1: Presort does not match the dataset")
	case !(o.Holdout < 1):
		return fmt.Errorf("oc1: holdout %v is not a number below 1 (negative: no pruning)", o.Holdout)
	}
	return nil
}
