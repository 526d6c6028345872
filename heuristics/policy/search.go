package policy

import (
	"math"
	"slices"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/internal/pulse"
	"github.com/octgen/octgen/tree"
)

// greedy splits leaves until the depth is reached, each by its best split with one action per side,
// even if that saves nothing yet, since splits below may. The root is split by feature root in the
// middle; if root is -1, by the best split.
func greedy(ds *dataset.Dataset, s *sweeper, depth, root int) *tree.Tree {
	type open struct {
		at, depth int
		rows      tree.Subset
	}
	t, parts := tree.NewLeaf(ds, 0), tree.NewPartitioner(s.pre)
	for stack := []open{{0, 0, s.pre.All().Clone()}}; len(stack) > 0; {
		n := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if n.depth == depth || s.pre.P() == 0 || slices.Min(s.costs(n.rows.Order(0))) == 0 {
			continue
		}
		best, ok := found{}, false
		if n.at == 0 && root >= 0 {
			best, ok = s.middle(n.rows, root)
		} else {
			best, ok = s.best(n.rows)
		}
		if !ok {
			continue
		}
		left, right := t.Grow(n.at, best.split(), 0, 0)
		l, r := parts.Split(n.rows, best.feature, best.size)
		stack = append(stack, open{right, n.depth + 1, r}, open{left, n.depth + 1, l})
	}
	t.Relabel(ds)
	return t
}

// mostWork is the maximum work of Grow, in cells of the data: some seconds.
const mostWork = 5e8

// descend replaces splits by better ones, with all others fixed, until none can be improved:
// coordinate descent over the nodes. It updates the actions of leaves. work counts the cells
// visited.
func descend(ds *dataset.Dataset, s *sweeper, t *tree.Tree, work *int) (better *tree.Tree, moves int) {
	cost, tolerance := excess(t), 1e-12*ds.MostLoss()
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

// resplit returns t with the best split of node v for the actions below it, and then the best
// actions; ok is false if there is none, or a leaf is too light.
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

// reaches reports whether x passes node v.
func reaches(t *tree.Tree, x []float64, v int) bool {
	at := 0
	for at < v && !t.Nodes[at].Leaf() { // children come after their parent
		at = child(t, x, at)
	}
	return at == v
}

// below returns the prediction for x of the subtree at node v.
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

// excess returns the cost of the predictions of an annotated tree.
func excess(t *tree.Tree) float64 {
	sum := 0.0
	for i := range t.Nodes {
		if n := &t.Nodes[i]; n.Leaf() {
			sum += n.Loss()
		}
	}
	return sum
}

// sweeper finds the best split of a set of rows.
type sweeper struct {
	pre     *tree.Presort
	k       int
	excess  []float64 // (n, K) dataset.Excess
	weight  []float64 // (n)
	minLeaf float64
	pulse   *pulse.Pulse

	left, total []float64 // (K) scratch
}

func newSweeper(ds *dataset.Dataset, pre *tree.Presort, minLeaf float64, p *pulse.Pulse) *sweeper {
	k := ds.K()
	return &sweeper{
		pre: pre, k: k, excess: ds.Excess(), weight: ds.Weight, minLeaf: minLeaf, pulse: p,
		left: make([]float64, k), total: make([]float64, k),
	}
}

// found is a split of a set of rows: its first size rows in the order of the feature go left.
type found struct {
	feature, size int
	threshold     float64
	cost          float64
}

func (f *found) split() *tree.Split { return tree.Univariate(f.feature, f.threshold) }

// of returns the row's excess costs.
func (s *sweeper) of(i int32) []float64 { return s.excess[int(i)*s.k : (int(i)+1)*s.k] }

// costs sums the excess costs of rows.
func (s *sweeper) costs(rows []int32) []float64 {
	total := make([]float64, s.k)
	for _, i := range rows {
		for a, v := range s.of(i) {
			total[a] += v
		}
	}
	return total
}

// best returns the split with the minimum cost of one action left and one right; of equal ones the
// first. It returns false if no split leaves both sides enough weight, or the context ended.
func (s *sweeper) best(rows tree.Subset) (best found, ok bool) {
	for j := range s.pre.P() {
		if j == 0 {
			copy(s.total, s.costs(rows.Order(0)))
		}
		clear(s.left)
		s.sweep(rows, j, &best, &ok, func(i int32) {
			for a, v := range s.of(i) {
				s.left[a] += v
			}
		}, func() float64 {
			l, r := math.Inf(1), math.Inf(1)
			for a, v := range s.left {
				l, r = min(l, v), min(r, s.total[a]-v)
			}
			return l + r
		})
	}
	return best, ok && !s.pulse.Ended()
}

// middle returns the split of feature j that divides the rows most evenly.
func (s *sweeper) middle(rows tree.Subset, j int) (best found, ok bool) {
	more := float64(rows.Size())
	s.sweep(rows, j, &best, &ok, func(int32) { more -= 2 }, func() float64 { return math.Abs(more) })
	return best, ok && !s.pulse.Ended()
}

// bestSides returns the split with the minimum cost if row i costs left[i] on the left and right[i]
// on the right.
func (s *sweeper) bestSides(rows tree.Subset, left, right []float64) (best found, ok bool) {
	for j := range s.pre.P() {
		cost := 0.0
		for _, i := range rows.Order(j) {
			cost += right[i]
		}
		s.sweep(rows, j, &best, &ok, func(i int32) { cost += left[i] - right[i] }, func() float64 { return cost })
	}
	return best, ok && !s.pulse.Ended()
}

// sweep moves the rows in the order of feature j to the left, one after the other, and keeps the
// cut with the minimum cost.
func (s *sweeper) sweep(rows tree.Subset, j int, best *found, ok *bool, take func(i int32), cost func() float64) {
	order, rank := rows.Order(j), s.pre.Ranks(j)
	if s.pulse.Spend(s.k * len(order)) {
		return
	}
	all, weight := 0.0, 0.0
	for _, i := range order {
		all += s.weight[i]
	}
	for q, i := range order[:max(0, len(order)-1)] {
		take(i)
		weight += s.weight[i]
		next := order[q+1]
		if rank[i] == rank[next] || !tree.EnoughWeight(weight, s.minLeaf) || !tree.EnoughWeight(all-weight, s.minLeaf) {
			continue
		}
		if c := cost(); !*ok || c < best.cost {
			values := s.pre.Values(j)
			*best, *ok = found{j, q + 1, tree.Midpoint(values[rank[i]], values[rank[next]]), c}, true
		}
	}
}
