package solfile

import (
	"fmt"
	"strings"
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
)

// format is what the package knows of one Format.
type format struct {
	name   Format
	digits int    // significant ones that the solver writes of a value
	ext    string // of starts, as the solver expects it
	start  startLayout
	decode func(d *decoder) error
}

// formats is a function, for the readers refer to it. HiGHS writes 15 digits, of small
// values fewer.
func formats() []format {
	return []format{
		{HiGHS, 13, ".sol", highsStart, (*decoder).highs},
		{Gurobi, 15, ".mst", gurobiStart, (*decoder).gurobi},
		{CPLEX, 15, ".mst", cplexStart, (*decoder).cplex},
		{CBC, 8, ".sol", cbcStart, (*decoder).cbc},
		{SCIP, 15, ".sol", scipStart, (*decoder).scip},
		{GLPK, 15, "", startLayout{}, (*decoder).glpk},
		{Xpress, 15, ".slx", xpressStart, (*decoder).xpress},
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
