//go:build cgo && !nohighs

package study

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/solvers"
)

// xor are four points that two features tell apart together only.
func xor() *instance {
	return &instance{
		x: [][]float64{{0, 0}, {0, 1}, {1, 0}, {1, 1}}, y: []int{0, 1, 1, 0}, k: 2, w: []float64{1, 1, 1, 1}, depth: 1,
	}
}

// TestTreeOptimum: optima that are seen without a computer.
func TestTreeOptimum(t *testing.T) {
	for _, c := range []struct {
		name string
		set  func(in *instance)
		want float64
	}{
		{"a stump of xor", func(*instance) {}, 1},
		{"xor at depth 2", func(in *instance) { in.depth = 2 }, 0},
		{"three splits at a price", func(in *instance) { in.depth, in.alpha = 2, 0.3 }, 0.9},
		{"three splits that cost more than the leaf", func(in *instance) { in.depth, in.alpha = 2, 0.4 }, 1},
		{"two splits at most", func(in *instance) { in.depth, in.maxSplits = 2, 2 }, 0.5},
		{"leaves of two rows", func(in *instance) { in.depth, in.minLeaf = 2, 2 }, 1},
		{"leaves of one", func(in *instance) { in.depth, in.minLeaf = 2, 1 }, 0},
		{"no leaf", func(in *instance) { in.minLeaf = 5 }, math.Inf(1)},
		{"a heavy row", func(in *instance) { in.y[3], in.w[0] = 1, 5 }, 1. / 3},
		{"a contradiction", func(in *instance) {
			in.depth = 2
			in.x, in.y, in.w = append(in.x, []float64{1, 1}), append(in.y, 1), append(in.w, 0.5)
		}, 0.5 / 2},
		{"three classes", func(in *instance) { in.depth, in.k, in.y = 2, 3, []int{0, 1, 2, 2} }, 0},
	} {
		in := xor()
		c.set(in)
		if got := in.treeOptimum(); !same(got, c.want, 1e-12) && got != c.want {
			t.Errorf("%s: %v; want %v", c.name, got, c.want)
		}
	}
}

// TestPlaneOptimum: the same for hyperplanes.
func TestPlaneOptimum(t *testing.T) {
	for _, c := range []struct {
		name string
		set  func(in *instance)
		want float64
	}{
		{"xor", func(*instance) {}, 0.5},
		{"xor at depth 2", func(in *instance) { in.depth = 2 }, 0},
		{"a price of two features", func(in *instance) { in.y, in.alpha = []int{0, 0, 0, 1}, 0.2 }, 0.4},
		{"one feature at most", func(in *instance) { in.y, in.maxSplits = []int{0, 0, 0, 1}, 1 }, 1},
		{"a margin of 1/2, which one point cut off has", func(in *instance) { in.mu = 0.5 }, 0.5},
		{"a margin of more", func(in *instance) { in.mu = 0.51 }, 1},
		{"leaves of two rows", func(in *instance) { in.minLeaf = 2 }, 1},
		{"units are of no matter", func(in *instance) {
			for _, row := range in.x {
				row[0] = 7 - 1000*row[0]
			}
			in.mu = 0.5
		}, 0.5},
	} {
		in := xor()
		in.mu = 0.005
		c.set(in)
		if got := in.planeOptimum(); !same(got, c.want, 1e-12) {
			t.Errorf("%s: %v; want %v", c.name, got, c.want)
		}
	}
}

// TestSplitOptimum: RLP and FM on points of which the optimum is known.
func TestSplitOptimum(t *testing.T) {
	all := everything(2)
	free := math.Inf(1)
	in := xor()
	if got := in.rlpOptimum(all, free); !same(got, 2, 1e-12) { // equal means: w = 0
		t.Errorf("xor: %v; want 2", got)
	}
	in.y = []int{0, 0, 1, 1}
	if got := in.rlpOptimum(all, free); !same(got, 0, 1e-12) {
		t.Errorf("parted by x0: %v; want 0", got)
	}
	if got := in.rlpOptimum([]int{1}, free); !same(got, 2, 1e-12) {
		t.Errorf("without x0: %v; want 2", got)
	}
	if got := in.rlpOptimum(all, 0.5); !same(got, 1, 1e-12) { // standardised x0 is -1 and 1: w.x - gamma = -0.5 and 0.5
		t.Errorf("in a box of 1/2: %v; want 1", got)
	}
	in.eps = 0.1
	if got := in.rlpOptimum(all, free); !same(got, 0.1, 1e-12) { // w = 1 on a standardised feature
		t.Errorf("RLP-P: %v; want 0.1", got)
	}
	in.eps, in.delta = 0, 0.5
	if got := in.fewestFeatures(free); got != 1 {
		t.Errorf("%v features; want 1", got)
	}
	in.y, in.delta = []int{0, 0, 0, 1}, 0.1
	if got := in.fewestFeatures(free); got != 2 {
		t.Errorf("%v features; want 2", got)
	}
	in.x, in.y, in.delta = xor().x, xor().y, 1
	if got := in.fewestFeatures(free); !math.IsInf(got, 1) {
		t.Errorf("%v features; want none to be enough", got)
	}
}

// TestMaximize compares with HiGHS on random programs, some of them degenerate and
// some without a largest value.
func TestMaximize(t *testing.T) {
	highs, err := solvers.Lookup("highs")
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(5, 5))
	unbounded := 0
	for trial := range 500 {
		n, m := 1+rng.IntN(5), 1+rng.IntN(6)
		c, a, rhs := make([]float64, n), make([][]float64, m), make([]float64, m)
		b := mio.NewBuilder("random")
		b.SetSense(mio.Maximize)
		for j := range c {
			c[j] = float64(rng.IntN(7) - 2)
			b.AddCol(c[j], 0, mio.Inf, mio.Continuous, "x", j)
		}
		for i := range a {
			a[i] = make([]float64, n)
			rhs[i] = float64(rng.IntN(4))
			r := b.AddRow(-mio.Inf, rhs[i], "r", i)
			for j := range a[i] {
				a[i][j] = float64(rng.IntN(7) - 2)
				b.Add(r, mio.Col(j), a[i][j])
			}
		}
		model, err := b.Model()
		if err != nil {
			t.Fatal(err)
		}
		sol, err := highs.Solve(context.Background(), model, solvers.Options{})
		if err != nil {
			t.Fatal(err)
		}
		got := maximize(c, a, rhs)
		if math.IsInf(got, 1) {
			unbounded++
			if sol.Status != mio.Unbounded && sol.Status != mio.InfeasibleOrUnbounded {
				t.Fatalf("trial %d: unbounded, HiGHS says %v with %v", trial, sol.Status, sol.Objective)
			}
		} else if sol.Status != mio.Optimal || !near(sol.Objective, got, 1e-8) {
			t.Fatalf("trial %d: %v, HiGHS says %v with %v", trial, got, sol.Status, sol.Objective)
		}
	}
	if unbounded < 50 || unbounded > 450 {
		t.Errorf("%d of 500 programs are unbounded", unbounded)
	}
}

// TestSplitPrograms compares the dual programs of RLP with their primal ones by HiGHS.
func TestSplitPrograms(t *testing.T) {
	highs, err := solvers.Lookup("highs")
	if err != nil {
		t.Fatal(err)
	}
	compared := 0
	for seed := range uint64(300) {
		in := draw(fm, seed)
		if in.baseline() == 0 {
			continue
		}
		box := []float64{math.Inf(1), 0.7}[seed%2]
		sol, err := highs.Solve(context.Background(), in.primal(t, box), solvers.Options{})
		if err != nil {
			t.Fatal(err)
		}
		compared++
		if got := in.rlpOptimum(everything(in.p()), box); sol.Status != mio.Optimal || !near(got, sol.Objective, 1e-7) {
			t.Errorf("dual %v, primal %v (%v)\n%v", got, sol.Objective, sol.Status, in)
		}
	}
	if compared < 200 {
		t.Errorf("%d compared", compared)
	}
}

// primal is RLP, or RLP-P, as in the papers, on standardised features.
func (in *instance) primal(t *testing.T, box float64) *mio.Model {
	b := mio.NewBuilder("rlp")
	a, class, sd := in.heaviest(), in.classWeights(), in.spread()
	gamma := b.AddCol(0, -mio.Inf, mio.Inf, mio.Continuous, "gamma")
	plus, minus := make([]mio.Col, in.p()), make([]mio.Col, in.p())
	low, high := in.extent()
	for j := range plus {
		plus[j] = b.AddCol(in.eps, 0, box, mio.Continuous, "plus", j)
		minus[j] = b.AddCol(in.eps, 0, box, mio.Continuous, "minus", j)
	}
	for i, row := range in.x {
		sign, side := -1.0, in.total()-class[a]
		if in.y[i] == a {
			sign, side = 1, class[a]
		}
		u := b.AddCol((1-in.eps)*in.w[i]/side, 0, mio.Inf, mio.Continuous, "u", i)
		r := b.AddRow(1, mio.Inf, "row", i)
		b.Add(r, u, 1)
		b.Add(r, gamma, -sign)
		for j, v := range row {
			if low[j] < high[j] {
				b.Add(r, plus[j], sign*v/sd[j])
				b.Add(r, minus[j], -sign*v/sd[j])
			}
		}
	}
	m, err := b.Model()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestJudge: answers that are spoilt in one way each are found out.
func TestJudge(t *testing.T) {
	spoil := map[string]func(in *instance, a *answer) bool{ // false where it does not apply
		"bound":     func(in *instance, a *answer) bool { a.bound += 0.01; return true },
		"objective": func(in *instance, a *answer) bool { a.value -= 0.01; return true },
		"both":      func(in *instance, a *answer) bool { a.bound, a.value = a.bound-0.01, a.value-0.01; return true },
		"status":    func(in *instance, a *answer) bool { a.status = "feasible"; return true },
		"solver's bound": func(in *instance, a *answer) bool {
			a.said.bound += 0.01
			return !math.IsNaN(a.said.bound)
		},
		"solver's optimum": func(in *instance, a *answer) bool {
			a.said.status, a.said.value = "optimal", a.said.value+0.01
			return !math.IsNaN(a.said.value)
		},
		"no tree": func(in *instance, a *answer) bool { a.nodes = nil; return true },
		"worse": func(in *instance, a *answer) bool { // an optimum that is none, with all figures to match
			a.nodes = []node{{class: in.heaviest()}}
			lowest, optimum := in.optimum()
			a.value, a.bound, a.train = 1, 1, 1
			if in.engine == rlp {
				a.value, a.bound = 2*(1-in.eps), 2*(1-in.eps)
			}
			return optimum < a.value-1e-3 && lowest == optimum && enough(in.total(), in.minLeaf) && in.engine != fm
		},
		"class": func(in *instance, a *answer) bool {
			for t := range a.nodes {
				if a.nodes[t].weights == nil {
					a.nodes[t].class = (a.nodes[t].class + 1) % in.k
				}
			}
			return in.engine != rlp && in.engine != fm && !in.constant() && in.k == 2 && !near(in.walk(a).errors, a.train*in.baseline(), 1e-6)
		},
		"limits": func(in *instance, a *answer) bool {
			if in.engine == octH {
				in.mu = in.walk(a).margin * 1.1
				return len(a.nodes) > 1
			}
			in.maxSplits = len(a.nodes)/2 - 1
			return in.maxSplits > 0 && in.engine != rlp && in.engine != fm
		},
	}
	found := make(map[string]int)
	for _, e := range engines {
		for seed := range uint64(20) {
			drawn := draw(e.engine, seed)
			if drawn.baseline() == 0 || drawn.constant() || !enough(drawn.total(), drawn.minLeaf) {
				continue
			}
			right := drawn.solve()
			if v := drawn.judge(right); v.kind != "" {
				t.Errorf("%s: %s", v.kind, v.text)
				continue
			}
			for name, change := range spoil {
				in, a := *drawn, *right
				a.nodes = slices.Clone(a.nodes)
				if !change(&in, &a) {
					continue
				}
				found[name]++
				if v := in.judge(&a); v.kind == "" {
					t.Errorf("%s: not found out\n%v", name, &in)
				}
			}
		}
	}
	for name := range spoil {
		if found[name] < 8 {
			t.Errorf("%s: tried %d times only", name, found[name])
		}
	}
}
