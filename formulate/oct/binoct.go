package oct

import (
	"math/bits"

	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/internal/build"
	"github.com/octgen/octgen/formulate/internal/grid"
	"github.com/octgen/octgen/formulate/internal/point"
	"github.com/octgen/octgen/mio"
)

// binOCT is BinOCT: Verwer & Zhang, Learning optimal classification trees using a binary linear
// program formulation (2019). A branch node chooses a feature and, by bits, one of its thresholds,
// as in binary search; one big-M constraint sends all rows of a range of values at once. With B
// branch nodes t, T leaves l, p non-constant features, V_j thresholds of feature j, of ranks
// 1..V_j, and Q = max_j ceil(log2 V_j) bits:
//
//	f_tj in {0,1}    branch node t splits on feature j
//	b_tq in {0,1}    bit q of the place of its threshold, the highest first
//	d_t in [0,1]     branch node t splits
//	c_lk in {0,1}    leaf l predicts class k
//	z_il in [0,1]    row i is at leaf l
//	e_lk >= 0        weight of the rows of class k at leaf l if it predicts another class
//
//	min  (1/Lhat) sum_lk e_lk + alpha sum_t d_t
//
//	sum_j f_tj = d_t                                       branch nodes t        (1)
//	sum_l z_il = 1                                         rows i                (2)
//	sum_k c_lk = 1                                         leaves l              (3)
//	sum_{i: y_i = k} omega_i z_il - W_k c_lk <= e_lk       leaves l, classes k   (4)
//	sum of z_il over the rows with the minimum of j and
//	the leaves right of t <= M (1 - f_tj)                  t, j                  (5)
//	the same for the maximum, left of t                    t, j                  (6)
//
// and, since binary search has lo <= rank <= hi after the bits so far, with mid halfway,
//
//	sum of z_il over ranks mid..hi-1, left of t
//	    <= M (1 - f_tj + wrong bits so far + b_tq)          t, j, lo < hi         (7)
//	sum of z_il over ranks lo..mid, right of t
//	    <= M (1 - f_tj + wrong bits so far + 1 - b_tq)      t, j, lo < hi         (8)
//
// where M is the number of rows in the sum. The constraints of (5) to (8) with the threshold's
// feature and bits send every row to its side, so z need not be integral. Since all nodes split in
// the paper, it does not have d, nor
//
//	sum of z_il over all rows, left of t <= n d_t           t                     (9)
//	d_t <= d_p(t)                                           t not the root        (10)
//	sum_t d_t <= C                                          with max_splits       (11)
//	sum_i omega_i z_il >= N_min d_m(l)                      leaves l              (12)
//
// where m(l) is the lowest node of which l is in the left subtree; if there is none (the last
// leaf), d_m(l) is 1. (12) is present if leaves are not free. The numbers are those of this
// comment.
type binOCT struct {
	g         *grid.Grid
	depth     int
	alpha     float64
	maxSplits int // maximum number of splits; 0 for no limit
	bits      int // Q
	ranges    [][]searchRange

	f, b, d, c, z, e mio.Col // the first of each block
	cols             int
}

// searchRange is the range of ranks lo..hi that binary search for a threshold of a feature has left
// after some bits.
type searchRange struct {
	lo, mid, hi int
	bits        int // number of bits so far
	code        int // their values, the first the highest
}

// BinOCT is the formulation of Verwer & Zhang, extended by nodes that need not split.
const BinOCT formulate.Encoding = "binoct"

var binOCTKind = kind{BinOCT, Facts{Sums: true, Integral: true}, newBinOCT}

func newBinOCT(g *grid.Grid, o Options) (encoding, error) {
	e := &binOCT{g: g, depth: o.Depth, alpha: o.Alpha, maxSplits: o.MaxSplits, ranges: make([][]searchRange, g.P)}
	for _, j := range g.Active {
		thresholds := g.NumThresholds(j)
		e.bits = max(e.bits, bits.Len(uint(thresholds-1)))
		e.ranges[j] = searchRanges(nil, searchRange{lo: 1, hi: thresholds})
	}
	return e, nil
}

// searchRanges appends r and the ranges below it that have at least two ranks.
func searchRanges(all []searchRange, r searchRange) []searchRange {
	if r.lo >= r.hi {
		return all
	}
	r.mid = (r.lo + r.hi) / 2
	all = append(all, r)
	all = searchRanges(all, searchRange{lo: r.lo, hi: r.mid, bits: r.bits + 1, code: 2 * r.code})
	return searchRanges(all, searchRange{lo: r.mid + 1, hi: r.hi, bits: r.bits + 1, code: 2*r.code + 1})
}

func (e *binOCT) leaves() int { return 1 << e.depth }

// Variables of branch node t, the jx-th active feature, bit q from 0, leaf l, class k, row i.
func (e *binOCT) colF(jx, t int) mio.Col { return e.f + mio.Col((t-1)*len(e.g.Active)+jx) }
func (e *binOCT) colB(q, t int) mio.Col  { return e.b + mio.Col((t-1)*e.bits+q) }
func (e *binOCT) colD(t int) mio.Col     { return e.d + mio.Col(t-1) }
func (e *binOCT) colC(k, l int) mio.Col  { return e.c + mio.Col((l-e.leaves())*e.g.K+k) }
func (e *binOCT) colZ(i, l int) mio.Col  { return e.z + mio.Col((l-e.leaves())*e.g.N+i) }
func (e *binOCT) colE(k, l int) mio.Col  { return e.e + mio.Col((l-e.leaves())*e.g.K+k) }

func (e *binOCT) build(b *mio.Builder) {
	e.columns(b)
	e.featureRows(b)
	e.memberRows(b)
	e.labelRows(b)
	e.errorRows(b)
	for t := 1; t < e.leaves(); t++ {
		for jx, j := range e.g.Active {
			e.endRows(b, t, jx, j)
			for _, r := range e.ranges[j] {
				e.rangeRows(b, t, jx, j, r)
			}
		}
	}
	e.noSplitRows(b)
	e.maxSplitsRow(b)
	e.leastRows(b)
}

// columns adds f, b, d, c, z and e.
func (e *binOCT) columns(b *mio.Builder) {
	g, first, end := e.g, e.leaves(), 2*e.leaves()
	e.f = mio.Col(b.NumCols())
	for t := 1; t < first; t++ {
		for _, j := range g.Active {
			b.AddBinary(0, "f", j+1, t)
		}
	}
	e.b = mio.Col(b.NumCols())
	for t := 1; t < first; t++ {
		for q := range e.bits {
			b.AddBinary(0, "b", q+1, t)
		}
	}
	e.d = mio.Col(b.NumCols())
	for t := 1; t < first; t++ {
		b.AddCol(e.alpha, 0, 1, mio.Continuous, "d", t)
	}
	e.c = mio.Col(b.NumCols())
	for l := first; l < end; l++ {
		for k := range g.K {
			b.AddBinary(0, "c", k+1, l)
		}
	}
	e.z = mio.Col(b.NumCols())
	for l := first; l < end; l++ {
		for i := range g.N {
			b.AddCol(0, 0, 1, mio.Continuous, "z", i+1, l)
		}
	}
	e.e = mio.Col(b.NumCols())
	for l := first; l < end; l++ {
		for k := range g.K {
			b.AddCol(1/g.Lhat, 0, mio.Inf, mio.Continuous, "e", k+1, l)
		}
	}
	e.cols = b.NumCols()
}

// featureRows adds sum_j f_tj = d_t, all t (1).
func (e *binOCT) featureRows(b *mio.Builder) {
	for t := 1; t < e.leaves(); t++ {
		r := b.AddRow(0, 0, "feature", t)
		for jx := range e.g.Active {
			b.Add(r, e.colF(jx, t), 1)
		}
		b.Add(r, e.colD(t), -1)
	}
}

// memberRows adds sum_l z_il = 1, all i (2).
func (e *binOCT) memberRows(b *mio.Builder) {
	for i := range e.g.N {
		r := b.AddRow(1, 1, "member", i+1)
		for l := e.leaves(); l < 2*e.leaves(); l++ {
			b.Add(r, e.colZ(i, l), 1)
		}
	}
}

// labelRows adds sum_k c_lk = 1, all l (3).
func (e *binOCT) labelRows(b *mio.Builder) {
	for l := e.leaves(); l < 2*e.leaves(); l++ {
		r := b.AddRow(1, 1, "label", l)
		for k := range e.g.K {
			b.Add(r, e.colC(k, l), 1)
		}
	}
}

// errorRows adds sum_{i: y_i = k} omega_i z_il - W_k c_lk <= e_lk, all l and k (4), except for
// classes missing from the data.
func (e *binOCT) errorRows(b *mio.Builder) {
	g := e.g
	for l := e.leaves(); l < 2*e.leaves(); l++ {
		first := mio.Row(b.NumRows())
		for k, w := range g.ClassW {
			r := b.AddRow(-mio.Inf, 0, "error", k+1, l)
			if w > 0 {
				b.Add(r, e.colC(k, l), -w)
			}
			b.Add(r, e.colE(k, l), -1)
		}
		for i, y := range g.Y {
			b.Add(first+mio.Row(y), e.colZ(i, l), g.W[i])
		}
	}
}

// endRows sends rows with the minimum of feature j left at t (5), those with the maximum right (6).
func (e *binOCT) endRows(b *mio.Builder, t, jx, j int) {
	last := e.g.NumThresholds(j)
	for _, end := range []struct {
		name string
		rank int
		side int // the child below which they may not be
	}{{"least_value", 0, 2*t + 1}, {"greatest_value", last, 2 * t}} {
		r := b.AddRow(-mio.Inf, 0, end.name, j+1, t)
		m := e.addRanks(b, r, j, end.rank, end.rank, end.side)
		b.SetRowBounds(r, -mio.Inf, m)
		b.Add(r, e.colF(jx, t), m)
	}
}

// rangeRows adds (7) and (8): if the node's feature is j and the bits so far are those of the
// range, bit q = 0 sends ranks mid..hi-1 right (7), and 1 sends ranks lo..mid left (8).
func (e *binOCT) rangeRows(b *mio.Builder, t, jx, j int, s searchRange) {
	zero := b.AddRow(-mio.Inf, 0, "zero", j+1, s.lo, s.hi, t)
	e.relax(b, zero, e.addRanks(b, zero, j, s.mid, s.hi-1, 2*t), t, jx, s, 0)
	one := b.AddRow(-mio.Inf, 0, "one", j+1, s.lo, s.hi, t)
	e.relax(b, one, e.addRanks(b, one, j, s.lo, s.mid, 2*t+1), t, jx, s, 1)
}

// addRanks adds z_il to constraint r for the rows of ranks lo..hi of feature j and the leaves below
// node m, and returns the number of the rows.
func (e *binOCT) addRanks(b *mio.Builder, r mio.Row, j, lo, hi, m int) float64 {
	first, end := under(m, e.leaves())
	rows := 0.0
	for i := range e.g.N {
		if rank := int(e.g.Ranks(i)[j]); rank < lo || rank > hi {
			continue
		}
		rows++
		for l := first; l < end; l++ {
			b.Add(r, e.colZ(i, l), 1)
		}
	}
	return rows
}

// relax adds -M (1 - f_tj + wrong bits so far + [b_tq != next]) to constraint r, whose right-hand
// side contains the constants.
func (e *binOCT) relax(b *mio.Builder, r mio.Row, m float64, t, jx int, s searchRange, next int) {
	upper := m
	b.Add(r, e.colF(jx, t), m)
	wanted := 2*s.code + next
	for q := range s.bits + 1 {
		if wanted>>(s.bits-q)&1 == 1 {
			upper += m
			b.Add(r, e.colB(q, t), m)
		} else {
			b.Add(r, e.colB(q, t), -m)
		}
	}
	b.SetRowBounds(r, -mio.Inf, upper)
}

// noSplitRows sends all rows right at a node without a split (9), and allows no split below it
// (10).
func (e *binOCT) noSplitRows(b *mio.Builder) {
	for t := 1; t < e.leaves(); t++ {
		r := b.AddRow(-mio.Inf, 0, "no_split", t)
		first, end := under(2*t, e.leaves())
		for l := first; l < end; l++ {
			for i := range e.g.N {
				b.Add(r, e.colZ(i, l), 1)
			}
		}
		b.Add(r, e.colD(t), -float64(e.g.N))
		if t > 1 {
			r = b.AddRow(-mio.Inf, 0, "parent", t)
			b.Add(r, e.colD(t), 1)
			b.Add(r, e.colD(t/2), -1)
		}
	}
}

// maxSplitsRow adds sum_t d_t <= C (11).
func (e *binOCT) maxSplitsRow(b *mio.Builder) {
	if e.maxSplits == 0 {
		return
	}
	all := make([]mio.Col, e.leaves()-1)
	for t := range all {
		all[t] = e.colD(t + 1)
	}
	build.AtMost(b, float64(e.maxSplits), all, "max_splits")
}

// leastRows adds sum_i omega_i z_il >= N_min d_m(l), all l, if leaves are not free (12).
func (e *binOCT) leastRows(b *mio.Builder) {
	if e.g.FreeLeaves() {
		return
	}
	for l := e.leaves(); l < 2*e.leaves(); l++ {
		m := leftOf(l)
		least := 0.0
		if m == 0 {
			least = e.g.MinLeaf
		}
		r := b.AddRow(least, mio.Inf, "least", l)
		for i := range e.g.N {
			b.Add(r, e.colZ(i, l), e.g.W[i])
		}
		if m > 0 {
			b.Add(r, e.colD(m), -e.g.MinLeaf)
		}
	}
}

// leftOf returns the lowest node of which node l is in the left subtree, 0 for none.
func leftOf(l int) int {
	for l > 1 && l%2 == 1 {
		l /= 2
	}
	return l / 2
}

// Points of trees in BinOCT's model, and figures known before the model is built.

// size returns the closed form. With R = sum_j (V_j - 1) ranges of two or more thresholds, Z_t the
// nonzeros of z in the constraints (5) to (8) of node t over the leaves on one side of it, and q_r
// the bits before range r:
//
//	columns   B (p + Q + 1) + T (2K + n)     [binaries  B (p + Q) + T K]
//	rows      B + n + T + T K + B (2p + 2R) + B + B - 1   [+ 1 with max_splits, + T least]
//	nonzeros  B (p + 1) + n T + T K + T (n + K + classes with rows)
//	          + sum_t Z_t + 2B (p + sum_r (2 + q_r)) + sum_t (n |left_t| + 1) + 2 (B - 1)
//	          [+ B] [+ T n + T - 1]
func (e *binOCT) size() formulate.Size {
	n, p, k := int64(e.g.N), int64(len(e.g.Active)), int64(e.g.K)
	branches, leaves := int64(e.leaves()-1), int64(e.leaves())
	present := int64(0)
	for _, w := range e.g.ClassW {
		if w > 0 {
			present++
		}
	}
	held, ranges, terms := e.sums()
	side := int64(e.depth) * leaves / 2 // leaves left of a node, summed over all nodes
	s := formulate.Size{
		Cols:     branches*(p+int64(e.bits)+1) + leaves*(2*k+n),
		Binaries: branches*(p+int64(e.bits)) + leaves*k,
		Rows:     branches + n + leaves + leaves*k + 2*branches*(p+ranges) + branches + branches - 1,
		Nonzeros: branches*(p+1) + n*leaves + leaves*k + leaves*(n+k+present) +
			held*side + 2*branches*(p+terms) + n*side + branches + 2*(branches-1),
	}
	if e.maxSplits > 0 {
		s.Add(formulate.Size{Rows: 1, Nonzeros: branches})
	}
	if !e.g.FreeLeaves() {
		s.Add(formulate.Size{Rows: leaves, Nonzeros: leaves*n + leaves - 1})
	}
	return s
}

// sums returns the number of rows of the data in the sums (5) to (8) of a node, the number of its
// ranges, and the number of f and b in (7), or (8), of all of them.
func (e *binOCT) sums() (held, ranges, terms int64) {
	for _, j := range e.g.Active {
		below := make([]int64, len(e.g.Vals[j])+1) // rows of ranks below
		for i := range e.g.N {
			below[e.g.Ranks(i)[j]+1]++
		}
		for v := 1; v < len(below); v++ {
			below[v] += below[v-1]
		}
		rows := func(lo, hi int) int64 { return below[hi+1] - below[lo] }
		last := e.g.NumThresholds(j)
		held += rows(0, 0) + rows(last, last)
		for _, s := range e.ranges[j] {
			held += rows(s.mid, s.hi-1) + rows(s.lo, s.mid)
			terms += 2 + int64(s.bits)
		}
		ranges += int64(len(e.ranges[j]))
	}
	return held, ranges, terms
}

func (e *binOCT) tightenings() []string { return nil }

// norm: any leaf may have any label.
func (e *binOCT) norm() norm { return norm{} }

func (e *binOCT) start(h *heapTree) []float64 {
	x := make([]float64, e.cols)
	for t := 1; t < e.leaves(); t++ {
		for jx, j := range e.g.Active {
			if h.feature[t] == j {
				x[e.colF(jx, t)], x[e.colD(t)] = 1, 1
				e.setBits(x, t, j, h.threshold[t])
			}
		}
	}
	for l := e.leaves(); l < 2*e.leaves(); l++ {
		x[e.colC(int(max(h.label[l], 0)), l)] = 1
	}
	for i, y := range e.g.Y {
		l := h.find(e.g.Ranks(i), e.leaves())
		x[e.colZ(i, l)] = 1
		if h.label[l] != y {
			x[e.colE(int(y), l)] += e.g.W[i]
		}
	}
	return x
}

// setBits sets the bits of the threshold of rank c of feature j.
func (e *binOCT) setBits(x []float64, t, j, c int) {
	lo, hi := 1, e.g.NumThresholds(j)
	for q := 0; lo < hi; q++ {
		if mid := (lo + hi) / 2; c <= mid {
			hi = mid
		} else {
			x[e.colB(q, t)], lo = 1, mid+1
		}
	}
}

// decode reads f, b, d and c, which must all be integral.
func (e *binOCT) decode(x []float64) (*heapTree, error) {
	h := newHeapTree(e.depth)
	for t := 1; t < e.leaves(); t++ {
		on, err := point.Binary(x[e.colD(t)], "d", t)
		if err != nil {
			return nil, err
		}
		if err := e.decodeFeature(x, h, t); err != nil {
			return nil, err
		}
		if on != (h.feature[t] >= 0) {
			return nil, point.Bad("node %d: d is %v, which contradicts f", t, on)
		}
	}
	for l := e.leaves(); l < 2*e.leaves(); l++ {
		for k := range e.g.K {
			on, err := point.Binary(x[e.colC(k, l)], "c", k+1, l)
			if err != nil {
				return nil, err
			}
			if on {
				h.label[l] = int32(k)
			}
		}
	}
	return h, nil
}

// decodeFeature reads the feature of node t and the threshold that its bits encode.
func (e *binOCT) decodeFeature(x []float64, h *heapTree, t int) error {
	for jx, j := range e.g.Active {
		on, err := point.Binary(x[e.colF(jx, t)], "f", j+1, t)
		switch {
		case err != nil:
			return err
		case !on:
			continue
		case h.feature[t] >= 0:
			return point.Bad("node %d splits on two features, %q and %q", t, e.g.DS.Features[h.feature[t]], e.g.DS.Features[j])
		}
		lo, hi := 1, e.g.NumThresholds(j)
		for q := 0; lo < hi; q++ {
			up, err := point.Binary(x[e.colB(q, t)], "b", q+1, t)
			if err != nil {
				return err
			}
			if mid := (lo + hi) / 2; up {
				lo = mid + 1
			} else {
				hi = mid
			}
		}
		h.feature[t], h.threshold[t] = j, lo
	}
	return nil
}

// describe estimates the MPS file.
func (e *binOCT) describe(in *Inspection) {
	g, size := e.g, e.size()
	in.MMin, in.MMax = 1, float64(g.N)
	for _, w := range g.ClassW {
		in.MMax = max(in.MMax, w)
	}
	f := &fileSize{left: size, entries: size.Nonzeros, cost: valueLen(1 / g.Lhat)}
	row, leaf, node := digits(g.N), digits(2*e.leaves()), digits(e.leaves())
	n, leaves := int64(g.N), int64(e.leaves())
	held, _, _ := e.sums()
	side := int64(e.depth) * leaves / 2
	f.take(n, n*leaves, 7+row)                                          // member
	f.columns(n*leaves, held*side+n*(2*leaves+side), false, 3+row+leaf) // z
	f.choice = 4 + node + digits(g.P)
	f.cols(f.left.Cols, f.entries, f.choice, true)
	f.rows(f.left.Rows, f.left.Nonzeros, 10+digits(g.P)+node, shortValue)
	f.rhs(f.left.Rows, 10+digits(g.P)+node, 2)
	in.MPSBytes = int64(f.mpsSize)
	in.Proof = e.proof(in.work())
}

// proof describes the measured effort of proofs (docs/encodings.md).
func (e *binOCT) proof(work float64) string {
	if work <= 1e4 {
		return "possible, in minutes; encoding threshold is much faster"
	}
	return "not realistic with an open solver: big-M of whole ranges of rows; use encoding threshold, or the engine search"
}
