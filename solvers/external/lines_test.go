package external

import "testing"

// TestLogLines: lines as SCIP 10 and Xpress 9.9 print them.
func TestLogLines(t *testing.T) {
	for _, c := range []struct {
		name, line string
		scan       func(string, *record)
		start      bool
		objective  float64
		nodes      int64
	}{
		{"SCIP took the start", "1/1 feasible solution given by solution candidate storage, new primal bound 1.600000e+01", scipScan, true, 0, 0},
		{"SCIP found no way to complete it", "0/1 feasible solution given by solution candidate storage", scipScan, false, 0, 0},
		{"SCIP refused the start", "all 1 solutions given by solution candidate storage are infeasible", scipScan, false, 0, 0},
		{"Xpress took the start", " *** Solution found:      .461538   Time:   0    Heuristic: U ***", xpressScan, true, 0, 0},
		{"Xpress found another", " *** Solution found:      .461538   Time:   0    Heuristic: e ***", xpressScan, false, 0, 0},
		{"cuts at the root of Xpress", "  26  G       .461538      .000000      1      9      0 0.461538       9      0", xpressScan, false, 0.461538, 0},
		{"tree of Xpress", "     26       -.461538     -.500000      1      9      0 0.461538       9      0", xpressScan, false, -0.461538, 26},
	} {
		r := newRecord()
		c.scan(c.line, r)
		if r.start != c.start || c.objective != 0 && r.objective != c.objective || r.nodes != c.nodes {
			t.Errorf("%s: start %v, objective %v, %d nodes", c.name, r.start, r.objective, r.nodes)
		}
	}
}
