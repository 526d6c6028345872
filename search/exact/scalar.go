package exact

import "math"

// scalar finds best stumps one by one in float64: for weights that do not fit the lanes, for
// machines without lanes, and for minimum leaf weights, which the lanes ignore.
type scalar struct {
	p             *problem
	inLeft        []bool       // (n)
	part          [2][]float64 // (K) weights per class of either side
	rows          [2]int
	before, after prefix // scratch

	// for two classes: weights, negative in class 0, of all rows and of those on the left side
	whole, left []float64 // (n)
}

func newScalar(p *problem) *scalar {
	s := newApart[scalar]()
	s.p, s.inLeft = p, make([]bool, p.n)
	for i := range 2 {
		s.part[i] = apart[float64](p.k)
		s.before.class[i], s.after.class[i] = apart[float64](p.k), apart[float64](p.k)
	}
	return s
}

// stump is a split and its errors; +Inf if there is none.
type stump struct {
	errors  float64
	feature int32
	pos     int32 // the cut, in the places of the node

	left, right float64 // errors of both leaves
}

// sides returns the best stumps of the two sides of a cut of nd, with at least minLeaf on each side
// of each stump.
func (s *scalar) sides(nd *pairNode, f int, pos int32, minLeaf float64) (left, right stump) {
	s.mark(nd, f, pos)
	best := [2]stump{{errors: math.Inf(1)}, {errors: math.Inf(1)}}
	for g := range s.p.p {
		if !nd.constant(g) {
			s.sweep(nd, g, minLeaf, &best)
		}
	}
	return best[0], best[1]
}

// exact returns the values of the two sides of a cut of nd.
func (s *scalar) exact(nd *pairNode, f int, pos int32) (left, right side) {
	if s.p.k == 2 {
		return s.exact2(nd, f, pos)
	}
	l, r := s.sides(nd, f, pos, 0)
	return sideOf(s.part[0], l.errors), sideOf(s.part[1], r.errors)
}

// sideOf returns a side with these weights per class and its best stump.
func sideOf(class []float64, stump float64) side {
	leaf := errorsOf(class)
	return side{leaf: leaf, stump: min(leaf, stump)}
}

// best returns the best stump for all of nd.
func (s *scalar) best(nd *pairNode, minLeaf float64) stump {
	left, _ := s.sides(nd, 0, nd.count[0], minLeaf)
	return left
}

// mark records the side of each row of nd and sums up both sides.
func (s *scalar) mark(nd *pairNode, f int, pos int32) {
	mode := nd.mode[f]
	if mode >= 0 {
		for _, r := range nd.rows[:nd.n] {
			s.inLeft[r] = mode < pos
		}
	}
	for i, e := range nd.order(f) {
		if int32(i) != mode {
			s.inLeft[e.row()] = int32(i) < pos
		}
	}
	for side := range 2 {
		clear(s.part[side])
		s.rows[side] = 0
	}
	for _, r := range nd.rows[:nd.n] {
		side := s.side(int32(r))
		s.part[side][s.p.class[r]] += s.p.weight[r]
		s.rows[side]++
	}
}

func (s *scalar) side(r int32) int {
	if s.inLeft[r] {
		return 0
	}
	return 1
}

// prefix sums the rows before a cut, per side.
type prefix struct {
	class  [2][]float64 // (K)
	weight [2]float64
	rows   [2]int
}

func (x *prefix) clear() {
	for side := range 2 {
		clear(x.class[side])
		x.weight[side], x.rows[side] = 0, 0
	}
}

// add adds a row.
func (s *scalar) add(x *prefix, r int32) {
	side, w := s.side(r), s.p.weight[r]
	x.class[side][s.p.class[r]] += w
	x.weight[side] += w
	x.rows[side]++
}

func (s *scalar) sweep(nd *pairNode, g int, minLeaf float64, best *[2]stump) {
	seq, mode := nd.order(g), int(nd.mode[g])
	x := &s.before
	x.clear()
	for i, e := range seq[:len(seq)-1] {
		if i == mode {
			s.passMode(x, seq[mode+1:])
		} else {
			s.add(x, e.row())
		}
		if e.last() {
			s.compare(x, g, i+1, minLeaf, best)
		}
	}
}

// passMode adds the rows of the mode to x: all rows except those in x and in tail.
func (s *scalar) passMode(x *prefix, tail []entry) {
	y := &s.after
	y.clear()
	for _, e := range tail {
		s.add(y, e.row())
	}
	for side := range 2 {
		x.weight[side] = 0
		x.rows[side] = s.rows[side] - y.rows[side]
		for c, w := range s.part[side] {
			x.class[side][c] = w - y.class[side][c]
			x.weight[side] += x.class[side][c]
		}
	}
}

// compare keeps the cut at pos of feature g if it is better.
func (s *scalar) compare(x *prefix, g, pos int, minLeaf float64, best *[2]stump) {
	for side := range 2 {
		if x.rows[side] == 0 || x.rows[side] == s.rows[side] || x.weight[side] < minLeaf {
			continue
		}
		most, mostRest, rest := 0.0, 0.0, 0.0
		for c, a := range x.class[side] {
			b := s.part[side][c] - a
			most, mostRest = max(most, a), max(mostRest, b)
			rest += b
		}
		if rest < minLeaf {
			continue
		}
		if l, r := x.weight[side]-most, rest-mostRest; l+r < best[side].errors {
			best[side] = stump{l + r, int32(g), int32(pos), l, r}
		}
	}
}

// exact2 is exact for two classes: the method of the lanes, with one lane, in float64.
func (s *scalar) exact2(nd *pairNode, f int, pos int32) (left, right side) {
	s.mark(nd, f, pos)
	if s.whole == nil {
		s.whole, s.left = make([]float64, s.p.n), make([]float64, s.p.n)
		for i, w := range s.p.weight {
			s.whole[i] = w * float64(2*s.p.class[i]-1)
		}
	}
	for _, r := range nd.rows[:nd.n] {
		s.left[r] = 0
		if s.inLeft[r] {
			s.left[r] = s.whole[r]
		}
	}
	x := balances{}
	l, r := s.part[0], s.part[1]
	for g := range s.p.p {
		seq := nd.order(g)
		if len(seq) <= 1 {
			continue
		}
		low, high := split(seq, nd.mode[g])
		s.forward(&x, seq[:low])
		s.backward(&x, seq[high:], l[1]-l[0], r[1]-r[0])
	}
	return sideOf(l, min(l[0]+x.leftMin, l[1]-x.leftMax)), sideOf(r, min(r[0]+x.rightMin, r[1]-x.rightMax))
}

// balances are the extremes of the balances of both sides.
type balances struct{ leftMin, leftMax, rightMin, rightMax float64 }

func (x *balances) boundary(left, right float64) {
	x.leftMin, x.leftMax = min(x.leftMin, left), max(x.leftMax, left)
	x.rightMin, x.rightMax = min(x.rightMin, right), max(x.rightMax, right)
}

// forward adds rows from the first on.
func (s *scalar) forward(x *balances, seq []entry) {
	whole, left := 0.0, 0.0
	for _, e := range seq {
		r := e.row()
		whole += s.whole[r]
		left += s.left[r]
		if e.last() {
			x.boundary(left, whole-left)
		}
	}
}

// backward subtracts rows from the sums of both sides, from the last one back.
func (s *scalar) backward(x *balances, seq []entry, left, right float64) {
	whole := left + right
	for i := len(seq) - 1; i >= 0; i-- {
		r := seq[i].row()
		whole -= s.whole[r]
		left -= s.left[r]
		if i == 0 || seq[i-1].last() {
			x.boundary(left, whole-left)
		}
	}
}

// side holds the values of one side of a cut; with rounded weights they are bounds.
type side struct {
	leaf  float64 // error of a single leaf
	stump float64 // minimum error of a stump, ignoring the minimum leaf weight; at most leaf
}

// sideValue returns f0 of a side with a budget of splits.
func sideValue(s side, budget int32, lambda float64) float64 {
	if budget == 0 {
		return s.leaf
	}
	return min(s.leaf, s.stump+lambda)
}

// costSweep finds best stumps under prediction costs, one cut of the root after the other, with or
// without the minimum leaf weight.
type costSweep struct {
	p      *problem
	inLeft []uint8   // (n) 0 if the cut sends the row left, 1 if right
	part   [2]amount // of both sides of the cut
	before [2]amount // of the stump's left side
	after  [2]amount // scratch
}

// amount sums the costs of rows and the weights that leaves count.
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

// add adds a row.
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

// best returns the best stump for all of nd.
func (s *costSweep) best(nd *pairNode, minLeaf float64) stump {
	left, _ := s.sides(nd, 0, nd.count[0], minLeaf)
	return left
}

// parts returns the values of both sides of the cut for which sides last found stumps, ignoring the
// minimum leaf weight.
func (s *costSweep) parts(left, right stump) (parts [2]side) {
	for at, st := range [2]stump{left, right} {
		leaf := minOf(s.part[at].costs)
		parts[at] = side{leaf, min(leaf, st.errors)}
	}
	return parts
}

// leftWeight returns the weight of the left side of that cut.
func (s *costSweep) leftWeight() float64 { return s.part[0].weight }

// exact returns the values of the sides of a cut under the minimum leaf weight.
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

// sides returns the best stumps of the two sides of a cut of nd, with at least minLeaf on each side
// of each stump.
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

// mark records the side of each row of nd and sums up both sides.
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

// passMode adds the rows of the mode: all rows except those before it and in tail.
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

// compare keeps the cut at pos of feature g if it is better.
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
