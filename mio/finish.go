package mio

import (
	"cmp"
	"errors"
	"fmt"
	"hash/maphash"
	"math"
	"slices"
	"sort"
	"strconv"
)

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

// finishLazy counts the lazy rows and validates them.
func (b *Builder) finishLazy() error {
	if !b.hasLazy {
		return nil
	}
	m := &b.m
	for _, t := range m.quadRows {
		if int(t.Row) >= b.lazyFrom {
			return errors.New("mio: the lazy row " + m.RowName(int(t.Row)) + " has quadratic terms")
		}
	}
	for _, in := range m.indicators {
		if int(in.Row) >= b.lazyFrom {
			return errors.New("mio: the lazy row " + m.RowName(int(in.Row)) + " has an indicator")
		}
	}
	m.lazy = m.NumRows() - b.lazyFrom
	return nil
}
