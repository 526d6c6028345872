package generate

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/fit/problem"
)

// TestPolicyScores: the mean reward of a policy by the scores equals its true value: 0.5 for x_1,
// plus 1 where it chooses the best action.
func TestPolicyScores(t *testing.T) {
	g := Policy{Features: 3, Rows: 40_000, Noise: 0.5, Seed: 3}
	train, _, truth, err := g.Data()
	if err != nil {
		t.Fatal(err)
	}
	best, single := 0.0, make([]float64, 3)
	shares := make([]float64, 3)
	for i := range train.N() {
		a := truth.Predict(train.Row(i))
		best += train.RewardsOf(i)[a] / float64(train.N())
		shares[a] += 1 / float64(train.N())
		for k, r := range train.RewardsOf(i) {
			single[k] += r / float64(train.N())
		}
	}
	if math.Abs(best-1.5) > 0.03 {
		t.Errorf("the true tree earns %v, want about 1.5", best)
	}
	for k, r := range single {
		if want := 0.5 + shares[k]; math.Abs(r-want) > 0.05 {
			t.Errorf("action %d earns %v, want about %v", k, r, want)
		}
	}
}

// TestPolicyRecovered: the exact search recovers the splits of the true tree and its actions.
func TestPolicyRecovered(t *testing.T) {
	for seed := range uint64(3) {
		train, test, truth, err := Policy{Features: 4, Rows: 3000, TestRows: 1000, Noise: 0.5, Seed: seed}.Data()
		if err != nil {
			t.Fatal(err)
		}
		m := &problem.Policy{}
		m.Depth = 2
		res, err := fit.Run(context.Background(), train, fit.Options{Method: m, Test: test})
		if err != nil {
			t.Fatal(err)
		}
		same := 0.0
		for i := range test.N() {
			if truth.Predict(test.Row(i)) == res.Tree.Predict(test.Row(i)) {
				same++
			}
		}
		if r := Recover(truth, res.Tree); r.TrueDiscovery < 100 || same < 0.9*float64(test.N()) {
			t.Errorf("seed %d: %+v, %v of %d rows alike\n%v%v", seed, r, same, test.N(), truth, res.Tree)
		}
		if res.Test.Reward.Gain.Mean <= 0 {
			t.Errorf("seed %d: the tree earns %v more", seed, res.Test.Reward.Gain.Mean)
		}
	}
}

func TestPolicyGenerator(t *testing.T) {
	a, _, _, err := Policy{Features: 2, Rows: 50, Seed: 1}.Data()
	if err != nil {
		t.Fatal(err)
	}
	b, _, _, err := Policy{Features: 2, Rows: 50}.Replicate(1).Data()
	if err != nil || !slices.Equal(a.Reward, b.Reward) || !slices.Equal(a.X, b.X) {
		t.Errorf("the same seed gives other data, %v", err)
	}
	for _, bad := range []Policy{
		{Features: 2, Rows: 50, Effect: -1}, {Features: 2, Rows: 50, Noise: -1}, {Features: 2, Rows: 50, Noise: math.NaN()},
		{Features: 2, Rows: 50, Actions: 5}, {Rows: 50}, {Features: 2, Rows: 1},
	} {
		if _, _, _, err := bad.Data(); err == nil {
			t.Errorf("%+v: no error", bad)
		}
	}
}
