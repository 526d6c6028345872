package prices

import (
	"slices"

	"github.com/octgen/octgen/tree"
)

// shape is the splits of a tree, on ranks of values: a point goes left at a node where the
// rank of its value is at most rank. Children come after their parent.
type shape struct {
	nodes  []node
	leaves []int32 // nodes that are leaves
}

type node struct {
	feature     int32 // -1 at a leaf
	rank        int32
	left, right int32
	leaf        int32 // index in leaves
	stays       bool  // the split is one of those that stay
}

func (t *shape) splits() int { return len(t.nodes) - len(t.leaves) }

func (t *shape) clone() *shape {
	return &shape{slices.Clone(t.nodes), slices.Clone(t.leaves)}
}

// shapeOf is the shape of a univariate tree on the points' features, which begins with the
// splits that stay.
func (p *problem) shapeOf(t *tree.Tree) *shape {
	s := &shape{nodes: make([]node, len(t.Nodes))}
	for i := range t.Nodes {
		n := &t.Nodes[i]
		if n.Leaf() {
			s.nodes[i] = node{feature: -1, leaf: int32(len(s.leaves))}
			s.leaves = append(s.leaves, int32(i))
			continue
		}
		f := n.Split.Terms[0].Feature
		values := p.pre.Values(f)
		below, _ := slices.BinarySearch(values, n.Split.Threshold) // values below the threshold go left
		s.nodes[i] = node{feature: int32(f), rank: int32(below) - 1, left: int32(n.Left), right: int32(n.Right)}
	}
	p.mark(s)
	return s
}

// find is the leaf, an index in leaves, that point q reaches from node at.
func (p *problem) find(t *shape, at int32, q int) int32 {
	for {
		n := &t.nodes[at]
		switch {
		case n.feature < 0:
			return n.leaf
		case p.pre.Ranks(int(n.feature))[q] <= n.rank:
			at = n.left
		default:
			at = n.right
		}
	}
}

// sums are what the leaves of a shape hold.
type sums struct {
	leaf []int32   // (n) each point's
	cost []float64 // (leaves, k)
	g    []float64 // (leaves, rows) of each row, were its class answered
	mass []float64 // (leaves)

	points []int // (leaves)

	class []float64 // (leaves, k) where leaves have to be pure
}

func (p *problem) sums(t *shape) *sums {
	s := p.newSums(len(t.leaves))
	s.leaf = make([]int32, p.n)
	for q := range p.n {
		l := p.find(t, 0, q)
		s.leaf[q] = l
		p.add(s, int(l), q, 1)
	}
	return s
}

func (p *problem) newSums(leaves int) *sums {
	s := &sums{cost: make([]float64, leaves*p.k), g: make([]float64, leaves*len(p.rows)), mass: make([]float64, leaves), points: make([]int, leaves)}
	if p.class != nil {
		s.class = make([]float64, leaves*p.k)
	}
	return s
}

// add adds point q to leaf l, or with sign -1 takes it away.
func (p *problem) add(s *sums, l, q int, sign float64) {
	cost := s.cost[l*p.k : (l+1)*p.k]
	for k, v := range p.cost[q*p.k : (q+1)*p.k] {
		cost[k] += sign * v
	}
	g := s.g[l*len(p.rows) : (l+1)*len(p.rows)]
	for r := range p.rows {
		g[r] += sign * p.rows[r].g[q]
	}
	s.mass[l] += sign * p.mass[q]
	s.points[l] += int(sign)
	if p.class != nil {
		for k, v := range p.class[q*p.k : (q+1)*p.k] {
			s.class[l*p.k+k] += sign * v
		}
	}
}

// admits says whether the leaves are heavy enough, each with a point.
func (p *problem) admits(s *sums) bool {
	for l, m := range s.mass {
		if s.points[l] == 0 || !tree.EnoughWeight(m, p.minLeaf) {
			return false
		}
	}
	return true
}

// tree makes a tree of a shape with the classes of its leaves.
func (p *problem) tree(t *shape, labels []int) *tree.Tree {
	out := tree.NewLeaf(p.source, 0)
	var grow func(at int32, to int)
	grow = func(at int32, to int) {
		n := &t.nodes[at]
		if n.feature < 0 {
			out.Nodes[to].Class = labels[n.leaf]
			return
		}
		f := int(n.feature)
		l, r := out.Grow(to, tree.Univariate(f, p.pre.Threshold(f, int(n.rank))), 0, 0)
		grow(n.left, l)
		grow(n.right, r)
	}
	grow(0, 0)
	out.Annotate(p.source)
	return out
}
