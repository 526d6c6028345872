package fit_test

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/tree"
)

// dataFor is ds for methods of classes, and for those of rewards the same with a reward of
// 1 for answering the class, or its number.
func dataFor(t *testing.T, m problem.Method, ds *dataset.Dataset) *dataset.Dataset {
	t.Helper()
	switch info := m.Info(); {
	case info.OnlyNumbers:
		d := numbersOf(t, ds)
		d.Quantile = 0.5 // a linear model, which every solver takes
		return d
	case !info.Rewards:
		return ds
	}
	k := ds.K()
	reward := make([]float64, ds.N()*k)
	for i, y := range ds.Y {
		reward[i*k+y] = 1
	}
	d, err := dataset.NewRewards(slices.Clone(ds.X), reward, ds.Features, ds.Classes)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// rewarded draws data with rewards: values that tie, rewards that may be negative, weights.
func rewarded(t *rapid.T) *dataset.Dataset {
	n, p, k := rapid.IntRange(2, 9).Draw(t, "n"), rapid.IntRange(1, 3).Draw(t, "p"), rapid.IntRange(2, 4).Draw(t, "k")
	x, reward := make([]float64, n*p), make([]float64, n*k)
	for i := range x {
		x[i] = float64(rapid.IntRange(0, 3).Draw(t, "x"))
	}
	for i := range reward {
		reward[i] = float64(rapid.IntRange(-6, 6).Draw(t, "r")) / 4
	}
	d, err := dataset.NewRewards(x, reward, []string{"a", "b", "c"}[:p], []string{"u", "v", "w", "z"}[:k])
	if err != nil {
		t.Fatal(err)
	}
	if rapid.Bool().Draw(t, "weighted") {
		weight := make([]float64, n)
		for i := range weight {
			weight[i] = float64(rapid.IntRange(1, 3).Draw(t, "w"))
		}
		return weighted(d, weight)
	}
	return d
}

// weighted is d, whose rows weigh 1, with other weights, and the costs that these make.
func weighted(d *dataset.Dataset, weight []float64) *dataset.Dataset {
	d.Weight = weight
	for i, w := range weight {
		for k := range d.K() {
			d.Cost[i*d.K()+k] *= w
		}
	}
	return d
}

// most is the greatest reward less the price of the splits, by trying all trees: rows is a
// set of rows as bits. -Inf where no leaf is heavy enough.
func most(d *dataset.Dataset, rows uint, depth, splits int, m *problem.Policy) float64 {
	total, weight := make([]float64, d.K()), 0.0
	for i := range d.N() {
		if rows>>i&1 == 1 {
			weight += d.Weight[i]
			for k, r := range d.RewardsOf(i) {
				total[k] += d.Weight[i] * r
			}
		}
	}
	if rows == 0 || weight < m.MinLeaf {
		return math.Inf(-1)
	}
	best := slices.Max(total)
	if depth == 0 || splits == 0 {
		return best
	}
	for j := range d.P() {
		for _, v := range d.Distinct(j) {
			left := uint(0)
			for i := range d.N() {
				if rows>>i&1 == 1 && d.At(i, j) < v {
					left |= 1 << i
				}
			}
			for s := range splits {
				best = max(best, most(d, left, depth-1, s, m)+most(d, rows&^left, depth-1, splits-1-s, m)-m.Alpha)
			}
		}
	}
	return best
}

// The search finds the greatest reward of all trees within the limits, says so, and counts
// it right; a deeper tree earns no less; the heuristic no more.
func TestPolicyIsBest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := rewarded(t)
		m := &problem.Policy{}
		m.Depth = problem.Depth(rapid.IntRange(1, 3).Draw(t, "depth"))
		m.Alpha = float64(rapid.IntRange(0, 4).Draw(t, "alpha")) / 4
		m.MinLeaf = float64(rapid.IntRange(0, 2).Draw(t, "least leaf"))
		splits := 1<<m.Depth - 1
		if rapid.Bool().Draw(t, "few splits") {
			m.MaxSplits = rapid.IntRange(1, 3).Draw(t, "most splits")
			splits = min(splits, m.MaxSplits)
		}
		want := most(d, 1<<d.N()-1, int(m.Depth), splits, m)
		res, err := fit.Run(context.Background(), d, fit.Options{Method: m})
		if err != nil {
			t.Fatal(err)
		}
		if got := *res.Objective; math.Abs(got-want) > 1e-9 {
			t.Fatalf("%v, want %v\n%v", got, want, res.Tree)
		}
		if res.Status != "optimal" || math.Abs(*res.Bound-want) > 1e-9 || *res.Gap > 1e-9 || *res.Prover == "" || *res.Train.Objective != *res.Objective {
			t.Fatalf("%s, bound %v, gap %v, prover %v, train %v", res.Status, *res.Bound, *res.Gap, *res.Prover, *res.Train.Objective)
		}
		if earned := counted(d, res.Tree); math.Abs(earned-res.Train.Reward.Total) > 1e-9 || math.Abs(earned-m.Alpha*float64(res.Tree.Splits())-want) > 1e-9 {
			t.Fatalf("earns %v, says %v", earned, res.Train.Reward.Total)
		}
		if res.Baseline.Reward.Total > res.Train.Reward.Total-m.Alpha*float64(res.Tree.Splits())+1e-9 && m.MinLeaf == 0 {
			t.Fatalf("the single action %s earns %v, the tree %v", res.Baseline.Action, res.Baseline.Reward.Total, want)
		}
		h, err := fit.Run(context.Background(), d, fit.Options{Method: m, Engine: problem.Heuristic})
		if err != nil || *h.Objective > want+1e-9 || h.Bound != nil || h.Engine != "heuristic" {
			t.Fatalf("heuristic: %v, %v of %v, bound %v", err, *h.Objective, want, h.Bound)
		}
		deeper := *m
		deeper.Depth++
		more, err := fit.Run(context.Background(), d, fit.Options{Method: &deeper})
		if err != nil || *more.Objective < want-1e-9 {
			t.Fatalf("deeper: %v, %v of %v", err, *more.Objective, want)
		}
	})
}

// counted is what t earns, row by row.
func counted(d *dataset.Dataset, t *tree.Tree) float64 {
	sum := 0.0
	for i := range d.N() {
		sum += d.Weight[i] * d.RewardsOf(i)[t.Predict(d.Row(i))]
	}
	return sum
}

// A constant added to a row's rewards leaves the tree as it is and adds as much to the
// objective; a factor on all rewards, and on alpha, is one on the objective; actions in
// another order are the same actions.
func TestPolicyMetamorphic(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := rewarded(t)
		m := &problem.Policy{}
		m.Depth, m.Alpha = 2, float64(rapid.IntRange(0, 2).Draw(t, "alpha"))/4
		run := func(reward []float64, actions []string, m *problem.Policy) *fit.Result {
			e, err := dataset.NewRewards(slices.Clone(d.X), reward, d.Features, actions)
			if err != nil {
				t.Fatal(err)
			}
			res, err := fit.Run(context.Background(), weighted(e, d.Weight), fit.Options{Method: m})
			if err != nil {
				t.Fatal(err)
			}
			return res
		}
		was := run(slices.Clone(d.Reward), d.Classes, m)

		k, added := d.K(), 0.0
		shifted := slices.Clone(d.Reward)
		for i := range d.N() {
			by := float64(rapid.IntRange(-8, 8).Draw(t, "shift"))
			added += by * d.Weight[i]
			for a := range k {
				shifted[i*k+a] += by
			}
		}
		if is := run(shifted, d.Classes, m); !is.Tree.Equal(was.Tree) || math.Abs(*is.Objective-*was.Objective-added) > 1e-9 {
			t.Fatalf("shifted by %v: %v to %v\n%v%v", added, *was.Objective, *is.Objective, was.Tree, is.Tree)
		}

		scaled := slices.Clone(d.Reward)
		for i := range scaled {
			scaled[i] *= 1024
		}
		dearer := *m
		dearer.Alpha *= 1024
		if is := run(scaled, d.Classes, &dearer); !is.Tree.Equal(was.Tree) || *is.Objective != 1024**was.Objective {
			t.Fatalf("scaled: %v to %v", *was.Objective, *is.Objective)
		}

		turned, names := slices.Clone(d.Reward), slices.Clone(d.Classes)
		slices.Reverse(names)
		for i := range d.N() {
			slices.Reverse(turned[i*k : (i+1)*k])
		}
		if is := run(turned, names, m); math.Abs(*is.Objective-*was.Objective) > 1e-9 {
			t.Fatalf("in another order: %v to %v", *was.Objective, *is.Objective)
		}
	})
}

// Where a limit ends the search the bound is an upper one.
func TestPolicyLimit(t *testing.T) {
	ds := dataFor(t, &problem.Policy{}, noisy(t))
	m := &problem.Policy{}
	m.Depth = 4
	for _, engine := range []problem.Engine{problem.Auto, problem.Heuristic} {
		res, err := fit.Run(context.Background(), ds, fit.Options{Method: m, Engine: engine, WorkLimit: 1})
		if err != nil {
			t.Fatal(err)
		}
		if engine == problem.Heuristic {
			continue
		}
		if res.Status != mio.Feasible.String() || *res.Bound < *res.Objective || *res.Bound > float64(ds.N()) || *res.Gap <= 0 || *res.Solver.Bound != *res.Bound || *res.Search.Bound != *res.Bound {
			t.Errorf("%s, bound %v of %v, gap %v, solver %v, search %v", res.Status, *res.Bound, *res.Objective, *res.Gap, *res.Solver.Bound, *res.Search.Bound)
		}
		if *res.Solver.StartObjective > *res.Objective {
			t.Errorf("the start earns %v, the tree %v", *res.Solver.StartObjective, *res.Objective)
		}
	}
}

// noisy are rows whose classes no small tree has.
func noisy(t *testing.T) *dataset.Dataset {
	const n = 200
	x, y := make([]float64, 3*n), make([]int, n)
	for i := range n {
		for j := range 3 {
			x[3*i+j] = float64((i*(7+12*j) + j*i*i) % 101)
		}
		y[i] = (i*i + i/3) % 3
	}
	d, err := dataset.New(x, y, []string{"a", "b", "c"}, []string{"u", "v", "w"})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// Methods of classes refuse rewards, policies refuse classes, both with what to do.
func TestRewardsAndClasses(t *testing.T) {
	classes := noisy(t)
	rewards := dataFor(t, &problem.Policy{}, classes)
	for _, c := range []struct {
		ds   *dataset.Dataset
		o    fit.Options
		want string
	}{
		{classes, fit.Options{Method: &problem.Policy{}}, "--rewards"},
		{rewards, fit.Options{Method: &problem.OCT{}}, "--method policy"},
		{rewards, fit.Options{Method: &problem.CART{}}, "--method policy"},
		{rewards, fit.Options{Method: &problem.Policy{}, Test: classes}, "neither"},
		{rewards, fit.Options{Method: &problem.Policy{}, Engine: problem.MIO}, "search and heuristic"},
	} {
		if _, err := fit.Run(context.Background(), c.ds, c.o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v; want %q in it", err, c.want)
		}
	}
}

// TestHugeRewards: sums of rewards that do not hold alpha are proved to within 1e-9 of
// what the tree gives up.
func TestHugeRewards(t *testing.T) {
	n := 40
	x, reward := make([]float64, n), make([]float64, 2*n)
	for i := range x {
		x[i] = float64(i)
		reward[2*i+i/(n/2)] = 1e15 * (1 + float64(i%7)/10)
		reward[2*i+1-i/(n/2)] = 1e14 * float64(i%5) / 3
	}
	ds, err := dataset.NewRewards(x, reward, []string{"x"}, []string{"u", "v"})
	if err != nil {
		t.Fatal(err)
	}
	m := &problem.Policy{Shape: problem.Shape{Levels: problem.Levels{Depth: 1}, Price: problem.Price{Alpha: 1e-3}}}
	res, err := fit.Run(context.Background(), ds, fit.Options{Method: m})
	if err != nil {
		t.Fatal(err)
	}
	if res.Status != "optimal" || *res.Bound != *res.Objective {
		t.Errorf("%s, %v of bound %v: %s", res.Status, *res.Objective, *res.Bound, res.Solver.Raw)
	}
	m.Alpha = 0
	if res, err = fit.Run(context.Background(), ds, fit.Options{Method: m}); err != nil || res.Status != "optimal" || *res.Bound != *res.Objective {
		t.Errorf("without alpha: %+v, %v", res, err)
	}
}
