package oct

import (
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/internal/point"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mio/verify"
)

// labelled is a last level of chains with separate labels of its leaves: the shared part of the
// levels freeChains and memberChains. Its bins are the leaves.
type labelled struct {
	*frame
	w        chains
	c        labels
	e        counts
	siblings bool // two sibling leaves have different labels
}

func newLabelled(f *frame, thresholds [][]int32, kind mio.VarType, siblings bool) labelled {
	return labelled{
		frame: f, siblings: siblings, w: newChains(f, f.last(), f.leaves(), thresholds, kind),
		c: labels{frame: f, first: f.leaves(), kind: mio.Binary}, e: counts{frame: f, first: f.leaves()},
	}
}

func (l *labelled) columns(b *mio.Builder) {
	l.w.add(b)
	l.addD(b)
	l.c.add(b)
	l.e.add(b)
}

// labelRow adds sum_k c_kt = one.
func (l *labelled) labelRow(b *mio.Builder, t int, one float64) mio.Row {
	r := b.AddRow(one, one, "label", t)
	for k := range l.g.K {
		b.Add(r, l.c.col(k, t), 1)
	}
	return r
}

// rightRows adds e_it <= c_{y_i,t}.
func (l *labelled) rightRows(b *mio.Builder, t int) {
	for i, y := range l.g.Y {
		r := b.AddRow(-mio.Inf, 0, "right_label", i+1, t)
		b.Add(r, l.e.col(i, t), 1)
		b.Add(r, l.c.col(int(y), t), -1)
	}
}

// siblingRows adds c_k,2m + c_k,2m+1 <= 1.
func (l *labelled) siblingRows(b *mio.Builder) {
	if !l.siblings {
		return
	}
	for m := l.last(); m < l.leaves(); m++ {
		for k := range l.g.K {
			r := b.AddRow(-mio.Inf, 1, "siblings", k+1, m)
			b.Add(r, l.c.col(k, 2*m), 1)
			b.Add(r, l.c.col(k, 2*m+1), 1)
		}
	}
}

// size returns the size of all of the above.
func (l *labelled) size() formulate.Size {
	n, k := int64(l.g.N), int64(l.g.K)
	s := l.w.nodeSize()
	leaf := formulate.Size{Cols: k + n, Binaries: k, Rows: 1 + n, Nonzeros: k + 2*n}
	s.Add(leaf.Times(2))
	if l.siblings {
		s.Add(formulate.Size{Rows: k, Nonzeros: 2 * k})
	}
	return s.Times(l.last())
}

// freeChains is a last level of chains for leaves of any weight: rows have no assigned leaf; only
// e_it counts.
type freeChains struct{ labelled }

func (l *freeChains) rows(b *mio.Builder) {
	l.w.routingRows(b, l.below)
	l.w.chainRows(b)
	for t := l.leaves(); t < 2*l.leaves(); t++ {
		l.labelRow(b, t, 1)
		l.rightRows(b, t)
	}
	l.siblingRows(b)
}

func (l *freeChains) below(b *mio.Builder, r mio.Row, u, m int) { l.e.below(b, r, u, m) }

func (l *freeChains) size() formulate.Size {
	s := l.labelled.size()
	s.Nonzeros += int64(l.leaves()) * int64(l.depth) * int64(l.g.N) // below
	return s
}

func (l *freeChains) start(x []float64, h *heapTree) {
	for t := l.last(); t < l.leaves(); t++ {
		if j := h.feature[t]; j >= 0 {
			l.w.split(x, t, j, l.keptThreshold(j, h.threshold[t], h.label[2*t]))
		}
	}
	for t := l.leaves(); t < 2*l.leaves(); t++ {
		x[l.c.col(l.labelOf(h, t), t)] = 1
	}
	for i, y := range l.g.Y {
		if t := h.find(l.g.Ranks(i), l.leaves()); h.label[t] == y {
			x[l.e.col(i, t)] = 1
		}
	}
}

// labelOf returns the label of leaf t; for an unused leaf, one that differs from its sibling's.
func (l *freeChains) labelOf(h *heapTree, t int) int {
	sibling := h.label[t^1]
	switch {
	case h.label[t] >= 0:
		return int(h.label[t])
	case sibling < 0:
		return t & 1
	case sibling == 0:
		return 1
	}
	return 0
}

// keptThreshold moves the threshold theta of feature j to a kept one that is no worse: right past
// values whose rows all have the left label, else left.
func (l *freeChains) keptThreshold(j, theta int, left int32) int {
	keep := l.w.thresholds[j]
	v := firstAbove(keep, theta-1)
	if v < len(keep) && int(keep[v]) == theta || len(keep) == 0 {
		return theta
	}
	class := classOfValues(l.g, j)
	if (class[theta] == left || v == 0) && v < len(keep) {
		return int(keep[v])
	}
	return int(keep[max(v, 1)-1])
}

// decode does nothing: the level is re-optimised.
func (l *freeChains) decode([]float64, *heapTree) error { return nil }

func (l *freeChains) file(f *fileSize) {
	n, leaves := int64(l.g.N), int64(l.leaves())
	row, leaf := digits(l.g.N), digits(2*l.leaves())
	f.columns(n*leaves, n*leaves*int64(l.depth+1), true, 3+row+leaf)
	f.take(n*leaves, 2*n*leaves, 13+row+leaf) // right_label
}

// memberChains is a last level of chains for leaves with a minimum weight: z_ut is 1 if unit u is
// in leaf t, l_t is 1 if leaf t is in use.
type memberChains struct {
	labelled
	z, l mio.Col // first variables of the blocks
}

func (e *memberChains) colZ(u, t int) mio.Col { return e.z + mio.Col((t-e.leaves())*e.units.Len()+u) }
func (e *memberChains) colL(t int) mio.Col    { return e.l + mio.Col(t-e.leaves()) }

func (e *memberChains) columns(b *mio.Builder) {
	e.labelled.columns(b)
	e.z = mio.Col(b.NumCols())
	for t := e.leaves(); t < 2*e.leaves(); t++ {
		for u := range e.units.Len() {
			b.AddCol(0, 0, 1, mio.Continuous, "z", u+1, t)
		}
	}
	e.l = mio.Col(b.NumCols())
	for t := e.leaves(); t < 2*e.leaves(); t++ {
		b.AddCol(0, 0, 1, mio.Continuous, "l", t)
	}
}

// rows adds the constraints of freeChains, with z_ut routed and sum_k c_kt = l_t.
func (e *memberChains) rows(b *mio.Builder) {
	e.w.routingRows(b, e.below)
	e.w.chainRows(b)
	for t := e.leaves(); t < 2*e.leaves(); t++ {
		b.Add(e.labelRow(b, t, 0), e.colL(t), -1)
		e.rightRows(b, t)
	}
	e.siblingRows(b)
	e.memberRows(b)
	e.weightRows(b)
}

// below adds to constraint r the sum of z_ut over the leaves below node m.
func (e *memberChains) below(b *mio.Builder, r mio.Row, u, m int) {
	lo, hi := under(m, e.leaves())
	for t := lo; t < hi; t++ {
		b.Add(r, e.colZ(u, t), 1)
	}
}

// memberRows adds sum_t z_ut = 1.
func (e *memberChains) memberRows(b *mio.Builder) {
	for u := range e.units.Len() {
		r := b.AddRow(1, 1, "member", u+1)
		for t := e.leaves(); t < 2*e.leaves(); t++ {
			b.Add(r, e.colZ(u, t), 1)
		}
	}
}

// weightRows adds sum_i omega_i z_it >= N_min l_t (7), z_ut <= l_t, and e_it <= z_it.
func (e *memberChains) weightRows(b *mio.Builder) {
	weight := make([]float64, e.units.Len())
	for i, w := range e.g.W {
		weight[e.units.Of[i]] += w
	}
	for t := e.leaves(); t < 2*e.leaves(); t++ {
		least := b.AddRow(0, mio.Inf, "least", t)
		b.Add(least, e.colL(t), -e.g.MinLeaf)
		for u := range e.units.Len() {
			b.Add(least, e.colZ(u, t), weight[u])
			r := b.AddRow(-mio.Inf, 0, "used", u+1, t)
			b.Add(r, e.colZ(u, t), 1)
			b.Add(r, e.colL(t), -1)
		}
		for i := range e.g.N {
			r := b.AddRow(-mio.Inf, 0, "counted", i+1, t)
			b.Add(r, e.e.col(i, t), 1)
			b.Add(r, e.colZ(int(e.units.Of[i]), t), -1)
		}
	}
}

func (e *memberChains) size() formulate.Size {
	n, u := int64(e.g.N), int64(e.units.Len())
	s := e.labelled.size()
	s.Add(formulate.Size{
		Cols:     u + 1,
		Rows:     1 + u + n,
		Nonzeros: 1 + int64(e.depth)*u + u + (1 + u) + 2*u + 2*n, // label, below, member, least, used, counted
	}.Times(e.leaves()))
	s.Rows += u // member
	return s
}

func (e *memberChains) start(x []float64, h *heapTree) {
	for t := e.last(); t < e.leaves(); t++ {
		if j := h.feature[t]; j >= 0 {
			e.w.split(x, t, j, h.threshold[t])
		}
	}
	for t := e.leaves(); t < 2*e.leaves(); t++ {
		if k := h.label[t]; k >= 0 {
			x[e.c.col(int(k), t)], x[e.colL(t)] = 1, 1
		}
	}
	for i, y := range e.g.Y {
		t := h.find(e.g.Ranks(i), e.leaves())
		x[e.colZ(int(e.units.Of[i]), t)] = 1
		if h.label[t] == y {
			x[e.e.col(i, t)] = 1
		}
	}
}

// decode reads splits and labels, which must be integral, and checks z against them.
func (e *memberChains) decode(x []float64, h *heapTree) error {
	if err := e.w.decode(x, h); err != nil {
		return err
	}
	for t := e.leaves(); t < 2*e.leaves(); t++ {
		for k := range e.g.K {
			on, err := point.Binary(x[e.c.col(k, t)], "c", k+1, t)
			if err != nil {
				return err
			}
			if on {
				h.label[t] = int32(k)
			}
		}
	}
	for i := range e.g.N {
		leaf := h.find(e.g.Ranks(i), e.leaves())
		if z := x[e.colZ(int(e.units.Of[i]), leaf)]; z < 1-verify.Integrality {
			return point.Bad("row %d is not in leaf %d, where the splits of the solution send it (z is %v)", i+1, leaf, z)
		}
	}
	return nil
}

func (e *memberChains) file(f *fileSize) {
	n, units, leaves := int64(e.g.N), int64(e.units.Len()), int64(e.leaves())
	row, leaf := digits(e.g.N), digits(2*e.leaves())
	f.columns(n*leaves, 2*n*leaves, true, 3+row+leaf)                                  // label, member
	f.columns(units*leaves, units*leaves*int64(e.depth+3)+n*leaves, false, 3+row+leaf) // z
	f.take(n*leaves, 2*n*leaves, 13+row+leaf)                                          // right_label
	f.take(n*leaves, 2*n*leaves, 9+row+leaf)                                           // counted
	f.take(units*leaves, 2*units*leaves, 6+row+leaf)                                   // used
	f.take(leaves, units*leaves, 6+leaf)                                               // least
	f.take(units, units*leaves, 7+row)                                                 // member
}

// predicted is a last level of chains for trees with constraints or costs: every unit u of rows has
// a leaf and a prediction there, correct or not.
//
//	q_ukt in [0,1]   unit u is in leaf t, whose class is k
//	c_kt in {0,1}    leaf t has class k;  l_t, if leaves are not free: it is in use
//
//	sum_kt q_ukt = 1;  q_ukt <= c_kt;  sum_k c_kt = 1, or = l_t
//	sum_uk W_u q_ukt >= N_min l_t                      if leaves are not free
//	routing rows on z_ut = sum_k q_ukt
//
// The objective sums W_uk q_ukt over u and k, where W_uk is the weight of class k in unit u; with
// costs, the cost of k there. All w of the level are binary, all thresholds are kept, sibling
// leaves may have one label, and nothing is re-optimised: what the other levels omit is exact only
// without constraints.
type predicted struct {
	*frame
	w chains
	c labels

	weight []float64 // (units) of their rows
	answer []float64 // (units, K) contribution of q to the objective, times Lhat
	q, l   mio.Col   // first variables of the blocks
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

// leafRows adds the constraints of leaf t.
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

// below adds to constraint r the sum of q_ukt over the leaves below node m and all classes.
func (p *predicted) below(b *mio.Builder, r mio.Row, u, m int) {
	lo, hi := under(m, p.leaves())
	for t := lo; t < hi; t++ {
		for k := range p.g.K {
			b.Add(r, p.colQ(u, k, t), 1)
		}
	}
}

// size returns the size of variables and constraints, including those that below adds at all
// levels: with U units, K classes and T leaves, per leaf K + U K variables [+ 1], 1 + U K
// constraints [+ 1], and U constraints of membership in total.
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

// labelAbove returns the label of leaf t; for an unused leaf, that of the leaf with the rows of the
// lowest node above it, so that an order of labels that the tree satisfies remains satisfied.
func (h *heapTree) labelAbove(t int) int32 {
	for h.label[h.rightmost(t)] < 0 {
		t /= 2
	}
	return h.label[h.rightmost(t)]
}

// decode reads splits and labels, which must be integral, and checks q against them.
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
