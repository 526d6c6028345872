//go:build cgo && !nohighs

package formulate

import (
	"context"
	"encoding/csv"
	"errors"
	"math"
	"math/bits"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/solvers"
	"github.com/octgen/octgen/tree"
)

// highsLP is HiGHS on one thread.
func highsLP(t *testing.T) mio.SolveFunc {
	t.Helper()
	s, err := solvers.Lookup("highs")
	if err != nil {
		t.Fatal(err)
	}
	return solvers.Func(s, solvers.Options{Threads: 1})
}

// sharedFile returns the path of a file of the shared data, or skips the test.
func sharedFile(t *testing.T, name string) string {
	t.Helper()
	for _, dir := range []string{os.Getenv("OCTGEN_DATA"), "../../shared/data"} {
		path := filepath.Join(dir, name)
		if _, err := os.Stat(path); dir != "" && err == nil {
			return path
		}
	}
	t.Skipf("%s is neither in $OCTGEN_DATA nor in ../shared/data", name)
	return ""
}

// sharedData is the complete rows of a dataset; of house-votes-84 all rows, with
// y = 2, n = -2 and missing = 0, as Bredensteiner & Bennett code it.
func sharedData(t *testing.T, name string) *dataset.Dataset {
	t.Helper()
	path := sharedFile(t, name+".csv")
	if name != "house-votes-84" {
		d, err := dataset.Load(path, dataset.LoadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	records, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	p := len(records[0]) - 1
	code := map[string]float64{"y": 2, "n": -2, "": 0}
	classes := []string{"democrat", "republican"}
	var x []float64
	var y []int
	for _, r := range records[1:] {
		for _, field := range r[:p] {
			v, ok := code[field]
			if !ok {
				t.Fatalf("vote %q", field)
			}
			x = append(x, v)
		}
		y = append(y, slices.Index(classes, r[p]))
	}
	d, err := dataset.New(x, y, records[0][:p], classes)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// leastErrorOn is the optimum of RLP or RLP-P on some features, by HiGHS. The
// features of a subset are standardised as in the whole.
func leastErrorOn(t *testing.T, d *dataset.Dataset, features []int, perturbed bool) float64 {
	t.Helper()
	f, err := RLPOptions{Perturbed: perturbed, OmitNames: true}.Build(context.Background(), d.WithFeatures(features))
	if errors.Is(err, ErrSingleLeaf) {
		return trivialError(f0eps(perturbed))
	}
	if err != nil {
		t.Fatal(err)
	}
	sol, err := highsLP(t)(context.Background(), f.Model())
	if err != nil || sol.Status != mio.Optimal {
		t.Fatalf("%v, %v", sol, err)
	}
	return sol.Objective
}

func f0eps(perturbed bool) float64 {
	if perturbed {
		return DefaultEps
	}
	return 0
}

// enumerate returns, for every number of features, the least error of a split
// with that many of the given features at most, until it is at most enough.
func enumerate(t *testing.T, d *dataset.Dataset, perturbed bool, enough float64) []float64 {
	t.Helper()
	best := []float64{trivialError(f0eps(perturbed))}
	for size := 1; size <= d.P(); size++ {
		best = append(best, best[size-1])
		for mask := range 1 << d.P() {
			if bits.OnesCount(uint(mask)) != size {
				continue
			}
			var features []int
			for j := range d.P() {
				if mask>>j&1 == 1 {
					features = append(features, j)
				}
			}
			best[size] = min(best[size], leastErrorOn(t, d, features, perturbed))
		}
		if best[size] <= enough {
			break
		}
	}
	return best
}

// TestFMEnumeration compares FM without a nu, FM for every nu, and LFM with the
// least errors over all sets of features, on small random data.
func TestFMEnumeration(t *testing.T) {
	lp, ctx := highsLP(t), context.Background()
	rng := rand.New(rand.NewPCG(21, 1))
	boxed, free := 0, 0
	for trial := range 32 {
		d := randomData(rng, 6+rng.IntN(20), 2+rng.IntN(3), 2+rng.IntN(2))
		if trial%3 == 0 { // dependent features, as one-hot encoding makes them
			for i := range d.N() {
				d.X[i*d.P()+1] = 1 - d.At(i, 0)
			}
		}
		perturbed := trial%3 != 0 && rng.IntN(3) > 0
		slack := []float64{1.1, 1.5}[rng.IntN(2)]
		f, err := FMOptions{Perturbed: perturbed, Slack: slack, LP: lp}.Build(ctx, d)
		if errors.Is(err, ErrSingleLeaf) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		best := enumerate(t, d, perturbed, -1)
		delta := f.Delta()
		if want := slack * best[d.P()]; math.Abs(delta-want) > 1e-6 {
			t.Fatalf("trial %d: delta %v, want %v", trial, delta, want)
		}
		if slices.ContainsFunc(best, func(e float64) bool { return math.Abs(e-delta) < 1e-6 && e > 0 && slack > 1 }) {
			continue // a tie with delta is decided by rounding
		}
		want := max(1, slices.IndexFunc(best, func(e float64) bool { return e <= delta+1e-6 }))
		sol, err := lp(ctx, f.Model())
		if err != nil || sol.Status != mio.Optimal {
			t.Fatalf("trial %d: %+v, %v", trial, sol, err)
		}
		tr, err := f.Decode(sol.Values)
		if err != nil {
			t.Fatalf("trial %d: %v", trial, err)
		}
		if math.Round(sol.Objective) != float64(want) || f.Objective(tr) > sol.Objective+1e-6 {
			t.Fatalf("trial %d, perturbed %v, boxed %v: %v features, tree %v, enumeration %d of %v, delta %v", trial, perturbed, f.Boxed(), sol.Objective, f.Objective(tr), want, best, delta)
		}
		if len(f.Boxed()) > 0 {
			boxed++
		} else {
			free++
		}
		for nu := 1; nu <= d.P(); nu++ {
			per, err := FMOptions{Perturbed: perturbed, Slack: slack, LP: lp, Nu: nu}.Build(ctx, d)
			if err != nil {
				t.Fatal(err)
			}
			sol, err := lp(ctx, per.Model())
			if err != nil || (sol.Status == mio.Optimal) != (nu >= want) || (sol.Status == mio.Infeasible) != (nu < want) {
				t.Fatalf("trial %d: nu %d: %v, enumeration %d; %v", trial, nu, sol.Status, want, err)
			}
			checkLFM(t, d, perturbed, nu, best[nu], trial)
		}
	}
	if boxed < 3 || free < 12 {
		t.Errorf("%d instances with boxed features, %d without", boxed, free)
	}
}

func checkLFM(t *testing.T, d *dataset.Dataset, perturbed bool, nu int, want float64, trial int) {
	t.Helper()
	lp, ctx := highsLP(t), context.Background()
	for _, with := range []mio.SolveFunc{lp, nil} {
		f, err := LFMOptions{Perturbed: perturbed, Nu: nu, LP: with}.Build(ctx, d)
		if err != nil {
			t.Fatal(err)
		}
		sol, err := lp(ctx, f.Model())
		if err != nil || sol.Status != mio.Optimal {
			t.Fatalf("trial %d: lfm: %+v, %v", trial, sol, err)
		}
		tr, err := f.Decode(sol.Values)
		if err != nil {
			t.Fatalf("trial %d: lfm: %v", trial, err)
		}
		if math.Abs(sol.Objective-want) > 1e-5 || math.Abs(f.Objective(tr)-want) > 1e-5 || len(tr.FeaturesUsed()) > nu {
			t.Fatalf("trial %d: lfm, nu %d: %v, tree %v with %d features, enumeration %v", trial, nu, sol.Objective, f.Objective(tr), len(tr.FeaturesUsed()), want)
		}
		// The penalty of encoding bilinear is large enough: no better point near.
		b, err := LFMOptions{Perturbed: perturbed, Nu: nu, Encoding: Bilinear}.Build(ctx, d)
		if err != nil {
			t.Fatal(err)
		}
		x, err := b.Start(ctx, tr)
		if err != nil {
			t.Fatal(err)
		}
		if got := b.Model().Objective(x); got > f.Objective(tr)+1e-9 {
			t.Fatalf("trial %d: bilinear %v at the optimum %v", trial, got, f.Objective(tr))
		}
		alternate(t, b, want, trial)
	}
}

// alternate minimises the bilinear LFM over its two blocks in turn from all
// features, which gives an upper bound that is never below the optimum of the
// problem with at most nu features, if lambda is large enough.
func alternate(t *testing.T, f *LFM, want float64, trial int) {
	t.Helper()
	d, lp := f.d, highsLP(t)
	pl, _, err := f.leastError(context.Background(), lp, d)
	if err != nil {
		t.Fatal(err)
	}
	keep := pl.largest(f.nu)
	for range 3 {
		cost := slices.Clone(f.Model().Costs())
		for jx, k := range keep {
			if k {
				cost[f.colPlus(jx)] -= f.lambda
				cost[f.colMinus(jx)] -= f.lambda
			}
		}
		sol, err := lp(context.Background(), f.Model().WithCost(mio.Minimize, 0, cost))
		if err != nil || sol.Status != mio.Optimal {
			t.Fatalf("trial %d: %+v, %v", trial, sol, err)
		}
		for jx, k := range keep {
			sol.Values[f.colR(jx)] = map[bool]float64{true: 1}[k]
		}
		if obj := f.Model().Objective(sol.Values); obj < want-1e-6 {
			t.Fatalf("trial %d: bilinear reaches %v, below the optimum %v", trial, obj, want)
		}
		tr, err := f.Decode(sol.Values)
		if err != nil {
			t.Fatal(err)
		}
		if len(tr.FeaturesUsed()) > f.nu {
			t.Fatalf("trial %d: bilinear decodes to %d features, nu is %d", trial, len(tr.FeaturesUsed()), f.nu)
		}
		for jx := range pl.w {
			pl.w[jx] = sol.Values[f.colPlus(jx)] - sol.Values[f.colMinus(jx)]
		}
		keep = pl.largest(f.nu)
	}
}

// fmOptima are the optima of problem (7): delta = 1.1 times the LP optimum, all
// complete rows, standardised features. TestFMExhaustive has them by enumeration.
var fmOptima = []struct {
	data      string
	perturbed bool
	features  int
}{
	{"breast-cancer-wisconsin", false, 6},
	{"breast-cancer-wisconsin", true, 4},
	{"heart-cleveland", false, 6},
	{"heart-cleveland", true, 4},
	{"house-votes-84", false, 8},
	{"house-votes-84", true, 1},
}

// TestFMOptima solves problem (7) of the paper to proven optimality.
func TestFMOptima(t *testing.T) {
	lp, ctx := highsLP(t), context.Background()
	for _, c := range fmOptima {
		name := c.data
		if c.perturbed {
			name += " rlp-p"
		}
		t.Run(name, func(t *testing.T) {
			d := sharedData(t, c.data)
			began := time.Now()
			f, err := FMOptions{Perturbed: c.perturbed, LP: lp}.Build(ctx, d)
			if err != nil {
				t.Fatal(err)
			}
			built := time.Since(began)
			began = time.Now()
			sol, err := lp(ctx, f.Model())
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%d merged rows, LP optimum %.6f, delta %.6f: %v features, %s, bound %v, %s; weights within [%.2f, %.2f]; bounds %.1f s, solve %.1f s, %d nodes",
				f.d.n, f.LeastError(), f.Delta(), sol.Objective, sol.Status, sol.Bound, f.Scope(), slices.Min(f.lower), slices.Max(f.upper), built.Seconds(), time.Since(began).Seconds(), sol.Nodes)
			tr, err := f.Decode(sol.Values)
			if err != nil {
				t.Fatal(err)
			}
			if sol.Status != mio.Optimal || math.Round(sol.Objective) != float64(c.features) || f.Objective(tr) != float64(c.features) {
				t.Errorf("%s with %v features, the tree has %v; expected %d", sol.Status, sol.Objective, f.Objective(tr), c.features)
			}
			t.Logf("features %v, error %.6f, %v training errors", tr.FeaturesUsed(), f.Error(tr), tr.Evaluate(d).Errors)
			if len(f.Boxed()) > 0 {
				t.Errorf("the weights of %v are not bounded by the data", f.Boxed())
			}
			checkBilinear(t, d, f, tr)
			if ratio := coefficientRatio(f.Model()); ratio > 1e8 {
				t.Errorf("the largest coefficient is %.3g times the smallest", ratio)
			}
		})
	}
}

// coefficientRatio is the largest size of a coefficient over the smallest.
func coefficientRatio(m *mio.Model) float64 {
	_, _, values := m.Matrix()
	low, high := math.Inf(1), 0.0
	for _, v := range values {
		low, high = min(low, math.Abs(v)), max(high, math.Abs(v))
	}
	return high / low
}

// TestFMExhaustive compares FM with the least errors over all sets of features:
// of eight features of each dataset, with OCTGEN_LONG of all.
func TestFMExhaustive(t *testing.T) {
	lp, ctx := highsLP(t), context.Background()
	long := os.Getenv("OCTGEN_LONG") != ""
	for _, c := range fmOptima {
		name := c.data
		if c.perturbed {
			name += " rlp-p"
		}
		t.Run(name, func(t *testing.T) {
			whole := sharedData(t, c.data)
			var some, odd []int // eight features: those of even index first
			for j := range whole.P() {
				if j%2 == 0 {
					some = append(some, j)
				} else {
					odd = append(odd, j)
				}
			}
			some = append(some, odd...)[:8]
			sets := [][]int{some}
			if long {
				all := make([]int, whole.P())
				for j := range all {
					all[j] = j
				}
				sets = append(sets, all)
			}
			for _, features := range sets {
				d := whole.WithFeatures(features)
				f, err := FMOptions{Perturbed: c.perturbed, LP: lp}.Build(ctx, d)
				if err != nil {
					t.Fatal(err)
				}
				sol, err := lp(ctx, f.Model())
				if err != nil || sol.Status != mio.Optimal {
					t.Fatalf("%+v, %v", sol, err)
				}
				best := enumerate(t, d, c.perturbed, f.Delta())
				if got := int(math.Round(sol.Objective)); got != len(best)-1 {
					t.Errorf("features %v: %d of them, enumeration %d: %v, delta %v", features, got, len(best)-1, best, f.Delta())
				}
				if len(features) == whole.P() && len(best)-1 != c.features {
					t.Errorf("enumeration: %d features, expected %d", len(best)-1, c.features)
				}
				t.Logf("features %v: %d, least errors %.4f, delta %.4f", features, len(best)-1, best, f.Delta())
			}
		})
	}
}

// TestFMBox: classes that one feature separates bound no weight; the optimum is
// one within the box, and says so.
func TestFMBox(t *testing.T) {
	lp, ctx := highsLP(t), context.Background()
	d := iris(t, 1) // setosa, the first of three classes of equal weight, is A
	f, err := FMOptions{LP: lp}.Build(ctx, d)
	if err != nil {
		t.Fatal(err)
	}
	sol, err := lp(ctx, f.Model())
	if err != nil || sol.Status != mio.Optimal {
		t.Fatalf("%+v, %v", sol, err)
	}
	tr, err := f.Decode(sol.Values)
	if err != nil {
		t.Fatal(err)
	}
	if f.Delta() != 0 || sol.Objective != 1 || f.Objective(tr) != 1 || f.Error(tr) > 1e-6 {
		t.Errorf("delta %v, %v features, tree %v with error %v; expected 0, 1, 1, 0", f.Delta(), sol.Objective, f.Objective(tr), f.Error(tr))
	}
	if want := []int{0, 1, 2, 3}; !slices.Equal(f.Boxed(), want) || f.Scope() != "optimal within the box |w| <= 1000 (standardised) on 4 of 4 features" {
		t.Errorf("boxed %v, scope %q", f.Boxed(), f.Scope())
	}
	if l := tr.Evaluate(d); l.Confusion[0][0] != 50 || l.Errors != 50 {
		t.Errorf("confusion %v, expected setosa apart from the others", l.Confusion)
	}
	// A box too small for a separating split of any feature is infeasible; RLP-P
	// needs no box.
	if f, err = (FMOptions{LP: lp, Box: 0.1}).Build(ctx, d); err != nil {
		t.Fatal(err)
	}
	if sol, err = lp(ctx, f.Model()); err != nil || sol.Status != mio.Infeasible {
		t.Errorf("box 0.1: %v, %v", sol.Status, err)
	}
	if f, err = (FMOptions{LP: lp, Perturbed: true}).Build(ctx, d); err != nil || len(f.Boxed()) > 0 || f.Scope() != "global optimum" {
		t.Errorf("rlp-p: boxed %v, %v", f.Boxed(), err)
	}
}

// TestFMDelta: a delta below the least error is refused, one above it is taken.
func TestFMDelta(t *testing.T) {
	lp, ctx := highsLP(t), context.Background()
	d := randomData(rand.New(rand.NewPCG(22, 2)), 30, 3, 2)
	f, err := FMOptions{LP: lp}.Build(ctx, d)
	if err != nil {
		t.Fatal(err)
	}
	least := f.LeastError()
	if _, err := (FMOptions{LP: lp, Delta: 0.9 * least}).Build(ctx, d); err == nil {
		t.Errorf("delta %v below the least error %v was taken", 0.9*least, least)
	}
	if f, err := (FMOptions{LP: lp, Delta: 1.9}).Build(ctx, d); err != nil || f.Delta() != 1.9 {
		t.Errorf("delta 1.9: %v, %v", f.Delta(), err)
	}
	failing := errors.New("out of order")
	broken := func(context.Context, *mio.Model) (*mio.Solution, error) { return nil, failing }
	if _, err := (FMOptions{LP: broken}).Build(ctx, d); !errors.Is(err, failing) {
		t.Errorf("a failing LP solver: %v", err)
	}
	if _, err := (FMOptions{LP: broken, Delta: 1}).Build(ctx, d); !errors.Is(err, failing) {
		t.Errorf("a failing LP solver, delta given: %v", err)
	}
	if _, err := (LFMOptions{LP: broken}).Build(ctx, d); !errors.Is(err, failing) {
		t.Errorf("a failing LP solver, lfm: %v", err)
	}
}

// TestFMLeak: with r_j below a solver's tolerance a weight can differ from 0
// though its feature counts as unused. Decode drops it, scales the split up
// where that makes good for it, and refuses the point where it does not.
func TestFMLeak(t *testing.T) {
	d, err := dataset.New([]float64{0, 0, 1, 1, 2, 0, 3, 1}, []int{0, 0, 1, 1}, []string{"a", "b"}, []string{"x", "y"})
	if err != nil {
		t.Fatal(err)
	}
	f, err := FMOptions{Delta: 1e-12, Box: 1e5}.Build(context.Background(), d)
	if err != nil {
		t.Fatal(err)
	}
	split := func(a, b float64) []float64 {
		v := make([]float64, f.Model().NumCols())
		for jx, w := range []float64{a, b} {
			v[f.colPlus(jx)], v[f.colMinus(jx)] = max(w, 0), max(-w, 0)
		}
		v[f.colR(0)] = 1
		return v
	}
	sd := f.d.scaler.Scale[0]
	tr, err := f.Decode(split(-1.99*sd, 0.01)) // separates, with a margin of 0.995
	if err != nil {
		t.Fatal(err)
	}
	if f.Objective(tr) != 1 || f.Error(tr) > 1e-9 {
		t.Errorf("the tree has %v features and error %v, expected 1 and 0", f.Objective(tr), f.Error(tr))
	}
	if _, err := f.Decode(split(1, -10)); !errors.Is(err, ErrDecode) {
		t.Errorf("a point that needs an unused feature: %v", err)
	}
}

// checkBilinear: at the optimal nu the paper's bilinear problem evaluates to 0
// at the solution.
func checkBilinear(t *testing.T, d *dataset.Dataset, f *FM, tr *tree.Tree) {
	t.Helper()
	ctx := context.Background()
	b, err := FMOptions{Perturbed: f.perturbed, Nu: len(tr.FeaturesUsed()), Delta: f.Delta(), Encoding: Bilinear}.Build(ctx, d)
	if err != nil {
		t.Fatal(err)
	}
	x, err := b.Start(ctx, tr)
	if err != nil {
		t.Fatal(err)
	}
	if r := mio.Check(b.Model(), x, 1e-9); !r.Feasible || r.Objective != 0 {
		t.Errorf("bilinear evaluates to %v; %v", r.Objective, r.Err())
	}
}
