package solfile

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mps"
)

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
