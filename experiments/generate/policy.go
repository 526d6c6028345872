package generate

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/tree"
)

// Policy draws observed decisions for which a tree is the best policy: points and a tree drawn as
// by [OCT], whose classes are the K actions. The outcome of action k at x is
//
//	mu_k(x) + Noise N(0, 1),  mu_k(x) = x_1 + Effect [k is the action of the tree at x],
//
// so the tree is the best policy, better than any other action by Effect. One action a_i is taken
// at random per point: with probability e_k(x) = 1/2 the action with number floor(K x_2) (x_1 if
// there is one feature), each of the others with equal probability. Only its outcome y_i is
// observed. The rewards are the doubly robust scores of Robins, Rotnitzky & Zhao (1994), as used by
// Zhou, Athey & Wager (2023):
//
//	r_ik = m_k + [a_i = k] / e_k(x_i) (y_i - m_k),
//
// where m_k is the mean outcome of action k, weighted by 1/e_k: a poor model of mu_k, but unbiased,
// since the e_k are known: E[r_ik | x_i] = mu_k(x_i).
type Policy struct {
	Features int // 1 or more
	Rows     int // training points, 2 or more
	TestRows int // test points, 0 or more

	Depth   int     // of the tree; default 2
	Actions int     // default 3, at most the 2^Depth leaves
	Effect  float64 // of the best action; default 1
	Noise   float64 // standard deviation of outcomes; 0 for none
	Seed    uint64
}

// Replicate returns g with the seed Seed + r.
func (g Policy) Replicate(r int) Generator {
	g.Seed += uint64(r)
	return g
}

// Data implements Generator, with scores: other trees may earn more by the noisy scores.
func (g Policy) Data() (train, test *dataset.Dataset, truth *tree.Tree, err error) {
	g.Actions, g.Effect = cmp.Or(g.Actions, 3), cmp.Or(g.Effect, 1)
	switch {
	case !(g.Effect > 0) || math.IsInf(g.Effect, 1):
		return nil, nil, nil, fmt.Errorf("generate: effect %v, expected a number above 0", g.Effect)
	case !(g.Noise >= 0) || math.IsInf(g.Noise, 1):
		return nil, nil, nil, fmt.Errorf("generate: outcome noise %v, expected a number >= 0", g.Noise)
	}
	points := OCT{Features: g.Features, Rows: g.Rows, TestRows: g.TestRows, Depth: g.Depth, Classes: g.Actions, Seed: g.Seed}
	if train, test, truth, err = points.Data(); err != nil {
		return nil, nil, nil, err
	}
	if train, err = g.observed(train, rand.New(rand.NewPCG(g.Seed, 0x706f6c696379))); err != nil {
		return nil, nil, nil, err
	}
	if test != nil {
		if test, err = g.observed(test, rand.New(rand.NewPCG(g.Seed, 0x706f6c69637974))); err != nil {
			return nil, nil, nil, err
		}
	}
	truth.Annotate(train)
	return train, test, truth, nil
}

// observed returns points with the scores of the observed outcomes; their classes are the best
// actions.
func (g *Policy) observed(points *dataset.Dataset, rng *rand.Rand) (*dataset.Dataset, error) {
	n, k := points.N(), g.Actions
	taken, outcome, propensity := make([]int, n), make([]float64, n), make([]float64, n)
	sum, weight := make([]float64, k), make([]float64, k)
	for i := range n {
		x := points.Row(i)
		usual := min(int(float64(k)*x[min(1, len(x)-1)]), k-1)
		taken[i], propensity[i] = usual, 0.5
		if rng.Float64() >= 0.5 {
			taken[i], propensity[i] = (usual+1+rng.IntN(k-1))%k, 0.5/float64(k-1)
		}
		outcome[i] = x[0] + g.Noise*rng.NormFloat64()
		if taken[i] == points.Y[i] {
			outcome[i] += g.Effect
		}
		sum[taken[i]] += outcome[i] / propensity[i]
		weight[taken[i]] += 1 / propensity[i]
	}
	reward := make([]float64, n*k)
	for i := range n {
		for a := range k {
			m := 0.0
			if weight[a] > 0 {
				m = sum[a] / weight[a]
			}
			if reward[i*k+a] = m; a == taken[i] {
				reward[i*k+a] += (outcome[i] - m) / propensity[i]
			}
		}
	}
	return dataset.NewRewards(points.X, reward, points.Features, points.Classes)
}
