package mio

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
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

// Model sorts, sums and compresses the coefficients, validates everything the
// Model contract promises, and returns the frozen model or the first breach by
// name. The builder cannot be used afterwards; Model panics if called again.
func (b *Builder) Model() (*Model, error) {
	if b.done {
		panic("mio: Builder.Model called twice")
	}
	b.done = true
	if b.stopped() {
		return nil, b.err
	}
	if err := b.validate(); err != nil {
		return nil, err
	}
	if b.stopped() {
		return nil, b.err
	}
	if err := b.compress(); err != nil {
		return nil, err
	}
	if err := b.finishNonlinear(); err != nil {
		return nil, err
	}
	if err := b.finishLazy(); err != nil {
		return nil, err
	}
	m := b.m
	*b = Builder{done: true} // the model's arrays are out of reach from here on
	return &m, nil
}

func (b *Builder) validate() error {
	m := &b.m
	if !finite(m.offset) {
		return fmt.Errorf("mio: the objective's offset is %v", m.offset)
	}
	for j := range m.cost {
		if !finite(m.cost[j]) {
			return fmt.Errorf("mio: column %s: the cost is %v", m.ColName(j), m.cost[j])
		}
		if s := checkBounds(m.colLower[j], m.colUpper[j]); s != "" {
			return fmt.Errorf("mio: column %s: %s", m.ColName(j), s)
		}
		if m.colType[j] == Binary && (m.colLower[j] < 0 || m.colUpper[j] > 1) {
			return fmt.Errorf("mio: binary column %s: bounds [%v, %v] are not within [0, 1]", m.ColName(j), m.colLower[j], m.colUpper[j])
		}
	}
	for i := range m.rowLower {
		if s := checkBounds(m.rowLower[i], m.rowUpper[i]); s != "" {
			return fmt.Errorf("mio: row %s: %s", m.RowName(i), s)
		}
	}
	if err := m.colNames.validate("column", len(m.cost), "x"); err != nil {
		return err
	}
	return m.rowNames.validate("row", len(m.rowLower), "r")
}

// compress turns the triplets into compressed sparse columns, in place if they
// came column by column. Otherwise a counting sort by column keeps the order of
// insertion, so that columns whose rows came in order, which is the usual case,
// need no sorting.
func (b *Builder) compress() error {
	m := &b.m
	if n := max(len(b.val), len(m.cost), len(m.rowLower)); n > math.MaxInt32 {
		return fmt.Errorf("mio: %d columns, %d rows, %d nonzeros; at most 2^31-1 of each are supported", len(m.cost), len(m.rowLower), len(b.val))
	}
	start := make([]int32, len(m.cost)+1)
	byColumn, last := true, int32(0)
	for k, c := range b.colOf {
		switch {
		case c < 0 || int(c) >= len(m.cost):
			return fmt.Errorf("mio: coefficient for column %d of %d", c, len(m.cost))
		case b.rowOf[k] < 0 || int(b.rowOf[k]) >= len(m.rowLower):
			return fmt.Errorf("mio: coefficient for row %d of %d", b.rowOf[k], len(m.rowLower))
		case !finite(b.val[k]):
			return fmt.Errorf("mio: row %s, column %s: the coefficient is %v", m.RowName(int(b.rowOf[k])), m.ColName(int(c)), b.val[k])
		}
		start[c+1]++
		byColumn = byColumn && last <= c
		last = c
	}
	for j := 1; j < len(start); j++ {
		start[j] += start[j-1]
	}
	var index []int32
	var value []float64
	if byColumn {
		index, value = fitted(b.rowOf), fitted(b.val)
	} else {
		index, value = b.scatter(start)
	}
	var sorter columnSorter
	w := int32(0) // write position: duplicates and zeros are squeezed out
	for j := range m.cost {
		lo, hi := start[j], start[j+1]
		start[j] = w
		if !slices.IsSorted(index[lo:hi]) {
			sorter.sort(index[lo:hi], value[lo:hi])
		}
		for k := lo; k < hi; {
			r, v := index[k], value[k]
			for k++; k < hi && index[k] == r; k++ {
				v += value[k]
			}
			if !finite(v) {
				return fmt.Errorf("mio: row %s, column %s: the summed coefficient is %v", m.RowName(int(r)), m.ColName(j), v)
			}
			if v != 0 {
				index[w], value[w] = r, v
				w++
			}
		}
	}
	start[len(m.cost)] = w
	m.start, m.index, m.value = start, index[:w:w], value[:w:w]
	return nil
}

// scatter returns the rows and values of the triplets in the order of their
// columns; column j's begin at start[j].
func (b *Builder) scatter(start []int32) (index []int32, value []float64) {
	index = make([]int32, len(b.val))
	value = make([]float64, len(b.val))
	next := slices.Clone(start[:len(start)-1])
	for k, c := range b.colOf {
		p := next[c]
		index[p], value[p] = b.rowOf[k], b.val[k]
		next[c]++
	}
	return index, value
}

// fitted returns s, or a copy of it where s wastes more than an eighth.
func fitted[T any](s []T) []T {
	if cap(s)-len(s) > len(s)/8 {
		return slices.Clone(s)
	}
	return s
}

// columnSorter sorts a column's nonzeros by row, those of a row in the order
// they have. It keeps its memory between calls.
type columnSorter struct {
	keys  []uint64 // row and position, which makes them different
	value []float64
}

func (s *columnSorter) sort(index []int32, value []float64) {
	s.keys = s.keys[:0]
	for k, r := range index {
		s.keys = append(s.keys, uint64(r)<<32|uint64(k))
	}
	slices.Sort(s.keys)
	s.value = append(s.value[:0], value...)
	for k, key := range s.keys {
		index[k], value[k] = int32(key>>32), s.value[uint32(key)]
	}
}

// validate checks that none of the count names has white space and that all,
// default ones included, differ.
func (n *names) validate(kind string, count int, prefix string) error {
	if n.end == nil {
		return nil
	}
	// An open-addressing table of indices: 4 bytes a slot, no strings kept.
	size := 1
	for size < 2*count {
		size *= 2
	}
	table := make([]int32, size)
	seed := maphash.MakeSeed()
	var buf, other []byte
	for i := range count {
		buf = n.append(buf[:0], i, prefix)
		for _, c := range buf {
			if c <= ' ' || c == 0x7f {
				return fmt.Errorf("mio: %s name %q: white space and control characters are not allowed in names", kind, buf)
			}
		}
		h := int(maphash.Bytes(seed, buf) & uint64(size-1))
		for table[h] != 0 {
			other = n.append(other[:0], int(table[h]-1), prefix)
			if string(other) == string(buf) {
				return fmt.Errorf("mio: %s name %q is used twice (%ss %d and %d)", kind, buf, kind, table[h], i+1)
			}
			h = (h + 1) & (size - 1)
		}
		table[h] = int32(i + 1)
	}
	return nil
}
