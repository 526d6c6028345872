package fit_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/solvers"
	"github.com/octgen/octgen/tree"
)

// liar is a solver that answers with its start, changed by the test, and with the
// truth on linear programs, of which models and starts are made.
type liar struct {
	change func(m *mio.Model, s *mio.Solution)
}

func (*liar) Name() string     { return "liar" }
func (*liar) Version() string  { return "1" }
func (*liar) Available() error { return nil }
func (*liar) Capabilities() solvers.Capabilities {
	return solvers.Capabilities{Discrete: true, Start: true}
}

func (l *liar) Solve(ctx context.Context, m *mio.Model, opt solvers.Options) (*mio.Solution, error) {
	if m.NumDiscrete() == 0 {
		honest, err := solvers.Lookup("highs")
		if err != nil {
			return nil, err
		}
		return honest.Solve(ctx, m, solvers.Options{})
	}
	s := &mio.Solution{Status: mio.Feasible, Objective: math.NaN(), Bound: math.Inf(-1), Gap: math.Inf(1), Solver: "liar 1", Raw: "trust me"}
	if opt.Start != nil {
		s.Values = append([]float64(nil), opt.Start...)
		s.Objective = m.Objective(s.Values)
	}
	l.change(m, s)
	return s, nil
}

var lies = &liar{}

func init() { solvers.Register(lies) }

// xor is data that depth 2 separates and CART, pruned at a price, does not.
func xor(t *testing.T) *dataset.Dataset {
	t.Helper()
	ds, err := dataset.New(
		[]float64{0, 0, 0, 1, 1, 0, 1, 1, 2, 0, 2, 1},
		[]int{0, 1, 1, 0, 1, 1}, []string{"a", "b"}, []string{"no", "yes"})
	if err != nil {
		t.Fatal(err)
	}
	return ds
}

// TestLiesAreFound: whatever a solver says that its own point, the decoded tree
// or the start refutes is ErrCheck, with the reason.
func TestLiesAreFound(t *testing.T) {
	for name, c := range map[string]struct {
		change func(m *mio.Model, s *mio.Solution)
		want   string // of the error; empty for none
	}{
		"honest": {func(*mio.Model, *mio.Solution) {}, ""},
		"objective": {func(_ *mio.Model, s *mio.Solution) { s.Objective -= 0.1 },
			"says that its solution has objective"},
		"infeasible point": {func(m *mio.Model, s *mio.Solution) {
			for j := range s.Values {
				if m.ColName(j) == "c_1_2" {
					s.Values[j] = 1 - s.Values[j]
				}
			}
			s.Objective = m.Objective(s.Values)
		}, "infeasible point"},
		"bound": {func(_ *mio.Model, s *mio.Solution) { s.Bound = s.Objective + 0.2 },
			"claims the bound"},
		"infeasible": {func(_ *mio.Model, s *mio.Solution) {
			s.Status, s.Values, s.Objective = mio.Infeasible, nil, math.NaN()
		}, "says that the model is infeasible, but the start cart satisfies it"},
		"too few values": {func(_ *mio.Model, s *mio.Solution) { s.Values = s.Values[1:] },
			"values"},
	} {
		t.Run(name, func(t *testing.T) {
			lies.change = c.change
			res, err := fit.Run(context.Background(), xor(t), fit.Options{
				OCT: formulate.OCTOptions{Depth: 2, Alpha: 0.3, MinLeaf: 1}, Solver: "liar",
			})
			if c.want == "" {
				if err != nil || !res.Check.OK() {
					t.Fatalf("%v, %+v", err, res)
				}
				return
			}
			if !errors.Is(err, fit.ErrCheck) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want ErrCheck with %q", err, c.want)
			}
			if res == nil || res.Solver == nil {
				t.Errorf("no result comes with the error")
			}
		})
	}
}

// TestNoTree: a limit without a tree is ErrNoTree, and the result says which.
func TestNoTree(t *testing.T) {
	lies.change = func(_ *mio.Model, s *mio.Solution) { s.Status, s.Limit = mio.NoSolution, mio.LimitNodes }
	res, err := fit.Run(context.Background(), xor(t), fit.Options{
		OCT: formulate.OCTOptions{Depth: 2, Alpha: 0.3, MinLeaf: 1}, Solver: "liar", Start: "none",
	})
	if !errors.Is(err, fit.ErrNoTree) {
		t.Fatalf("error %v, want ErrNoTree", err)
	}
	if res == nil || res.Solver == nil || res.Solver.Limit != "nodes" || res.Tree != nil {
		t.Errorf("result %+v", res)
	}
}

// TestInput: what no method can work with is ErrInput before anything is done.
func TestInput(t *testing.T) {
	ds := xor(t)
	other, err := dataset.New([]float64{1, 2}, []int{0, 1}, []string{"c"}, []string{"no", "yes"})
	if err != nil {
		t.Fatal(err)
	}
	ok := formulate.OCTOptions{Depth: 2}
	for name, o := range map[string]fit.Options{
		"depth":   {OCT: formulate.OCTOptions{Depth: 0}},
		"alpha":   {OCT: formulate.OCTOptions{Depth: 1, Alpha: math.NaN()}},
		"minleaf": {OCT: formulate.OCTOptions{Depth: 1, MinLeaf: 100}},
		"method":  {OCT: ok, Method: "magic"},
		"solver":  {OCT: formulate.OCTOptions{Depth: 2, Alpha: 0.3}, Solver: "oracle"},
		"start":   {OCT: formulate.OCTOptions{Depth: 2, Alpha: 0.3}, Solver: "liar", Start: "luck"},
		"test":    {OCT: ok, Test: other},
	} {
		lies.change = func(*mio.Model, *mio.Solution) {}
		if _, err := fit.Run(context.Background(), ds, o); !errors.Is(err, fit.ErrInput) {
			t.Errorf("%s: error %v, want ErrInput", name, err)
		}
	}
}

// TestBoundOfTheData: an incumbent that meets the bound that the data gives is
// optimal, whatever ended the solve; one that does not is not.
func TestBoundOfTheData(t *testing.T) {
	lies.change = func(_ *mio.Model, s *mio.Solution) { s.Limit = mio.LimitTime }
	ds := xor(t)
	good := tree.NewLeaf(ds, 0)
	left, right := good.Grow(0, tree.Univariate(0, 0.5), 0, 1)
	good.Grow(left, tree.Univariate(1, 0.5), 0, 1)
	middle, _ := good.Grow(right, tree.Univariate(0, 1.5), 0, 1)
	good.Grow(middle, tree.Univariate(1, 0.5), 1, 0)
	for name, c := range map[string]struct {
		start *tree.Tree
		want  mio.Status
	}{"all but what none can avoid": {good, mio.Optimal}, "a leaf": {tree.NewLeaf(ds, 1), mio.Feasible}} {
		res, err := fit.Run(context.Background(), ds, fit.Options{
			OCT: formulate.OCTOptions{Depth: 3}, Solver: "liar", StartTree: c.start, StartName: name,
		})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		t.Logf("%s: %v errors, bound %v", name, res.Train.Errors, *res.Solver.Bound)
		if res.Solver.Status != c.want.String() {
			t.Errorf("%s: %s with %v errors, want %s", name, res.Solver.Status, res.Train.Errors, c.want)
		}
	}
}
