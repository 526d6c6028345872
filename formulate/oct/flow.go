package oct

import (
	"slices"

	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/internal/build"
	"github.com/octgen/octgen/formulate/internal/grid"
	"github.com/octgen/octgen/formulate/internal/point"
	"github.com/octgen/octgen/formulate/internal/rates"
	"github.com/octgen/octgen/mio"
)

// flow is FlowOCT: Aghaei, Gómez & Vayanos, Strong optimal classification trees (2021). Every row
// is a flow of at most 1 from the root to a sink below a node that predicts its class. The paper's
// features are 0/1; here every candidate threshold is such a feature, f = (j, v) with x_if = 1 iff
// x_ij >= theta_jv, so that the trees are those of OCT. Let t be one of the nodes 1..2T-1 of the
// full tree in heap order, B = T - 1 branch nodes before T leaves, anc(t) the nodes above t, and F
// the total number of thresholds:
//
//	b_tf in {0,1}     branch node t splits on f
//	p_t in {0,1}      node t predicts
//	w_tk in [0,1]     the class k
//	z_it in [0,1]     flow of row i into node t
//	zeta_it in [0,1]  its flow from t to the sink: row i is correct at t
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
// The numbers are those of this comment; (9) is not in the paper. A misclassified row does not
// flow, so it has no assigned leaf. If leaves are not free (N_min > min omega_i), under
// constraints, and with prediction costs, it must have one. Then z_i1 = 1 and there is a sink for
// each class: zeta_ikt <= w_tk in (7), and sum_k zeta_ikt replaces zeta_it in (3) and (4).
// zeta_i,y(i),t counts or, with costs, each zeta_ikt with the cost of k. In addition,
//
//	sum_ik omega_i zeta_ikt >= N_min p_t            nodes t             (10)
//
// In the paper w is binary. Claim: if leaves are free, w need not be binary. Proof: with b and p
// integral, the best zeta for given w is linear in w over a simplex at each node. Otherwise w is
// binary.
type flow struct {
	g         *grid.Grid
	depth     int
	alpha     float64
	maxSplits int  // maximum number of splits; 0 for no limit
	everyRow  bool // misclassified rows flow as well: leaves are not free, or there are constraints or costs

	at  []int // (p) first f of the feature
	num int   // F

	b, p, w, z, zeta mio.Col // the first of each block
	cols             int
}

// Flow is the flow formulation of Aghaei, Gómez & Vayanos, with a 0/1 feature for every threshold.
const Flow formulate.Encoding = "flow"

var flowKind = kind{Flow, Facts{Stronger: true, Constrained: true, Integral: true}, newFlow}

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

// leaves returns T, the number of leaves and the first of them; nodes returns 2T - 1.
func (e *flow) leaves() int { return 1 << e.depth }
func (e *flow) nodes() int  { return 2<<e.depth - 1 }

// sinks returns the number of sinks below a node to which a row may flow.
func (e *flow) sinks() int {
	if e.everyRow {
		return e.g.K
	}
	return 1
}

// Variables of node t, feature j at its threshold of rank c, class k, row i.
func (e *flow) colB(t, j, c int) mio.Col { return e.b + mio.Col((t-1)*e.num+e.at[j]+c-1) }
func (e *flow) colP(t int) mio.Col       { return e.p + mio.Col(t-1) }
func (e *flow) colW(k, t int) mio.Col    { return e.w + mio.Col((t-1)*e.g.K+k) }
func (e *flow) colZ(i, t int) mio.Col    { return e.z + mio.Col((t-1)*e.g.N+i) }

// colZeta returns the flow of row i to the sink of class k below t; without a sink per class, k is
// the row's class.
func (e *flow) colZeta(i, k, t int) mio.Col {
	if !e.everyRow {
		k = 0
	}
	return e.zeta + mio.Col(((t-1)*e.g.N+i)*e.sinks()+k)
}

// eachSink calls do for the classes to whose sinks row i may flow.
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
	b.AddOffset(e.g.Offset / e.g.Lhat)
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

// nodeRows adds sum_f b_tf + p_t + sum_{m in anc(t)} p_m = 1 at branch nodes (1), without b at
// leaves (2).
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

// flowRows adds z_it = z_i,2t + z_i,2t+1 + zeta_it at branch nodes (3), z_it = zeta_it at leaves
// (4), all i.
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

// capacityRows adds z_i,2t <= sum_{f: x_if = 0} b_tf (5) and z_i,2t+1 <= sum_{f: x_if = 1} b_tf
// (6), all i and branch nodes t.
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

// sinkRows adds zeta_it <= w_t,y(i), with sinks per class zeta_ikt <= w_tk, all i and nodes t (7).
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

// labelRows adds sum_k w_tk = p_t, all nodes t (8).
func (e *flow) labelRows(b *mio.Builder) {
	for t := 1; t <= e.nodes(); t++ {
		r := b.AddRow(0, 0, "label", t)
		for k := range e.g.K {
			b.Add(r, e.colW(k, t), 1)
		}
		b.Add(r, e.colP(t), -1)
	}
}

// maxSplitsRow adds sum_tf b_tf <= C (9).
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

// leastRows adds sum_ik omega_i zeta_ikt >= N_min p_t, all nodes t, if leaves are not free (10).
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

// Points of trees in FlowOCT's model, and figures known before the model is built.

// size returns the closed form. With S the number of sinks of a row below a node, 1 or K, and V =
// 2T - 1 nodes:
//
//	columns   B F + V (1 + K + n + S n)       [binaries  B F + V, with S = K + V K]
//	rows      2V + V n + 2 B n + V S n        [+ 1 with max_splits, + V with S = K]
//	nonzeros  B F + V + D T + 2 + ... (1), (2): a node of level l has l + 1 p
//	          n (V (1 + S) + 2B)              (3), (4)
//	          n B (2 + F)                     (5), (6)
//	          2 V S n + V (K + 1)             (7), (8)
//	          [B F]  [V (S n + 1)]            (9), (10)
func (e *flow) size() formulate.Size {
	n, k, sinks := int64(e.g.N), int64(e.g.K), int64(e.sinks())
	nodes, branches, f := int64(e.nodes()), int64(e.leaves()-1), int64(e.num)
	s := formulate.Size{
		Cols:     branches*f + nodes*(1+k+n+sinks*n),
		Binaries: branches*f + nodes,
		Rows:     2*nodes + nodes*n + 2*branches*n + nodes*sinks*n,
		Nonzeros: branches*f + e.pathLengths() + n*(nodes*(1+sinks)+2*branches) + n*branches*(2+f) + 2*nodes*sinks*n + nodes*(k+1),
	}
	if e.maxSplits > 0 {
		s.Add(formulate.Size{Rows: 1, Nonzeros: branches * f})
	}
	if e.everyRow {
		s.Add(formulate.Size{Binaries: nodes * k, Rows: nodes, Nonzeros: nodes * sinks * n})
		if e.g.MinLeaf > 0 {
			s.Nonzeros += nodes
		}
	}
	return s
}

// pathLengths returns the sum, over all nodes, of the number of nodes from the root to them.
func (e *flow) pathLengths() int64 {
	sum := int64(0)
	for level := range e.depth + 1 {
		sum += int64(level+1) << level
	}
	return sum
}

func (e *flow) tightenings() []string { return nil }

// norm: any leaf may have any label.
func (e *flow) norm() norm { return norm{} }

// start lets every row flow to the node that predicts it, if it is correct there or must flow.
func (e *flow) start(h *heapTree) []float64 {
	x := make([]float64, e.cols)
	e.startNode(x, h, 1)
	for i := range e.g.N {
		path, at := e.path(h, i)
		k := h.label[h.rightmost(at)]
		if !e.everyRow && k != e.g.Y[i] {
			continue
		}
		for _, t := range path {
			x[e.colZ(i, t)] = 1
		}
		x[e.colZeta(i, int(k), at)] = 1
	}
	return x
}

// startNode sets b, p and w at and below node t, down to the nodes that predict.
func (e *flow) startNode(x []float64, h *heapTree, t int) {
	if t < e.leaves() && h.feature[t] >= 0 {
		x[e.colB(t, h.feature[t], h.threshold[t])] = 1
		e.startNode(x, h, 2*t)
		e.startNode(x, h, 2*t+1)
		return
	}
	x[e.colP(t)] = 1
	x[e.colW(int(h.label[h.rightmost(t)]), t)] = 1
}

// path returns the path of row i from the root to the node that predicts it, at.
func (e *flow) path(h *heapTree, i int) (path []int, at int) {
	for t := 1; ; {
		path = append(path, t)
		if t >= e.leaves() || h.feature[t] < 0 {
			return path, t
		}
		t *= 2
		if !h.goesLeft(t/2, e.g.Ranks(i)) {
			t++
		}
	}
}

// decode reads b and p, which must be integral, and w. If w is not integral, the label is the
// heaviest class of the rows that arrive, which counts no more errors.
func (e *flow) decode(x []float64) (*heapTree, error) {
	h := newHeapTree(e.depth)
	if err := e.decodeSplits(x, h, 1); err != nil {
		return nil, err
	}
	weight := make([]float64, (e.nodes()+1)*e.g.K)
	for i := range e.g.N {
		_, at := e.path(h, i)
		weight[at*e.g.K+int(e.g.Y[i])] += e.g.W[i]
	}
	for t := 1; t <= e.nodes(); t++ {
		if on, err := point.Binary(x[e.colP(t)], "p", t); err != nil {
			return nil, err
		} else if on {
			h.label[h.rightmost(t)] = int32(e.label(x, t, weight[t*e.g.K:(t+1)*e.g.K]))
		}
	}
	return h, nil
}

// decodeSplits reads the splits at and below node t, down to the nodes that predict.
func (e *flow) decodeSplits(x []float64, h *heapTree, t int) error {
	predicts, err := point.Binary(x[e.colP(t)], "p", t)
	if err != nil || predicts {
		return err
	}
	if t >= e.leaves() {
		return point.Bad("neither leaf %d nor a node above it predicts", t)
	}
	for _, j := range e.g.Active {
		for c := 1; c <= e.g.NumThresholds(j); c++ {
			on, err := point.Binary(x[e.colB(t, j, c)], "b", t, j+1, c)
			switch {
			case err != nil:
				return err
			case on && h.feature[t] >= 0:
				return point.Bad("node %d splits on two features, %q and %q", t, e.g.DS.Features[h.feature[t]], e.g.DS.Features[j])
			case on:
				h.feature[t], h.threshold[t] = j, c
			}
		}
	}
	if h.feature[t] < 0 {
		return point.Bad("node %d neither splits nor predicts", t)
	}
	if err := e.decodeSplits(x, h, 2*t); err != nil {
		return err
	}
	return e.decodeSplits(x, h, 2*t+1)
}

// label returns the class that node t predicts: that of w_tk = 1, otherwise the heaviest class of
// the rows that arrive.
func (e *flow) label(x []float64, t int, weight []float64) int {
	for k := range e.g.K {
		if on, err := point.Binary(x[e.colW(k, t)], "w", k+1, t); err == nil && on {
			return k
		}
	}
	return slices.Index(weight, slices.Max(weight))
}

// places: a_jt is the sum of b over the thresholds of j; any node may predict.
func (e *flow) places() *places {
	p := newPlaces(e.g, grid.Singles(e.g.N), e.leaves()-1, e.colZeta)
	p.label = e.colW
	for t := 1; t <= e.nodes(); t++ {
		p.predictions.Nodes = append(p.predictions.Nodes, t)
	}
	p.splits = func(t, j int) []mio.Col {
		var all []mio.Col
		for c := 1; c <= e.g.NumThresholds(j); c++ {
			all = append(all, e.colB(t, j, c))
		}
		return all
	}
	p.fixed = func(t, j, rank int) []rates.Term { return []rates.Term{{Col: e.colB(t, j, rank), Value: 1}} }
	return p
}

// describe estimates the MPS file.
func (e *flow) describe(in *Inspection) {
	g, size := e.g, e.size()
	f := &fileSize{left: size, entries: size.Nonzeros, cost: costLen(g)}
	n, row, node := int64(g.N), digits(g.N), digits(e.nodes())
	rows := int64(e.nodes()) * n
	f.take(rows, 3*rows, 6+row+node)                                // flow
	f.columns(rows, 4*rows, false, 3+row+node)                      // z
	f.columns(rows*int64(e.sinks()), 2*rows, true, 5+row+node)      // zeta
	f.choice = 4 + node + digits(g.P) + digits(e.num/len(g.Active)) // b
	f.cols(f.left.Cols, f.entries, f.choice, true)
	f.rows(f.left.Rows, f.left.Nonzeros, 6.5+row+node, shortValue)
	in.MPSBytes = int64(f.mpsSize)
	in.Proof = e.proof(in.work())
}

// proof describes the measured effort of proofs (docs/encodings.md).
func (e *flow) proof(work float64) string {
	switch {
	case work <= 1e4:
		return "realistic, in seconds to minutes; encoding threshold is faster"
	case work <= 2e5:
		return "possible, in minutes to hours; encoding threshold is faster"
	}
	return "not realistic with an open solver; use encoding threshold, or the engine search"
}
