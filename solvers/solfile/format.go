package solfile

import (
	"fmt"
	"math"
	"strings"

	"github.com/octgen/octgen/mio"
)

// Format names the files of a solver.
type Format string

const (
	HiGHS  Format = "highs"
	Gurobi Format = "gurobi"
	CPLEX  Format = "cplex"
	CBC    Format = "cbc"
	SCIP   Format = "scip"
	GLPK   Format = "glpk"
	Xpress Format = "xpress"
	OPB    Format = "opb" // of pseudo-Boolean solvers, such as clasp

	LPSolve  Format = "lp_solve" // as printed
	SYMPHONY Format = "symphony" // as printed
)

// format is what the package knows of one Format.
type format struct {
	name   Format
	digits int    // significant ones that the solver writes of a value
	ext    string // of starts, as the solver expects it
	start  startLayout
	decode func(d *decoder) error
	// helpers are how the names of columns begin that the solver adds to a model; their values are
	// no part of a solution.
	helpers []string
}

// formats is a function, for the readers refer to it. HiGHS writes 15 digits, of small
// values fewer.
func formats() []format {
	return []format{
		{HiGHS, 13, ".sol", highsStart, (*decoder).highs, nil},
		{Gurobi, 15, ".mst", gurobiStart, (*decoder).gurobi, []string{"MPS_Rg"}},
		{CPLEX, 15, ".mst", cplexStart, (*decoder).cplex, nil},
		{CBC, 8, ".sol", cbcStart, (*decoder).cbc, nil},
		{SCIP, 15, ".sol", scipStart, (*decoder).scip, []string{"indslack_", "qmatrixvar"}},
		{GLPK, 15, "", startLayout{}, (*decoder).glpk, nil},
		{Xpress, 15, ".slx", xpressStart, (*decoder).xpress, nil},
		{OPB, 15, "", startLayout{}, (*decoder).opb, nil},
		{LPSolve, 6, "", startLayout{}, (*decoder).lpsolve, nil},
		{SYMPHONY, 10, "", startLayout{}, (*decoder).symphony, nil},
	}
}

// Formats lists the formats.
func Formats() []Format {
	var names []Format
	for _, f := range formats() {
		names = append(names, f.name)
	}
	return names
}

// ParseFormat returns the format of this name.
func ParseFormat(name string) (Format, error) {
	f, err := lookup(Format(name))
	return f.name, err
}

// Starts reports whether the solver of the format reads starts.
func (f Format) Starts() bool { return f.StartExt() != "" }

// StartExt returns the extension that the solver expects of a start's name,
// such as ".mst"; "" where it reads none, or f is no format.
func (f Format) StartExt() string {
	known, _ := lookup(f)
	return known.ext
}

func lookup(f Format) (format, error) {
	var names []string
	for _, known := range formats() {
		if known.name == f {
			return known, nil
		}
		names = append(names, string(known.name))
	}
	return format{}, fmt.Errorf("solfile: unknown format %q; known are %s", string(f), strings.Join(names, ", "))
}

// Rounding returns by how much the digits that the solver of format f writes
// may violate a row or bound of m at the point x: what is to be added to the tolerance of
// [mio.Check] for values that were read from its file. Integers count as exact.
// CBC writes 8 digits, which is what this is for; of the others it is next to
// nothing. Of what is no format nothing is forgiven.
func Rounding(f Format, m *mio.Model, x []float64) float64 {
	known, err := lookup(f)
	if err != nil {
		return 0
	}
	errs := make([]float64, len(x))
	for j, v := range x {
		errs[j] = roundingOf(v, known.digits)
	}
	activity := make([]float64, m.NumRows())
	for j, e := range errs {
		rows, coefs := m.Column(j)
		for k, i := range rows {
			activity[i] += e * math.Abs(coefs[k])
		}
	}
	for _, t := range m.QuadRows() {
		activity[t.Row] += math.Abs(t.Value) * (errs[t.I]*math.Abs(x[t.J]) + errs[t.J]*math.Abs(x[t.I]))
	}
	worst := 0.0
	for _, e := range errs { // of bounds
		worst = max(worst, e)
	}
	for _, a := range activity {
		worst = max(worst, a)
	}
	return worst
}

// roundingOf is half a unit of the last of n digits of v, 0 for an integer.
func roundingOf(v float64, n int) float64 {
	if v == math.Trunc(v) {
		return 0
	}
	return 0.5 * math.Pow(10, math.Floor(math.Log10(math.Abs(v)))+1-float64(n))
}
