package large

import "math"

// pair is a tree of at most two levels: a leaf, a stump or two sides below a cut.
type pair struct {
	value         float64
	feature, rank int32 // of the cut; feature -1: a leaf
	left, right   stump
}

// counts are the steps of a search.
type counts struct{ sets, cuts int64 }

// model are the values that trees have.
type model struct {
	lambda    float64 // penalty per split
	step, tol float64 // a better value is better by at least step; values that differ by less than tol count as equal
}

// thr returns the value at which a bound closes a search for values below ub.
func (m *model) thr(ub float64) float64 {
	if m.step > 0 {
		return ub - m.step + m.tol
	}
	return ub - m.tol
}

// side returns the value of a leaf or of a stump.
func (m *model) side(leaf, stump int32) float64 {
	return min(float64(leaf), m.lambda+float64(stump))
}

// choose returns the leaf instead of the best stump if that does not pay.
func (m *model) choose(s *side) stump {
	if float64(s.leaf()) <= m.lambda+float64(s.best.errors) {
		return stump{errors: s.leaf(), feature: -1}
	}
	return s.best
}

// growing is a growing set of rows, those on one side of a cut of feature h. It finds the best tree of two
// levels for the set.
type growing struct {
	d     *Data
	m     model
	h     int
	right bool  // the rows after the cut
	next  int32 // the first rank not in the set, in the direction of growth

	following   bool       // not all rows are in the set
	along       [][]uint16 // (p)(n) if following, the rank of feature h of each row, in the order of each feature
	from, width uint16     // of the set's ranks: width of them from the first on

	all     sums
	blocks  [][]sums       // (p)(blocks) of each block of ranks
	left    [][]float64    // (p)(blocks+1) bound on the best side of the rows before a block
	after   [][]float64    // (p)(blocks+1) of the rows from it on
	stumps  [2][][][]int32 // (p)(blocks+1)(p) bounds on the stumps of each feature, for the rows of left and after
	fresh   []int          // (p) the version of the set for which left and after are exact
	version int
	cuts    [][]float64 // (p)(ranks) bound on trees with the cut after the rank
	least   [][]float64 // (p)(blocks) minimum of cuts inside the block

	best   pair // of the set before
	cutter cutter
	seen   counts
	run    prefix  // scratch: rows of one feature up to a rank
	sorted []int32 // scratch
	needed []int   // scratch
	stop   func() bool
}

func newGrowing(d *Data, m model, stop func() bool) *growing {
	g := &growing{d: d, m: m, all: d.newSums(), cutter: newCutter(d), run: d.newPrefix(), stop: stop, fresh: make([]int, d.p)}
	for j := range d.p {
		count := len(d.first[j]) - 1
		blocks := make([]sums, count)
		for b := range blocks {
			blocks[b] = d.newSums()
		}
		g.blocks = append(g.blocks, blocks)
		g.left, g.after = append(g.left, make([]float64, count+1)), append(g.after, make([]float64, count+1))
		for i := range g.stumps {
			of := make([][]int32, count+1)
			for b := range of {
				of[b] = make([]int32, d.p)
			}
			g.stumps[i] = append(g.stumps[i], of)
		}
		g.cuts, g.least = append(g.cuts, make([]float64, len(d.values[j]))), append(g.least, make([]float64, count))
	}
	return g
}

// begin empties the set.
func (g *growing) begin(h int, right bool) {
	g.h, g.right, g.next = h, right, 0
	if right {
		g.next = int32(len(g.d.values[h])) - 1
	}
	g.all.clear()
	for j := range g.blocks {
		for b := range g.blocks[j] {
			g.blocks[j][b].clear()
		}
		clear(g.left[j])
		clear(g.after[j])
		for b := range g.stumps[0][j] {
			clear(g.stumps[0][j][b])
			clear(g.stumps[1][j][b])
		}
		clear(g.cuts[j])
		clear(g.least[j])
	}
	clear(g.fresh)
	g.version, g.best, g.following = 0, pair{feature: -1}, false
}

// follow notes the rank of the root's feature of each row in the order of each feature.
func (g *growing) follow() {
	d := g.d
	for j, order := range d.order {
		if len(g.along) == j {
			g.along = append(g.along, make([]uint16, d.n))
		}
		along := g.along[j]
		for i, row := range order {
			along[i] = d.rankOf(row, g.h)
		}
	}
	g.following = true
}

// include adds the rows up to the cut after rank, or those after it.
func (g *growing) include(rank int32) {
	start := g.d.start[g.h]
	from, to := start[g.next], start[rank+1]
	if g.right {
		from, to = start[rank+1], start[g.next+1]
		g.next = rank
		g.from, g.width = uint16(rank+1), uint16(len(g.d.values[g.h])-1-int(rank))
	} else {
		g.next = rank + 1
		g.from, g.width = 0, uint16(rank+1)
	}
	g.addRows(g.d.order[g.h][from:to])
}

// addRows adds rows.
func (g *growing) addRows(rows []int32) {
	if len(rows) == 0 {
		return
	}
	g.version++
	for len(rows) > mostSorted {
		g.extend(rows[:mostSorted])
		rows = rows[mostSorted:]
	}
	g.extend(rows)
}

// extend adds up to mostSorted rows.
func (g *growing) extend(rows []int32) {
	d := g.d
	g.cutter.work += int64(len(rows)) * int64(d.p+1) * int64(d.p)
	for _, r := range rows {
		d.addRow(&g.all, r)
	}
	for j := range d.p {
		for _, r := range g.byBlock(rows, j) {
			d.addRow(&g.blocks[j][d.block[j][d.rankOf(r, j)]], r)
		}
	}
}

// manyRows is the minimum number of rows that are sorted before they are added, so that the sums of one block at a
// time are in the processor's cache.
const (
	manyRows   = 1 << 12
	mostSorted = 1 << 18 // at a time
)

// byBlock returns the rows, if they are many, by blocks of feature j.
func (g *growing) byBlock(rows []int32, j int) []int32 {
	d := g.d
	if len(rows) < manyRows {
		return rows
	}
	var next [mostBlocks + 1]int
	for _, r := range rows {
		next[d.block[j][d.rankOf(r, j)]+1]++
	}
	for b := range mostBlocks {
		next[b+1] += next[b]
	}
	if cap(g.sorted) < len(rows) {
		g.sorted = make([]int32, len(rows))
	}
	sorted := g.sorted[:len(rows)]
	for _, r := range rows {
		b := d.block[j][d.rankOf(r, j)]
		sorted[next[b]] = r
		next[b]++
	}
	return sorted
}

// search returns the best tree for the set with a value below ub, and a lower bound on all trees: the
// value of the tree if there is one.
func (g *growing) search(ub float64) (best pair, bound float64) {
	m := &g.m
	g.seen.sets++
	best = pair{value: math.Inf(1), feature: -1}
	whole := g.stump()
	leaf := float64(whole.leaf())
	if leaf < m.thr(ub) {
		best, ub = pair{value: leaf, feature: -1}, leaf
	}
	if v := m.lambda + float64(whole.best.errors); v < m.thr(ub) && whole.best.feature >= 0 {
		best, ub = pair{value: v, feature: whole.best.feature, rank: whole.best.rank, left: stump{feature: -1}, right: stump{feature: -1}}, v
	}
	if b := g.best; b.feature >= 0 {
		g.refine(int(b.feature), int(g.d.block[b.feature][b.rank]), &ub, &best)
	}
	for j := range g.d.p {
		for b := range g.blocks[j] {
			if g.open(j, b, ub) && !g.stop() {
				g.refine(j, b, &ub, &best)
			}
		}
	}
	if best.feature >= 0 {
		g.best = best
	}
	if g.stop() {
		return best, 0
	}
	return best, ub
}

// stump finds the best stump for all rows.
func (g *growing) stump() *side {
	none := &g.run
	none.clear()
	g.cutter.begin(&g.all, none)
	for f := range g.d.p {
		g.cutter.look(&g.all, none, f)
	}
	g.cutter.decide(&g.all, none, 1)
	return &g.cutter.sides[1]
}

// open reports whether a block may have a cut with a value below ub.
func (g *growing) open(j, b int, ub float64) bool {
	thr := g.m.thr(ub)
	bound := func() float64 { return g.m.lambda + g.left[j][b] + g.after[j][b+1] }
	if g.least[j][b] >= thr || bound() >= thr {
		return false
	}
	if g.fresh[j] == g.version {
		return true
	}
	g.refresh(j)
	return bound() < thr
}

// refresh evaluates the cuts between the blocks of feature j.
func (g *growing) refresh(j int) {
	c := &g.cutter
	g.run.clear()
	c.work += int64(len(g.blocks[j])) * int64(len(g.run.group))
	for b := range g.blocks[j] {
		if b > 0 {
			c.begin(&g.all, &g.run)
			for f := range g.d.p {
				c.look(&g.all, &g.run, f)
			}
			copy(g.stumps[0][j][b], c.sides[0].feature)
			copy(g.stumps[1][j][b], c.sides[1].feature)
			c.decide(&g.all, &g.run, 0)
			c.decide(&g.all, &g.run, 1)
			g.left[j][b] = g.m.side(c.sides[0].leaf(), c.sides[0].best.errors)
			g.after[j][b] = g.m.side(c.sides[1].leaf(), c.sides[1].best.errors)
		}
		g.run.addBlock(g.blocks[j])
	}
	g.fresh[j] = g.version
}

// refine evaluates the cuts in block b of feature j, and the one after it, that may have a value below ub.
// Only stumps on features that may give one matter; skipped bounds the others.
func (g *growing) refine(j, b int, ub *float64, best *pair) {
	d, c := g.d, &g.cutter
	features, skipped := g.stumpsFor(j, b, *ub)
	run := g.before(j, b)
	from, end := d.first[j][b], d.first[j][b+1]
	at := d.start[j][from] // rows before it are in run
	least := math.Inf(1)
	for r := from; r < min(end, int32(len(d.values[j]))-1); r++ {
		if g.cuts[j][r] < g.m.thr(*ub) {
			to := d.start[j][r+1]
			if rows := d.order[j][at:to]; g.following {
				along := g.along[j][at:to]
				for i, row := range rows {
					if along[i]-g.from < g.width {
						run.addRow(d, row, features)
					}
				}
			} else {
				for _, row := range rows {
					run.addRow(d, row, features)
				}
			}
			c.work += int64(d.start[j][r+1]-at) * int64(len(features)+1)
			at = d.start[j][r+1]
			v := g.evaluate(j, r, run, features, ub, best)
			g.cuts[j][r] = min(v, skipped)
		}
		least = min(least, g.cuts[j][r])
	}
	g.least[j][b] = least
}

// stumpsFor returns the features whose stumps may be below a cut in block b of feature j in a tree with a
// value below ub, and a bound on the trees with others.
func (g *growing) stumpsFor(j, b int, ub float64) (features []int, skipped float64) {
	m := &g.m
	g.needed, skipped = g.needed[:0], math.Inf(1)
	left, after := m.lambda+g.left[j][b], m.lambda+g.after[j][b+1]
	before, behind := g.stumps[0][j][b], g.stumps[1][j][b+1]
	for f := range g.d.p {
		if v := m.lambda + min(float64(before[f])+after, float64(behind[f])+left); v >= m.thr(ub) {
			skipped = min(skipped, v)
		} else {
			g.needed = append(g.needed, f)
		}
	}
	return g.needed, skipped
}

// before returns the rows before a block, to add to.
func (g *growing) before(j, b int) *prefix {
	g.run.clear()
	for range b {
		g.run.addBlock(g.blocks[j])
	}
	g.cutter.work += int64(b+1) * int64(len(g.run.group))
	return &g.run
}

// evaluate evaluates the cut after rank r of feature j with stumps on some features below it, and returns a
// bound on its trees; run are the rows up to it.
func (g *growing) evaluate(j int, r int32, run *prefix, features []int, ub *float64, best *pair) float64 {
	c, m := &g.cutter, &g.m
	g.seen.cuts++
	thr := m.thr(*ub)
	c.begin(&g.all, run)
	for _, f := range features {
		c.look(&g.all, run, f)
	}
	l, s := &c.sides[0], &c.sides[1]
	value := func() float64 { return m.lambda + m.side(l.leaf(), l.bound) + m.side(s.leaf(), s.bound) }
	for which := range 2 {
		if value() < thr {
			c.decide(&g.all, run, which)
		}
	}
	v := value()
	if v < thr {
		*ub = v
		*best = pair{value: v, feature: int32(j), rank: r, left: m.choose(l), right: m.choose(s)}
	}
	return v
}
