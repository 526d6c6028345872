package fit_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mio/verify"
	"github.com/octgen/octgen/solvers"
	"github.com/octgen/octgen/tree"
)

// liar is a solver that answers with its start, changed by the test, and with the
// truth on linear programs, of which models and starts are made.
type liar struct {
	change func(m *mio.Model, s *mio.Solution)
	limit  time.Duration // that it was given last
}

func (*liar) Name() string     { return "liar" }
func (*liar) Version() string  { return "1" }
func (*liar) Available() error { return nil }
func (*liar) Capabilities() solvers.Capabilities {
	return solvers.Capabilities{Discrete: true, Start: true, TimeLimit: true}
}

func (l *liar) Solve(ctx context.Context, m *mio.Model, opt solvers.Options) (*mio.Solution, error) {
	l.limit = opt.TimeLimit
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
				Method: whole(2, 0.3, 1), Solver: "liar",
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
		Method: whole(2, 0.3, 1), Solver: "liar", Start: "none",
	})
	if !errors.Is(err, fit.ErrNoTree) {
		t.Fatalf("error %v, want ErrNoTree", err)
	}
	if res == nil || res.Solver == nil || res.Solver.Limit != "nodes" || res.Limit != "nodes" || res.Tree != nil {
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
	for name, o := range map[string]fit.Options{
		"depth":         {Method: oct(-1, 0, 0)},
		"depth, mio":    {Method: oct(-1, 0, 0), Engine: problem.MIO},
		"depth, cart":   {Method: &problem.CART{Shape: shape(-1, 0, 0)}},
		"alpha":         {Method: oct(1, math.NaN(), 0)},
		"alpha, mio":    {Method: oct(1, math.NaN(), 0), Engine: problem.MIO},
		"alpha, cart":   {Method: &problem.CART{Shape: shape(1, math.NaN(), 0)}},
		"minleaf":       {Method: oct(1, 0, 100)},
		"minleaf, cart": {Method: &problem.CART{Shape: shape(1, 0, 100)}},
		"solver":        {Method: oct(2, 0.3, 0), Solver: "oracle"},
		"start":         {Method: oct(2, 0.3, 0), Solver: "liar", Start: "luck"},
		"start, search": {Method: oct(2, 0.3, 0), Start: "luck"},
		"test":          {Method: oct(2, 0, 0), Test: other},
	} {
		lies.change = func(*mio.Model, *mio.Solution) {}
		if _, err := fit.Run(context.Background(), ds, o); !errors.Is(err, fit.ErrInput) {
			t.Errorf("%s: error %v, want ErrInput", name, err)
		}
	}
}

// TestBoundOfTheData: an incumbent that meets the bound that the data gives is
// optimal, whatever ended the solve; one that does not is not. The proof is the
// data's: of the solver is said what it said.
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
			Method: whole(3, 0, 0), Solver: "liar", StartTree: c.start, StartName: name,
		})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if res.Status != c.want.String() || res.Bound == nil || *res.Bound != 0 || res.Prover == nil || *res.Prover != string(verify.ByData) {
			t.Errorf("%s: %s with %v errors, bound %v, want %s", name, res.Status, res.Train.Errors, res.Bound, c.want)
		}
		if s := res.Solver; s.Status != mio.Feasible.String() || s.Limit != mio.LimitTime.String() || s.Bound != nil {
			t.Errorf("%s: the solver is credited with the proof: %+v", name, s)
		}
	}
}

// twenty are six rows of which CBC 2.10.8 claims a false optimum at depth 3, with bigm.
const twenty = `f0,f1,f2,class
2,0,1,k0
0,3,1,k1
3,0,0,k1
3,3,3,k0
3,1,3,k1
3,0,2,k0
`

// cbcsPoint are the nonzero columns of the point that it calls optimal: two splits on the
// same rows, where one does it.
var cbcsPoint = map[string]float64{
	"a_2_1": 1, "a_2_2": 1, "d_1": 1, "d_2": 1, "b_1": 0.5, "z_1_11": 1, "z_3_11": 1, "z_6_11": 1, "z_2_15": 1, "z_4_15": 1, "z_5_15": 1,
	"l_11": 1, "l_15": 1, "c_1_11": 1, "c_2_15": 1, "L_11": 1, "L_15": 1,
	"N_1_11": 2, "N_2_11": 1, "N_1_15": 1, "N_2_15": 2, "N_11": 3, "N_15": 3,
}

// TestDisprovedClaim: a claim that the solver's own tree disproves fails the check, and
// leaves the tree standing, without a bound; what is wrong with the tree itself does not.
func TestDisprovedClaim(t *testing.T) {
	ds, err := dataset.Read(strings.NewReader(twenty), "rows.csv", dataset.LoadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	m := oct(3, 0.001, 2)
	m.Encoding = "bigm"
	point := func(m *mio.Model, s *mio.Solution) {
		s.Values = make([]float64, m.NumCols())
		for j := range s.Values {
			s.Values[j] = cbcsPoint[m.ColName(j)]
		}
		s.Status, s.Objective = mio.Optimal, m.Objective(s.Values)
		s.Bound, s.Claimed = s.Objective, true
	}
	for name, c := range map[string]struct {
		change func(m *mio.Model, s *mio.Solution)
		claim  string
		status mio.Status
		kept   bool
	}{
		"optimum": {point, "that 0.6686666666666666 is optimal", mio.Feasible, true},
		"bound": {func(m *mio.Model, s *mio.Solution) {
			point(m, s)
			s.Status, s.Claimed, s.Bound = mio.Feasible, false, s.Objective+0.2
		}, "the bound 1", mio.Feasible, true},
		"stated objective": {func(m *mio.Model, s *mio.Solution) {
			point(m, s)
			s.Objective -= 0.01
		}, "", mio.Unknown, false},
		"infeasible point": {func(m *mio.Model, s *mio.Solution) {
			point(m, s)
			for j := range s.Values {
				if m.ColName(j) == "N_11" {
					s.Values[j] = 2
				}
			}
		}, "", mio.Unknown, false},
	} {
		t.Run(name, func(t *testing.T) {
			lies.change = c.change
			res, err := fit.Run(context.Background(), ds, fit.Options{Method: m, Solver: "liar", Start: "none"})
			if !errors.Is(err, fit.ErrCheck) || res == nil || res.Check == nil || res.Tree == nil {
				t.Fatalf("%v, %+v; want ErrCheck with a result", err, res)
			}
			if res.Status != c.status.String() || res.Bound != nil || res.Gap != nil || res.Prover != nil || res.Kept() != c.kept || res.Check.Disproved != c.claim {
				t.Errorf("%s, bound %v, kept %v, disproved %q; want %s, none, %v, %q (%v)", res.Status, res.Bound, res.Kept(), res.Check.Disproved, c.status, c.kept, c.claim, err)
			}
			if !c.kept {
				if res.Objective != nil {
					t.Errorf("objective %v of a tree that is not believed", *res.Objective)
				}
				return
			}
			if want := 2.0/3 + 0.001; res.Objective == nil || math.Abs(*res.Objective-want) > 1e-9 || res.Train.Splits != 1 {
				t.Errorf("objective %v with %d splits, want %v with 1", fit.ValueOr(res.Objective, math.NaN()), res.Train.Splits, want)
			}
			if s := res.Solver; s.Status != mio.Feasible.String() || s.Bound != nil || !strings.Contains(s.Note, "its claim "+c.claim+" is refuted by its own tree") {
				t.Errorf("the solver: %s, bound %v, note %q", s.Status, s.Bound, s.Note)
			}
		})
	}
}

// TestObjectiveIsTheTrees: the objective of a result is that of the tree on the data, not what the
// solver's arithmetic made of it within its tolerances.
func TestObjectiveIsTheTrees(t *testing.T) {
	m := whole(2, 0.3, 1)
	for _, off := range []float64{-1e-7, 1e-7} {
		lies.change = func(_ *mio.Model, s *mio.Solution) { s.Objective += off }
		res, err := fit.Run(context.Background(), xor(t), fit.Options{Method: m, Solver: "liar"})
		if err != nil {
			t.Fatal(err)
		}
		want := res.Train.Errors/2 + m.Alpha*float64(res.Tree.Splits()) // a leaf makes 2 errors
		if res.Objective == nil || *res.Objective != want || *res.Train.Objective != want {
			t.Errorf("objective %v, on the data %v; want %v", fit.ValueOr(res.Objective, math.NaN()), *res.Train.Objective, want)
		}
	}
}
