package score

import (
	"cmp"
	"math"
	"slices"

	"github.com/octgen/octgen/tree"
)

// Shares returns the share of each class in the training weight at each leaf, which is
// what trees have for probabilities: nodes by K, nil for a branch node and for a leaf
// that no training row reached. They are probabilities only as far as the training
// weights are frequencies: class weights and a chosen sample shift them.
func Shares(t *tree.Tree) [][]float64 {
	shares := make([][]float64, len(t.Nodes))
	for i := range t.Nodes {
		n := &t.Nodes[i]
		all := add(n.Weight)
		if !n.Leaf() || !(all > 0) {
			continue
		}
		shares[i] = make([]float64, len(t.Classes))
		for k, w := range n.Weight {
			shares[i][k] = w / all
		}
	}
	return shares
}

// shares are those of the leaves, false if a row reaches a leaf that has none.
func (c *tally) shares() ([][]float64, bool) {
	shares := Shares(c.tree)
	for i, w := range c.weight {
		if shares[i] == nil && add(w) > 0 {
			return nil, false
		}
	}
	return shares, true
}

// auc is the area of two classes, the mean of the areas of more.
func (c *tally) auc(shares [][]float64) *float64 {
	rest := c.rest()
	if len(c.total) == 2 {
		return c.areaOf(1, shares, rest)
	}
	sum, classes := 0.0, 0.0
	for k := range c.total {
		if area := c.areaOf(k, shares, rest); area != nil {
			sum += *area
			classes++
		}
	}
	return ratio(sum, classes)
}

// rest is the weight of all other classes at each leaf. (nodes, K); nil for a branch node
func (c *tally) rest() [][]float64 {
	rest := make([][]float64, len(c.weight))
	for i, w := range c.weight {
		if w == nil {
			continue
		}
		rest[i] = make([]float64, len(w))
		before, after := 0.0, 0.0
		for k, v := range w {
			rest[i][k] = before
			before += v
		}
		for k := len(w) - 1; k >= 0; k-- {
			rest[i][k] += after
			after += w[k]
		}
	}
	return rest
}

// sameShare is the difference up to which two shares are the same: what rounding makes
// of equal ones.
const sameShare = 1e-12

// areaOf is the area under the curve of class k against the rest: the probability that
// a row of k has a greater share of k than another row, with half of that of an equal
// one. nil without a row of k, or of the rest. Weights are multiplied with each other, so
// they are first divided by the power of two next below their sum: weights of any size have
// the area of ordinary ones, to the last digit.
func (c *tally) areaOf(k int, shares, rest [][]float64) *float64 {
	type group struct{ share, of, rest float64 }
	var groups []group
	all := group{}
	for i, w := range c.weight {
		if shares[i] == nil {
			continue
		}
		groups = append(groups, group{shares[i][k], w[k], rest[i][k]})
		all.of += w[k]
		all.rest += rest[i][k]
	}
	if all.of == 0 || all.rest == 0 {
		return nil
	}
	slices.SortStableFunc(groups, func(a, b group) int { return cmp.Compare(a.share, b.share) })
	unit, restUnit := -math.Ilogb(all.of), -math.Ilogb(all.rest)
	pairs, of, below := 0.0, 0.0, 0.0 // pairs in order; weight so far of k and of the rest
	for at := 0; at < len(groups); {
		same := group{share: groups[at].share}
		for ; at < len(groups) && groups[at].share-same.share <= sameShare; at++ {
			same.of += math.Ldexp(groups[at].of, unit)
			same.rest += math.Ldexp(groups[at].rest, restUnit)
		}
		pairs += same.of * (below + same.rest/2)
		of += same.of
		below += same.rest
	}
	return ratio(pairs, of*below)
}

// leastShare is that at which the log loss clips.
const leastShare = 1e-15

// logLoss is the mean of -log of the share of the true class. Clipped shares are
// divided by their sum, as scikit-learn does.
func (c *tally) logLoss(shares [][]float64) *float64 {
	loss := 0.0
	for i, w := range c.weight {
		if shares[i] == nil {
			continue
		}
		sum := 0.0
		for _, s := range shares[i] {
			sum += clip(s)
		}
		for k, v := range w {
			if v > 0 {
				loss -= v * math.Log(clip(shares[i][k])/sum)
			}
		}
	}
	return ratio(loss, add(c.total))
}

// clip keeps a share away from 0 and 1.
func clip(share float64) float64 { return min(max(share, leastShare), 1-leastShare) }
