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
	ext    string // of starts, as the solver expects it
	start  startLayout
	decode func(d *decoder) error
}

// formats is a function, for the readers refer to it.
func formats() []format {
	return []format{
		{HiGHS, ".sol", highsStart, (*decoder).highs},
		{Gurobi, ".mst", gurobiStart, (*decoder).gurobi},
		{CPLEX, ".mst", cplexStart, (*decoder).cplex},
		{CBC, ".sol", cbcStart, (*decoder).cbc},
		{SCIP, ".sol", scipStart, (*decoder).scip},
		{GLPK, "", startLayout{}, (*decoder).glpk},
		{Xpress, ".slx", xpressStart, (*decoder).xpress},
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
