//go:build cgo && !nohighs

package fit_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/fit/problem"
)

// engines are those that a method can be run with.
func engines(m problem.Method) []problem.Engine {
	if e := m.Info().Engines; e != nil {
		return e
	}
	return []problem.Engine{problem.Auto}
}

// endings are the ways in which the time of a fit is over before it begins, by the
// limit that is to be named.
func endings(t *testing.T) map[string]func() (context.Context, time.Duration) {
	return map[string]func() (context.Context, time.Duration){
		"time": func() (context.Context, time.Duration) { return context.Background(), 1 },
		"time ": func() (context.Context, time.Duration) {
			ctx, cancel := context.WithDeadline(context.Background(), time.Now().Add(-time.Hour))
			t.Cleanup(cancel)
			return ctx, 0
		},
		"interrupt": func() (context.Context, time.Duration) {
			ctx, cancel := context.WithCancel(context.Background())
			cancel()
			return ctx, 0
		},
		"interrupt ": func() (context.Context, time.Duration) { // which comes first
			ctx, cancel := context.WithCancel(context.Background())
			cancel()
			return ctx, time.Hour
		},
	}
}

// TestAlwaysATree: where the time is over before a fit begins, each method with each
// of its engines gives a tree without an error, the single leaf unless it begins with
// a better one, and says what ended it. On data of two rows it may be ready all the
// same.
func TestAlwaysATree(t *testing.T) {
	begin := []string{"epts", "frank-wolfe", "fm-rlp", "rlp"} // with splits
	two, err := dataset.New([]float64{0, 1}, []int{0, 1}, []string{"a"}, []string{"no", "yes"})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range problem.All() {
		for _, e := range engines(m) {
			for limit, over := range endings(t) {
				for name, ds := range map[string]*dataset.Dataset{"iris": data(t, "iris"), "two rows": two} {
					ctx, time := over()
					ds := dataFor(t, m, ds)
					o := fit.Options{Method: m, Engine: e}
					o.Solve.TimeLimit = time
					res, err := fit.Run(ctx, ds, o)
					what := m.Info().Name + ", " + string(e) + ", " + name + ", " + limit
					if err != nil || res.Tree == nil {
						t.Errorf("%s: %v, %+v", what, err, res)
						continue
					}
					checkVerdict(t, res)
					if name == "two rows" && res.Limit == "" && sameAnswer(t, res, m, e, ds) {
						continue
					}
					if res.Status != "feasible" || res.Limit != trimmed(limit) {
						t.Errorf("%s: status %s, limit %q", what, res.Status, res.Limit)
					}
					if res.Tree.Splits() > 0 && !slices.Contains(begin, m.Info().Name) {
						t.Errorf("%s: %v", what, res.Tree)
					}
					if s := res.Solver; s != nil && (s.Status != "feasible" || s.Limit != res.Limit) {
						t.Errorf("%s: %+v", what, s)
					}
				}
			}
		}
	}
}

func trimmed(limit string) string {
	if limit[len(limit)-1] == ' ' {
		return limit[:len(limit)-1]
	}
	return limit
}

// sameAnswer reports whether a fit without limits ends alike.
func sameAnswer(t *testing.T, res *fit.Result, m problem.Method, e problem.Engine, ds *dataset.Dataset) bool {
	t.Helper()
	again, err := fit.Run(context.Background(), ds, fit.Options{Method: m, Engine: e})
	return err == nil && again.Status == res.Status && again.Limit == "" && again.Tree.Equal(res.Tree)
}

// TestShortTime: however short the time is, it ends with a tree, each method with each
// of its engines.
func TestShortTime(t *testing.T) {
	sonar := data(t, "sonar")
	for _, m := range problem.All() {
		ds := dataFor(t, m, sonar)
		for _, e := range engines(m) {
			for _, limit := range []time.Duration{time.Microsecond, 100 * time.Microsecond, 3 * time.Millisecond, 30 * time.Millisecond} {
				o := fit.Options{Method: m, Engine: e}
				o.Solve.TimeLimit = limit
				res, err := fit.Run(context.Background(), ds, o)
				if err != nil || res.Tree == nil {
					t.Errorf("%s, %s, %v: %v, %+v", m.Info().Name, e, limit, err, res)
					continue
				}
				checkVerdict(t, res)
				if res.Status == "feasible" && m.Info().Proof && res.Limit != "time" && res.Engine != "heuristic" {
					t.Errorf("%s, %s, %v: status %s, limit %q, engine %s", m.Info().Name, e, limit, res.Status, res.Limit, res.Engine)
				}
			}
		}
	}
}
