// Package leaves builds the leaves of the big-M models of classification trees.
package leaves

import (
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/internal/grid"
	"github.com/octgen/octgen/formulate/internal/point"
	"github.com/octgen/octgen/mio"
)

// Block is the shared part of the big-M models of Bertsimas & Dunn at the leaves of the full tree
// of depth D: membership, labels, counts and losses, (15)-(20) and (6)-(8) of the paper. Leaves are
// T..2T-1 in heap order, T = 2^D.
type Block struct {
	g       *grid.Grid
	depth   int
	printed bool // constraints (20) and (21) with their n; otherwise without (21), with W - W_k
	Counted bool // with L, N_kt and N_t; otherwise costs, which class counts do not determine

	z, l, c, loss, nk, nt mio.Col // first variable of each block
}

// New returns the block of a tree of depth D.
func New(g *grid.Grid, depth int) Block { return Block{g: g, depth: depth, Counted: g.Cost == nil} }

// Printed is New with the loss constraints as printed in the paper.
func Printed(g *grid.Grid, depth int) Block {
	return Block{g: g, depth: depth, printed: true, Counted: true}
}

// Branches returns the number of branch nodes, Leaves the number of leaves.
func (e *Block) Branches() int { return 1<<e.depth - 1 }
func (e *Block) Leaves() int   { return 1 << e.depth }

// End returns the number of variables of a model whose last block this is.
func (e *Block) End() int {
	if !e.Counted {
		return int(e.c) + e.Leaves()*e.g.K
	}
	return int(e.nt) + e.Leaves()
}

// Variables of leaf t, row i, class k.
func (e *Block) ColZ(i, t int) mio.Col  { return e.z + mio.Col((t-e.Leaves())*e.g.N+i) }
func (e *Block) colL(t int) mio.Col     { return e.l + mio.Col(t-e.Leaves()) }
func (e *Block) ColC(k, t int) mio.Col  { return e.c + mio.Col((t-e.Leaves())*e.g.K+k) }
func (e *Block) colLoss(t int) mio.Col  { return e.loss + mio.Col(t-e.Leaves()) }
func (e *Block) colNK(k, t int) mio.Col { return e.nk + mio.Col((t-e.Leaves())*e.g.K+k) }
func (e *Block) colN(t int) mio.Col     { return e.nt + mio.Col(t-e.Leaves()) }

// Columns adds z_it, l_t, c_kt (binary) and, if leaves are counted, L_t, N_kt and N_t.
func (e *Block) Columns(b *mio.Builder) {
	g, first, end := e.g, e.Leaves(), 2*e.Leaves()
	e.z = mio.Col(b.NumCols())
	for t := first; t < end; t++ {
		for i := range g.N {
			b.AddBinary(0, "z", i+1, t)
		}
	}
	e.l = mio.Col(b.NumCols())
	for t := first; t < end; t++ {
		b.AddBinary(0, "l", t)
	}
	e.c = mio.Col(b.NumCols())
	for t := first; t < end; t++ {
		for k := range g.K {
			b.AddBinary(0, "c", k+1, t)
		}
	}
	if e.Counted {
		e.countColumns(b)
	}
}

// countColumns adds L_t >= 0 (22), N_kt and N_t.
func (e *Block) countColumns(b *mio.Builder) {
	g, first, end := e.g, e.Leaves(), 2*e.Leaves()
	e.loss = mio.Col(b.NumCols())
	for t := first; t < end; t++ {
		b.AddCol(1/g.Lhat, 0, mio.Inf, mio.Continuous, "L", t)
	}
	e.nk = mio.Col(b.NumCols())
	for t := first; t < end; t++ {
		for k := range g.K {
			b.AddCol(0, 0, g.ClassW[k], mio.Continuous, "N", k+1, t)
		}
	}
	e.nt = mio.Col(b.NumCols())
	for t := first; t < end; t++ {
		b.AddCol(0, 0, g.Total, mio.Continuous, "N", t)
	}
}

// EachAncestor calls f for every leaf t and each of its ancestors m, with whether t is below m's
// left branch.
func (e *Block) EachAncestor(f func(t, m int, left bool)) {
	for t := e.Leaves(); t < 2*e.Leaves(); t++ {
		for at := t; at > 1; at /= 2 {
			f(t, at/2, at%2 == 0)
		}
	}
}

// LabelRows adds the constraints on losses, counts and classes.
func (e *Block) LabelRows(b *mio.Builder) {
	if e.Counted {
		e.lossRows(b)
		e.countRows(b)
	}
	e.classRows(b)
}

// MembershipRows adds the constraints on z and on leaf weights.
func (e *Block) MembershipRows(b *mio.Builder) {
	e.memberRows(b)
	e.weightRows(b)
}

// lossRows adds L_t >= N_t - N_kt - (W - W_k)(1 - c_kt), all k, t in T_L: constraints (20) with the
// tighter W - W_k for n. The upper constraints (21) are redundant and omitted, since L_t is
// minimised. As printed, with W for n and both:
//
//	L_t >= N_t - N_kt - W (1 - c_kt)  (20),   L_t <= N_t - N_kt + W c_kt  (21)
func (e *Block) lossRows(b *mio.Builder) {
	for t := e.Leaves(); t < 2*e.Leaves(); t++ {
		for k, wk := range e.g.ClassW {
			m := e.g.Total - wk
			if e.printed {
				m = e.g.Total
			}
			e.lossRow(b, b.AddRow(-m, mio.Inf, "loss", k+1, t), k, t, m)
			if e.printed {
				e.lossRow(b, b.AddRow(-mio.Inf, 0, "most", k+1, t), k, t, m)
			}
		}
	}
}

// lossRow fills constraint r with L_t - N_t + N_kt - m c_kt.
func (e *Block) lossRow(b *mio.Builder, r mio.Row, k, t int, m float64) {
	b.Add(r, e.colLoss(t), 1)
	b.Add(r, e.colN(t), -1)
	b.Add(r, e.colNK(k, t), 1)
	b.Add(r, e.ColC(k, t), -m)
}

// countRows adds N_kt = sum_{i: y_i = k} omega_i z_it (15) and N_t = sum_i omega_i z_it (16), all
// k, t in T_L.
func (e *Block) countRows(b *mio.Builder) {
	for t := e.Leaves(); t < 2*e.Leaves(); t++ {
		first := mio.Row(b.NumRows())
		for k := range e.g.K {
			b.Add(b.AddRow(0, 0, "class", k+1, t), e.colNK(k, t), -1)
		}
		all := b.AddRow(0, 0, "weight", t)
		b.Add(all, e.colN(t), -1)
		for i, y := range e.g.Y {
			b.Add(first+mio.Row(y), e.ColZ(i, t), e.g.W[i])
			b.Add(all, e.ColZ(i, t), e.g.W[i])
		}
	}
}

// classRows adds sum_k c_kt = l_t (18), t in T_L.
func (e *Block) classRows(b *mio.Builder) {
	for t := e.Leaves(); t < 2*e.Leaves(); t++ {
		r := b.AddRow(0, 0, "label", t)
		for k := range e.g.K {
			b.Add(r, e.ColC(k, t), 1)
		}
		b.Add(r, e.colL(t), -1)
	}
}

// memberRows adds sum_{t in T_L} z_it = 1, all i (8), and z_it <= l_t, all i, t in T_L (6).
func (e *Block) memberRows(b *mio.Builder) {
	for i := range e.g.N {
		r := b.AddRow(1, 1, "member", i+1)
		for t := e.Leaves(); t < 2*e.Leaves(); t++ {
			b.Add(r, e.ColZ(i, t), 1)
		}
	}
	for t := e.Leaves(); t < 2*e.Leaves(); t++ {
		for i := range e.g.N {
			r := b.AddRow(-mio.Inf, 0, "used", i+1, t)
			b.Add(r, e.ColZ(i, t), 1)
			b.Add(r, e.colL(t), -1)
		}
	}
}

// weightRows adds sum_i omega_i z_it >= N_min l_t, t in T_L (7).
func (e *Block) weightRows(b *mio.Builder) {
	for t := e.Leaves(); t < 2*e.Leaves(); t++ {
		r := b.AddRow(0, mio.Inf, "least", t)
		for i, w := range e.g.W {
			b.Add(r, e.ColZ(i, t), w)
		}
		if e.g.MinLeaf > 0 {
			b.Add(r, e.colL(t), -e.g.MinLeaf)
		}
	}
}

// Size returns the size of Columns, LabelRows and MembershipRows.
func (e *Block) Size() formulate.Size {
	n, k, lv := int64(e.g.N), int64(e.g.K), int64(e.Leaves())
	s := formulate.Size{
		Cols:     lv * (n + 3 + 2*k),
		Binaries: lv * (n + 1 + k),
		Rows:     lv*(2*k+2) + n + n*lv + lv,
		Nonzeros: lv*k*4 + lv*(k+1+2*n) + lv*(k+1) + n*lv + 2*n*lv + n*lv,
	}
	if e.g.MinLeaf > 0 {
		s.Nonzeros += lv
	}
	if !e.Counted { // no L, N_kt and N_t, and no constraints on them
		s.Cols -= lv * (2 + k)
		s.Rows -= lv * (2*k + 1)
		s.Nonzeros -= lv * (k*4 + k + 1 + 2*n)
		return s
	}
	if e.printed {
		s.Rows += lv * k
		s.Nonzeros += 4 * lv * k
		return s
	}
	for _, w := range e.g.ClassW { // W - W_k = 0 if one class has all the weight
		if e.g.Total-w == 0 {
			s.Nonzeros -= lv
		}
	}
	return s
}

// Start sets the variables of v for rows at the leaves at[i] and labels label[t] of the leaves in
// use.
func (e *Block) Start(v []float64, at []int, label []int32) {
	g := e.g
	for i, t := range at {
		v[e.ColZ(i, t)] = 1
		v[e.colL(t)] = 1
		if e.Counted {
			v[e.colNK(int(g.Y[i]), t)] += g.W[i]
			v[e.colN(t)] += g.W[i]
		}
	}
	for t := e.Leaves(); t < 2*e.Leaves(); t++ {
		if v[e.colL(t)] == 1 {
			k := int(label[t])
			v[e.ColC(k, t)] = 1
			if e.Counted {
				v[e.colLoss(t)] = v[e.colN(t)] - v[e.colNK(k, t)]
			}
		}
	}
}

// Labels reads the class of every leaf in use into label.
func (e *Block) Labels(v []float64, label []int32) error {
	for t := e.Leaves(); t < 2*e.Leaves(); t++ {
		for k := range e.g.K {
			c, err := point.Binary(v[e.ColC(k, t)], "c", k+1, t)
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
