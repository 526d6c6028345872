package mio

import (
	"fmt"
	"math"
)

// ViolationKind is what a point can violate.
type ViolationKind uint8

const (
	RowViolation ViolationKind = iota // linear rows
	BoundViolation
	IntegralityViolation
	QuadraticViolation // rows with quadratic terms
	IndicatorViolation // rows in force by their indicator
	SOSViolation       // the largest value that would have to be 0
	numViolationKinds
)

var violationNames = [...]string{"row", "bound", "integrality", "quadratic row", "indicator row", "SOS"}

// String returns the kind in lower case, such as "row" or "integrality".
func (k ViolationKind) String() string {
	if int(k) < len(violationNames) {
		return violationNames[k]
	}
	return "invalid violation kind"
}

// Violation is the worst violation of one kind.
type Violation struct {
	Kind   ViolationKind
	Name   string  // row or column; empty where Amount is 0
	Amount float64 // absolute distance from the row's or column's set; NaN values count as +Inf
}

// Report is the outcome of [Check].
type Report struct {
	Feasible  bool                         // no violation exceeds the tolerance
	Objective float64                      // of the point, recomputed
	Worst     [numViolationKinds]Violation // indexed by kind
}

// Max returns the worst violation of all kinds.
func (r *Report) Max() Violation {
	w := r.Worst[0]
	for _, v := range r.Worst[1:] {
		if v.Amount > w.Amount {
			w = v
		}
	}
	return w
}

// Err returns nil for a feasible point, else an error naming the worst
// violation.
func (r *Report) Err() error {
	if r.Feasible {
		return nil
	}
	w := r.Max()
	return fmt.Errorf("mio: infeasible point: %s %s is violated by %.3g", w.Kind, w.Name, w.Amount)
}

// Check computes, with none of a solver's code, how far values (NumCols
// entries) are from satisfying m: the worst absolute violation per kind, by
// name. Row activities are computed as if in twice the precision and rounded
// once, so that cancellation does not hide a violation. The point is feasible if
// no violation exceeds tol.
func Check(m *Model, values []float64, tol float64) Report {
	r := Report{Feasible: true}
	for k := range r.Worst {
		r.Worst[k].Kind = ViolationKind(k)
	}
	if len(values) != m.NumCols() {
		r.Feasible = false
		r.Objective = math.NaN()
		r.Worst[BoundViolation] = Violation{BoundViolation, fmt.Sprintf("(%d values for %d columns)", len(values), m.NumCols()), Inf}
		return r
	}
	var worst [numViolationKinds]int // its place
	scan(m, values, func(kind ViolationKind, index int, amount float64) {
		if amount > r.Worst[kind].Amount {
			r.Worst[kind].Amount, worst[kind] = amount, index
		}
	})
	for k := range r.Worst {
		if w := &r.Worst[k]; w.Amount > 0 {
			w.Name = m.violated(w.Kind, worst[k])
		}
	}
	r.Objective = m.Objective(values)
	for _, w := range r.Worst {
		if !(w.Amount <= tol) {
			r.Feasible = false
		}
	}
	return r
}

// outside returns the distance of x from [lo, hi]; +Inf for NaN and infinities.
func outside(x, lo, hi float64) float64 {
	switch {
	case !finite(x):
		return Inf
	case x < lo:
		return lo - x
	case x > hi:
		return x - hi
	}
	return 0
}

// sum is a sum of products with compensation: Neumaier's summation (1974) plus
// the rounding errors of the products (algorithm Dot2 of Ogita, Rump & Oishi,
// Accurate sum and dot product, SIAM J. Sci. Comput. 26, 2005, with FMA).
type sum struct{ s, c float64 }

func (a *sum) add(v float64) {
	t := a.s + v
	if math.Abs(a.s) >= math.Abs(v) {
		a.c += (a.s - t) + v
	} else {
		a.c += (v - t) + a.s
	}
	a.s = t
}

func (a *sum) addProduct(x, y float64) {
	p := x * y
	a.add(p)
	a.c += math.FMA(x, y, -p)
}

func (a *sum) value() float64 { return a.s + a.c }
