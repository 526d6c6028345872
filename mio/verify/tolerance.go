package verify

import "math"

// The tolerances of the judge, each in one place.
const (
	// Feasibility is the largest violation at which a point satisfies a model, in
	// the row's or column's own units: what solvers hold rows at by default.
	Feasibility = 1e-6
	// Tolerated is the violation up to which a point is returned with a note: a
	// solver's feasibility is often that of its scaled, presolved model.
	Tolerated = 1e-5
	// Agreement is how far two figures of one thing may be apart that a solver and
	// octgen computed, relative to the larger of 1 and the figure: what violations of
	// Feasibility may make of an objective.
	Agreement = 1e-6
	// Rounding is the relative difference below which two numbers are one that was
	// computed in two ways.
	Rounding = 1e-9
	// Integrality is how far a discrete column may be from an integer in a point
	// that is decoded: looser than any solver's tolerance, far from ambiguous.
	Integrality = 1e-4
	// BoundSlack is what the tolerances of a solver may have added to a bound, per
	// weight of all rows divided by the divisor of the errors: a row at Feasibility
	// lets that part of the weight through, at a node above it once more.
	BoundSlack = 2e-6
	// LostUnits is the weight of all rows, in units, beyond which one unit is below
	// the tolerances of solvers however a program is written: they get none.
	LostUnits = 1e9
	// MaxUnits is the largest weight of all rows, in units, at which programs can
	// tell one unit from none: MaxUnits x BoundSlack is a fifth of a unit. It is the
	// largest weight of one row where no row of the program has the weight of all.
	MaxUnits = 1e5
)

// Same reports whether two figures are one that was computed in two ways. An infinite one,
// such as no bound, is the same as itself only.
func Same(a, b float64) bool {
	return a == b || !math.IsInf(a-b, 0) && math.Abs(a-b) <= Rounding*math.Max(math.Abs(a), math.Abs(b))
}

// Near reports whether a figure agrees with want, within Agreement.
func Near(a, want float64) bool {
	return a == want || !math.IsInf(a-want, 0) && math.Abs(a-want) <= Agreement*math.Max(1, math.Abs(want))
}

// Above reports whether a is larger than b beyond Agreement.
func Above(a, b float64) bool { return a > b && !Near(a, b) }
