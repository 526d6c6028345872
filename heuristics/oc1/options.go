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

// Order is the order in which OC1 perturbs the coefficients of a
// hyperplane (section 2.1 of the paper).
type Order int

const (
	Sequential Order = iota // Seq: in turn, until none of them moves
	BestFirst               // Best: the one that improves most, until it stays
	Random50                // 50 times a random one
)

var orderNames = [...]string{"seq", "best", "r-50"}

// String returns the name that ParseOrder reads.
func (o Order) String() string {
	if o < 0 || int(o) >= len(orderNames) {
		return fmt.Sprintf("Order(%d)", int(o))
	}
	return orderNames[o]
}

// ParseOrder returns the order of that name: seq, best or r-50.
func ParseOrder(name string) (Order, error) {
	for o, s := range orderNames {
		if s == name {
			return Order(o), nil
		}
	}
	return 0, fmt.Errorf("order %q is not one of seq, best, r-50", name)
}

// Options are the settings of Grow. The zero value has the defaults of the
// authors' program.
type Options struct {
	Impurity Impurity
	Order    Order
	Restarts int // initial hyperplanes per node; 0: 20
	Jumps    int // random directions tried at a local minimum; 0: 5, negative: none

	// Paper leaves out what the paper of 1993 has not: every initial hyperplane is
	// random, the split is the best plane reached, without a univariate one beside it
	// and with all the features that it has, however few the rows. Jumps 0 is then 1,
	// and Holdout 0 no pruning: nodes below Threshold are its only one.
	Paper bool

	// AxisOnly admits univariate splits only.
	AxisOnly bool
	// RowsPerFeature is the number of rows per feature from which on a node may
	// have an oblique split; with fewer, almost any plane separates. 0: 2;
	// negative: always.
	RowsPerFeature float64

	MaxDepth  int     // splits on the longest path; 0: no limit
	MinLeaf   float64 // least weight of a leaf; a leaf always has a row
	MinSplit  float64 // least weight of a node that is split; 0: two rows suffice
	Threshold float64 // a node whose impurity (Impurity.node) is at most this is a leaf

	// Holdout is the part of the rows that is kept from growing, to choose among
	// the cost-complexity subtrees the one with the least errors there. 0: 0.1;
	// negative: the tree is not pruned.
	Holdout float64
	// PruneSE takes the smallest of these subtrees within so many standard errors
	// of the least. 0: a half; negative: the least.
	PruneSE float64

	Seed uint64

	// TimeLimit, where not 0, is a deadline as that of the context is.
	TimeLimit time.Duration

	// Presort, where not nil, is that of the dataset, for callers that have it already.
	// It stays theirs: it is only read, and may be read by others meanwhile.
	Presort *tree.Presort
}

// Stats says what Grow did.
type Stats struct {
	Nodes         int   // nodes whose split was looked for
	Oblique       int   // of these, those that got an oblique split
	Perturbations int64 // one-dimensional searches
	Grown         int   // splits before pruning
	Stopped       bool  // the context or the time limit ended the growth; the tree is whole but smaller
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
		return errors.New("oc1: the paper has no univariate splits; AxisOnly asks for them")
	case o.Restarts < 0:
		return fmt.Errorf("oc1: %d restarts; 0 (20) or more are needed", o.Restarts)
	case o.MaxDepth < 0:
		return fmt.Errorf("oc1: depth %d; 0 (no limit) or more is needed", o.MaxDepth)
	case !(o.MinLeaf >= 0):
		return fmt.Errorf("oc1: least leaf weight %v; 0 or more is needed", o.MinLeaf)
	case !(o.MinSplit >= 0):
		return fmt.Errorf("oc1: least weight of a split node %v; 0 or more is needed", o.MinSplit)
	case !(o.Threshold >= 0):
		return fmt.Errorf("oc1: impurity threshold %v; 0 or more is needed", o.Threshold)
	case math.IsNaN(o.RowsPerFeature):
		return errors.New("oc1: rows per feature NaN; want a number")
	case math.IsNaN(o.PruneSE):
		return errors.New("oc1: standard errors of pruning NaN; want a number")
	case o.TimeLimit < 0:
		return fmt.Errorf("oc1: time limit %v; 0 (none) or more is needed", o.TimeLimit)
	case o.Presort != nil && !o.Presort.Fits(ds):
		return errors.New("oc1: Presort is not of this dataset")
	case !(o.Holdout < 1):
		return fmt.Errorf("oc1: holdout %v; a number below 1 is needed (negative: no pruning)", o.Holdout)
	}
	return nil
}
