//go:build cgo && !nohighs

package vertex

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/octgen/octgen/formulate/linear"
	"github.com/octgen/octgen/internal/pulse"
)

// TestBoundedErrorAgainstSolver: the native solution of step 1 of Algorithm 4.1 has the
// value of the linear program and keeps the bound, for prices of all kinds, of data whose
// classes can be separated, too.
func TestBoundedErrorAgainstSolver(t *testing.T) {
	ctx, lp := context.Background(), highsLP(t)
	rng := rand.New(rand.NewPCG(41, 1))
	for run := range 60 {
		p := 2 + rng.IntN(7)
		n := 40
		if run%5 == 0 {
			n = 10 // separable, mostly
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
		own := &boundedError{newPriced(pulse.New(ctx), m, 0), o.Eps, delta, least, 0, s.errorOf}
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

// TestFeatureMinWithoutSolver: without a solver the algorithms keep the bound and come to
// as many features as with one, but for other vertices of the same programs.
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
