package fit

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash"
	"math"
	"regexp"
	"slices"

	"github.com/octgen/octgen/mio"
)

// Fingerprint tells models apart: their size, a hash of their structure and
// names, and sums of their numbers. The numbers are not hashed, for another
// machine or version of a solver may compute the last digit of a bound
// differently without making it another model.
type Fingerprint struct {
	Columns   int    `json:"columns"`
	Rows      int    `json:"rows"`
	Nonzeros  int    `json:"nonzeros"`
	Structure string `json:"structure_sha256"`

	Costs        float64 `json:"sum_costs"` // of absolute values, like the others
	Coefficients float64 `json:"sum_coefficients"`
	ColumnBounds float64 `json:"sum_column_bounds"` // the finite ones
	RowBounds    float64 `json:"sum_row_bounds"`
}

// ourName is the form of [ModelName].
var ourName = regexp.MustCompile(`^(?:[a-z][a-z-]*-[0-9a-f]{8}|m[0-9a-f]{7})$`)

// ModelName is the name under which m is written, so that a solution file that
// has a name says which model it is of: the form and a hash of all that the
// model is made of, as oct-3f2a91c0; short is the hash alone in 8 characters, as
// fixed format needs. Unlike a [Fingerprint], which is made to be computed
// again elsewhere, it is kept in the sidecar.
func ModelName(m *mio.Model, short bool) string {
	h := sha256.New()
	fmt.Fprint(h, FingerprintOf(m), m.Offset())
	_, _, value := m.Matrix()
	for _, v := range [][]float64{m.Costs(), value, m.ColLower(), m.ColUpper(), m.RowLower(), m.RowUpper()} {
		put(h, v)
	}
	fmt.Fprint(h, m.QuadCost(), m.QuadRows())
	sum := hex.EncodeToString(h.Sum(nil))
	if short {
		return "m" + sum[:7]
	}
	return m.Name() + "-" + sum[:8]
}

// put hashes numbers in pieces, so that no copy of the matrix is made.
func put[T int32 | float64](h hash.Hash, v []T) {
	for piece := range slices.Chunk(v, 512) {
		_ = binary.Write(h, binary.LittleEndian, piece)
	}
}

// fingerprintTolerance is how far the sums may be apart, relatively.
const fingerprintTolerance = 1e-6

// FingerprintOf returns the fingerprint of m.
func FingerprintOf(m *mio.Model) Fingerprint {
	start, index, value := m.Matrix()
	h := sha256.New()
	put(h, []int32{int32(m.Sense()), int32(m.NumCols()), int32(m.NumRows())})
	for _, t := range m.ColTypes() {
		_, _ = h.Write([]byte{byte(t)})
	}
	put(h, start)
	put(h, index)
	putNames(h, m.NumCols(), m.AppendColName)
	putNames(h, m.NumRows(), m.AppendRowName)
	putNonlinear(h, m)
	return Fingerprint{
		Columns: m.NumCols(), Rows: m.NumRows(), Nonzeros: m.NumNonzeros(), Structure: hex.EncodeToString(h.Sum(nil)),
		Costs: absSum(m.Costs()), Coefficients: absSum(value) + absQuadratic(m),
		ColumnBounds: absSum(m.ColLower()) + absSum(m.ColUpper()), RowBounds: absSum(m.RowLower()) + absSum(m.RowUpper()),
	}
}

func putNames(h hash.Hash, n int, name func([]byte, int) []byte) {
	var buf []byte
	for i := range n {
		if buf = append(name(buf, i), 0); len(buf) > 4096 || i == n-1 {
			_, _ = h.Write(buf)
			buf = buf[:0]
		}
	}
}

// putNonlinear hashes where quadratic terms, indicators and sets stand.
func putNonlinear(h hash.Hash, m *mio.Model) {
	for _, t := range m.QuadCost() {
		put(h, []int32{int32(t.I), int32(t.J)})
	}
	for _, t := range m.QuadRows() {
		put(h, []int32{int32(t.Row), int32(t.I), int32(t.J)})
	}
	fmt.Fprint(h, m.Indicators(), m.SOS())
}

func absSum(v []float64) float64 {
	sum := 0.0
	for _, x := range v {
		if !math.IsInf(x, 0) {
			sum += math.Abs(x)
		}
	}
	return sum
}

func absQuadratic(m *mio.Model) float64 {
	sum := 0.0
	for _, t := range m.QuadCost() {
		sum += math.Abs(t.Value)
	}
	for _, t := range m.QuadRows() {
		sum += math.Abs(t.Value)
	}
	return sum
}

// differs says in what the model g is not f, "" where it is.
func (f Fingerprint) differs(g Fingerprint) string {
	if f.Columns != g.Columns || f.Rows != g.Rows || f.Nonzeros != g.Nonzeros {
		return fmt.Sprintf("it had %d columns, %d rows and %d nonzeros; now it has %d, %d and %d", f.Columns, f.Rows, f.Nonzeros, g.Columns, g.Rows, g.Nonzeros)
	}
	if f.Structure != g.Structure {
		return "its names, types or nonzeros stand elsewhere"
	}
	for _, s := range []struct {
		what    string
		was, is float64
	}{
		{"costs", f.Costs, g.Costs}, {"coefficients", f.Coefficients, g.Coefficients},
		{"column bounds", f.ColumnBounds, g.ColumnBounds}, {"row bounds", f.RowBounds, g.RowBounds},
	} {
		if math.Abs(s.was-s.is) > fingerprintTolerance*max(math.Abs(s.was), math.Abs(s.is)) {
			return fmt.Sprintf("its %s sum up to %v; they were %v", s.what, s.is, s.was)
		}
	}
	return ""
}
