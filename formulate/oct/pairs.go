package oct

import (
	"github.com/octgen/octgen/mio"

	"github.com/octgen/octgen/formulate/internal/grid"
)

// Label pairs replace, at every last-level node m, the label variables, the
// thresholds w and the two routing rows per point by one choice among complete
// stumps. A stump splits on feature j at a cut and labels left k and right l,
// k != l, or is a leaf of class k:
//
//	u_m,jkl,v = 1 iff m splits on j at the cut of index v with labels k, l
//	sum_jkl,v u_m,jkl,v = d_m;   d_m + sum_k c_km = 1
//	e_im <= c_{y_i,m} + sum_j [ sum_{l != y_i} sum_{v >= rho(i)} u_m,j y_i l,v
//	                          + sum_{k != y_i} sum_{v < rho(i)} u_m,j k y_i,v ]
//
// with rho(i) the index of the first cut of the stump above x_ij: such cuts send
// row i left, where y_i = k is right, the others right. e_im now says that row i
// reaches m and is counted correct there, and the upper routing rows sum it over
// the last-level nodes below.
//
// Exact with free leaves (N_min <= min omega_i), like the continuous last
// level: with the upper splits integral, the objective is linear in u and c
// over one simplex per node, coupled by max_splits only, so even the labels
// need no integrality and the upper w are the only binaries. It is tighter too:
// a mixture of stumps cannot take the threshold of one with the labels of
// another.
//
// At depth 1 nothing routes, e_i1 is as large as its row lets it be, and so it
// is substituted by the right-hand side: a linear program whose costs are the
// errors of the stumps.
//
// Thinned, the pair (k, l) keeps the cuts whose last value below with a row of
// k or l has a row of k, and whose first value above has a row of l: from any
// other cut one may move left past values without k, or right past values
// without l, and lose nothing.
//
// Sums over ranges of cuts are what a linear program is slow or large on. Two
// ways to write them, of the same relaxation:
//
//   - blocks (the default): stumps of more than blockSize cuts have columns
//     U_b = sum of u over the cuts of block b and after, tied by one row per
//     block, U_b = U_b+1 + sum_{v in b} u_v; a range is then a U and at most
//     blockSize/2 of the u.
//   - chains (blocks switched off): u is cumulative, 1 iff the cut has index
//     >= v, tied by u_v+1 <= u_v; a range is the difference of two columns, but
//     there are as many rows as columns, and the simplex method pays for them.

// blockSize is the number of cuts per block. 16 was best or close to it on each
// of the datasets tried (docs/oct.md).
const blockSize = 16

// pairCuts are the cuts of feature j that a stump with labels (k, l) may use.
// Its columns are numbered within a node: u_v is at+v, U_b is block+b.
type pairCuts struct {
	j      int
	k, l   int32
	cuts   []int32 // ascending, not empty
	at     int
	block  int
	blocks int // number of U columns; 0 for a single block, and for chains
}

// pairCuts lists the stumps with two labels: by feature, left label, right
// label. Those without a cut are left out.
func pairCutsOf(g *grid.Grid, thin, blocks bool) []pairCuts {
	var all []pairCuts
	at := 0
	for _, j := range g.Active {
		has := classesOfValues(g, j)
		for k := range g.K {
			for l := range g.K {
				if k == l {
					continue
				}
				s := pairCuts{j: j, k: int32(k), l: int32(l), at: at}
				if thin {
					s.cuts = thinPair(has, g.K, k, l)
				} else {
					for c := 1; c <= g.Cuts(j); c++ {
						s.cuts = append(s.cuts, int32(c))
					}
				}
				if len(s.cuts) == 0 {
					continue
				}
				at += len(s.cuts)
				if s.block = at; blocks && len(s.cuts) > blockSize {
					s.blocks = (len(s.cuts) + blockSize - 1) / blockSize
					at += s.blocks
				}
				all = append(all, s)
			}
		}
	}
	return all
}

// classesOfValues returns, for each distinct value v of feature j and class k,
// the number of merged rows: has[v*K+k].
func classesOfValues(g *grid.Grid, j int) []int32 {
	has := make([]int32, len(g.Vals[j])*g.K)
	for i, y := range g.Y {
		has[int(g.Rank[i*g.P+j])*g.K+int(y)]++
	}
	return has
}

// thinPair walks the values that have a row of k or l; a cut is kept directly
// above a value with k if the next such value has l.
func thinPair(has []int32, classes, k, l int) []int32 {
	var cuts []int32
	before := false // the last such value has a row of k
	for v := 0; v*classes < len(has); v++ {
		hk, hl := has[v*classes+k] > 0, has[v*classes+l] > 0
		if hl && before {
			cuts = append(cuts, int32(v))
		}
		if hk || hl {
			before = hk
		}
	}
	return cuts
}

// pairColumnsPerNode is the number of columns u and U of one last-level node.
func (e *threshold) pairColumnsPerNode() int {
	if len(e.stumps) == 0 {
		return 0
	}
	s := e.stumps[len(e.stumps)-1]
	return s.block + s.blocks
}

func (e *threshold) pairColumns(b *mio.Builder) {
	e.pairW = make([]mio.Col, e.leaves())
	typ := mio.Binary
	if e.continuousLast {
		typ = mio.Continuous
	}
	for t := e.last(); t < e.leaves(); t++ {
		e.pairW[t] = mio.Col(b.NumCols())
		for _, s := range e.stumps {
			for _, c := range s.cuts {
				b.AddCol(0, 0, 1, typ, "u", t, s.j+1, int(s.k)+1, int(s.l)+1, int(c))
			}
			for q := range s.blocks {
				b.AddCol(0, 0, 1, mio.Continuous, "U", t, s.j+1, int(s.k)+1, int(s.l)+1, q+1)
			}
		}
	}
}

// term is a column within a node and its sign.
type term struct {
	at   int
	sign float64
}

// tail appends the sum of the choices of s with index q or more.
func (e *threshold) tail(dst []term, s *pairCuts, q int) []term {
	switch {
	case q >= len(s.cuts):
		return dst
	case !e.blocks:
		return append(dst, term{s.at + q, 1})
	}
	b := q / blockSize
	lo, hi := b*blockSize, min(len(s.cuts), (b+1)*blockSize)
	if s.blocks > 0 && q-lo < hi-q { // U_b less the cuts of its block before q
		dst = append(dst, term{s.block + b, 1})
		for v := lo; v < q; v++ {
			dst = append(dst, term{s.at + v, -1})
		}
		return dst
	}
	for v := q; v < hi; v++ {
		dst = append(dst, term{s.at + v, 1})
	}
	if b+1 < s.blocks {
		dst = append(dst, term{s.block + b + 1, 1})
	}
	return dst
}

// head appends the sum of the choices of s with index below q.
func (e *threshold) head(dst []term, s *pairCuts, q int) []term {
	if q == 0 {
		return dst
	}
	if e.blocks && q <= blockSize/2 || e.blocks && s.blocks == 0 {
		for v := range q {
			dst = append(dst, term{s.at + v, 1})
		}
		return dst
	}
	dst = e.tail(dst, s, 0)
	first := len(dst)
	dst = e.tail(dst, s, q)
	for i := first; i < len(dst); i++ {
		dst[i].sign = -dst[i].sign
	}
	return dst
}

func (e *threshold) pairRows(b *mio.Builder) {
	touching := make([][]*pairCuts, e.g.K) // stumps that label something k
	for i := range e.stumps {
		s := &e.stumps[i]
		touching[s.k] = append(touching[s.k], s)
		touching[s.l] = append(touching[s.l], s)
	}
	for t := e.last(); t < e.leaves(); t++ {
		e.stumpRows(b, t)
		e.countedRows(b, t, touching)
	}
}

// stumpRows: sum_v u_v = d_t;  d_t + sum_k c_kt = 1; and what ties u to itself:
// U_b = U_b+1 + sum_{v in b} u_v, or u_v+1 <= u_v, at last-level node t.
func (e *threshold) stumpRows(b *mio.Builder, t int) {
	var terms []term
	pick := b.AddRow(0, 0, "split", t)
	b.Add(pick, e.colD(t), -1)
	for i := range e.stumps {
		s := &e.stumps[i]
		terms = e.tail(terms[:0], s, 0)
		for _, m := range terms {
			b.Add(pick, e.pairW[t]+mio.Col(m.at), m.sign)
		}
		if e.blocks {
			e.blockRows(b, t, s)
			continue
		}
		first := e.pairW[t] + mio.Col(s.at)
		for q := 1; q < len(s.cuts); q++ {
			r := b.AddRow(-mio.Inf, 0, "chain", t, s.j+1, int(s.k)+1, int(s.l)+1, int(s.cuts[q]))
			b.Add(r, first+mio.Col(q), 1)
			b.Add(r, first+mio.Col(q-1), -1)
		}
	}
	one := b.AddRow(1, 1, "stump", t)
	b.Add(one, e.colD(t), 1)
	for k := range e.g.K {
		b.Add(one, e.colC(k, t), 1)
	}
}

// blockRows: U_b - U_b+1 - sum_{v in b} u_v = 0 at last-level node t.
func (e *threshold) blockRows(b *mio.Builder, t int, s *pairCuts) {
	for q := range s.blocks {
		r := b.AddRow(0, 0, "block", t, s.j+1, int(s.k)+1, int(s.l)+1, q+1)
		b.Add(r, e.pairW[t]+mio.Col(s.block+q), 1)
		if q+1 < s.blocks {
			b.Add(r, e.pairW[t]+mio.Col(s.block+q+1), -1)
		}
		for v := q * blockSize; v < min(len(s.cuts), (q+1)*blockSize); v++ {
			b.Add(r, e.pairW[t]+mio.Col(s.at+v), -1)
		}
	}
}

// countedRows: e_it <= 1 where the stump of last-level node t is right about
// row i, else 0, all i; at depth 1 the same as costs.
func (e *threshold) countedRows(b *mio.Builder, t int, touching [][]*pairCuts) {
	var terms []term
	for i, y := range e.g.Y {
		add := func(c mio.Col, v float64) { b.AddCost(c, v*e.g.W[i]/e.g.Lhat) }
		if !e.direct {
			r := b.AddRow(-mio.Inf, 0, "counted", i+1, t)
			b.Add(r, e.colE(i, t), 1)
			add = func(c mio.Col, v float64) { b.Add(r, c, v) }
		}
		add(e.colC(int(y), t), -1)
		ranks := e.g.Ranks(i)
		for _, s := range touching[y] {
			q := firstAbove(s.cuts, int(ranks[s.j]))
			if s.k == y {
				terms = e.tail(terms[:0], s, q)
			} else {
				terms = e.head(terms[:0], s, q)
			}
			for _, m := range terms {
				add(e.pairW[t]+mio.Col(m.at), -m.sign)
			}
		}
	}
}

// startPair sets u for the split of last-level node t of h, moved to a kept cut
// that is no worse.
func (e *threshold) startPair(v []float64, h *heapTree, t int) {
	for _, s := range e.stumps {
		if s.j != h.feature[t] || s.k != h.label[2*t] || s.l != h.label[2*t+1] {
			continue
		}
		q := e.keptPair(&s, h.cut[t])
		first := int(e.pairW[t])
		if !e.blocks {
			for i := range q + 1 {
				v[first+s.at+i] = 1
			}
			return
		}
		v[first+s.at+q] = 1
		for b := 0; b < s.blocks && b <= q/blockSize; b++ {
			v[first+s.block+b] = 1
		}
		return
	}
	panic("formulate: a re-optimised split has no column")
}

// keptPair returns the index of the kept cut of s that is no worse than cut:
// the next one to the right if only values without l lie between, else the
// next one to the left.
func (e *threshold) keptPair(s *pairCuts, cut int) int {
	q := firstAbove(s.cuts, cut-1)
	if q == len(s.cuts) {
		return q - 1
	}
	if int(s.cuts[q]) == cut || q == 0 {
		return q
	}
	has := classesOfValues(e.g, s.j)
	for v := cut; v < int(s.cuts[q]); v++ {
		if has[v*e.g.K+int(s.l)] > 0 {
			return q - 1
		}
	}
	return q
}

// pairNonzeros counts the nonzeros of u and U in the countedRows of one node,
// and in its row of the split.
func (e *threshold) pairNonzeros() (counted, split int64) {
	var has []int32
	var terms []term
	at := -1
	for i := range e.stumps {
		s := &e.stumps[i]
		if s.j != at {
			has, at = classesOfValues(e.g, s.j), s.j
		}
		for v := range len(e.g.Vals[s.j]) {
			q := firstAbove(s.cuts, v)
			terms = e.tail(terms[:0], s, q)
			counted += int64(has[v*e.g.K+int(s.k)]) * int64(len(terms))
			terms = e.head(terms[:0], s, q)
			counted += int64(has[v*e.g.K+int(s.l)]) * int64(len(terms))
		}
		terms = e.tail(terms[:0], s, 0)
		split += int64(len(terms))
	}
	return counted, split
}
