package localsearch

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/tree"
)

// uniSearch is a search over univariate trees. Losses are in weight: error
// weight + price * splits.
type uniSearch struct {
	*lsData
	opts      *Options
	budget    *lsBudget
	rng       *rand.Rand
	scale     float64 // Lhat
	price     float64 // of a split
	tolerance float64 // what counts as equal
	floor     float64 // least weight of a leaf
	minLeaf   bool    // floor may bind
	known     float64 // no tree's loss is less

	cur, best lsTree
	loss      float64 // of cur
	bestLoss  float64
	swapped   lsTree // scratch

	all, some  lsRows // of the root, and of another node
	sides      lsSides
	pair       pairScan
	light      deficit
	gain       []float64
	everything []int32 // (n) 0..n-1
	scratch    []int32
	visits     []lsVisit
	gini       []tree.Best
}

func newUniSearch(ds *dataset.Dataset, o *Options, b *lsBudget) *uniSearch {
	d := newLSData(ds)
	total := 0.0
	for _, w := range d.w {
		total += w
	}
	s := &uniSearch{
		lsData: d, opts: o, budget: b, rng: rand.New(rand.NewPCG(o.Seed, 0x6c6f63616c)),
		scale: tree.ErrorScale(ds), tolerance: 1e-11 * total,
		floor:   tree.LeastWeight(o.MinLeaf),
		minLeaf: o.MinLeaf > slices.Min(d.w), bestLoss: math.Inf(1),
	}
	s.price = o.Alpha * s.scale
	s.known, _ = ds.UnavoidableErrors()
	s.sides = lsSides{
		d: d, price: s.price, tolerance: s.tolerance, floor: s.floor, minLeaf: s.minLeaf,
		total: make([]float64, 2*d.k), left: make([]float64, 2*d.k),
	}
	s.everything = make([]int32, d.n)
	for i := range s.everything {
		s.everything[i] = int32(i)
	}
	s.all.fill(d, s.everything)
	return s
}

// lsVisit is a node with the way to it.
type lsVisit struct {
	node, parent int32 // parent: index in the list of visits, -1 for the root
	depth        int
}

// visit lists the nodes of cur in preorder.
func (s *uniSearch) visit() []lsVisit {
	s.visits = s.visits[:0]
	var walk func(node, parent int32, depth int)
	walk = func(node, parent int32, depth int) {
		at := int32(len(s.visits))
		s.visits = append(s.visits, lsVisit{node, parent, depth})
		if n := &s.cur.nodes[node]; !n.leaf() {
			walk(n.left, at, depth+1)
			walk(n.right, at, depth+1)
		}
	}
	walk(0, -1, 0)
	return s.visits
}

// rowsAt returns the rows that reach visit v, valid until the next call.
func (s *uniSearch) rowsAt(visits []lsVisit, v int32) []int32 {
	s.scratch = append(s.scratch[:0], s.everything...)
	rows := s.scratch
	var path []int32
	for ; v >= 0; v = visits[v].parent {
		path = append(path, visits[v].node)
	}
	for q := len(path) - 1; q > 0; q-- {
		left := s.cur.route(s.lsData, path[q], rows)
		if s.cur.nodes[path[q]].left == path[q-1] {
			rows = rows[:left]
		} else {
			rows = rows[left:]
		}
	}
	return rows
}

// sorted returns the rows in the order of each feature.
func (s *uniSearch) sorted(rows []int32) *lsRows {
	if len(rows) == s.n {
		return &s.all
	}
	s.some.fill(s.lsData, rows)
	s.budget.stats.Work += int64(s.n * s.p / 4)
	return &s.some
}

// tidy relabels the leaves below node i by the rows that reach it, drops
// vacuous splits, merges sibling leaves of one class, and returns the error
// weight, the splits and the least leaf weight. The rows are reordered.
func (s *uniSearch) tidy(t *lsTree, i int32, rows []int32) (errs float64, splits int, least float64) {
	n := &t.nodes[i]
	if n.leaf() {
		class, weight, most := s.majority(rows)
		n.class = class
		return weight - most, 0, weight
	}
	q := t.route(s.lsData, i, rows)
	if q == 0 || q == len(rows) {
		child := n.right
		if q > 0 || len(rows) == 0 {
			child = n.left
		}
		t.nodes[i] = t.nodes[child]
		return s.tidy(t, i, rows)
	}
	el, sl, ll := s.tidy(t, n.left, rows[:q])
	er, sr, lr := s.tidy(t, n.right, rows[q:])
	l, r := &t.nodes[n.left], &t.nodes[n.right]
	if l.leaf() && r.leaf() && l.class == r.class {
		*n = lsNode{feature: -1, class: l.class}
		return el + er, 0, ll + lr
	}
	return el + er, sl + sr + 1, min(ll, lr)
}

func (s *uniSearch) majority(rows []int32) (class int32, weight, most float64) {
	total := s.sides.left // scratch between sweeps
	clear(total)
	for _, i := range rows {
		total[s.y[i]] += s.w[i]
	}
	for c, w := range total[:s.k] {
		weight += w
		if w > most {
			class, most = int32(c), w
		}
	}
	return class, weight, most
}

// lossAt is the loss of the subtree of node i for the rows that reach it.
func (s *uniSearch) lossAt(i int32, rows []int32) float64 {
	loss := s.price * float64(s.cur.splits(i))
	for _, r := range rows {
		if s.cur.nodes[s.cur.find(s.lsData, i, r)].class != s.y[r] {
			loss += s.w[r]
		}
	}
	return loss
}

// setWrong notes which of the two subtrees err at each of the rows.
func (s *uniSearch) setWrong(side int, rows []int32, left, right int32) {
	sd := &s.sides
	sd.fixed[side] = true
	sd.splits[side] = [2]int{s.cur.splits(left), s.cur.splits(right)}
	sd.wrong[side] = slices.Grow(sd.wrong[side][:0], len(rows))[:len(rows)]
	for q, i := range rows {
		var e uint8
		if s.cur.nodes[s.cur.find(s.lsData, left, i)].class != s.y[i] {
			e = 1
		}
		if s.cur.nodes[s.cur.find(s.lsData, right, i)].class != s.y[i] {
			e |= 2
		}
		sd.wrong[side][q] = e
	}
}

// aboveLeaves says whether node i is a leaf or stands above two.
func (s *uniSearch) aboveLeaves(i int32) bool {
	n := &s.cur.nodes[i]
	return n.leaf() || s.cur.nodes[n.left].leaf() && s.cur.nodes[n.right].leaf()
}

// roomAt is the number of splits that the subtree of node i may have, -1 for any.
func (s *uniSearch) roomAt(i int32) int {
	if s.opts.MaxSplits == 0 {
		return -1
	}
	return s.opts.MaxSplits - s.cur.splits(0) + s.cur.splits(i)
}

// nodeMove re-optimises node i alone and says whether its subtree became
// better.
func (s *uniSearch) nodeMove(i int32, depth int, rows []int32) bool {
	n := &s.cur.nodes[i]
	before := s.lossAt(i, rows)
	sd := &s.sides
	sd.setUp(s.sorted(rows))
	room := s.roomAt(i)
	if !s.aboveLeaves(i) {
		s.setWrong(0, sd.rows.rows, n.left, n.right)
		sd.may[0] = !s.minLeaf
	} else {
		sd.may[0] = depth < s.opts.Depth && room != 0
	}
	sd.reset(0)
	sd.optimise()
	s.budget.spend(sd.work())
	if sd.fixed[0] && s.minLeaf {
		s.heavySplits(i, before)
	}
	if s.minLeaf && (sd.best[0].kind == toLeft || sd.best[0].kind == toRight) && !s.heavyEnough(i, sd.best[0].kind, rows) {
		sd.best[0].loss = math.Inf(1)
	}
	if leaf := s.leafLoss(rows); sd.fixed[0] && leaf <= sd.best[0].loss+s.tolerance {
		sd.best[0] = lsChange{loss: leaf, kind: toLeaf}
	}
	if sd.best[0].loss >= before-s.tolerance {
		return false
	}
	s.become(i, sd.best[0])
	return s.settle(i, rows, before)
}

func (s *uniSearch) leafLoss(rows []int32) float64 {
	_, weight, most := s.majority(rows)
	if s.minLeaf && weight < s.floor {
		return math.Inf(1)
	}
	return weight - most
}

// heavyEnough says whether all leaves of a subtree that takes the place of node
// i stay heavy enough.
func (s *uniSearch) heavyEnough(i int32, kind lsKind, rows []int32) bool {
	child := s.cur.nodes[i].left
	if kind == toRight {
		child = s.cur.nodes[i].right
	}
	s.swapped.nodes = s.swapped.nodes[:0]
	s.swapped.add(&s.cur, child)
	_, _, least := s.tidy(&s.swapped, 0, slices.Clone(rows))
	return least >= s.floor
}

// heavySplits is lsSides.splitsAbove where the least leaf weight may bind.
func (s *uniSearch) heavySplits(i int32, before float64) {
	sd, d, n := &s.sides, &s.light, s.cur.nodes[i]
	below := sd.splits[0][0] + sd.splits[0][1] + 1
	price := s.price * float64(below)
	for _, kind := range []lsKind{toSplit, toSwapped} {
		left, right, base := n.left, n.right, sd.errs[0][1]
		if kind == toSwapped {
			left, right, base = n.right, n.left, sd.errs[0][0]
		}
		s.setLeaves(left, right)
		s.gain = s.gain[:0]
		for q := range sd.v {
			g := sd.v[q][0]
			if kind == toSwapped {
				g = -g
			}
			s.gain = append(s.gain, g)
		}
		best := base + price - min(before, sd.best[0].loss) + s.tolerance
		for _, j := range sd.rows.features {
			if q, sum := d.sweep(sd.rows.order(j), s.gain, sd.rows.w, best); q >= 0 {
				sd.accept(0, lsChange{base - sum + price, below, kind, j, q})
				best = sum + s.tolerance
			}
		}
		s.budget.spend(2 * sd.work())
	}
}

// setLeaves notes the leaf that each row reaches in both subtrees.
func (s *uniSearch) setLeaves(left, right int32) {
	d, rows := &s.light, &s.sides.rows
	d.floor = s.floor
	d.leftLeaf, d.rightLeaf = d.leftLeaf[:0], d.rightLeaf[:0]
	d.start = slices.Grow(d.start[:0], len(s.cur.nodes))[:len(s.cur.nodes)]
	d.weight = slices.Grow(d.weight[:0], len(s.cur.nodes))[:len(s.cur.nodes)]
	clear(d.start)
	for q, r := range (*rows).rows {
		d.leftLeaf = append(d.leftLeaf, s.cur.find(s.lsData, left, r))
		d.rightLeaf = append(d.rightLeaf, s.cur.find(s.lsData, right, r))
		d.start[d.rightLeaf[q]] += (*rows).w[q]
	}
}

// become applies a change found by lsSides to node i.
func (s *uniSearch) become(i int32, c lsChange) {
	t := &s.cur
	n := t.nodes[i]
	switch c.kind {
	case toLeaf:
		n = lsNode{feature: -1}
	case toLeft:
		n = t.nodes[n.left]
	case toRight:
		n = t.nodes[n.right]
	case toStump:
		n.left, n.right = t.newLeaf(0), t.newLeaf(0)
	case toSwapped:
		n.left, n.right = n.right, n.left
	}
	if c.kind >= toSplit || c.kind == toStump {
		n.feature, n.cut = c.feature, s.sides.rows.cut(s.lsData, c.feature, c.pos)
	}
	t.nodes[i] = n
}

// settle tidies the subtree of node i after a move and says whether it became
// better than before; all that may be better for it is marked. Ancestors see
// other losses, descendants other rows.
func (s *uniSearch) settle(i int32, rows []int32, before float64) bool {
	errs, splits, _ := s.tidy(&s.cur, i, rows)
	after := errs + s.price*float64(splits)
	s.loss += after - before
	s.cur.dirty(i)
	for v := s.find(i); v >= 0; v = s.visits[v].parent {
		n := &s.cur.nodes[s.visits[v].node]
		n.nodeDone, n.pairDone = false, false
	}
	s.budget.stats.Moves++
	return after < before-s.tolerance
}

// find returns the visit of node i in the last list, -1 where it is not there.
func (s *uniSearch) find(i int32) int32 {
	for v := range s.visits {
		if s.visits[v].node == i {
			return int32(v)
		}
	}
	return -1
}
