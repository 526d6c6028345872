package oct

import "github.com/octgen/octgen/mio"

// counts are the columns e_it: row i reaches bin t and is counted correct there. The
// bins are the nodes first..2 first-1: the leaves, or the last-level nodes.
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

// below adds to row r the sum of e_it over the rows of unit u and the bins below
// node m.
func (c *counts) below(b *mio.Builder, r mio.Row, u, m int) {
	lo, hi := under(m, c.first)
	for t := lo; t < hi; t++ {
		for _, i := range c.units.Rows(u) {
			b.Add(r, c.col(int(i), t), 1)
		}
	}
}

// labels are the columns c_kt: bin t has class k.
type labels struct {
	*frame
	first int         // bins as those of counts
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
