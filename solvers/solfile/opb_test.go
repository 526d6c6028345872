package solfile

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mps"
)

// TestOPB: answers as clasp and minisat+ print them; the last solution counts.
func TestOPB(t *testing.T) {
	b := mio.NewBuilder("opb")
	for j := range 4 {
		b.AddBinary(float64(j), "x", j)
	}
	m, err := b.Model()
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	mp, err := mps.WriteOPB(&file, m, mps.LPOptions{})
	if err != nil {
		t.Fatal(err)
	}
	const clasp = "c clasp version 3.3.5\nc Reading from a.opb\no 6\nc Answer: 1\nv x1 x2 x3 x4\no 3\nc Answer: 2\nv x1 -x2\nv ~x3 x4\n"
	for _, c := range []struct {
		text   string
		status mio.Status
		values []float64
		err    string
	}{
		{clasp + "s OPTIMUM FOUND\nc \nc Models : 2\n", mio.Optimal, []float64{1, 0, 0, 1}, ""},
		{clasp + "s SATISFIABLE\n", mio.Feasible, []float64{1, 0, 0, 1}, ""},
		{"c Parsing PB file...\ns OPTIMUM FOUND\nv x1 -x2 x3\n", mio.Optimal, []float64{1, 0, 1, 0}, ""},
		{"s UNSATISFIABLE\n", mio.Infeasible, nil, ""},
		{"c nothing\ns UNKNOWN\n", mio.NoSolution, nil, ""},
		{clasp, 0, nil, `expected a line such as "s OPTIMUM FOUND"`},
		{"s OPTIMUM FOUND\n", 0, nil, `the file says "OPTIMUM FOUND" but holds no values`},
		{"s PERHAPS\n", 0, nil, `unknown status "PERHAPS"`},
		{"s SATISFIABLE\nv x1 y2\n", 0, nil, `expected a literal such as x3 or -x3, found "y2"`},
		{"s SATISFIABLE\nv x5\n", 0, nil, "variable x5, the model has 4"},
		{"s SATISFIABLE\nv x0\n", 0, nil, "variable x0, the model has 4"},
		{"s SATISFIABLE\nv x1 -x1\n", 0, nil, "column 1 has a value already"},
		{"s SATISFIABLE\nx1 1\n", 0, nil, "expected a line of c, o, v or s"},
	} {
		sol, err := Read(strings.NewReader(c.text), "answer", OPB, m, mp, ReadOptions{})
		if c.err != "" {
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%q: %v, want %q", c.text, err, c.err)
			}
			continue
		}
		if err != nil || sol.Status != c.status || !slices.Equal(sol.Values, c.values) {
			t.Errorf("%q: %v, %v, want %v, %v", c.text, sol, err, c.status, c.values)
		}
		if f, _, err := detect(strings.NewReader(c.text)); f != OPB {
			t.Errorf("%q: detected %q, %v", c.text, f, err)
		}
	}
}
