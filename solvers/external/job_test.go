package external

import (
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/solvers"
)

// TestLoosen: a bound that was printed with few digits is never above the
// number that was printed, and hardly below it.
func TestLoosen(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 20_000 {
		v := (rng.Float64() - 0.5) * math.Pow(10, float64(rng.IntN(25)-12))
		for _, digits := range []int{7, 8, 10} {
			for _, verb := range []byte{'g', 'e'} {
				text := strconv.FormatFloat(v, 'g', digits, 64)
				if verb == 'e' {
					text = strconv.FormatFloat(v, 'e', digits-1, 64)
				}
				printed, ok := number(text)
				if !ok {
					t.Fatal(text)
				}
				low := loosen(printed, text, digits)
				// A number that happens to end in zeros is taken for exact.
				if slack := math.Abs(v) * math.Pow(10, -float64(digits)+1); low > v+slack/2 || low < v-2*slack {
					t.Fatalf("%v printed as %s is loosened to %v", v, text, low)
				}
			}
		}
	}
	for text, want := range map[string]float64{"0": 0, "4.25": 4.25, "-764": -764, "1e+03": 1000, "0.000": 0, "3.5000000000": 3.5} {
		v, _ := number(text)
		if got := loosen(v, text, 8); got != want {
			t.Errorf("%s is loosened to %v", text, got)
		}
	}
	if got := loosen(-764.42469, "-764.42469", 8); got >= -764.42469 || got < -764.4247 {
		t.Errorf("-764.42469 is loosened to %v", got)
	}
}

// TestScanLines: lines as the solvers print them, of several versions.
func TestScanLines(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		name             string
		line             string
		objective, bound float64
		nodes, iter      int64
	}{
		{"highs-exe", "         0       0         0   0.00%   0               inf                  inf        0      0      0         0     0.0s", inf, 0, 0, 0},
		{"highs-exe", " L    1239     245       468   0.18%   0.5             5                 90.00%      560      3   2922     10919     0.5s", 5, 0.5, 1239, 10919},
		{"highs-exe", "      5762     348      1153   0.20%   -inf            inf                  inf      613      5   4666     31942     1.3s", inf, -inf, 5762, 31942},
		{"cbc", "Cbc0010I After 1000 nodes, 18 on tree, 2 best solution, best possible 0.5 (1.61 seconds)", 2, 0.5, 1000, 0},
		{"cbc", "Cbc0010I After 0 nodes, 1 on tree, 1e+50 best solution, best possible 3.5 (0.07 seconds)", inf, 3.5, 0, 0},
		{"cbc", "Cbc0016I Integer solution of 6 found by strong branching after 2244 iterations and 504 nodes (0.15 seconds)", 6, -inf, 504, 2244},
		{"cbc", "Cbc0005I Partial search - best objective 2 (best possible 0.5), took 1244838 iterations and 476063 nodes (2.01 seconds)", 2, 0.5, 476063, 1244838},
		{"glpk", "+    23: mip =     not found yet >=              -inf        (1; 0)", inf, -inf, 0, 23},
		{"glpk", "+   535: >>>>>   1.000000000e+01 >=   2.500000000e+00  75.0% (190; 23)", 10, 2.5, 0, 535},
		{"glpk", "+   366: mip =  -7.610000000e+02 >=     tree is empty   0.0% (0; 23)", -761, -inf, 0, 366},
		{"scip", "t 0.0s|     1 |     0 |     0 |     - |   195k|   0 |   - |   1 |   1 |   0 |   0 |   0 |   0 |   0 |      --      | 7.100000e+01 |    Inf ", 71, -inf, 1, 0},
		{"scip", "  5.0s|   318 |   191 |  6023 |  20.3 |   655k |  12 |   3 |   2 |   2 |   0 |  1 |   0 |   0 | 4.300000e+00 | 5.000000e+00 |  16.28%|   3.21%", 5, 4.3, 318, 6023},
		{"gurobi", "     0     2 1376.98418    0   53 2535.00000 1376.98418  45.7%     -    0s", 2535, 1376.98418 - 5e-6, 0, 0},
		{"gurobi", "*14326  2205              27    2343.0000000 2088.50000  10.9%  15.7    3s", 2343, 2088.5 - 5e-6, 14326, 0},
		{"gurobi", "     0     0    4.25000    0    1          -    4.25000      -     -    0s", inf, 4.25 - 5e-6, 0, 0},
		{"cplex", "*     0+    0                         2535.0000        0.0000           100.00%", 2535, -5e-5, 0, 0},
		{"cplex", "    10     1        5.0000     0        5.0000        4.0000       17   20.00%", 5, 4 - 5e-5, 10, 17},
		{"xpress", "a       3     4.500000     4.250000      2      2      1    5.56%        1      0", 4.5, 4.25 - 5e-7, 3, 0},
	} {
		for _, p := range forms() {
			if p.name != c.name {
				continue
			}
			r := newRecord()
			p.scan(c.line, r)
			near := func(a, b float64) bool { return a == b || math.Abs(a-b) < 1e-9 }
			if !near(r.objective, c.objective) || !near(r.bound, c.bound) || r.nodes != c.nodes || r.iter != c.iter || r.status != mio.Unknown {
				t.Errorf("%s %q: %+v", c.name, c.line, r)
			}
		}
	}
}

// FuzzLog: whatever a solver prints, its log is read, in pieces and lines of any
// length, and what it says is numbers.
func FuzzLog(f *testing.F) {
	logs, err := filepath.Glob(filepath.Join("testdata", "*", "*", "log.txt"))
	if err != nil || len(logs) == 0 {
		f.Fatal("no logs", err)
	}
	for _, path := range logs {
		text, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Add([]byte(" L    1239     245       468   0.18%   0.5             5                 90.00%      560      3   2922     10919     0.5s\n  Dual bound        4.25\n"))
	f.Add([]byte("Cbc0010I After 1000 nodes, 18 on tree, 2 best solution, best possible 0.5 (1.61 seconds)\nMIPStart provided solution with cost 7\n"))
	f.Add([]byte("+   535: >>>>>   1.000000000e+01 >=   2.500000000e+00  75.0% (190; 23)\nINTEGER OPTIMAL SOLUTION FOUND\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, p := range forms() {
			r := newRecord()
			l := &log{job: &job{program: p, opt: &solvers.Options{}}, record: r}
			for at := 0; at < len(text); at += 1000 {
				l.take(text[at:min(at+1000, len(text))])
			}
			l.finish()
			if math.IsNaN(r.objective) || math.IsNaN(r.bound) || r.nodes < 0 || r.iter < 0 {
				t.Fatalf("%s: %+v", p.name, r)
			}
			if len(l.tail()) > tailLines {
				t.Fatalf("%s: %d lines in the tail", p.name, len(l.tail()))
			}
		}
	})
}

// forms lists the executables and packages of all solvers.
func forms() (list []*program) {
	for _, s := range all() {
		list = append(list, s.forms...)
	}
	return list
}
