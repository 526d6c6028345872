package oct

import (
	"fmt"

	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/internal/build"
	"github.com/octgen/octgen/formulate/internal/grid"
	"github.com/octgen/octgen/formulate/internal/point"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/verify"
)

// threshold writes Formulation without big-M. Feature j has the ascending candidate
// thresholds theta_j1 < ... < theta_jV, the midpoints of its consecutive
// distinct values, and
//
//	w_tjv = 1 iff node t splits on feature j at a threshold of index >= v
//
// so that left_it = sum_j w_tj,rho(i,j) says whether row i would go left at t,
// rho(i,j) being the index of the first threshold of j above x_ij (no term if
// there is none). e_it = 1 iff row i is counted correct at leaf t:
//
//	min  (1/Lhat) sum_i omega_i (1 - sum_t e_it) + alpha sum_t d_t
//
// Leaves need no membership variables where N_min <= min omega_i ("free"
// leaves): every nonempty leaf is heavy enough, and a row counted nowhere is an
// error wherever it lies. Elsewhere z_it says where row i lies.
//
// Tightenings, each in force where exact unless switched off:
//
//   - continuous last level (free leaves). With the upper splits and the labels
//     integral, the best e at a last-level node is linear in its w over one
//     simplex of (feature, threshold), and max_splits adds one unit-weight
//     knapsack row over the nodes: an integral vertex is optimal.
//   - thin last level (free leaves). A threshold between two values whose rows
//     are all of one class k is dropped: if the left leaf is labelled k the
//     threshold may move right past the second value, else left past the first,
//     and no row's correctness is lost. Not at upper nodes, where the rows of
//     the second value may want to be split differently below.
//   - sibling labels (always). Two sibling leaves of one label predict as their
//     parent would; without the split the tree is as good, has one split less,
//     and its leaf weighs more.
//   - grouped points (always). Rows with equal features reach the same leaf, and
//     a leaf is right about one class: their e share the routing rows.
//   - label pairs (free leaves), and blocks of their cuts: octpairs.go.
//
// The row sum_t e_it <= 1 of DESIGN is left out: the two routing rows of the
// root add up to it.
type threshold struct {
	g    *grid.Grid
	o    Options
	free bool // N_min <= min omega_i

	continuousLast, thinLast, siblings, grouped, pairs, blocks bool
	direct                                                     bool // depth 1 with pairs: no e columns

	keep   [][]int32   // (p) kept last-level cuts, ascending, without pairs
	stumps []pairCuts  // kept last-level cuts per (feature, left label, right label), with pairs
	unit   grid.Groups // what is routed: points, or rows

	// First columns of the blocks.
	w     []mio.Col // per upper node (and last-level node without pairs)
	d, c  mio.Col
	e     mio.Col
	z, l  mio.Col
	pairW []mio.Col // per last-level node, with pairs
}

func newThreshold(g *grid.Grid, o Options) *threshold {
	e := &threshold{g: g, o: o, free: g.FreeLeaves()}
	off := o.Tighten
	e.continuousLast = e.free && !off.NoContinuousLast
	e.thinLast = e.free && !off.NoThinLast
	e.pairs = e.free && !off.NoLabelPairs
	e.blocks = e.pairs && !off.NoBlocks
	e.direct = e.pairs && o.Depth == 1
	e.siblings = !off.NoSiblingLabels
	e.grouped = !off.NoGroupPoints
	if e.unit = g.Points; !e.grouped {
		e.unit = grid.Singles(g.N)
	}
	if e.pairs {
		e.stumps = pairCutsOf(g, e.thinLast, e.blocks)
	} else {
		e.keep = lastCuts(g, e.thinLast)
	}
	return e
}

// Tightenings lists those in force, for reports.
func (e *threshold) tightenings() []string {
	var s []string
	add := func(on bool, name string) {
		if on {
			s = append(s, name)
		}
	}
	add(e.continuousLast, "continuous-last")
	add(e.thinLast, "thin-last")
	add(e.siblings || e.pairs, "sibling-labels")
	add(e.grouped, "group-points")
	add(e.pairs, "label-pairs")
	add(e.blocks, "blocks")
	return s
}

// lastCuts returns the last-level cuts of every feature: all of them or, thin,
// those between values that are not all of one and the same class.
func lastCuts(g *grid.Grid, thin bool) [][]int32 {
	keep := make([][]int32, g.P)
	for _, j := range g.Active {
		var class []int32 // the one class of a value's rows, -1 for several
		if thin {
			class = classOfValues(g, j)
		}
		for c := 1; c <= g.Cuts(j); c++ {
			if !thin || class[c-1] < 0 || class[c-1] != class[c] {
				keep[j] = append(keep[j], int32(c))
			}
		}
	}
	return keep
}

func classOfValues(g *grid.Grid, j int) []int32 {
	const none, several = -2, -1
	class := make([]int32, len(g.Vals[j]))
	for v := range class {
		class[v] = none
	}
	for i, y := range g.Y {
		switch v := g.Rank[i*g.P+j]; class[v] {
		case none:
			class[v] = y
		case y:
		default:
			class[v] = several
		}
	}
	return class
}

func (e *threshold) leaves() int { return 1 << e.o.Depth }
func (e *threshold) last() int   { return 1 << (e.o.Depth - 1) } // first last-level node

// bins returns the nodes whose columns e count rows: leaves or, with pairs,
// last-level nodes. They are the nodes first..2*first-1.
func (e *threshold) bins() (first int) {
	if e.pairs {
		return e.last()
	}
	return e.leaves()
}

func (e *threshold) colE(i, t int) mio.Col { return e.e + mio.Col((t-e.bins())*e.g.N+i) }
func (e *threshold) colD(t int) mio.Col    { return e.d + mio.Col(t-1) }
func (e *threshold) colZ(u, t int) mio.Col { return e.z + mio.Col((t-e.leaves())*e.unit.Len()+u) }
func (e *threshold) colL(t int) mio.Col    { return e.l + mio.Col(t-e.leaves()) }

// colC is the column of class k at leaf t or, with pairs, at the unsplit
// last-level node t.
func (e *threshold) colC(k, t int) mio.Col { return e.c + mio.Col((t-e.bins())*e.g.K+k) }

func (e *threshold) build(b *mio.Builder) {
	e.columns(b)
	for t := 1; t < e.last(); t++ {
		e.chainRows(b, t)
	}
	e.routingRows(b)
	if e.pairs {
		e.pairRows(b)
	} else {
		for t := e.last(); t < e.leaves(); t++ {
			e.chainRows(b, t)
		}
		e.labelRows(b)
	}
	if !e.free {
		e.membershipRows(b)
	}
	e.parentRows(b)
	e.maxSplitsRow(b)
}

func (e *threshold) columns(b *mio.Builder) {
	g := e.g
	b.AddOffset(g.Total / g.Lhat)
	e.w = make([]mio.Col, e.leaves())
	for t := 1; t < e.leaves(); t++ {
		if t >= e.last() && e.pairs {
			break
		}
		typ := mio.Binary
		if t >= e.last() && e.continuousLast {
			typ = mio.Continuous
		}
		e.w[t] = mio.Col(b.NumCols())
		for _, j := range g.Active {
			for q := range e.numCuts(t, j) {
				b.AddCol(0, 0, 1, typ, "w", t, j+1, e.cut(t, j, q))
			}
		}
	}
	e.d = mio.Col(b.NumCols())
	for t := 1; t < e.leaves(); t++ {
		b.AddCol(e.o.Alpha, 0, 1, mio.Continuous, "d", t)
	}
	if e.pairs {
		e.pairColumns(b)
	}
	e.c = mio.Col(b.NumCols())
	typ := mio.Binary
	if e.pairs && e.continuousLast {
		typ = mio.Continuous
	}
	for t := e.bins(); t < 2*e.bins(); t++ {
		for k := range g.K {
			b.AddCol(0, 0, 1, typ, "c", k+1, t)
		}
	}
	e.e = mio.Col(b.NumCols())
	for t := e.bins(); t < 2*e.bins() && !e.direct; t++ {
		for i, w := range g.W {
			b.AddCol(-w/g.Lhat, 0, 1, mio.Continuous, "e", i+1, t)
		}
	}
	if e.free {
		return
	}
	e.z = mio.Col(b.NumCols())
	for t := e.leaves(); t < 2*e.leaves(); t++ {
		for u := range e.unit.Len() {
			b.AddCol(0, 0, 1, mio.Continuous, "z", u+1, t)
		}
	}
	e.l = mio.Col(b.NumCols())
	for t := e.leaves(); t < 2*e.leaves(); t++ {
		b.AddCol(0, 0, 1, mio.Continuous, "l", t)
	}
}

// numCuts is the number of candidate cuts of feature j at node t (without
// pairs at the last level), cut the q-th of them.
func (e *threshold) numCuts(t, j int) int {
	if t >= e.last() {
		return len(e.keep[j])
	}
	return e.g.Cuts(j)
}

func (e *threshold) cut(t, j, q int) int {
	if t >= e.last() {
		return int(e.keep[j][q])
	}
	return q + 1
}

// eachFirst calls f with the features that have cuts at node t and the column
// of the first one.
func (e *threshold) eachFirst(t int, f func(j int, first mio.Col)) {
	c := e.w[t]
	for _, j := range e.g.Active {
		n := e.numCuts(t, j)
		if n > 0 {
			f(j, c)
		}
		c += mio.Col(n)
	}
}

// addLeft adds s left_t to row r for the given ranks.
func (e *threshold) addLeft(b *mio.Builder, r mio.Row, t int, ranks []int32, s float64) {
	e.eachFirst(t, func(j int, first mio.Col) {
		if q := e.firstAbove(t, j, int(ranks[j])); q < e.numCuts(t, j) {
			b.Add(r, first+mio.Col(q), s)
		}
	})
}

// firstAbove returns the index of the first cut of feature j at node t that
// sends a value of this rank left: the first cut greater than the rank.
func (e *threshold) firstAbove(t, j, rank int) int {
	if t >= e.last() {
		return firstAbove(e.keep[j], rank)
	}
	return rank // cut q+1 > rank
}

// chainRows: w_tj,v+1 <= w_tjv for consecutive candidate thresholds, and
// sum_j w_tj1 = d_t, at node t.
func (e *threshold) chainRows(b *mio.Builder, t int) {
	pick := b.AddRow(0, 0, "split", t)
	b.Add(pick, e.colD(t), -1)
	e.eachFirst(t, func(j int, first mio.Col) {
		b.Add(pick, first, 1)
		for q := 1; q < e.numCuts(t, j); q++ {
			r := b.AddRow(-mio.Inf, 0, "chain", t, j+1, e.cut(t, j, q))
			b.Add(r, first+mio.Col(q), 1)
			b.Add(r, first+mio.Col(q-1), -1)
		}
	})
}

// routingRows, at upper nodes m and, without pairs, at last-level ones:
//
//	sum of v_ut over the bins t under 2m   <= left_um
//	sum of v_ut over the bins t under 2m+1 <= 1 - left_um      all units u
//
// where v_ut is z_ut or, with free leaves, the sum of e_it over the unit's rows.
func (e *threshold) routingRows(b *mio.Builder) {
	end := e.leaves()
	if e.pairs {
		end = e.last()
	}
	for m := 1; m < end; m++ {
		for u := range e.unit.Len() {
			ranks := e.g.Ranks(e.unit.First(u))
			r := b.AddRow(-mio.Inf, 0, "left", u+1, m)
			e.addBins(b, r, u, 2*m)
			e.addLeft(b, r, m, ranks, -1)
			r = b.AddRow(-mio.Inf, 1, "right", u+1, m)
			e.addBins(b, r, u, 2*m+1)
			e.addLeft(b, r, m, ranks, 1)
		}
	}
}

// addBins adds the sum of v_ut over the bins under node m to row r.
func (e *threshold) addBins(b *mio.Builder, r mio.Row, u, m int) {
	lo, hi := m, m+1
	for lo < e.bins() {
		lo, hi = 2*lo, 2*hi
	}
	for t := lo; t < hi; t++ {
		if !e.free {
			b.Add(r, e.colZ(u, t), 1)
			continue
		}
		for _, i := range e.unit.Rows(u) {
			b.Add(r, e.colE(int(i), t), 1)
		}
	}
}

// labelRows: sum_k c_kt = 1, or l_t where leaves have weights to reach;
// e_it <= c_{y_i,t}; and, for sibling leaves, c_k,2m + c_k,2m+1 <= 1.
func (e *threshold) labelRows(b *mio.Builder) {
	g := e.g
	for t := e.leaves(); t < 2*e.leaves(); t++ {
		one := 1.0
		if !e.free {
			one = 0
		}
		r := b.AddRow(one, one, "label", t)
		for k := range g.K {
			b.Add(r, e.colC(k, t), 1)
		}
		if !e.free {
			b.Add(r, e.colL(t), -1)
		}
		for i, y := range g.Y {
			r := b.AddRow(-mio.Inf, 0, "right_label", i+1, t)
			b.Add(r, e.colE(i, t), 1)
			b.Add(r, e.colC(int(y), t), -1)
		}
	}
	if !e.siblings {
		return
	}
	for m := e.last(); m < e.leaves(); m++ {
		for k := range g.K {
			r := b.AddRow(-mio.Inf, 1, "siblings", k+1, m)
			b.Add(r, e.colC(k, 2*m), 1)
			b.Add(r, e.colC(k, 2*m+1), 1)
		}
	}
}

// membershipRows, where N_min > min omega_i: sum_t z_ut = 1, z_ut <= l_t,
// e_it <= z_it, and sum_i omega_i z_it >= N_min l_t (7).
func (e *threshold) membershipRows(b *mio.Builder) {
	g := e.g
	for u := range e.unit.Len() {
		r := b.AddRow(1, 1, "member", u+1)
		for t := e.leaves(); t < 2*e.leaves(); t++ {
			b.Add(r, e.colZ(u, t), 1)
		}
	}
	weight := make([]float64, e.unit.Len())
	for i, w := range g.W {
		weight[e.unit.Of[i]] += w
	}
	for t := e.leaves(); t < 2*e.leaves(); t++ {
		least := b.AddRow(0, mio.Inf, "least", t)
		b.Add(least, e.colL(t), -g.MinLeaf)
		for u := range e.unit.Len() {
			b.Add(least, e.colZ(u, t), weight[u])
			r := b.AddRow(-mio.Inf, 0, "used", u+1, t)
			b.Add(r, e.colZ(u, t), 1)
			b.Add(r, e.colL(t), -1)
		}
		for i := range g.N {
			r := b.AddRow(-mio.Inf, 0, "counted", i+1, t)
			b.Add(r, e.colE(i, t), 1)
			b.Add(r, e.colZ(int(e.unit.Of[i]), t), -1)
		}
	}
}

// parentRows: d_t <= d_p(t), t not the root (5).
func (e *threshold) parentRows(b *mio.Builder) {
	for t := 2; t < e.leaves(); t++ {
		r := b.AddRow(-mio.Inf, 0, "parent", t)
		b.Add(r, e.colD(t), 1)
		b.Add(r, e.colD(t/2), -1)
	}
}

// maxSplitsRow: sum_t d_t <= C.
func (e *threshold) maxSplitsRow(b *mio.Builder) {
	if e.o.MaxSplits == 0 {
		return
	}
	cols := make([]mio.Col, 0, e.leaves())
	for t := 1; t < e.leaves(); t++ {
		cols = append(cols, e.colD(t))
	}
	build.AtMost(b, float64(e.o.MaxSplits), cols, "max_splits")
}

func (e *threshold) start(h *heapTree) []float64 {
	g := e.g
	v := make([]float64, e.numCols())
	for t := 1; t < e.leaves(); t++ {
		j := h.feature[t]
		if j < 0 {
			continue
		}
		v[e.colD(t)] = 1
		if t >= e.last() && e.pairs {
			e.startPair(v, h, t)
			continue
		}
		cut := h.cut[t]
		if t >= e.last() {
			cut = e.keptCut(j, cut, h.label[2*t])
		}
		e.eachFirst(t, func(q int, first mio.Col) {
			for k := 0; q == j && k < e.numCuts(t, j) && e.cut(t, j, k) <= cut; k++ {
				v[first+mio.Col(k)] = 1
			}
		})
	}
	e.startLabels(v, h)
	for i, y := range g.Y {
		leaf := h.find(g.Ranks(i), e.leaves())
		if !e.free {
			v[e.colZ(int(e.unit.Of[i]), leaf)] = 1
		}
		if h.label[leaf] != y || e.direct {
			continue
		}
		if e.pairs {
			leaf /= 2
		}
		v[e.colE(i, leaf)] = 1
	}
	return v
}

// startLabels sets c and l. A free leaf that is not in use takes a label that
// its sibling has not.
func (e *threshold) startLabels(v []float64, h *heapTree) {
	if e.pairs {
		for t := e.last(); t < e.leaves(); t++ {
			if h.feature[t] < 0 {
				v[e.colC(int(max(h.label[2*t+1], 0)), t)] = 1
			}
		}
		return
	}
	for t := e.leaves(); t < 2*e.leaves(); t++ {
		k := h.label[t]
		switch {
		case k < 0 && !e.free:
			continue
		case k < 0 && h.label[t^1] == 0:
			k = 1
		case k < 0 && h.label[t^1] < 0:
			k = int32(t & 1)
		case k < 0:
			k = 0
		}
		v[e.colC(int(k), t)] = 1
		if !e.free {
			v[e.colL(t)] = 1
		}
	}
}

// keptCut moves a last-level cut of feature j to a kept one that is no worse:
// right past values all of the left label, else left.
func (e *threshold) keptCut(j, cut int, left int32) int {
	keep := e.keep[j]
	q := firstAbove(keep, cut-1)
	if q < len(keep) && int(keep[q]) == cut || len(keep) == 0 {
		return cut
	}
	class := classOfValues(e.g, j)
	if (class[cut] == left || q == 0) && q < len(keep) {
		return int(keep[q])
	}
	return int(keep[max(q, 1)-1])
}

// firstAbove returns the index of the first of the ascending cuts that is
// greater than rank.
func firstAbove(cuts []int32, rank int) int {
	lo, hi := 0, len(cuts)
	for lo < hi {
		if mid := (lo + hi) / 2; int(cuts[mid]) > rank {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	return lo
}

func (e *threshold) numCols() int {
	if e.direct {
		return int(e.e)
	}
	if e.free {
		return int(e.e) + e.bins()*e.g.N
	}
	return int(e.l) + e.leaves()
}

func (e *threshold) describe(in *Inspection) { in.MPSBytes = e.mpsBytes() }

// decode reads the upper splits, which must be integral, and, where the last
// level is not re-optimised, its splits and labels too.
func (e *threshold) decode(v []float64) (*heapTree, error) {
	h := newHeapTree(e.o.Depth)
	end := e.last()
	if !e.free {
		end = e.leaves()
	}
	for t := 1; t < end; t++ {
		if err := e.decodeSplit(v, h, t); err != nil {
			return nil, err
		}
	}
	if e.free {
		return h, nil
	}
	for t := e.leaves(); t < 2*e.leaves(); t++ {
		for k := range e.g.K {
			on, err := point.Binary(v[e.colC(k, t)], "c", k+1, t)
			if err != nil {
				return nil, err
			}
			if on {
				h.label[t] = int32(k)
			}
		}
	}
	for i := range e.g.N {
		leaf := h.find(e.g.Ranks(i), e.leaves())
		if z := v[e.colZ(int(e.unit.Of[i]), leaf)]; z < 1-verify.Integrality {
			return nil, point.Bad("row %d is not in leaf %d, where the splits of the solution send it (z is %v)", i+1, leaf, z)
		}
	}
	return h, nil
}

func (e *threshold) decodeSplit(v []float64, h *heapTree, t int) (err error) {
	e.eachFirst(t, func(j int, first mio.Col) {
		for q := 0; q < e.numCuts(t, j) && err == nil; q++ {
			var on bool
			if on, err = point.Binary(v[first+mio.Col(q)], "w", t, j+1, e.cut(t, j, q)); !on {
				continue
			}
			if h.feature[t] >= 0 && h.feature[t] != j {
				err = point.Bad("node %d splits on two features, %q and %q", t, e.g.DS.Features[h.feature[t]], e.g.DS.Features[j])
			}
			h.feature[t], h.cut[t] = j, e.cut(t, j, q)
		}
	})
	if on, derr := point.Binary(v[e.colD(t)], "d", t); err == nil {
		if err = derr; err == nil && on != (h.feature[t] >= 0) {
			err = fmt.Errorf("formulate: %w: node %d: d says %v, w says otherwise", formulate.ErrDecode, t, on)
		}
	}
	return err
}
