package mio

import (
	"cmp"
	"fmt"
	"math"
	"slices"
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

// Objective returns offset + cost·x + quadratic terms, computed as if in twice
// the precision and rounded once. len(x) must be NumCols.
func (m *Model) Objective(x []float64) float64 {
	var s sum
	s.add(m.offset)
	for j, c := range m.cost {
		if c != 0 {
			s.addProduct(c, x[j])
		}
	}
	for _, t := range m.quadCost {
		s.addQuad(t, x)
	}
	return s.value()
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

// addQuad adds the quadratic term t at x, as if in twice the precision.
func (a *sum) addQuad(t QuadTerm, x []float64) {
	p := x[t.I] * x[t.J]
	a.addProduct(t.Value, p)
	a.c += t.Value * math.FMA(x[t.I], x[t.J], -p)
}

func (a *sum) value() float64 { return a.s + a.c }

// Violations lists all that values (NumCols entries, else it panics) violate by
// more than tol, as [Check] measures it: the worst first, of equal ones in the
// order of kinds and then of the model.
func Violations(m *Model, values []float64, tol float64) []Violation {
	if len(values) != m.NumCols() {
		panic("mio: Violations: the point has not one value per column")
	}
	type place struct {
		kind   ViolationKind
		index  int
		amount float64
	}
	var places []place
	scan(m, values, func(kind ViolationKind, index int, amount float64) {
		if !(amount <= tol) {
			places = append(places, place{kind, index, amount})
		}
	})
	slices.SortFunc(places, func(a, b place) int {
		return cmp.Or(cmp.Compare(b.amount, a.amount), cmp.Compare(a.kind, b.kind), cmp.Compare(a.index, b.index))
	})
	list := make([]Violation, len(places))
	for k, p := range places {
		list[k] = Violation{p.kind, m.violated(p.kind, p.index), p.amount}
	}
	return list
}

// violated returns the name of the row, column or set that a violation is of.
func (m *Model) violated(kind ViolationKind, index int) string {
	switch kind {
	case BoundViolation, IntegralityViolation:
		return m.ColName(index)
	case SOSViolation:
		return m.sos[index].Name
	}
	return m.RowName(index)
}

// scan visits all violations of x that are not 0, by columns, rows and sets.
func scan(m *Model, x []float64, visit func(kind ViolationKind, index int, amount float64)) {
	activity := make([]sum, m.NumRows())
	for j, v := range x {
		scanColumn(m, j, v, visit)
		if v == 0 {
			continue
		}
		rows, coefs := m.Column(j)
		for k, i := range rows {
			activity[i].addProduct(coefs[k], v)
		}
	}
	kinds := m.rowKinds()
	for _, t := range m.quadRows {
		activity[t.Row].addQuad(t.QuadTerm, x)
	}
	for i := range activity {
		kind := RowViolation
		if kinds != nil {
			kind = kinds[i]
		}
		if kind == IndicatorViolation && !m.inForce(i, x) {
			continue
		}
		if v := outside(activity[i].value(), m.rowLower[i], m.rowUpper[i]); v != 0 {
			visit(kind, i, v)
		}
	}
	for k := range m.sos {
		if v := sosViolation(m.sos[k], x); v != 0 {
			visit(SOSViolation, k, v)
		}
	}
}

func scanColumn(m *Model, j int, x float64, visit func(kind ViolationKind, index int, amount float64)) {
	if v := outside(x, m.colLower[j], m.colUpper[j]); v != 0 {
		visit(BoundViolation, j, v)
	}
	if m.colType[j] == Continuous {
		return
	}
	if v := math.Abs(x - math.Round(x)); v != 0 && !math.IsNaN(v) { // which the bounds told
		visit(IntegralityViolation, j, v)
	}
}

// rowKinds returns the violation kind of every row, nil where all are linear.
func (m *Model) rowKinds() []ViolationKind {
	if len(m.quadRows) == 0 && len(m.indicators) == 0 {
		return nil
	}
	kinds := make([]ViolationKind, m.NumRows())
	for _, t := range m.quadRows {
		kinds[t.Row] = QuadraticViolation
	}
	for _, in := range m.indicators {
		if in.Row >= 0 && int(in.Row) < len(kinds) && kinds[in.Row] == RowViolation {
			kinds[in.Row] = IndicatorViolation
		}
	}
	return kinds
}

// inForce says whether row i, which has an indicator, holds at x. The binary
// column is rounded: how far it is from integral is a violation of its own.
func (m *Model) inForce(i int, x []float64) bool {
	k, _ := slices.BinarySearchFunc(m.indicators, int32(i), func(in Indicator, row int32) int { return cmp.Compare(in.Row, row) })
	in := m.indicators[k]
	return (math.Round(x[in.Col]) == 1) == in.On
}

// sosViolation is the largest magnitude outside the columns that may be nonzero,
// the best choice of them: the least over all runs of s.Type neighbours.
func sosViolation(s SOS, x []float64) float64 {
	after := make([]float64, len(s.Cols)+1) // largest magnitude from k on
	for k := len(s.Cols) - 1; k >= 0; k-- {
		after[k] = max(after[k+1], outside(x[s.Cols[k]], 0, 0))
	}
	best, before := Inf, 0.0
	for k, c := range s.Cols {
		best = min(best, max(before, after[min(k+s.Type, len(s.Cols))]))
		before = max(before, outside(x[c], 0, 0))
	}
	return best
}
