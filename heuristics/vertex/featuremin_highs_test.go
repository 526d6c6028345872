//go:build cgo && !nohighs

package vertex

import (
	"cmp"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/linear"
	"github.com/octgen/octgen/internal/pulse"
	"github.com/octgen/octgen/mio"
)

// TestFeatureMinAgainstOptimum: the split satisfies the bound on the error, has the reported
// features, and never fewer than the optimum of linear.FM, which it mostly attains.
func TestFeatureMinAgainstOptimum(t *testing.T) {
	ctx, lp := context.Background(), highsLP(t)
	rng := rand.New(rand.NewPCG(31, 1))
	equal, runs := 0, 0
	for run := range 12 {
		ds := gaussianData(t, rng, 30, 4+rng.IntN(3), 0)
		perturbed := run%2 == 1
		f, err := linear.FMOptions{Perturbed: perturbed, LP: lp}.Build(ctx, ds)
		if err != nil {
			t.Fatal(err)
		}
		sol, err := lp(ctx, f.Model())
		if err != nil || sol.Status != mio.Optimal {
			t.Fatal(err, sol)
		}
		res, err := FeatureMin(ctx, ds, FeatureMinOptions{Perturbed: perturbed, LP: lp})
		if err != nil {
			t.Fatal(err)
		}
		if n := len(res.Tree.FeaturesUsed()); n != res.Features || res.Error > res.Delta*(1+1e-6)+1e-6 {
			t.Errorf("%d features, said %d; error %v, at most %v", n, res.Features, res.Error, res.Delta)
		}
		if v := f.Error(res.Tree); v > res.Delta+1e-5 || v-res.Error > 1e-6 || res.Error-v > 1e-6 {
			t.Errorf("error %v, formulate says %v", res.Error, v)
		}
		if l := f.LeastError(); l-res.Least > 1e-6 || res.Least-l > 1e-6 {
			t.Errorf("least error %v, formulate says %v", res.Least, l)
		}
		optimum := int(sol.Objective + 0.5)
		if f.Boxed() == nil && res.Features < optimum {
			t.Errorf("%d features, the optimum is %d", res.Features, optimum)
		}
		runs++
		if res.Features == optimum {
			equal++
		}
	}
	if 2*equal < runs {
		t.Errorf("the optimum was reached %d times of %d", equal, runs)
	}
}

// TestFeatureMinInput: no solver, options out of range, limits, one class.
func TestFeatureMinInput(t *testing.T) {
	ctx, lp := context.Background(), highsLP(t)
	ds := gaussianData(t, rand.New(rand.NewPCG(32, 1)), 30, 4, 0)
	if _, err := FeatureMin(ctx, ds, FeatureMinOptions{Perturbed: true, Delta: 1e-9}); !errors.Is(err, formulate.ErrNoStart) {
		t.Errorf("error %v, want ErrNoStart", err)
	}
	for _, o := range []FeatureMinOptions{{Slack: 0.5}, {Delta: -1}, {Eps: 0.1}, {Perturbed: true, Eps: 1}} {
		o.LP = lp
		if _, err := FeatureMin(ctx, ds, o); err == nil {
			t.Errorf("%+v is accepted", o)
		}
	}
	res, err := FeatureMin(expired(t), ds, FeatureMinOptions{LP: lp})
	if err != nil || !res.Stats.Stopped || res.Tree == nil {
		t.Errorf("time limit: %v, %+v", err, res)
	}
	res, err = FeatureMin(expired(t), ds, FeatureMinOptions{LP: lp, Perturbed: true})
	if err != nil || !res.Stats.Stopped || res.Tree.Splits() != 0 {
		t.Errorf("time limit before the first program: %v, %+v", err, res)
	}
	failure := errors.New("out of order")
	broken := func(context.Context, *mio.Model) (*mio.Solution, error) { return nil, failure }
	if _, err := FeatureMin(ctx, ds, FeatureMinOptions{LP: broken}); !errors.Is(err, failure) {
		t.Errorf("error %v, want the solver's", err)
	}
	one := *ds
	one.Y = make([]int, ds.N())
	if _, err := FeatureMin(ctx, &one, FeatureMinOptions{LP: lp}); !errors.Is(err, formulate.ErrSingleLeaf) {
		t.Errorf("error %v, want ErrSingleLeaf", err)
	}
}

// TestFeatureMinStopsInsideAProgram: a limit or a cancellation reaches the running linear program,
// and the best split so far is the result.
func TestFeatureMinStopsInsideAProgram(t *testing.T) {
	lp := highsLP(t)
	ds := gaussianData(t, rand.New(rand.NewPCG(33, 1)), 60, 8, 0)
	for _, perturbed := range []bool{false, true} {
		for _, asError := range []bool{false, true} {
			for _, limit := range []time.Duration{0, 200 * time.Millisecond} {
				ctx, cancel := context.WithCancel(context.Background())
				solved := 0
				slow := func(inner context.Context, m *mio.Model) (*mio.Solution, error) {
					if solved++; solved < 3 {
						return lp(inner, m)
					}
					if limit == 0 {
						cancel()
					}
					<-inner.Done()
					if asError {
						return nil, inner.Err()
					}
					return &mio.Solution{Status: mio.NoSolution, Limit: mio.LimitInterrupt}, nil
				}
				res, err := FeatureMin(within(t, ctx, cmp.Or(limit, time.Hour)), ds, FeatureMinOptions{Perturbed: perturbed, LP: slow})
				if err != nil || !res.Stats.Stopped || res.Tree == nil || solved > 3 || (limit == 0) != (ctx.Err() != nil) {
					t.Errorf("perturbed %v, error %v, limit %v: %v, %+v", perturbed, asError, limit, err, res)
				}
				cancel()
			}
		}
	}
}

// TestBoundedErrorAgainstSolver: the native solution of step 1 of Algorithm 4.1 has the value of
// the linear program and satisfies the bound, for all kinds of prices, also for data with separable
// classes.
func TestBoundedErrorAgainstSolver(t *testing.T) {
	ctx, lp := context.Background(), highsLP(t)
	rng := rand.New(rand.NewPCG(41, 1))
	for run := range 60 {
		p := 2 + rng.IntN(7)
		n := 40
		if run%5 == 0 {
			n = 10 // mostly separable
		}
		ds := gaussianData(t, rng, n, p, 0)
		o := FeatureMinOptions{Perturbed: run%2 == 1, LP: lp}
		if err := o.complete(); err != nil {
			t.Fatal(err)
		}
		m, err := newMarginRows(twoClasses(ds, func(y int) bool { return y == 0 }))
		if err != nil {
			t.Fatal(err)
		}
		s := &featureSearch{FeatureMinOptions: o, ctx: ctx, m: m}
		s.shares()
		if err := s.build(); err != nil {
			t.Fatal(err)
		}
		least, end := planeOf(pulse.New(ctx), m, RLPOptions{Eps: o.Eps})
		delta := end.value * (1 + rng.Float64())
		s.bound(delta)
		s.best = least
		own := s.boundedError(delta)
		for range 4 {
			price := make([]float64, m.p)
			for j := range price {
				switch rng.IntN(3) {
				case 0:
					price[j] = 1
				case 1:
					price[j] = rng.Float64()
				}
			}
			want, err := s.program(price)
			if err != nil {
				t.Fatal(err)
			}
			got, stopped := own.program(price)
			if stopped {
				t.Fatal("stopped")
			}
			if e := s.errorOf(got); e > delta+1e-6 {
				t.Errorf("run %d: error %v, at most %v", run, e, delta)
			}
			a, b := own.costOf(want, price), own.costOf(got, price)
			if math.Abs(a-b) > 1e-5*(1+a) {
				t.Errorf("run %d (%d rows, %d features, eps %v, delta %v): %v, the solver has %v", run, m.n, m.p, o.Eps, delta, b, a)
			}
		}
	}
}

// TestFeatureMinWithoutSolver: without a solver the algorithms satisfy the bound and reach as many
// features as with one, up to other vertices of the same programs.
func TestFeatureMinWithoutSolver(t *testing.T) {
	ctx, lp := context.Background(), highsLP(t)
	rng := rand.New(rand.NewPCG(42, 1))
	with, without := 0, 0
	for run := range 20 {
		ds := gaussianData(t, rng, 40, 4+rng.IntN(6), 0)
		perturbed := run%2 == 1
		a, err := FeatureMin(ctx, ds, FeatureMinOptions{Perturbed: perturbed, LP: lp})
		if err != nil {
			t.Fatal(err)
		}
		b, err := FeatureMin(ctx, ds, FeatureMinOptions{Perturbed: perturbed})
		if err != nil {
			t.Fatal(err)
		}
		if b.Error > b.Delta+1e-6 || math.Abs(b.Delta-a.Delta) > 1e-6 || len(b.Tree.FeaturesUsed()) != b.Features {
			t.Errorf("run %d: %+v, with a solver %+v", run, b, a)
		}
		f, err := linear.FMOptions{Perturbed: perturbed, LP: lp}.Build(ctx, ds)
		if err != nil {
			t.Fatal(err)
		}
		if v := f.Error(b.Tree); v > b.Delta+1e-5 {
			t.Errorf("run %d: error %v, at most %v", run, v, b.Delta)
		}
		with, without = with+a.Features, without+b.Features
	}
	if without > with+4 || with > without+4 {
		t.Errorf("%d features with a solver, %d without", with, without)
	}
	t.Logf("%d features with a solver, %d without", with, without)
}
