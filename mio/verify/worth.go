package verify

import (
	"math"

	"github.com/octgen/octgen/mio"
)

// BySolvers reports whether a bound rests on the tolerances of a solver.
func (p Prover) BySolvers() bool { return p == BySolver || p == ByRanges }

// Worth sets the objective of the verdict to the value of the tree, counted on the rows, so that
// rounding in the solver is no part of it. Tolerant says that trees may differ by less than a
// solver tells apart: an optimum of a solver then needs a bound that agrees with the value, and
// any other bound is lower by what tolerances may have added. It reports whether that kept a verdict
// from being an optimum. A bound of others than solvers that is Negligible below the value makes
// one.
func (v *Verdict) Worth(value float64, p Precision, tolerant bool) (tolerated bool) {
	bound := v.Bound
	switch one := v.Bound == v.Objective; {
	case v.Bound > value, Same(v.Bound, value), one && p.Near(v.Bound, value):
		v.Bound = value // above it by tolerance, or the check says so
	case v.Status == mio.Optimal && !p.Near(v.Bound, value):
		v.Status = mio.Feasible
	}
	switch {
	case v.Prover.BySolvers() && tolerant:
		if v.Status != mio.Optimal || !Negligible(math.Abs(value-bound), value) {
			if v.Status == mio.Optimal {
				v.Status = mio.Feasible
			}
			v.Bound = max(0, min(bound, value)-Agreement*max(1, value))
		}
		tolerated = v.Status == mio.Feasible && v.Limit == mio.NoLimit
	case v.Status == mio.Feasible && !v.Prover.BySolvers() && v.Prover != Nobody && v.Bound <= value && Negligible(value-v.Bound, math.Abs(value)):
		v.Status, v.Limit, v.Bound = mio.Optimal, mio.NoLimit, value
	}
	v.Objective = value
	v.Gap = mio.Gap(v.Objective, v.Bound)
	return tolerated
}
