package mio

import (
	"cmp"
	"math"
	"slices"
)

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
