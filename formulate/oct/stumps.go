package oct

import (
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/internal/grid"
	"github.com/octgen/octgen/mio"
)

// stumps is a last level of complete stumps. At every last-level node m, one choice replaces the
// label variables, the thresholds w and the two routing constraints per point. A stump splits on
// feature j at a threshold and labels left k and right l, k != l, or is a leaf of class k:
//
//	u_m,jkl,v = 1 iff m splits on j at the threshold of index v with labels k, l
//	sum_jkl,v u_m,jkl,v = d_m;   d_m + sum_k c_km = 1
//	e_im <= c_{y_i,m} + sum_j [ sum_{l != y_i} sum_{v >= rho(i)} u_m,j y_i l,v
//	                          + sum_{k != y_i} sum_{v < rho(i)} u_m,j k y_i,v ]
//
// where rho(i) is the index of the first threshold of the stump above x_ij: the thresholds from
// there on send row i left, where y_i = k is correct, the others right. e_im now is 1 if row i
// reaches m and is counted as correct there, and the upper routing constraints sum it over the
// last-level nodes below.
//
// Claim: the level is exact if leaves are free (N_min <= min omega_i), like the continuous last
// level. Proof: with the upper splits integral, the objective is linear in u and c over one simplex
// per node, coupled only by max_splits; so even the labels need no integrality and the upper w are
// the only binaries. It is tighter as well: a mixture of stumps cannot combine the threshold of one
// with the labels of another.
//
// Thinned, the pair (k, l) keeps the thresholds whose last value below with a row of k or l has a
// row of k, and whose first value above has a row of l. Claim: this is exact. Proof: any other
// threshold may move left past values without k, or right past values without l, and lose nothing.
//
// Sums over ranges of thresholds make a linear program slow or large. There are two ways to write
// them (ranges), with the same relaxation. With blocks, the default, a range is a U and at most
// blockSize/2 of the u. With cumulative u, it is the difference of two variables, but there are as
// many constraints as variables, which slows the simplex method down.
type stumps struct {
	*frame
	list     []stump
	touching [][]*stump // (K) those that assign label k
	sums     ranges
	kind     mio.VarType // of u
	c        labels      // of last-level nodes that do not split

	u       mio.Col // the first of the block
	num     int     // number of its variables per node
	scratch []term
}

func newStumps(f *frame, sums ranges, thin bool, kind mio.VarType) stumps {
	s := stumps{frame: f, sums: sums, kind: kind, c: labels{frame: f, first: f.last(), kind: kind}}
	for _, j := range f.g.Active {
		s.addFeature(j, thin)
	}
	s.touching = make([][]*stump, f.g.K)
	for i := range s.list {
		p := &s.list[i]
		s.touching[p.k] = append(s.touching[p.k], p)
		s.touching[p.l] = append(s.touching[p.l], p)
	}
	return s
}

// addFeature lists the stumps on feature j by left and right label. It omits those without a
// threshold.
func (s *stumps) addFeature(j int, thin bool) {
	has := classesOfValues(s.g, j)
	for k := range s.g.K {
		for l := range s.g.K {
			if k == l {
				continue
			}
			thresholds := stumpThresholds(s.g, j, has, k, l, thin)
			if len(thresholds) == 0 {
				continue
			}
			p := stump{j: j, k: int32(k), l: int32(l), thresholds: thresholds, at: s.num, extra: s.sums.extra(len(thresholds))}
			s.num += len(thresholds) + p.extra
			s.list = append(s.list, p)
		}
	}
}

// node returns the first variable u of last-level node t.
func (s *stumps) node(t int) mio.Col { return s.u + mio.Col((t-s.last())*s.num) }

func (s *stumps) columns(b *mio.Builder) {
	s.addD(b)
	s.u = mio.Col(b.NumCols())
	for t := s.last(); t < s.leaves(); t++ {
		for i := range s.list {
			p := &s.list[i]
			for _, theta := range p.thresholds {
				b.AddCol(0, 0, 1, s.kind, "u", t, p.j+1, int(p.k)+1, int(p.l)+1, int(theta))
			}
			s.sums.addExtra(b, p, t)
		}
	}
	s.c.add(b)
}

// stumpRows adds sum_v u_v = d_t, the constraints within u, and d_t + sum_k c_kt = 1, at last-level
// node t.
func (s *stumps) stumpRows(b *mio.Builder, t int) {
	first := s.node(t)
	pick := b.AddRow(0, 0, "split", t)
	b.Add(pick, s.colD(t), -1)
	for i := range s.list {
		p := &s.list[i]
		s.scratch = s.sums.tail(s.scratch[:0], p, 0)
		for _, m := range s.scratch {
			b.Add(pick, first+mio.Col(m.at), m.sign)
		}
		s.sums.tie(b, p, t, first)
	}
	one := b.AddRow(1, 1, "stump", t)
	b.Add(one, s.colD(t), 1)
	for k := range s.g.K {
		b.Add(one, s.c.col(k, t), 1)
	}
}

// right calls add with the terms that are 1 if the stump of last-level node t classifies row i
// correctly.
func (s *stumps) right(t, i int, add func(c mio.Col, v float64)) {
	y, ranks, first := s.g.Y[i], s.g.Ranks(i), s.node(t)
	add(s.c.col(int(y), t), 1)
	for _, p := range s.touching[y] {
		q := firstAbove(p.thresholds, int(ranks[p.j]))
		if p.k == y {
			s.scratch = s.sums.tail(s.scratch[:0], p, q)
		} else {
			s.scratch = s.sums.head(s.scratch[:0], p, q)
		}
		for _, m := range s.scratch {
			add(first+mio.Col(m.at), m.sign)
		}
	}
}

// nodeSize returns the size of a node: its variables, and its stumpRows.
func (s *stumps) nodeSize() formulate.Size {
	k := int64(s.g.K)
	z := formulate.Size{Cols: int64(s.num) + k, Rows: 1 + 1, Nonzeros: 1 + 1 + k}
	if s.kind == mio.Binary {
		z.Binaries = k
	}
	for i := range s.list {
		p := &s.list[i]
		if s.kind == mio.Binary {
			z.Binaries += int64(len(p.thresholds))
		}
		s.scratch = s.sums.tail(s.scratch[:0], p, 0)
		z.Nonzeros += int64(len(s.scratch))
		z.Add(s.sums.tieSize(p))
	}
	return z
}

// rightTerms returns the number of terms in u of right over all rows, at one node. The sums are the
// same for all values between two thresholds.
func (s *stumps) rightTerms() int64 {
	var n int64
	var has []int32
	at := -1
	for i := range s.list {
		p := &s.list[i]
		if p.j != at {
			has, at = classesOfValues(s.g, p.j), p.j
		}
		low := 0 // the values low..high-1 lie between thresholds q-1 and q
		for q := range len(p.thresholds) + 1 {
			high := len(s.g.Vals[p.j])
			if q < len(p.thresholds) {
				high = int(p.thresholds[q])
			}
			s.scratch = s.sums.tail(s.scratch[:0], p, q)
			tail := int64(len(s.scratch))
			s.scratch = s.sums.head(s.scratch[:0], p, q)
			head := int64(len(s.scratch))
			for v := low; v < high; v++ {
				n += int64(has[v*s.g.K+int(p.k)])*tail + int64(has[v*s.g.K+int(p.l)])*head
			}
			low = high
		}
	}
	return n
}

// start sets u and c.
func (s *stumps) start(x []float64, h *heapTree) {
	for t := s.last(); t < s.leaves(); t++ {
		if h.feature[t] >= 0 {
			s.choose(x, h, t)
		} else {
			x[s.c.col(int(max(h.label[2*t+1], 0)), t)] = 1
		}
	}
}

// choose sets u for the split of last-level node t of h, moved to a kept threshold that is no
// worse.
func (s *stumps) choose(x []float64, h *heapTree, t int) {
	for i := range s.list {
		p := &s.list[i]
		if p.j == h.feature[t] && p.k == h.label[2*t] && p.l == h.label[2*t+1] {
			s.sums.choose(x[s.node(t):], p, s.keptThreshold(p, h.threshold[t]))
			return
		}
	}
	panic("oct: a re-optimised split has no column")
}

// keptThreshold returns the index of the kept threshold of p that is no worse than theta: the next
// one to the right if only values without l lie in between, else the next one to the left.
func (s *stumps) keptThreshold(p *stump, theta int) int {
	q := firstAbove(p.thresholds, theta-1)
	if q == len(p.thresholds) {
		return q - 1
	}
	if int(p.thresholds[q]) == theta || q == 0 {
		return q
	}
	has := classesOfValues(s.g, p.j)
	for v := theta; v < int(p.thresholds[q]); v++ {
		if has[v*s.g.K+int(p.l)] > 0 {
			return q - 1
		}
	}
	return q
}

// decode does nothing: the level is re-optimised.
func (s *stumps) decode([]float64, *heapTree) error { return nil }

// countedStumps is a last level of stumps below other levels, whose rows are counted by e_it. Its
// bins are the last-level nodes.
type countedStumps struct {
	stumps
	e counts
}

func (s *countedStumps) columns(b *mio.Builder) {
	s.stumps.columns(b)
	s.e.add(b)
}

// rows adds the constraints of the stumps and, for all rows i, e_it <= 1 if the stump of t
// classifies row i correctly, else 0.
func (s *countedStumps) rows(b *mio.Builder) {
	for t := s.last(); t < s.leaves(); t++ {
		s.stumpRows(b, t)
		for i := range s.g.N {
			r := b.AddRow(-mio.Inf, 0, "counted", i+1, t)
			b.Add(r, s.e.col(i, t), 1)
			s.right(t, i, func(c mio.Col, v float64) { b.Add(r, c, -v) })
		}
	}
}

func (s *countedStumps) below(b *mio.Builder, r mio.Row, u, m int) { s.e.below(b, r, u, m) }

func (s *countedStumps) size() formulate.Size {
	n := int64(s.g.N)
	z := s.nodeSize()
	z.Add(formulate.Size{Cols: n, Rows: n, Nonzeros: 2*n + s.rightTerms() + int64(s.depth-1)*n}) // e, c; below
	return z.Times(s.last())
}

func (s *countedStumps) start(x []float64, h *heapTree) {
	s.stumps.start(x, h)
	for i, y := range s.g.Y {
		if leaf := h.find(s.g.Ranks(i), s.leaves()); h.label[leaf] == y {
			x[s.e.col(i, leaf/2)] = 1
		}
	}
}

func (s *countedStumps) file(f *fileSize) {
	n, nodes := int64(s.g.N), int64(s.last())
	row, node := digits(s.g.N), digits(s.leaves())
	f.choice += 4 // two labels
	f.columns(n*nodes, n*nodes*int64(s.depth), true, 3+row+node)
	f.take(n*nodes, s.rightTerms()*nodes+n*nodes, 9+row+node) // counted
}

// rootStump is the only stump of depth 1. There is no routing, and e_i1 is as large as its
// constraint allows; so it is replaced by the right-hand side of that constraint. The result is a
// linear program whose costs are the errors of the stumps.
type rootStump struct{ stumps }

func (s *rootStump) rows(b *mio.Builder) {
	s.stumpRows(b, 1)
	for i, w := range s.g.W {
		s.right(1, i, func(c mio.Col, v float64) { b.AddCost(c, -v*w/s.g.Lhat) })
	}
}

// below adds nothing: no node is above.
func (s *rootStump) below(*mio.Builder, mio.Row, int, int) {}

func (s *rootStump) size() formulate.Size { return s.nodeSize() }

func (s *rootStump) file(f *fileSize) {
	f.choice += 4 // two labels
	f.priced()
}

// stump is a feature with two labels, and the thresholds that it may use. Its variables are
// numbered within a node: the choices u, then those that its ranges add.
type stump struct {
	j          int
	k, l       int32   // labels left and right
	thresholds []int32 // ascending, not empty
	at         int
	extra      int
}

func (s *stump) col(v int) int  { return s.at + v }
func (s *stump) colU(b int) int { return s.at + len(s.thresholds) + b }

// stumpThresholds returns the thresholds of feature j for the labels k, l. Thinned: along the
// values that have a row of k or l, a threshold is kept directly above a value with k if the next
// such value has l.
func stumpThresholds(g *grid.Grid, j int, has []int32, k, l int, thin bool) []int32 {
	if !thin {
		return thresholdsOf(g, j)
	}
	var thresholds []int32
	before := false // whether the last such value has a row of k
	for v := 0; v*g.K < len(has); v++ {
		hk, hl := has[v*g.K+k] > 0, has[v*g.K+l] > 0
		if hl && before {
			thresholds = append(thresholds, int32(v))
		}
		if hk || hl {
			before = hk
		}
	}
	return thresholds
}

// ranges is a way to write the sums of a stump's choices u over ranges of its thresholds: blocks,
// or cumulative.
type ranges interface {
	// extra returns the number of variables in addition to u for a stump with that many thresholds.
	extra(thresholds int) int
	// tail appends the sum of the choices of s with index q or more.
	tail(dst []term, s *stump, q int) []term
	// head appends the sum of the choices of s with index below q.
	head(dst []term, s *stump, q int) []term
	// addExtra adds the additional variables at node t.
	addExtra(b *mio.Builder, s *stump, t int)
	// tie adds the constraints on the variables of s at node t, where first is the first variable
	// of all stumps; tieSize returns their size.
	tie(b *mio.Builder, s *stump, t int, first mio.Col)
	tieSize(s *stump) formulate.Size
	// choose sets the variables of a node in x for the choice of s with index q.
	choose(x []float64, s *stump, q int)
}

// term is a variable within a node and its sign.
type term struct {
	at   int
	sign float64
}

// minus changes the signs of dst[from:].
func minus(dst []term, from int) []term {
	for i := from; i < len(dst); i++ {
		dst[i].sign = -dst[i].sign
	}
	return dst
}

// blockSize is the number of thresholds per block. 16 was best or close to it on each of the
// datasets tried (docs/tables/oct-ablation.md).
const blockSize = 16

// blocks adds, for stumps with more than blockSize thresholds, the variables U_b = sum of u over
// the thresholds of block b and later ones.
type blocks struct{}

func (blocks) extra(thresholds int) int {
	if thresholds <= blockSize {
		return 0
	}
	return (thresholds + blockSize - 1) / blockSize
}

func (blocks) tail(dst []term, s *stump, q int) []term {
	if q >= len(s.thresholds) {
		return dst
	}
	b := q / blockSize
	lo, hi := b*blockSize, min(len(s.thresholds), (b+1)*blockSize)
	if s.extra > 0 && q-lo < hi-q { // U_b minus the thresholds of its block before q
		dst = append(dst, term{s.colU(b), 1})
		for v := lo; v < q; v++ {
			dst = append(dst, term{s.col(v), -1})
		}
		return dst
	}
	for v := q; v < hi; v++ {
		dst = append(dst, term{s.col(v), 1})
	}
	if b+1 < s.extra {
		dst = append(dst, term{s.colU(b + 1), 1})
	}
	return dst
}

func (r blocks) head(dst []term, s *stump, q int) []term {
	if q <= blockSize/2 || s.extra == 0 {
		for v := range q {
			dst = append(dst, term{s.col(v), 1})
		}
		return dst
	}
	dst = r.tail(dst, s, 0)
	return minus(r.tail(dst, s, q), len(dst))
}

func (blocks) addExtra(b *mio.Builder, s *stump, t int) {
	for q := range s.extra {
		b.AddCol(0, 0, 1, mio.Continuous, "U", t, s.j+1, int(s.k)+1, int(s.l)+1, q+1)
	}
}

// tie adds U_b - U_b+1 - sum_{v in b} u_v = 0.
func (blocks) tie(b *mio.Builder, s *stump, t int, first mio.Col) {
	for q := range s.extra {
		r := b.AddRow(0, 0, "block", t, s.j+1, int(s.k)+1, int(s.l)+1, q+1)
		b.Add(r, first+mio.Col(s.colU(q)), 1)
		if q+1 < s.extra {
			b.Add(r, first+mio.Col(s.colU(q+1)), -1)
		}
		for v := q * blockSize; v < min(len(s.thresholds), (q+1)*blockSize); v++ {
			b.Add(r, first+mio.Col(s.col(v)), -1)
		}
	}
}

func (blocks) tieSize(s *stump) formulate.Size {
	if s.extra == 0 {
		return formulate.Size{}
	}
	n := int64(s.extra)
	return formulate.Size{Rows: n, Nonzeros: n + n - 1 + int64(len(s.thresholds))}
}

func (blocks) choose(x []float64, s *stump, q int) {
	x[s.col(q)] = 1
	for b := 0; b < s.extra && b <= q/blockSize; b++ {
		x[s.colU(b)] = 1
	}
}

// cumulative makes u_v 1 iff the chosen threshold has index >= v.
type cumulative struct{}

func (cumulative) extra(int) int { return 0 }

func (cumulative) tail(dst []term, s *stump, q int) []term {
	if q >= len(s.thresholds) {
		return dst
	}
	return append(dst, term{s.col(q), 1})
}

func (r cumulative) head(dst []term, s *stump, q int) []term {
	if q == 0 {
		return dst
	}
	dst = r.tail(dst, s, 0)
	return minus(r.tail(dst, s, q), len(dst))
}

func (cumulative) addExtra(*mio.Builder, *stump, int) {}

// tie adds u_v+1 <= u_v.
func (cumulative) tie(b *mio.Builder, s *stump, t int, first mio.Col) {
	for v := 1; v < len(s.thresholds); v++ {
		r := b.AddRow(-mio.Inf, 0, "chain", t, s.j+1, int(s.k)+1, int(s.l)+1, int(s.thresholds[v]))
		b.Add(r, first+mio.Col(s.col(v)), 1)
		b.Add(r, first+mio.Col(s.col(v-1)), -1)
	}
}

func (cumulative) tieSize(s *stump) formulate.Size {
	n := int64(len(s.thresholds) - 1)
	return formulate.Size{Rows: n, Nonzeros: 2 * n}
}

func (cumulative) choose(x []float64, s *stump, q int) {
	for v := range q + 1 {
		x[s.col(v)] = 1
	}
}
