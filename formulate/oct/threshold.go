package oct

import (
	"fmt"

	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/internal/build"
	"github.com/octgen/octgen/formulate/internal/grid"
	"github.com/octgen/octgen/formulate/internal/rates"
	"github.com/octgen/octgen/mio"
)

// threshold formulates OCT without big-M. Feature j has the ascending candidate thresholds theta_j1
// < ... < theta_jV, the midpoints of its consecutive distinct values, and
//
//	w_tjv = 1 iff node t splits on feature j at a threshold of index >= v
//
// so that left_it = sum_j w_tj,rho(i,j) is 1 if row i would go left at t, where rho(i,j) is the
// index of the first threshold of j above x_ij (no term if there is none). e_it = 1 iff row i is
// counted as correct at leaf t:
//
//	min  (1/Lhat) sum_i omega_i (1 - sum_t e_it) + alpha sum_t d_t
//
// Leaves need no membership variables if N_min <= min omega_i ("free" leaves): every nonempty leaf
// is heavy enough, and a row counted nowhere is an error. Otherwise z_it is 1 if row i is in leaf
// t.
//
// The upper levels are chains of w. The last level is one of four: countedStumps, the default;
// rootStump at depth 1; freeChains without label pairs; memberChains if leaves are not free.
//
// Tightenings, each active if it is exact unless switched off:
//
//   - continuous last level (free leaves). Claim: the last-level w need not be binary. Proof:
//     with the upper splits and the labels integral, the best e at a last-level node is linear in
//     its w over one simplex of (feature, threshold), and max_splits adds one knapsack constraint
//     with unit weights over the nodes: an integral vertex is optimal.
//   - thin last level (free leaves). A threshold between two values whose rows are all of one
//     class k is dropped. Proof: if the left leaf has label k, the threshold may move right past
//     the second value, else left past the first, and no correct row becomes incorrect. Not at
//     upper nodes, where the rows of the second value may need a different split below.
//   - sibling labels (always). Two sibling leaves with the same label give the predictions of
//     their parent as a leaf; without the split, the tree is as good, has one split less, and its
//     leaf weighs more.
//   - grouped points (always). Rows with equal features reach the same leaf, and a leaf is
//     correct for one class: their e share the routing constraints.
//   - label pairs (free leaves), and blocks of their thresholds: stumps.go.
//
// The constraint sum_t e_it <= 1, that a row of the data is correct at no more than one leaf, is
// omitted: it is the sum of the two routing constraints of the root.
type threshold struct {
	*frame
	upper     chains
	lowest    lastLevel
	maxSplits int // maximum number of splits; 0 for no limit
	inForce   []string
	merges    bool // see encoding.norm
	keeps     bool // nothing is re-optimised: trees have constraints, or predictions have costs
	cols      int  // of the model
}

// lastLevel is a formulation of the last-level nodes with their leaves.
type lastLevel interface {
	// columns adds d of all branch nodes, and the level's own variables.
	columns(b *mio.Builder)
	rows(b *mio.Builder)
	// below adds to constraint r what the level counts of unit u below node m.
	below(b *mio.Builder, r mio.Row, u, m int)
	// size returns the size of variables and constraints, without d, and of what below adds.
	size() formulate.Size
	// start sets the level's variables for h, whose last level is re-optimised if leaves are free.
	start(x []float64, h *heapTree)
	// decode reads everything that is not re-optimised.
	decode(x []float64, h *heapTree) error
	// file adds the level's part of an MPS file.
	file(f *fileSize)
}

// Threshold formulates each split as a choice among the feature's candidate thresholds, without
// big-M. It is the default.
const Threshold formulate.Encoding = "threshold"

var thresholdKind = kind{Threshold, Facts{Tightened: true, Stronger: true, Constrained: true, Integral: true}, newThreshold}

// mostStumps is the maximum number of pairs of labels, over all features, that are listed as
// stumps.
const mostStumps = 1 << 25

func newThreshold(g *grid.Grid, o Options) (encoding, error) {
	if o.predicts(g) {
		return newPredictions(g, o), nil
	}
	off, free := o.Tighten, g.FreeLeaves()
	f := &frame{g: g, depth: o.Depth, alpha: o.Alpha, units: g.Points}
	if off.NoGroupPoints {
		f.units = grid.Singles(g.N)
	}
	e := &threshold{frame: f, maxSplits: o.MaxSplits, upper: newChains(f, 1, f.last(), allThresholds(g), mio.Binary)}
	kind, thin, pairs := mio.Binary, free && !off.NoThinLast, free && !off.NoLabelPairs
	if free && !off.NoContinuousLast {
		kind = mio.Continuous
	}
	switch {
	case pairs:
		if n := int64(g.K) * int64(g.K-1) * int64(len(g.Active)); n > mostStumps {
			return nil, fmt.Errorf("formulate: %d classes make %d pairs of labels for %d features; the maximum of the encoding %s is %d; use --without label-pairs, or --encoding %s",
				g.K, n, len(g.Active), Threshold, mostStumps, Flow)
		}
		var sums ranges = blocks{}
		if off.NoBlocks {
			sums = cumulative{}
		}
		s := newStumps(f, sums, thin, kind)
		if o.Depth == 1 {
			e.lowest = &rootStump{s}
		} else {
			e.lowest = &countedStumps{s, counts{frame: f, first: f.last()}}
		}
	case free:
		thresholds := allThresholds(g)
		if thin {
			thresholds = thinThresholds(g)
		}
		e.lowest = &freeChains{newLabelled(f, thresholds, kind, !off.NoSiblingLabels)}
	default:
		e.lowest = &memberChains{labelled: newLabelled(f, allThresholds(g), mio.Binary, !off.NoSiblingLabels)}
	}
	for _, t := range []struct {
		on   bool
		name string
	}{
		{kind == mio.Continuous, "continuous-last"},
		{thin, "thin-last"},
		{pairs || !off.NoSiblingLabels, "sibling-labels"},
		{!off.NoGroupPoints, "group-points"},
		{pairs, "label-pairs"},
		{pairs && !off.NoBlocks, "blocks"},
	} {
		if t.on {
			e.inForce = append(e.inForce, t.name)
		}
	}
	e.merges = free || !off.NoSiblingLabels
	return e, nil
}

func (e *threshold) tightenings() []string { return e.inForce }

// norm: if leaves are free, the last level may be the best one below any upper splits; its sibling
// labels then differ.
func (e *threshold) norm() norm {
	return norm{merges: e.merges, reoptimises: e.g.FreeLeaves() && !e.keeps}
}

func (e *threshold) build(b *mio.Builder) {
	b.AddOffset(e.g.Offset / e.g.Lhat)
	e.upper.add(b)
	e.lowest.columns(b)
	e.cols = b.NumCols()
	e.upper.chainRows(b)
	e.upper.routingRows(b, e.lowest.below)
	e.lowest.rows(b)
	e.parentRows(b)
	e.maxSplitsRow(b)
}

// parentRows adds d_t <= d_p(t), t not the root (5).
func (e *threshold) parentRows(b *mio.Builder) {
	for t := 2; t < e.leaves(); t++ {
		r := b.AddRow(-mio.Inf, 0, "parent", t)
		b.Add(r, e.colD(t), 1)
		b.Add(r, e.colD(t/2), -1)
	}
}

// maxSplitsRow adds sum_t d_t <= C.
func (e *threshold) maxSplitsRow(b *mio.Builder) {
	if e.maxSplits == 0 {
		return
	}
	cols := make([]mio.Col, 0, e.leaves())
	for t := 1; t < e.leaves(); t++ {
		cols = append(cols, e.colD(t))
	}
	build.AtMost(b, float64(e.maxSplits), cols, "max_splits")
}

// size returns the closed form of the encoding. With n merged rows, U routing units, K classes, T =
// 2^D leaves, M = T/2 last-level nodes, U_p = M
//
//   - 1 upper nodes, V the number of candidate thresholds of the upper nodes and V' of those kept
//     at a last-level node, on p and p' features:
//
//     columns  U_p V + T - 1 (d)
//     chains:  + M V' + T (K + n)   [+ T (U + 1) with membership]
//     stumps:  + M (V' + K + n), V' over all (feature, k, l), and their blocks
//     rows     U_p (1 + V - p + 2U) + T - 2 (parents) [+ 1 with max_splits]
//     chains:  + M (1 + V' - p' + 2U) + T (1 + n) [+ M K siblings]
//     [+ U + T (1 + U + n) with membership]
//     stumps:  + M (2 + n) and their blocks or, with cumulative u,
//     M (2 + V' - S + n), S the (feature, k, l) with thresholds;
//     at D = 1 without the n columns and rows of e
func (e *threshold) size() formulate.Size {
	nodes := int64(e.leaves()) - 1
	s := e.upper.nodeSize().Times(e.last() - 1)
	s.Add(e.lowest.size())
	s.Add(formulate.Size{Cols: nodes, Rows: nodes - 1, Nonzeros: 2 * (nodes - 1)}) // d, parents
	if e.maxSplits > 0 {
		s.Add(formulate.Size{Rows: 1, Nonzeros: nodes})
	}
	return s
}

func (e *threshold) start(h *heapTree) []float64 {
	x := make([]float64, e.cols)
	for t := 1; t < e.leaves(); t++ {
		j := h.feature[t]
		if j < 0 {
			continue
		}
		x[e.colD(t)] = 1
		if t < e.last() {
			e.upper.split(x, t, j, h.threshold[t])
		}
	}
	e.lowest.start(x, h)
	return x
}

// decode reads the upper splits, which must be integral, and, if the last level is not
// re-optimised, its splits and labels.
func (e *threshold) decode(x []float64) (*heapTree, error) {
	h := newHeapTree(e.depth)
	if err := e.upper.decode(x, h); err != nil {
		return nil, err
	}
	return h, e.lowest.decode(x, h)
}

// describe estimates the MPS file.
func (e *threshold) describe(in *Inspection) {
	g, size := e.g, e.size()
	f := &fileSize{left: size, entries: size.Nonzeros, cost: costLen(g)}
	row, feature, node, theta := digits(g.N), digits(g.P), digits(e.leaves()), 0.0
	for _, j := range g.Active {
		theta = max(theta, digits(g.NumThresholds(j)))
	}
	f.choice = 4 + node + feature + theta // w
	e.lowest.file(f)
	f.cols(f.left.Cols, f.entries, f.choice, false)
	f.mpsSize -= mpsSize(float64(size.Binaries) * (13 + f.choice)) // BV instead of LO and UP
	routing := 6.5 + row + node
	f.rows(f.left.Rows, f.left.Nonzeros, routing, shortValue)
	f.rhs(f.left.Rows/2, routing, 1)
	in.MPSBytes = int64(f.mpsSize)
	in.Proof = e.proof(in)
}

// proof describes the measured effort of proofs (docs/encodings.md).
func (e *threshold) proof(in *Inspection) string {
	switch work := in.work(); {
	case in.Size.Binaries == 0:
		return "realistic: the model is a linear program"
	case e.depth <= 2 && work <= 5e5:
		return "realistic, in seconds to minutes"
	case e.depth <= 3 && work <= 2e5:
		return "possible, in minutes to hours"
	}
	return fmt.Sprintf("not realistic with a MIO solver: depth %d with %d binaries and %d rows; set a time limit", e.depth, in.Size.Binaries, in.MergedRows)
}

// newPredictions returns the threshold encoding for trees with constraints or costs.
func newPredictions(g *grid.Grid, o Options) *threshold {
	f := &frame{g: g, depth: o.Depth, alpha: o.Alpha, units: g.Points}
	if o.Tighten.NoGroupPoints {
		f.units = grid.Singles(g.N)
	}
	e := &threshold{frame: f, maxSplits: o.MaxSplits, upper: newChains(f, 1, f.last(), allThresholds(g), mio.Binary), lowest: newPredicted(f), keeps: true}
	if !o.Tighten.NoGroupPoints {
		e.inForce = []string{"group-points"}
	}
	return e
}

// places: a_jt is w_tj1.
func (e *threshold) places() *places {
	low := e.lowest.(*predicted)
	chain := func(t int) *chains {
		if t < e.last() {
			return &e.upper
		}
		return &low.w
	}
	p := newPlaces(e.g, e.units, e.leaves()-1, low.colQ)
	p.label = low.c.col
	for t := e.leaves(); t < 2*e.leaves(); t++ {
		p.predictions.Nodes = append(p.predictions.Nodes, t)
	}
	p.splits = func(t, j int) []mio.Col { return []mio.Col{chain(t).col(t, j, 0)} }
	p.fixed = func(t, j, rank int) []rates.Term {
		c := chain(t)
		v := firstAbove(c.thresholds[j], rank-1) // of the threshold with that rank
		all := []rates.Term{{Col: c.col(t, j, v), Value: 1}}
		if v+1 < len(c.thresholds[j]) {
			all = append(all, rates.Term{Col: c.col(t, j, v+1)})
		}
		return all
	}
	return p
}
