package oct

import (
	"slices"

	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/internal/grid"
	"github.com/octgen/octgen/formulate/internal/leaves"
	"github.com/octgen/octgen/formulate/internal/rates"
	"github.com/octgen/octgen/mio"
)

// predictedBigM is bigM with the prediction of every row, for trees with constraints or
// costs of answers:
//
//	q_ikt >= 0,  sum_k q_ikt = z_it,  q_ikt <= c_kt    all i, k, t in T_L
//
// With costs the objective counts sum_ikt cost_ik q_ikt, and there are no L_t, N_kt and N_t.
type predictedBigM struct {
	*bigM
	q mio.Col // the first of the block
}

func (e *predictedBigM) colQ(i, k, t int) mio.Col {
	return e.q + mio.Col(((t-e.leaf.Leaves())*e.g.N+i)*e.g.K+k)
}

// cost is that of q_ikt; errors are counted by the losses of the leaves.
func (e *predictedBigM) cost(i, k int) float64 {
	if e.g.Cost == nil {
		return 0
	}
	return e.g.Answer(i, k) / e.g.Lhat
}

func (e *predictedBigM) build(b *mio.Builder) {
	e.bigM.build(b)
	e.q = mio.Col(b.NumCols())
	for t := e.leaf.Leaves(); t < 2*e.leaf.Leaves(); t++ {
		for i := range e.g.N {
			for k := range e.g.K {
				b.AddCol(e.cost(i, k), 0, 1, mio.Continuous, "q", i+1, k+1, t)
			}
		}
	}
	for t := e.leaf.Leaves(); t < 2*e.leaf.Leaves(); t++ {
		for i := range e.g.N {
			all := b.AddRow(0, 0, "predicted", i+1, t)
			b.Add(all, e.leaf.ColZ(i, t), -1)
			for k := range e.g.K {
				b.Add(all, e.colQ(i, k, t), 1)
				r := b.AddRow(-mio.Inf, 0, "as_label", i+1, k+1, t)
				b.Add(r, e.colQ(i, k, t), 1)
				b.Add(r, e.leaf.ColC(k, t), -1)
			}
		}
	}
}

func (e *predictedBigM) size() formulate.Size {
	n, k, leaves := int64(e.g.N), int64(e.g.K), int64(e.leaf.Leaves())
	s := e.bigM.size()
	s.Add(formulate.Size{Cols: n * k, Rows: n * (1 + k), Nonzeros: n * (1 + 3*k)}.Times(int(leaves)))
	return s
}

func (e *predictedBigM) start(h *heapTree) []float64 {
	x := e.bigM.start(h)
	own := len(x)
	x = append(x, make([]float64, e.leaf.Leaves()*e.g.N*e.g.K)...)
	for i := range e.g.N {
		t := h.find(e.g.Ranks(i), e.leaf.Leaves())
		x[own+int(e.colQ(i, int(h.label[t]), t)-e.q)] = 1
	}
	return x
}

// places: a_jt is a column; a split that stays has its b at the least value of its
// right, where start puts it, too.
func (e *predictedBigM) places() *places {
	p := newPlaces(e.g, grid.Singles(e.g.N), e.leaf.Branches(), e.colQ)
	p.label = e.leaf.ColC
	for t := e.leaf.Leaves(); t < 2*e.leaf.Leaves(); t++ {
		p.predictions.Nodes = append(p.predictions.Nodes, t)
	}
	at := func(t, j int) mio.Col {
		jx, _ := slices.BinarySearch(e.g.Active, j)
		return e.colA(jx, t)
	}
	p.splits = func(t, j int) []mio.Col { return []mio.Col{at(t, j)} }
	p.fixed = func(t, j, rank int) []rates.Term {
		return []rates.Term{{Col: at(t, j), Value: 1}, {Col: e.colB(t), Value: e.level[j][rank]}}
	}
	return p
}

func newBigM(g *grid.Grid, o Options) (encoding, error) {
	e := &bigM{o: o, published: o.Encoding == BigMPublished, indicator: o.Encoding == formulate.Indicator, g: g, leaf: leaves.New(g, o.Depth)}
	switch {
	case e.published:
		e.leaf = leaves.Printed(g, o.Depth)
	case g.Cost != nil:
		e.leaf = leaves.Uncounted(g, o.Depth)
	}
	if err := e.scale(); err != nil || !o.predicts(g) {
		return e, err
	}
	return &predictedBigM{bigM: e}, nil
}

var (
	bigMKind      = kind{formulate.BigM, Facts{Scaled: true, Sums: true, Constrained: true}, newBigM}
	indicatorKind = kind{formulate.Indicator, Facts{Scaled: true, Sums: true, Indicators: true}, newBigM}
	publishedKind = kind{BigMPublished, Facts{
		Scaled: true, Sums: true, BelowTrees: true,
		Warning: "encoding bigm-published keeps the paper's left-branch row, by which points may go left at a node without a split: its optimum can be below that of any tree",
	}, newBigM}
)
