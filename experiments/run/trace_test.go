package run

import (
	"encoding/json"
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/solvers"
)

func event(seconds, objective, bound float64) *solvers.Event {
	return &solvers.Event{Elapsed: time.Duration(seconds * float64(time.Second)), Objective: objective, Bound: bound}
}

func resultOf(seconds float64, objective, bound *float64) *fit.Result {
	return &fit.Result{Solver: &fit.Solver{Seconds: seconds, Objective: objective, Bound: bound}}
}

// TestTrace: only changes, only the last solve, nothing after its end, and the outcome last.
func TestTrace(t *testing.T) {
	none, half, one := math.NaN(), 0.5, 1.0
	var tr tracer
	tr.add(event(0, none, math.Inf(-1)))
	tr.add(event(1, 7, math.Inf(-1)))
	tr.add(event(0, none, math.Inf(-1))) // another solve
	tr.add(event(2, one, math.Inf(-1)))
	tr.add(event(3, one, math.Inf(-1)))
	tr.add(event(4, one, half))
	got := tr.end(resultOf(5, &one, &one))
	tr.add(event(6, 0, 0))
	want := []TracePoint{{0, none, math.Inf(-1)}, {2, 1, math.Inf(-1)}, {4, 1, 0.5}, {5, 1, 1}}
	if diff := cmp.Diff(want, got, cmpopts.EquateNaNs()); diff != "" {
		t.Error(diff)
	}
	if got := tr.end(&fit.Result{}); got != nil {
		t.Errorf("a trace without a solver: %v", got)
	}
	if got := tr.end(nil); got != nil {
		t.Errorf("a trace without a result: %v", got)
	}
	text, err := json.Marshal(want)
	if err != nil || string(text) != "[[0,null,null],[2,1,null],[4,1,0.5],[5,1,1]]" {
		t.Errorf("%s, %v", text, err)
	}
	var back []TracePoint
	if err := json.Unmarshal(text, &back); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, back, cmpopts.EquateNaNs()); diff != "" {
		t.Error(diff)
	}
}

// TestTraceThinned: of many changes about a hundred points remain, in order, including the first,
// the last and the first incumbent; no curve moves far.
func TestTraceThinned(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 2000).Draw(t, "events")
		incumbent := rapid.IntRange(0, n).Draw(t, "incumbent") // index of the first one
		tr := tracer{}
		objective, bound, first := math.NaN(), 0.0, math.NaN()
		var all []TracePoint
		for i := range n {
			seconds := math.Exp(float64(i)/300) - 1
			if i == incumbent {
				objective, first = 1e3, seconds
			}
			if i > incumbent && i%7 == 0 {
				objective *= 0.999
			}
			bound += 1 / float64(i+1)
			tr.add(event(seconds, objective, bound))
			all = append(all, TracePoint{seconds, objective, bound})
		}
		got := tr.end(resultOf(100, fit.Known(objective), &bound))
		if len(got) > tracePoints || len(got) < min(n, tracePoints/2) {
			t.Fatalf("%d points of %d", len(got), n)
		}
		if got[0].Bound != all[0].Bound || got[len(got)-1].Seconds < 100 {
			t.Fatalf("from %v to %v", got[0], got[len(got)-1])
		}
		for i := range got {
			if i > 0 && got[i].Seconds < got[i-1].Seconds {
				t.Fatalf("%v after %v", got[i], got[i-1])
			}
			if i == 0 || math.IsNaN(got[i-1].Objective) && !math.IsNaN(got[i].Objective) {
				if !math.IsNaN(got[i].Objective) && !(math.Abs(got[i].Seconds-first) < 1e-6) && incumbent > 0 {
					t.Fatalf("the first incumbent at %v, want %v", got[i].Seconds, first)
				}
			}
		}
		for _, p := range all { // the thinned curve at the same time
			at := 0
			for at+1 < len(got) && got[at+1].Seconds <= p.Seconds {
				at++
			}
			if d := math.Abs(got[at].Bound - p.Bound); d > 1.5 && p.Seconds > LeastSeconds {
				t.Fatalf("at %v s the bound is off by %v", p.Seconds, d)
			}
		}
	})
}
