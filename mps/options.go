package mps

import (
	"fmt"
	"slices"
)

// Format is the layout of an MPS file.
type Format uint8

const (
	Free  Format = iota // fields separated by a space; any name length, full precision
	Fixed               // fields in fixed positions; names of at most 8, numbers of at most 12 characters
)

var formatNames = [...]string{"free", "fixed"}

// String returns "free" or "fixed".
func (f Format) String() string { return formatNames[f] }

// Dialect is the solver a file is written for. Linear and mixed-integer models
// are the same in all dialects; the package documentation says how quadratic
// terms, indicators and sets differ. The name is kept in the file's first
// comment.
type Dialect uint8

const (
	Portable Dialect = iota
	Gurobi
	CPLEX
	SCIP
	Xpress
	HiGHS
	numDialects
)

var dialectNames = [numDialects]string{"portable", "gurobi", "cplex", "scip", "xpress", "highs"}

// String returns the dialect's name in lower case.
func (d Dialect) String() string { return dialectNames[d] }

// Dialects lists the names of the dialects.
func Dialects() []string { return slices.Clone(dialectNames[:]) }

// ParseDialect returns the dialect of a name as given by Dialect.String.
func ParseDialect(name string) (Dialect, error) {
	for d, s := range dialectNames {
		if s == name {
			return Dialect(d), nil
		}
	}
	return 0, fmt.Errorf("mps: unknown dialect %q; known are %q", name, dialectNames)
}

// Options says how to write a model. The zero value is the portable profile in
// free format.
type Options struct {
	Format  Format
	Dialect Dialect

	// Comments are lines written at the top, after "* ": where the model
	// comes from. A line that begins "octgen" and a directive's name (see
	// the package documentation) is an error.
	Comments []string
}
