package grid

import (
	"fmt"
	"slices"

	"github.com/octgen/octgen/mio/verify"
)

// mostCoefficient is the largest objective coefficient: solvers take larger ones for
// infinite.
const mostCoefficient = 1e15

// Precision is that of the objective at this price of complexity, in a program with or
// without rows of the total weight (big-M, rates).
func (g *Grid) Precision(alpha float64, bigM bool) verify.Precision {
	p := verify.Precision{Unit: 1 / g.Lhat, Lost: g.Total > verify.LostUnits}
	dearest := 0.0 // answer, in the least costs
	if g.Cost != nil {
		least := g.leastCost()
		p.Unit, dearest = least/g.Lhat, slices.Max(g.Cost)/least
		p.Lost = p.Lost || g.CostUnit.Total/least > verify.LostUnits || slices.Max(g.Cost)/g.Lhat > mostCoefficient
	}
	priced := alpha > 0 && alpha < p.Unit
	if priced {
		p.Unit = alpha
	}
	heaviest := slices.Max(g.W)
	switch {
	case bigM && g.Total > verify.MaxUnits:
		p.Loose = fmt.Sprintf("all rows weigh %.3g times the unit of their weights, more than the %.0e at which rows of that size hold to a unit", g.Total, verify.MaxUnits)
	case heaviest > verify.MaxUnits:
		p.Loose = fmt.Sprintf("a row weighs %.3g times the unit of the weights, more than the %.0e at which its leaf holds to a unit", heaviest, verify.MaxUnits)
	case dearest > verify.MaxUnits:
		p.Loose = fmt.Sprintf("an answer costs %.3g times the least cost, more than the %.0e at which that counts", dearest, verify.MaxUnits)
	case p.Unit*verify.MaxUnits >= 1 && !p.Lost:
		return p
	case priced:
		p.Loose = fmt.Sprintf("alpha is %v, and below %.0e it is less than solvers' tolerances tell apart", alpha, 1/verify.MaxUnits)
	case g.Cost != nil:
		p.Loose = fmt.Sprintf("the least cost is %.2g of that of the single leaf, and below %.0e it is less than solvers' tolerances tell apart", p.Unit, 1/verify.MaxUnits)
	default:
		p.Loose = fmt.Sprintf("the least weight is %.2g of the errors of the single leaf, and below %.0e it is less than solvers' tolerances tell apart", p.Unit, 1/verify.MaxUnits)
	}
	return p
}
