package verify

import "math"

// Lattice is the set of values that an objective can have: with whole weights the
// errors e are whole units, so that every tree has
//
//	e / Errors + Price c     for whole e >= 0 and c = 0, 1, ..., Most
//
// Constraints make the set smaller, never larger; weights without a unit, or costs
// that are real numbers, have no lattice: a nil *Lattice, whose methods answer that
// nothing is known.
type Lattice struct {
	Errors float64 // units per 1 of the objective: Lhat; 1 where the objective counts
	Price  float64 // of the complexity: alpha, >= 0
	Most   int     // greatest complexity
	Slack  float64 // what a solver's tolerances may have added to a bound: see BoundSlack
}

// latticeNoise is the difference, in units, below which two values are one that was
// computed in two ways.
const latticeNoise = 1e-7

// Step returns the least positive difference of two values of the lattice; 0 where
// there is none, or where the tolerances of solvers do not tell it from nothing.
func (l *Lattice) Step() float64 {
	if l == nil {
		return 0
	}
	step := 1.0 // in units
	if l.Price > 0 {
		for c := 1; c <= l.Most; c++ {
			v := float64(c) * l.Price * l.Errors
			if d := math.Abs(v - math.Round(v)); d > latticeNoise {
				step = math.Min(step, d)
			}
		}
	}
	if step /= l.Errors; step <= 4*l.Slack {
		return 0
	}
	return step
}

// AbsGap is the gap between incumbent and bound at which a solver may end with a
// proof: a step, less what its tolerances may have added to the bound; 0 for none.
func (l *Lattice) AbsGap() float64 {
	step := l.Step()
	if step == 0 {
		return 0
	}
	return step - 2*l.Slack
}

// RoundUp returns the least value of the lattice that is not below bound, the
// tolerances of solvers taken off: a bound on the objective where bound is one.
func (l *Lattice) RoundUp(bound float64) float64 {
	if l == nil || math.IsInf(bound, 0) || math.IsNaN(bound) || l.Slack*l.Errors > 0.25 {
		return bound
	}
	least := math.Inf(1)
	for c := 0; c <= l.Most; c++ {
		paid := l.Price * float64(c)
		units := math.Ceil((bound-l.Slack-paid)*l.Errors - latticeNoise)
		least = math.Min(least, paid+math.Max(0, units)/l.Errors)
		if l.Price == 0 {
			break
		}
	}
	return math.Max(least, bound-l.Slack)
}
