package solfile

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/octgen/octgen/internal/atomicfile"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mps"
)

// StartOptions says what of a point is written. The zero value writes all of it.
type StartOptions struct {
	// Discrete leaves the continuous columns out; solvers complete them by a
	// linear program. See the package documentation for SCIP.
	Discrete bool
}

// integral is how far a discrete column's value may be from the integer that is
// written in its place.
const integral = 1e-6

// startLayout is how a format writes a start.
type startLayout struct {
	head func(dst []byte, s *startFile) []byte
	line func(dst []byte, s *startFile, e entry) []byte
	tail string
}

// startFile is what a layout may mention.
type startFile struct {
	model     string  // name, fit for a line
	objective float64 // of the point in the file; 0 for a partial one and where it is not finite
}

// entry is the value of one column of the file.
type entry struct {
	index int // in the file, from 0
	name  []byte
	value []byte
}

// WriteStart writes the point x, one value per column of m, as a start for the
// solver of format f and the file that mp describes; a nil mp is that of
// mps.Write with zero options. NaN values and, with o.Discrete, continuous
// columns are left out: a partial start. Values of discrete columns within 1e-6
// of an integer are written as that integer. Infinite values, and fractional
// ones of discrete columns, are errors; so is a format without starts
// (ErrNoStart). x is read only.
func WriteStart(w io.Writer, f Format, m *mio.Model, mp *mps.Map, x []float64, o StartOptions) error {
	if len(x) != m.NumCols() {
		panic("solfile: WriteStart: the point has not one value per column")
	}
	known, err := lookup(f)
	if err != nil {
		return err
	}
	if known.start.line == nil {
		return fmt.Errorf("solfile: %w: format %s", ErrNoStart, f)
	}
	if mp == nil {
		if mp, err = mps.NewMap(m, mps.Options{}); err != nil {
			return fmt.Errorf("solfile: %w", err)
		}
	}
	point, err := startPoint(m, x, o)
	if err != nil {
		return fmt.Errorf("solfile: start of model %q: %w", m.Name(), err)
	}
	b := bufio.NewWriterSize(w, 1<<16)
	putStart(b, known.start, m, mp, point)
	return b.Flush()
}

// startPoint returns the values to write, NaN for those left out.
func startPoint(m *mio.Model, x []float64, o StartOptions) ([]float64, error) {
	point := make([]float64, len(x))
	types := m.ColTypes()
	for j, v := range x {
		discrete := types[j] != mio.Continuous
		switch {
		case math.IsNaN(v) || o.Discrete && !discrete:
			v = math.NaN()
		case math.IsInf(v, 0):
			return nil, fmt.Errorf("column %s is %v, expected a finite value, or NaN to leave it out", m.ColName(j), v)
		case discrete && math.Abs(v-math.Round(v)) > integral:
			return nil, fmt.Errorf("column %s is %v, but it is %v", m.ColName(j), v, types[j])
		case discrete:
			v = math.Round(v)
		}
		point[j] = v + 0 // -0 becomes 0
	}
	return point, nil
}

// putStart writes the lines; errors stay in b until it is flushed.
func putStart(b *bufio.Writer, l startLayout, m *mio.Model, mp *mps.Map, point []float64) {
	s := &startFile{model: startName(m.Name())}
	if v := m.Objective(point); v-v == 0 {
		s.objective = mp.FileObjective(v) + 0
	}
	var line, name, value []byte
	line = l.head(line, s)
	for j, v := range point {
		if math.IsNaN(v) {
			continue
		}
		name = mp.AppendColName(name[:0], m, j)
		value = appendNumber(value[:0], v)
		line = l.line(line, s, entry{j, name, value})
		_, _ = b.Write(line)
		line = line[:0]
	}
	if mp.OffsetColumn != "" {
		line = l.line(line, s, entry{mp.Cols, []byte(mp.OffsetColumn), []byte("1")})
	}
	_, _ = b.Write(append(line, l.tail...))
}

// startName makes a model's name fit for XML attributes and single lines.
func startName(name string) string {
	fit := strings.Map(func(r rune) rune {
		if r <= ' ' || r >= 0x7f || strings.ContainsRune(`"'<>&`, r) {
			return '_'
		}
		return r
	}, name)
	if fit == "" {
		return "octgen"
	}
	return fit
}

func appendNumber(dst []byte, v float64) []byte {
	if v == math.Trunc(v) && math.Abs(v) < 1e15 {
		return strconv.AppendInt(dst, int64(v), 10)
	}
	return strconv.AppendFloat(dst, v, 'g', -1, 64)
}

// WriteStartFile writes a start to the named file, compressed if the name ends
// in .gz, by way of a temporary file beside it, so that the file is either as
// before or complete. What is no regular file is written to directly. See
// [WriteStart].
func WriteStartFile(path string, f Format, m *mio.Model, mp *mps.Map, x []float64, o StartOptions) error {
	err := atomicfile.Write(path, func(w io.Writer) error { return WriteStart(w, f, m, mp, x, o) })
	if err != nil {
		return fmt.Errorf("solfile: cannot write %s: %w", path, err)
	}
	return nil
}
