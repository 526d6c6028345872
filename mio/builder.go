package mio

import (
	"context"
	"errors"
	"math"
	"slices"
	"strconv"
)

// Col and Row are handles to a column and a row of the model being built; they
// are also its index in the finished Model.
type (
	Col int32
	Row int32
)

// Builder makes a [Model]. Columns, rows and coefficients may come in any
// order; coefficients of the same (row, column) are summed. Errors are kept
// and reported by Model, so that formulation code reads like mathematics.
//
// While building, a nonzero takes 16 bytes and, in Model, 12 more for a
// moment unless the coefficients came column by column. Reserve avoids growth. A Builder is not safe for concurrent use.
type Builder struct {
	m     Model
	omit  bool
	rowOf []int32
	colOf []int32
	val   []float64
	err   error
	done  bool

	lazyFrom int  // the first lazy row
	hasLazy  bool // there may be some

	ctx context.Context // nil: building is not watched
}

// NewBuilder returns an empty minimization model of the given name.
func NewBuilder(name string) *Builder {
	b := &Builder{}
	b.m.name = name
	b.m.rows = new(lazyRowView)
	return b
}

// OmitNames makes the builder drop all names given from now on: for models
// that only an in-process solver will see.
func (b *Builder) OmitNames() { b.omit = true }

// Watch makes the builder give up when ctx ends: it takes no more coefficients,
// and Model returns ctx's error.
func (b *Builder) Watch(ctx context.Context) { b.ctx = ctx }

// watchEvery is the number of rows or coefficients between looks at the context.
const watchEvery = 1 << 16

// stopped looks at the context, and keeps its error.
func (b *Builder) stopped() bool {
	if b.ctx != nil && b.err == nil {
		b.err = b.ctx.Err()
	}
	return b.err != nil
}

// SetSense sets the direction of optimization (default Minimize).
func (b *Builder) SetSense(s Sense) { b.m.sense = s }

// AddOffset adds v to the objective's constant.
func (b *Builder) AddOffset(v float64) { b.m.offset += v }

// AddCost adds v to the objective coefficient of c.
func (b *Builder) AddCost(c Col, v float64) { b.m.cost[c] += v }

// Reserve makes room for that many columns, rows and nonzeros in all.
func (b *Builder) Reserve(cols, rows, nonzeros int) {
	m := &b.m
	m.cost = slices.Grow(m.cost, max(0, cols-len(m.cost)))
	m.colLower = slices.Grow(m.colLower, max(0, cols-len(m.colLower)))
	m.colUpper = slices.Grow(m.colUpper, max(0, cols-len(m.colUpper)))
	m.colType = slices.Grow(m.colType, max(0, cols-len(m.colType)))
	m.rowLower = slices.Grow(m.rowLower, max(0, rows-len(m.rowLower)))
	m.rowUpper = slices.Grow(m.rowUpper, max(0, rows-len(m.rowUpper)))
	b.rowOf = slices.Grow(b.rowOf, max(0, nonzeros-len(b.rowOf)))
	b.colOf = slices.Grow(b.colOf, max(0, nonzeros-len(b.colOf)))
	b.val = slices.Grow(b.val, max(0, nonzeros-len(b.val)))
}

// NumCols, NumRows and NumCoefs return what has been added so far.
func (b *Builder) NumCols() int  { return len(b.m.cost) }
func (b *Builder) NumRows() int  { return len(b.m.rowLower) }
func (b *Builder) NumCoefs() int { return len(b.val) }

// AddCol adds a column. Its name is the prefix followed by the indices, as in
// "z_3_5"; an empty prefix leaves it unnamed.
func (b *Builder) AddCol(cost, lower, upper float64, t VarType, prefix string, idx ...int) Col {
	m := &b.m
	m.cost = append(m.cost, cost)
	m.colLower = append(m.colLower, lower)
	m.colUpper = append(m.colUpper, upper)
	m.colType = append(m.colType, t)
	b.name(&m.colNames, len(m.cost)-1, cap(m.cost), prefix, idx)
	return Col(len(m.cost) - 1)
}

// AddBinary adds a column with domain {0,1}.
func (b *Builder) AddBinary(cost float64, prefix string, idx ...int) Col {
	return b.AddCol(cost, 0, 1, Binary, prefix, idx...)
}

// AddRow adds the row lower <= ... <= upper, named like a column.
func (b *Builder) AddRow(lower, upper float64, prefix string, idx ...int) Row {
	m := &b.m
	m.rowLower = append(m.rowLower, lower)
	m.rowUpper = append(m.rowUpper, upper)
	b.name(&m.rowNames, len(m.rowLower)-1, cap(m.rowLower), prefix, idx)
	return Row(len(m.rowLower) - 1)
}

// SetColBounds replaces the bounds of c.
func (b *Builder) SetColBounds(c Col, lower, upper float64) {
	b.m.colLower[c], b.m.colUpper[c] = lower, upper
}

// SetRowBounds replaces the bounds of r.
func (b *Builder) SetRowBounds(r Row, lower, upper float64) {
	b.m.rowLower[r], b.m.rowUpper[r] = lower, upper
}

// SetColType replaces the type of c.
func (b *Builder) SetColType(c Col, t VarType) { b.m.colType[c] = t }

// Add adds v to the coefficient of column c in row r.
func (b *Builder) Add(r Row, c Col, v float64) {
	if len(b.val)%watchEvery == 0 && b.stopped() {
		return // at this length for good
	}
	b.rowOf = append(b.rowOf, int32(r))
	b.colOf = append(b.colOf, int32(c))
	b.val = append(b.val, v)
}

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

// BeginLazy makes the rows that are added from now on lazy. They are linear, without
// indicators.
func (b *Builder) BeginLazy() { b.lazyFrom, b.hasLazy = b.NumRows(), true }

// name appends the name of element i to n, which has the i names before it or, as
// long as nothing was named, none. About expect elements are to come in all.
func (b *Builder) name(n *names, i, expect int, prefix string, idx []int) {
	if b.omit {
		prefix = ""
	}
	if n.end == nil {
		if prefix == "" {
			return
		}
		n.end = make([]uint32, i, max(i+16, expect))
	}
	if prefix != "" {
		n.grow(len(prefix)+len(idx)*maxIndexLen, expect)
		n.text = append(n.text, prefix...)
		for _, v := range idx {
			n.text = strconv.AppendInt(append(n.text, '_'), int64(v), 10)
		}
	}
	if uint64(len(n.text)) > math.MaxUint32 && b.err == nil {
		b.err = errors.New("mio: names take more than 4 GiB")
	}
	n.end = append(n.end, uint32(len(n.text)))
}

// maxIndexLen is the length of "_-9223372036854775808".
const maxIndexLen = 21

// grow makes room for size more bytes of text. A full arena grows to what expect
// names will take if they are as long as those so far, and by a quarter at
// least: growth by append alone would copy all text many times.
func (n *names) grow(size, expect int) {
	if cap(n.text)-len(n.text) >= size {
		return
	}
	extra := max(size, len(n.text)/4)
	if done := len(n.end); done > 0 && expect > done {
		extra = max(extra, len(n.text)/done*(expect-done))
	}
	n.text = slices.Grow(n.text, extra)
}
