package mio

import (
	"context"
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestGap(t *testing.T) {
	for _, c := range []struct{ objective, bound, want float64 }{
		{10, 9, 0.1},
		{-10, -9, 0.1}, // maximizing
		{9, 10, 1.0 / 9},
		{4, 4, 0},
		{0, 0, 0},
		{0, -1, 1e10},
		{1e-12, 0, 1e-2},
		{5, -Inf, Inf},
		{math.NaN(), 0, Inf},
		{0, math.NaN(), Inf},
		{Inf, Inf, Inf},
		{-Inf, -Inf, Inf},
	} {
		if got := Gap(c.objective, c.bound); got != c.want && math.Abs(got-c.want) > 1e-15*c.want {
			t.Errorf("Gap(%v, %v) = %v, want %v", c.objective, c.bound, got, c.want)
		}
	}
}

// TestStrings: the words are part of octgen's JSON.
func TestStrings(t *testing.T) {
	var got []string
	for s := Unknown; s <= NumericalError+1; s++ {
		got = append(got, s.String())
	}
	for l := NoLimit; l <= LimitGap+1; l++ {
		got = append(got, l.String())
	}
	for v := Continuous; v <= Binary; v++ {
		got = append(got, v.String())
	}
	for k := RowViolation; k <= numViolationKinds; k++ {
		got = append(got, k.String())
	}
	got = append(got, Minimize.String(), Maximize.String())
	want := []string{
		"unknown", "optimal", "feasible", "no solution", "infeasible", "unbounded", "infeasible or unbounded", "numerical error", "invalid status",
		"", "time", "nodes", "iterations", "memory", "interrupt", "cutoff", "gap", "invalid limit",
		"continuous", "integer", "binary",
		"row", "bound", "integrality", "quadratic row", "indicator row", "SOS", "invalid violation kind",
		"minimize", "maximize",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("strings (-want +got):\n%s", d)
	}
}

func TestStatusOfZeroSolution(t *testing.T) {
	var s Solution
	if s.Status != Unknown || s.Limit != NoLimit || s.Status.HasSolution() {
		t.Errorf("zero solution: %v, %q", s.Status, s.Limit)
	}
	for st := Unknown; st <= NumericalError; st++ {
		if st.HasSolution() != (st == Optimal || st == Feasible) {
			t.Errorf("%v: HasSolution is %v", st, st.HasSolution())
		}
	}
}

// TestLimitOf: a deadline is time, whoever set it; a cancel is an interrupt, whichever
// deadline comes later.
func TestLimitOf(t *testing.T) {
	background := context.Background()
	passed, cancel := context.WithDeadline(background, time.Now().Add(-time.Second))
	defer cancel()
	cancelled, cancel := context.WithTimeout(background, time.Hour)
	cancel()
	child, cancel := context.WithCancel(passed)
	cancel()
	for _, c := range []struct {
		name string
		ctx  context.Context
		want Limit
	}{
		{"running", background, NoLimit},
		{"deadline", passed, LimitTime},
		{"cancelled before its deadline", cancelled, LimitInterrupt},
		{"child of a deadline, cancelled later", child, LimitTime},
	} {
		if got := LimitOf(c.ctx); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
