package solfile

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

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
	if l.helpers != nil && !slices.ContainsFunc(point, math.IsNaN) {
		for _, e := range l.helpers(m, mp, point) {
			line = l.line(line, s, e)
		}
	}
	_, _ = b.Write(append(line, l.tail...))
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

// WriteSolution writes s, a solution of m, for the file that mp describes; a nil mp
// is that of mps.Write with zero options. The form is HiGHS's, which [Read] reads as
// format HiGHS, and HiGHS itself as a start: what is known, in its words, the
// objective, and all values, the shortest decimals that read back to the same
// float64. Bound and gap have no place in it, nor have the limits on the gap and on
// the nodes, which become "Unknown".
func WriteSolution(w io.Writer, m *mio.Model, mp *mps.Map, s *mio.Solution) error {
	if s.Values != nil && len(s.Values) != m.NumCols() {
		panic("solfile: WriteSolution: the solution has not one value per column")
	}
	if mp == nil {
		var err error
		if mp, err = mps.NewMap(m, mps.Options{}); err != nil {
			return fmt.Errorf("solfile: %w", err)
		}
	}
	b := bufio.NewWriterSize(w, 1<<16)
	fmt.Fprintf(b, "Model status\n%s\n\n# Primal solution values\n", highsWords(s))
	if s.Values == nil {
		b.WriteString("None\n")
	} else {
		putValues(b, m, mp, s.Values)
	}
	return b.Flush() // with the first error
}

// highsWords is the status of s as HiGHS has it.
func highsWords(s *mio.Solution) string {
	v := verdict{s.Status, s.Limit}
	if s.Limit != mio.NoLimit {
		v.status = mio.Unknown
	}
	for _, words := range []string{"Time limit reached", "Iteration limit reached", "Memory limit reached", "Interrupted by user",
		"Bound on objective reached", "Optimal", "Infeasible", "Unbounded", "Primal infeasible or unbounded", "Solve error"} {
		if highsStatus[words] == v {
			return words
		}
	}
	return "Unknown"
}

func putValues(b *bufio.Writer, m *mio.Model, mp *mps.Map, values []float64) {
	var line []byte
	line = append(appendNumber(append(line, "Feasible\nObjective "...), mp.FileObjective(m.Objective(values))+0), '\n')
	fmt.Fprintf(b, "%s# Columns %d\n", line, mp.FileCols())
	for j, v := range values {
		line = append(mp.AppendColName(line[:0], m, j), ' ')
		b.Write(append(appendNumber(line, v+0), '\n')) // -0 becomes 0
	}
	if mp.OffsetColumn != "" {
		fmt.Fprintf(b, "%s 1\n", mp.OffsetColumn)
	}
}

// ErrNoSide is wrapped where a solver has no file of the kind.
var ErrNoSide = errors.New("there is no such file for the solver")

// Prioritized lists the formats that have files of branching priorities.
func Prioritized() []Format { return []Format{Gurobi, CPLEX} }

// WritePriorities writes branching priorities, one for each column of m, as the file .ord
// of Gurobi or CPLEX: columns of more are branched on first; those of 0, which is the
// default of both, are left out. mp is that of the model's file. Other formats are
// ErrNoSide.
//
// Gurobi's is a name and a number a line after comments that begin with #; CPLEX's stands
// between NAME and ENDATA, a name from the fifth column on and its number, in the first
// columns of which it would read UP or DN as a direction.
func WritePriorities(w io.Writer, f Format, m *mio.Model, mp *mps.Map, priority []int) error {
	if !slices.Contains(Prioritized(), f) {
		return fmt.Errorf("solfile: branching priorities: %w %s", ErrNoSide, f)
	}
	b := bufio.NewWriter(w) // errors stay until Flush
	indent := ""
	if f == CPLEX {
		fmt.Fprintf(b, "NAME          %s\n", startName(m.Name()))
		indent = "    "
	} else {
		fmt.Fprintf(b, "# branching priorities of %s\n", startName(m.Name()))
	}
	for j, p := range priority {
		if p != 0 {
			fmt.Fprintf(b, "%s%s %d\n", indent, mp.AppendColName(nil, m, j), p)
		}
	}
	if f == CPLEX {
		fmt.Fprintln(b, "ENDATA")
	}
	return b.Flush()
}

// Parameters are settings of a solver that a file can say.
type Parameters struct {
	RelGap, AbsGap float64 // at which a solve may end as proved
}

// parameters are the heads of parameter files, and the names in them with what stands
// between name and value.
var parameters = []struct {
	format       Format
	head         string
	rel, abs, is string
}{
	{Gurobi, "# parameters", "MIPGap", "MIPGapAbs", " "},
	{CPLEX, "CPLEX Parameter File Version 22.1.1.0", "CPXPARAM_MIP_Tolerances_MIPGap", "CPXPARAM_MIP_Tolerances_AbsMIPGap", " "},
	{SCIP, "# parameters", "limits/gap", "limits/absgap", " = "},
	{HiGHS, "# parameters", "mip_rel_gap", "mip_abs_gap", " = "},
}

// Parametrized lists the formats that have files of parameters.
func Parametrized() []Format {
	var all []Format
	for _, p := range parameters {
		all = append(all, p.format)
	}
	return all
}

// WriteParameters writes a file of parameters: .prm of Gurobi and CPLEX, .set of SCIP, the
// options file of HiGHS. Other formats are ErrNoSide.
func WriteParameters(w io.Writer, f Format, p Parameters) error {
	for _, q := range parameters {
		if q.format == f {
			_, err := fmt.Fprintf(w, "%s\n%s%s%s\n%s%s%s\n", q.head, q.rel, q.is, appendNumber(nil, p.RelGap), q.abs, q.is, appendNumber(nil, p.AbsGap))
			return err
		}
	}
	return fmt.Errorf("solfile: parameters: %w %s", ErrNoSide, f)
}
