package solfile

import (
	"bytes"
	"math"
	"os"
	"testing"

	"github.com/octgen/octgen/mio"
)

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
