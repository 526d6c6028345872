package solfile

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/octgen/octgen/mio"
)

// describe is what the golden file has of a solution.
func describe(m *mio.Model, s *mio.Solution) string {
	var b strings.Builder
	fmt.Fprintf(&b, "status %s, limit %q, raw %q, solver %s\n", s.Status, s.Limit, s.Raw, s.Solver)
	fmt.Fprintf(&b, "objective %v, bound %v, gap %v, nodes %d, iterations %d\n", s.Objective, s.Bound, s.Gap, s.Nodes, s.Iter)
	if s.Values == nil {
		b.WriteString("no values\n")
		return b.String()
	}
	for j, v := range s.Values {
		fmt.Fprintf(&b, "%s = %v\n", m.ColName(j), v)
	}
	return b.String()
}

// TestReadGolden: files as the solvers write them, for oddModel: of HiGHS 1.10,
// CBC 2.10.8 and GLPK 5.0 recorded, of the others after their documentation. The
// name's first part is the format, and Detect must agree.
func TestReadGolden(t *testing.T) {
	m, mp := oddModel(t)
	var b strings.Builder
	for _, path := range files(t, "solution/*") {
		f := formatOf(path)
		if got, err := Detect(path); got != f {
			t.Errorf("%s: detected %q, %v", path, got, err)
		}
		s, err := ReadFile(path, f, m, mp, ReadOptions{})
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		fmt.Fprintf(&b, "%s\n%s\n", filepath.Base(path), describe(m, s))
		if s.Status == mio.Optimal {
			if r := mio.Check(m, s.Values, 1e-6); !r.Feasible || math.Abs(r.Objective-m.Objective(oddOptimum)) > 1e-6 || math.Abs(r.Objective-s.Objective) > 1e-6 {
				t.Errorf("%s: an optimum that is none: %v", path, r)
			}
		}
	}
	golden(t, "solution.golden", b.String())
}

// TestReadBad: what is wrong, and where.
func TestReadBad(t *testing.T) {
	m, mp := oddModel(t)
	var b strings.Builder
	for _, path := range files(t, "bad/*") {
		s, err := ReadFile(path, formatOf(path), m, mp, ReadOptions{})
		var at *FormatError
		if !errors.As(err, &at) || s != nil {
			t.Errorf("%s: %v, %v", path, s, err)
			continue
		}
		fmt.Fprintf(&b, "%s:%d: %v [other model: %v]\n", filepath.Base(at.File), at.Line, at.Err, errors.Is(err, ErrOtherModel))
	}
	golden(t, "bad.golden", b.String())
}

// TestChoice: several solutions in one file.
func TestChoice(t *testing.T) {
	m, mp := oddModel(t)
	for _, path := range files(t, "solution/*-several*") {
		objectives := map[int]float64{}
		for k := range 4 {
			s, err := ReadFile(path, formatOf(path), m, mp, ReadOptions{Solution: k})
			if err != nil {
				t.Fatal(err)
			}
			objectives[k] = m.Objective(s.Values)
			if math.Abs(s.Objective-objectives[k]) > 1e-9 {
				t.Errorf("%s: solution %d states %v, it has %v", path, k, s.Objective, objectives[k])
			}
		}
		want := map[int]float64{0: 17, 1: 16, 2: 17, 3: 13}
		if formatOf(path) == Xpress { // states no objectives
			want[0] = want[1]
		}
		if d := cmp.Diff(want, objectives, approx(1e-9)); d != "" {
			t.Errorf("%s: %s", path, d)
		}
		for _, k := range []int{-1, 4} {
			_, err := ReadFile(path, formatOf(path), m, mp, ReadOptions{Solution: k})
			if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("solution %d was asked for, the file has 3", k)) {
				t.Errorf("%s: solution %d: %v", path, k, err)
			}
		}
	}
}

func approx(tol float64) cmp.Option {
	return cmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) <= tol })
}

// TestCut: of a file that was cut anywhere, no other solution is read than the
// whole one. CBC, SCIP and the MIPLIB form of HiGHS leave out zeros and have no
// end, so that a cut between lines cannot be seen there: it is found out by the
// objective.
func TestCut(t *testing.T) {
	m, mp := oddModel(t)
	for _, path := range files(t, "solution/*") {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		f := formatOf(path)
		open := f == CBC || f == SCIP || bytes.Contains(text, []byte("=obj="))
		whole, err := Read(bytes.NewReader(text), path, f, m, mp, ReadOptions{Solution: 1})
		if err != nil || whole.Values == nil {
			continue
		}
		for k := range text {
			s, err := Read(bytes.NewReader(text[:k]), path, f, m, mp, ReadOptions{Solution: 1})
			if err != nil || s.Values == nil {
				continue
			}
			same := cmp.Equal(whole.Values, s.Values)
			between := text[k] == '\n' || k > 0 && text[k-1] == '\n'
			if !same && !(open && between && math.Abs(m.Objective(s.Values)-s.Objective) > 1e-3) {
				t.Errorf("%s cut after %d bytes: values %v\n%s", path, k, s.Values, text[:k])
			}
		}
	}
}

// TestMissingZero: columns left out are 0 only where that is asked for.
func TestMissingZero(t *testing.T) {
	m, mp := oddModel(t)
	const text = "# Objective value = -17\nx#1 1\noctgen_c6 -7\noctgen_one 1\n"
	_, err := Read(strings.NewReader(text), "f", Gurobi, m, mp, ReadOptions{})
	if !errors.Is(err, ErrOtherModel) {
		t.Errorf("%v", err)
	}
	s, err := Read(strings.NewReader(text), "f", Gurobi, m, mp, ReadOptions{MissingZero: true})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]float64{1, 0, 0, 0, 0, -7}, s.Values); d != "" {
		t.Error(d)
	}
}

// TestMaxBytes: what is too large is not read to its end.
func TestMaxBytes(t *testing.T) {
	m, mp := oddModel(t)
	for _, path := range files(t, "solution/*-optimal*") {
		_, err := ReadFile(path, formatOf(path), m, mp, ReadOptions{MaxBytes: 20})
		if err == nil || !strings.Contains(err.Error(), "more than 20 bytes (ReadOptions.MaxBytes)") {
			t.Errorf("%s: %v", path, err)
		}
	}
}

func TestDetectUnknown(t *testing.T) {
	for _, text := range []string{"", "\n\n", "hello\n", "x y z\n", "{\"a\": 1}\n", "Columns\n"} {
		if f, _, err := detect(strings.NewReader(text)); err == nil || f != "" {
			t.Errorf("%q is detected as %q", text, f)
		}
	}
	if _, err := Detect(filepath.Join(t.TempDir(), "none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%v", err)
	}
}

// TestModelName: where a file names its model, the name is told.
func TestModelName(t *testing.T) {
	b := mio.NewBuilder("one")
	b.AddCol(1, 0, 1, mio.Binary, "x")
	m := build(t, b)
	for _, c := range []struct {
		format     Format
		text, name string
	}{
		{Gurobi, "# Solution for model oct-0123abcd\n# Objective value = 1\nx 1\n", "oct-0123abcd"},
		{Gurobi, "# MIP start for model oct-0123abcd\nx 1\n", "oct-0123abcd"},
		{Gurobi, "x 1\n", ""},
		{GLPK, "c Problem:    oct-0123abcd\nc Status:     INTEGER OPTIMAL\ns mip 0 1 o 1\nj 1 1\ne o f\n", "oct-0123abcd"},
		{Xpress, "NAME oct-0123abcd\n C x 1\nENDATA\n", "oct-0123abcd"},
		{CPLEX, `<CPLEXSolution version="1.2"><header problemName="oct-0123abcd" objectiveValue="1" solutionStatusValue="101"/><variables><variable name="x" index="0" value="1"/></variables></CPLEXSolution>`, "oct-0123abcd"},
		{CBC, "Optimal - objective value 1\n0 x 1 0\n", ""},
	} {
		for _, mark := range []string{"", "\ufeff"} {
			sol, err := Read(strings.NewReader(mark+c.text), "test.sol", c.format, m, nil, ReadOptions{})
			if err != nil {
				t.Errorf("%s: %v", c.format, err)
			} else if sol.Model != c.name || sol.Values[0] != 1 {
				t.Errorf("%s: model %q, values %v, want %q", c.format, sol.Model, sol.Values, c.name)
			}
		}
	}
}

// fuzz: no input makes the reader of f panic or hang; what it accepts has a
// finite value for every column exactly where its status says so, and reads back
// as the same point when it is written as a start.
func fuzz(f *testing.F, format Format) {
	for _, pattern := range []string{"solution/*", "bad/*", "start/*"} {
		for _, path := range files(f, pattern) {
			if formatOf(path) != format {
				continue
			}
			text, err := os.ReadFile(path)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(text)
		}
	}
	m, mp := oddModel(f)
	f.Fuzz(func(t *testing.T, text []byte) {
		stated, statedErr := Read(bytes.NewReader(text), "fuzz", format, m, mp, ReadOptions{MaxBytes: 1 << 16, AsStated: true})
		if statedErr == nil && stated.Values != nil {
			checkFinite(t, stated)
		}
		s, err := Read(bytes.NewReader(text), "fuzz", format, m, mp, ReadOptions{MaxBytes: 1 << 16})
		if err != nil {
			return
		}
		if s.Status.HasSolution() != (s.Values != nil) || (s.Values == nil) != math.IsNaN(s.Objective) {
			t.Fatalf("%+v", s)
		}
		if s.Values == nil {
			return
		}
		checkFinite(t, s)
		if r := mio.Check(m, s.Values, integral); !r.Feasible || !format.Starts() {
			return
		}
		again, err := Read(bytes.NewReader([]byte(writeStart(t, format, m, mp, s.Values, StartOptions{}))), "again", format, m, mp, ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for j, v := range s.Values {
			if math.Abs(again.Values[j]-v) > integral {
				t.Fatalf("column %d: %v, then %v", j, v, again.Values[j])
			}
		}
	})
}

func checkFinite(t *testing.T, s *mio.Solution) {
	for j, v := range s.Values {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			t.Fatalf("column %d is %v", j, v)
		}
	}
}

func FuzzHiGHS(f *testing.F)  { fuzz(f, HiGHS) }
func FuzzGurobi(f *testing.F) { fuzz(f, Gurobi) }
func FuzzCPLEX(f *testing.F)  { fuzz(f, CPLEX) }
func FuzzCBC(f *testing.F)    { fuzz(f, CBC) }
func FuzzSCIP(f *testing.F)   { fuzz(f, SCIP) }
func FuzzGLPK(f *testing.F)   { fuzz(f, GLPK) }
func FuzzXpress(f *testing.F) { fuzz(f, Xpress) }
func FuzzOPB(f *testing.F)    { fuzz(f, OPB) }

// FuzzDetect: no input makes it panic.
func FuzzDetect(f *testing.F) {
	for _, path := range files(f, "solution/*") {
		text, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		format, _, err := detect(bytes.NewReader(text))
		if (err == nil) != (format != "") {
			t.Fatalf("%q, %v", format, err)
		}
	})
}
