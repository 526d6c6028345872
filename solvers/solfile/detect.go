package solfile

import (
	"bytes"
	"fmt"
	"io"
	"os"
)

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
	if f := detectLine(line); f != "" {
		return f, src.number, nil
	}
	return "", src.number, fmt.Errorf("no solution file of a known solver: it begins %q", clip(line))
}

func detectLine(line []byte) Format {
	word, rest := field(line)
	second, more := field(rest)
	has := func(prefix string) bool { return bytes.HasPrefix(line, []byte(prefix)) }
	_, notIndex := parseInteger(word)
	_, notNumber := parseValue(second)
	switch {
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
	case bytes.Contains(line, []byte(" - objective value ")), notIndex == nil && len(more) > 0:
		return CBC
	case notIndex != nil && notNumber == nil && len(more) == 0:
		return Gurobi
	}
	return ""
}
