package main

import (
	"bytes"
	"io"
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/solvers"
)

// stopped returns a reporter whose clock stands still.
func stopped(w io.Writer) *reporter { return &reporter{w: w, stop: func() {}} }

// feed shows a reporter a solve with an improvement after 3 s.
func feed(r *reporter) {
	defer r.close()
	t0 := time.Unix(1000, 0)
	r.event(fit.Event{Stage: "solving"})
	for ms := 0; ms <= 15000; ms += 50 {
		e := solvers.Event{Objective: 0.5, Bound: math.Inf(-1), Gap: math.Inf(1), Nodes: int64(ms / 1000), Elapsed: time.Duration(ms) * time.Millisecond}
		if ms >= 3000 {
			e.Objective, e.Bound, e.Gap = 0.25, 0.125, 0.5
		}
		r.progress(&e, t0.Add(e.Elapsed))
	}
	r.event(fit.Event{Warning: "formulate: odd"})
}

// TestProgressPlain: a line per improvement, and one now and then.
func TestProgressPlain(t *testing.T) {
	var out bytes.Buffer
	feed(stopped(&out))
	want := `octgen: solving
octgen:    0.0 s  incumbent 0.5  bound none  gap none  nodes 0
octgen:    3.0 s  incumbent 0.25  bound 0.125  gap 50 %  nodes 3
octgen:   13.0 s  incumbent 0.25  bound 0.125  gap 50 %  nodes 13
octgen: warning: odd
`
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Error(diff)
	}
}

// TestProgressLive: one line, redrawn at most every tenth of a second, and gone
// before anything else is written and at the end.
func TestProgressLive(t *testing.T) {
	var out bytes.Buffer
	r := stopped(&out)
	r.block = &liveBlock{w: &out, size: func() (int, int) { return 80, 24 }}
	feed(r)
	if n := bytes.Count(out.Bytes(), []byte("incumbent")); n != 151 {
		t.Errorf("drawn %d times, want 151", n)
	}
	if !bytes.HasSuffix(out.Bytes(), []byte("nodes 15\r\x1b[Koctgen: warning: odd\n")) {
		t.Errorf("ends with %q", out.Bytes()[max(0, out.Len()-60):])
	}
	for line := range bytes.SplitSeq(out.Bytes(), []byte("\r\x1b[K")) {
		if len(line) > 79 {
			t.Errorf("a live line of %d characters: %q", len(line), line)
		}
	}
}

// TestProgressIdle: without news the time goes on.
func TestProgressIdle(t *testing.T) {
	var out bytes.Buffer
	r := stopped(&out)
	t0 := time.Unix(1000, 0)
	r.idle(t0) // nothing to show yet
	r.progress(&solvers.Event{Objective: 0.5, Bound: 0.25, Gap: 0.5}, t0)
	r.idle(t0.Add(9 * time.Second))
	r.idle(t0.Add(12 * time.Second))
	r.close()
	want := `octgen:    0.0 s  incumbent 0.5  bound 0.25  gap 50 %  nodes 0
octgen:   12.0 s  incumbent 0.5  bound 0.25  gap 50 %  nodes 0
`
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Error(diff)
	}
}

// TestProgressHint: what can be done is told once, when the stage that it is of goes on
// for long.
func TestProgressHint(t *testing.T) {
	var out bytes.Buffer
	r := stopped(&out)
	t0 := time.Unix(1000, 0)
	r.hintAt = t0.Add(hintAfter)
	r.event(fit.Event{Stage: "searching", Hint: "--depth 2 is proved sooner"})
	r.idle(t0.Add(hintAfter - time.Second))
	r.event(fit.Event{Stage: "writing"})
	r.idle(t0.Add(hintAfter + time.Second))
	r.event(fit.Event{Stage: "searching again", Hint: "--depth 1 is proved sooner"})
	r.idle(t0.Add(hintAfter + 2*time.Second))
	r.idle(t0.Add(hintAfter + 3*time.Second))
	r.close()
	want := "octgen: searching\noctgen: writing\noctgen: searching again\noctgen: --depth 1 is proved sooner\n"
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Error(diff)
	}
}

// TestProgressQuiet: nothing at all.
func TestProgressQuiet(t *testing.T) {
	var out bytes.Buffer
	feed(newReporter(&out, true))
	if out.Len() > 0 {
		t.Errorf("quiet, but: %q", out.String())
	}
}
