package policy

import (
	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/tree"
)

// mostWork bounds what Grow looks at, in cells of the data: some seconds.
const mostWork = 5e8

// descend replaces splits by better ones, with all others as they are, until none can be:
// coordinate descent over the nodes. Answers of leaves follow. work is what has been looked
// at.
func descend(ds *dataset.Dataset, s *sweeper, t *tree.Tree, work *int) (better *tree.Tree, moves int) {
	cost, tolerance := excess(t), 1e-12*excessOfWorst(s)
	for again := true; again; {
		again = false
		for v := range t.Nodes {
			if t.Nodes[v].Leaf() {
				continue
			}
			if *work += ds.N() * (ds.P() + ds.K()); *work > mostWork {
				return t, moves
			}
			u, ok := resplit(ds, s, t, v)
			if s.pulse.Ended() {
				return t, moves
			}
			if !ok {
				continue
			}
			if c := excess(u); c < cost-tolerance {
				t, cost, again = u, c, true
				moves++
			}
		}
	}
	return t, moves
}

// resplit is t with the best split of node v for the answers below it, and the best answers
// after that; false if there is none, or a leaf is too light.
func resplit(ds *dataset.Dataset, s *sweeper, t *tree.Tree, v int) (*tree.Tree, bool) {
	n := ds.N()
	node, left, right := make([]int32, n), make([]float64, n), make([]float64, n)
	l, r := t.Nodes[v].Left, t.Nodes[v].Right
	for i := range n {
		x := ds.Row(i)
		if reaches(t, x, v) {
			node[i] = 1
			left[i] = s.of(int32(i))[below(t, x, l)]
			right[i] = s.of(int32(i))[below(t, x, r)]
		}
	}
	var rows tree.Subset
	s.pre.All().Filter(&rows, node, 1)
	best, ok := s.bestSides(rows, left, right)
	if !ok {
		return nil, false
	}
	u := t.Clone()
	u.Nodes[v].Split = best.split()
	u.Relabel(ds)
	for i := range u.Nodes {
		w := 0.0
		for _, c := range u.Nodes[i].Weight {
			w += c
		}
		if !(w > 0) || !tree.EnoughWeight(w, s.minLeaf) {
			return nil, false
		}
	}
	return u, true
}

// reaches reports whether x comes to node v.
func reaches(t *tree.Tree, x []float64, v int) bool {
	at := 0
	for at < v && !t.Nodes[at].Leaf() { // children come after their parent
		at = child(t, x, at)
	}
	return at == v
}

// below is the answer to x of the subtree at node v.
func below(t *tree.Tree, x []float64, v int) int {
	for !t.Nodes[v].Leaf() {
		v = child(t, x, v)
	}
	return t.Nodes[v].Class
}

func child(t *tree.Tree, x []float64, at int) int {
	if n := &t.Nodes[at]; !n.Split.Left(x) {
		return n.Right
	}
	return t.Nodes[at].Left
}

// excess is what the answers of an annotated tree cost.
func excess(t *tree.Tree) float64 {
	sum := 0.0
	for i := range t.Nodes {
		if n := &t.Nodes[i]; n.Leaf() {
			sum += n.Excess[n.Class]
		}
	}
	return sum
}

// excessOfWorst is what the worst answer costs on every row.
func excessOfWorst(s *sweeper) float64 {
	sum := 0.0
	for at := 0; at < len(s.excess); at += s.k {
		worst := 0.0
		for _, v := range s.excess[at : at+s.k] {
			worst = max(worst, v)
		}
		sum += worst
	}
	return sum
}
