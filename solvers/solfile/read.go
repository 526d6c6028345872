package solfile

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"os"

	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mps"
)

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
	d := &decoder{src: src, columns: columns{m: m, mp: mp}, helpers: known.helpers, opts: o, objective: math.NaN(), bound: math.NaN()}
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

// solution puts the answer together.
func (d *decoder) solution(f Format) (*mio.Solution, error) {
	s := &mio.Solution{
		Status: d.status, Limit: d.limit, Raw: d.raw, Model: d.model, Nodes: d.nodes, Iter: d.iter, Solver: string(f),
		Objective: math.NaN(), Bound: math.Inf(-1), Gap: math.Inf(1),
	}
	if d.m.Sense() == mio.Maximize {
		s.Bound = math.Inf(1)
	}
	if !math.IsNaN(d.bound) && !math.IsInf(d.bound, 0) {
		s.Bound = d.mp.ModelObjective(d.bound) + 0
	}
	if d.best == nil {
		if s.Status == mio.Unknown && s.Limit != mio.NoLimit {
			s.Status = mio.NoSolution
		}
		return s, nil
	}
	s.Values, s.Objective = d.best, d.mp.ModelObjective(d.bestObjective)+0
	if d.opts.AsStated {
		return s, nil
	}
	if s.Status == mio.Unknown {
		s.Status = mio.Feasible
	}
	if math.IsNaN(s.Objective) {
		s.Objective = d.m.Objective(s.Values)
	}
	s.Gap = mio.Gap(s.Objective, s.Bound)
	return s, nil
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

// Detect returns the format of the named file, plain or gzip, by how it begins.
// Files of "name value" lines without a header are taken for Gurobi's.
func Detect(path string) (Format, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", fmt.Errorf("solfile: %w", err)
	}
	defer f.Close() // read-only: closing has nothing to report
	format, line, err := detect(f)
	if err != nil {
		return "", &FormatError{path, line, err}
	}
	return format, nil
}

// detect returns the line that decided, too: the first that is not blank.
func detect(r io.Reader) (Format, int, error) {
	src, err := newLines(r, defaultMaxBytes)
	if err != nil {
		return "", 0, err
	}
	line, err := src.next()
	switch {
	case err == io.EOF:
		return "", src.number, fmt.Errorf("no solution file of a known solver: it is empty")
	case err != nil:
		return "", src.number, err
	}
	f := detectLine(line)
	for f == GLPK && line[0] == 'c' { // or the comments of another
		decisive, err := src.next()
		if err != nil {
			return f, src.number, nil
		}
		if letter, _ := field(decisive); string(letter) != "c" {
			return cmp.Or(detectLine(decisive), f), src.number, nil
		}
	}
	if f != "" {
		return f, src.number, nil
	}
	return "", src.number, fmt.Errorf("no solution file of a known solver: it begins %q", clip(line))
}

// isInteger reports whether s is one.
func isInteger(s []byte) bool {
	_, err := parseInteger(s)
	return err == nil
}

func detectLine(line []byte) Format {
	word, rest := field(line)
	second, more := field(rest)
	has := func(prefix string) bool { return bytes.HasPrefix(line, []byte(prefix)) }
	_, notIndex := parseInteger(word)
	_, notNumber := parseValue(second)
	switch {
	case judge(lpsolveForm.begin, string(line)) != (verdict{}), has("Unconstrained row "):
		return LPSolve
	case has("==  Welcome to the SYMPHONY"):
		return SYMPHONY
	case line[0] == '#':
		return Gurobi
	case has("<?xml"), has("<CPLEXSolution"):
		return CPLEX
	case string(line) == "Model status", string(word) == "=obj=", string(word) == "Objective" && notNumber == nil:
		return HiGHS
	case has("solution status:"), has("objective value:"), has("no solution available"):
		return SCIP
	case string(word) == "NAME":
		return Xpress
	case string(word) == "c" && (len(more) > 0 || notNumber != nil), has("s mip "), has("s bas "), has("s ipt "):
		return GLPK
	case has("s OPTIMUM FOUND"), has("s SATISFIABLE"), has("s UNSATISFIABLE"), has("s UNKNOWN"), has("v x"), has("v -x"), has("v ~x"), string(word) == "v" && isInteger(second), string(word) == "o" && notNumber == nil && len(more) == 0:
		return OPB
	case bytes.Contains(line, []byte(" - objective value ")), notIndex == nil && len(more) > 0:
		return CBC
	case notIndex != nil && notNumber == nil && len(more) == 0:
		return Gurobi
	}
	return ""
}
