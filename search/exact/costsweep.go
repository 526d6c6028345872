package exact

import "math"

// costSweep finds best stumps where answers have costs, one cut of the root after the
// other, with or without regard to the least leaf.
type costSweep struct {
	p      *problem
	inLeft []uint8   // (n) 0 where the cut sends the row left, 1 where right
	part   [2]amount // of both sides of the cut
	before [2]amount // of the stump's left side
	after  [2]amount // scratch
}

// amount is what rows cost, and what they count for a leaf.
type amount struct {
	costs  []float64 // (K)
	weight float64
	leaf   float64
	rows   int
}

func (x *amount) clear() {
	clear(x.costs)
	x.weight, x.leaf, x.rows = 0, 0, 0
}

// add takes a row over.
func (x *amount) add(p *problem, r uint32) {
	for c, v := range p.cost[int(r)*p.k : int(r+1)*p.k] {
		x.costs[c] += v
	}
	x.weight += p.weight[r]
	if p.leaf != nil {
		x.leaf += p.leaf[r]
	}
	x.rows++
}

func newCostSweep(p *problem) *costSweep {
	s := newApart[costSweep]()
	s.p, s.inLeft = p, make([]uint8, p.n)
	for side := range 2 {
		s.part[side].costs, s.before[side].costs, s.after[side].costs = apart[float64](p.k), apart[float64](p.k), apart[float64](p.k)
	}
	return s
}

// best returns the best stump of all of nd.
func (s *costSweep) best(nd *pairNode, minLeaf float64) stump {
	left, _ := s.sides(nd, 0, nd.count[0], minLeaf)
	return left
}

// parts returns what the parts of the cut cost whose stumps sides found last, without
// regard to the least leaf.
func (s *costSweep) parts(left, right stump) (parts [2]side) {
	for at, st := range [2]stump{left, right} {
		leaf := minOf(s.part[at].costs)
		parts[at] = side{leaf, min(leaf, st.errors)}
	}
	return parts
}

// leftWeight is that of the left part of that cut.
func (s *costSweep) leftWeight() float64 { return s.part[0].weight }

// exact is what the parts of a cut cost with regard to the least leaf.
func (s *costSweep) exact(nd *pairNode, f int, pos int32, way arm) (left, right float64) {
	p := s.p
	ls, rs := s.sides(nd, f, pos, p.minLeaf)
	sides := [2]side{{leaf: math.Inf(1), stump: ls.errors}, {leaf: math.Inf(1), stump: rs.errors}}
	for at := range sides {
		if s.part[at].leaf >= p.minLeaf {
			sides[at].leaf = minOf(s.part[at].costs)
		}
	}
	return sideValue(sides[0], way.left, p.lambda), sideValue(sides[1], way.right, p.lambda)
}

// sides returns the best stumps of the parts of nd on both sides of a cut, with at least
// minLeaf on each side of each.
func (s *costSweep) sides(nd *pairNode, f int, pos int32, minLeaf float64) (left, right stump) {
	s.mark(nd, f, pos)
	best := [2]stump{{errors: math.Inf(1)}, {errors: math.Inf(1)}}
	for g := range s.p.p {
		if !nd.constant(g) {
			s.sweep(nd, g, minLeaf, &best)
		}
	}
	return best[0], best[1]
}

// mark notes the side of each row of nd, and adds up both.
func (s *costSweep) mark(nd *pairNode, f int, pos int32) {
	mode := nd.mode[f]
	if mode >= 0 {
		side := uint8(1)
		if mode < pos {
			side = 0
		}
		for _, r := range nd.rows[:nd.n] {
			s.inLeft[r] = side
		}
	}
	for i, e := range nd.order(f) {
		if int32(i) == mode {
			continue
		}
		side := uint8(1)
		if int32(i) < pos {
			side = 0
		}
		s.inLeft[e.row()] = side
	}
	for side := range s.part {
		s.part[side].clear()
	}
	for _, r := range nd.rows[:nd.n] {
		s.part[s.inLeft[r]].add(s.p, r)
	}
}

func (s *costSweep) sweep(nd *pairNode, g int, minLeaf float64, best *[2]stump) {
	seq, mode := nd.order(g), int(nd.mode[g])
	for side := range s.before {
		s.before[side].clear()
	}
	for i, e := range seq[:len(seq)-1] {
		if i == mode {
			s.passMode(seq[mode+1:])
		} else {
			r := uint32(e.row())
			s.before[s.inLeft[r]].add(s.p, r)
		}
		if e.last() {
			s.compare(g, i+1, minLeaf, best)
		}
	}
}

// passMode adds the rows of the mode: all but those before it and in tail.
func (s *costSweep) passMode(tail []entry) {
	for side := range s.after {
		s.after[side].clear()
	}
	for _, e := range tail {
		r := uint32(e.row())
		s.after[s.inLeft[r]].add(s.p, r)
	}
	for side := range s.before {
		x, all, y := &s.before[side], &s.part[side], &s.after[side]
		for c := range x.costs {
			x.costs[c] = all.costs[c] - y.costs[c]
		}
		x.leaf, x.rows = all.leaf-y.leaf, all.rows-y.rows
	}
}

// compare keeps the cut at pos of feature g where it is better.
func (s *costSweep) compare(g, pos int, minLeaf float64, best *[2]stump) {
	for side := range s.before {
		x, all := &s.before[side], &s.part[side]
		if x.rows == 0 || x.rows == all.rows || minLeaf > 0 && (x.leaf < minLeaf || all.leaf-x.leaf < minLeaf) {
			continue
		}
		left, right := math.Inf(1), math.Inf(1)
		for c, a := range x.costs {
			left, right = min(left, a), min(right, all.costs[c]-a)
		}
		if left+right < best[side].errors {
			best[side] = stump{left + right, int32(g), int32(pos), left, right}
		}
	}
}
