package oct

import (
	"fmt"

	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/internal/grid"
	"github.com/octgen/octgen/formulate/internal/rates"
	"github.com/octgen/octgen/mio"
)

// cut is BendersOCT: Aghaei, Gómez & Vayanos, Strong optimal classification trees (2021), the
// Benders decomposition of FlowOCT. It has b, p and w of flow.go with their constraints (1), (2),
// (8) and (9), and instead of the flows of a row i
//
//	g_i in [0,1]    row i is correct
//
//	min  (1/Lhat) sum_i omega_i (1 - g_i) + alpha sum_tf b_tf
//
// The maximum flow of row i from the root to the sink equals the minimum capacity of a cut
// (max-flow min-cut), so g_i is at most the capacity of every cut. A cut is a set S of nodes that
// contains the root and with each node its parent. It cuts the edges from S to the sinks of S and
// to children outside. The edge to the left child of t has the capacity sum_{f: x_if = 0} b_tf, the
// edge to the right one sum_{f: x_if = 1} b_tf. So
//
//	g_i <= sum_{t in S} w_t,y(i) + sum_{t in S, child c of t not in S} capacity(t, c)    (11)
//
// for all i and S.
//
// Claim: if b and p are integral, few of these constraints suffice, although at depth 4 there are
// too many to write down. Proof: let P be the nodes from the root to the node at which row i ends.
// The cut S = P has the capacity w_t,y(i) of that node, since b_tf = 0 there and all edges out of P
// above have the capacity 0. So the model has (11) for the paths to each of the 2T-1 nodes,
//
//	S = {t} + anc(t)    i, nodes t    (12)
//
// as its lazy constraints: it is exactly FlowOCT's problem, and its points are the trees. The other
// cuts are valid for all its points and make the linear relaxation as tight as FlowOCT's:
// [cut.violated] finds them for fractional points. Cuts for the linear relaxation are added first,
// cuts for the solutions of the relaxations after each solve (package fit). `octgen mps` writes the
// former as constraints, and the lazy constraints in a separate section if the dialect has one.
//
// Misclassified rows have no assigned leaf, so the weight of a leaf is not in the model: leaves
// must be free (N_min <= min omega_i).
//
// Under constraints and with prediction costs, as in the flows of FairOCT (Jo, Aghaei, Benson,
// Gómez & Vayanos, Learning optimal fair decision trees, 2023), every row has a prediction: w is
// binary,
//
//	g_ik in [0,1]    row i is predicted k;  sum_k g_ik = 1    (13)
//
// of which g_i,y(i) counts, or each with the cost of k. (11) then states that g_ik is at most the
// capacity of the cut with w_tk for its sinks, for all k. At an integral point, the row's path
// leaves only the class of the node where it ends, so (13) assigns that class. The model still does
// not contain the node of a row, so there is no leaf purity.
type cut struct {
	*flow
	g1   mio.Col            // g_i, the first of the block
	more func() []rates.Row // of strengthen; nil for none
}

// Cut is the cut formulation of Aghaei, Gómez & Vayanos, with a 0/1 feature for every threshold and
// lazy constraints.
const Cut formulate.Encoding = "cut"

var cutKind = kind{Cut, Facts{Stronger: true, Constrained: true, FreeLeaves: true, Integral: true}, newCut}

func newCut(g *grid.Grid, o Options) (encoding, error) {
	if !g.FreeLeaves() {
		return nil, fmt.Errorf("formulate: the encoding %s cannot enforce the minimum leaf weight %v, above that of the lightest row, because it assigns no leaf to misclassified rows; use %s or %s", Cut, o.MinLeaf, Threshold, Flow)
	}
	return &cut{flow: layFlow(g, o)}, nil
}

// colG returns g_ik; if there is only one g_i per row, it is that of the row's class.
func (e *cut) colG(i, k int) mio.Col {
	if !e.everyRow {
		k = 0
	}
	return e.g1 + mio.Col(i*e.sinks()+k)
}

func (e *cut) build(b *mio.Builder) {
	b.AddOffset(e.g.Offset / e.g.Lhat)
	e.choices(b)
	e.g1 = mio.Col(b.NumCols())
	for i, y := range e.g.Y {
		if !e.everyRow {
			b.AddCol(e.g.Answer(i, int(y))/e.g.Lhat, 0, 1, mio.Continuous, "g", i+1)
			continue
		}
		for k := range e.g.K {
			b.AddCol(e.g.Answer(i, k)/e.g.Lhat, 0, 1, mio.Continuous, "g", i+1, k+1)
		}
	}
	e.cols = b.NumCols()
	e.nodeRows(b)
	e.labelRows(b)
	e.maxSplitsRow(b)
	e.oneRows(b)
	if e.more != nil {
		rates.AddRows(b, e.more())
	}
	if !e.everyRow { // otherwise after the constraints on trees, since lazy constraints are the last
		e.lazyRows(b)
	}
}

// oneRows adds sum_k g_ik = 1, all i, if every row has its prediction (13).
func (e *cut) oneRows(b *mio.Builder) {
	for i := 0; i < e.g.N && e.everyRow; i++ {
		r := b.AddRow(1, 1, "one", i+1)
		for k := range e.g.K {
			b.Add(r, e.colG(i, k), 1)
		}
	}
}

// lazyRows adds (12), all i, nodes t and, under constraints, classes k.
func (e *cut) lazyRows(b *mio.Builder) {
	b.BeginLazy()
	within := make([]bool, e.nodes()+1)
	for t := 1; t <= e.nodes(); t++ {
		clear(within)
		for m := t; m >= 1; m /= 2 {
			within[m] = true
		}
		for i := range e.g.N {
			e.eachSink(i, func(k int) {
				index := []int{i + 1, t}
				if e.everyRow {
					index = append(index, k+1)
				}
				r := b.AddRow(-mio.Inf, 0, "cut", index...)
				e.terms(i, k, within, func(c mio.Col, v float64) { b.Add(r, c, v) })
			})
		}
	}
}

// terms calls add for the terms of g_ik - capacity of the cut, which must be at most 0. within
// marks the nodes of the cut.
func (e *cut) terms(i, k int, within []bool, add func(c mio.Col, v float64)) {
	ranks := e.g.Ranks(i)
	add(e.colG(i, k), 1)
	for t := 1; t <= e.nodes(); t++ {
		if !within[t] {
			continue
		}
		add(e.colW(k, t), -1)
		if t >= e.leaves() {
			continue
		}
		for _, j := range e.g.Active {
			for c := 1; c <= e.g.NumThresholds(j); c++ {
				child := 2 * t
				if c <= int(ranks[j]) {
					child++
				}
				if !within[child] {
					add(e.colB(t, j, c), -1)
				}
			}
		}
	}
}

// violated finds, for every row i and its sinks k, the cut with the minimum capacity at the point
// x, and returns (11) for those that g_ik exceeds by more than tolerance. In the part of the graph
// below node t, the minimum cut is
//
//	cut(t) = w_tk + sum over children c of min(capacity(t, c), cut(c)),
//
// since a tree has one path from t to each node below.
func (e *cut) violated(x []float64, tolerance float64) []mio.Linear {
	var rows []mio.Linear
	to := e.capacities(x)
	least := make([]float64, e.nodes()+1)
	capacity := make([]float64, e.nodes()+1) // of the edge into a node
	within := make([]bool, e.nodes()+1)
	for i := range e.g.N {
		for t := 2; t <= e.nodes(); t++ {
			capacity[t] = to.into(i, t)
		}
		e.eachSink(i, func(k int) {
			for t := e.nodes(); t >= 1; t-- {
				least[t] = x[e.colW(k, t)]
				if t < e.leaves() {
					least[t] += min(capacity[2*t], least[2*t]) + min(capacity[2*t+1], least[2*t+1])
				}
			}
			if x[e.colG(i, k)] <= least[1]+tolerance {
				return
			}
			clear(within)
			within[1] = true
			for t := 2; t <= e.nodes(); t++ {
				within[t] = within[t/2] && least[t] < capacity[t]
			}
			row := mio.Linear{Lower: -mio.Inf}
			e.terms(i, k, within, func(c mio.Col, v float64) {
				row.Index, row.Value = append(row.Index, int32(c)), append(row.Value, v)
			})
			rows = append(rows, row)
		})
	}
	return rows
}

// capacities are the sums of b_tf over the thresholds of each feature, which give the capacities of
// every row's edges.
type capacities struct {
	*cut
	upTo []float64 // at node t and feature j: the sum over its thresholds of rank 1..c
}

func (e *cut) capacities(x []float64) *capacities {
	s := &capacities{e, make([]float64, e.leaves()*(e.num+e.g.P))}
	for t := 1; t < e.leaves(); t++ {
		for _, j := range e.g.Active {
			sum, to := 0.0, s.of(t, j)
			for c := 1; c <= e.g.NumThresholds(j); c++ {
				sum += x[e.colB(t, j, c)]
				to[c] = sum
			}
		}
	}
	return s
}

// of returns the sums at node t and feature j, by rank from 0.
func (s *capacities) of(t, j int) []float64 {
	at := t*(s.num+s.g.P) + s.at[j] + j
	return s.upTo[at : at+s.g.NumThresholds(j)+1]
}

// into returns the capacity of row i's edge into node t: a row of rank r goes right at the
// thresholds of rank 1..r.
func (s *capacities) into(i, t int) float64 {
	sum, ranks := 0.0, s.g.Ranks(i)
	for _, j := range s.g.Active {
		to := s.of(t/2, j)
		right := to[ranks[j]]
		if t%2 == 1 {
			sum += right
		} else {
			sum += to[len(to)-1] - right
		}
	}
	return sum
}

// size returns the closed form of the model. With V = 2T - 1 nodes, and the sum of the part of the
// path constraints that represents a node and its descendants:
//
//	columns   B F + V (1 + K) + n                     [binaries  B F + V]
//	rows      2V + V n                                [+ 1 with max_splits]
//	nonzeros  B F + pathLengths                       (1), (2)
//	          V (K + 1)                               (8)
//	          n (V + pathLengths + D T F)             (12)
//	          [B F]                                   (9)
//
// and under constraints K variables g_ik for each row, the V K variables w binary, n constraints
// (13) of K nonzeros, and (12) K times. In (12), a branch node's two edges are in its own
// constraint, with F terms in total, and one of them in each constraint of a node below: 2^(D-l) -
// 1 on either side of a node of level l, F terms for a pair.
func (e *cut) size() formulate.Size {
	n, k, sinks := int64(e.g.N), int64(e.g.K), int64(e.sinks())
	nodes, branches, f := int64(e.nodes()), int64(e.leaves()-1), int64(e.num)
	s := formulate.Size{
		Cols:     branches*f + nodes*(1+k) + n*sinks,
		Binaries: branches*f + nodes,
		Rows:     2*nodes + nodes*n*sinks,
		Nonzeros: branches*f + e.pathLengths() + nodes*(k+1) + n*sinks*(nodes+e.pathLengths()+int64(e.depth)*int64(e.leaves())*f),
	}
	if e.everyRow {
		s.Add(formulate.Size{Binaries: nodes * k, Rows: n, Nonzeros: n * k})
	}
	if e.maxSplits > 0 {
		s.Add(formulate.Size{Rows: 1, Nonzeros: branches * f})
	}
	if e.more != nil {
		s.Add(rates.SizeOf(e.more()))
	}
	return s
}

// start sets g_i = 1 for the correct rows; under constraints, g_ik = 1 for the predicted class.
func (e *cut) start(h *heapTree) []float64 {
	x := make([]float64, e.cols)
	e.startNode(x, h, 1)
	for i := range e.g.N {
		_, at := e.path(h, i)
		if k := h.label[h.rightmost(at)]; e.everyRow || k == e.g.Y[i] {
			x[e.colG(i, int(k))] = 1
		}
	}
	return x
}

// places returns the places of flow, with predictions of rows but not their nodes.
func (e *cut) places() *places {
	p := e.flow.places()
	p.predictions.At = nil
	p.predictions.Class = func(u, k int) []mio.Col { return []mio.Col{e.colG(u, k)} }
	return p
}

// describe estimates the MPS file.
func (e *cut) describe(in *Inspection) {
	g, size := e.g, e.size()
	f := &fileSize{left: size, entries: size.Nonzeros, cost: costLen(g)}
	row, node := digits(g.N), digits(e.nodes())
	n := int64(g.N)
	f.columns(n*int64(e.sinks()), n*int64(e.sinks())*int64(e.nodes()), true, 2+row) // g
	f.choice = 4 + node + digits(g.P) + digits(e.num/len(g.Active))                 // b
	f.cols(f.left.Cols, f.entries, f.choice, true)
	f.rows(f.left.Rows, f.left.Nonzeros, 5+row+node, shortValue)
	in.MPSBytes = int64(f.mpsSize)
	in.Proof = e.proof(in.work())
}
