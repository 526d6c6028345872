package report

import (
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/octgen/octgen/experiments/internal/trial"
	"github.com/octgen/octgen/experiments/run"
	"github.com/octgen/octgen/fit"
)

// TestTraceWithoutGap: a fit that solved many problems has no curve, one that
// found nothing has.
func TestTraceWithoutGap(t *testing.T) {
	nothing := []run.TracePoint{point(1, math.NaN(), math.Inf(-1))}
	for _, c := range []struct {
		method, status string
		trace          []run.TracePoint
		want           bool
	}{
		{"oct-tuned", "optimal", nothing, false},
		{"oct-tuned", "feasible", nothing, false},
		{"oct-h-tuned", "feasible", append([]run.TracePoint{point(0, 2, 1)}, nothing...), false},
		{"gto", "optimal", nothing, false},
		{"oct", "no solution", nothing, true},
		{"oct", "feasible", []run.TracePoint{point(1, 2, math.Inf(-1))}, true},
		{"oct", "no solution", []run.TracePoint{point(1, math.NaN(), 0)}, true},
		{"oct", "optimal", []run.TracePoint{point(0, 2, 1), point(1, 2, 2)}, true},
		{"cart", "", nil, false},
	} {
		r := &run.Record{Trace: c.trace, Result: &fit.Result{Method: c.method, Status: c.status, Solver: new(fit.Solver)}}
		if got := hasGap(r); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

// TestTunedCurve: the page of a tuned method's proved fits shows no gap.
func TestTunedCurve(t *testing.T) {
	path := trial.WriteSmall(t)
	text := strings.Replace(trial.Small, "{name: OCT, method: treesearch, depth: 2, threads: 1}", "{name: OCT, method: oct-tuned, depth: 1}", 1)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "out")
	execute(t, path, run.Options{Dir: dir, Only: regexp.MustCompile("^d/OCT/1")})
	s, err := Summarise(dir)
	if err != nil {
		t.Fatal(err)
	}
	if r := s.find("d", "OCT", "proved"); r.N != 3 || r.Mean != 100 || s.find("d", "OCT", "gap").N != 0 {
		t.Fatalf("%+v", r)
	}
	if page, _ := pageOf(t, s, dir); strings.Contains(page, "Gap over time") {
		t.Error("a page with gaps of fits that have none")
	}
}

// point is a point of a trace.
func point(seconds, objective, bound float64) run.TracePoint {
	return run.TracePoint{Seconds: seconds, Objective: objective, Bound: bound}
}
