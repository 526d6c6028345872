package sparse

import "slices"

// expand searches the cuts of a node until none of them can be the root of a tree within the budget
// that is better than the best one known.
func (s *search) expand(e *expansion) {
	f := e.frame
	for i := range f.cuts {
		s.bound(e, i)
	}
	for !s.stopped {
		below := min(e.ub, e.budget+1) // a cut is closed if no tree with it has a value below
		i := s.choose(f, below)
		if i < 0 {
			break
		}
		s.try(e, i, below)
		if e.d == 0 && s.report != nil {
			s.report(e.least(), e.ub)
		}
		if e.lb > e.budget {
			return
		}
	}
	e.lb = max(e.lb, e.least())
}

// least is the least bound of the cuts and the leaf: no tree has a smaller value.
func (e *expansion) least() int64 {
	v := min(e.ub, e.leaf)
	for i := range e.frame.cuts {
		c := &e.frame.cuts[i]
		v = min(v, c.lb[0]+c.lb[1])
	}
	return max(e.lb, v)
}

// bound sets the bounds of a cut that follow from the node.
func (s *search) bound(e *expansion, i int) {
	c := &e.frame.cuts[i]
	c.impurity = s.impurityOf(e.frame.lefts[i*s.width:(i+1)*s.width], e.nd.cells)
	for side, errors := range c.errors {
		c.done[side] = errors <= s.lambda
		c.lb[side] = s.lambda + min(errors, s.lambda)
	}
	if s.spread && !s.rules.NoTwo {
		c.two[0] = max(0, e.two-(s.total(e.nd.cells)-c.moved))
		c.two[1] = max(0, e.two-c.moved)
		s.raise(c)
	}
}

// raise applies the bounds on trees with at most two leaves: others cost 3 lambda or more.
func (s *search) raise(c *cut) {
	for side := range 2 {
		if !c.done[side] {
			c.lb[side] = max(c.lb[side], min(s.lambda+c.errors[side], c.two[side], 3*s.lambda))
		}
	}
}

func (c *cut) open(below int64) bool {
	return c.lb[0]+c.lb[1] < below && !(c.done[0] && c.done[1])
}

// choose returns the cut to search: of the open ones with the least bound the one of least impurity;
// of a run of cuts of a feature with no larger bounds around it the middle one, since its sides
// bound those of all others. It returns -1 if no cut is open.
func (s *search) choose(f *frame, below int64) int {
	best, least, impurity := -1, int64(infinite), float32(0)
	for i := range f.cuts {
		c := &f.cuts[i]
		if v := c.lb[0] + c.lb[1]; v < below && (v < least || v == least && c.impurity < impurity) && !(c.done[0] && c.done[1]) {
			best, least, impurity = i, v, c.impurity
		}
	}
	if best < 0 || !s.spread {
		return best
	}
	first, end := f.from[f.cuts[best].feature], f.from[f.cuts[best].feature+1]
	run := func(i int) bool { c := &f.cuts[i]; return c.open(below) && c.lb[0]+c.lb[1] <= least }
	a, b := best, best
	for a > int(first) && run(a-1) {
		a--
	}
	for b+1 < int(end) && run(b+1) {
		b++
	}
	return (a + b) / 2
}

// try searches both sides of a cut until it is closed or its value is known.
func (s *search) try(e *expansion, i int, below int64) {
	s.stats.Cuts++
	f := e.frame
	side := [2]node{}
	side[0], side[1] = s.split(e.nd, i, e.d)
	c := f.cuts[i]
	ub := [2]int64{infinite, infinite}
	for x := range side {
		ub[x] = s.lambda + c.errors[x]
		if known := s.memo.find(side[x].key); known != nil {
			c.learn(x, known.lb, known.ub)
			ub[x] = known.ub
		}
	}
	for c.open(below) && !s.stopped {
		x := 0
		if c.done[0] || !c.done[1] && (c.lb[1] < c.lb[0] || c.lb[1] == c.lb[0] && len(side[1].rows) < len(side[0].rows)) {
			x = 1
		}
		budget := below - 1 - c.lb[1-x]
		if !c.done[1-x] && !s.rules.NoStep { // in turns, since the other side may close the cut sooner
			budget = min(budget, c.lb[x]+s.lambda-1)
		}
		lb, value := s.solve(&side[x], &side[1-x], budget, e.d+1)
		c.learn(x, lb, value)
		ub[x] = min(ub[x], value)
	}
	e.offer(ub[0]+ub[1], c.bin)
	if s.spread && !s.rules.NoTwo {
		for x := range side {
			if known := s.memo.find(side[x].key); known != nil {
				c.two[x] = max(c.two[x], known.two)
			}
		}
	}
	f.cuts[i] = c
	if s.spread {
		s.spreadFrom(f, i)
		e.lb = max(e.lb, c.lb[0], c.lb[1])
	}
}

// learn takes a proved bound and the value of a tree for a side.
func (c *cut) learn(side int, lb, ub int64) {
	c.lb[side] = max(c.lb[side], lb)
	if lb >= ub {
		c.done[side], c.lb[side] = true, lb
	}
}

// spreadFrom has the sides of a cut bound those of the other cuts of its feature.
func (s *search) spreadFrom(f *frame, i int) {
	from := f.cuts[i]
	first, end := int(f.from[from.feature]), int(f.from[from.feature+1])
	for k := first; k < end; k++ {
		c := &f.cuts[k]
		larger, smaller := 0, 1 // the sides of c that have more rows than those of from, and fewer
		moved := c.moved - from.moved
		if k < i {
			larger, smaller, moved = 1, 0, -moved
		}
		if k == i {
			continue
		}
		if !s.rules.NoTwo {
			c.two[larger] = max(c.two[larger], from.two[larger])
			c.two[smaller] = max(c.two[smaller], from.two[smaller]-moved)
			s.raise(c)
		}
		c.lb[larger] = max(c.lb[larger], from.lb[larger])
		c.lb[smaller] = max(c.lb[smaller], from.lb[smaller]-moved)
	}
}

// segment finds the best tree if only one feature has valid cuts: its leaves are intervals of the
// feature. With N_k(i) the cost of predicting class k for the rows up to cut i, the least value D(i)
// of these rows in leaves that end there is
//
//	D(i) = min over k of N_k(i) + lambda + min over j < i of D(j) - N_k(j),
//
// where the rows between the cuts j and i weigh at least N_min. The last minimum grows with i.
func (e *expansion) segment() (lb, ub int64) {
	s, f := e.search, e.frame
	n, k := len(f.cuts), s.p.k
	cells := func(i int) []int64 { // of the rows up to cut i, from 1
		switch i {
		case 0:
			return s.zero
		case n + 1:
			return e.nd.cells
		}
		return f.lefts[(i-1)*s.width : i*s.width]
	}
	s.spend(n * k)
	best, previous := make([]int64, n+2), make([]int, n+2)
	from, least := make([]int, k), slices.Repeat([]int64{infinite}, k)
	next := 0
	for i := 1; i <= n+1; i++ {
		for ; next < i && s.heavy(cells(next), cells(i)); next++ {
			for c := range k {
				if v := best[next] - s.costOf(cells(next), c); v < least[c] {
					least[c], from[c] = v, next
				}
			}
		}
		best[i] = infinite
		for c := range k {
			if v := least[c] + s.costOf(cells(i), c) + s.lambda; v < best[i] {
				best[i], previous[i] = v, from[c]
			}
		}
	}
	if v := best[n+1]; v < e.ub { // else it is that of the leaf, of two leaves, or known
		e.offer(v, f.cuts[previous[n+1]-1].bin)
	}
	return e.exactly(best[n+1])
}

// heavy reports whether the rows between two cuts weigh enough for a leaf.
func (s *search) heavy(from, to []int64) bool {
	return s.p.two || to[s.p.k+1]-from[s.p.k+1] >= s.p.least
}

// costOf is the cost of predicting a class for rows with these cells.
func (s *search) costOf(cells []int64, class int) int64 {
	if s.p.two {
		return cells[1-class] << s.p.shift
	}
	return cells[0] - cells[class+1]
}

// greedy makes a tree by the cuts of least impurity, leaf by leaf, and stores it in the table. It
// returns its value.
func (s *search) greedy(nd, sibling *node, d int) int64 {
	leaf := s.lambda + s.errors(nd.cells)
	if leaf <= 2*s.lambda || s.stopped || d >= deepestGreedy {
		return leaf
	}
	features := s.count(nd, sibling, d)
	stump, bin := s.scan(nd, features, d)
	e := expansion{search: s, nd: nd, d: d, leaf: leaf, lb: 2 * s.lambda, ub: leaf, bin: -1, two: leaf, frame: s.frames[d]}
	if len(e.frame.cuts) == 0 {
		return leaf
	}
	e.two = min(leaf, 2*s.lambda+stump)
	e.offer(2*s.lambda+stump, bin)
	best, impurity := -1, float32(0)
	for i := range e.frame.cuts {
		if v := s.impurityOf(e.frame.lefts[i*s.width:(i+1)*s.width], nd.cells); best < 0 || v < impurity {
			best, impurity = i, v
		}
	}
	cutBin := e.frame.cuts[best].bin
	left, right := s.split(nd, best, d)
	value := s.greedy(&left, &right, d+1)
	value += s.greedy(&right, &left, d+1)
	e.offer(value, cutBin)
	_, ub := e.finish()
	return ub
}

// deepestGreedy is the depth at which greedy trees end.
const deepestGreedy = 60
