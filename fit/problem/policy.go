package problem

import (
	"context"
	"fmt"
	"sync"

	"github.com/octgen/octgen/heuristics/policy"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/search/exact"
	"github.com/octgen/octgen/tree"
)

// Policy is the tree of the greatest reward (Zhou, Athey & Wager, Offline multi-action
// policy learning, 2023): of rows i of weight w_i with rewards r_ik of the actions k,
//
//	maximise  sum_i w_i r_i,a(i)  -  alpha * splits
//
// where a(i) is the action at the leaf of row i. It is searched as the tree of the least
// cost c_ik = w_i (max_l r_il - r_ik), see dataset/loss.go: inside, values are
// sum_i c_i,a(i) + alpha * splits, to be minimised; what is reported is Reported of them.
type Policy struct {
	Shape
	Cache
	unchecked
}

// Info describes the method.
func (m *Policy) Info() Info {
	return Info{
		Name: "policy", Doc: "policy tree with the highest reward (an action for each row), by exact search (Zhou, Athey & Wager 2023)",
		Proof: true, Rewards: true, Grows: true, Hint: univariateHint,
		Engines: []Engine{Search, Heuristic}, Settings: []string{"threads", "work-limit"}, Depth: &m.Depth, Shape: &m.Shape,
	}
}

// On binds the method to data. What is reported of a value that is minimised is the reward.
func (m *Policy) On(_ context.Context, d *Data, depth int) (*Problem, error) {
	o := *m
	o.SetDepth(depth)
	p := AlgorithmOf(&o, d, o.Shape, func(ctx context.Context, _ Task) (*Grown, error) { return o.grow(ctx, d) })
	p.Value = o.value(d)
	p.Search = func(ctx context.Context, s SearchOptions) (*Found, error) { return o.search(ctx, d, s) }
	most := sync.OnceValue(d.BestReward)
	p.Reported = func(value float64) float64 { return most() - value }
	return p, nil
}

// value is what is minimised, in the unit of the rewards.
func (m *Policy) value(d *Data) func(*tree.Tree) float64 {
	return func(t *tree.Tree) float64 { return t.Evaluate(d.Dataset).Excess + m.Alpha*float64(t.Splits()) }
}

// search is the exact search, from the tree of grow.
func (m *Policy) search(ctx context.Context, d *Data, o SearchOptions) (*Found, error) {
	if err := d.SingleLeaf(); err != nil {
		return nil, err
	}
	if o.Start == nil {
		var err error
		if o.Start, err = m.grow(ctx, d); err != nil {
			return nil, err
		}
	}
	scale := tree.ErrorScale(d.Dataset)
	if progress := o.Progress; progress != nil {
		o.Progress = func(p exact.Progress) {
			p.Objective, p.Bound = p.Objective*scale, p.Bound*scale
			progress(p)
		}
	}
	s := m.Shape
	s.Alpha /= scale
	f, err := searchTrees(ctx, d, s, m.Cache, nil, o)
	if err != nil {
		return nil, err
	}
	f.ObjectiveOf = m.value(d)
	proved := f.Status == mio.Optimal
	f.Bound *= scale
	f.Objective = f.ObjectiveOf(f.Tree)
	if f.Bound = min(f.Bound, f.Objective); proved {
		f.Bound = f.Objective // they differ by rounding
	}
	if !proved && f.Limit == mio.NoLimit {
		off := f.Objective - f.Bound
		f.Raw = fmt.Sprintf("proved to within %.2g of reward: sums of these rewards cannot resolve smaller amounts, such as alpha", off)
		f.Unproved = fmt.Sprintf("sums of these rewards cannot resolve amounts below %.2g, such as alpha; the tree is proved to within that", off)
	}
	f.StartObjective = f.ObjectiveOf(o.Start.Tree)
	return f, nil
}

// grow is the engine heuristic, and what the search begins with.
func (m *Policy) grow(ctx context.Context, d *Data) (*Grown, error) {
	l, err := d.Training(ctx)
	if err != nil { // ctx has ended
		single := tree.NewLeaf(d.Dataset, 0)
		single.Relabel(d.Dataset)
		return &Grown{Name: "single action", Tree: single, Limit: mio.LimitOf(ctx), Outcome: new(Outcome), Objective: m.value(d)}, nil
	}
	res, err := policy.Grow(ctx, l.Rows, policy.Options{
		Depth: m.Greatest(), Penalty: m.Alpha, MinLeaf: leastLeaf(l, m.MinLeaf), MaxSplits: m.MaxSplits, Presort: l.Presort,
	})
	if err != nil {
		return nil, err
	}
	return &Grown{Name: "greedy policy", Tree: l.InSource(res.Tree), Limit: stopped(ctx, res.Stopped), Outcome: &Outcome{GrownSplits: &res.Grown}, Objective: m.value(d)}, nil
}
