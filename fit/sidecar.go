package fit

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/internal/lazy"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mps"
	"github.com/octgen/octgen/tree"
)

// SidecarVersion is the latest schema_version of sidecars; the earlier ones are read, too.
// A sidecar is written in the earliest version that has its keys: see [Sidecar.Write].
const SidecarVersion = 3

// plainSidecar has all keys but those of constraints and groups.
const plainSidecar = 2

// Sidecar is what stands beside a written model, as m.octgen.json beside m.mps:
// all that is needed to build the model again from its data and to turn a
// solution of the file into a tree.
type Sidecar struct {
	SchemaVersion int           `json:"schema_version"`
	Octgen        string        `json:"octgen"` // version that wrote it
	Model         problem.Spec  `json:"model"`
	Data          SidecarData   `json:"data"`
	File          SidecarFile   `json:"file"`
	Start         *SidecarStart `json:"start,omitempty"`
	Fingerprint   Fingerprint   `json:"fingerprint"`
	Map           mps.Map       `json:"map"`
}

// SidecarData says which data the model was built from, and how they were read.
type SidecarData struct {
	File     string `json:"file"` // relative to the sidecar's folder; - for standard input
	SHA256   string `json:"sha256"`
	Rows     int    `json:"rows"`
	Features int    `json:"features"`
	Classes  int    `json:"classes"`

	dataset.LoadOptions
	Delimiter string `json:"delimiter,omitempty"` // LoadOptions', as a text
}

// SidecarFile says how the model was written.
type SidecarFile struct {
	Name    string `json:"name"`   // without folder
	Model   string `json:"model"`  // the name within the file, see [ModelName]
	Format  string `json:"format"` // free, fixed or lp
	Dialect string `json:"dialect"`
}

// SidecarStart is the start that was written beside the model.
type SidecarStart struct {
	Name      string  `json:"name"`   // of the tree
	Format    string  `json:"format"` // of the file
	Objective float64 `json:"objective"`

	Tree *tree.Tree `json:"tree,omitempty"` // which no answer may be worse than
}

// SidecarPath returns the name of the sidecar of a model's file:
// m.octgen.json for m.mps, m.mps.gz, m.lp, m.mof.json and the like.
func SidecarPath(model string) string {
	base := strings.TrimSuffix(model, ".gz")
	return strings.TrimSuffix(strings.TrimSuffix(base, filepath.Ext(base)), ".mof") + ".octgen.json"
}

// DataOf describes ds, which was read with o. The caller sets File.
func DataOf(ds *dataset.Dataset, o dataset.LoadOptions) SidecarData {
	d := SidecarData{SHA256: ds.Source.SHA256, Rows: ds.N(), Features: ds.P(), Classes: ds.K(), LoadOptions: o}
	if ds.Encoder != nil {
		d.NAValues = ds.Encoder.NAValues
	}
	if o.Delimiter != 0 {
		d.LoadOptions.Delimiter, d.Delimiter = 0, string(o.Delimiter)
	}
	return d
}

// Load says how the data are to be read.
func (d *SidecarData) Load() dataset.LoadOptions {
	o := d.LoadOptions
	for _, r := range d.Delimiter {
		o.Delimiter = r
	}
	return o
}

// Write writes s as JSON, for people to read too, with its version: that of its keys.
func (s *Sidecar) Write(w io.Writer) error {
	s.SchemaVersion = plainSidecar
	if s.Model.Constraints != nil || len(s.Data.Groups) > 0 || len(s.Data.GroupFeatures) > 0 {
		s.SchemaVersion = SidecarVersion
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(s)
}

// ReadSidecar reads what Write wrote. Errors wrap ErrInput.
func ReadSidecar(r io.Reader) (*Sidecar, error) {
	d := json.NewDecoder(r)
	s := new(Sidecar)
	if err := d.Decode(s); err != nil {
		return nil, fmt.Errorf("%w: it is not a model sidecar (octgen mps writes m.octgen.json beside m.mps): %w", ErrInput, err)
	}
	if s.SchemaVersion < 1 || s.SchemaVersion > SidecarVersion {
		return nil, fmt.Errorf("%w: it has schema_version %d, expected 1 to %d: it is not a model sidecar, or another version of octgen wrote it", ErrInput, s.SchemaVersion, SidecarVersion)
	}
	if s.SchemaVersion == 1 {
		s.Data.NAValues = []string{"?"} // as it was before there was a choice
	}
	return s, nil
}

// build returns the problem of the model, and builds it again from its data. It refuses
// data that have changed and a model that is not the one that was written. lp solves the
// linear programs that some forms need. Errors wrap ErrInput.
func (s *Sidecar) build(ctx context.Context, ds *dataset.Dataset, lp mio.SolveFunc) (*problem.Problem, *problem.Model, error) {
	if d := s.Data; ds.Source.SHA256 != d.SHA256 {
		return nil, nil, fmt.Errorf("%w: the data are not those of the model: %s has the sha256 %s, the model was built from %s (%s)",
			ErrInput, ds.Source.File, short(ds.Source.SHA256), short(d.SHA256), d.File)
	} else if ds.N() != d.Rows || ds.P() != d.Features || ds.K() != d.Classes {
		return nil, nil, fmt.Errorf("%w: the data are read differently: %d rows, %d features and %d classes, expected %d, %d and %d",
			ErrInput, ds.N(), ds.P(), ds.K(), d.Rows, d.Features, d.Classes)
	}
	p, f, err := buildModel(ctx, s.Model, ds, lp)
	if err != nil {
		return nil, nil, err
	}
	m := f.Model()
	if d := s.Fingerprint.differs(FingerprintOf(m)); d != "" {
		return nil, nil, fmt.Errorf("%w: the model that is built now is not the one that octgen %s wrote: %s", ErrInput, s.Octgen, d)
	}
	// A file of a model with lazy rows may have rows more, which follow from the others.
	if more := s.Map.Rows - m.NumRows(); s.Map.Cols != m.NumCols() || more < 0 || more > 0 && m.NumLazy() == 0 {
		return nil, nil, fmt.Errorf("%w: the sidecar's map is of %d columns and %d rows, its model has %d and %d", ErrInput, s.Map.Cols, s.Map.Rows, m.NumCols(), m.NumRows())
	}
	return p, f, nil
}

// buildModel builds the model that a spec describes. lp solves the linear programs
// that some forms need; nil for none. Errors wrap ErrInput, or
// formulate.ErrSingleLeaf where there is nothing to formulate.
func buildModel(ctx context.Context, s problem.Spec, ds *dataset.Dataset, lp mio.SolveFunc) (*problem.Problem, *problem.Model, error) {
	if s.BoundsByLP && lp == nil {
		return nil, nil, fmt.Errorf("%w: the bounds in this %s model come from linear programs, and there is no solver for them here", ErrInput, s.Form)
	}
	of, err := s.Method(ds.Classes)
	if err != nil {
		return nil, nil, badInput(err)
	}
	p, err := of.On(ctx, problem.NewData(ds), 0)
	if err != nil {
		return nil, nil, badInput(err)
	}
	if !s.BoundsByLP && !p.LPStarts {
		lp = nil // what was written without must be built without
	}
	m, err := p.Build(ctx, problem.BuildOptions{LP: lp, OmitNames: s.OmitNames})
	if err != nil {
		return nil, nil, badInput(err)
	}
	return p, m, nil
}

func short(sha string) string { return sha[:min(12, len(sha))] + "..." }

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
var ourName = lazy.Regexp(`^(?:[a-z][a-z-]*-[0-9a-f]{8}|m[0-9a-f]{7})$`)

// ModelName is the name under which m is written, so that a solution file that
// has a name says which model it is of: the form and a hash of all that the
// model is made of, as oct-3f2a91c0; short is m and seven digits of
// the hash, as fixed format needs. Unlike a [Fingerprint] it is not computed again elsewhere.
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
