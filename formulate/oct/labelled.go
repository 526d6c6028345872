package oct

import (
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/mio"
)

// labelled is a last level of chains with the labels of its leaves beside: what the
// levels freeChains and memberChains share. Its bins are the leaves.
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

// labelRow: sum_k c_kt = one.
func (l *labelled) labelRow(b *mio.Builder, t int, one float64) mio.Row {
	r := b.AddRow(one, one, "label", t)
	for k := range l.g.K {
		b.Add(r, l.c.col(k, t), 1)
	}
	return r
}

// rightRows: e_it <= c_{y_i,t}.
func (l *labelled) rightRows(b *mio.Builder, t int) {
	for i, y := range l.g.Y {
		r := b.AddRow(-mio.Inf, 0, "right_label", i+1, t)
		b.Add(r, l.e.col(i, t), 1)
		b.Add(r, l.c.col(int(y), t), -1)
	}
}

// siblingRows: c_k,2m + c_k,2m+1 <= 1.
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

// size is the size of all that is above.
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

// freeChains is a last level of chains for leaves of any weight: no row is held
// anywhere, only e_it counts.
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

// labelOf is the label of leaf t; of one that is not in use one that its sibling
// has not.
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

// keptThreshold moves the threshold theta of feature j to a kept one that is no worse:
// right past values all of the left label, else left.
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

// decode leaves the level to be re-optimised.
func (l *freeChains) decode([]float64, *heapTree) error { return nil }

func (l *freeChains) file(f *fileSize) {
	n, leaves := int64(l.g.N), int64(l.leaves())
	row, leaf := digits(l.g.N), digits(2*l.leaves())
	f.columns(n*leaves, n*leaves*int64(l.depth+1), true, 3+row+leaf)
	f.take(n*leaves, 2*n*leaves, 13+row+leaf) // right_label
}
