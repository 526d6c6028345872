package grid

import (
	"fmt"
	"math"
	"slices"

	"github.com/octgen/octgen/mio/verify"
	"github.com/octgen/octgen/tree"
)

// The objective: the costs of predictions.

// Answer returns what predicting k on row i adds to Offset, times Lhat, in a model with predictions
// of rows. With costs, it is the cost; otherwise all weights are in the offset, and correct
// predictions subtract theirs.
func (g *Grid) Answer(i, k int) float64 {
	switch {
	case g.Cost != nil:
		return g.Cost[i*g.K+k]
	case int32(k) == g.Y[i]:
		return -g.W[i]
	}
	return 0
}

// Baseline returns Lhat in the data's units.
func (g *Grid) Baseline() float64 { return g.Lhat * g.LossUnit.Size }

// Objective returns (1/Lhat) excess + alpha complexity of t on the training rows: the objective of
// OCT, problem (1) and (23), and, with the number of features of all splits as complexity, of OCT-H.
func (g *Grid) Objective(t *tree.Tree, alpha float64, complexity int) float64 {
	return tree.Objective(t.Evaluate(g.counted).Excess, g.scale, alpha, complexity)
}

// Bound returns a lower bound on the objective of every tree: the errors, or costs, forced by rows
// with equal features and different classes.
func (g *Grid) Bound() float64 {
	w, _ := g.DS.UnavoidableErrors()
	return w / g.scale
}

// Lattice returns the set of values of the objective for this penalty on complexity, nil if the
// weights, or costs, have no unit.
func (g *Grid) Lattice(alpha float64, most int) *verify.Lattice {
	if !g.LossUnit.Whole {
		return nil
	}
	return &verify.Lattice{Errors: g.Lhat, Price: alpha, Most: most, Slack: verify.BoundSlack * g.LossUnit.Total / g.Lhat}
}

// leastCost returns the minimum nonzero cost in LossUnit: 1 if all are whole numbers.
func (g *Grid) leastCost() float64 {
	if g.LossUnit.Whole {
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

// mostCoefficient is the maximum objective coefficient: solvers treat larger ones as infinite.
const mostCoefficient = 1e15

// Precision returns the precision of the objective for this penalty on complexity, in a model with
// or without constraints that contain the total weight (big-M, rates).
func (g *Grid) Precision(alpha float64, bigM bool) verify.Precision {
	p := verify.Precision{Unit: 1 / g.Lhat, Lost: g.Total > verify.LostUnits}
	dearest, what := 0.0, "weight is %.2g of the errors" // most expensive prediction, in units of the minimum cost
	if g.Cost != nil {
		what = "cost is %.2g of that"
		least := g.leastCost()
		p.Unit, dearest = least/g.Lhat, slices.Max(g.Cost)/least
		p.Lost = p.Lost || g.LossUnit.Total/least > verify.LostUnits || slices.Max(g.Cost)/g.Lhat > mostCoefficient
	}
	priced := alpha > 0 && alpha < p.Unit
	if priced {
		p.Unit = alpha
	}
	heaviest := slices.Max(g.W)
	switch {
	case bigM && g.Total > verify.MaxUnits:
		p.Loose = fmt.Sprintf("all rows weigh %.3g times the unit of their weights, above the %.0e up to which solvers resolve a unit", g.Total, verify.MaxUnits)
	case heaviest > verify.MaxUnits:
		p.Loose = fmt.Sprintf("a row weighs %.3g times the unit of the weights, above the %.0e up to which solvers resolve a unit", heaviest, verify.MaxUnits)
	case dearest > verify.MaxUnits:
		p.Loose = fmt.Sprintf("a prediction costs %.3g times the minimum cost, above the %.0e up to which solvers resolve that", dearest, verify.MaxUnits)
	case p.Unit*verify.MaxUnits >= 1 && !p.Lost:
		return p
	case priced:
		p.Loose = fmt.Sprintf("alpha is %v, below the %.0e that solvers' tolerances can resolve", alpha, 1/verify.MaxUnits)
	default:
		p.Loose = fmt.Sprintf("the minimum "+what+" of the single leaf, below the %.0e that solvers' tolerances can resolve", p.Unit, 1/verify.MaxUnits)
	}
	return p
}
