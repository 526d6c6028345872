package fit_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/internal/datatest"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/search/exact"
	"github.com/octgen/octgen/tree"
)

// realData loads a dataset of the shared collection, or skips the test.
func realData(t *testing.T, file string) *dataset.Dataset {
	t.Helper()
	for _, dir := range []string{os.Getenv("OCTGEN_DATA"), "../../shared/data"} {
		path := filepath.Join(dir, file)
		if _, err := os.Stat(path); dir == "" || err != nil {
			continue
		}
		ds, err := dataset.Load(path, dataset.LoadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return ds
	}
	t.Skipf("%s is neither in $OCTGEN_DATA nor in ../shared/data", file)
	return nil
}

// tuneOptions are those of a tuned method of this depth, otherwise with its defaults.
func tuneOptions(name string, depth int) fit.Options {
	m, err := problem.Lookup(name)
	if err != nil {
		panic(err)
	}
	return fit.Options{Method: with(m, "depth", problem.Depth(depth))}
}

// with gives m an option that it has.
func with(m problem.Method, flag string, value any) problem.Method {
	if has, err := problem.Set(m, flag, reflect.ValueOf(value)); !has || err != nil {
		panic(fmt.Sprintf("--%s of %s: %v, %v", flag, m.Info().Name, has, err))
	}
	return m
}

// TestTunedChooses: what a tuned method chooses itself is none of its options, and a
// start is refused by name, not passed over.
func TestTunedChooses(t *testing.T) {
	ds, err := dataset.New([]float64{1, 2, 3, 4, 5, 6, 7, 8}, []int{0, 0, 1, 1, 0, 0, 1, 1}, []string{"x"}, []string{"a", "b"})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"oct-tuned", "oct-h-tuned", "cart-tuned"} {
		for flag, value := range map[string]any{"alpha": 0.01, "max-splits": 1} {
			if has, err := problem.Set(tuneOptions(name, 2).Method, flag, reflect.ValueOf(value)); has {
				t.Errorf("%s has --%s: %v", name, flag, err)
			}
		}
		for what, set := range map[string]func(*fit.Options){
			"a start":      func(o *fit.Options) { o.Start = "cart" },
			"a start tree": func(o *fit.Options) { o.StartTree, o.StartName = tree.NewLeaf(ds, 0), "mine" },
		} {
			o := tuneOptions(name, 2)
			set(&o)
			if _, err := fit.Run(context.Background(), ds, o); !errors.Is(err, fit.ErrInput) || !strings.Contains(err.Error(), "start") || !strings.Contains(err.Error(), name) {
				t.Errorf("%s with %s: error %v", name, what, err)
			}
		}
	}
}

// randomRows draws a small data set with ties, of whole or of fractional weights.
func randomRows(t *rapid.T) *dataset.Dataset {
	n, p, k := rapid.IntRange(6, 40).Draw(t, "n"), rapid.IntRange(1, 4).Draw(t, "p"), rapid.IntRange(2, 4).Draw(t, "k")
	values := rapid.IntRange(2, 8).Draw(t, "values")
	rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
	x, y := make([]float64, n*p), make([]int, n)
	for i := range x {
		x[i] = float64(rng.IntN(values))
	}
	for i := range y {
		y[i] = rng.IntN(k)
		if rng.IntN(2) == 0 {
			y[i] = int(x[i*p]) * k / values
		}
	}
	ds, err := dataset.New(x, y, names("f", p), names("c", k))
	if err != nil {
		t.Fatal(err)
	}
	switch rapid.SampledFrom([]string{"one", "whole", "real"}).Draw(t, "weights") {
	case "whole":
		for i := range ds.Weight {
			ds.Weight[i] = float64(1 + rng.IntN(5))
		}
	case "real":
		for i := range ds.Weight {
			ds.Weight[i] = 0.5 + rng.Float64()
		}
	}
	return ds
}

func names(prefix string, n int) []string {
	all := make([]string, n)
	for i := range all {
		all[i] = fmt.Sprint(prefix, i)
	}
	return all
}

// pathPoint is what both paths must agree in: which trees of equal figures they
// find is theirs.
type pathPoint struct {
	Low, High, Errors float64
	Complexity        int
}

func points(u *fit.Tuning) []pathPoint {
	var all []pathPoint
	for _, p := range u.Envelope {
		all = append(all, pathPoint{p.AlphaLow, p.AlphaHigh, p.ErrorWeight, p.Complexity})
	}
	return all
}

// bruteEnvelope is the envelope from the least errors for each number of splits.
func bruteEnvelope(t testing.TB, ds *dataset.Dataset, depth int, minLeaf float64) []pathPoint {
	scale := tree.ErrorScale(ds)
	least := []float64{ds.Baseline()}
	if least[0] == 0 {
		return []pathPoint{{0, 1, 0, 0}}
	}
	for c := 1; c < 1<<depth; c++ {
		res, err := exact.Solve(context.Background(), ds, exact.Options{Depth: depth, MaxSplits: c, MinLeaf: minLeaf})
		if err != nil || res.Status != mio.Optimal {
			t.Fatal(err, res.Status)
		}
		least = append(least, res.Weight)
	}
	var all []pathPoint
	for c, e := range least {
		low, high := 0.0, 1.0
		for o, f := range least {
			switch a := (f - e) / (scale * float64(c-o)); {
			case o < c:
				high = min(high, a)
			case o > c:
				low = max(low, (e-f)/(scale*float64(o-c)))
			}
		}
		if high > low+1e-11 {
			all = append([]pathPoint{{low, high, e, c}}, all...)
		}
	}
	return all
}

// TestTunedPaths: both paths find the envelope of the least errors for each number
// of splits, and prove it, in at most 2k-1 solves for k points.
func TestTunedPaths(t *testing.T) {
	close := cmpopts.EquateApprox(1e-9, 1e-9)
	rapid.Check(t, func(rt *rapid.T) {
		ds := randomRows(rt)
		depth, minLeaf := rapid.IntRange(1, 3).Draw(rt, "depth"), rapid.SampledFrom([]float64{0, 1, 3}).Draw(rt, "min leaf")
		o := tuneOptions("oct-tuned", depth)
		with(o.Method, "min-leaf", minLeaf)
		o.Solve.Seed = rapid.IntRange(0, 9).Draw(rt, "seed")
		rows, _, err := ds.Holdout(fit.DefaultValidation, uint64(o.Solve.Seed))
		if err != nil {
			rt.Fatal(err)
		}
		train := ds.Subset(rows)
		if problem.NewData(ds).Trivial() { // there is nothing to choose, so no row is kept from fitting
			train = ds
		}
		want := bruteEnvelope(t, train, depth, minLeaf)
		for _, path := range []string{problem.AlphaPath, problem.SplitsPath} {
			with(o.Method, "path", path)
			res, err := fit.Run(context.Background(), ds, o)
			if err != nil {
				rt.Fatal(err)
			}
			u := res.Tuning
			if diff := cmp.Diff(want, points(u), close); diff != "" {
				rt.Fatalf("%s: %s", path, diff)
			}
			if !u.Proved || res.Solver.Status != "optimal" || res.Status != "optimal" || res.Engine != "search" {
				rt.Fatalf("%s: nothing but proofs, yet %+v, %+v", path, u, res.Solver)
			}
			if proved := *res.Prover == "search"; proved != (u.Solves > 0) || !proved && *res.Prover != "data" {
				rt.Fatalf("%s: %d solves, proved by %s", path, u.Solves, *res.Prover)
			}
			if k := len(want); path == problem.AlphaPath && u.Solves > 2*k-1 {
				rt.Fatalf("%d solves for %d points", u.Solves, k)
			}
			checkChoice(rt, ds, res)
		}
	})
}

// checkChoice: the chosen tree has the least validation error weight, and of
// equal ones the largest alpha, in the middle of its interval; its figures are
// those of the rows.
func checkChoice(t interface{ Fatalf(string, ...any) }, ds *dataset.Dataset, res *fit.Result) {
	u := res.Tuning
	if u.TrainRows+u.ValidationRows != ds.N() || res.Train.Rows != float64(ds.N()) {
		t.Fatalf("%d + %d rows of %d, scored on %v", u.TrainRows, u.ValidationRows, ds.N(), res.Train.Rows)
	}
	chosen, low := -1, 0.0
	for i, p := range u.Envelope {
		if p.AlphaLow != low || p.AlphaHigh < p.AlphaLow {
			t.Fatalf("intervals do not meet: %+v", u.Envelope)
		}
		low = p.AlphaHigh
		if p.Chosen {
			chosen = i
		}
	}
	if low != 1 || chosen < 0 {
		t.Fatalf("the envelope ends at %v, chosen is %d", low, chosen)
	}
	c := u.Envelope[chosen]
	for i, p := range u.Envelope {
		if d := p.ValidationErrorWeight - c.ValidationErrorWeight; d < -1e-9 || i > chosen && d < 1e-12 {
			t.Fatalf("%d chosen of %+v", chosen, u.Envelope)
		}
	}
	if math.Abs(u.Alpha-(c.AlphaLow+c.AlphaHigh)/2) > 1e-15 || !res.Check.OK() {
		t.Fatalf("alpha %v of %+v, check %+v", u.Alpha, c, res.Check)
	}
}

// TestTunedTies: of trees with the same validation errors the simplest is chosen.
func TestTunedTies(t *testing.T) {
	// Feature 0 splits off all of class 1 but for one row, which takes feature 1.
	var x []float64
	var y []int
	for i := range 30 {
		x = append(x, float64(i%2), 0)
		y = append(y, i%2)
	}
	ds, err := dataset.New(x, y, names("f", 2), names("c", 2))
	if err != nil {
		t.Fatal(err)
	}
	res, err := fit.Run(context.Background(), ds, tuneOptions("oct-tuned", 2))
	if err != nil {
		t.Fatal(err)
	}
	if got := points(res.Tuning); len(got) != 1 || got[0].Complexity != 1 || got[0].High != 1 {
		t.Errorf("one split makes no errors and is as good as the leaf at alpha 1: %+v", got)
	}
	checkChoice(t, ds, res)
}

// TestTunedSmall: data that allow one tree only, and those that cannot be divided.
func TestTunedSmall(t *testing.T) {
	for _, name := range []string{"cart-tuned", "oct-tuned", "oct-h-tuned"} {
		for _, c := range []struct {
			name string
			x    []float64
			y    []int
		}{
			{"one row", []float64{1}, []int{0}},
			{"one class", []float64{1, 2, 3, 4}, []int{1, 1, 1, 1}},
			{"constant feature", []float64{1, 1, 1, 1}, []int{0, 1, 1, 0}},
		} {
			ds, err := dataset.New(c.x, c.y, names("f", 1), names("c", 2))
			if err != nil {
				t.Fatal(err)
			}
			res, err := fit.Run(context.Background(), ds, tuneOptions(name, 2))
			if err != nil {
				t.Errorf("%s, %s: %v", name, c.name, err)
				continue
			}
			if u := res.Tuning; res.Tree.Splits() != 0 || len(u.Envelope) != 1 || u.AlphaHigh != 1 || u.Proved != (name != "cart-tuned") {
				t.Errorf("%s, %s: %+v", name, c.name, u)
			}
		}
		ds, err := dataset.New([]float64{1, 2, 3, 4}, []int{0, 1, 1, 0}, names("f", 1), names("c", 2))
		if err != nil {
			t.Fatal(err)
		}
		o := tuneOptions(name, 2)
		with(o.Method, "min-leaf", 4.0)
		if _, err := fit.Run(context.Background(), ds, o); !errors.Is(err, fit.ErrInput) || !strings.Contains(err.Error(), "the training set weighs 3") {
			t.Errorf("%s: %v", name, err)
		}
		o = tuneOptions(name, 2)
		with(o.Method, "validation", problem.Part(math.NaN()))
		if _, err := fit.Run(context.Background(), ds, o); !errors.Is(err, fit.ErrInput) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestTunedProver: where there is nothing to solve the data prove it; no solver and no
// search is credited.
func TestTunedProver(t *testing.T) {
	ds, err := dataset.New([]float64{1, 2}, []int{0, 1}, names("f", 1), names("c", 2))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		method, solver string
		engine         problem.Engine
		by             string
	}{
		{"oct-tuned", "", "search", "treesearch"}, {"oct-tuned", "liar", "mio", "none"},
		{"oct-h-tuned", "", "heuristic", "alternating"}, {"oct-h-tuned", "liar", "mio", "none"},
	} {
		o := tuneOptions(c.method, 2)
		o.Solver = c.solver
		res, err := fit.Run(context.Background(), ds, o)
		if err != nil {
			t.Fatal(err)
		}
		if res.Engine != string(c.engine) || res.Status != "optimal" || *res.Prover != "data" || res.Tuning.Solves != 0 || res.Solver.Name != c.by {
			t.Errorf("%s, solver %q: %+v, %+v", c.method, c.solver, res, res.Solver)
		}
	}
}

// TestTunedInterrupted: a tree comes back, and says what ended the fit.
func TestTunedInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	ds := realData(t, "iris.csv")
	for _, name := range []string{"cart-tuned", "oct-tuned", "oct-h-tuned"} {
		res, err := fit.Run(ctx, ds, tuneOptions(name, 2))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		limit := ""
		if res.Solver != nil {
			limit = res.Solver.Limit
		} else {
			limit = res.Heuristic.Limit
		}
		if limit != "interrupt" || res.Limit != limit || res.Status != "feasible" || res.Tree == nil || res.Tuning.Proved {
			t.Errorf("%s: limit %q, %+v", name, limit, res.Tuning)
		}
	}
}

// TestTunedReal: both paths agree on real data, and so do two runs.
func TestTunedReal(t *testing.T) {
	close := cmpopts.EquateApprox(1e-9, 1e-9)
	for _, file := range []string{"iris.csv", "monks-1.csv", "monks-2.csv", "hayes-roth.csv", "seeds.csv"} {
		ds := realData(t, file)
		o := tuneOptions("oct-tuned", 2)
		first, err := fit.Run(context.Background(), ds, o)
		if err != nil {
			t.Fatal(err)
		}
		again, err := fit.Run(context.Background(), ds, o)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(first.Tuning, again.Tuning); diff != "" || !first.Tree.Equal(again.Tree) {
			t.Errorf("%s: two runs differ: %s", file, diff)
		}
		with(o.Method, "path", problem.SplitsPath)
		other, err := fit.Run(context.Background(), ds, o)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(points(first.Tuning), points(other.Tuning), close); diff != "" || !first.Tuning.Proved || !other.Tuning.Proved {
			t.Errorf("%s: %s", file, diff)
		}
		checkChoice(t, ds, first)
	}
}

// TestTunedPlanes: the portfolio has every tree that oct-tuned proves best in its
// pool, so that its envelope is nowhere above; two runs agree; fewer work units end
// the searches sooner.
func TestTunedPlanes(t *testing.T) {
	for at, file := range []string{"iris.csv", "hayes-roth.csv"} {
		ds := realData(t, file)
		univariate, err := fit.Run(context.Background(), ds, tuneOptions("oct-tuned", 2))
		if err != nil {
			t.Fatal(err)
		}
		for i, path := range []string{problem.AlphaPath, problem.SplitsPath} {
			if i != at && !datatest.All() {
				continue
			}
			o := tuneOptions("oct-h-tuned", 2)
			with(with(o.Method, "path", path), "portfolio", true)
			o.WorkLimit = 1_000_000
			var both [2]*fit.Result
			for i := range both {
				if both[i], err = fit.Run(context.Background(), ds, o); err != nil {
					t.Fatal(err)
				}
			}
			if diff := cmp.Diff(both[0].Tuning, both[1].Tuning); diff != "" || !both[0].Tree.Equal(both[1].Tree) {
				t.Errorf("%s, %s: two runs differ: %s", file, path, diff)
			}
			checkChoice(t, ds, both[0])
			for alpha := 0.0; alpha <= 1; alpha += 1.0 / 64 {
				if h, u := leastValue(both[0].Tuning, alpha), leastValue(univariate.Tuning, alpha); h > u+1e-9 {
					t.Errorf("%s, %s: at alpha %v hyperplanes reach %v, univariate splits %v", file, path, alpha, h, u)
				}
			}
			o.WorkLimit *= 10
			more, err := fit.Run(context.Background(), ds, o)
			if err != nil {
				t.Fatal(err)
			}
			if a, b := both[0].Tuning.Work, more.Tuning.Work; a >= b {
				t.Errorf("%s, %s: work %d with the lower limit, %d with the higher", file, path, a, b)
			}
		}
	}
}

// leastValue is the objective of the envelope at alpha, times the baseline error
// that the single leaf, the last point, has.
func leastValue(u *fit.Tuning, alpha float64) float64 {
	least := math.Inf(1)
	scale := u.Envelope[len(u.Envelope)-1].ErrorWeight
	for _, p := range u.Envelope {
		least = min(least, p.ErrorWeight+alpha*scale*float64(p.Complexity))
	}
	return least
}

// TestTunedRefit: the tree is the best one on all rows at the alpha chosen.
func TestTunedRefit(t *testing.T) {
	ds := realData(t, "seeds.csv")
	o := tuneOptions("oct-tuned", 2)
	with(o.Method, "refit", true)
	res, err := fit.Run(context.Background(), ds, o)
	if err != nil {
		t.Fatal(err)
	}
	want, err := exact.Solve(context.Background(), ds, exact.Options{Depth: 2, MinLeaf: 1, Alpha: res.Tuning.Alpha})
	if err != nil {
		t.Fatal(err)
	}
	if got := res.Train.Objective; got == nil || math.Abs(*got-want.Objective) > 1e-9 || !res.Tuning.RefitProved || res.Solver.Status != "optimal" {
		t.Errorf("objective %v, want %v; %+v", got, want.Objective, res.Tuning)
	}
	o.Method = with(tuneOptions("cart-tuned", 2).Method, "refit", true)
	if res, err = fit.Run(context.Background(), ds, o); err != nil || res.Train.Objective == nil {
		t.Fatal(err)
	}
	if leaf := 1.0; *res.Train.Objective > leaf+1e-9 {
		t.Errorf("the pruned tree has %v, the single leaf 1", *res.Train.Objective)
	}
}

// TestTunedLimits: what a limit ends is a tree with a limit to its name and no
// proof, and local search adds to what the exact search leaves.
func TestTunedLimits(t *testing.T) {
	ds := realData(t, "sonar.csv")
	o := tuneOptions("oct-tuned", 3)
	o.WorkLimit = 100_000
	res, err := fit.Run(context.Background(), ds, o)
	if err != nil {
		t.Fatal(err)
	}
	if u := res.Tuning; u.Proved || res.Solver.Status != "feasible" || res.Solver.Limit != "iterations" {
		t.Errorf("%+v, %+v", res.Solver, u)
	}
	checkChoice(t, ds, res)
	o.WorkLimit = 0
	o.Solve.TimeLimit = 1
	if res, err = fit.Run(context.Background(), ds, o); err != nil || res.Solver.Limit != "time" || res.Tuning.Solves != 0 || res.Tree == nil {
		t.Errorf("%v, %+v", err, res)
	}
}
