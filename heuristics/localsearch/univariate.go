package localsearch

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/octgen/octgen/tree"
)

// threshold is a univariate split: rows whose rank of the feature is below rank go left.
type threshold struct{ feature, rank int32 }

// univariate is the state shared by the moves of univariate trees.
type univariate struct {
	*state[threshold]
	all, some rowSet // of the root, and of another node
	sides     sides
	pair      pairScan
	light     deficit
	gain      []float64
	gini      []tree.Best
	swapped   workTree[threshold] // scratch
}

// pairScan finds the best split of a node with both its children re-optimised.
type pairScan struct {
	at     []int     // positions of the thresholds of a feature
	behind []float64 // weight of the rows up to and including each
	stack  []pairInterval
	order  []int32 // features, shuffled

	bound   float64 // must be beaten
	feature int32   // of the best split; -1: none
	pos     int
	change  [2]change
}

// pairInterval is an interval of open thresholds lo..hi. left and right are lower bounds on the
// loss of trees on the left and right side.
type pairInterval struct {
	lo, hi      int
	left, right float64
}

func newUnivariate(p *problem, b *budget, rng *rand.Rand) *univariate {
	u := &univariate{state: newState[threshold](p, b, rng)}
	u.splitting = u
	u.sides = sides{
		d: p.data, price: p.price, tolerance: p.tolerance, floor: p.floor, minLeaf: p.minLeaf,
		total: make([]float64, 2*p.k), left: make([]float64, 2*p.k),
	}
	u.all.fill(p.data, p.everything)
	return u
}

// terms returns 1.
func (u *univariate) terms(*threshold) int { return 1 }

// route moves the rows that go left to the front and returns their number.
func (u *univariate) route(split *threshold, rows []int32) int {
	ranks, left := u.pre.Ranks(int(split.feature)), 0
	for q, r := range rows {
		if ranks[r] < split.rank {
			rows[q], rows[left] = rows[left], r
			left++
		}
	}
	return left
}

// find returns the leaf that row i of the data reaches from node at.
func (u *univariate) find(at, i int32) int32 {
	nodes := u.cur.nodes
	for n := &nodes[at]; n.left != 0; n = &nodes[at] {
		if u.pre.Ranks(int(n.split.feature))[i] < n.split.rank {
			at = n.left
		} else {
			at = n.right
		}
	}
	return at
}

// lossAt returns the loss of the subtree of node i for the rows that reach it.
func (u *univariate) lossAt(i int32, rows []int32) float64 {
	loss := u.price * float64(u.cur.splits(i))
	for _, r := range rows {
		if u.cur.nodes[u.find(i, r)].class != u.y[r] {
			loss += u.w[r]
		}
	}
	return loss
}

// sorted returns the rows in the order of each feature.
func (u *univariate) sorted(rows []int32) *rowSet {
	if len(rows) == u.n {
		return &u.all
	}
	u.some.fill(u.data, rows)
	u.budget.stats.Work += int64(u.n * u.p / 4)
	return &u.some
}

// after returns the split of rows whose threshold follows position q of feature j.
func (u *univariate) after(rows *rowSet, j int32, q int) threshold {
	return threshold{j, rows.rankAfter(u.data, j, q)}
}

// setWrong records which of the two subtrees misclassify each of the rows.
func (u *univariate) setWrong(side int, rows []int32, left, right int32) {
	sd := &u.sides
	sd.fixed[side] = true
	sd.splits[side] = [2]int{u.cur.splits(left), u.cur.splits(right)}
	sd.wrong[side] = slices.Grow(sd.wrong[side][:0], len(rows))[:len(rows)]
	for q, i := range rows {
		var e uint8
		if u.cur.nodes[u.find(left, i)].class != u.y[i] {
			e = 1
		}
		if u.cur.nodes[u.find(right, i)].class != u.y[i] {
			e |= 2
		}
		sd.wrong[side][q] = e
	}
}

// splitsBelow returns the maximum number of splits of the subtree of node i, -1 for any.
func (u *univariate) splitsBelow(i int32) int {
	if u.most == 0 {
		return -1
	}
	return u.most - u.cur.splits(0) + u.cur.splits(i)
}

// become applies a change found by sides to node i.
func (u *univariate) become(i int32, c change) {
	var split threshold
	if c.kind == toStump || c.kind == toSplit || c.kind == toSwapped {
		split = u.after(u.sides.rows, c.feature, c.pos)
	}
	u.cur.become(i, c.kind, split)
}

// settle tidies the subtree of node i after a move and reports whether it improved.
func (u *univariate) settle(i int32, rows []int32, before float64) bool {
	errs, splits, _ := u.tidy(&u.cur, i, rows)
	after := errs + u.price*float64(splits)
	u.loss += after - before
	u.budget.stats.Moves++
	return after < before-u.tolerance
}

// These methods implement moveSet for univariate trees.

// begin takes the starts first, then random trees of one split, and sometimes the best tree.
func (u *univariate) begin(starts, restart int) beginning[threshold] {
	random := restart - starts
	switch {
	case random < 0:
		return beginning[threshold]{from: fromStart, start: restart, patience: patience}
	case random%4 == 3:
		return beginning[threshold]{from: fromBest, patience: patience}
	}
	return beginning[threshold]{from: fromSplit, split: u.random(random - random/4), patience: patience}
}

func (u *univariate) adopt(split *tree.Split) (threshold, bool) {
	if !split.IsUnivariate() {
		return threshold{}, false
	}
	j := split.Terms[0].Feature
	rank, _ := slices.BinarySearch(u.pre.Values(j), split.Threshold)
	return threshold{int32(j), int32(rank)}, true
}

// random returns the split of a random tree: at first on the features ordered by the Gini impurity
// of their best split, later anywhere.
func (u *univariate) random(which int) threshold {
	features := u.byGini()
	switch {
	case which < len(features):
		b := features[which]
		return u.after(&u.all, int32(b.Feature), b.Size-1)
	case len(features) == 0:
		return u.anywhere(&u.all, u.all.features[u.rng.IntN(len(u.all.features))])
	}
	return u.anywhere(&u.all, int32(features[u.rng.IntN(len(features))].Feature))
}

// byGini lists the best split of each non-constant feature, the best first. It omits a feature if a
// heavy row hides the light ones beyond each threshold.
func (u *univariate) byGini() []tree.Best {
	if u.gini == nil {
		sweeper := tree.NewSweeper(u.pre, tree.Gini, 0)
		for _, j := range u.all.features {
			if b, ok := sweeper.BestOn(u.pre.All(), int(j)); ok {
				u.gini = append(u.gini, b)
			}
		}
		slices.SortStableFunc(u.gini, func(a, b tree.Best) int { return cmp.Compare(a.Loss, b.Loss) })
	}
	return u.gini
}

// anywhere returns a random split of rows on feature j, one of rows.features.
func (u *univariate) anywhere(rows *rowSet, j int32) threshold {
	order := rows.order(j)
	for { // the entry before a threshold is odd, and one exists
		q := u.rng.IntN(len(order))
		if order[q]&1 == 1 {
			return u.after(rows, j, q)
		}
	}
}

// kinds returns the kinds of moves: single nodes, and nodes with their children.
func (u *univariate) kinds(depth int) uint8 {
	if depth+2 <= u.depth {
		return 2
	}
	return 1
}

func (u *univariate) move(kind uint8, at visit, rows []int32) (changed, better bool) {
	if kind == 0 {
		return u.nodeMove(at.node, at.depth, rows)
	}
	return u.pairMove(at.node, rows)
}

// kick makes no leaf that is too light.
func (u *univariate) kick(at visit, rows []int32) bool {
	sorted := u.sorted(rows)
	u.budget.spend(sorted.n)
	if len(sorted.features) == 0 {
		return false
	}
	u.swapped.copyFrom(&u.cur)
	j := sorted.features[u.rng.IntN(len(sorted.features))]
	u.cur.setSplit(at.node, u.anywhere(sorted, j))
	if _, _, least := u.tidy(&u.cur, 0, u.allRows()); u.minLeaf && least < u.floor {
		u.cur.copyFrom(&u.swapped)
		return false
	}
	u.cur.reopen(0)
	u.cur.nodes[at.node].stuck = allStuck // the nodes below come first
	return true
}

func (u *univariate) measure(errs float64, splits int) float64 {
	return errs + u.price*float64(splits)
}

// exact reports whether a local optimum is optimal: a tree of two levels is re-optimised as a
// whole.
func (u *univariate) exact() bool { return u.depth <= 2 && !u.minLeaf && u.most == 0 }

func (u *univariate) emit(split *threshold, left, right []int32) (out *tree.Split, exchanged bool) {
	ranks, values := u.pre.Ranks(int(split.feature)), u.pre.Values(int(split.feature))
	below, above := int32(-1), int32(math.MaxInt32)
	for _, r := range left {
		below = max(below, ranks[r])
	}
	for _, r := range right {
		above = min(above, ranks[r])
	}
	return tree.Univariate(int(split.feature), tree.Midpoint(values[below], values[above])), false
}

// nodeMove re-optimises a single node given the two subtrees below it.
func (u *univariate) nodeMove(i int32, depth int, rows []int32) (changed, better bool) {
	n := &u.cur.nodes[i]
	before := u.lossAt(i, rows)
	sd := &u.sides
	sd.setUp(u.sorted(rows))
	if !u.cur.aboveLeaves(i) {
		u.setWrong(0, sd.rows.rows, n.left, n.right)
		sd.may[0] = !u.minLeaf
	} else {
		sd.may[0] = depth < u.depth && u.splitsBelow(i) != 0
	}
	sd.reset(0)
	sd.optimise()
	u.budget.spend(sd.work())
	if sd.fixed[0] && u.minLeaf {
		u.heavySplits(i, before)
	}
	if u.minLeaf && (sd.best[0].kind == toLeft || sd.best[0].kind == toRight) && !u.heavyEnough(i, sd.best[0].kind, rows) {
		sd.best[0].loss = math.Inf(1)
	}
	if leaf := u.leafLoss(rows); sd.fixed[0] && leaf <= sd.best[0].loss+u.tolerance {
		sd.best[0] = change{loss: leaf, kind: toLeaf}
	}
	if sd.best[0].loss >= before-u.tolerance {
		return false, false
	}
	u.become(i, sd.best[0])
	return true, u.settle(i, rows, before)
}

// heavyEnough reports whether all leaves remain heavy enough if the given subtree replaces node i.
func (u *univariate) heavyEnough(i int32, kind changeKind, rows []int32) bool {
	child := u.cur.nodes[i].left
	if kind == toRight {
		child = u.cur.nodes[i].right
	}
	u.swapped.copySubtree(&u.cur, child)
	_, _, least := u.tidy(&u.swapped, 0, slices.Clone(rows))
	return least >= u.floor
}

// heavySplits is sides.splitsAbove if the minimum leaf weight may bind.
func (u *univariate) heavySplits(i int32, before float64) {
	sd, d, n := &u.sides, &u.light, u.cur.nodes[i]
	below := sd.splits[0][0] + sd.splits[0][1] + 1
	price := u.price * float64(below)
	for _, kind := range []changeKind{toSplit, toSwapped} {
		left, right, base := n.left, n.right, sd.errs[0][1]
		if kind == toSwapped {
			left, right, base = n.right, n.left, sd.errs[0][0]
		}
		u.setLeaves(left, right)
		u.gain = u.gain[:0]
		for q := range sd.v {
			g := sd.v[q][0]
			if kind == toSwapped {
				g = -g
			}
			u.gain = append(u.gain, g)
		}
		best := base + price - min(before, sd.best[0].loss) + u.tolerance
		for _, j := range sd.rows.features {
			if u.budget.ended() {
				break
			}
			if q, sum := d.sweep(sd.rows.order(j), u.gain, sd.rows.w, best); q >= 0 {
				sd.accept(0, change{base - sum + price, below, kind, j, q})
				best = sum + u.tolerance
			}
		}
		u.budget.spend(2 * sd.work())
	}
}

// setLeaves records the leaf that each row reaches in both subtrees.
func (u *univariate) setLeaves(left, right int32) {
	d, rows := &u.light, u.sides.rows
	d.floor = u.floor
	d.leftLeaf, d.rightLeaf = d.leftLeaf[:0], d.rightLeaf[:0]
	d.start = slices.Grow(d.start[:0], len(u.cur.nodes))[:len(u.cur.nodes)]
	d.weight = slices.Grow(d.weight[:0], len(u.cur.nodes))[:len(u.cur.nodes)]
	clear(d.start)
	for q, r := range rows.rows {
		d.leftLeaf = append(d.leftLeaf, u.find(left, r))
		d.rightLeaf = append(d.rightLeaf, u.find(right, r))
		d.start[d.rightLeaf[q]] += rows.w[q]
	}
}

// pairMove re-optimises node i together with its children. Children that are leaves may get a
// split.
func (u *univariate) pairMove(i int32, rows []int32) (changed, better bool) {
	before := u.lossAt(i, rows)
	u.sorted(rows)
	room := u.splitsBelow(i)
	if room >= 0 && room < 2 {
		return false, false // at most one split: left to nodeMove
	}
	sd := &u.sides
	p := &u.pair
	p.bound, p.feature = before-u.tolerance, -1
	if u.setChildren(i, rows, false) {
		u.scanPairs(room)
	}
	exchanged := false
	if sd.fixed[0] || sd.fixed[1] {
		found := p.feature
		p.feature = -1
		if u.setChildren(i, rows, true) {
			u.scanPairs(room)
		}
		if exchanged = p.feature >= 0; !exchanged {
			p.feature = found
		}
	}
	if p.feature < 0 {
		return false, false
	}
	u.becomePair(i, exchanged)
	return true, u.settle(i, rows, before)
}

// setChildren prepares the two sides for the children of node i, exchanged or not. It returns false
// if the minimum leaf weight forbids the move.
func (u *univariate) setChildren(i int32, rows []int32, exchanged bool) bool {
	sd, n := &u.sides, u.cur.nodes[i]
	if len(rows) == u.n {
		sd.setUp(&u.all)
	} else {
		sd.setUp(&u.some)
	}
	if n.leaf() {
		return true
	}
	children := [2]int32{n.left, n.right}
	if exchanged {
		children[0], children[1] = children[1], children[0]
	}
	for side, c := range children {
		if u.cur.aboveLeaves(c) {
			continue
		}
		if u.minLeaf {
			return false
		}
		u.setWrong(side, sd.rows.rows, u.cur.nodes[c].left, u.cur.nodes[c].right)
	}
	return true
}

// scanPairs searches a split and changes of both children that beat the bound.
func (u *univariate) scanPairs(room int) {
	sd, p := &u.sides, &u.pair
	sd.room = -1
	if room >= 0 {
		sd.room = room - 1
	}
	p.order = append(p.order[:0], sd.rows.features...)
	u.rng.Shuffle(len(p.order), func(a, b int) { p.order[a], p.order[b] = p.order[b], p.order[a] })
	for _, j := range p.order {
		if p.bound <= 0 || !u.scanFeature(j) {
			return
		}
	}
}

// scanFeature is scanPairs for the splits on feature j; it returns false if a limit ended it. It
// tries thresholds in the middle of intervals. It skips an interval if the known losses of its
// sides, each from a subset of the rows, reach the bound. Around a threshold that misses the bound,
// it skips the thresholds within the weight by which it misses.
func (u *univariate) scanFeature(j int32) bool {
	sd, p := &u.sides, &u.pair
	order := sd.rows.order(j)
	p.at, p.behind = p.at[:0], p.behind[:0]
	sum := 0.0
	for q, e := range order {
		sum += sd.rows.w[e>>1]
		if e&1 == 1 {
			p.at, p.behind = append(p.at, q), append(p.behind, sum)
		}
	}
	sd.reset(1)
	front := 0 // rows before it are on the left
	p.stack = append(p.stack[:0], pairInterval{lo: 0, hi: len(p.at) - 1})
	for len(p.stack) > 0 {
		v := p.stack[len(p.stack)-1]
		p.stack = p.stack[:len(p.stack)-1]
		if v.lo > v.hi || v.left+v.right+u.price >= p.bound {
			continue
		}
		m := (v.lo + v.hi) / 2
		for ; front <= p.at[m]; front++ {
			sd.move(order[front]>>1, 0)
		}
		for ; front > p.at[m]+1; front-- {
			sd.move(order[front-1]>>1, 1)
		}
		sd.optimise()
		loss, change := sd.together()
		loss += u.price
		if loss < p.bound {
			p.bound, p.feature, p.pos, p.change = loss-u.tolerance, j, p.at[m], change
		}
		if u.budget.spend(sd.work()) {
			return false
		}
		near := loss - p.bound
		if math.IsInf(loss, 1) {
			near = 0 // a side is too light: this bounds no neighbour
		}
		lo, hi := m-1, m+1
		for lo >= v.lo && p.behind[m]-p.behind[lo] <= near {
			lo--
		}
		for hi <= v.hi && p.behind[hi]-p.behind[m] <= near {
			hi++
		}
		left, right := sd.best[0].loss, sd.best[1].loss
		if u.minLeaf {
			left, right = 0, 0 // they would hold without a minimum weight
		}
		p.stack = append(p.stack,
			pairInterval{v.lo, lo, v.left, max(v.right, right)},
			pairInterval{hi, v.hi, max(v.left, left), v.right})
	}
	return true
}

// becomePair applies the change found to node i and both its children.
func (u *univariate) becomePair(i int32, exchanged bool) {
	p := &u.pair
	kind := toSplit
	switch {
	case u.cur.nodes[i].leaf():
		kind = toStump
	case exchanged:
		kind = toSwapped
	}
	u.cur.become(i, kind, u.after(u.sides.rows, p.feature, p.pos))
	left, right := u.cur.nodes[i].left, u.cur.nodes[i].right
	u.become(left, p.change[0])
	u.become(right, p.change[1])
}
