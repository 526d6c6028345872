package fit_test

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/solvers"
	"github.com/octgen/octgen/tree"
)

// teller tells an incumbent and goes on until it is interrupted, which costs it the
// incumbent, or else ends by its time limit.
type teller struct {
	values []float64
	asked  int
}

func (*teller) Name() string     { return "teller" }
func (*teller) Version() string  { return "1" }
func (*teller) Available() error { return nil }
func (*teller) Capabilities() solvers.Capabilities {
	return solvers.Capabilities{Discrete: true, Start: true, TimeLimit: true, Gaps: true, Progress: true}
}

func (s *teller) Solve(ctx context.Context, m *mio.Model, opt solvers.Options) (*mio.Solution, error) {
	s.asked++
	opt.Progress(solvers.Event{Objective: m.Objective(s.values), Bound: math.Inf(-1), Gap: math.Inf(1), Values: slices.Clone(s.values)})
	sol := &mio.Solution{Status: mio.NoSolution, Limit: mio.LimitInterrupt, Objective: math.NaN(), Bound: math.Inf(-1), Gap: math.Inf(1), Solver: "teller 1"}
	if ctx.Err() == nil {
		sol.Status, sol.Limit, sol.Values, sol.Objective = mio.Feasible, mio.LimitTime, s.values, m.Objective(s.values)
	}
	return sol, nil
}

var tells = &teller{}

func init() { solvers.Register(tells) }

// TestGapToTheData: a solve ends at an incumbent, or at a start, whose gap to the bound of
// the data is within the one asked for, and says so.
func TestGapToTheData(t *testing.T) {
	ds, err := dataset.Read(strings.NewReader("x,class\n1,a\n1,b\n2,b\n2,b\n3,a\n3,a\n"), "rows.csv", dataset.LoadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	m, leaf := whole(2, 0, 1), tree.NewLeaf(ds, 0) // 3 errors, of which one cannot be avoided
	lies.change = func(_ *mio.Model, s *mio.Solution) { tells.values = slices.Clone(s.Values) }
	if _, err := fit.Run(context.Background(), ds, fit.Options{Method: m, Solver: "liar", StartTree: leaf, StartName: "leaf"}); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		gap   float64
		start *tree.Tree
		asked int
		limit mio.Limit
	}{{0.7, nil, 1, mio.LimitGap}, {0.6, nil, 1, mio.LimitTime}, {0, nil, 1, mio.LimitTime}, {0.7, leaf, 0, mio.LimitGap}, {0.6, leaf, 1, mio.LimitTime}} {
		tells.asked = 0
		o := fit.Options{Method: m, Solver: "teller", Start: "none", StartTree: c.start, StartName: "leaf", Solve: solvers.Options{RelGap: c.gap}, Notify: func(fit.Event) {}}
		res, err := fit.Run(context.Background(), ds, o)
		if err != nil {
			t.Errorf("gap %v: %v", c.gap, err)
			continue
		}
		if res.Status != mio.Feasible.String() || res.Limit != c.limit.String() || tells.asked != c.asked || res.Gap == nil || math.Abs(*res.Gap-2.0/3) > 1e-9 || *res.Objective != 1 {
			t.Errorf("gap %v, start %v: %s, limit %s, gap %v, objective %v, asked %d times; want feasible, %s, 2/3, 1, %d", c.gap, c.start != nil, res.Status, res.Limit, res.Gap, res.Objective, tells.asked, c.limit, c.asked)
		}
	}
}
