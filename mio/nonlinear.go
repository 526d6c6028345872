package mio

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sort"
	"strconv"
)

// QuadTerm is Value * x_I * x_J, I <= J. No factor 1/2 is implied: x_j^2 with
// coefficient 1 is {j, j, 1}.
type QuadTerm struct {
	I, J  int32
	Value float64
}

// QuadRowTerm is a quadratic term of a row.
type QuadRowTerm struct {
	Row int32
	QuadTerm
}

// Indicator says that Row holds where the binary column Col is On, and is free
// elsewhere.
type Indicator struct {
	Row, Col int32
	On       bool // in force at 1 (true) or at 0
}

// SOS is a special ordered set: of type 1, at most one column is nonzero; of
// type 2, at most two, which are neighbours in the order of the weights. It has
// one column at least.
type SOS struct {
	Type    int       // 1 or 2
	Name    string    // "s<k+1>" of an unnamed set k
	Cols    []int32   // in the order of their weights
	Weights []float64 // one per column, ascending strictly
}

// IsLinear reports whether m has neither quadratic terms nor indicators nor
// SOS sets.
func (m *Model) IsLinear() bool {
	return len(m.quadCost) == 0 && len(m.quadRows) == 0 && len(m.indicators) == 0 && len(m.sos) == 0
}

// QuadCost returns the quadratic terms of the objective, ascending by (I, J),
// one per pair, none 0.
func (m *Model) QuadCost() []QuadTerm { return m.quadCost }

// QuadRows returns the quadratic terms of the rows, ascending by (Row, I, J),
// one per row and pair, none 0.
func (m *Model) QuadRows() []QuadRowTerm { return m.quadRows }

// Indicators returns the rows that hold on a condition, ascending by row, one
// per row. Their columns are binary; their rows have no quadratic terms.
func (m *Model) Indicators() []Indicator { return m.indicators }

// SOS returns the special ordered sets, in the order they were added.
func (m *Model) SOS() []SOS { return m.sos }

// AddQuadCost adds v * x_c * x_d to the objective; terms of the same pair, in
// either order, are summed.
func (b *Builder) AddQuadCost(c, d Col, v float64) {
	b.m.quadCost = append(b.m.quadCost, quadTerm(c, d, v))
}

// AddQuad adds v * x_c * x_d to row r; terms of the same row and pair, in
// either order, are summed.
func (b *Builder) AddQuad(r Row, c, d Col, v float64) {
	b.m.quadRows = append(b.m.quadRows, QuadRowTerm{int32(r), quadTerm(c, d, v)})
}

func quadTerm(c, d Col, v float64) QuadTerm {
	return QuadTerm{int32(min(c, d)), int32(max(c, d)), v}
}

// AddIndicator makes row r hold only where the binary column c is 1 (on) or 0
// (not on). A row has one indicator at most.
func (b *Builder) AddIndicator(r Row, c Col, on bool) {
	b.m.indicators = append(b.m.indicators, Indicator{int32(r), int32(c), on})
}

// AddSOS adds a special ordered set of type 1 or 2. Weights must differ; the
// set is sorted by them. An empty name leaves it unnamed. The slices are copied.
func (b *Builder) AddSOS(kind int, name string, cols []Col, weights []float64) {
	if b.omit {
		name = ""
	}
	s := SOS{Type: kind, Name: name, Weights: slices.Clone(weights)}
	for _, c := range cols {
		s.Cols = append(s.Cols, int32(c))
	}
	b.m.sos = append(b.m.sos, s)
}

// finishNonlinear sorts, sums and validates what is not linear.
func (b *Builder) finishNonlinear() error {
	m := &b.m
	if err := b.finishQuadratic(); err != nil {
		return err
	}
	sort.SliceStable(m.indicators, func(a, b int) bool { return m.indicators[a].Row < m.indicators[b].Row })
	kinds := m.rowKinds()
	for k, in := range m.indicators {
		switch {
		case int(in.Row) >= m.NumRows() || in.Row < 0:
			return fmt.Errorf("mio: an indicator for row %d of %d", in.Row, m.NumRows())
		case int(in.Col) >= m.NumCols() || in.Col < 0:
			return fmt.Errorf("mio: row %s: its indicator is column %d of %d", m.RowName(int(in.Row)), in.Col, m.NumCols())
		case m.colType[in.Col] != Binary:
			return fmt.Errorf("mio: row %s: its indicator %s is %s, expected a binary column", m.RowName(int(in.Row)), m.ColName(int(in.Col)), m.colType[in.Col])
		case k > 0 && m.indicators[k-1].Row == in.Row:
			return fmt.Errorf("mio: row %s has two indicators", m.RowName(int(in.Row)))
		case kinds[in.Row] == QuadraticViolation:
			return fmt.Errorf("mio: row %s has both an indicator and quadratic terms", m.RowName(int(in.Row)))
		}
	}
	if err := m.nameSOS(); err != nil {
		return err
	}
	for i := range m.sos {
		if err := m.finishSOS(&m.sos[i]); err != nil {
			return err
		}
	}
	return nil
}

func (b *Builder) finishQuadratic() error {
	m := &b.m
	all := make([]QuadRowTerm, 0, len(m.quadCost))
	for _, t := range m.quadCost {
		all = append(all, QuadRowTerm{-1, t})
	}
	all, err := m.sumQuadratic(all)
	if err != nil {
		return err
	}
	m.quadCost = m.quadCost[:0]
	for _, t := range all {
		m.quadCost = append(m.quadCost, t.QuadTerm)
	}
	for _, t := range m.quadRows {
		if t.Row < 0 || int(t.Row) >= m.NumRows() {
			return fmt.Errorf("mio: a quadratic term for row %d of %d", t.Row, m.NumRows())
		}
	}
	m.quadRows, err = m.sumQuadratic(m.quadRows)
	return err
}

// sumQuadratic sorts terms, sums equal ones and drops zeros.
func (m *Model) sumQuadratic(terms []QuadRowTerm) ([]QuadRowTerm, error) {
	slices.SortStableFunc(terms, func(a, b QuadRowTerm) int {
		return cmp.Or(cmp.Compare(a.Row, b.Row), cmp.Compare(a.I, b.I), cmp.Compare(a.J, b.J))
	})
	out := terms[:0]
	for k := 0; k < len(terms); {
		t := terms[k]
		for k++; k < len(terms) && terms[k].Row == t.Row && terms[k].I == t.I && terms[k].J == t.J; k++ {
			t.Value += terms[k].Value
		}
		switch {
		case t.I < 0 || int(t.J) >= m.NumCols():
			return nil, fmt.Errorf("mio: %s: a quadratic term of columns %d and %d of %d", m.place(t), t.I, t.J, m.NumCols())
		case !finite(t.Value):
			return nil, fmt.Errorf("mio: %s: the coefficient of %s * %s is %v", m.place(t), m.ColName(int(t.I)), m.ColName(int(t.J)), t.Value)
		case t.Value != 0:
			out = append(out, t)
		}
	}
	return out, nil
}

// nameSOS gives unnamed sets their default names and checks that all are
// allowed and differ.
func (m *Model) nameSOS() error {
	seen := make(map[string]int, len(m.sos))
	for k := range m.sos {
		s := &m.sos[k]
		if s.Name == "" {
			s.Name = "s" + strconv.Itoa(k+1)
		}
		for _, c := range []byte(s.Name) {
			if c <= ' ' || c == 0x7f {
				return fmt.Errorf("mio: SOS name %q: white space and control characters are not allowed in names", s.Name)
			}
		}
		if first, ok := seen[s.Name]; ok {
			return fmt.Errorf("mio: SOS name %q is used twice (sets %d and %d)", s.Name, first+1, k+1)
		}
		seen[s.Name] = k
	}
	return nil
}

// place says where a quadratic term is; row -1 is the objective.
func (m *Model) place(t QuadRowTerm) string {
	if t.Row < 0 {
		return "the objective"
	}
	return "row " + m.RowName(int(t.Row))
}

func (m *Model) finishSOS(s *SOS) error {
	if s.Type != 1 && s.Type != 2 {
		return fmt.Errorf("mio: SOS %s has type %d, expected 1 or 2", s.Name, s.Type)
	}
	if len(s.Cols) == 0 {
		return fmt.Errorf("mio: SOS %s has no columns", s.Name)
	}
	if len(s.Cols) != len(s.Weights) {
		return fmt.Errorf("mio: SOS %s has %d columns and %d weights", s.Name, len(s.Cols), len(s.Weights))
	}
	order := make([]int, len(s.Cols))
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(a, b int) bool { return s.Weights[order[a]] < s.Weights[order[b]] })
	cols, weights := make([]int32, len(order)), make([]float64, len(order))
	seen := map[int32]bool{}
	for i, o := range order {
		cols[i], weights[i] = s.Cols[o], s.Weights[o]
		switch {
		case cols[i] < 0 || int(cols[i]) >= m.NumCols():
			return fmt.Errorf("mio: SOS %s has column %d of %d", s.Name, cols[i], m.NumCols())
		case !finite(weights[i]):
			return fmt.Errorf("mio: SOS %s: the weight of %s is %v", s.Name, m.ColName(int(cols[i])), weights[i])
		case i > 0 && weights[i] == weights[i-1]:
			return fmt.Errorf("mio: SOS %s: %s and %s have the same weight", s.Name, m.ColName(int(cols[i-1])), m.ColName(int(cols[i])))
		case seen[cols[i]]:
			return fmt.Errorf("mio: SOS %s names column %s twice", s.Name, m.ColName(int(cols[i])))
		}
		seen[cols[i]] = true
	}
	s.Cols, s.Weights = cols, weights
	return nil
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

// addQuad adds the quadratic term t at x, as if in twice the precision.
func (a *sum) addQuad(t QuadTerm, x []float64) {
	p := x[t.I] * x[t.J]
	a.addProduct(t.Value, p)
	a.c += t.Value * math.FMA(x[t.I], x[t.J], -p)
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
