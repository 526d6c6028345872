// Package mio is octgen's solver-neutral vocabulary of mixed-integer
// optimization: a sparse model, a solution with its status, bound and gap, and
// an independent feasibility check. It imports the standard library only.
package mio

import (
	"math"
	"strconv"
	"sync"
)

// VarType is the domain of a column.
type VarType uint8

const (
	Continuous VarType = iota // any real within its bounds
	Integer                   // any integer within its bounds
	Binary                    // 0 or 1; bounds lie within [0,1]
)

// String returns "continuous", "integer" or "binary".
func (t VarType) String() string {
	switch t {
	case Integer:
		return "integer"
	case Binary:
		return "binary"
	}
	return "continuous"
}

// Sense is the direction of optimization.
type Sense uint8

const (
	Minimize Sense = iota
	Maximize
)

// String returns "minimize" or "maximize".
func (s Sense) String() string {
	if s == Maximize {
		return "maximize"
	}
	return "minimize"
}

// Inf is the infinite bound. A column or row side without a bound has ±Inf.
var Inf = math.Inf(1)

// Model is the mixed-integer program
//
//	min or max  offset + cost·x + sum of the objective's quadratic terms
//	s.t.        rowLower <= A x + quadratic terms of the row <= rowUpper
//	            colLower <=  x  <= colUpper,   x_j integral where its type says so
//	            a row with an indicator (j, v) holds where x_j = v, else it is free
//	            of a SOS1 at most one column is not 0; of a SOS2 at most two, neighbours
//
// Most models are linear: they have neither quadratic terms nor indicators nor
// SOS sets, and [Model.IsLinear] says so.
//
// A Model is immutable: it is made by [Builder.Model], which guarantees what
// every reader of a Model may assume:
//
//   - no NaN anywhere; cost, offset and coefficients are finite;
//   - lower <= upper for every column and row, no lower of +Inf, no upper of -Inf;
//   - binary columns have bounds within [0,1];
//   - A is in compressed sparse columns, the rows of a column ascend strictly,
//     no explicit zeros, fewer than 2^31 nonzeros;
//   - names are non-empty, free of ASCII white space and control characters, and
//     differ within their kind.
//
// Slices returned by its methods are shared and must not be written to. A
// Model is safe for concurrent use.
type Model struct {
	name   string
	sense  Sense
	offset float64

	cost, colLower, colUpper []float64
	colType                  []VarType
	rowLower, rowUpper       []float64

	// Column j's nonzeros are index[start[j]:start[j+1]] (rows) and value[...].
	start []int32
	index []int32
	value []float64

	colNames, rowNames names

	quadCost   []QuadTerm
	quadRows   []QuadRowTerm
	indicators []Indicator
	sos        []SOS

	lazy int // the last rows that are lazy

	rows *lazyRowView
}

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

// Name returns the model's name, possibly empty.
func (m *Model) Name() string { return m.name }

// Sense returns the direction of optimization.
func (m *Model) Sense() Sense { return m.sense }

// Offset returns the constant term of the objective.
func (m *Model) Offset() float64 { return m.offset }

// NumCols returns the number of columns.
func (m *Model) NumCols() int { return len(m.cost) }

// NumRows returns the number of rows.
func (m *Model) NumRows() int { return len(m.rowLower) }

// NumLazy returns the number of lazy rows, the last ones.
func (m *Model) NumLazy() int { return m.lazy }

// NumNonzeros returns the number of nonzeros of the constraint matrix.
func (m *Model) NumNonzeros() int { return len(m.index) }

// NumDiscrete returns the number of binary and integer columns.
func (m *Model) NumDiscrete() int {
	n := 0
	for _, t := range m.colType {
		if t != Continuous {
			n++
		}
	}
	return n
}

// Costs returns the objective coefficients, one per column.
func (m *Model) Costs() []float64 { return m.cost }

// ColLower returns the lower bounds of the columns.
func (m *Model) ColLower() []float64 { return m.colLower }

// ColUpper returns the upper bounds of the columns.
func (m *Model) ColUpper() []float64 { return m.colUpper }

// ColTypes returns the types of the columns.
func (m *Model) ColTypes() []VarType { return m.colType }

// RowLower returns the lower bounds of the rows.
func (m *Model) RowLower() []float64 { return m.rowLower }

// RowUpper returns the upper bounds of the rows.
func (m *Model) RowUpper() []float64 { return m.rowUpper }

// Matrix returns the constraint matrix in compressed sparse columns: start has
// NumCols+1 entries, index (rows) and value NumNonzeros each.
func (m *Model) Matrix() (start, index []int32, value []float64) {
	return m.start, m.index, m.value
}

// Column returns the rows and values of column j's nonzeros, rows ascending.
func (m *Model) Column(j int) (rows []int32, values []float64) {
	lo, hi := m.start[j], m.start[j+1]
	return m.index[lo:hi], m.value[lo:hi]
}

// ColName returns the name of column j; an unnamed column j is "x<j+1>".
func (m *Model) ColName(j int) string { return m.colNames.get(j, "x") }

// RowName returns the name of row i; an unnamed row i is "r<i+1>".
func (m *Model) RowName(i int) string { return m.rowNames.get(i, "r") }

// AppendColName appends the name of column j to dst.
func (m *Model) AppendColName(dst []byte, j int) []byte { return m.colNames.append(dst, j, "x") }

// AppendRowName appends the name of row i to dst.
func (m *Model) AppendRowName(dst []byte, i int) []byte { return m.rowNames.append(dst, i, "r") }

// RowNames returns the names of the rows in one piece: that of row i is
// text[end[i-1]:end[i]], or the default one where this is empty. A nil end means
// that all names are default ones.
func (m *Model) RowNames() (text []byte, end []uint32) { return m.rowNames.text, m.rowNames.end }

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

// RowView gives access to a model's matrix by rows. Row i's nonzeros are at
// the positions Pos[Start[i]:Start[i+1]] of the arrays that Model.Matrix
// returns, columns ascending.
type RowView struct {
	Start []int32
	Pos   []int32
}

type lazyRowView struct {
	once sync.Once
	view RowView
}

// RowView returns the matrix by rows: a permutation of the nonzeros, made at
// the first call and kept (4 bytes per nonzero).
func (m *Model) RowView() *RowView {
	m.rows.once.Do(func() {
		start := make([]int32, m.NumRows()+1)
		for _, i := range m.index {
			start[i+1]++
		}
		for i := 1; i < len(start); i++ {
			start[i] += start[i-1]
		}
		next := append([]int32(nil), start[:m.NumRows()]...)
		pos := make([]int32, len(m.index))
		for k, i := range m.index {
			pos[next[i]] = int32(k)
			next[i]++
		}
		m.rows.view = RowView{start, pos}
	})
	return &m.rows.view
}

// names holds the names of one kind in a byte arena: name i is
// text[end[i-1]:end[i]], empty for a default name. A nil end means that nothing
// is named.
type names struct {
	text []byte
	end  []uint32
}

func (n *names) bytes(i int) []byte {
	if n.end == nil {
		return nil
	}
	lo := uint32(0)
	if i > 0 {
		lo = n.end[i-1]
	}
	return n.text[lo:n.end[i]]
}

func (n *names) append(dst []byte, i int, prefix string) []byte {
	if b := n.bytes(i); len(b) > 0 {
		return append(dst, b...)
	}
	return strconv.AppendInt(append(dst, prefix...), int64(i)+1, 10)
}

func (n *names) get(i int, prefix string) string {
	return string(n.append(nil, i, prefix))
}

// finite is called for every coefficient: infinities less themselves are NaN.
func finite(v float64) bool { return v-v == 0 }

// checkBounds says what is wrong with a pair of bounds, or "".
func checkBounds(lower, upper float64) string {
	switch {
	case math.IsNaN(lower) || math.IsNaN(upper):
		return "a bound is NaN"
	case math.IsInf(lower, 1):
		return "the lower bound is +Inf"
	case math.IsInf(upper, -1):
		return "the upper bound is -Inf"
	case lower > upper:
		return "the lower bound " + fmtFloat(lower) + " exceeds the upper bound " + fmtFloat(upper)
	}
	return ""
}

func fmtFloat(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
