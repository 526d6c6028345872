package fit

import (
	"context"
	"testing"

	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/search/parts"
	"github.com/octgen/octgen/solvers"
)

// presolving is a solver whose presolve calls what it likes infeasible, at so many nodes.
type presolving struct {
	nodes int64
	plain []bool // of each solve, whether it was without presolve
}

func (*presolving) Name() string                       { return "highs" }
func (*presolving) Version() string                    { return "1" }
func (*presolving) Available() error                   { return nil }
func (*presolving) Capabilities() solvers.Capabilities { return solvers.Capabilities{} }

func (s *presolving) Solve(_ context.Context, _ *mio.Model, o solvers.Options) (*mio.Solution, error) {
	off := o.Raw["presolve"] == "off"
	s.plain = append(s.plain, off)
	if off {
		return &mio.Solution{Status: mio.Optimal}, nil
	}
	return &mio.Solution{Status: mio.Infeasible, Nodes: s.nodes}, nil
}

// TestPresolveOfParts: where there being no point of a program of parts proves something,
// the word of HiGHS's presolve alone is not taken for it.
func TestPresolveOfParts(t *testing.T) {
	for name, c := range map[string]struct {
		limits parts.Limits
		nodes  int64
		raw    map[string]string
		want   mio.Status
		solves int
	}{
		"without presolve at once":      {limits: parts.Limits{Plain: true}, want: mio.Optimal, solves: 1},
		"presolve's word":               {limits: parts.Limits{Certain: true}, want: mio.Optimal, solves: 2},
		"first of presolve's words":     {limits: parts.Limits{Certain: true, First: true}, want: mio.Optimal, solves: 2},
		"the search's word":             {limits: parts.Limits{Certain: true}, nodes: 3, want: mio.Infeasible, solves: 1},
		"nothing is proved":             {want: mio.Infeasible, solves: 1},
		"the option is the user's":      {limits: parts.Limits{Certain: true}, raw: map[string]string{"presolve": "on"}, want: mio.Infeasible, solves: 1},
		"the option is the user's here": {limits: parts.Limits{Plain: true}, raw: map[string]string{"presolve": "on"}, want: mio.Infeasible, solves: 1},
	} {
		s := &presolving{nodes: c.nodes}
		j := &job{Options: Options{Solve: solvers.Options{Raw: c.raw}}}
		sol, err := j.partSolver(s)(context.Background(), nil, c.limits)
		if err != nil || sol.Status != c.want || len(s.plain) != c.solves {
			t.Errorf("%s: %v after %v, %v; want %v after %d solves", name, sol.Status, s.plain, err, c.want, c.solves)
		}
		if _, changed := c.raw["presolve"]; len(c.raw) > 0 && !changed {
			t.Errorf("%s: the options of the fit were written to", name)
		}
	}
}
