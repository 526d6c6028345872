package solfile

import (
	"bytes"
	"fmt"
	"io"

	"github.com/octgen/octgen/mio"
)

// highsStart is the MIPLIB form, which HiGHS reads without a count of columns
// and so takes partial starts in.
var highsStart = startLayout{
	head: func(dst []byte, s *startFile) []byte {
		return append(appendNumber(append(dst, "=obj= "...), s.objective), '\n')
	},
	line: appendNameValue,
}

// highsStatus holds HiGHS's words for its model status.
var highsStatus = map[string]verdict{
	"Optimal":                        {mio.Optimal, mio.NoLimit},
	"Infeasible":                     {mio.Infeasible, mio.NoLimit},
	"Primal infeasible or unbounded": {mio.InfeasibleOrUnbounded, mio.NoLimit},
	"Unbounded":                      {mio.Unbounded, mio.NoLimit},
	"Bound on objective reached":     {mio.Unknown, mio.LimitCutoff},
	"Target for objective reached":   {mio.Unknown, mio.LimitCutoff},
	"Time limit reached":             {mio.Unknown, mio.LimitTime},
	"Iteration limit reached":        {mio.Unknown, mio.LimitIterations},
	"Solution limit reached":         {mio.Unknown, mio.LimitNodes},
	"Interrupted by user":            {mio.Unknown, mio.LimitInterrupt},
	"Memory limit reached":           {mio.Unknown, mio.LimitMemory},
	"Load error":                     {mio.NumericalError, mio.NoLimit},
	"Model error":                    {mio.NumericalError, mio.NoLimit},
	"Presolve error":                 {mio.NumericalError, mio.NoLimit},
	"Solve error":                    {mio.NumericalError, mio.NoLimit},
	"Postsolve error":                {mio.NumericalError, mio.NoLimit},
}

// highs reads a solution file (style raw or sparse), a file of improving
// solutions, or the MIPLIB form.
func (d *decoder) highs() error {
	first, err := d.src.need(`"Model status", "Objective" or "=obj="`)
	if err != nil {
		return err
	}
	switch word, _ := field(first); {
	case string(first) == "Model status":
		line, err := d.src.need("the status")
		if err != nil {
			return err
		}
		d.raw = clip(line)
		v := highsStatus[d.raw]
		d.status, d.limit = v.status, v.limit
	case string(word) == "Objective":
		d.src.back()
	case bytes.HasPrefix(first, []byte("=")):
		d.src.back()
		return d.miplib()
	default:
		return fmt.Errorf(`expected "Model status", "Objective" or "=obj=", found %q`, clip(first))
	}
	if err := d.highsPrimal(); err != nil {
		return err
	}
	if d.src.cut {
		return errCut
	}
	return nil
}

// highsPrimal reads the primal solutions, up to the dual one.
func (d *decoder) highsPrimal() error {
	feasible := d.wantsValues()
	for {
		line, err := d.src.next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		first, rest := field(line)
		switch {
		case string(line) == "# Primal solution values":
			if line, err = d.src.need("Feasible, Infeasible or None"); err != nil {
				return err
			}
			switch string(line) {
			case "Feasible":
			case "None", "Infeasible":
				feasible = feasible && d.opts.AsStated && string(line) == "Infeasible"
				if d.status == mio.Unknown && d.limit == mio.NoLimit && d.raw != "Unknown" {
					d.status = mio.NoSolution
				}
			default:
				return fmt.Errorf("expected Feasible, Infeasible or None, found %q", clip(line))
			}
		case string(first) == "Objective":
			d.objective = parseObjective(rest)
		case string(first) == "Objective_bound": // from HiGHS 1.16 on
			d.bound = parseObjective(rest)
		case string(first) == "MIP_rel_gap":
		case bytes.HasPrefix(line, []byte("# Columns ")):
			if err := d.highsColumns(line[len("# Columns "):], feasible); err != nil {
				return err
			}
		case bytes.HasPrefix(line, []byte("# Rows ")):
			if err := d.skip(line[len("# Rows "):]); err != nil {
				return err
			}
		case string(line) == "# Dual solution values":
			return nil
		default:
			return fmt.Errorf(`expected "# Columns", "# Rows" or "# Dual solution values", found %q`, clip(line))
		}
	}
}

// highsColumns reads the lines of a solution: as many as there are columns or,
// where the count is negative, those that are not 0. The latter end in the index of the
// column, ascending, which tells a sparse solution from a negative count of columns.
func (d *decoder) highsColumns(count []byte, feasible bool) error {
	n, err := parseInteger(count)
	if err != nil {
		return err
	}
	if n >= 0 && n != d.mp.FileCols() {
		return otherModel("the file has %d columns, the model %d", n, d.mp.FileCols())
	}
	if n < -d.mp.FileCols() {
		return otherModel("the file has %d columns that are not 0, the model %d columns", -n, d.mp.FileCols())
	}
	stated := d.objective
	d.begin()
	d.objective = stated
	last := -1
	for range max(n, -n) {
		line, err := d.src.need("a column and its value")
		if err != nil {
			return err
		}
		name, rest := field(line)
		value, index := field(rest)
		if n < 0 {
			if last, err = d.highsIndex(index, last, n); err != nil {
				return err
			}
		}
		if err := d.put(name, value); err != nil && feasible {
			return err
		}
	}
	if !feasible {
		return nil
	}
	return d.end(n < 0)
}

// highsIndex reads the index at the end of a line of a sparse solution, which is above that
// of the line before.
func (d *decoder) highsIndex(text []byte, last, count int) (int, error) {
	index, err := parseInteger(text)
	if err != nil || index <= last || index >= d.mp.FileCols() {
		return last, fmt.Errorf(`"# Columns %d" is of the sparse style, whose lines are name, value and the index of the column, %d to %d here; found %q for the index`,
			count, last+1, d.mp.FileCols()-1, clip(text))
	}
	return index, nil
}

// skip passes over as many lines as count says.
func (d *decoder) skip(count []byte) error {
	n, err := parseCount(count)
	if err != nil {
		return err
	}
	for range n {
		if _, err := d.src.need("a row and its value"); err != nil {
			return err
		}
	}
	return nil
}

// miplib reads lines of column and value after "=obj=" and other lines that
// begin with an equals sign. Zeros are left out.
func (d *decoder) miplib() error {
	d.begin()
	for {
		line, err := d.src.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		name, value := field(line)
		switch {
		case string(name) == "=obj=":
			d.objective = parseObjective(value)
		case string(name) == "=infeas=":
			d.status, d.raw = mio.Infeasible, string(name)
		case name[0] == '=' || name[0] == '#':
		default:
			if err := d.put(name, value); err != nil {
				return err
			}
		}
	}
	if d.src.cut {
		return errCut
	}
	if !d.wantsValues() {
		return nil
	}
	return d.end(true)
}
