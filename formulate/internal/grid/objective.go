package grid

import (
	"math"
	"slices"

	"github.com/octgen/octgen/mio/verify"
	"github.com/octgen/octgen/tree"
)

// The objective: what answers cost, weights of wrong rows or, of data with costs, these.

// CheapestAnswer reports whether, of data with costs, one answer is the cheapest of all
// rows: no tree costs less than its leaf.
func (g *Grid) CheapestAnswer() bool { return g.Cost != nil && slices.Min(g.answers()) == 0 }

// Offset and Answer are the objective of a program in which rows have predictions, times
// Lhat: predicting k on row i adds Answer(i, k) to Offset. With costs that is what it costs;
// else all weights are offset, and right answers take theirs off.
func (g *Grid) Offset() float64 {
	if g.Cost != nil {
		return 0
	}
	return g.Total
}

// Answer: see Offset.
func (g *Grid) Answer(i, k int) float64 {
	switch {
	case g.Cost != nil:
		return g.Cost[i*g.K+k]
	case int32(k) == g.Y[i]:
		return -g.W[i]
	}
	return 0
}

// Baseline is Lhat in the data's units.
func (g *Grid) Baseline() float64 {
	if g.Cost != nil {
		return g.Lhat * g.CostUnit.Size
	}
	return g.Lhat * g.Unit.Size
}

// Objective is (1/Lhat) error weight + alpha complexity of t on the training rows, with
// costs of answers these: the objective of OCT and, with the features of all splits for
// complexity, OCT-H.
func (g *Grid) Objective(t *tree.Tree, alpha float64, complexity int) float64 {
	if g.Cost != nil { // of the source's rows: in sums of merged ones large costs hide small excesses
		return tree.Objective(t.Evaluate(g.Src).Excess, g.Baseline(), alpha, complexity)
	}
	l := t.Evaluate(g.DS)
	return tree.Objective(l.ErrorWeight, g.Lhat, alpha, complexity)
}

// Bound is a lower bound on the objective of every tree: the errors, or costs, that rows
// with equal features and different classes force on it.
func (g *Grid) Bound() float64 {
	w, _ := g.DS.UnavoidableErrors()
	if g.Cost != nil {
		return w / g.Baseline()
	}
	return w / g.Lhat
}

// Lattice is the set of values of the objective at this price of complexity, nil
// where the weights, or costs, have no unit.
func (g *Grid) Lattice(alpha float64, most int) *verify.Lattice {
	unit, total := g.Unit, g.Total
	if g.Cost != nil {
		unit, total = g.CostUnit, g.CostUnit.Total
	}
	if !unit.Whole {
		return nil
	}
	return &verify.Lattice{Errors: g.Lhat, Price: alpha, Most: most, Slack: verify.BoundSlack * total / g.Lhat}
}

// leastCost is the least cost that is not 0, in CostUnit: 1 where all are whole.
func (g *Grid) leastCost() float64 {
	if g.CostUnit.Whole {
		return 1
	}
	least := math.Inf(1)
	for _, v := range g.Cost {
		if v > 0 {
			least = min(least, v)
		}
	}
	return least
}
