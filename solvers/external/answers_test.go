//go:build unix

package external_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/solvers"
	"github.com/octgen/octgen/solvers/external"
)

// TestPackageAnswers: what a package's script reports is the answer, where the point bears it out.
func TestPackageAnswers(t *testing.T) {
	const best, worse, wrong = "x1 3.0\nx2 0.0\nx4 1.5\n", "x1 3.0\nx2 0.0\nx4 2.0\n", "x1 3.0\nx2 0.0\nx4 1.0\n"
	m, start := recordedModel(t)
	for _, c := range []struct {
		name, log, point string
		status           mio.Status
		limit            mio.Limit
		bound            float64
		err              string
	}{
		{"optimal", "start accepted\nbound 4.5\nnodes 3\niterations 7\npoint yes\nstatus optimal", best, mio.Optimal, mio.NoLimit, 4.5, ""},
		{"time", "start accepted\nbound 4.25\npoint yes\nlimit time", worse, mio.Feasible, mio.LimitTime, 4.25, ""},
		{"no point", "bound 4.25\npoint no\nlimit time", "", mio.Feasible, mio.LimitTime, 4.25, ""}, // but the start
		{"wrong optimum", "bound 6\npoint yes\nstatus optimal", "x1 2.0\nx2 1.0\nx4 2.0\n", mio.Feasible, mio.NoLimit, -mio.Inf, ""},
		{"wrong point", "bound 4\npoint yes\nstatus optimal", wrong, 0, 0, 0, "its point is infeasible: row of demand is violated by 0.5"},
		{"no file", "bound 4.5\npoint yes\nstatus optimal", "", 0, 0, 0, "it left no solution"},
		{"a column is missing", "bound 4.5\npoint yes\nstatus optimal", "x1 3.0\n", 0, 0, 0, "x2"},
		{"licence", "licence Model too large", "", 0, 0, 0, "its licence does not allow this solve; it says: Model too large"},
		{"refused", "refused Frob no such parameter", "", 0, 0, 0, "option Frob"},
		{"failed", "failed ImportError: no module", "", 0, 0, 0, "ImportError: no module"},
		{"mute", "", best, mio.Feasible, mio.NoLimit, -mio.Inf, ""},
	} {
		for _, name := range []string{"gurobi package", "xpress package", "copt package"} {
			t.Run(c.name+" "+name, func(t *testing.T) {
				s, dir, tmp := fake(t, name, "replay")
				put(t, dir, "log.txt", "its own log\n")
				if c.log != "" {
					put(t, dir, "log.txt", "its own log\noctgen: "+strings.ReplaceAll(c.log, "\n", "\noctgen: ")+"\n")
				}
				if c.point != "" {
					put(t, dir, "out.sol", c.point)
				}
				sol, err := s.Solve(context.Background(), m, solvers.Options{Start: start})
				if c.status == 0 {
					if err == nil || !strings.Contains(err.Error(), c.err) {
						t.Fatalf("%+v, error %v, want %q", sol, err, c.err)
					}
					option, licence, run := (*solvers.OptionError)(nil), (*solvers.LicenceError)(nil), (*external.RunError)(nil)
					if errors.As(err, &option) != (c.name == "refused") || errors.As(err, &licence) != (c.name == "licence") {
						t.Errorf("error of type %T", err)
					}
					if left := entries(t, tmp); len(left) > 0 && !errors.As(err, &run) {
						t.Errorf("left behind: %v", left)
					}
					return
				}
				if err != nil {
					t.Fatal(err)
				}
				if sol.Status != c.status || sol.Limit != c.limit || sol.Bound != c.bound {
					t.Errorf("%v, limit %v, bound %v (%s)", sol.Status, sol.Limit, sol.Bound, sol.Raw)
				}
				if used := strings.HasPrefix(c.log, "start"); sol.StartUsed != used {
					t.Errorf("start used: %v, want %v", sol.StartUsed, used)
				}
			})
		}
	}
}

func put(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
