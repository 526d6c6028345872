package formulate

import "github.com/octgen/octgen/mio"

// leafBlock is what the big-M models of Bertsimas & Dunn share at the leaves of
// the full tree of depth D: membership, labels, counts and losses, (15)-(20) and
// (6)-(8) of the paper. Leaves are T..2T-1 in heap order, T = 2^D.
type leafBlock struct {
	g       *grid
	depth   int
	minLeaf float64

	z, l, c, loss, nk, nt mio.Col // first column of each block
}

func (e *leafBlock) branch() int { return 1<<e.depth - 1 }
func (e *leafBlock) leaves() int { return 1 << e.depth }

// end is the number of columns of a model whose last block this is.
func (e *leafBlock) end() int { return int(e.nt) + e.leaves() }

// Columns of leaf t, row i, class k.
func (e *leafBlock) colZ(i, t int) mio.Col  { return e.z + mio.Col((t-e.leaves())*e.g.n+i) }
func (e *leafBlock) colL(t int) mio.Col     { return e.l + mio.Col(t-e.leaves()) }
func (e *leafBlock) colC(k, t int) mio.Col  { return e.c + mio.Col((t-e.leaves())*e.g.k+k) }
func (e *leafBlock) colLoss(t int) mio.Col  { return e.loss + mio.Col(t-e.leaves()) }
func (e *leafBlock) colNK(k, t int) mio.Col { return e.nk + mio.Col((t-e.leaves())*e.g.k+k) }
func (e *leafBlock) colN(t int) mio.Col     { return e.nt + mio.Col(t-e.leaves()) }

// leafColumns adds z_it, l_t, c_kt (binary), L_t, N_kt and N_t.
func (e *leafBlock) leafColumns(b *mio.Builder) {
	g, first, end := e.g, e.leaves(), 2*e.leaves()
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

// eachAncestor calls f for every leaf t and ancestor m of it, with whether t is
// below m's left branch.
func (e *leafBlock) eachAncestor(f func(t, m int, left bool)) {
	for t := e.leaves(); t < 2*e.leaves(); t++ {
		for at := t; at > 1; at /= 2 {
			f(t, at/2, at%2 == 0)
		}
	}
}

// lossRows: L_t >= N_t - N_kt - (W - W_k)(1 - c_kt), all k, t in T_L. Rows (20)
// with the tighter W - W_k for n; the upper rows (21) are redundant and left out.
func (e *leafBlock) lossRows(b *mio.Builder) {
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
func (e *leafBlock) countRows(b *mio.Builder) {
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
func (e *leafBlock) classRows(b *mio.Builder) {
	for t := e.leaves(); t < 2*e.leaves(); t++ {
		r := b.AddRow(0, 0, "label", t)
		for k := range e.g.k {
			b.Add(r, e.colC(k, t), 1)
		}
		b.Add(r, e.colL(t), -1)
	}
}

// membershipRows: sum_{t in T_L} z_it = 1, all i (8), and z_it <= l_t, all i,
// t in T_L (6).
func (e *leafBlock) membershipRows(b *mio.Builder) {
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
func (e *leafBlock) leafSizeRows(b *mio.Builder) {
	for t := e.leaves(); t < 2*e.leaves(); t++ {
		r := b.AddRow(0, mio.Inf, "least", t)
		for i, w := range e.g.w {
			b.Add(r, e.colZ(i, t), w)
		}
		if e.minLeaf > 0 {
			b.Add(r, e.colL(t), -e.minLeaf)
		}
	}
}

// leafSize is the size of leafColumns, lossRows, countRows, classRows,
// membershipRows and leafSizeRows.
func (e *leafBlock) leafSize() Size {
	n, k, lv := int64(e.g.n), int64(e.g.k), int64(e.leaves())
	s := Size{
		Cols:     lv * (n + 3 + 2*k),
		Binaries: lv * (n + 1 + k),
		Rows:     lv*(2*k+2) + n + n*lv + lv,
		Nonzeros: lv*k*4 + lv*(k+1+2*n) + lv*(k+1) + n*lv + 2*n*lv + n*lv,
	}
	if e.minLeaf > 0 {
		s.Nonzeros += lv
	}
	for _, w := range e.g.classW { // W - W_k = 0 where one class has all the weight
		if e.g.total-w == 0 {
			s.Nonzeros -= lv
		}
	}
	return s
}

// startLeaves sets the columns of the leaves for rows at the leaves at[i] and
// labels label[t] of the leaves in use.
func (e *leafBlock) startLeaves(v []float64, at []int, label []int32) {
	g := e.g
	for i, t := range at {
		v[e.colZ(i, t)] = 1
		v[e.colNK(int(g.y[i]), t)] += g.w[i]
		v[e.colN(t)] += g.w[i]
		v[e.colL(t)] = 1
	}
	for t := e.leaves(); t < 2*e.leaves(); t++ {
		if v[e.colL(t)] == 1 {
			k := int(label[t])
			v[e.colC(k, t)] = 1
			v[e.colLoss(t)] = v[e.colN(t)] - v[e.colNK(k, t)]
		}
	}
}

// decodeLabels reads the class of every leaf in use into label.
func (e *leafBlock) decodeLabels(v []float64, label []int32) error {
	for t := e.leaves(); t < 2*e.leaves(); t++ {
		for k := range e.g.k {
			c, err := asBinary(v[e.colC(k, t)], "c", k+1, t)
			if err != nil {
				return err
			}
			if c {
				label[t] = int32(k)
			}
		}
	}
	return nil
}
