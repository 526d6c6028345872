package treesearch

import "math"

// scalar finds best stumps one by one, in float64: for weights that the lanes
// cannot hold, for machines without them, and where leaves have a least weight,
// which the lanes leave aside.
type scalar struct {
	p      *problem
	inLeft []bool // (n)
	// per side: weights per class of the part, and of its prefix
	part, prefix [2][]float64 // (K)
}

func newScalar(p *problem) *scalar {
	s := &scalar{p: p, inLeft: make([]bool, p.n)}
	for i := range 2 {
		s.part[i], s.prefix[i] = make([]float64, p.k), make([]float64, p.k)
	}
	return s
}

// stump is a split and its errors; +Inf where there is none.
type stump struct {
	errors  float64
	feature int32
	pos     int32 // in the order of the node

	left, right float64 // errors of both leaves
}

// sides returns the best stumps of the parts of nd on both sides of a cut, with
// at least minLeaf on each side of each.
func (s *scalar) sides(nd *pairNode, f int, pos int32, minLeaf float64) (left, right stump) {
	seq := nd.order(f)
	clear(s.part[0])
	for _, e := range seq[:pos] {
		r := e.row()
		s.inLeft[r] = true
		s.part[0][s.p.class[r]] += s.p.weight[r]
	}
	for _, e := range seq[pos:] {
		s.inLeft[e.row()] = false
	}
	for c, w := range nd.class {
		s.part[1][c] = w - s.part[0][c]
	}
	best := [2]stump{{errors: math.Inf(1)}, {errors: math.Inf(1)}}
	for g := range s.p.p {
		if !nd.constant(g) {
			s.sweep(nd, g, minLeaf, &best)
		}
	}
	return best[0], best[1]
}

// best returns the best stump of all of nd.
func (s *scalar) best(nd *pairNode, minLeaf float64) stump {
	left, _ := s.sides(nd, 0, int32(nd.n), minLeaf)
	return left
}

func (s *scalar) sweep(nd *pairNode, g int, minLeaf float64, best *[2]stump) {
	seq := nd.order(g)
	weight := [2]float64{}
	clear(s.prefix[0])
	clear(s.prefix[1])
	var rows [2]int
	for i, e := range seq[:len(seq)-1] {
		side, r := 1, e.row()
		if s.inLeft[r] {
			side = 0
		}
		w := s.p.weight[r]
		s.prefix[side][s.p.class[r]] += w
		weight[side] += w
		rows[side]++
		if !e.last() {
			continue
		}
		for side := range 2 {
			if rows[side] == 0 || weight[side] < minLeaf {
				continue
			}
			most, mostRest, rest := 0.0, 0.0, 0.0
			for c, a := range s.prefix[side] {
				b := s.part[side][c] - a
				most, mostRest = max(most, a), max(mostRest, b)
				rest += b
			}
			if rest < minLeaf || rest <= 0 {
				continue
			}
			if l, r := weight[side]-most, rest-mostRest; l+r < best[side].errors {
				best[side] = stump{l + r, int32(g), int32(i) + 1, l, r}
			}
		}
	}
}
