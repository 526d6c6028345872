package solfile

import (
	"bytes"
	"fmt"
	"math"
	"slices"

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

// decoder is the state of reading one file. Each format has one method, which
// sets what the file says of the solve and gives the values of each solution
// between begin and end.
type decoder struct {
	src *lines
	columns
	helpers []string // how the names of columns begin that the solver adds
	opts    ReadOptions

	status      mio.Status
	limit       mio.Limit
	raw         string
	model       string // its name, where the file states one
	nodes, iter int64
	bound       float64 // on the objective, in the file's sense; NaN where none is stated

	values    []float64 // of the solution being read; NaN where not given yet
	given     int       // how many are
	offset    bool      // and the column of the constant
	objective float64   // as stated, in the file's sense; NaN where not

	solutions     int       // ended
	best          []float64 // of those
	bestObjective float64
}

// begin starts a solution, or starts it afresh.
func (d *decoder) begin() {
	if d.values == nil {
		d.values = make([]float64, d.mp.Cols)
	}
	for j := range d.values {
		d.values[j] = math.NaN()
	}
	d.given, d.offset, d.next, d.objective = 0, false, 0, math.NaN()
}

// put gives the value of a column by name.
func (d *decoder) put(name, value []byte) error {
	if len(value) == 0 {
		return fmt.Errorf("expected a column and its value, found %q only", clip(name))
	}
	j, err := d.find(name)
	if err != nil && slices.ContainsFunc(d.helpers, func(begin string) bool { return bytes.HasPrefix(name, []byte(begin)) }) {
		return nil
	}
	if err != nil {
		return err
	}
	return d.putAt(j, name, value)
}

// putAt gives the value of column j, which the file calls name.
func (d *decoder) putAt(j int, name, value []byte) error {
	v, err := parseValue(value)
	switch {
	case err != nil:
		return fmt.Errorf("value of column %s: %w", name, err)
	case j == offsetIndex && math.Abs(v-1) > integral:
		return otherModel("column %s, which is fixed at 1, has the value %v", d.mp.OffsetColumn, v)
	case j == offsetIndex && d.offset:
		return fmt.Errorf("column %s has a value already", d.mp.OffsetColumn)
	case j == offsetIndex:
		d.offset = true
		return nil
	case !math.IsNaN(d.values[j]):
		return fmt.Errorf("column %s has a value already", clip(name))
	}
	d.values[j] = v
	d.given++
	return nil
}

// end ends a solution. Columns that were not given are 0 where zeroOmitted says
// that the format leaves zeros out, else an error.
func (d *decoder) end(zeroOmitted bool) error {
	if d.given < len(d.values) {
		if err := d.fill(zeroOmitted || d.opts.MissingZero); err != nil {
			return err
		}
	}
	if d.mp.OffsetColumn != "" && !d.offset {
		return otherModel("no value for column %s, which is fixed at 1", d.mp.OffsetColumn)
	}
	d.solutions++
	if d.opts.Solution == d.solutions || d.opts.Solution == 0 && d.improves() {
		d.best, d.values = d.values, d.best
		d.bestObjective = d.objective
	}
	return nil
}

func (d *decoder) fill(zero bool) error {
	for j, v := range d.values {
		if !math.IsNaN(v) {
			continue
		}
		if !zero {
			return otherModel("no value for %d of %d columns, %s among them, and the format does not say that they are 0",
				len(d.values)-d.given, len(d.values), d.name(j))
		}
		if lo, hi := d.m.ColLower()[j], d.m.ColUpper()[j]; lo > integral || hi < -integral {
			return otherModel("no value for column %s, which says 0, but its bounds are [%v, %v]", d.name(j), lo, hi)
		}
		d.values[j] = 0
	}
	return nil
}

// improves reports whether the solution just read states a better objective than
// the best one; the first is always better than none.
func (d *decoder) improves() bool {
	if d.solutions == 1 {
		return true
	}
	was, is := d.mp.ModelObjective(d.bestObjective), d.mp.ModelObjective(d.objective)
	if d.m.Sense() == mio.Maximize {
		return is > was
	}
	return is < was
}

// SolutionError says that a file does not have the solution asked for.
type SolutionError struct{ Asked, Has int }

func (e *SolutionError) Error() string {
	return fmt.Sprintf("solution %d was asked for, the file has %d", e.Asked, e.Has)
}

// choose checks that the solution asked for was there.
func (d *decoder) choose() error {
	if k := d.opts.Solution; k < 0 || k > max(d.solutions, 1) {
		return &SolutionError{Asked: k, Has: d.solutions}
	}
	if d.best == nil && d.status.HasSolution() {
		return fmt.Errorf("the file says %q but holds no values", d.raw)
	}
	return nil
}

// hasValues reports whether what the file says of the solve allows a solution.
func (d *decoder) hasValues() bool { return d.status == mio.Unknown || d.status.HasSolution() }

// wantsValues reports whether values are to be read from a format that has them
// of infeasible points, too.
func (d *decoder) wantsValues() bool { return d.opts.AsStated || d.hasValues() }

// offsetIndex stands for the column of the objective's constant.
const offsetIndex = -1

// columns finds the model's columns by their names in the file. Files name them
// in order, mostly, so that the table of all names is made only when one is not
// where it is expected.
type columns struct {
	m     *mio.Model
	mp    *mps.Map
	next  int // column expected now
	buf   []byte
	index map[string]int
}

// find returns the column of this name, or offsetIndex.
func (c *columns) find(name []byte) (int, error) {
	if c.next < c.mp.Cols {
		if c.buf = c.mp.AppendColName(c.buf[:0], c.m, c.next); string(c.buf) == string(name) {
			c.next++
			return c.next - 1, nil
		}
	}
	if c.index == nil {
		c.index = c.mp.ColIndex(c.m)
	}
	j, ok := c.index[string(name)]
	if !ok {
		return 0, otherModel("the model has no column %q", clip(name))
	}
	c.next = j + 1
	return j, nil
}

// name returns the name of column j in the file.
func (c *columns) name(j int) string { return string(c.mp.AppendColName(nil, c.m, j)) }
