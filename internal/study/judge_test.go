//go:build cgo && !nohighs

package study

import (
	"context"
	"errors"
	"github.com/octgen/octgen/internal/datatest"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/formulate/oct"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/solvers"
)

// This file is what the tests of single defects know of octgen beside adapter_test.go.

// load reads a file of examples/ or of the shared collection, without which the test
// is skipped, as an instance of depth 1.
func load(t *testing.T, e engine, file string) *instance {
	t.Helper()
	for _, dir := range []string{filepath.Join("..", "..", "examples"), os.Getenv("OCTGEN_DATA"), filepath.Join("..", "..", "..", "shared", "data")} {
		path := filepath.Join(dir, file)
		if _, err := os.Stat(path); dir == "" || err != nil {
			continue
		}
		ds, err := dataset.Load(path, dataset.LoadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		in := &instance{engine: e, drawnBy: file, y: ds.Y, k: ds.K(), w: ds.Weight, depth: 1, start: "none"}
		for i := range ds.N() {
			in.x = append(in.x, ds.Row(i))
		}
		return in
	}
	t.Skipf("%s is neither in examples/ nor in $OCTGEN_DATA nor in ../shared/data", file)
	return nil
}

// request is a fit that differs from the engine's usual one.
type request struct {
	minMaxScale bool
	crossCheck  bool
	solver      string
	start       string
	limit       time.Duration
}

// ask has the engine answer the instance as requested; agrees is the word of the
// cross-check, and of the check's error.
func (in *instance) ask(q request) (a *answer, agrees bool) {
	o := in.options()
	o.CrossCheck, o.Solve.TimeLimit = q.crossCheck, q.limit
	if q.minMaxScale {
		o.Method.(*problem.OCT).Scale = string(oct.MinMaxScale)
	}
	if q.solver != "" {
		o.Solver = q.solver
	}
	if q.start != "" {
		o.Start = q.start
	}
	a = noAnswer()
	res, err := fit.Run(context.Background(), in.data(), o)
	a.err, a.refused = err, errors.Is(err, fit.ErrInput)
	if res != nil {
		a.read(res)
	}
	return a, err == nil && (res.CrossCheck == nil || res.CrossCheck.Agrees)
}

// overconfident is a solver that calls its start optimal, with a bound that it may
// leave open.
type overconfident struct {
	name string
	open bool
}

func init() {
	solvers.Register(overconfident{"overconfident", false})
	solvers.Register(overconfident{"overconfident-open", true})
}

func (s overconfident) Name() string   { return s.name }
func (overconfident) Version() string  { return "1" }
func (overconfident) Available() error { return nil }
func (overconfident) Capabilities() solvers.Capabilities {
	return solvers.Capabilities{Discrete: true, Start: true, Threads: true, TimeLimit: true, Seed: true, Indicator: true}
}

func (s overconfident) Solve(_ context.Context, m *mio.Model, o solvers.Options) (*mio.Solution, error) {
	v := m.Objective(o.Start)
	sol := &mio.Solution{Status: mio.Optimal, Values: slices.Clone(o.Start), Objective: v, Bound: v, Solver: s.name, Raw: "optimal"}
	if s.open {
		sol.Bound = 0
	}
	sol.Gap = mio.Gap(sol.Objective, sol.Bound)
	return sol, nil
}

// weigh gives all rows the same weight.
func (in *instance) weigh(w float64) { in.w = slices.Repeat([]float64{w}, in.n()) }

// few keeps the first rows of each class.
func (in *instance) few(rows int) {
	all, had := *in, make([]int, in.k)
	in.x, in.y = nil, nil
	for i, y := range all.y {
		if had[y] < rows {
			had[y]++
			in.x, in.y = append(in.x, all.x[i]), append(in.y, y)
		}
	}
	in.weigh(1)
}

// TestLargeWeights: three classes of as many rows, of which one can be cut off, have the
// optimum 1/2 at depth 1 whatever a row weighs; the big-M programs of rows of 100,000
// had 1.
func TestLargeWeights(t *testing.T) {
	for at, e := range []engine{threshold, flow, cut, binOCT, bigM, indicator, octH} {
		for i, w := range []float64{1e5, 1e7, 1e-7} {
			if i != at%3 && e != bigM && !datatest.All() {
				continue
			}
			for _, minMax := range []bool{false, true} {
				if minMax && e != bigM {
					continue
				}
				in := load(t, e, "iris.csv")
				in.few(15)
				in.weigh(w)
				if e == octH {
					in.mu = 0.005
				}
				a, _ := in.ask(request{minMaxScale: minMax})
				if a.err != nil || a.status != "optimal" || !near(a.value, 0.5, 1e-6) || !near(a.bound, 0.5, 1e-6) || !near(a.train, 0.5, 1e-9) {
					t.Errorf("%s, rows of weight %v, min-max %v: %s %v, bound %v, tree %v (%v); want 0.5", e, w, minMax, a.status, a.value, a.bound, a.train, a.err)
				}
			}
		}
	}
}

// greedyLoses is data on which CART's tree of depth 2 is not optimal: xor twice, with a
// feature that is right for six of eight rows.
func greedyLoses() *instance {
	in := xor()
	in.engine, in.depth, in.start = threshold, 2, "cart"
	in.x, in.y = append(in.x, in.x...), append(in.y, in.y...)
	in.weigh(1)
	for i, row := range in.x {
		hint := in.y[i]
		if i == 1 || i == 7 {
			hint = 1 - hint
		}
		in.x[i] = []float64{row[0], row[1], float64(hint)}
	}
	return in
}

// TestOpenOptimum: optimal with an open gap is feasible.
func TestOpenOptimum(t *testing.T) {
	for _, solver := range []string{"overconfident", "overconfident-open"} {
		in := greedyLoses()
		if a, _ := in.ask(request{}); a.status != "optimal" || a.value != 0 {
			t.Fatalf("HiGHS: %s, %v", a.status, a.value)
		}
		a, _ := in.ask(request{solver: solver})
		if a.value == 0 {
			t.Fatal("the start is optimal: the test shows nothing")
		}
		if a.status == "optimal" && !near(a.value, a.bound, 1e-6) {
			t.Errorf("%s: status optimal, objective %v, bound %v", solver, a.value, a.bound)
		}
	}
}

// TestCrossCheckOfOptimum: a claimed optimum is compared as an objective too, not as a
// bound only.
func TestCrossCheckOfOptimum(t *testing.T) {
	for _, solver := range []string{"overconfident", "overconfident-open"} {
		a, agrees := greedyLoses().ask(request{solver: solver, crossCheck: true})
		if agrees && a.status == "optimal" {
			t.Errorf("%s: %v is said to be optimal, the search agrees; the optimum is 0", solver, a.value)
		}
	}
}

// TestLimitWhileBuilding: a limit ends a fit whose model takes long to build, with a
// tree. The time is generous.
func TestLimitWhileBuilding(t *testing.T) {
	for _, e := range []engine{threshold, bigM} {
		in := load(t, e, "contree-bean.csv")
		in.depth, in.minLeaf = 4, 1
		began := time.Now()
		a, _ := in.ask(request{limit: 100 * time.Millisecond, start: "auto"})
		if took := time.Since(began); took > 6*time.Second {
			t.Errorf("%s: %v after a limit of 0.1 s", e, took)
		}
		if a.err != nil || a.nodes == nil || a.status != "feasible" {
			t.Errorf("%s: %s with %d nodes, error %v", e, a.status, len(a.nodes), a.err)
		}
	}
}

// TestTinyWeights: rows of 1e-9 with a least leaf of their size.
func TestTinyWeights(t *testing.T) {
	for _, e := range []engine{search, threshold, flow, cut, binOCT, bigM, indicator, octH} {
		in := xor()
		in.engine, in.depth, in.start, in.minLeaf = e, 2, "none", 1
		if e == octH {
			in.depth, in.mu = 1, 0.005
		}
		in = in.scaled(1e-9)
		if v := in.judge(in.solve()); v.kind != "" {
			t.Errorf("%s: %s: %s", e, v.kind, v.text)
		}
	}
}

// wideStump is the split on one feature with the least errors among those with a
// margin of a little more than mu.
func (in *instance) wideStump() []node {
	scaled := in.minMax()
	best, least := []node{{class: in.heaviest()}}, in.baseline()
	for j := range in.p() {
		order := everything(in.n())
		slices.SortFunc(order, func(a, b int) int {
			if scaled[a][j] < scaled[b][j] {
				return -1
			}
			if scaled[a][j] > scaled[b][j] {
				return 1
			}
			return 0
		})
		left, right := make([]float64, in.k), in.classWeights()
		for at, i := range order[:in.n()-1] {
			left[in.y[i]] += in.w[i]
			right[in.y[i]] -= in.w[i]
			next := order[at+1]
			if scaled[next][j]-scaled[i][j] < in.mu*1.001 {
				continue
			}
			if errors := in.total() - slices.Max(left) - slices.Max(right); errors < least-1e-9 {
				least = errors
				w := make([]float64, in.p())
				w[j] = 1
				best = []node{
					{weights: w, b: (in.x[i][j] + in.x[next][j]) / 2, left: 1, right: 2},
					{class: slices.Index(left, slices.Max(left))}, {class: slices.Index(right, slices.Max(right))},
				}
			}
		}
	}
	return best
}

// TestLocalSearchKeepsStart: the search's tree is no worse than a start with the
// margin, nor than the best single split that has it.
func TestLocalSearchKeepsStart(t *testing.T) {
	for _, file := range []string{"wdbc.csv", "banknote.csv"} {
		in := load(t, octH, file)
		in.depth, in.mu = 2, 0.005
		start := in.wideStump()
		want := in.walk(&answer{nodes: start})
		if len(start) == 1 || want.margin < in.mu {
			t.Fatalf("%s: no split with the margin", file)
		}
		for _, given := range [][]node{start, nil} {
			if got := in.walk(in.localSearch(t, given, 20_000_000)); got.errors > want.errors || got.margin < in.mu-1e-9 {
				t.Errorf("%s: %v errors, margin %v; a split of margin %v has %v (given: %v)", file, got.errors, got.margin, want.margin, want.errors, given != nil)
			}
		}
	}
}

// TestNearlyWholeWeights: large weights that are not whole in thousandths, but nearly
// so, are not taken for whole: the search then refuted its own tree.
func TestNearlyWholeWeights(t *testing.T) {
	in := &instance{
		engine: search, k: 4, depth: 3, minLeaf: 140,
		x: [][]float64{{0, -1.6, 1}, {1, -1.1, 0.2}, {0, -0.1, 1.2}, {0, 0.1, 1.1}, {0, -0.1, 1.2}, {0, -0.3, -1.1}, {1, -0.7, 1.5}, {0, -0.3, -1.1}, {0, -0.4, -1.2}, {0, -0.8, -0.6}, {1, 2.2, 0.2}, {1, 0.2, -1.9}},
		y: []int{1, 1, 2, 3, 1, 1, 0, 1, 1, 3, 0, 0},
		w: []float64{332, 468, 293, 140, 302, 351, 231, 362, 292, 210, 230, 149},
	}
	in = in.scaled(4.587744952751403e+06)
	if v := in.judge(in.solve()); v.kind != "" {
		t.Errorf("%s: %s\n%v", v.kind, v.text, in)
	}
}

// TestBoundsOfFeatures: the presolve of HiGHS 1.10 calls a program for the bound on a
// weight infeasible that is feasible and unbounded; the plane of the least error
// refutes it.
func TestBoundsOfFeatures(t *testing.T) {
	in := &instance{
		engine: fm, start: "none", x: [][]float64{{3, 0.5}, {1, 1}, {5, 0.9}, {2, 0.1}}, y: []int{1, 0, 1, 1}, k: 4,
		w: []float64{1, 1, 1, 1}, depth: 1, delta: 0.05500000000000001,
	}
	if v := in.judge(in.solve()); v.kind != "" {
		t.Errorf("%s: %s\n%v", v.kind, v.text, in)
	}
}

// TestStartedClaim: HiGHS 1.10, given a start, calls a tree of this instance optimal that
// is not; the search that doubts such claims knows better.
func TestStartedClaim(t *testing.T) {
	in := draw(octH, 332859965509)
	if v := in.judge(in.solve()); v.kind == wrong {
		t.Errorf("%v\n%v", v.text, in)
	}
}

// TestLocalSearchKeepsOptimum: local search among hyperplanes ends no worse than its
// start, an optimal tree with a little more margin.
func TestLocalSearchKeepsOptimum(t *testing.T) {
	tried := 0
	for seed := range uint64(datatest.Some(60)) {
		in := draw(octH, seed)
		if in.baseline() == 0 || in.constant() || !enough(in.total(), in.minLeaf) {
			continue
		}
		wider := *in
		wider.mu *= 1.01
		best := wider.solve()
		if best.err != nil || best.nodes == nil || in.walk(best).margin < in.mu*1.005 {
			continue
		}
		tried++
		objective := func(f figures) float64 { return f.errors/in.baseline() + in.alpha*float64(f.complexity) }
		want, got := in.walk(best), in.walk(in.localSearch(t, best.nodes, 200_000))
		if v := objective(got); v > objective(want)+1e-9 || got.margin < in.mu-1e-9 || math.IsNaN(v) {
			t.Errorf("objective %v, margin %v; the start has %v, margin %v\n%v", v, got.margin, objective(want), want.margin, in)
		}
	}
	if tried < datatest.Some(25) {
		t.Errorf("%d starts only", tried)
	}
}
