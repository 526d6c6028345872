package solfile

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"

	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mps"
)

// ReadOptions says how a solution is read. The zero value is the default.
type ReadOptions struct {
	// Solution chooses among several solutions of one file, counted from 1 in
	// the file's order. 0 is the best by the objectives that the file states,
	// and the first where it states none.
	Solution int

	// MissingZero takes columns without a value for 0 where the format does not
	// say so: for files that were written without their zeros.
	MissingZero bool

	// AsStated gives what the file states and nothing made of it, for those who
	// judge it: Status is Unknown and Objective NaN where it states none, and
	// Values are there even where HiGHS, CBC or CPLEX call them infeasible.
	AsStated bool

	// MaxBytes is the most that is read, after decompression. 0 means 4 GiB.
	MaxBytes int64
}

const defaultMaxBytes = 4 << 30

// Read reads a solution of m in format f, plain or gzip (found by its first
// bytes), from the file that mp describes; a nil mp is that of mps.Write with
// zero options. name is for errors and is not opened. GLPK's files go by
// position and so are of MPS files only, whose columns are in model order.
//
// Status and Limit come from the file's words, which Raw keeps; a file without a
// status that has values is Feasible. Values is nil where the file holds no
// feasible solution: an infeasible model, a limit before the first incumbent,
// CBC's fractional "continuous used". Objective is what the file states, turned
// into the model's sense, else recomputed; Bound and Gap are unknown, for no
// format has them. Model is the name in the files of Gurobi, CPLEX, GLPK and Xpress, as
// it stands there. Errors are of type *FormatError.
func Read(r io.Reader, name string, f Format, m *mio.Model, mp *mps.Map, o ReadOptions) (*mio.Solution, error) {
	known, err := lookup(f)
	if err != nil {
		return nil, err
	}
	if mp == nil {
		if mp, err = mps.NewMap(m, mps.Options{}); err != nil {
			return nil, fmt.Errorf("solfile: %w", err)
		}
	}
	if o.MaxBytes == 0 {
		o.MaxBytes = defaultMaxBytes
	}
	src, err := newLines(r, o.MaxBytes)
	if err != nil {
		return nil, &FormatError{File: name, Err: err}
	}
	d := &decoder{src: src, columns: columns{m: m, mp: mp}, opts: o, objective: math.NaN()}
	err = known.decode(d)
	if err == nil {
		err = d.choose()
	}
	if errors.Is(err, errTooLarge) {
		err = fmt.Errorf("more than %d bytes (ReadOptions.MaxBytes)", o.MaxBytes)
	}
	if err != nil {
		return nil, &FormatError{name, d.src.number, err}
	}
	return d.solution(f)
}

// ReadFile reads the named file; format "" is found by [Detect]. See [Read].
func ReadFile(path string, f Format, m *mio.Model, mp *mps.Map, o ReadOptions) (*mio.Solution, error) {
	if f == "" {
		var err error
		if f, err = Detect(path); err != nil {
			return nil, err
		}
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("solfile: %w", err)
	}
	defer file.Close() // read-only: closing has nothing to report
	return Read(file, path, f, m, mp, o)
}
