package solvertest

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/solvers"
)

const (
	cont = mio.Continuous
	intg = mio.Integer
	bin  = mio.Binary
)

var (
	optimal    = []mio.Status{mio.Optimal}
	infeasible = []mio.Status{mio.Infeasible}
	unbounded  = []mio.Status{mio.Unbounded, mio.InfeasibleOrUnbounded}
)

var cases = []struct {
	name      string
	spec      spec
	status    []mio.Status // any of them
	objective float64      // where optimal
}{
	{"lp", spec{mio.Minimize, 0, []col{{-3, 0, inf, cont}, {-2, 0, inf, cont}},
		[]row{{-inf, 4, []float64{1, 1}}, {-inf, 5, []float64{2, 1}}}}, optimal, -9},
	{"lp maximize with offset", spec{mio.Maximize, 10, []col{{3, 0, inf, cont}, {2, 0, inf, cont}},
		[]row{{-inf, 4, []float64{1, 1}}, {-inf, 5, []float64{2, 1}}}}, optimal, 19},
	{"lp infeasible", spec{mio.Minimize, 0, []col{{1, 0, 1, cont}, {1, 0, 1, cont}},
		[]row{{3, inf, []float64{1, 1}}}}, infeasible, 0},
	{"lp unbounded", spec{mio.Minimize, 0, []col{{-1, 0, inf, cont}, {0, 0, inf, cont}},
		[]row{{-inf, 1, []float64{1, -1}}}}, unbounded, 0},
	{"lp unbounded above", spec{mio.Maximize, 0, []col{{1, -inf, inf, cont}}, []row{{0, inf, []float64{1}}}}, unbounded, 0},
	{"free columns", spec{mio.Minimize, 0, []col{{1, -inf, inf, cont}, {1, -inf, inf, cont}},
		[]row{{-3, inf, []float64{1, 2}}, {-4, inf, []float64{2, 1}}}}, optimal, -7. / 3},
	{"equalities", spec{mio.Minimize, 0, []col{{1, -inf, inf, cont}, {1, -inf, inf, cont}},
		[]row{{3, 3, []float64{1, 2}}, {0, 0, []float64{1, -1}}}}, optimal, 2},
	{"range row", spec{mio.Maximize, 0, []col{{1, 0, 10, cont}, {1, 0, 10, cont}},
		[]row{{2, 5, []float64{1, 1}}}}, optimal, 5},
	{"fixed columns", spec{mio.Minimize, 0, []col{{1, 2, 2, cont}, {1, 3, 3, intg}}, []row{{-inf, 9, []float64{1, 1}}}}, optimal, 5},
	{"empty objective", spec{mio.Minimize, 7, []col{{0, 0, 1, bin}, {0, 0, 1, bin}}, []row{{1, 1, []float64{1, 1}}}}, optimal, 7},
	{"empty row", spec{mio.Minimize, 0, []col{{1, 1, 4, intg}}, []row{{-1, 1, []float64{0}}}}, optimal, 1},
	{"empty row infeasible", spec{mio.Minimize, 0, []col{{1, 1, 4, intg}}, []row{{1, inf, []float64{0}}}}, infeasible, 0},
	{"empty column", spec{mio.Minimize, 0, []col{{1, 1, 4, cont}, {2, -1, 5, cont}}, []row{{2, inf, []float64{1, 0}}}}, optimal, 0},
	{"no rows", spec{mio.Maximize, 1, []col{{2, -1, 3, cont}, {-1, -2, 5, intg}}, nil}, optimal, 9},
	{"no rows unbounded", spec{mio.Maximize, 1, []col{{2, -1, inf, cont}}, nil}, unbounded, 0},
	{"no rows no integer", spec{mio.Minimize, 0, []col{{1, 0.2, 0.8, intg}}, nil}, infeasible, 0},
	{"no columns", spec{mio.Minimize, 3, nil, []row{{-1, 2, nil}}}, optimal, 3},
	{"no columns maximize", spec{mio.Maximize, -3, nil, nil}, optimal, -3},
	{"no columns infeasible", spec{mio.Minimize, 3, nil, []row{{1, 2, nil}}}, infeasible, 0},
	{"mip", spec{mio.Maximize, 0, []col{{5, 0, inf, intg}, {4, 0, inf, intg}},
		[]row{{-inf, 24, []float64{6, 4}}, {-inf, 6, []float64{1, 2}}}}, optimal, 20},
	{"mip mixed", spec{mio.Minimize, 0.5, []col{{1, 0, inf, intg}, {1.5, 0, inf, cont}},
		[]row{{2.5, inf, []float64{1, 1}}}}, optimal, 3.25},
	{"mip fractional bounds", spec{mio.Maximize, 0, []col{{1, -2.5, 3.7, intg}, {-1, -2.5, 3.7, intg}},
		[]row{{-inf, 100, []float64{1, 1}}}}, optimal, 5},
	{"mip negative", spec{mio.Minimize, 0, []col{{1, -10, -1, intg}}, []row{{-15, inf, []float64{2}}}}, optimal, -7},
	{"mip infeasible", spec{mio.Minimize, 0, []col{{1, 0, 10, intg}, {1, 0, 10, intg}},
		[]row{{1, 1, []float64{2, -2}}}}, infeasible, 0},
	{"mip unbounded", spec{mio.Minimize, 0, []col{{-1, 0, inf, intg}, {0, 0, inf, intg}},
		[]row{{-inf, 1, []float64{1, -1}}}}, unbounded, 0},
}

func testModels(t *testing.T, s solvers.Solver) {
	for _, c := range cases {
		m := c.spec.model()
		if caps := s.Capabilities(); m.NumDiscrete() > 0 && !caps.Discrete || m.NumDiscrete() < m.NumCols() && caps.OnlyDiscrete {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			sol := solve(t, s, m, solvers.Options{})
			if !slices.Contains(c.status, sol.Status) {
				t.Fatalf("status %v (%s), want %v", sol.Status, sol.Raw, c.status)
			}
			if sol.Status == mio.Optimal && (!near(sol.Objective, c.objective) || !near(sol.Bound, c.objective)) {
				t.Errorf("objective %v, bound %v, want %v", sol.Objective, sol.Bound, c.objective)
			}
		})
	}
}

// testEnumeration compares with exhaustive search, with and without a start.
func testEnumeration(t *testing.T, s solvers.Solver) {
	if !s.Capabilities().Discrete {
		return
	}
	rng := rand.New(rand.NewPCG(7, 7))
	solved := 0
	for i := range 150 {
		sp := randomSpec(rng)
		best, point, feasible := enumerate(sp)
		opt := solvers.Options{}
		if feasible && s.Capabilities().Start && i%2 == 0 {
			opt.Start = point
		}
		m := sp.model()
		sol := solve(t, s, m, opt)
		switch {
		case !feasible && sol.Status != mio.Infeasible:
			t.Errorf("model %d: status %v, but it is infeasible", i, sol.Status)
		case feasible && (sol.Status != mio.Optimal || !near(sol.Objective, best) || !near(sol.Bound, best)):
			t.Errorf("model %d: %v (%s), objective %v, bound %v, want %v", i, sol.Status, sol.Raw, sol.Objective, sol.Bound, best)
		case feasible:
			solved++
		}
	}
	if solved < 50 {
		t.Errorf("only %d models were feasible", solved)
	}
}

// testNearTies has models whose solutions differ by little, with and without a
// start that is worse by so little: an optimizer must not call it optimal.
func testNearTies(t *testing.T, s solvers.Solver) {
	if !s.Capabilities().Discrete {
		return
	}
	for _, step := range []float64{1e-5, 3e-6, 1e-6} {
		m, best, second := nearTies(step)
		for _, start := range [][]float64{nil, second} {
			if start != nil && !s.Capabilities().Start {
				continue
			}
			sol := solve(t, s, m, solvers.Options{Start: start})
			if known(s).inexact && sol.Status == mio.Feasible {
				continue
			}
			if sol.Status != mio.Optimal || sol.Objective > best+step/4 {
				t.Errorf("step %g, start %v: %v (%s), objective %.9f, want %.9f", step, start != nil, sol.Status, sol.Raw, sol.Objective, best)
			}
		}
	}
}

// nearTies chooses 4 of 12 items, each in the knapsack by another weight, whose
// costs differ by multiples of step; second is a point of the next objective.
func nearTies(step float64) (m *mio.Model, best float64, second []float64) {
	s := spec{offset: 1}
	choose, weight := row{4, 4, nil}, row{-inf, 20, nil}
	for j := range 12 {
		s.cols = append(s.cols, col{0.1 + step*float64(j*5%12), 0, 1, bin})
		choose.coefs = append(choose.coefs, 1)
		weight.coefs = append(weight.coefs, float64(2+j*7%9))
	}
	s.rows = []row{choose, weight}
	best, _, _ = enumerate(s)
	least := best
	for j := range s.cols { // the least of those that are not best
		fixed := s
		fixed.cols = slices.Clone(s.cols)
		fixed.cols[j].upper = 0
		if v, x, ok := enumerate(fixed); ok && v > best+step/2 && (second == nil || v < least) {
			least, second = v, slices.Clone(x)
		}
	}
	return s.model(), best, second
}

// oddNames are legal in a model, and each means something to some reader of
// files.
var oddNames = []string{
	"RHS", "BOUND", "MARKER", "'MARKER'", "OBJ", "obj", "ENDATA", "NAME", "1st", "-5", "+", "1e5", "inf", "x$y", "$", "*", "a*b", "#c", "\\d",
	"<e>", "&amp;", "\"f\"", "a:b", "x[1,2]", "x(3)", "é", "名", "C", "=obj=", "c1", "r1", "x y"[:1] + "_y", ";", "a,b", "%s", "--help", "-e",
	strings.Repeat("long", 60),
}

// testNames: odd names of columns and rows do not change the answer, and values
// come back to their columns.
func testNames(t *testing.T, s solvers.Solver) {
	// Each column has its own optimal value: min sum x_j, x_j >= j+1.5.
	b := mio.NewBuilder("odd <names> & 'more'")
	for j, name := range oddNames {
		kind := mio.Continuous
		if caps := s.Capabilities(); caps.Discrete && (j%2 == 1 || caps.OnlyDiscrete) {
			kind = mio.Integer
		}
		c := b.AddCol(1, 0, 1000, kind, name)
		b.Add(b.AddRow(float64(j)+1.5, mio.Inf, oddNames[len(oddNames)-1-j]), c, 1)
	}
	m := build(b)
	sol := solve(t, s, m, solvers.Options{})
	if sol.Status != mio.Optimal {
		t.Fatalf("%v (%s)", sol.Status, sol.Raw)
	}
	for j, v := range sol.Values {
		want := float64(j) + 1.5
		if m.ColTypes()[j] == mio.Integer {
			want += 0.5
		}
		if !near(v, want) {
			t.Errorf("column %s is %v, want %v", m.ColName(j), v, want)
		}
	}
	if s.Capabilities().Start {
		again := solve(t, s, m, solvers.Options{Start: sol.Values})
		if again.Status != mio.Optimal || !near(again.Objective, sol.Objective) {
			t.Errorf("from its own optimum: %v, objective %v, want %v", again.Status, again.Objective, sol.Objective)
		}
	}
}

// testLarge solves a model of 50,000 rows that any presolve takes apart: what it
// asks for is that files and answers of that size go through.
func testLarge(t *testing.T, s solvers.Solver) {
	const items = 25_000
	kind, least := mio.Continuous, 1.0
	if s.Capabilities().Discrete {
		kind, least = mio.Integer, 0.5
	}
	b := mio.NewBuilder("large")
	b.OmitNames()
	z := b.AddCol(1, 0, 1, mio.Continuous, "")
	start := make([]float64, items+1)
	for j := range items {
		x := b.AddCol(1, 0, 9, kind, "")
		b.Add(b.AddRow(least, mio.Inf, ""), x, 1)
		both := b.AddRow(-mio.Inf, 100, "")
		b.Add(both, x, 1)
		b.Add(both, z, 1)
		start[j+1] = 2
	}
	m := suited(s, build(b))
	opt := solvers.Options{}
	if s.Capabilities().Start {
		opt.Start = start
	}
	if err := licence(s, m, opt); err != nil {
		t.Skip(err)
	}
	if sol := solve(t, s, m, opt); sol.Status != mio.Optimal || !near(sol.Objective, items) {
		t.Errorf("%v (%s), objective %v, want %v", sol.Status, sol.Raw, sol.Objective, items)
	}
}
