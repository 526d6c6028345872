package oct

import (
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/mio"
)

// ranges is a way to write the sums of a stump's choices u over ranges of its
// thresholds: blocks, or cumulative.
type ranges interface {
	// extra is the number of columns beside u of a stump with that many thresholds.
	extra(thresholds int) int
	// tail appends the sum of the choices of s with index q or more.
	tail(dst []term, s *stump, q int) []term
	// head appends the sum of the choices of s with index below q.
	head(dst []term, s *stump, q int) []term
	// addExtra adds the columns beside u at node t.
	addExtra(b *mio.Builder, s *stump, t int)
	// tie adds the rows that tie the columns of s at node t, whose first column of
	// all stumps this is; tieSize is their size.
	tie(b *mio.Builder, s *stump, t int, first mio.Col)
	tieSize(s *stump) formulate.Size
	// choose sets the columns of a node in x for the choice of s with index q.
	choose(x []float64, s *stump, q int)
}

// term is a column within a node and its sign.
type term struct {
	at   int
	sign float64
}

// minus turns the signs of dst[from:].
func minus(dst []term, from int) []term {
	for i := from; i < len(dst); i++ {
		dst[i].sign = -dst[i].sign
	}
	return dst
}

// blockSize is the number of thresholds per block. 16 was best or close to it on each
// of the datasets tried (docs/oct.md).
const blockSize = 16

// blocks adds, for stumps of more than blockSize thresholds, the columns U_b = sum of u
// over the thresholds of block b and after.
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
	if s.extra > 0 && q-lo < hi-q { // U_b less the thresholds of its block before q
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

// tie: U_b - U_b+1 - sum_{v in b} u_v = 0.
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

// tie: u_v+1 <= u_v.
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
