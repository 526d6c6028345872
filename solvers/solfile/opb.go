package solfile

import (
	"bytes"
	"fmt"
	"io"
	"strconv"

	"github.com/octgen/octgen/mio"
)

// opbStatuses are the words after "s" in answers of pseudo-Boolean solvers.
var opbStatuses = map[string]mio.Status{
	"OPTIMUM FOUND": mio.Optimal, "SATISFIABLE": mio.Feasible, "UNSATISFIABLE": mio.Infeasible, "UNKNOWN": mio.NoSolution,
}

// opb reads the standard output of pseudo-Boolean solvers such as clasp and minisat+: comments "c",
// "o" and the objective of each new solution, "v" and its literals, "s" and the status. The last
// solution counts; the objectives are in the file's own units and pass. Variables that a solver
// leaves out are 0.
func (d *decoder) opb() error {
	d.begin()
	found := false
	for {
		line, err := d.src.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		letter, rest := field(line)
		switch string(letter) {
		case "c":
		case "o":
			d.begin()
			found = false
		case "v":
			found = true
			if err := d.literals(rest); err != nil {
				return err
			}
		case "s":
			words := string(bytes.TrimSpace(rest))
			status, known := opbStatuses[words]
			if !known {
				return fmt.Errorf("unknown status %q", clip(rest))
			}
			d.status, d.raw = status, words
		default:
			return fmt.Errorf("expected a line of c, o, v or s, found %q", clip(line))
		}
	}
	switch {
	case d.raw == "":
		return fmt.Errorf(`expected a line such as "s OPTIMUM FOUND"`)
	case !found || !d.hasValues():
		return nil
	}
	d.offset = true // the format has no column for the constant
	return d.end(true)
}

// literals takes in x3, which is 1, and -x4 or ~x4, which are 0.
func (d *decoder) literals(rest []byte) error {
	for len(rest) > 0 {
		var literal []byte
		literal, rest = field(rest)
		name, negated := bytes.CutPrefix(literal, []byte("-"))
		if !negated {
			name, negated = bytes.CutPrefix(literal, []byte("~"))
		}
		number, isName := bytes.CutPrefix(name, []byte("x"))
		k, err := parseCount(number)
		if !isName || err != nil {
			return fmt.Errorf("expected a literal such as x3 or -x3, found %q", clip(literal))
		}
		if k < 1 || k > d.mp.Cols {
			return otherModel("variable %s, the model has %d", clip(name), d.mp.Cols)
		}
		value := "1"
		if negated {
			value = "0"
		}
		if err := d.putAt(k-1, strconv.AppendInt(nil, int64(k), 10), []byte(value)); err != nil {
			return err
		}
	}
	return nil
}
