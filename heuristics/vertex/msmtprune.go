package vertex

import (
	"fmt"
	"math"
	"slices"

	"github.com/octgen/octgen/heuristics/cart"
	"github.com/octgen/octgen/tree"
)

// Pruning is how MSMT prunes. The zero value is Pessimistic.
type Pruning string

const (
	// Pessimistic is the pruning of Quinlan (1987), section 2.3, which Bennett (1992)
	// cites: from the root down, a subtree with L leaves that err on J of N rows becomes
	// a leaf, which errs on E, where
	//
	//	E + 1/2 <= J + L/2 + sqrt((J + L/2) (N - J - L/2) / N)
	//
	// that is, within one standard error of the subtree's errors with half an error
	// added for each leaf.
	Pessimistic Pruning = "pessimistic"
	// ErrorBased is that of C4.5 (Quinlan 1993): from the leaves up, a subtree becomes a
	// leaf where the upper limit of a confidence interval on its errors is no more than
	// that of its leaves together.
	ErrorBased Pruning = "error-based"
	// Charged is ErrorBased with half an error charged for each weight of a split, since
	// a plane fits p+1 numbers to its rows and not one, as C4.5's splits do. It is no
	// paper's.
	Charged Pruning = "charged"
	// Unpruned leaves the tree as it was grown.
	Unpruned Pruning = "none"
)

// Prunings lists the names, the default first.
func Prunings() []Pruning { return []Pruning{Pessimistic, ErrorBased, Charged, Unpruned} }

// charge is what Charged adds per weight, in errors.
const charge = 0.5

// prune returns an annotated tree, pruned. Weights count as rows.
func (p Pruning) prune(t *tree.Tree, confidence float64) *tree.Tree {
	switch p {
	case Pessimistic:
		return pruneByStandardError(t)
	case ErrorBased:
		return pruneByConfidence(t, confidence, 0)
	case Charged:
		return pruneByConfidence(t, confidence, charge)
	}
	return t
}

// validate refuses names that are none.
func (p Pruning) validate() error {
	if slices.Contains(Prunings(), p) {
		return nil
	}
	return fmt.Errorf("pruning %q is not one of %q", p, Prunings())
}

// pruneByStandardError is Pessimistic. A subtree is judged with all the leaves that it
// was grown with, so that the order of its nodes does not matter.
func pruneByStandardError(t *tree.Tree) *tree.Tree {
	leaves, below := make([]float64, len(t.Nodes)), make([]float64, len(t.Nodes))
	cut := make([]bool, len(t.Nodes))
	for i := len(t.Nodes) - 1; i >= 0; i-- { // children come after their parent
		n := &t.Nodes[i]
		total, own := errorsAsLeaf(n)
		if n.Leaf() {
			leaves[i], below[i] = 1, own
			continue
		}
		leaves[i] = leaves[n.Left] + leaves[n.Right]
		below[i] = below[n.Left] + below[n.Right]
		corrected := below[i] + leaves[i]/2
		se := math.Sqrt(corrected * max(total-corrected, 0) / total)
		cut[i] = own+0.5 <= corrected+se+1e-9
	}
	return t.Prune(func(i int) bool { return cut[i] })
}

// pruneByConfidence is ErrorBased, with charge errors for each weight of a split.
func pruneByConfidence(t *tree.Tree, confidence, charge float64) *tree.Tree {
	estimate := make([]float64, len(t.Nodes))
	cut := make([]bool, len(t.Nodes))
	for i := len(t.Nodes) - 1; i >= 0; i-- { // children come after their parent
		n := &t.Nodes[i]
		total, own := errorsAsLeaf(n)
		estimate[i] = cart.PessimisticErrors(total, own, confidence)
		if n.Leaf() {
			continue
		}
		if below := estimate[n.Left] + estimate[n.Right] + charge*float64(len(n.Split.Terms)); below < estimate[i]-1e-9 {
			estimate[i] = below
		} else {
			cut[i] = true
		}
	}
	return t.Prune(func(i int) bool { return cut[i] })
}

// errorsAsLeaf returns the weight of a node and that of all classes but the heaviest.
func errorsAsLeaf(n *tree.Node) (total, errs float64) {
	most := 0.0
	for _, w := range n.Weight {
		total += w
		most = max(most, w)
	}
	return total, total - most
}
