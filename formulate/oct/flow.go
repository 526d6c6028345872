package oct

import (
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/internal/build"
	"github.com/octgen/octgen/formulate/internal/grid"
	"github.com/octgen/octgen/mio"
)

// flow is FlowOCT: Aghaei, Gómez & Vayanos, Strong optimal classification trees
// (2021). Every row is a flow of at most 1 from the root to a sink below a node that
// predicts its class. The paper's features are 0/1; here every candidate threshold
// is one, f = (j, v) with x_if = 1 iff x_ij >= theta_jv, so that the trees are those of
// OCT. With t over the nodes 1..2T-1 of the full tree in heap order, B = T - 1 branch
// nodes before T leaves, anc(t) the nodes above t, F thresholds in all:
//
//	b_tf in {0,1}     branch node t splits on f
//	p_t in {0,1}      node t predicts
//	w_tk in [0,1]     the class k
//	z_it in [0,1]     flow of row i into node t
//	zeta_it in [0,1]  its flow from there to the sink: row i is right at t
//
//	min  (1/Lhat) sum_i omega_i (1 - sum_t zeta_it) + alpha sum_tf b_tf
//
//	sum_f b_tf + p_t + sum_{m in anc(t)} p_m = 1    branch nodes t      (1)
//	p_t + sum_{m in anc(t)} p_m = 1                 leaves t            (2)
//	z_it = z_i,2t + z_i,2t+1 + zeta_it              i, branch nodes t   (3)
//	z_it = zeta_it                                  i, leaves t         (4)
//	z_i,2t <= sum_{f: x_if = 0} b_tf                i, branch nodes t   (5)
//	z_i,2t+1 <= sum_{f: x_if = 1} b_tf              i, branch nodes t   (6)
//	zeta_it <= w_t,y(i)                             i, nodes t          (7)
//	sum_k w_tk = p_t                                nodes t             (8)
//	sum_tf b_tf <= C                                with max_splits     (9)
//
// The numbers are those of this comment; (9) is not the paper's. A row that would be
// wrong does not flow, so that nothing says where it lies. Where leaves are not free
// (N_min > min omega_i), under constraints, and with costs of answers, it has to: then
// z_i1 = 1, there is a sink for each class, zeta_ikt <= w_tk in (7), of which
// zeta_i,y(i),t counts, or each by the cost of k, sum_k zeta_ikt stands for zeta_it in (3)
// and (4), and
//
//	sum_ik omega_i zeta_ikt >= N_min p_t            nodes t             (10)
//
// The paper has w binary. With b and p integral, the best zeta for given w is linear
// in w over a simplex at each node, and so w needs not to be where leaves are free;
// elsewhere it is.
type flow struct {
	g         *grid.Grid
	depth     int
	alpha     float64
	maxSplits int  // 0 for no limit
	everyRow  bool // wrong rows flow, too: leaves are not free, or there are constraints or costs

	at  []int // (p) the feature's first f
	num int   // F

	b, p, w, z, zeta mio.Col // the first of each block
	cols             int
}

// Flow is the flow formulation of Aghaei, Gómez & Vayanos, with a 0/1 feature for every
// threshold.
const Flow formulate.Encoding = "flow"

var flowKind = kind{Flow, Facts{Constrained: true}, newFlow}

func newFlow(g *grid.Grid, o Options) (encoding, error) {
	return layFlow(g, o), nil
}

func layFlow(g *grid.Grid, o Options) *flow {
	e := &flow{g: g, depth: o.Depth, alpha: o.Alpha, maxSplits: o.MaxSplits, everyRow: !g.FreeLeaves() || o.predicts(g), at: make([]int, g.P)}
	for _, j := range g.Active {
		e.at[j] = e.num
		e.num += g.NumThresholds(j)
	}
	return e
}

// leaves is T, the number of leaves and the first of them; nodes is 2T - 1.
func (e *flow) leaves() int { return 1 << e.depth }
func (e *flow) nodes() int  { return 2<<e.depth - 1 }

// sinks is the number of sinks below a node that a row may flow to.
func (e *flow) sinks() int {
	if e.everyRow {
		return e.g.K
	}
	return 1
}

// Columns of node t, feature j at its threshold of rank c, class k, row i.
func (e *flow) colB(t, j, c int) mio.Col { return e.b + mio.Col((t-1)*e.num+e.at[j]+c-1) }
func (e *flow) colP(t int) mio.Col       { return e.p + mio.Col(t-1) }
func (e *flow) colW(k, t int) mio.Col    { return e.w + mio.Col((t-1)*e.g.K+k) }
func (e *flow) colZ(i, t int) mio.Col    { return e.z + mio.Col((t-1)*e.g.N+i) }

// colZeta is the flow of row i to the sink of class k below t; without sinks of their
// own, k is the row's class.
func (e *flow) colZeta(i, k, t int) mio.Col {
	if !e.everyRow {
		k = 0
	}
	return e.zeta + mio.Col(((t-1)*e.g.N+i)*e.sinks()+k)
}

// eachSink calls do for the classes whose sinks row i may flow to.
func (e *flow) eachSink(i int, do func(k int)) {
	if !e.everyRow {
		do(int(e.g.Y[i]))
		return
	}
	for k := range e.g.K {
		do(k)
	}
}

func (e *flow) build(b *mio.Builder) {
	b.AddOffset(e.g.Offset() / e.g.Lhat)
	e.columns(b)
	e.nodeRows(b)
	e.flowRows(b)
	e.capacityRows(b)
	e.sinkRows(b)
	e.labelRows(b)
	e.maxSplitsRow(b)
	e.leastRows(b)
}

// choices adds b, p and w.
func (e *flow) choices(b *mio.Builder) {
	g := e.g
	e.b = mio.Col(b.NumCols())
	for t := 1; t < e.leaves(); t++ {
		for _, j := range g.Active {
			for c := 1; c <= g.NumThresholds(j); c++ {
				b.AddBinary(e.alpha, "b", t, j+1, c)
			}
		}
	}
	e.p = mio.Col(b.NumCols())
	for t := 1; t <= e.nodes(); t++ {
		b.AddBinary(0, "p", t)
	}
	e.w = mio.Col(b.NumCols())
	kind := mio.Continuous
	if e.everyRow {
		kind = mio.Binary
	}
	for t := 1; t <= e.nodes(); t++ {
		for k := range g.K {
			b.AddCol(0, 0, 1, kind, "w", k+1, t)
		}
	}
}

// columns adds b, p, w, z and zeta.
func (e *flow) columns(b *mio.Builder) {
	g := e.g
	e.choices(b)
	e.z = mio.Col(b.NumCols())
	for t := 1; t <= e.nodes(); t++ {
		for i := range g.N {
			least := 0.0
			if t == 1 && e.everyRow {
				least = 1
			}
			b.AddCol(0, least, 1, mio.Continuous, "z", i+1, t)
		}
	}
	e.zeta = mio.Col(b.NumCols())
	for t := 1; t <= e.nodes(); t++ {
		for i := range g.N {
			e.eachSink(i, func(k int) {
				b.AddCol(g.Answer(i, k)/g.Lhat, 0, 1, mio.Continuous, "s", i+1, k+1, t)
			})
		}
	}
	e.cols = b.NumCols()
}

// nodeRows: sum_f b_tf + p_t + sum_{m in anc(t)} p_m = 1 at branch nodes (1), without b
// at leaves (2).
func (e *flow) nodeRows(b *mio.Builder) {
	for t := 1; t <= e.nodes(); t++ {
		r := b.AddRow(1, 1, "node", t)
		if t < e.leaves() {
			first := e.b + mio.Col((t-1)*e.num)
			for f := range e.num {
				b.Add(r, first+mio.Col(f), 1)
			}
		}
		for m := t; m >= 1; m /= 2 {
			b.Add(r, e.colP(m), 1)
		}
	}
}

// flowRows: z_it = z_i,2t + z_i,2t+1 + zeta_it at branch nodes (3), z_it = zeta_it at
// leaves (4), all i.
func (e *flow) flowRows(b *mio.Builder) {
	for t := 1; t <= e.nodes(); t++ {
		for i := range e.g.N {
			r := b.AddRow(0, 0, "flow", i+1, t)
			b.Add(r, e.colZ(i, t), 1)
			if t < e.leaves() {
				b.Add(r, e.colZ(i, 2*t), -1)
				b.Add(r, e.colZ(i, 2*t+1), -1)
			}
			e.eachSink(i, func(k int) { b.Add(r, e.colZeta(i, k, t), -1) })
		}
	}
}

// capacityRows: z_i,2t <= sum_{f: x_if = 0} b_tf (5) and z_i,2t+1 <= sum_{f: x_if = 1}
// b_tf (6), all i and branch nodes t.
func (e *flow) capacityRows(b *mio.Builder) {
	for t := 1; t < e.leaves(); t++ {
		for i := range e.g.N {
			left := b.AddRow(-mio.Inf, 0, "left", i+1, t)
			right := b.AddRow(-mio.Inf, 0, "right", i+1, t)
			b.Add(left, e.colZ(i, 2*t), 1)
			b.Add(right, e.colZ(i, 2*t+1), 1)
			ranks := e.g.Ranks(i)
			for _, j := range e.g.Active {
				for c := 1; c <= e.g.NumThresholds(j); c++ {
					side := left
					if c <= int(ranks[j]) {
						side = right
					}
					b.Add(side, e.colB(t, j, c), -1)
				}
			}
		}
	}
}

// sinkRows: zeta_it <= w_t,y(i), with sinks for each class zeta_ikt <= w_tk, all i and
// nodes t (7).
func (e *flow) sinkRows(b *mio.Builder) {
	for t := 1; t <= e.nodes(); t++ {
		for i := range e.g.N {
			e.eachSink(i, func(k int) {
				r := b.AddRow(-mio.Inf, 0, "sink", i+1, k+1, t)
				b.Add(r, e.colZeta(i, k, t), 1)
				b.Add(r, e.colW(k, t), -1)
			})
		}
	}
}

// labelRows: sum_k w_tk = p_t, all nodes t (8).
func (e *flow) labelRows(b *mio.Builder) {
	for t := 1; t <= e.nodes(); t++ {
		r := b.AddRow(0, 0, "label", t)
		for k := range e.g.K {
			b.Add(r, e.colW(k, t), 1)
		}
		b.Add(r, e.colP(t), -1)
	}
}

// maxSplitsRow: sum_tf b_tf <= C (9).
func (e *flow) maxSplitsRow(b *mio.Builder) {
	if e.maxSplits == 0 {
		return
	}
	all := make([]mio.Col, (e.leaves()-1)*e.num)
	for f := range all {
		all[f] = e.b + mio.Col(f)
	}
	build.AtMost(b, float64(e.maxSplits), all, "max_splits")
}

// leastRows: sum_ik omega_i zeta_ikt >= N_min p_t, all nodes t, where leaves are not
// free (10).
func (e *flow) leastRows(b *mio.Builder) {
	if !e.everyRow {
		return
	}
	for t := 1; t <= e.nodes(); t++ {
		r := b.AddRow(0, mio.Inf, "least", t)
		for i := range e.g.N {
			e.eachSink(i, func(k int) { b.Add(r, e.colZeta(i, k, t), e.g.W[i]) })
		}
		if e.g.MinLeaf > 0 {
			b.Add(r, e.colP(t), -e.g.MinLeaf)
		}
	}
}
