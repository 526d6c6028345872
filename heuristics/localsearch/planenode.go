package localsearch

import (
	"math"
	"slices"
)

// planeClimb moves one plane along lines, for prices of the rows at its node
// that do not change.
type planeClimb struct {
	rows  []int32
	value []float64 // (n) at plane
	other []float64 // (n) at trial
	plane lsPlane
	trial lsPlane
	cost  float64 // of plane, with the price of its features
	room  int     // most features
}

// softMargins are the prices of weight within the margin, in units of weight,
// that a climb goes through before the forbidding one.
var softMargins = []float64{0.3, 2}

// priceSubtrees makes the prices those of the subtrees below.
func (s *lsPlaneSearch) priceSubtrees(rows []int32, left, right int32) {
	s.line.resize(len(rows))
	for q, i := range rows {
		s.line.left[q], s.line.right[q] = s.cost(left, i), s.cost(right, i)
	}
}

// priceLabels makes the prices those of two leaves.
func (s *lsPlaneSearch) priceLabels(rows []int32, left, right int32) {
	s.line.resize(len(rows))
	for q, i := range rows {
		s.line.left[q], s.line.right[q] = s.w[i], s.w[i]
		switch s.y[i] {
		case left:
			s.line.left[q] = 0
		case right:
			s.line.right[q] = 0
		}
	}
}

// priceMargin sets the price within the margin.
func (s *lsPlaneSearch) priceMargin(rows []int32, margin float64) {
	l := &s.line
	for q, i := range rows {
		l.within[q] = max(l.left[q], l.right[q]) + margin*s.w[i]
	}
}

// evaluate sets the values of rows at p and returns its cost.
func (s *lsPlaneSearch) evaluate(p *lsPlane, value []float64) float64 {
	cost := s.price * float64(p.features())
	for q, i := range s.climb.rows {
		value[q] = s.value(p, i)
		cost += s.line.price(q, value[q])
	}
	return cost
}

func (s *lsPlaneSearch) startClimb(rows []int32, room int) {
	c := &s.climb
	c.rows, c.room = rows, room
	c.value = slices.Grow(c.value[:0], len(rows))[:len(rows)]
	c.other = slices.Grow(c.other[:0], len(rows))[:len(rows)]
}

// reach makes the plane the best one that is found from it with the prices of
// the rows as they are: first with small prices of the margin, then with the
// forbidding one.
func (s *lsPlaneSearch) reach(tries int) {
	c := &s.climb
	for _, m := range softMargins {
		s.priceMargin(c.rows, m)
		s.moves(tries / 2)
	}
	s.priceMargin(c.rows, s.forbidden)
	s.moves(tries)
}

// moves tries that many lines from the plane.
func (s *lsPlaneSearch) moves(tries int) {
	c := &s.climb
	c.cost = s.evaluate(&c.plane, c.value)
	s.threshold()
	for range tries {
		if s.budget.over() {
			return
		}
		jx := s.rng.IntN(len(s.active))
		if s.rng.IntN(8) == 0 {
			s.threshold()
			continue
		}
		rest := 1 - math.Abs(c.plane.a[jx])
		if rest < 1e-9 {
			continue
		}
		i, k := c.rows[s.rng.IntN(len(c.rows))], c.rows[s.rng.IntN(len(c.rows))]
		pivot := (s.column[jx][i] + s.column[jx][k]) / 2
		s.toward(jx, pivot, rest, 1)
		s.toward(jx, pivot, 1-math.Abs(c.plane.a[jx]), -1)
	}
}

// threshold moves b alone.
func (s *lsPlaneSearch) threshold() {
	c := &s.climb
	for q, v := range c.value {
		s.line.from[q], s.line.to[q] = v-1, v+1
	}
	_, _, best := s.search()
	if math.IsInf(best.cost, 1) {
		return
	}
	c.trial.set(&c.plane)
	c.trial.b += 1 - 2*best.t
	s.take()
}

// toward searches the line from the plane without feature jx, which turns about
// the pivot, to the plane sign * (x_jx - pivot). The plane itself is on it for
// one of the signs.
func (s *lsPlaneSearch) toward(jx int, pivot, rest, sign float64) {
	if rest < 1e-9 {
		return
	}
	c, column := &s.climb, s.column[jx]
	a := c.plane.a[jx]
	for q, i := range c.rows {
		x := column[i] - pivot
		s.line.from[q] = (c.value[q] - a*x) / rest
		s.line.to[q] = sign * x
	}
	first, last, best := s.search()
	n := c.plane.features()
	with, without := n, n-1
	if a == 0 {
		with, without = n+1, n
	}
	t, cost := 0.0, first+s.price*float64(without)
	if with <= c.room && best.cost+s.price*float64(with) < cost-s.tolerance {
		t, cost = best.t, best.cost+s.price*float64(with)
	}
	if last+s.price < cost-s.tolerance {
		t, cost = 1, last+s.price
	}
	if cost > c.cost+s.tolerance || a == 0 && t == 0 {
		return
	}
	c.trial.set(&c.plane)
	for k := range c.trial.a {
		c.trial.a[k] *= (1 - t) / rest
	}
	c.trial.a[jx] = sign * t
	c.trial.b = (1-t)*(c.plane.b-a*pivot)/rest + t*sign*pivot
	s.take()
}

// search is planeLine.search, counted.
func (s *lsPlaneSearch) search() (first, last float64, best linePoint) {
	s.budget.spend(8 * len(s.climb.rows))
	return s.line.search()
}

// take makes the trial the plane where it is no worse, and of equals now and
// then.
func (s *lsPlaneSearch) take() {
	c := &s.climb
	cost := s.evaluate(&c.trial, c.other)
	if cost < c.cost-s.tolerance || cost <= c.cost+s.tolerance && s.rng.IntN(2) == 0 {
		c.plane, c.trial = c.trial, c.plane
		c.value, c.other = c.other, c.value
		c.cost = cost
	}
}

// univariate makes the plane the best univariate one for the lowest price of the
// margin, on about the given share of the features.
func (s *lsPlaneSearch) univariate(share float64) {
	c := &s.climb
	s.priceMargin(c.rows, softMargins[0])
	best, at, sign, b := math.Inf(1), s.rng.IntN(len(s.column)), 1.0, 0.0
	for jx, column := range s.column {
		if share < 1 && s.rng.Float64() > share && jx != at {
			continue
		}
		for _, g := range [2]float64{1, -1} {
			for q, i := range c.rows { // sign*x - b for b from 1.1 to -1.1
				v := g * column[i]
				s.line.from[q], s.line.to[q] = v-1.1, v+1.1
			}
			if _, _, p := s.search(); p.cost < best-s.tolerance {
				best, at, sign, b = p.cost, jx, g, 1.1-2.2*p.t
			}
		}
	}
	c.plane.a = slices.Grow(c.plane.a[:0], len(s.active))[:len(s.active)]
	clear(c.plane.a)
	c.plane.a[at], c.plane.b = sign, b
}

// climbs is the number of climbs per node and pricing of the rows: many short
// ones find more than few long ones, which end in a local minimum all the same.
const climbs = 4

// planeChange is what becomes of a node.
type planeChange struct {
	loss  float64
	kind  lsKind
	plane lsPlane
}

// improveNode re-optimises node i given the subtrees below it, or with two new
// leaves, or replaces it, and says whether its subtree became better.
func (s *lsPlaneSearch) improveNode(i int32, depth int, rows []int32) bool {
	n := s.nodes[i]
	before := s.lossAt(i, rows)
	best := planeChange{loss: before - s.tolerance}
	better := func(loss float64, kind lsKind) bool {
		if loss < best.loss {
			best.loss, best.kind = loss, kind
			return true
		}
		return false
	}
	found := better(s.leafLoss(rows), toLeaf)
	aboveLeaves := n.leaf() || s.nodes[n.left].leaf() && s.nodes[n.right].leaf()
	if !n.leaf() {
		found = better(s.lossAt(n.left, rows), toLeft) || found
		found = better(s.lossAt(n.right, rows), toRight) || found
	}
	s.startClimb(rows, s.room(i))
	tries := 20 + 4*len(s.active)
	// climb goes from the plane there is and from univariate ones, with the given
	// price of all below.
	climb := func(kind lsKind, below float64) {
		for start := range climbs {
			switch {
			case start > 0 || n.leaf():
				s.univariate(1 / float64(max(1, start)))
			default:
				s.climb.plane.set(&n.plane)
			}
			s.reach(tries)
			if better(s.climb.cost+below, kind) {
				best.plane.set(&s.climb.plane)
				found = true
			}
		}
	}
	switch {
	case s.climb.room < 1:
	case !aboveLeaves:
		s.priceSubtrees(rows, n.left, n.right)
		climb(toSplit, s.price*float64(s.complexity(n.left)+s.complexity(n.right)))
	case depth < s.opts.Depth:
		for _, pair := range s.labelPairs(rows) {
			s.priceLabels(rows, pair[0], pair[1])
			climb(toStump, 0)
		}
	}
	return found && s.change(i, best, rows, before)
}

func (s *lsPlaneSearch) leafLoss(rows []int32) float64 {
	class, weight := s.majority(rows)
	for _, i := range rows {
		if s.y[i] == class {
			weight -= s.w[i]
		}
	}
	return weight
}

// labelPairs lists the pairs of classes that two leaves may answer: all of the
// three heaviest.
func (s *lsPlaneSearch) labelPairs(rows []int32) [][2]int32 {
	total := make([]float64, s.k)
	for _, i := range rows {
		total[s.y[i]] += s.w[i]
	}
	classes := make([]int32, s.k)
	for c := range classes {
		classes[c] = int32(c)
	}
	slices.SortStableFunc(classes, func(a, b int32) int {
		switch {
		case total[a] > total[b]:
			return -1
		case total[a] < total[b]:
			return 1
		}
		return 0
	})
	var pairs [][2]int32
	for a := range min(3, len(classes)) {
		for b := range a {
			if total[classes[a]] > 0 {
				pairs = append(pairs, [2]int32{classes[b], classes[a]})
			}
		}
	}
	return pairs
}

// change applies c to node i and says whether its subtree became better; where
// it did not, or a leaf became too light, all is as it was.
func (s *lsPlaneSearch) change(i int32, c planeChange, rows []int32, before float64) bool {
	s.undo = append(s.undo[:0], s.nodes...)
	n := s.nodes[i]
	switch c.kind {
	case toLeaf:
		n = planeNode{}
	case toLeft:
		n = s.nodes[n.left]
	case toRight:
		n = s.nodes[n.right]
	default:
		n.plane = lsPlane{slices.Clone(c.plane.a), c.plane.b}
		if c.kind == toStump {
			n.left, n.right = int32(len(s.nodes)), int32(len(s.nodes)+1)
			s.nodes = append(s.nodes, planeNode{}, planeNode{})
		}
	}
	s.nodes[i] = n
	least := s.tidy(i, rows)
	after := s.lossAt(i, rows)
	if after >= before-s.tolerance || least < s.floor && s.minLeaf {
		s.nodes = append(s.nodes[:0], s.undo...)
		return false
	}
	s.loss += after - before
	s.budget.stats.Moves++
	return true
}
