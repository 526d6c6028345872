package oct

import (
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/mio"
)

// stumps is a last level of complete stumps. They replace, at every last-level node
// m, the label variables, the thresholds w and the two routing rows per point by one
// choice. A stump splits on feature j at a threshold and labels left k and right l,
// k != l, or is a leaf of class k:
//
//	u_m,jkl,v = 1 iff m splits on j at the threshold of index v with labels k, l
//	sum_jkl,v u_m,jkl,v = d_m;   d_m + sum_k c_km = 1
//	e_im <= c_{y_i,m} + sum_j [ sum_{l != y_i} sum_{v >= rho(i)} u_m,j y_i l,v
//	                          + sum_{k != y_i} sum_{v < rho(i)} u_m,j k y_i,v ]
//
// with rho(i) the index of the first threshold of the stump above x_ij: from there on
// they send row i left, where y_i = k is right, the others right. e_im now says that row
// i reaches m and is counted correct there, and the upper routing rows sum it over the
// last-level nodes below.
//
// Exact with free leaves (N_min <= min omega_i), like the continuous last
// level: with the upper splits integral, the objective is linear in u and c
// over one simplex per node, coupled by max_splits only, so even the labels
// need no integrality and the upper w are the only binaries. It is tighter too:
// a mixture of stumps cannot take the threshold of one with the labels of
// another.
//
// Thinned, the pair (k, l) keeps the thresholds whose last value below with a row of
// k or l has a row of k, and whose first value above has a row of l: from any
// other threshold one may move left past values without k, or right past values
// without l, and lose nothing.
//
// Sums over ranges of thresholds are what a linear program is slow or large on. There are
// two ways to write them (ranges), of the same relaxation: with blocks, the default,
// a range is a U and at most blockSize/2 of the u; with cumulative u it is the
// difference of two columns, but there are as many rows as columns, and the simplex
// method pays for them.
type stumps struct {
	*frame
	list     []stump
	touching [][]*stump // (K) those that label something k
	sums     ranges
	kind     mio.VarType // of u
	c        labels      // of last-level nodes that do not split

	u       mio.Col // the first of the block
	num     int     // of its columns per node
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

// addFeature lists the stumps on feature j by left and right label. Those without a
// threshold are left out.
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

// node is the first column u of last-level node t.
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

// stumpRows: sum_v u_v = d_t, what ties u to itself, and d_t + sum_k c_kt = 1, at
// last-level node t.
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

// right calls add with the terms of: the stump of last-level node t is right about
// row i.
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

// nodeSize is the size of a node: its columns, and its stumpRows.
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

// rightTerms counts the terms in u of right over all rows, at one node. The sums are the
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
		low := 0 // the values low..high-1 are between thresholds q-1 and q
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

// choose sets u for the split of last-level node t of h, moved to a kept threshold that
// is no worse.
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

// keptThreshold returns the index of the kept threshold of p that is no worse than theta:
// the next one to the right if only values without l lie between, else the next one to
// the left.
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

// decode leaves the level to be re-optimised.
func (s *stumps) decode([]float64, *heapTree) error { return nil }
