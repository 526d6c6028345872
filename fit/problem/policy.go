package problem

import (
	"context"
	"fmt"

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
// cost c_ik = w_i (max_l r_il - r_ik), see dataset/rewards.go: inside, values are
// sum_i c_i,a(i) + alpha * splits, to be minimised; what is reported is Reported of them.
type Policy struct {
	Shape
	Cache
}

var (
	_ Searched  = (*Policy)(nil)
	_ Valued    = (*Policy)(nil)
	_ Maximised = (*Policy)(nil)
)

func init() { register(func() Method { return new(Policy) }) }

// Info describes the method.
func (*Policy) Info() Info {
	return Info{
		Name: "policy", Doc: "tree of the greatest reward: which action for whom, by exact search (Zhou, Athey & Wager 2023)", Proof: true,
		Engines: []Engine{Search, Heuristic}, Settings: []string{"threads", "work-limit"},
	}
}

// Hint says why the options of hyperplanes are not there.
func (*Policy) Hint(flag string) string { return univariate[flag] }

// Validate refuses what no data make right.
func (*Policy) Validate() error { return nil }

// Earns says that its data have rewards in place of classes.
func (*Policy) Earns() {}

// Value is what is minimised, in the unit of the rewards.
func (m *Policy) Value(d *Data) func(*tree.Tree) float64 {
	return func(t *tree.Tree) float64 { return t.Evaluate(d.Dataset).Excess + m.Alpha*float64(t.Splits()) }
}

// Reported turns a value that is minimised into the reward that is maximised.
func (m *Policy) Reported(d *Data) func(value float64) float64 {
	most := d.BestReward()
	return func(value float64) float64 { return most - value }
}

// Search is the exact search, from the tree of Grow.
func (m *Policy) Search(ctx context.Context, d *Data, o SearchOptions) (*Found, error) {
	if err := d.SingleLeaf(); err != nil {
		return nil, err
	}
	if o.Start == nil {
		var err error
		if o.Start, err = m.Grow(ctx, d, Task{}); err != nil {
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
	f.ObjectiveOf = m.Value(d)
	proved := f.Status == mio.Optimal
	f.Bound *= scale
	f.Objective = f.ObjectiveOf(f.Tree)
	if f.Bound = min(f.Bound, f.Objective); proved {
		f.Bound = f.Objective // they differ by rounding
	}
	if !proved && f.Limit == mio.NoLimit {
		off := f.Objective - f.Bound
		f.Raw = fmt.Sprintf("proved to within %.2g of reward: sums of these rewards do not hold less, such as alpha", off)
		f.Unproved = fmt.Sprintf("sums of these rewards do not hold less than %.2g of reward, such as alpha; the tree is proved to within that", off)
	}
	f.StartObjective = f.ObjectiveOf(o.Start.Tree)
	return f, nil
}

// Grow is the engine heuristic, and what the search begins with.
func (m *Policy) Grow(ctx context.Context, d *Data, _ Task) (*Grown, error) {
	if d.Reward == nil {
		return nil, fmt.Errorf("policy: the data have classes; it needs rewards of actions")
	}
	l, err := d.Training(ctx)
	if err != nil { // ctx has ended
		single := tree.NewLeaf(d.Dataset, 0)
		single.Relabel(d.Dataset)
		return &Grown{Name: "single action", Tree: single, Limit: mio.LimitOf(ctx), Outcome: new(Outcome), Objective: m.Value(d)}, nil
	}
	res, err := policy.Grow(ctx, l.Rows, policy.Options{
		Depth: m.Greatest(), Penalty: m.Alpha, MinLeaf: leastLeaf(l, m.MinLeaf), MaxSplits: m.MaxSplits, Presort: l.Presort,
	})
	if err != nil {
		return nil, err
	}
	return &Grown{Name: "greedy policy", Tree: l.InSource(res.Tree), Limit: stopped(ctx, res.Stopped), Outcome: &Outcome{GrownSplits: &res.Grown}, Objective: m.Value(d)}, nil
}
