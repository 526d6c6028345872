package prices

import (
	"math"
	"math/rand/v2"
)

// local is a local search over shapes. A move gives one node another feature and rank, splits a
// leaf, or removes a node; all leaves get the best feasible classes. One sweep tries all thresholds
// of a feature.
type local struct {
	s     *solver
	value float64 // of the shape
	other []int32 // (n) the leaf of a point at the node if it were sent left
	here  []int32 // the same if sent right
	order []int32
}

// move is a change of a shape.
type move struct {
	node    int32
	feature int32
	rank    int32
	value   float64
}

// descend moves from t to better shapes until there are none, and offers all of them.
func (l *local) descend(t *shape) *shape {
	s := l.s
	t = t.clone()
	sums := s.p.sums(t)
	if !s.p.admits(sums) {
		return t
	}
	l.value = math.Inf(1)
	s.label.order(t)
	if labels, cost := s.label.solve(sums, math.Inf(1), 0); labels != nil {
		l.value = cost + s.p.price*float64(t.splits())
	}
	s.keepBest(t, sums)
	for better := true; better && !s.stop(); {
		better = false
		for at := range t.nodes {
			if s.stop() {
				break
			}
			if m, ok := l.best(t, int32(at)); ok {
				t = s.p.moved(t, m)
				l.value = m.value
				s.consider(t)
				better = true
				break
			}
		}
	}
	return t
}

// moved returns t after m.
func (p *problem) moved(t *shape, m move) *shape {
	t = t.clone()
	n := &t.nodes[m.node]
	if n.feature < 0 {
		left := int32(len(t.nodes))
		t.nodes = append(t.nodes, node{feature: -1, leaf: n.leaf}, node{feature: -1, leaf: int32(len(t.leaves))})
		t.leaves[n.leaf] = left
		t.leaves = append(t.leaves, left+1)
		n = &t.nodes[m.node]
		n.left, n.right = left, left+1
	}
	n.feature, n.rank = m.feature, m.rank
	return t
}

// depthOf returns the number of splits above a node.
func (t *shape) depthOf(at int32) int {
	depth := make([]int, len(t.nodes))
	for i := range t.nodes {
		if n := &t.nodes[i]; n.feature >= 0 {
			depth[n.left], depth[n.right] = depth[i]+1, depth[i]+1
		}
	}
	return depth[at]
}

// best returns the best split of a node if it improves the shape below l.value.
func (l *local) best(t *shape, at int32) (move, bool) {
	p, s := l.s.p, l.s
	m := move{node: at, value: l.value}
	n := &t.nodes[at]
	if n.stays || n.feature < 0 && (t.depthOf(at) >= p.depth || t.splits() >= p.splits) {
		return m, false
	}
	with := p.moved(t, move{node: at, feature: max(n.feature, 0), rank: n.rank})
	left, right := with.nodes[at].left, with.nodes[at].right
	base := p.newSums(len(with.leaves)) // all points at the node are sent right
	if cap(l.here) < p.n {
		l.here, l.other, l.order = make([]int32, p.n), make([]int32, p.n), make([]int32, p.n)
	}
	l.here, l.other = l.here[:p.n], l.other[:p.n]
	reached := 0
	for q := range p.n {
		l.here[q] = -1
		if !p.reaches(with, at, q) {
			p.add(base, int(p.find(with, 0, q)), q, 1)
			continue
		}
		reached++
		l.other[q], l.here[q] = p.find(with, left, q), p.find(with, right, q)
		p.add(base, int(l.here[q]), q, 1)
	}
	s.spend(p.n * p.depth)
	found := false
	price := p.price * float64(with.splits())
	work := p.newSums(len(with.leaves))
	for f := range p.pre.P() {
		if len(p.pre.Values(f)) < 2 || s.stop() {
			continue
		}
		with.nodes[at].feature = int32(f)
		s.label.order(with)
		copy(work.cost, base.cost)
		copy(work.class, base.class)
		copy(work.g, base.g)
		copy(work.mass, base.mass)
		copy(work.points, base.points)
		s.spend(p.n + reached*(len(p.rows)+p.k))
		ranks, last, sent := p.pre.Ranks(f), int32(-1), 0
		for _, r := range p.pre.Order(f) {
			q := int(r)
			if l.here[q] < 0 {
				continue
			}
			if rank := ranks[q]; rank != last {
				if sent > 0 {
					if value, ok := l.try(work, m.value-price); ok {
						m, found = move{at, int32(f), last, value + price}, true
					}
				}
				last = rank
			}
			p.add(work, int(l.here[q]), q, -1)
			p.add(work, int(l.other[q]), q, 1)
			sent++
		}
	}
	return m, found
}

// try labels sums; ok reports a cost below limit.
func (l *local) try(sums *sums, limit float64) (float64, bool) {
	if !l.s.p.admits(sums) {
		return 0, false
	}
	labels, cost := l.s.label.solve(sums, limit, l.s.p.noise)
	return cost, labels != nil
}

// reaches reports whether point q passes a node.
func (p *problem) reaches(t *shape, at int32, q int) bool {
	for i := int32(0); i <= at; {
		if i == at {
			return true
		}
		n := &t.nodes[i]
		switch {
		case n.feature < 0:
			return false
		case p.pre.Ranks(int(n.feature))[q] <= n.rank:
			i = n.left
		default:
			i = n.right
		}
	}
	return false
}

// without returns t with the subtree at a node replaced by its left or right side, or by a leaf.
func (p *problem) without(t *shape, at int32, by int32) *shape {
	out := &shape{}
	var grow func(i int32) int32
	grow = func(i int32) int32 {
		if i == at {
			i = by
		}
		me := int32(len(out.nodes))
		n := t.nodes[max(i, 0)]
		if i < 0 || n.feature < 0 {
			out.nodes = append(out.nodes, node{feature: -1, leaf: int32(len(out.leaves))})
			out.leaves = append(out.leaves, me)
			return me
		}
		out.nodes = append(out.nodes, n)
		left := grow(n.left)
		right := grow(n.right)
		out.nodes[me].left, out.nodes[me].right = left, right
		return me
	}
	grow(0)
	return out
}

// kick gives one or two nodes of t random splits.
func (p *problem) kick(t *shape, random *rand.Rand) *shape {
	t = t.clone()
	var inner []int
	for i := range t.nodes {
		if t.nodes[i].feature >= 0 && !t.nodes[i].stays {
			inner = append(inner, i)
		}
	}
	if len(inner) == 0 {
		return t
	}
	for range 1 + random.IntN(2) {
		n := &t.nodes[inner[random.IntN(len(inner))]]
		f := random.IntN(p.pre.P())
		if values := len(p.pre.Values(f)); values > 1 {
			n.feature, n.rank = int32(f), int32(random.IntN(values-1))
		}
	}
	return t
}

const (
	mostDescents = 12 // from shapes of evaluations
	mostKicks    = 60
)

// polish descends from the shapes of evaluations, latest first, and from the best shape after
// kicks.
func (s *solver) polish(kicks int) {
	l := &local{s: s}
	seen := 0
	for i := len(s.shapes) - 1; i >= 0 && seen < mostDescents && !s.closed() && !s.stop(); i-- {
		l.descend(s.shapes[i])
		seen++
	}
	if s.shape != nil && s.p.price > 0 {
		s.prune()
	}
	random := rand.New(rand.NewPCG(1, 0x6c616772))
	for range kicks {
		if s.shape == nil || s.closed() || s.stop() {
			return
		}
		l.descend(s.p.kick(s.shape, random))
	}
}

// prune removes nodes while that improves the tree.
func (s *solver) prune() {
	for better := true; better; {
		better = false
		t := s.shape
		for at := range t.nodes {
			n := &t.nodes[at]
			if n.feature < 0 || n.stays {
				continue
			}
			for _, by := range []int32{-1, n.left, n.right} {
				better = s.consider(s.p.without(t, int32(at), by)) || better
			}
		}
	}
}
