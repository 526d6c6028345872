package oct

import (
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/internal/point"
)

// How trees are points of BinOCT's program, and what can be said of it before it is
// built.

// size is the closed form. With R = sum_j (V_j - 1) ranges of two thresholds or more,
// Z_t the nonzeros of z in the rows (5) to (8) of node t over the leaves on one side of
// it, and q_r the bits before range r:
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
	side := int64(e.depth) * leaves / 2 // leaves left of a node, over all nodes
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

// sums returns how many rows of the data are in the sums (5) to (8) of a node, the
// number of its ranges, and the f and b in (7), or (8), of all of them.
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

// norm: any label may stand at any leaf.
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

// decode reads f, b, d and c, all of which must be integral.
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
			return nil, point.Bad("node %d: d says %v, f says otherwise", t, on)
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

// decodeFeature reads the feature of node t and the threshold that its bits find.
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

// proof says what proofs took when they were measured (docs/oct.md).
func (e *binOCT) proof(work float64) string {
	if work <= 1e4 {
		return "possible, in minutes; encoding threshold is much faster"
	}
	return "not realistic with an open solver: big-M of whole ranges of rows; use encoding threshold, or the engine search"
}
