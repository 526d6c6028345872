package oct

import (
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/internal/point"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mio/verify"
)

// predicted is a last level of chains for trees with constraints or costs: every unit u of
// rows has a leaf and a prediction there, whether it is right or not.
//
//	q_ukt in [0,1]   unit u is in leaf t, whose class is k
//	c_kt in {0,1}    leaf t has class k;  l_t, where leaves are not free: it is in use
//
//	sum_kt q_ukt = 1;  q_ukt <= c_kt;  sum_k c_kt = 1, or = l_t
//	sum_uk W_u q_ukt >= N_min l_t                      where leaves are not free
//	routing rows on z_ut = sum_k q_ukt
//
// The objective counts sum_uk W_uk q_ukt, W_uk being the weight of class k in unit u; with
// costs of answers, what k costs there.
// All w of the level are binary, all thresholds are kept, sibling leaves may have one
// label, and nothing is re-optimised: what the other levels leave out is exact without
// constraints only.
type predicted struct {
	*frame
	w chains
	c labels

	weight []float64 // (units) of their rows
	answer []float64 // (units, K) what q adds to the objective, times Lhat
	q, l   mio.Col   // first columns of the blocks
}

func newPredicted(f *frame) *predicted {
	p := &predicted{
		frame: f, w: newChains(f, f.last(), f.leaves(), allThresholds(f.g), mio.Binary),
		c:      labels{frame: f, first: f.leaves(), kind: mio.Binary},
		weight: make([]float64, f.units.Len()), answer: make([]float64, f.units.Len()*f.g.K),
	}
	for i, w := range f.g.W {
		u := int(f.units.Of[i])
		p.weight[u] += w
		for k := range f.g.K {
			p.answer[u*f.g.K+k] += f.g.Answer(i, k)
		}
	}
	return p
}

func (p *predicted) colQ(u, k, t int) mio.Col {
	return p.q + mio.Col(((t-p.leaves())*p.units.Len()+u)*p.g.K+k)
}

func (p *predicted) colL(t int) mio.Col { return p.l + mio.Col(t-p.leaves()) }

func (p *predicted) columns(b *mio.Builder) {
	p.w.add(b)
	p.addD(b)
	p.c.add(b)
	p.q = mio.Col(b.NumCols())
	for t := p.leaves(); t < 2*p.leaves(); t++ {
		for u := range p.units.Len() {
			for k := range p.g.K {
				b.AddCol(p.answer[u*p.g.K+k]/p.g.Lhat, 0, 1, mio.Continuous, "q", u+1, k+1, t)
			}
		}
	}
	p.l = mio.Col(b.NumCols())
	if !p.g.FreeLeaves() {
		for t := p.leaves(); t < 2*p.leaves(); t++ {
			b.AddCol(0, 0, 1, mio.Continuous, "l", t)
		}
	}
}

func (p *predicted) rows(b *mio.Builder) {
	p.w.routingRows(b, p.below)
	p.w.chainRows(b)
	for u := range p.units.Len() {
		p.below(b, b.AddRow(1, 1, "member", u+1), u, 1)
	}
	for t := p.leaves(); t < 2*p.leaves(); t++ {
		p.leafRows(b, t)
	}
}

// leafRows are the rows of leaf t.
func (p *predicted) leafRows(b *mio.Builder, t int) {
	one := 1.0
	if !p.g.FreeLeaves() {
		one = 0
	}
	label := b.AddRow(one, one, "label", t)
	for k := range p.g.K {
		b.Add(label, p.c.col(k, t), 1)
	}
	for u := range p.units.Len() {
		for k := range p.g.K {
			r := b.AddRow(-mio.Inf, 0, "predicted", u+1, k+1, t)
			b.Add(r, p.colQ(u, k, t), 1)
			b.Add(r, p.c.col(k, t), -1)
		}
	}
	if p.g.FreeLeaves() {
		return
	}
	b.Add(label, p.colL(t), -1)
	least := b.AddRow(0, mio.Inf, "least", t)
	b.Add(least, p.colL(t), -p.g.MinLeaf)
	for u := range p.units.Len() {
		for k := range p.g.K {
			b.Add(least, p.colQ(u, k, t), p.weight[u])
		}
	}
}

// below adds to row r the sum of q_ukt over the leaves below node m and all classes.
func (p *predicted) below(b *mio.Builder, r mio.Row, u, m int) {
	lo, hi := under(m, p.leaves())
	for t := lo; t < hi; t++ {
		for k := range p.g.K {
			b.Add(r, p.colQ(u, k, t), 1)
		}
	}
}

// size is that of columns and rows, and of what below adds at all levels: with U units,
// K classes and T leaves, per leaf K + U K columns [+ 1], 1 + U K rows [+ 1], and U rows
// of membership in all.
func (p *predicted) size() formulate.Size {
	u, k := int64(p.units.Len()), int64(p.g.K)
	s := p.w.nodeSize().Times(p.last())
	leaf := formulate.Size{Cols: k + u*k, Binaries: k, Rows: 1 + u*k, Nonzeros: k + 2*u*k + int64(p.depth+1)*u*k}
	if !p.g.FreeLeaves() {
		leaf.Add(formulate.Size{Cols: 1, Rows: 1, Nonzeros: 2 + u*k})
	}
	s.Add(leaf.Times(p.leaves()))
	s.Rows += u
	return s
}

func (p *predicted) start(x []float64, h *heapTree) {
	for t := p.last(); t < p.leaves(); t++ {
		if j := h.feature[t]; j >= 0 {
			p.w.split(x, t, j, h.threshold[t])
		}
	}
	for t := p.leaves(); t < 2*p.leaves(); t++ {
		switch used := h.label[t] >= 0; {
		case used && !p.g.FreeLeaves():
			x[p.colL(t)] = 1
			fallthrough
		case used || p.g.FreeLeaves():
			x[p.c.col(int(h.labelAbove(t)), t)] = 1
		}
	}
	for u := range p.units.Len() {
		t := h.find(p.ranks(u), p.leaves())
		x[p.colQ(u, int(h.label[t]), t)] = 1
	}
}

// labelAbove is the label of leaf t; of one that is not in use, of the leaf that has the
// rows of the lowest node above it: so no order of labels is broken that the tree keeps.
func (h *heapTree) labelAbove(t int) int32 {
	for h.label[h.rightmost(t)] < 0 {
		t /= 2
	}
	return h.label[h.rightmost(t)]
}

// decode reads splits and labels, which must be integral, and holds q against them.
func (p *predicted) decode(x []float64, h *heapTree) error {
	if err := p.w.decode(x, h); err != nil {
		return err
	}
	for t := p.leaves(); t < 2*p.leaves(); t++ {
		for k := range p.g.K {
			on, err := point.Binary(x[p.c.col(k, t)], "c", k+1, t)
			if err != nil {
				return err
			}
			if on {
				h.label[t] = int32(k)
			}
		}
	}
	for u := range p.units.Len() {
		leaf := h.find(p.ranks(u), p.leaves())
		if k := h.label[leaf]; k < 0 || x[p.colQ(u, int(k), leaf)] < 1-verify.Integrality {
			return point.Bad("the rows like row %d are not predicted in leaf %d, where the splits of the solution send them", p.units.First(u)+1, leaf)
		}
	}
	return nil
}

func (p *predicted) file(f *fileSize) {
	units, leaves, k := int64(p.units.Len()), int64(p.leaves()), int64(p.g.K)
	row, leaf := digits(p.g.N), digits(2*p.leaves())
	f.columns(units*leaves*k, units*leaves*k*int64(p.depth+2), true, 5+row+leaf)
	f.take(units*leaves*k, 2*units*leaves*k, 12+row+leaf) // predicted
	f.take(units, units*leaves*k, 7+row)                  // member
}
