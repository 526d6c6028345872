package mps

import (
	"math"
	"strings"
	"testing"

	"github.com/octgen/octgen/mio"
)

// The reader's conventions, where files leave room: a column x of cost 1 in a
// row r, after the lines given.
func TestBoundConventions(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		integer      bool
		bounds       string
		lower, upper float64
		kind         mio.VarType
	}{
		{false, "", 0, inf, mio.Continuous},
		{true, "", 0, 1, mio.Integer},
		{true, " LO BND x 2", 2, inf, mio.Integer},
		{true, " UP BND x 7", 0, 7, mio.Integer},
		{true, " MI BND x", -inf, inf, mio.Integer},
		{true, " PL BND x", 0, inf, mio.Integer},
		{false, " UP BND x -3", -inf, -3, mio.Continuous},
		{false, " UP BND x 0", 0, 0, mio.Continuous},
		{true, " UP BND x -3", -inf, -3, mio.Integer},
		{false, " UP BND x -3\n LO BND x -5", -5, -3, mio.Continuous},
		{false, " LO BND x -5\n UP BND x -3", -5, -3, mio.Continuous},
		{false, " FR BND x", -inf, inf, mio.Continuous},
		{false, " FR x", -inf, inf, mio.Continuous},
		{false, " FR BND x 0", -inf, inf, mio.Continuous},
		{false, " BV BND x", 0, 1, mio.Binary},
		{false, " BV BND x 1", 0, 1, mio.Binary},
		{false, " BV x", 0, 1, mio.Binary},
		{false, " LI BND x 2", 2, inf, mio.Integer},
		{false, " UI BND x 2", 0, 2, mio.Integer},
		{false, " UP x 4", 0, 4, mio.Continuous},
		{false, "\tUP\tBND\tx\t4\r", 0, 4, mio.Continuous},
		{false, " UP BND x 1e30", 0, 1e30, mio.Continuous},
		{false, " UP BND x Infinity\n LO BND x -inf", -inf, inf, mio.Continuous},
		{false, " UP B1 x 4\n UP B2 x 5", 0, 4, mio.Continuous},
		{false, " UP BND x 1.5D1 $ Fortran", 0, 15, mio.Continuous},
	} {
		column := " x obj 1\n"
		if c.integer {
			column = " M 'MARKER' 'INTORG'\n" + column + " M 'MARKER' 'INTEND'\n"
		}
		m, err := Read(strings.NewReader("NAME t\nROWS\n N obj\nCOLUMNS\n"+column+"BOUNDS\n"+c.bounds+"\nENDATA\n"), "t")
		if err != nil {
			t.Errorf("%q: %v", c.bounds, err)
			continue
		}
		if l, u, k := m.ColLower()[0], m.ColUpper()[0], m.ColTypes()[0]; l != c.lower || u != c.upper || k != c.kind {
			t.Errorf("integer %v, %q: %v [%v, %v], want %v [%v, %v]", c.integer, c.bounds, k, l, u, c.kind, c.lower, c.upper)
		}
	}
}

func TestRangeConventions(t *testing.T) {
	for _, c := range []struct {
		kind         string
		r            string
		lower, upper float64
	}{
		{"G", "3", 10, 13}, {"G", "-3", 10, 13}, {"L", "3", 7, 10}, {"L", "-3", 7, 10},
		{"E", "3", 10, 13}, {"E", "-3", 7, 10}, {"E", "0", 10, 10}, {"G", "0", 10, 10}, {"L", "0", 10, 10},
	} {
		for _, sections := range []string{"RHS\n RHS r 10\nRANGES\n RNG r " + c.r, "RANGES\n r " + c.r + "\nRHS\n r 10\n"} {
			m, err := Read(strings.NewReader("ROWS\n N obj\n "+c.kind+" r\nCOLUMNS\n x r 1\n"+sections+"\nENDATA"), "t")
			if err != nil {
				t.Fatal(err)
			}
			if l, u := m.RowLower()[0], m.RowUpper()[0]; l != c.lower || u != c.upper {
				t.Errorf("%s with range %s: [%v, %v], want [%v, %v]", c.kind, c.r, l, u, c.lower, c.upper)
			}
		}
	}
}

func TestObjectiveConventions(t *testing.T) {
	for _, c := range []struct {
		head   string
		sense  mio.Sense
		offset float64
	}{
		{"", mio.Minimize, -5},
		{"OBJSENSE\n    MAX\n", mio.Maximize, -5},
		{"OBJSENSE MAXIMIZE\n", mio.Maximize, -5},
		{"OBJSENSE\n MIN\n", mio.Minimize, -5},
		{"* octgen sense max\n", mio.Maximize, 5},
	} {
		m, err := Read(strings.NewReader(c.head+"NAME a name FREE\nROWS\n N cost\n N other\nCOLUMNS\n x cost 2 other 3\nRHS\n RHS cost 5\nENDATA\nrest"), "t")
		if err != nil {
			t.Fatal(err)
		}
		sign := 1.0
		if strings.HasPrefix(c.head, "*") {
			sign = -1
		}
		if m.Sense() != c.sense || m.Offset() != c.offset || m.Costs()[0] != sign*2 {
			t.Errorf("%q: %v, offset %v, cost %v", c.head, m.Sense(), m.Offset(), m.Costs()[0])
		}
		if m.Name() != "a name" || m.NumRows() != 1 || m.RowName(0) != "other" || !isFree(m.RowLower()[0], m.RowUpper()[0]) {
			t.Errorf("%q: the second N row is not a free row, or the name is %q", c.head, m.Name())
		}
	}
}
