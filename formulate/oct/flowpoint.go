package oct

import (
	"slices"

	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/internal/grid"
	"github.com/octgen/octgen/formulate/internal/point"
	"github.com/octgen/octgen/formulate/internal/rates"
	"github.com/octgen/octgen/mio"
)

// How trees are points of FlowOCT's program, and what can be said of it before it is
// built.

// size is the closed form. With S the sinks of a row below a node, 1 or K, and V =
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

// pathLengths is the sum over all nodes of the nodes from the root to them.
func (e *flow) pathLengths() int64 {
	sum := int64(0)
	for level := range e.depth + 1 {
		sum += int64(level+1) << level
	}
	return sum
}

func (e *flow) tightenings() []string { return nil }

// norm: any label may stand at any leaf.
func (e *flow) norm() norm { return norm{} }

// start has every row flow to the node that predicts it, if it is right there or has to
// flow.
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

// path is the way of row i from the root to the node that predicts it, at.
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

// decode reads b and p, which must be integral, and w; where w is not, the label is the
// heaviest class of the rows that come there, which counts no more errors.
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
		return point.Bad("leaf %d does not predict, nor does a node above it", t)
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

// label is the class that node t predicts: that of w_tk = 1, else the heaviest of the
// rows that come there.
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

// proof says what proofs took when they were measured (docs/oct.md).
func (e *flow) proof(work float64) string {
	switch {
	case work <= 1e4:
		return "realistic, in seconds to minutes; encoding threshold is faster"
	case work <= 2e5:
		return "possible, in minutes to hours; encoding threshold is faster"
	}
	return "not realistic with an open solver; use encoding threshold, or the engine search"
}
