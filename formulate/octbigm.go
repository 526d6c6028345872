package formulate

import (
	"fmt"
	"math"
	"slices"

	"github.com/octgen/octgen/mio"
)

// octBigM is problem (24) of Bertsimas & Dunn (2017) on features scaled to
// [0, 1], with the corrections that DESIGN names: the left-branch row (13) with
// eps_min moved in, no upper row on L_t, weights for counts.
//
// With n merged rows, p features that vary, K classes, B = 2^D - 1 branch nodes,
// T = 2^D leaves, and D T = the (leaf, ancestor) pairs, the model has
//
//	columns   B (p + 2) + T (n + 2 + 2K)          [binaries  B (p + 1) + T (n + 1 + K)]
//	rows      T (2K + 1 + 1) + D T n + n + n T + T + 2B + (B - 1) [+ 1 with max_splits]
//	          (loss K, count K + 1, class 1; branch D n; membership, z <= l, N_min)
type octBigM struct {
	g         *grid
	o         OCTOptions
	published bool

	x              []float64   // (n, p) scaled
	level          [][]float64 // (p) scaled distinct values
	eps            []float64   // (p) least gap between scaled values; 0 for constant features
	epsMin, epsMax float64

	// Columns. Node indices are heap order; branch nodes 1..B, leaves T..2T-1.
	a, d, b, l, z, c, loss, nk, nt mio.Col // first of each block
}

func newBigM(g *grid, o OCTOptions) (*octBigM, error) {
	e := &octBigM{g: g, o: o, published: o.Encoding == BigMPublished}
	if err := e.scale(); err != nil {
		return nil, err
	}
	return e, nil
}

// scale maps every feature to [0, 1] and finds eps_j, eps_min and eps_max.
func (e *octBigM) scale() error {
	g := e.g
	e.level = make([][]float64, g.p)
	e.eps = make([]float64, g.p)
	e.epsMin = math.Inf(1)
	for _, j := range g.active {
		v := g.vals[j]
		lv := make([]float64, len(v))
		for q := range v {
			if e.o.Scale == RankScale {
				lv[q] = float64(q) / float64(len(v)-1)
			} else {
				lv[q] = (v[q] - v[0]) / (v[len(v)-1] - v[0])
			}
		}
		gap := math.Inf(1)
		for q := 1; q < len(lv); q++ {
			gap = min(gap, lv[q]-lv[q-1])
		}
		if !(gap > 0) || !(lv[len(lv)-1] <= 1) {
			return fmt.Errorf("formulate: feature %q cannot be scaled to [0, 1] by min-max (values from %v to %v): use scale %q", g.ds.Features[j], v[0], v[len(v)-1], RankScale)
		}
		e.level[j], e.eps[j] = lv, gap
		e.epsMin, e.epsMax = min(e.epsMin, gap), max(e.epsMax, gap)
	}
	e.x = make([]float64, g.n*g.p)
	for i := range g.n {
		for _, j := range g.active {
			e.x[i*g.p+j] = e.level[j][g.rank[i*g.p+j]]
		}
	}
	return nil
}

func (e *octBigM) branch() int { return 1<<e.o.Depth - 1 }
func (e *octBigM) leaves() int { return 1 << e.o.Depth }

// Columns of branch node t (1..B), the jx-th active feature; of leaf t
// (T..2T-1), row i, class k.
func (e *octBigM) colA(jx, t int) mio.Col { return e.a + mio.Col((t-1)*len(e.g.active)+jx) }
func (e *octBigM) colD(t int) mio.Col     { return e.d + mio.Col(t-1) }
func (e *octBigM) colB(t int) mio.Col     { return e.b + mio.Col(t-1) }
func (e *octBigM) colZ(i, t int) mio.Col  { return e.z + mio.Col((t-e.leaves())*e.g.n+i) }
func (e *octBigM) colL(t int) mio.Col     { return e.l + mio.Col(t-e.leaves()) }
func (e *octBigM) colC(k, t int) mio.Col  { return e.c + mio.Col((t-e.leaves())*e.g.k+k) }
func (e *octBigM) colLoss(t int) mio.Col  { return e.loss + mio.Col(t-e.leaves()) }
func (e *octBigM) colNK(k, t int) mio.Col { return e.nk + mio.Col((t-e.leaves())*e.g.k+k) }
func (e *octBigM) colN(t int) mio.Col     { return e.nt + mio.Col(t-e.leaves()) }

func (e *octBigM) build(b *mio.Builder) {
	e.columns(b)
	e.lossRows(b)
	e.countRows(b)
	e.classRows(b)
	e.rightRows(b)
	e.leftRows(b)
	e.membershipRows(b)
	e.leafSizeRows(b)
	e.splitRows(b)
	e.maxSplitsRow(b)
}

// columns adds a, d, b at branch nodes, then z, l, c, L, N_kt, N_t at leaves:
// all of (24). z, l, c, a, d are binary.
func (e *octBigM) columns(b *mio.Builder) {
	g, first, end := e.g, e.leaves(), 2*e.leaves()
	e.a = mio.Col(b.NumCols())
	for t := 1; t < first; t++ {
		for _, j := range g.active {
			b.AddBinary(0, "a", j+1, t)
		}
	}
	e.d = mio.Col(b.NumCols())
	for t := 1; t < first; t++ {
		b.AddBinary(e.o.Alpha, "d", t)
	}
	e.b = mio.Col(b.NumCols())
	for t := 1; t < first; t++ {
		b.AddCol(0, 0, 1, mio.Continuous, "b", t)
	}
	e.z = mio.Col(b.NumCols())
	for t := first; t < end; t++ {
		for i := range g.n {
			b.AddBinary(0, "z", i+1, t)
		}
	}
	e.l = mio.Col(b.NumCols())
	for t := first; t < end; t++ {
		b.AddBinary(0, "l", t)
	}
	e.c = mio.Col(b.NumCols())
	for t := first; t < end; t++ {
		for k := range g.k {
			b.AddBinary(0, "c", k+1, t)
		}
	}
	e.loss = mio.Col(b.NumCols())
	for t := first; t < end; t++ {
		b.AddCol(1/g.lhat, 0, mio.Inf, mio.Continuous, "L", t)
	}
	e.nk = mio.Col(b.NumCols())
	for t := first; t < end; t++ {
		for k := range g.k {
			b.AddCol(0, 0, g.classW[k], mio.Continuous, "N", k+1, t)
		}
	}
	e.nt = mio.Col(b.NumCols())
	for t := first; t < end; t++ {
		b.AddCol(0, 0, g.total, mio.Continuous, "N", t)
	}
}

// lossRows: L_t >= N_t - N_kt - (W - W_k)(1 - c_kt), all k, t in T_L. Rows (20)
// with the tighter W - W_k for n; the upper rows (21) are redundant and left out.
func (e *octBigM) lossRows(b *mio.Builder) {
	for t := e.leaves(); t < 2*e.leaves(); t++ {
		for k, wk := range e.g.classW {
			m := e.g.total - wk
			r := b.AddRow(-m, mio.Inf, "loss", k+1, t)
			b.Add(r, e.colLoss(t), 1)
			b.Add(r, e.colN(t), -1)
			b.Add(r, e.colNK(k, t), 1)
			b.Add(r, e.colC(k, t), -m)
		}
	}
}

// countRows: N_kt = sum_{i: y_i = k} omega_i z_it (15) and
// N_t = sum_i omega_i z_it (16), all k, t in T_L.
func (e *octBigM) countRows(b *mio.Builder) {
	for t := e.leaves(); t < 2*e.leaves(); t++ {
		first := mio.Row(b.NumRows())
		for k := range e.g.k {
			b.Add(b.AddRow(0, 0, "class", k+1, t), e.colNK(k, t), -1)
		}
		all := b.AddRow(0, 0, "weight", t)
		b.Add(all, e.colN(t), -1)
		for i, y := range e.g.y {
			b.Add(first+mio.Row(y), e.colZ(i, t), e.g.w[i])
			b.Add(all, e.colZ(i, t), e.g.w[i])
		}
	}
}

// classRows: sum_k c_kt = l_t (18), t in T_L.
func (e *octBigM) classRows(b *mio.Builder) {
	for t := e.leaves(); t < 2*e.leaves(); t++ {
		r := b.AddRow(0, 0, "label", t)
		for k := range e.g.k {
			b.Add(r, e.colC(k, t), 1)
		}
		b.Add(r, e.colL(t), -1)
	}
}

// rightRows: a_m.x_i >= b_m - (1 - z_it), all i, t in T_L, m in A_R(t) (14).
func (e *octBigM) rightRows(b *mio.Builder) {
	e.eachAncestor(func(t, m int, left bool) {
		if left {
			return
		}
		for i := range e.g.n {
			r := b.AddRow(-1, mio.Inf, "right", i+1, t, m)
			for jx, j := range e.g.active {
				if x := e.x[i*e.g.p+j]; x != 0 {
					b.Add(r, e.colA(jx, m), x)
				}
			}
			b.Add(r, e.colB(m), -1)
			b.Add(r, e.colZ(i, t), -1)
		}
	})
}

// leftRows: a_m.(x_i + eps - eps_min) + eps_min <= b_m + (1 + eps_max)(1 - z_it),
// all i, t in T_L, m in A_L(t): row (13) as corrected in Dunn's thesis. As
// published, a_m.(x_i + eps) <= b_m + (1 + eps_max)(1 - z_it), which a node
// without a split (a = 0, b = 0) satisfies for every point.
func (e *octBigM) leftRows(b *mio.Builder) {
	shift := e.epsMin
	if e.published {
		shift = 0
	}
	e.eachAncestor(func(t, m int, left bool) {
		if !left {
			return
		}
		for i := range e.g.n {
			r := b.AddRow(-mio.Inf, 1+e.epsMax-shift, "left", i+1, t, m)
			for jx, j := range e.g.active {
				if v := e.x[i*e.g.p+j] + e.eps[j] - shift; v != 0 {
					b.Add(r, e.colA(jx, m), v)
				}
			}
			b.Add(r, e.colB(m), -1)
			b.Add(r, e.colZ(i, t), 1+e.epsMax)
		}
	})
}

// eachAncestor calls f for every leaf t and ancestor m of it, with whether t is
// below m's left branch.
func (e *octBigM) eachAncestor(f func(t, m int, left bool)) {
	for t := e.leaves(); t < 2*e.leaves(); t++ {
		for at := t; at > 1; at /= 2 {
			f(t, at/2, at%2 == 0)
		}
	}
}

// membershipRows: sum_{t in T_L} z_it = 1, all i (8), and z_it <= l_t, all i,
// t in T_L (6).
func (e *octBigM) membershipRows(b *mio.Builder) {
	for i := range e.g.n {
		r := b.AddRow(1, 1, "member", i+1)
		for t := e.leaves(); t < 2*e.leaves(); t++ {
			b.Add(r, e.colZ(i, t), 1)
		}
	}
	for t := e.leaves(); t < 2*e.leaves(); t++ {
		for i := range e.g.n {
			r := b.AddRow(-mio.Inf, 0, "used", i+1, t)
			b.Add(r, e.colZ(i, t), 1)
			b.Add(r, e.colL(t), -1)
		}
	}
}

// leafSizeRows: sum_i omega_i z_it >= N_min l_t, t in T_L (7).
func (e *octBigM) leafSizeRows(b *mio.Builder) {
	for t := e.leaves(); t < 2*e.leaves(); t++ {
		r := b.AddRow(0, mio.Inf, "least", t)
		for i, w := range e.g.w {
			b.Add(r, e.colZ(i, t), w)
		}
		if e.o.MinLeaf > 0 {
			b.Add(r, e.colL(t), -e.o.MinLeaf)
		}
	}
}

// splitRows: sum_j a_jt = d_t (2), b_t <= d_t (3), d_t <= d_p(t) for t not the
// root (5), all t in T_B.
func (e *octBigM) splitRows(b *mio.Builder) {
	for t := 1; t <= e.branch(); t++ {
		r := b.AddRow(0, 0, "split", t)
		for jx := range e.g.active {
			b.Add(r, e.colA(jx, t), 1)
		}
		b.Add(r, e.colD(t), -1)
		r = b.AddRow(-mio.Inf, 0, "bound", t)
		b.Add(r, e.colB(t), 1)
		b.Add(r, e.colD(t), -1)
		if t > 1 {
			r = b.AddRow(-mio.Inf, 0, "parent", t)
			b.Add(r, e.colD(t), 1)
			b.Add(r, e.colD(t/2), -1)
		}
	}
}

// maxSplitsRow: sum_{t in T_B} d_t <= C (section 3 of the paper).
func (e *octBigM) maxSplitsRow(b *mio.Builder) {
	if e.o.MaxSplits == 0 {
		return
	}
	cols := make([]mio.Col, 0, e.branch())
	for t := 1; t <= e.branch(); t++ {
		cols = append(cols, e.colD(t))
	}
	addUpTo(b, float64(e.o.MaxSplits), cols, "max_splits")
}

// size is the closed form of the octBigM comment, nonzeros included.
func (e *octBigM) size() Size {
	g := e.g
	n, p, k := int64(g.n), int64(len(g.active)), int64(g.k)
	br, lv, d := int64(e.branch()), int64(e.leaves()), int64(e.o.Depth)
	s := Size{
		Cols:     br*(p+2) + lv*(n+2+2*k) + lv,
		Binaries: br*(p+1) + lv*(n+1+k),
		Rows:     lv*(2*k+2) + d*lv*n + n + n*lv + lv + 2*br + br - 1,
	}
	zeros, leftZeros := int64(0), int64(0) // x_ij = 0; x_ij + eps_j = shift
	shift := e.epsMin
	if e.published {
		shift = 0
	}
	for i := range g.n {
		for _, j := range g.active {
			if e.x[i*g.p+j] == 0 {
				zeros++
			}
			if e.x[i*g.p+j]+e.eps[j]-shift == 0 {
				leftZeros++
			}
		}
	}
	s.Nonzeros = lv*k*4 + lv*(k+1+2*n) + lv*(k+1) // loss, counts, labels
	s.Nonzeros += d * lv / 2 * (2*n*(p+2) - zeros - leftZeros)
	s.Nonzeros += n*lv + 2*n*lv + lv*n + br*(p+1) + 2*br + 2*(br-1)
	if e.o.MinLeaf > 0 {
		s.Nonzeros += lv
	}
	if e.o.MaxSplits > 0 {
		s.Rows++
		s.Nonzeros += br
	}
	for k := range g.classW { // W - W_k = 0 where one class has all the weight
		if g.total-g.classW[k] == 0 {
			s.Nonzeros -= lv
		}
	}
	return s
}

func (e *octBigM) start(h *heapTree) []float64 {
	g := e.g
	v := make([]float64, int(e.nt)+e.leaves())
	for t := 1; t <= e.branch(); t++ {
		if j := h.feature[t]; j >= 0 {
			jx, _ := slices.BinarySearch(g.active, j)
			v[e.colA(jx, t)], v[e.colD(t)] = 1, 1
			v[e.colB(t)] = e.level[j][h.cut[t]]
		}
	}
	for i := range g.n {
		t := h.find(g.ranks(i), e.leaves())
		v[e.colZ(i, t)] = 1
		v[e.colNK(int(g.y[i]), t)] += g.w[i]
		v[e.colN(t)] += g.w[i]
		v[e.colL(t)] = 1
	}
	for t := e.leaves(); t < 2*e.leaves(); t++ {
		if v[e.colL(t)] == 1 {
			k := int(h.label[t])
			v[e.colC(k, t)] = 1
			v[e.colLoss(t)] = v[e.colN(t)] - v[e.colNK(k, t)]
		}
	}
	return v
}

func (e *octBigM) decode(v []float64) (*heapTree, error) {
	g := e.g
	h := newHeapTree(e.o.Depth)
	for t := 1; t <= e.branch(); t++ {
		on, err := asBinary(v[e.colD(t)], "d", t)
		if err != nil {
			return nil, err
		}
		for jx, j := range g.active {
			a, err := asBinary(v[e.colA(jx, t)], "a", j+1, t)
			if err != nil {
				return nil, err
			}
			if a != on && a || a && h.feature[t] >= 0 {
				return nil, badPoint("branch node %d splits on feature %q, though d or another feature says otherwise", t, g.ds.Features[j])
			}
			if a {
				// Left rows have x <= b - eps_j, right ones x >= b: the middle
				// of that gap is the tolerant place to cut.
				h.feature[t] = j
				h.cut[t], _ = slices.BinarySearch(e.level[j], v[e.colB(t)]-e.eps[j]/2)
			}
		}
		if on && h.feature[t] < 0 {
			return nil, badPoint("branch node %d splits on no feature", t)
		}
	}
	for i := range g.n {
		at := h.find(g.ranks(i), e.leaves())
		z, err := asBinary(v[e.colZ(i, at)], "z", i+1, at)
		if err != nil {
			return nil, err
		}
		if !z {
			return nil, badPoint("row %d is not in leaf %d, where the splits of the solution send it", i+1, at)
		}
	}
	for t := e.leaves(); t < 2*e.leaves(); t++ {
		for k := range g.k {
			c, err := asBinary(v[e.colC(k, t)], "c", k+1, t)
			if err != nil {
				return nil, err
			}
			if c {
				h.label[t] = int32(k)
			}
		}
	}
	return h, nil
}
