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

// opb reads the standard output of pseudo-Boolean and MaxSAT solvers such as clasp, minisat+ and RC2:
// comments "c", "o" and the objective of each new solution, "v" and its literals or, of MaxSAT
// solvers since 2022, a digit for each variable, "s" and the status. The last solution counts; the
// objectives are in the file's own units and pass. Variables that a solver leaves out are 0.
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

// literals takes in x3, which is 1, and -x4 or ~x4, which are 0; of MaxSAT solvers 3 and -4, or a
// digit 0 or 1 for each variable. Those have auxiliary variables after the model's, which pass.
func (d *decoder) literals(rest []byte) error {
	if word, more := field(rest); len(more) == 0 && len(word) >= d.mp.Cols && len(bytes.Trim(word, "01")) == 0 {
		return d.digits(word[:d.mp.Cols])
	}
	for len(rest) > 0 {
		var literal []byte
		literal, rest = field(rest)
		if v, err := parseInteger(literal); err == nil {
			if err := d.signed(v, literal); err != nil {
				return err
			}
			continue
		}
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

// signed takes in the literal v of a variable's number, negative for its negation; 0 ends a line.
func (d *decoder) signed(v int, literal []byte) error {
	switch {
	case v == 0 || v > d.mp.Cols || v < -d.mp.Cols:
		return nil
	case v > 0:
		return d.putAt(v-1, literal, []byte("1"))
	}
	return d.putAt(-v-1, literal, []byte("0"))
}

// digits takes in one digit for each column.
func (d *decoder) digits(word []byte) error {
	for j := range word {
		if err := d.putAt(j, strconv.AppendInt(nil, int64(j)+1, 10), word[j:j+1]); err != nil {
			return err
		}
	}
	return nil
}
