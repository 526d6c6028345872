package verify

import "math"

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
