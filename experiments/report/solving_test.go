package report

import (
	"math"
	"strings"
	"testing"

	"github.com/octgen/octgen/experiments/run"
	"github.com/octgen/octgen/experiments/spec"
	"github.com/octgen/octgen/fit"
)

// solvedSummary returns three models and CART on two data; a time below 0 means no proof.
func solvedSummary(t *testing.T, seconds map[string][]float64) *Summary {
	t.Helper()
	s, err := spec.Parse([]byte(`name: times
data: [{file: a.csv}, {file: b.csv}]
evaluate: {holdout: 0.5}
methods:
  - {name: X, method: oct, engine: mio, depth: 2, time_limit: 60s}
  - {name: Y, method: oct, engine: mio, depth: 2, encoding: flow, time_limit: 60s}
  - {name: CART, method: cart}
`), "s.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var records []run.Record
	for m, of := range seconds {
		for i, v := range of {
			r := run.Record{ID: "1", Data: []string{"a", "b"}[i], Method: m, Split: "1", Result: &fit.Result{Seconds: math.Abs(v)}}
			if m != "CART" {
				r.Result.Status, r.Result.Solver = "optimal", new(fit.Solver)
				if v < 0 {
					r.Result.Status = "feasible"
				}
			}
			records = append(records, r)
		}
	}
	sum := &Summary{Spec: s, Version: "v1"}
	sum.add(records)
	return sum
}

// TestSolved: figures computed by hand.
func TestSolved(t *testing.T) {
	s := solvedSummary(t, map[string][]float64{"X": {0.001, 7}, "Y": {3, -20}, "CART": {0.1, 0.1}})
	var b strings.Builder
	if err := s.writeSolving(&b); err != nil {
		t.Fatal(err)
	}
	// X: sqrt(1.001 * 8) - 1; Y: the limit of 60 s counts for its open task, sqrt(4 * 61) - 1, and
	// 3 s are 300 times the minimum time of 10 ms.
	want := `method,tasks,proved,shifted_geometric_mean_seconds,within_1,within_2,within_4,within_8,within_16,within_32,within_64
X,2,2,1.830,1.000,1.000,1.000,1.000,1.000,1.000,1.000
Y,2,1,14.620,0.000,0.000,0.000,0.000,0.000,0.000,0.000
`
	if b.String() != want {
		t.Errorf("%s\nwant\n%s", b.String(), want)
	}
	all := s.solved()
	if all[1].within(299.9) != 0 || all[1].within(300.1) != 0.5 || all[1].within(math.MaxFloat64) != 0.5 {
		t.Errorf("%v", all[1].ratios)
	}
	sec := s.profilePlots()
	if len(sec.Figures) != 1 || !sec.Times || !strings.Contains(sec.Notes[1], "X: 2 of 2, 1.8 s; Y: 1 of 2, 14.6 s") {
		t.Errorf("%+v", sec)
	}
	if text := sec.Figures[0].Label; !strings.Contains(text, "Y: 0 % as fast as the fastest, 50 % in all") {
		t.Error(text)
	}
}

// TestSolvedRefuted: a claim that the check refutes is not a proof, and its time does not count.
func TestSolvedRefuted(t *testing.T) {
	s := solvedSummary(t, map[string][]float64{"X": {4, 7}, "Y": {1, 20}})
	for i := range s.records {
		if r := &s.records[i]; r.Method == "Y" && r.Data == "a" {
			r.Error = "check failed: there is a better tree"
		}
	}
	if all := s.solved(); all[0].proved != 2 || all[0].ratios[0] != 1 || all[1].proved != 1 || !math.IsInf(all[1].ratios[1], 1) {
		t.Errorf("%+v", all)
	}
}

// TestSolvedOfFew: there is no comparison for a single model, without a proof, or without common
// tasks.
func TestSolvedOfFew(t *testing.T) {
	for name, seconds := range map[string]map[string][]float64{
		"one program": {"X": {1, 2}, "CART": {1, 1}},
		"no proof":    {"X": {-1, -2}, "Y": {-1, -2}},
		"no times":    {},
	} {
		if all := solvedSummary(t, seconds).solved(); all != nil {
			t.Errorf("%s: %+v", name, all)
		}
	}
	all := solvedSummary(t, map[string][]float64{"X": {1, 2}, "Y": {4}}).solved()
	if len(all) != 2 || all[0].tasks != 1 || all[1].ratios[0] != 4 {
		t.Errorf("%+v", all)
	}
}
