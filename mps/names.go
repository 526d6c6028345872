package mps

import (
	"bytes"
	"fmt"
	"math"
	"sort"
	"strconv"

	"github.com/octgen/octgen/mio"
)

// Map says how a file, written or read, corresponds to its model: what a
// solution file or a sidecar needs. File column j is model column j for j < Cols; a last
// column, OffsetColumn, carries the objective's constant where there is one.
// Free rows are in the file, but solvers drop them. For LP files see [WriteLP]:
// their columns come in the order of their first mention.
type Map struct {
	Sign         float64  `json:"sign"`                    // +1, or -1 for a maximization: model objective = Sign x file objective / Scale
	Scale        float64  `json:"scale,omitempty"`         // factor of the objective in the file, see [WholeUnits]; 0 means 1
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

func isFree(l, u float64) bool { return math.IsInf(l, -1) && math.IsInf(u, 1) }

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
func (mp *Map) ModelObjective(v float64) float64 {
	if mp.Scale != 0 {
		return mp.Sign * v / mp.Scale
	}
	return mp.Sign * v
}

// FileObjective is the inverse of ModelObjective.
func (mp *Map) FileObjective(v float64) float64 {
	if mp.Scale != 0 {
		return mp.Sign * v * mp.Scale
	}
	return mp.Sign * v
}

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

// Words the writer uses for itself.
const (
	objectiveName  = "obj"
	rhsSet         = "RHS"
	rangeSet       = "RNG"
	boundSet       = "BND"
	fallbackModel  = "octgen" // of a model whose name cannot be written
	reservedPrefix = "octgen_"
	offsetFree     = "octgen_one"
	offsetFixed    = "octg_one"

	maxName      = 128 // within the limits of all known readers (CBC: 160)
	maxFixedName = 8
	maxLPName    = 100 // of CBC's reader; CPLEX and GLPK take 255
)

// sosTypes are the words for the types of sets.
var sosTypes = [...]string{"S1", "S2"}

// reservedWords cannot be names: HiGHS takes some first words of a line for a
// section (silently losing what follows), a column named like the bound set for
// the set left out, and others would be read as numbers.
var reservedWords = map[string]bool{
	"NAME": true, "FREE": true, "OBJSENSE": true, "MAX": true, "MIN": true, "MAXIMIZE": true, "MINIMIZE": true,
	"ROWS": true, "COLUMNS": true, "RHS": true, "RNG": true, "BND": true,
	"RANGES": true, "BOUNDS": true, "ENDATA": true, "OBJ": true, "MARKER": true,
	"QSECTION": true, "QMATRIX": true, "QUADOBJ": true, "QCMATRIX": true, "CSECTION": true,
	"INDICATORS": true, "SETS": true, "SOS": true, "SOS1": true, "SOS2": true, "GENCONS": true,
	"PWLOBJ": true, "PWLNAM": true, "PWLCON": true, "LAZYCONS": true, "USERCUTS": true,
	"MODELCUTS": true, "DELAYEDROWS": true, "BRANCH": true,
	"INF": true, "INFINITY": true, "NAN": true, "OCTGEN": true, "OCTG_ONE": true,
}

// longestReserved is the length of the longest reserved word.
const longestReserved = len("DELAYEDROWS")

// legalName reports whether name can stand in a file of any dialect.
func legalName(name []byte) bool {
	if len(name) == 0 || len(name) > maxName {
		return false
	}
	if c := name[0] | 0x20; (c < 'a' || c > 'z') && name[0] != '_' {
		return false
	}
	for _, c := range name {
		if c <= ' ' || c >= 0x7f || c == '$' || c == '*' || c == '\'' || c == '"' {
			return false
		}
	}
	if string(name) == sosTypes[0] || string(name) == sosTypes[1] { // begins a set
		return false
	}
	if len(name) <= longestReserved {
		var up [longestReserved]byte
		for i, c := range name {
			if 'a' <= c && c <= 'z' {
				c -= 'a' - 'A'
			}
			up[i] = c
		}
		if reservedWords[string(up[:len(name)])] {
			return false
		}
	}
	return !bytes.HasPrefix(name, []byte(reservedPrefix))
}

// reservedLPWords cannot be names in LP files.
var reservedLPWords = map[string]bool{
	"minimize": true, "minimise": true, "minimum": true, "min": true, "maximize": true, "maximise": true, "maximum": true, "max": true,
	"subject": true, "to": true, "such": true, "that": true, "st": true, "s.t.": true, "st.": true,
	"bounds": true, "bound": true, "free": true,
	"binaries": true, "binary": true, "bin": true, "generals": true, "general": true, "gen": true,
	"integers": true, "integer": true, "int": true, "semi": true, "semis": true, "sec": true,
	"sos": true, "sos1": true, "sos2": true, "s1": true, "s2": true, "pwlobj": true, "cones": true,
	"lazy": true, "user": true, "constraints": true, "cuts": true, "end": true, objectiveName: true,
}

// longestLPReserved is the length of the longest of them.
const longestLPReserved = len("constraints")

// legalLPName reports whether name can stand in an LP file.
func legalLPName(name []byte) bool {
	if len(name) == 0 || len(name) > maxLPName || bytes.HasPrefix(name, []byte(reservedPrefix)) {
		return false
	}
	for k, c := range name {
		letter := 'a' <= c|0x20 && c|0x20 <= 'z' || c == '_'
		if !letter && (k == 0 || c != '.' && (c < '0' || c > '9')) {
			return false
		}
	}
	if name[0]|0x20 == 'e' && (len(name) == 1 || name[1] >= '0' && name[1] <= '9') { // 3 e5 is a number to some
		return false
	}
	if len(name) >= 3 && (equalFold(name[:3], "INF") || equalFold(name[:3], "NAN")) { // numbers to HiGHS, whatever follows
		return false
	}
	if len(name) > longestLPReserved {
		return true
	}
	var lower [longestLPReserved]byte
	for k, c := range name {
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		lower[k] = c
	}
	return !reservedLPWords[string(lower[:len(name)])]
}

// appendReplacement appends the name that stands for element i of a kind: 'c'
// for columns, 'r' for rows, 's' for sets,
// 'u' for the upper sides of rows in LP files. No legal name equals it.
func appendReplacement(dst []byte, kind byte, i int) []byte {
	dst = append(append(dst, reservedPrefix...), kind)
	return strconv.AppendInt(dst, int64(i)+1, 10)
}
