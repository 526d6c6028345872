package fit_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mio/verify"
)

// nine are rows of which no split makes pure leaves.
const nine = `f0,w,class
-3.01,1.23,k1
-1.53,2.23,k1
0.29,2.43,k0
0.85,1.3,k2
0.95,0.39,k2
-3.92,2.21,k0
-0.88,2.29,k0
4.68,1.25,k0
3.35,2.01,k0
`

// spy is local search that counts how often it was run.
type spy struct {
	*problem.LocalSearch
	runs int
}

func (s *spy) On(ctx context.Context, d *problem.Data, depth int) (*problem.Problem, error) {
	p, err := s.LocalSearch.On(ctx, d, depth)
	if err != nil {
		return nil, err
	}
	grow := p.Grow
	p.Grow = func(ctx context.Context, t problem.Task) (*problem.Grown, error) {
		s.runs++
		return grow(ctx, t)
	}
	return p, nil
}

// TestStartsOfNoTree: where the search has proved that no tree satisfies the constraints, no
// other start looks for one, and the solver's word is that, too.
func TestStartsOfNoTree(t *testing.T) {
	ds, err := dataset.Read(strings.NewReader(nine), "rows.csv", dataset.LoadOptions{Weight: "w"})
	if err != nil {
		t.Fatal(err)
	}
	lies.change = func(_ *mio.Model, s *mio.Solution) { s.Status = mio.Infeasible }
	for purity, want := range map[float64]int{1: 0, 0.6: 1} {
		m := oct(1, 0, 2)
		m.LeafPurity = purity
		local := &spy{LocalSearch: new(problem.LocalSearch)}
		res, err := fit.Run(context.Background(), ds, fit.Options{Method: m, Engine: problem.MIO, Solver: "liar", Starters: []problem.Method{local}})
		if infeasible := errors.Is(err, fit.ErrInfeasible); infeasible != (purity == 1) || infeasible && res.Status != mio.Infeasible.String() {
			t.Errorf("purity %v: %v, %+v", purity, err, res)
		}
		if local.runs > want {
			t.Errorf("purity %v: local search ran %d times, want at most %d", purity, local.runs, want)
		}
	}
}

// TestOneClassInfeasible: where all rows have one class all trees answer alike, so that a
// limit that the leaf breaks is one that no tree holds, for every engine.
func TestOneClassInfeasible(t *testing.T) {
	ds, err := dataset.Read(strings.NewReader("x,y,class\n1,2,a\n2,3,a\n3,1,a\n4,4,a\n"), "rows.csv", dataset.LoadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	lies.change = func(*mio.Model, *mio.Solution) { t.Error("a solver was asked") }
	for _, e := range []problem.Engine{"tuned", problem.Auto, problem.Search, problem.MIO, problem.Heuristic} {
		m := oct(2, 0, 0)
		m.Share = []string{"a<=0.5"}
		o := fit.Options{Method: m, Engine: e}
		if e == "tuned" {
			tuned := new(problem.OCTTuned)
			tuned.Share, o.Method, o.Engine = m.Share, tuned, problem.Auto
		}
		if e == problem.MIO {
			o.Solver = "liar"
		}
		res, err := fit.Run(context.Background(), ds, o)
		if !errors.Is(err, fit.ErrInfeasible) || res == nil || res.Status != mio.Infeasible.String() || res.Prover == nil || *res.Prover != string(verify.ByData) || res.Tree != nil {
			t.Errorf("%s: %v, %+v; want infeasible, proved by the data", e, err, res)
		}
	}
}
