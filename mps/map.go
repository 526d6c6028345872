package mps

import (
	"fmt"
	"sort"

	"github.com/octgen/octgen/mio"
)

// Map says how a file, written or read, corresponds to its model: what a
// solution file or a sidecar needs. File column j is model column j for j < Cols; a last
// column, OffsetColumn, carries the objective's constant where there is one.
// Free rows are in the file, but solvers drop them. For LP files see [WriteLP]:
// their columns come in the order of their first mention.
type Map struct {
	Sign         float64  `json:"sign"`                    // +1, or -1 for a maximization: model objective = Sign x file objective
	Offset       float64  `json:"offset"`                  // of the model
	OffsetColumn string   `json:"offset_column,omitempty"` // fixed at 1, cost Sign x Offset; "" where Offset is 0 and not needed
	Cols         int      `json:"cols"`                    // of the model
	Rows         int      `json:"rows"`                    // of the model, free ones included
	FreeRows     int      `json:"free_rows"`               // of the model
	RenamedCols  []Rename `json:"renamed_cols,omitempty"`  // indices ascend
	RenamedRows  []Rename `json:"renamed_rows,omitempty"`  // indices ascend
	RenamedSOS   []Rename `json:"renamed_sos,omitempty"`   // indices ascend
}

// Rename is a name in the file that is not the model's.
type Rename struct {
	Index int    `json:"index"` // of the column, row or set in the model
	Name  string `json:"name"`  // in the file
}

// NewMap returns the correspondence that Write(w, m, opts) uses. The error
// says which name fixed format cannot hold.
func NewMap(m *mio.Model, opts Options) (*Map, error) {
	mp, err := newMap(m, opts)
	if err != nil {
		return nil, fmt.Errorf("mps: model %q: %w", m.Name(), err)
	}
	return mp, nil
}

func newMap(m *mio.Model, opts Options) (*Map, error) {
	mp := &Map{Sign: 1, Offset: m.Offset(), Cols: m.NumCols(), Rows: m.NumRows()}
	if m.Sense() == mio.Maximize {
		mp.Sign = -1
	}
	if mp.Offset != 0 {
		mp.OffsetColumn = offsetFree
		if opts.Format == Fixed {
			mp.OffsetColumn = offsetFixed
		}
	}
	countRows(mp, m)
	var err error
	if mp.RenamedCols, err = renames(m.NumCols(), 'c', m.AppendColName, legalName, opts.Format); err != nil {
		return nil, err
	}
	if mp.RenamedRows, err = renames(m.NumRows(), 'r', m.AppendRowName, legalName, opts.Format); err != nil {
		return nil, err
	}
	mp.RenamedSOS, err = renames(len(m.SOS()), 's', sosNames(m), legalName, opts.Format)
	return mp, err
}

// fileMap returns the correspondence of the file that was read to its model m.
func (d *decoder) fileMap(m *mio.Model) *Map {
	mp := countRows(&Map{Sign: d.sign, Offset: m.Offset(), Cols: m.NumCols(), Rows: m.NumRows()}, m)
	if len(d.renamed) > 0 {
		mp.RenamedCols = d.replaced(d.colNames, d.colIndex)
		mp.RenamedRows = d.replaced(d.rowNames, d.rowIndex)
	}
	if d.hasOffset {
		mp.OffsetColumn = string(d.colNames.name(d.colNames.len() - 1))
	}
	return mp
}

// replaced lists the names that stand for others of the model's.
func (d *decoder) replaced(names *symbols, index []int32) (list []Rename) {
	for k, i := range index {
		if name := names.name(k); i >= 0 && d.renamed[string(name)] != nil {
			list = append(list, Rename{int(i), string(name)})
		}
	}
	return list
}

// countRows sets FreeRows and returns mp.
func countRows(mp *Map, m *mio.Model) *Map {
	lower, upper := m.RowLower(), m.RowUpper()
	for i := range lower {
		if isFree(lower[i], upper[i]) {
			mp.FreeRows++
		}
	}
	return mp
}

// sosNames returns the function that appends the name of a set.
func sosNames(m *mio.Model) func([]byte, int) []byte {
	return func(dst []byte, k int) []byte { return append(dst, m.SOS()[k].Name...) }
}

// renames lists the elements of a kind whose names are not legal.
func renames(n int, kind byte, name func([]byte, int) []byte, legal func([]byte) bool, f Format) ([]Rename, error) {
	var list []Rename
	var buf []byte
	for i := range n {
		buf = name(buf[:0], i)
		switch {
		case f == Fixed && len(buf) > maxFixedName:
			return nil, fmt.Errorf("fixed format: name %q has %d characters; at most %d fit (use the free format)", buf, len(buf), maxFixedName)
		case legal(buf):
		case f == Fixed:
			return nil, fmt.Errorf("fixed format: name %q is not portable and a replacement does not fit (use the free format)", buf)
		default:
			list = append(list, Rename{i, string(appendReplacement(nil, kind, i))})
		}
	}
	return list, nil
}

// FileCols returns the number of columns of the file.
func (mp *Map) FileCols() int {
	if mp.OffsetColumn != "" {
		return mp.Cols + 1
	}
	return mp.Cols
}

// ModelObjective returns the model's objective at a point whose objective in
// the file is v.
func (mp *Map) ModelObjective(v float64) float64 { return mp.Sign * v }

// FileObjective is the inverse of ModelObjective.
func (mp *Map) FileObjective(v float64) float64 { return mp.Sign * v }

// AppendColName appends the name that column j of m, the mapped model, has in
// the file.
func (mp *Map) AppendColName(dst []byte, m *mio.Model, j int) []byte {
	if r := find(mp.RenamedCols, j); r != nil {
		return append(dst, r.Name...)
	}
	return m.AppendColName(dst, j)
}

// AppendRowName appends the name that row i of m, the mapped model, has in the
// file.
func (mp *Map) AppendRowName(dst []byte, m *mio.Model, i int) []byte {
	if r := find(mp.RenamedRows, i); r != nil {
		return append(dst, r.Name...)
	}
	return m.AppendRowName(dst, i)
}

// appendSOSName appends the name that set k of m, the mapped model, has in the
// file.
func (mp *Map) appendSOSName(dst []byte, m *mio.Model, k int) []byte {
	if r := find(mp.RenamedSOS, k); r != nil {
		return append(dst, r.Name...)
	}
	return append(dst, m.SOS()[k].Name...)
}

// ColIndex returns the columns of m, the mapped model, by their names in the
// file; OffsetColumn, where there is one, has index -1.
func (mp *Map) ColIndex(m *mio.Model) map[string]int {
	index := make(map[string]int, mp.FileCols())
	var buf []byte
	for j := range mp.Cols {
		buf = mp.AppendColName(buf[:0], m, j)
		index[string(buf)] = j
	}
	if mp.OffsetColumn != "" {
		index[mp.OffsetColumn] = -1
	}
	return index
}

func find(list []Rename, index int) *Rename {
	k := sort.Search(len(list), func(k int) bool { return list[k].Index >= index })
	if k < len(list) && list[k].Index == index {
		return &list[k]
	}
	return nil
}
