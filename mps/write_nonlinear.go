package mps

import (
	"fmt"
	"math"
	"slices"

	"github.com/octgen/octgen/mio"
)

// nonlinearSections writes what is beyond linear rows. CPLEX and SCIP want sets
// before quadratic terms, Gurobi after them; indicators come last everywhere.
func (e *encoder) nonlinearSections() {
	if e.opts.Dialect != Gurobi {
		e.sosSection()
	}
	e.quadraticObjective()
	e.quadraticRows()
	if e.opts.Dialect == Gurobi {
		e.sosSection()
	}
	e.indicatorsSection()
}

// quadraticObjective writes Q of (1/2) x'Qx: as QUADOBJ, which holds one of its
// triangles, or for CPLEX as QMATRIX, which holds both.
func (e *encoder) quadraticObjective() {
	terms := e.m.QuadCost()
	if len(terms) == 0 {
		return
	}
	both := e.opts.Dialect == CPLEX
	if both {
		e.raw("QMATRIX\n")
	} else {
		e.raw("QUADOBJ\n")
	}
	for _, t := range terms {
		v := e.mp.Sign * t.Value
		if t.I == t.J {
			v *= 2
		}
		e.quadEntry(t.I, t.J, v)
		if both && t.I != t.J {
			e.quadEntry(t.J, t.I, v)
		}
	}
}

// quadraticRows writes Q of x'Qx (no factor 1/2), both triangles, in a QCMATRIX
// section per row. The terms of free rows, which solvers drop, are comments.
func (e *encoder) quadraticRows() {
	lower, upper := e.m.RowLower(), e.m.RowUpper()
	last := int32(-1)
	for _, t := range e.m.QuadRows() {
		free := isFree(lower[t.Row], upper[t.Row])
		if free {
			e.start()
			e.raw("* octgen quadratic ")
			e.rowName(int(t.Row))
			e.raw(" ")
			e.colName(t.I)
			e.raw(" ")
			e.colName(t.J)
			e.exact(t.Value)
			e.end()
			continue
		}
		if t.Row != last {
			last = t.Row
			e.start()
			e.raw("QCMATRIX   ")
			e.rowName(int(t.Row))
			e.end()
		}
		if t.I == t.J {
			e.quadEntry(t.I, t.J, t.Value)
			continue
		}
		e.quadEntry(t.I, t.J, t.Value/2)
		e.quadEntry(t.J, t.I, t.Value/2)
	}
}

func (e *encoder) quadEntry(i, j int32, v float64) {
	e.start()
	e.gap(field2)
	e.colName(i)
	e.gap(field3)
	e.colName(j)
	e.number(field4, v)
	e.end()
}

// indicatorsSection writes the conditions. Those of free rows, which solvers
// drop, are comments.
func (e *encoder) indicatorsSection() {
	lower, upper := e.m.RowLower(), e.m.RowUpper()
	first := true
	for _, in := range e.m.Indicators() {
		value := 0.0
		if in.On {
			value = 1
		}
		if isFree(lower[in.Row], upper[in.Row]) {
			e.start()
			e.raw("* octgen indicator ")
			e.rowName(int(in.Row))
			e.raw(" ")
			e.colName(in.Col)
			e.exact(value)
			e.end()
			continue
		}
		if first {
			e.raw("INDICATORS\n")
			first = false
		}
		e.start()
		e.text(field1, "IF")
		e.gap(field2)
		e.rowName(int(in.Row))
		e.gap(field3)
		e.colName(in.Col)
		e.number(field4, value)
		e.end()
	}
}

// sosSection writes the special ordered sets.
func (e *encoder) sosSection() {
	sets := e.m.SOS()
	if len(sets) == 0 {
		return
	}
	e.raw("SOS\n")
	for k, s := range sets {
		e.start()
		e.text(field1, sosTypes[s.Type-1])
		e.gap(field2)
		e.buf = e.mp.appendSOSName(e.buf, e.m, k)
		e.end()
		for i, c := range s.Cols {
			e.start()
			e.raw("   ") // with only one blank, CBC takes a column S1x for the head of a set
			e.gap(field2)
			e.colName(c)
			e.number(field3, s.Weights[i])
			e.end()
		}
	}
}

// checkNonlinear says what of m a file of the dialect cannot hold or its solver
// cannot take.
func checkNonlinear(m *mio.Model, d Dialect) error {
	if err := checkHiGHS(m); d == HiGHS && err != nil {
		return err
	}
	if d != SCIP {
		if err := checkOneSided(m, d); err != nil {
			return err
		}
	}
	for _, t := range m.QuadCost() {
		if t.I == t.J && math.IsInf(2*t.Value, 0) {
			return fmt.Errorf("the objective: the coefficient %v of %s squared cannot be doubled, as the format wants it", t.Value, m.ColName(int(t.I)))
		}
	}
	for _, t := range m.QuadRows() {
		if t.I != t.J && t.Value/2*2 != t.Value {
			return fmt.Errorf("row %s: the coefficient %v of %s * %s cannot be halved exactly, as the format wants it",
				m.RowName(int(t.Row)), t.Value, m.ColName(int(t.I)), m.ColName(int(t.J)))
		}
	}
	return nil
}

func checkHiGHS(m *mio.Model) error {
	switch {
	case len(m.QuadRows()) > 0:
		return fmt.Errorf("HiGHS takes no quadratic rows (%d terms); choose another dialect or encoding", len(m.QuadRows()))
	case len(m.Indicators()) > 0:
		return fmt.Errorf("HiGHS takes no indicator rows (%d); choose another dialect or encoding", len(m.Indicators()))
	case len(m.SOS()) > 0:
		return fmt.Errorf("HiGHS takes no SOS sets (%d); choose another dialect or encoding", len(m.SOS()))
	case len(m.QuadCost()) > 0 && m.NumDiscrete() > 0:
		return fmt.Errorf("HiGHS takes no quadratic objective with discrete columns (%d); choose another dialect or encoding", m.NumDiscrete())
	}
	return checkConvex(m)
}

// checkConvex refuses objectives that HiGHS, which looks no further than at the
// diagonal, takes for convex and answers wrongly: a product x_i x_j that the
// squares of x_i and x_j do not outweigh, 4 q_ii q_jj < q_ij^2. It is necessary
// for convexity, not sufficient.
func checkConvex(m *mio.Model) error {
	sign := 1.0
	if m.Sense() == mio.Maximize {
		sign = -1
	}
	square := map[int32]float64{}
	for _, t := range m.QuadCost() {
		if t.I == t.J {
			square[t.I] = sign * t.Value
		}
	}
	for _, t := range m.QuadCost() {
		name := m.ColName(int(t.I)) + " * " + m.ColName(int(t.J))
		convex := sign*t.Value >= 0
		if t.I != t.J {
			a, b := square[t.I], square[t.J]
			convex = a > 0 && b > 0 && 2*math.Sqrt(a)*math.Sqrt(b) >= math.Abs(t.Value)*(1-1e-12)
		}
		if !convex {
			return fmt.Errorf("HiGHS takes no nonconvex objective, and may answer it wrongly; the term %s makes this one nonconvex; choose another dialect or encoding", name)
		}
	}
	return nil
}

// checkOneSided refuses what only SCIP reads: quadratic and indicator rows with
// two different finite bounds.
func checkOneSided(m *mio.Model, d Dialect) error {
	lower, upper := m.RowLower(), m.RowUpper()
	isRange := func(i int32) bool {
		return lower[i] < upper[i] && !math.IsInf(lower[i], 0) && !math.IsInf(upper[i], 0)
	}
	const advice = "has two different bounds, which the dialect %s cannot say: use two rows, or the dialect scip"
	if k := slices.IndexFunc(m.QuadRows(), func(t mio.QuadRowTerm) bool { return isRange(t.Row) }); k >= 0 {
		return fmt.Errorf("quadratic row %s "+advice, m.RowName(int(m.QuadRows()[k].Row)), d)
	}
	if k := slices.IndexFunc(m.Indicators(), func(in mio.Indicator) bool { return isRange(in.Row) }); k >= 0 {
		return fmt.Errorf("indicator row %s "+advice, m.RowName(int(m.Indicators()[k].Row)), d)
	}
	return nil
}
