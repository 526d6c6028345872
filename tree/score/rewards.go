package score

import (
	"math"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/tree"
)

// Earned is what a policy earns on rows with rewards. Row i has the weight w_i and earns
// r_i, with W = sum_i w_i and m = sum_i w_i r_i / W.
type Earned struct {
	Total float64 `json:"total"` // sum_i w_i r_i
	Mean  float64 `json:"mean"`  // m, the reward of a row

	// SE is the standard error of the mean, sqrt(n/(n-1) sum_i w_i^2 (r_i - m)^2) / W: of
	// equal weights that of a mean of n independent rows. nil for fewer than two rows. Of
	// the rows that a tree was fitted to it says little, since the tree was chosen for what
	// it earns there.
	SE *float64 `json:"standard_error"`
}

// Rewards compares a policy with the best single action.
type Rewards struct {
	Earned
	Action string `json:"single_action"` // that earns most of all where the tree was fitted
	Single Earned `json:"single"`        // what it earns if it is taken for all rows
	Gain   Earned `json:"gain"`          // what the tree earns beyond it, row by row
}

// RewardsOf returns what t earns on ds, which has its features and actions (it panics
// else), nil where ds has classes. The single action is that of the root, which is the best
// of the rows with which t is annotated.
func RewardsOf(t *tree.Tree, ds *dataset.Dataset) *Rewards {
	if ds.Kind() != dataset.Rewards {
		return nil
	}
	n, single := ds.N(), t.Nodes[0].Class
	policy, one, gain := make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range n {
		r := ds.RewardsOf(i)
		policy[i], one[i] = r[t.Predict(ds.Row(i))], r[single]
		gain[i] = policy[i] - one[i]
	}
	return &Rewards{
		Earned: earned(policy, ds.Weight), Action: ds.Classes[single], Single: earned(one, ds.Weight), Gain: earned(gain, ds.Weight),
	}
}

// earned sums rewards up.
func earned(reward, weight []float64) Earned {
	var e Earned
	all := 0.0
	for i, r := range reward {
		e.Total += weight[i] * r
		all += weight[i]
	}
	n := float64(len(reward))
	if n == 0 {
		return e
	}
	e.Mean = e.Total / all
	if n < 2 {
		return e
	}
	apart := make([]float64, len(reward))
	for i, r := range reward {
		apart[i] = weight[i] / all * (r - e.Mean)
	}
	squares, unit := sumOfSquares(apart)
	se := math.Sqrt(n/(n-1)*squares) * unit
	e.SE = &se
	return e
}

// sumOfSquares adds squares up in the unit of the largest value, a power of two, so that no
// square is too large or too small: the sum is squares times unit^2.
func sumOfSquares(values []float64) (squares, unit float64) {
	largest := 0.0
	for _, v := range values {
		largest = max(largest, math.Abs(v))
	}
	if largest == 0 {
		return 0, 1
	}
	unit = math.Ldexp(1, math.Ilogb(largest))
	for _, v := range values {
		squares += v / unit * (v / unit)
	}
	return squares, unit
}
