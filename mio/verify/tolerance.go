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

// Precision is how well solvers can tell the objectives of a model's trees apart. Its
// zero value is that of a model of which nothing more is known: [Agreement] decides.
type Precision struct {
	// Unit is the least difference of two objectives that matters: that of a unit of
	// weight or of a split, whichever is less. 0: unknown.
	Unit float64

	// Loose says why solvers' tolerances are not small against Unit, so that no claim
	// and no bound of theirs is a proof; "" where they are. Their points are worth
	// what their trees are then.
	Loose string

	// Lost says that there is no use in asking a solver.
	Lost bool
}

// finest is the part of a unit by which two figures of one thing may differ.
const finest = 0.1

// Near is the package's Near where a unit of the objective is coarser than that.
func (p *Precision) Near(a, want float64) bool {
	return Near(a, want) && (p.Unit == 0 || math.Abs(a-want) <= finest*p.Unit || Same(a, want))
}

// Above reports whether a is larger than b beyond that.
func (p *Precision) Above(a, b float64) bool { return a > b && !p.Near(a, b) }

// ProofTolerance is the part of a tree's own terms within which an optimum is proved:
// where rounding may hide a difference larger than that, nothing is.
const ProofTolerance = 1e-9

// SumError bounds the rounding error of what a search computes from numbers of
// magnitudes that add up to size, at most n of them in a sum.
//
// An addition errs by at most u = 2^-53 of its result, a sum of n terms by at most
// (n-1) u size (Higham 2002, Accuracy and Stability of Numerical Algorithms, (4.4)), and
// so does the sum of a part found as the difference of two. Twice that is 2.2e-16 n size;
// 4e-16 n size has room for the few additions that put parts together, and [WholeError]
// for those when n is small.
func SumError(n int, size float64) float64 {
	return WholeError(size) + 4e-16*float64(n)*size
}

// WholeError is SumError where the numbers are whole and add up to less than 2^53, so
// that their sums are exact: what remains are the penalties of splits.
func WholeError(size float64) float64 { return 1e-13 * size }

// Negligible reports whether an error is so small beside terms, the sum of a tree's own
// terms, that a proof to within that error is one. The terms are what the tree pays: the costs of its
// predictions and the penalties of its splits, never a total over the data.
func Negligible(off, terms float64) bool { return off <= ProofTolerance*terms }
