package tree

import "github.com/octgen/octgen/dataset"

// annotateRewards fills Reward of every node from the rows of ds, nil where these have
// classes.
func (t *Tree) annotateRewards(ds *dataset.Dataset) {
	for i := range t.Nodes {
		if t.Nodes[i].Reward = nil; ds.Reward != nil {
			t.Nodes[i].Reward = make([]float64, ds.K())
		}
	}
	if ds.Reward == nil {
		return
	}
	for i, w := range ds.Weight {
		n := &t.Nodes[t.Find(ds.Row(i))]
		for a, r := range ds.RewardsOf(i) {
			n.Reward[a] += w * r
		}
	}
	for i := len(t.Nodes) - 1; i >= 0; i-- { // children come after their parent
		if n := &t.Nodes[i]; n.Split != nil {
			for a := range n.Reward {
				n.Reward[a] = t.Nodes[n.Left].Reward[a] + t.Nodes[n.Right].Reward[a]
			}
		}
	}
}

// IsPolicy reports whether the classes of t are actions: its nodes say what these earn.
func (t *Tree) IsPolicy() bool {
	return t.Nodes[0].Reward != nil || t.Encoder != nil && t.Encoder.Rewards
}

// MeanRewards returns what each action (K) earns per unit of weight if it is taken for the
// training rows that reach n; nil where there are no rewards, or no rows.
func (n *Node) MeanRewards() []float64 {
	all := sum(n.Weight)
	if n.Reward == nil || !(all > 0) {
		return nil
	}
	mean := make([]float64, len(n.Reward))
	for a, r := range n.Reward {
		mean[a] = r / all
	}
	return mean
}
