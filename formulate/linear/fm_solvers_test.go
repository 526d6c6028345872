//go:build cgo && !nohighs

package linear

import (
	"bufio"
	"context"
	"errors"
	"math"
	"math/bits"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/internal/formtest"
	"github.com/octgen/octgen/internal/datatest"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mps"
	_ "github.com/octgen/octgen/solvers/highs"
	"github.com/octgen/octgen/tree/score"
)

// TestFMBox: classes that one feature separates bound no weight; the optimum is one within the box,
// and is reported as such.
func TestFMBox(t *testing.T) {
	lp, ctx := formtest.Solver(t), context.Background()
	d := datatest.Example(t, "iris") // setosa, the first of three classes of equal weight, is A
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
	if counts := score.Of(tr, d).Confusion.Counts; counts[0][0] != 50 || tr.Evaluate(d).Errors != 50 {
		t.Errorf("confusion %v, expected setosa apart from the others", counts)
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

// TestFMDelta: a delta below the minimum error is rejected, one above it is accepted.
func TestFMDelta(t *testing.T) {
	lp, ctx := formtest.Solver(t), context.Background()
	d := formtest.Data(rand.New(rand.NewPCG(22, 2)), 30, 3, 2)
	f, err := FMOptions{LP: lp}.Build(ctx, d)
	if err != nil {
		t.Fatal(err)
	}
	least := f.LeastError()
	if _, err := (FMOptions{LP: lp, Delta: 0.9 * least}).Build(ctx, d); err == nil {
		t.Errorf("delta %v below the minimum error %v was accepted", 0.9*least, least)
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

// TestFMLeak: with r_j below a solver's tolerance, a weight can be nonzero although its feature
// counts as unused. Decode drops it, scales the split up if that compensates, and otherwise rejects
// the point.
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
	if _, err := f.Decode(split(1, -10)); !errors.Is(err, formulate.ErrDecode) {
		t.Errorf("a point that needs an unused feature: %v", err)
	}
}

// leastErrorOn returns the optimum of RLP or RLP-P on some features, by HiGHS. The features of a
// subset are standardised as in the whole.
func leastErrorOn(t *testing.T, d *dataset.Dataset, features []int, perturbed bool) float64 {
	t.Helper()
	f, err := RLPOptions{Perturbed: perturbed, OmitNames: true}.Build(context.Background(), d.WithFeatures(features))
	if errors.Is(err, formulate.ErrSingleLeaf) {
		return trivialError(f0eps(perturbed))
	}
	if err != nil {
		t.Fatal(err)
	}
	sol, err := formtest.Solver(t)(context.Background(), f.Model())
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

// enumerate returns, for every number of features, the minimum error of a split with at most that
// many of the given features, until it is at most enough.
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

// TestFMEnumeration compares FM without a nu, FM for every nu, and LFM with the minimum errors over
// all sets of features, on small random data.
func TestFMEnumeration(t *testing.T) {
	lp, ctx := formtest.Solver(t), context.Background()
	rng := rand.New(rand.NewPCG(21, 1))
	boxed, free := 0, 0
	for trial := range 32 {
		d := formtest.Data(rng, 6+rng.IntN(20), 2+rng.IntN(3), 2+rng.IntN(2))
		if trial%3 == 0 { // dependent features, as from one-hot encoding
			for i := range d.N() {
				d.X[i*d.P()+1] = 1 - d.At(i, 0)
			}
		}
		perturbed := trial%3 != 0 && rng.IntN(3) > 0
		slack := []float64{1.1, 1.5}[rng.IntN(2)]
		f, err := FMOptions{Perturbed: perturbed, Slack: slack, LP: lp}.Build(ctx, d)
		if !formtest.Built(t, err) {
			continue
		}
		best := enumerate(t, d, perturbed, -1)
		delta := f.Delta()
		if want := slack * best[d.P()]; math.Abs(delta-want) > 1e-6 {
			t.Fatalf("trial %d: delta %v, want %v", trial, delta, want)
		}
		if slices.ContainsFunc(best, func(e float64) bool { return math.Abs(e-delta) < 1e-6 && e > 0 && slack > 1 }) {
			continue // rounding decides a tie with delta
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
		checkPriced(t, d, perturbed, best, trial)
	}
	if boxed < 3 || free < 12 {
		t.Errorf("%d instances with boxed features, %d without", boxed, free)
	}
}

// checkPriced checks problems (6) and (12): the minimum of error + price e.r, where best is the
// minimum error by number of features.
func checkPriced(t *testing.T, d *dataset.Dataset, perturbed bool, best []float64, trial int) {
	t.Helper()
	lp, ctx := formtest.Solver(t), context.Background()
	price := []float64{0.05, 0.4, 3}[trial%3]
	want := math.Inf(1)
	for nu, e := range best {
		want = min(want, e+price*float64(nu))
	}
	for _, with := range []mio.SolveFunc{lp, nil} {
		f, err := LFMOptions{Perturbed: perturbed, Price: price, LP: with}.Build(ctx, d)
		if err != nil {
			t.Fatal(err)
		}
		sol, err := lp(ctx, f.Model())
		if err != nil || sol.Status != mio.Optimal {
			t.Fatalf("trial %d: price %v: %+v, %v", trial, price, sol, err)
		}
		tr, err := f.Decode(sol.Values)
		if err != nil {
			t.Fatalf("trial %d: price %v: %v", trial, price, err)
		}
		if math.Abs(sol.Objective-want) > 1e-5 || math.Abs(f.Objective(tr)-want) > 1e-5 {
			t.Fatalf("trial %d, perturbed %v: price %v: %v, tree %v, enumeration %v of %v", trial, perturbed, price, sol.Objective, f.Objective(tr), want, best)
		}
	}
}

func checkLFM(t *testing.T, d *dataset.Dataset, perturbed bool, nu int, want float64, trial int) {
	t.Helper()
	lp, ctx := formtest.Solver(t), context.Background()
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
		// The penalty of encoding bilinear is large enough: no nearby point is better.
		b, err := LFMOptions{Perturbed: perturbed, Nu: nu, Encoding: formulate.Bilinear}.Build(ctx, d)
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

// alternate minimises the bilinear LFM alternately over its two blocks, starting with all features.
// This gives an upper bound that is never below the optimum of the problem with at most nu
// features, if lambda is large enough.
func alternate(t *testing.T, f *LFM, want float64, trial int) {
	t.Helper()
	d, lp := f.d, formtest.Solver(t)
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

// TestFMBySOS solves encoding sos1, which has no big-M and no binary, with CBC: the optima equal
// those of encoding mio with HiGHS, for FM and for LFM.
func TestFMBySOS(t *testing.T) {
	program, err := exec.LookPath("cbc")
	if err != nil {
		t.Skip("the executable cbc is not installed")
	}
	lp, ctx := formtest.Solver(t), context.Background()
	rng := rand.New(rand.NewPCG(41, 1))
	compare := func(big, sos formulate.Formulation) {
		t.Helper()
		sol, err := lp(ctx, big.Model())
		if err != nil || sol.Status != mio.Optimal {
			t.Fatalf("%+v, %v", sol, err)
		}
		values := solveCBC(t, program, sos.Model())
		r := mio.Check(sos.Model(), values, 1e-5)
		if !r.Feasible || math.Abs(r.Objective-sol.Objective) > 1e-5 {
			t.Fatalf("%s: CBC %v, HiGHS %v; %v", sos.Model().Name(), r.Objective, sol.Objective, r.Err())
		}
		tr, err := sos.Decode(values)
		if err != nil {
			t.Fatal(err)
		}
		if got := sos.Objective(tr); got > sol.Objective+1e-5 {
			t.Fatalf("%s: the tree has %v, the optimum is %v", sos.Model().Name(), got, sol.Objective)
		}
	}
	solved := 0
	for range 25 {
		d := formtest.Data(rng, 8+rng.IntN(15), 2+rng.IntN(3), 2)
		perturbed := rng.IntN(2) == 0
		big, err := FMOptions{Perturbed: perturbed, Slack: 1.3, LP: lp}.Build(ctx, d)
		if errors.Is(err, formulate.ErrSingleLeaf) || err == nil && len(big.Boxed()) > 0 {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		sos, err := FMOptions{Perturbed: perturbed, Delta: big.Delta(), Encoding: SOS1}.Build(ctx, d)
		if err != nil {
			t.Fatal(err)
		}
		compare(big, sos)
		lbig, err := LFMOptions{Perturbed: perturbed, Nu: 2, LP: lp}.Build(ctx, d)
		if err != nil {
			t.Fatal(err)
		}
		lsos, err := LFMOptions{Perturbed: perturbed, Nu: 2, Encoding: SOS1}.Build(ctx, d)
		if err != nil {
			t.Fatal(err)
		}
		compare(lbig, lsos)
		solved++
	}
	if solved < 10 {
		t.Errorf("%d instances", solved)
	}
}

// solveCBC returns the values of the cbc executable's optimum.
func solveCBC(t *testing.T, program string, m *mio.Model) []float64 {
	t.Helper()
	dir := t.TempDir()
	model, out := filepath.Join(dir, "m.mps"), filepath.Join(dir, "m.sol")
	if _, err := mps.WriteFile(model, m, mps.Options{}); err != nil {
		t.Fatal(err)
	}
	if text, err := exec.Command(program, model, "-ratio", "0", "-solve", "-printingOptions", "all", "-solution", out).CombinedOutput(); err != nil {
		t.Fatalf("cbc: %v\n%s", err, text)
	}
	file, err := os.Open(out)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	at := make(map[string]int, m.NumCols())
	for j := range m.NumCols() {
		at[m.ColName(j)] = j
	}
	values := make([]float64, m.NumCols())
	lines := bufio.NewScanner(file)
	if !lines.Scan() || !strings.HasPrefix(lines.Text(), "Optimal") {
		t.Fatalf("cbc: %q", lines.Text())
	}
	for lines.Scan() {
		f := strings.Fields(lines.Text()) // index name value reduced cost
		if len(f) < 3 {
			continue
		}
		if j, ok := at[f[1]]; ok {
			if values[j], err = strconv.ParseFloat(f[2], 64); err != nil {
				t.Fatal(err)
			}
		}
	}
	return values
}
