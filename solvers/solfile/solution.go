package solfile

import (
	"bufio"
	"fmt"
	"io"

	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mps"
)

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
