package problem_test

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/tree"
)

// stumps is a method that only tests have, the best of k random stumps. It shows what a new
// one takes: this file, and its line in the registry.
type stumps struct {
	Draws int `default:"10" min:"1" placeholder:"K" group:"Native" help:"stumps: how many to draw."`
}

func init() { problem.Register(func() problem.Method { return new(stumps) }) }

func (*stumps) Info() problem.Info {
	return problem.Info{Name: "stumps", Doc: "the best of K random stumps", Grows: true}
}

func (*stumps) Validate() error { return nil }

func (m *stumps) On(_ context.Context, d *problem.Data, _ int) (*problem.Problem, error) {
	return problem.AlgorithmOf(m, d, problem.Shape{}, func(_ context.Context, t problem.Task) (*problem.Grown, error) {
		rng, least := rand.New(rand.NewPCG(t.Seed, 0)), math.Inf(1)
		best := &problem.Grown{Name: "stumps"}
		for range m.Draws {
			j, threshold := rng.IntN(d.P()), d.Row(rng.IntN(d.N()))
			u := tree.NewLeaf(d.Dataset, 0)
			u.Grow(0, tree.Univariate(j, threshold[j]), 0, 0)
			u.Relabel(d.Dataset)
			if v := u.Evaluate(d.Dataset).ErrorWeight; v < least {
				best.Tree, least = u, v
			}
		}
		return best, nil
	}), nil
}
