package localsearch

import "math"

// change is the best change of a node, given the rows that reach it.
type change struct {
	loss    float64 // error weight and penalty for splits
	splits  int
	kind    changeKind
	feature int32
	pos     int // the threshold follows this position
}

// sides re-optimises two nodes, the children of a split, at once. A node is free if it is a leaf or
// its split is above two leaves; it is fixed if its split is above existing subtrees.
type sides struct {
	d         *data
	rows      *rowSet
	price     float64 // penalty per split, in weight
	tolerance float64
	floor     float64 // minimum weight of a leaf
	minLeaf   bool    // floor may bind

	fixed  [2]bool
	splits [2][2]int   // fixed: splits of the subtrees
	wrong  [2][]uint8  // fixed: (n) bit 0: the left subtree misclassifies the row, bit 1: the right one does
	room   int         // maximum number of splits at and below the two nodes; -1: any number
	may    [2]bool     // the node may split
	side   []int32     // (n)
	v      []twoSides  // (n)
	c      []classed   // (n)
	total  []float64   // (2K) weight per side and class
	left   []float64   // (2K) scratch
	weight twoSides    // per side
	lead   twoSides    // of class 0 over class 1
	errs   [2]twoSides // fixed: error weight per side if all rows go to the left, right subtree

	best, free [2]change // of the last call of optimise; free: without a new split
}

func (s *sides) setUp(rows *rowSet) {
	s.rows = rows
	n := rows.n
	if cap(s.side) < n {
		s.side, s.v, s.c = make([]int32, n), make([]twoSides, n), make([]classed, n)
	}
	s.side, s.v, s.c = s.side[:n], s.v[:n], s.c[:n]
	s.fixed, s.may, s.room = [2]bool{}, [2]bool{true, true}, -1
}

// byClass reports whether free nodes need sums per class.
func (s *sides) byClass() bool { return s.d.k > 2 || s.minLeaf }

// reset moves all rows to the given side.
func (s *sides) reset(side int32) {
	clear(s.total)
	s.weight, s.lead, s.errs = twoSides{}, twoSides{}, [2]twoSides{}
	for i := range s.side {
		s.add(int32(i), side, 1)
		s.place(int32(i), side)
	}
}

// move moves row i to the given side from the other.
func (s *sides) move(i, side int32) {
	s.add(i, 1-side, -1)
	s.add(i, side, 1)
	s.place(i, side)
}

// place sets what the sweeps read about row i.
func (s *sides) place(i, side int32) {
	s.side[i] = side
	s.v[i][1-side] = 0
	s.v[i][side] = s.value(i, side)
	s.c[i] = classed{s.rows.w[i], side*int32(s.d.k) + s.rows.y[i], side}
}

// value returns the addend of row i to the sums of its side.
func (s *sides) value(i, side int32) float64 {
	w := s.rows.w[i]
	if s.fixed[side] {
		switch s.wrong[side][i] {
		case 1: // the left subtree misclassifies it
			return -w
		case 2:
			return w
		}
		return 0
	}
	if s.rows.y[i] == 0 {
		return w
	}
	return -w
}

// add counts row i on a side, with the given sign.
func (s *sides) add(i, side int32, sign float64) {
	w := sign * s.rows.w[i]
	s.weight[side] += w
	s.total[int(side)*s.d.k+int(s.rows.y[i])] += w
	if s.fixed[side] {
		e := s.wrong[side][i]
		s.errs[side][0] += w * float64(e&1)
		s.errs[side][1] += w * float64(e>>1)
		return
	}
	if s.rows.y[i] == 0 {
		s.lead[side] += w
	} else {
		s.lead[side] -= w
	}
}

// optimise finds the best change of each of the two nodes.
func (s *sides) optimise() {
	for side := range s.best {
		s.best[side] = s.unsplit(side)
	}
	s.free = s.best
	if s.may[0] && !s.fixed[0] || s.may[1] && !s.fixed[1] {
		if s.byClass() {
			s.stumpsByClass()
		} else {
			s.stumpsByLead()
		}
	}
	if s.fixed[0] || s.fixed[1] {
		s.splitsAbove()
	}
}

// work returns the work of a call of optimise.
func (s *sides) work() int { return s.rows.n * (len(s.rows.features) + 1) }

// unsplit returns the best change of a node that makes no new split.
func (s *sides) unsplit(side int) change {
	if !s.fixed[side] {
		most := 0.0
		for _, w := range s.total[side*s.d.k : (side+1)*s.d.k] {
			most = max(most, w)
		}
		if s.minLeaf && s.weight[side] < s.floor {
			return change{loss: math.Inf(1)}
		}
		return change{loss: s.weight[side] - most}
	}
	l := change{loss: s.errs[side][0] + s.price*float64(s.splits[side][0]), splits: s.splits[side][0], kind: toLeft}
	r := change{loss: s.errs[side][1] + s.price*float64(s.splits[side][1]), splits: s.splits[side][1], kind: toRight}
	if r.loss < l.loss {
		return r
	}
	return l
}

// open reports whether a free node on this side is worth a sweep.
func (s *sides) open(side int) bool {
	return s.may[side] && !s.fixed[side] && s.best[side].loss > s.price+s.tolerance
}

func (s *sides) stump(side int, loss float64, feature int32, pos int) {
	s.best[side] = change{loss: loss, splits: 1, kind: toStump, feature: feature, pos: pos}
}

func (s *sides) stumpsByLead() {
	best := twoSides{math.Inf(1), math.Inf(1)} // no threshold is accepted
	open := 0
	for side := range best {
		if s.open(side) {
			best[side] = math.Abs(s.lead[side]) + 2*(s.price+s.tolerance)
			open++
		}
	}
	if open == 0 {
		return
	}
	for _, j := range s.rows.features {
		q0, q1 := sweepLeads(s.rows.order(j), s.v, s.lead, &best)
		for side, q := range [2]int{q0, q1} {
			if q < 0 {
				continue
			}
			s.stump(side, (s.weight[side]-best[side])/2+s.price, j, q)
			best[side] += s.tolerance
		}
	}
}

func (s *sides) stumpsByClass() {
	best := twoSides{math.Inf(1), math.Inf(1)}
	open := 0
	for side := range best {
		if s.open(side) {
			most := s.weight[side] - s.best[side].loss
			best[side] = most + s.price + s.tolerance
			open++
		}
	}
	if open == 0 {
		return
	}
	floor := 0.0
	if s.minLeaf {
		floor = s.floor
	}
	for _, j := range s.rows.features {
		q0, q1 := sweepClasses(s.rows.order(j), s.c, s.total, s.left, &s.weight, &best, floor)
		for side, q := range [2]int{q0, q1} {
			if q < 0 {
				continue
			}
			s.stump(side, s.weight[side]-best[side]+s.price, j, q)
			best[side] += s.tolerance
		}
	}
}

// splitsAbove finds the best split above the fixed subtrees. Let errs[1] be the errors if all rows
// go right. A prefix sum h on the left saves h; with the subtrees exchanged, it costs h more than
// errs[0].
func (s *sides) splitsAbove() {
	inf := math.Inf(1)
	high, low := twoSides{inf, inf}, twoSides{-inf, -inf}
	var price twoSides
	for side := range high {
		if !s.fixed[side] || !s.may[side] {
			continue
		}
		below := s.splits[side][0] + s.splits[side][1] + 1
		price[side] = s.price * float64(below)
		limit := s.best[side].loss - price[side] - s.tolerance
		high[side], low[side] = s.errs[side][1]-limit, limit-s.errs[side][0]
	}
	for _, j := range s.rows.features {
		qh, ql := sweepFixed(s.rows.order(j), s.v, &high, &low)
		for side := range qh {
			below := s.splits[side][0] + s.splits[side][1] + 1
			// A candidate in one order must be beaten in the other.
			if qh[side] >= 0 {
				s.accept(side, change{s.errs[side][1] - high[side] + price[side], below, toSplit, j, qh[side]})
			}
			if ql[side] >= 0 {
				s.accept(side, change{s.errs[side][0] + low[side] + price[side], below, toSwapped, j, ql[side]})
			}
		}
	}
}

func (s *sides) accept(side int, c change) {
	if c.loss < s.best[side].loss-s.tolerance {
		s.best[side] = c
	}
}

// together returns the best changes of both nodes within the room for splits, and their total loss.
func (s *sides) together() (loss float64, best [2]change) {
	best = s.best
	if s.room < 0 || best[0].splits+best[1].splits <= s.room {
		return best[0].loss + best[1].loss, best
	}
	loss = math.Inf(1)
	for _, c := range [][2]change{{s.best[0], s.free[1]}, {s.free[0], s.best[1]}, {s.free[0], s.free[1]}} {
		if l := c[0].loss + c[1].loss; c[0].splits+c[1].splits <= s.room && l < loss {
			loss, best = l, c
		}
	}
	return loss, best
}

// twoSides is a row's addend to the running sums of the two sides of a parent's split; it is 0 for
// the side that does not have the row. So one sweep over all rows finds the best split on both
// sides, without a branch per row.
type twoSides [2]float64

// classed is twoSides for the sums per class: slot is side*K + class.
type classed struct {
	weight     float64
	slot, side int32
}

// The sweeps below visit the entries of one feature in order and, where the next value differs, try
// the threshold there on both sides. They return the last position accepted per side, -1 for none.
// They are the innermost loops of the search.

// sweepLeads is for two classes and free labels: l is the lead of class 0 on the left of the
// threshold and all the lead on the whole side. The side misclassifies (W - |l| - |all-l|)/2: best
// is the largest |l| + |all-l| so far.
func sweepLeads(entries []int32, v []twoSides, all twoSides, best *twoSides) (q0, q1 int) {
	q0, q1 = -1, -1
	l0, l1 := 0.0, 0.0
	t0, t1 := all[0], all[1]
	b0, b1 := best[0], best[1]
	for q, e := range entries {
		d := &v[e>>1]
		l0 += d[0]
		l1 += d[1]
		if e&1 == 0 {
			continue
		}
		if s := math.Abs(l0) + math.Abs(t0-l0); s > b0 {
			b0, q0 = s, q
		}
		if s := math.Abs(l1) + math.Abs(t1-l1); s > b1 {
			b1, q1 = s, q
		}
	}
	best[0], best[1] = b0, b1
	return q0, q1
}

// sweepFixed is for fixed subtrees: v is the weight gained if the row goes to the left one. high
// and low are the largest and smallest prefix sums so far.
func sweepFixed(entries []int32, v []twoSides, high, low *twoSides) (qh, ql [2]int) {
	qh, ql = [2]int{-1, -1}, [2]int{-1, -1}
	l0, l1 := 0.0, 0.0
	h0, h1, m0, m1 := high[0], high[1], low[0], low[1]
	for q, e := range entries {
		d := &v[e>>1]
		l0 += d[0]
		l1 += d[1]
		if e&1 == 0 {
			continue
		}
		if l0 > h0 {
			h0, qh[0] = l0, q
		}
		if l0 < m0 {
			m0, ql[0] = l0, q
		}
		if l1 > h1 {
			h1, qh[1] = l1, q
		}
		if l1 < m1 {
			m1, ql[1] = l1, q
		}
	}
	high[0], high[1], low[0], low[1] = h0, h1, m0, m1
	return qh, ql
}

// sweepClasses is for any number of classes and free labels, with a minimum weight of both parts of
// a side. total is the weight per side and class, left scratch of that size. The correct weight of
// a side is that of the largest class on the left plus that on the right; best is the largest such
// sum so far. For the right part, it keeps an upper bound on the largest class, which only falls;
// the bound is renewed only when it would make the threshold the best.
func sweepClasses(entries []int32, v []classed, total, left []float64, weight, best *twoSides, floor float64) (q0, q1 int) {
	at := [2]int{-1, -1}
	clear(left)
	k := len(total) / 2
	var most, bound, sum twoSides
	for side := range bound {
		for _, w := range total[side*k : (side+1)*k] {
			bound[side] = max(bound[side], w)
		}
	}
	for q, e := range entries {
		d := &v[e>>1]
		l := left[d.slot] + d.weight
		left[d.slot] = l
		sum[d.side&1] += d.weight
		most[d.side&1] = max(most[d.side&1], l) // the left part only grows
		if e&1 == 0 {
			continue
		}
		for side := range most {
			if most[side]+bound[side] <= best[side] || sum[side] < floor || weight[side]-sum[side] < floor {
				continue
			}
			r := 0.0
			for c := side * k; c < (side+1)*k; c++ {
				r = max(r, total[c]-left[c])
			}
			bound[side] = r
			if most[side]+r > best[side] {
				best[side], at[side] = most[side]+r, q
			}
		}
	}
	return at[0], at[1]
}

// deficit is a sweep over fixed subtrees under a minimum leaf weight: it tracks the weight of every
// leaf below and the number of leaves that are too light but not empty.
type deficit struct {
	leftLeaf, rightLeaf []int32   // (n) slot of the leaf that the row reaches in each subtree
	start               []float64 // weight per slot if all rows go right
	weight              []float64
	floor               float64
}

func (d *deficit) light(w float64) int {
	if w > 0 && w < d.floor {
		return 1
	}
	return 0
}

// sweep returns the position of the largest prefix sum of gain above best at which no leaf is too
// light, and the sum.
func (d *deficit) sweep(entries []int32, gain, w []float64, best float64) (int, float64) {
	copy(d.weight, d.start)
	light, sum, at := 0, 0.0, -1
	for _, v := range d.weight {
		light += d.light(v)
	}
	move := func(slot int32, by float64) {
		light -= d.light(d.weight[slot])
		d.weight[slot] += by
		if math.Abs(d.weight[slot]) < 1e-12*math.Abs(by) {
			d.weight[slot] = 0 // clear the rounding error
		}
		light += d.light(d.weight[slot])
	}
	for q, e := range entries {
		i := e >> 1
		sum += gain[i]
		move(d.rightLeaf[i], -w[i])
		move(d.leftLeaf[i], w[i])
		if e&1 == 1 && light == 0 && sum > best {
			best, at = sum, q
		}
	}
	return at, best
}
