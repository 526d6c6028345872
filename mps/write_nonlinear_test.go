package mps

import (
	"bytes"
	"errors"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/octgen/octgen/mio"
)

// TestDialectErrors: what a dialect cannot say is an error that names it, and
// the other dialects write it.
func TestDialectErrors(t *testing.T) {
	for name, c := range map[string]struct {
		add   func(b *mio.Builder)
		fails []Dialect
		parts []string
	}{
		"quadratic range": {func(b *mio.Builder) { b.AddQuad(0, 0, 0, 1) }, []Dialect{Portable, Gurobi, CPLEX, Xpress},
			[]string{"quadratic row range", "two rows"}},
		"indicator range": {func(b *mio.Builder) { b.AddIndicator(0, 1, true) }, []Dialect{Portable, Gurobi, CPLEX, Xpress},
			[]string{"indicator row range", "two rows"}},
		"quadratic row":    {func(b *mio.Builder) { b.AddQuad(1, 0, 0, 1) }, []Dialect{HiGHS}, []string{"HiGHS", "quadratic rows"}},
		"indicator":        {func(b *mio.Builder) { b.AddIndicator(1, 1, true) }, []Dialect{HiGHS}, []string{"HiGHS", "indicator rows"}},
		"SOS":              {func(b *mio.Builder) { b.AddSOS(1, "", []mio.Col{0}, []float64{1}) }, []Dialect{HiGHS}, []string{"HiGHS", "SOS"}},
		"discrete QP":      {func(b *mio.Builder) { b.AddQuadCost(0, 0, 1) }, []Dialect{HiGHS}, []string{"HiGHS", "discrete columns (1)"}},
		"cost overflow":    {func(b *mio.Builder) { b.AddQuadCost(0, 0, 1e308) }, []Dialect{Portable, Gurobi, CPLEX, SCIP, Xpress}, []string{"1e+308 of x squared", "doubled"}},
		"row underflow":    {func(b *mio.Builder) { b.AddQuad(1, 0, 1, 5e-324) }, []Dialect{Portable, Gurobi, CPLEX, SCIP, Xpress}, []string{"row one", "5e-324 of x * b", "halved"}},
		"mixed cost large": {func(b *mio.Builder) { b.AddQuadCost(0, 1, 1e308) }, []Dialect{HiGHS}, []string{"discrete"}},
	} {
		b := mio.NewBuilder("m")
		b.AddCol(1, 0, 1, mio.Continuous, "x")
		b.AddBinary(1, "b")
		b.AddRow(0, 1, "range")
		b.AddRow(0, mio.Inf, "one")
		c.add(b)
		m := frozen(t, b)
		for d := range numDialects {
			_, err := Write(io.Discard, m, Options{Dialect: d})
			if fails := bytes.IndexByte(dialectBytes(c.fails), byte(d)) >= 0; fails != (err != nil) && d != HiGHS {
				t.Errorf("%s, %s: error %v", name, d, err)
			}
			if d == HiGHS && err == nil {
				t.Errorf("%s: written for HiGHS", name)
			}
			if err != nil && d == c.fails[0] {
				for _, p := range append(c.parts, `"m"`) {
					if !strings.Contains(err.Error(), p) {
						t.Errorf("%s, %s: error %q does not mention %q", name, d, err, p)
					}
				}
			}
		}
	}
}

func dialectBytes(list []Dialect) []byte {
	var b []byte
	for _, d := range list {
		b = append(b, byte(d))
	}
	return b
}

func TestLPErrors(t *testing.T) {
	b := mio.NewBuilder("m")
	b.AddCol(0, 0, 1, mio.Continuous, "x")
	b.AddBinary(0, "y")
	b.AddQuadCost(0, 1, -1.5e308)
	_, err := WriteLP(io.Discard, frozen(t, b), LPOptions{})
	for _, p := range []string{"x * y", "-1.5e+308"} {
		if err == nil || !strings.Contains(err.Error(), p) {
			t.Errorf("error %v does not mention %q", err, p)
		}
	}
	if _, err := WriteLP(failing{}, tinyModels(t)["max"], LPOptions{}); err == nil || !strings.Contains(err.Error(), "no space") {
		t.Errorf("error %v is not the writer's", err)
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errNoSpace }

var errNoSpace = errors.New("no space left")

// TestHiGHSConvex: a nonconvex objective is not written for HiGHS, which may
// answer it wrongly without a word; a convex one is.
func TestHiGHSConvex(t *testing.T) {
	for name, c := range map[string]struct {
		terms  [][3]float64 // columns and coefficient
		max    bool
		convex bool
	}{
		"square":          {[][3]float64{{0, 0, 1}}, false, true},
		"negative square": {[][3]float64{{0, 0, -1}}, false, false},
		"maximised":       {[][3]float64{{0, 0, -1}}, true, true},
		"max of a square": {[][3]float64{{0, 0, 1}}, true, false},
		"product":         {[][3]float64{{0, 1, 1}}, false, false},
		"half a square":   {[][3]float64{{0, 0, 1}, {0, 1, 1}}, false, false},
		"outweighed":      {[][3]float64{{0, 0, 1}, {1, 1, 1}, {0, 1, -2}}, false, true},
		"too much":        {[][3]float64{{0, 0, 1}, {1, 1, 1}, {0, 1, -2.1}}, false, false},
	} {
		b := mio.NewBuilder("m")
		if c.max {
			b.SetSense(mio.Maximize)
		}
		b.AddCol(1, 0, 1, mio.Continuous, "x")
		b.AddCol(1, 0, 1, mio.Continuous, "y")
		for _, q := range c.terms {
			b.AddQuadCost(mio.Col(q[0]), mio.Col(q[1]), q[2])
		}
		_, err := Write(io.Discard, frozen(t, b), Options{Dialect: HiGHS})
		if (err == nil) != c.convex {
			t.Errorf("%s: error %v, convex %v", name, err, c.convex)
		}
		var format *FormatError
		if err != nil && !errors.As(err, &format) {
			t.Errorf("%s: %v is no FormatError", name, err)
		}
	}
}

// TestSections: the order of the sections that the solvers want.
func TestSections(t *testing.T) {
	b := mio.NewBuilder("m")
	x, p := b.AddCol(1, 0, 1, mio.Continuous, "x"), b.AddBinary(1, "p")
	b.AddQuad(b.AddRow(0, mio.Inf, "q"), x, x, 1)
	b.AddIndicator(b.AddRow(0, mio.Inf, "i"), p, true)
	b.AddQuadCost(x, x, 1)
	b.AddSOS(1, "set", []mio.Col{x}, []float64{1})
	m := frozen(t, b)
	for d := range numDialects {
		want := "NAME ROWS COLUMNS RHS BOUNDS SOS QUADOBJ QCMATRIX INDICATORS ENDATA"
		switch d {
		case Gurobi:
			want = "NAME ROWS COLUMNS RHS BOUNDS QUADOBJ QCMATRIX SOS INDICATORS ENDATA"
		case CPLEX:
			want = "NAME ROWS COLUMNS RHS BOUNDS SOS QMATRIX QCMATRIX INDICATORS ENDATA"
		case HiGHS:
			continue
		}
		var buf bytes.Buffer
		if _, err := Write(&buf, m, Options{Dialect: d}); err != nil {
			t.Fatal(err)
		}
		var got []string
		for l := range strings.Lines(buf.String()) {
			if l[0] != ' ' && l[0] != '*' {
				got = append(got, strings.Fields(l)[0])
			}
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%s: %s, want %s", d, s, want)
		}
	}
}

// pieces keeps what is written and the size of the largest piece.
type pieces struct {
	bytes.Buffer
	largest int
}

func (p *pieces) Write(b []byte) (int, error) {
	p.largest = max(p.largest, len(b))
	return p.Buffer.Write(b)
}

// TestWriteLPManyTerms: lines that are flushed in the middle of a statement
// come out whole.
func TestWriteLPManyTerms(t *testing.T) {
	const n = 30000
	b := mio.NewBuilder("m")
	r := b.AddRow(math.Inf(-1), 1, "r")
	for j := range n {
		b.Add(r, b.AddCol(0, 0, 1, mio.Continuous, "column", j), 2)
	}
	var buf pieces
	if _, err := WriteLP(&buf, frozen(t, b), LPOptions{}); err != nil {
		t.Fatal(err)
	}
	if buf.largest > bufferSize {
		t.Errorf("a piece of %d bytes: the statement was kept in memory", buf.largest)
	}
	_, rest, _ := strings.Cut(buf.String(), " r:")
	row, _, _ := strings.Cut(rest, "<= 1")
	fields := strings.Fields(row)
	if len(fields) != 3*n-1 || fields[0] != "2" || fields[1] != "column_0" || fields[len(fields)-1] != "column_29999" {
		t.Fatalf("%d fields, want %d", len(fields), 3*n-1)
	}
	for l := range strings.Lines(buf.String()) {
		if len(l) > lpWidth+1 {
			t.Fatalf("a line of %d characters", len(l))
		}
	}
}
