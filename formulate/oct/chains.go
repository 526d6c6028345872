package oct

import (
	"fmt"

	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/internal/grid"
	"github.com/octgen/octgen/formulate/internal/point"
	"github.com/octgen/octgen/mio"
)

// chains formulates the splits of some nodes: w_tjv = 1 iff node t splits on feature j at a
// candidate threshold of index >= v, a chain of variables for each node and feature.
type chains struct {
	*frame
	from, to   int         // nodes from..to-1
	thresholds [][]int32   // (p) candidate thresholds of each feature, ascending
	kind       mio.VarType // of w

	above [][]int32 // (p) by rank, the index of the first threshold that sends it left
	at    []int     // (p) w_tj1 among the variables of t
	num   int       // number of variables of a node
	w     mio.Col   // the first of the block
}

func newChains(f *frame, from, to int, thresholds [][]int32, kind mio.VarType) chains {
	g := f.g
	c := chains{frame: f, from: from, to: to, thresholds: thresholds, kind: kind, above: make([][]int32, g.P), at: make([]int, g.P)}
	for _, j := range g.Active {
		c.at[j] = c.num
		c.num += len(thresholds[j])
		c.above[j] = make([]int32, len(g.Vals[j]))
		for rank := range c.above[j] {
			c.above[j][rank] = int32(firstAbove(thresholds[j], rank))
		}
	}
	return c
}

// col returns the variable w_tjv, v from 0.
func (c *chains) col(t, j, v int) mio.Col {
	return c.w + mio.Col((t-c.from)*c.num+c.at[j]+v)
}

func (c *chains) add(b *mio.Builder) {
	c.w = mio.Col(b.NumCols())
	for t := c.from; t < c.to; t++ {
		for _, j := range c.g.Active {
			for _, theta := range c.thresholds[j] {
				b.AddCol(0, 0, 1, c.kind, "w", t, j+1, int(theta))
			}
		}
	}
}

// chainRows adds sum_j w_tj1 = d_t, and w_tj,v+1 <= w_tjv for consecutive thresholds.
func (c *chains) chainRows(b *mio.Builder) {
	for t := c.from; t < c.to; t++ {
		pick := b.AddRow(0, 0, "split", t)
		b.Add(pick, c.colD(t), -1)
		for _, j := range c.g.Active {
			for v, theta := range c.thresholds[j] {
				if v == 0 {
					b.Add(pick, c.col(t, j, 0), 1)
					continue
				}
				r := b.AddRow(-mio.Inf, 0, "chain", t, j+1, int(theta))
				b.Add(r, c.col(t, j, v), 1)
				b.Add(r, c.col(t, j, v-1), -1)
			}
		}
	}
}

// routingRows adds, at all nodes m and for all units u,
//
//	count of u below 2m    <= left_um
//	count of u below 2m+1  <= 1 - left_um
//
// where left_um = sum_j w_mj,rho(u,j) and below adds what is counted.
func (c *chains) routingRows(b *mio.Builder, below func(b *mio.Builder, r mio.Row, u, m int)) {
	for m := c.from; m < c.to; m++ {
		for u := range c.units.Len() {
			ranks := c.ranks(u)
			r := b.AddRow(-mio.Inf, 0, "left", u+1, m)
			below(b, r, u, 2*m)
			c.addLeft(b, r, m, ranks, -1)
			r = b.AddRow(-mio.Inf, 1, "right", u+1, m)
			below(b, r, u, 2*m+1)
			c.addLeft(b, r, m, ranks, 1)
		}
	}
}

// addLeft adds s left_t for the given ranks to constraint r.
func (c *chains) addLeft(b *mio.Builder, r mio.Row, t int, ranks []int32, s float64) {
	first := c.w + mio.Col((t-c.from)*c.num)
	for _, j := range c.g.Active {
		if v := int(c.above[j][ranks[j]]); v < len(c.thresholds[j]) {
			b.Add(r, first+mio.Col(c.at[j]+v), s)
		}
	}
}

// split sets w for a split of node t.
func (c *chains) split(x []float64, t, j, theta int) {
	for v, at := range c.thresholds[j] {
		if int(at) > theta {
			return
		}
		x[c.col(t, j, v)] = 1
	}
}

// decode reads the splits, which must be integral.
func (c *chains) decode(x []float64, h *heapTree) error {
	for t := c.from; t < c.to; t++ {
		if err := c.decodeNode(x, h, t); err != nil {
			return err
		}
	}
	return nil
}

func (c *chains) decodeNode(x []float64, h *heapTree, t int) error {
	for _, j := range c.g.Active {
		for v, theta := range c.thresholds[j] {
			on, err := point.Binary(x[c.col(t, j, v)], "w", t, j+1, int(theta))
			switch {
			case err != nil:
				return err
			case on && h.feature[t] >= 0 && h.feature[t] != j:
				return point.Bad("node %d splits on two features, %q and %q", t, c.g.DS.Features[h.feature[t]], c.g.DS.Features[j])
			case on:
				h.feature[t], h.threshold[t] = j, int(theta)
			}
		}
	}
	on, err := point.Binary(x[c.colD(t)], "d", t)
	if err == nil && on != (h.feature[t] >= 0) {
		err = fmt.Errorf("formulate: %w: node %d: d is %v, which contradicts w", formulate.ErrDecode, t, on)
	}
	return err
}

// nodeSize returns the size of a node: its variables, its chain constraints and, without what is
// counted below, its routing constraints.
func (c *chains) nodeSize() formulate.Size {
	n, features := int64(c.num), int64(0)
	units, left := int64(c.units.Len()), int64(0) // nonzeros of left_u over all units
	for _, j := range c.g.Active {
		if len(c.thresholds[j]) > 0 {
			features++
		}
		for u := range c.units.Len() {
			if int(c.above[j][c.ranks(u)[j]]) < len(c.thresholds[j]) {
				left++
			}
		}
	}
	s := formulate.Size{
		Cols: n,
		Rows: 1 + n - features + 2*units, Nonzeros: 1 + features + 2*(n-features) + 2*left,
	}
	if c.kind == mio.Binary {
		s.Binaries = n
	}
	return s
}

// counts are the variables e_it: row i reaches bin t and is counted as correct there. The bins are
// the nodes first..2 first-1: the leaves, or the last-level nodes.
type counts struct {
	*frame
	first int
	e     mio.Col // the first of the block
}

func (c *counts) col(i, t int) mio.Col { return c.e + mio.Col((t-c.first)*c.g.N+i) }

func (c *counts) add(b *mio.Builder) {
	c.e = mio.Col(b.NumCols())
	for t := c.first; t < 2*c.first; t++ {
		for i, w := range c.g.W {
			b.AddCol(-w/c.g.Lhat, 0, 1, mio.Continuous, "e", i+1, t)
		}
	}
}

// below adds to constraint r the sum of e_it over the rows of unit u and the bins below node m.
func (c *counts) below(b *mio.Builder, r mio.Row, u, m int) {
	lo, hi := under(m, c.first)
	for t := lo; t < hi; t++ {
		for _, i := range c.units.Rows(u) {
			b.Add(r, c.col(int(i), t), 1)
		}
	}
}

// labels are the variables c_kt: bin t has class k.
type labels struct {
	*frame
	first int         // bins as in counts
	kind  mio.VarType // of c
	c     mio.Col     // the first of the block
}

func (l *labels) col(k, t int) mio.Col { return l.c + mio.Col((t-l.first)*l.g.K+k) }

func (l *labels) add(b *mio.Builder) {
	l.c = mio.Col(b.NumCols())
	for t := l.first; t < 2*l.first; t++ {
		for k := range l.g.K {
			b.AddCol(0, 0, 1, l.kind, "c", k+1, t)
		}
	}
}

// allThresholds returns the thresholds of every feature, by their ranks. (p)
func allThresholds(g *grid.Grid) [][]int32 {
	thresholds := make([][]int32, g.P)
	for _, j := range g.Active {
		thresholds[j] = thresholdsOf(g, j)
	}
	return thresholds
}

// thresholdsOf returns the thresholds of feature j.
func thresholdsOf(g *grid.Grid, j int) []int32 {
	thresholds := make([]int32, g.NumThresholds(j))
	for i := range thresholds {
		thresholds[i] = int32(i + 1)
	}
	return thresholds
}

// thinThresholds returns the thresholds between values that are not all of the same class. (p)
func thinThresholds(g *grid.Grid) [][]int32 {
	thresholds := make([][]int32, g.P)
	for _, j := range g.Active {
		class := classOfValues(g, j)
		for c := 1; c <= g.NumThresholds(j); c++ {
			if class[c-1] < 0 || class[c-1] != class[c] {
				thresholds[j] = append(thresholds[j], int32(c))
			}
		}
	}
	return thresholds
}

// classOfValues returns the class of the rows with each distinct value of feature j, -1 for several
// classes.
func classOfValues(g *grid.Grid, j int) []int32 {
	const none, several = -2, -1
	class := make([]int32, len(g.Vals[j]))
	for v := range class {
		class[v] = none
	}
	for i, y := range g.Y {
		switch v := g.Rank[i*g.P+j]; class[v] {
		case none:
			class[v] = y
		case y:
		default:
			class[v] = several
		}
	}
	return class
}

// classesOfValues returns, for each distinct value v of feature j and class k, the number of merged
// rows: has[v*K+k].
func classesOfValues(g *grid.Grid, j int) []int32 {
	has := make([]int32, len(g.Vals[j])*g.K)
	for i, y := range g.Y {
		has[int(g.Rank[i*g.P+j])*g.K+int(y)]++
	}
	return has
}

// firstAbove returns the index of the first of the ascending thresholds that is greater than rank:
// the first that sends a value of this rank left.
func firstAbove(thresholds []int32, rank int) int {
	lo, hi := 0, len(thresholds)
	for lo < hi {
		if mid := (lo + hi) / 2; int(thresholds[mid]) > rank {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	return lo
}
