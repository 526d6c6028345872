package oct

import (
	"fmt"
	"math"
	"slices"

	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/internal/build"
	"github.com/octgen/octgen/formulate/internal/grid"
	"github.com/octgen/octgen/formulate/internal/leaves"
	"github.com/octgen/octgen/formulate/internal/point"
	"github.com/octgen/octgen/formulate/internal/rates"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mio/verify"
)

// bigM implements the encodings bigm, bigm-published and indicator: problem (24) of Bertsimas &
// Dunn (2017) on features scaled to [0, 1], with weights for counts. bigm and indicator depart from
// its constraints in two places. First, eps_min is moved into the left-branch constraint (13).
// Second, (20) on L_t has W - W_k for n, and (21) is omitted. bigm-published has all three as
// printed, with W for n.
//
// With n merged rows, p non-constant features, K classes, B = 2^D - 1 branch nodes, T = 2^D leaves,
// and D T = the (leaf, ancestor) pairs, the model has
//
//	columns   B (p + 2) + T (n + 3 + 2K)          [binaries  B (p + 1) + T (n + 1 + K)]
//	rows      T (2K + 1 + 1) + D T n + n + n T + T + 2B + (B - 1) [+ 1 with max_splits]
//	          (loss K, count K + 1, class 1; branch D n; membership, z <= l, N_min)
//
// and bigm-published T K more constraints, (21).
type bigM struct {
	g         *grid.Grid
	o         Options
	published bool
	indicator bool // the split constraints hold if z_it = 1, without big-M

	x              []float64   // (n, p) scaled
	level          [][]float64 // (p) scaled distinct values
	eps            []float64   // (p) minimum gap between scaled values; 0 for constant features
	epsMin, epsMax float64

	// First variables of the blocks. Node indices are heap order; branch nodes 1..B, leaves
	// T..2T-1.
	a, d, b mio.Col
	leaf    leaves.Block
}

// BigMPublished is problem (24) with its constraints as printed. Its left-branch constraint lets
// points go left at a node without a split, so its optimum can be far below the objective of any
// tree: for comparisons only.
const BigMPublished formulate.Encoding = "bigm-published"

// scale maps every feature to [0, 1] and computes eps_j, eps_min and eps_max.
func (e *bigM) scale() error {
	g := e.g
	e.level = make([][]float64, g.P)
	e.eps = make([]float64, g.P)
	e.epsMin = math.Inf(1)
	for _, j := range g.Active {
		v := g.Vals[j]
		lv := make([]float64, len(v))
		for q := range v {
			if e.o.Scale == RankScale {
				lv[q] = float64(q) / float64(len(v)-1)
			} else {
				lv[q] = (v[q] - v[0]) / (v[len(v)-1] - v[0])
			}
		}
		at, gap := leastStep(lv)
		switch {
		case e.o.Scale == RankScale: // the largest possible distances
		case !(lv[len(lv)-1] <= 1):
			return fmt.Errorf("formulate: feature %q cannot be scaled to [0, 1] by min-max (values from %v to %v): use --scale %s", g.DS.Features[j], v[0], v[len(v)-1], RankScale)
		case !(gap >= leastGap):
			return fmt.Errorf("formulate: feature %q: its values %v and %v are %.2g apart after min-max scaling to [0, 1]; solvers need %v: use --scale %s",
				g.DS.Features[j], v[at], v[at+1], gap, leastGap, RankScale)
		}
		e.level[j], e.eps[j] = lv, gap
		e.epsMin, e.epsMax = min(e.epsMin, gap), max(e.epsMax, gap)
	}
	e.x = make([]float64, g.N*g.P)
	for i := range g.N {
		for _, j := range g.Active {
			e.x[i*g.P+j] = e.level[j][g.Rank[i*g.P+j]]
		}
	}
	return nil
}

// leastGap is the minimum gap between the scaled values of a feature. A solver may violate the
// left-branch and the right-branch constraint of a row by Feasibility each. It may violate
// integrality of z by as much, which the constraints multiply by 1 + eps_max <= 2 and by 1. Values
// closer than the sum of these violations may be on either side of a split.
const leastGap = 5 * verify.Feasibility

// leastStep returns the index before the smallest gap between neighbours in v, and the gap.
func leastStep(v []float64) (at int, gap float64) {
	gap = math.Inf(1)
	for q := 1; q < len(v); q++ {
		if d := v[q] - v[q-1]; d < gap {
			at, gap = q-1, d
		}
	}
	return at, gap
}

// Variables of branch node t (1..B), the jx-th active feature.
func (e *bigM) colA(jx, t int) mio.Col { return e.a + mio.Col((t-1)*len(e.g.Active)+jx) }
func (e *bigM) colD(t int) mio.Col     { return e.d + mio.Col(t-1) }
func (e *bigM) colB(t int) mio.Col     { return e.b + mio.Col(t-1) }

func (e *bigM) build(b *mio.Builder) {
	e.columns(b)
	e.leaf.LabelRows(b)
	e.rightRows(b)
	e.leftRows(b)
	e.leaf.MembershipRows(b)
	e.splitRows(b)
	e.maxSplitsRow(b)
}

// columns adds a and d, binary (4), and b at branch nodes, then those of the leaves.
func (e *bigM) columns(b *mio.Builder) {
	g, first := e.g, e.leaf.Leaves()
	e.a = mio.Col(b.NumCols())
	for t := 1; t < first; t++ {
		for _, j := range g.Active {
			b.AddBinary(0, "a", j+1, t)
		}
	}
	e.d = mio.Col(b.NumCols())
	for t := 1; t < first; t++ {
		b.AddBinary(e.o.Alpha, "d", t)
	}
	e.b = mio.Col(b.NumCols())
	for t := 1; t < first; t++ {
		b.AddCol(0, 0, 1, mio.Continuous, "b", t)
	}
	e.leaf.Columns(b)
}

// rightRows adds a_m.x_i >= b_m - (1 - z_it), all i, t in T_L, m in A_R(t) (14).
func (e *bigM) rightRows(b *mio.Builder) {
	e.leaf.EachAncestor(func(t, m int, left bool) {
		if left {
			return
		}
		for i := range e.g.N {
			r := e.splitRow(b, 0, mio.Inf, 1, i, t, m, "right")
			for jx, j := range e.g.Active {
				if x := e.x[i*e.g.P+j]; x != 0 {
					b.Add(r, e.colA(jx, m), x)
				}
			}
			b.Add(r, e.colB(m), -1)
		}
	})
}

// leftRows adds a_m.(x_i + eps - eps_min) + eps_min <= b_m + (1 + eps_max)(1 - z_it), all i, t in
// T_L, m in A_L(t): constraint (13) as corrected in Dunn's thesis. As published, a_m.(x_i + eps) <=
// b_m + (1 + eps_max)(1 - z_it), it is satisfied for every point at a node without a split (a = 0,
// b = 0).
func (e *bigM) leftRows(b *mio.Builder) {
	shift := e.epsMin
	if e.published {
		shift = 0
	}
	e.leaf.EachAncestor(func(t, m int, left bool) {
		if !left {
			return
		}
		for i := range e.g.N {
			r := e.splitRow(b, -mio.Inf, -shift, 1+e.epsMax, i, t, m, "left")
			for jx, j := range e.g.Active {
				if v := e.x[i*e.g.P+j] + e.eps[j] - shift; v != 0 {
					b.Add(r, e.colA(jx, m), v)
				}
			}
			b.Add(r, e.colB(m), -1)
		}
	})
}

// splitRow adds a constraint that holds if row i is at leaf t, below m: relaxed by bigM (1 - z_it),
// or with z_it = 1 as its indicator.
func (e *bigM) splitRow(b *mio.Builder, lower, upper, bigM float64, i, t, m int, name string) mio.Row {
	if e.indicator {
		r := b.AddRow(lower, upper, name, i+1, t, m)
		b.AddIndicator(r, e.leaf.ColZ(i, t), true)
		return r
	}
	r := b.AddRow(lower-bigM, upper+bigM, name, i+1, t, m)
	if math.IsInf(upper, 1) {
		bigM = -bigM
	}
	b.Add(r, e.leaf.ColZ(i, t), bigM)
	return r
}

// splitRows adds sum_j a_jt = d_t (2), b_t <= d_t (3), d_t <= d_p(t) for t not the root (5), all t
// in T_B.
func (e *bigM) splitRows(b *mio.Builder) {
	for t := 1; t <= e.leaf.Branches(); t++ {
		r := b.AddRow(0, 0, "split", t)
		for jx := range e.g.Active {
			b.Add(r, e.colA(jx, t), 1)
		}
		b.Add(r, e.colD(t), -1)
		r = b.AddRow(-mio.Inf, 0, "bound", t)
		b.Add(r, e.colB(t), 1)
		b.Add(r, e.colD(t), -1)
		if t > 1 {
			r = b.AddRow(-mio.Inf, 0, "parent", t)
			b.Add(r, e.colD(t), 1)
			b.Add(r, e.colD(t/2), -1)
		}
	}
}

// maxSplitsRow adds sum_{t in T_B} d_t <= C (section 3 of the paper).
func (e *bigM) maxSplitsRow(b *mio.Builder) {
	if e.o.MaxSplits == 0 {
		return
	}
	cols := make([]mio.Col, 0, e.leaf.Branches())
	for t := 1; t <= e.leaf.Branches(); t++ {
		cols = append(cols, e.colD(t))
	}
	build.AtMost(b, float64(e.o.MaxSplits), cols, "max_splits")
}

// size returns the closed form of the bigM comment, including nonzeros.
func (e *bigM) size() formulate.Size {
	g := e.g
	n, p := int64(g.N), int64(len(g.Active))
	br, lv, d := int64(e.leaf.Branches()), int64(e.leaf.Leaves()), int64(e.o.Depth)
	s := e.leaf.Size()
	s.Add(formulate.Size{Cols: br * (p + 2), Binaries: br * (p + 1), Rows: d*lv*n + 2*br + br - 1})
	zeros, leftZeros := int64(0), int64(0) // x_ij = 0; x_ij + eps_j = shift
	shift := e.epsMin
	if e.published {
		shift = 0
	}
	for i := range g.N {
		for _, j := range g.Active {
			if e.x[i*g.P+j] == 0 {
				zeros++
			}
			if e.x[i*g.P+j]+e.eps[j]-shift == 0 {
				leftZeros++
			}
		}
	}
	s.Nonzeros += d * lv / 2 * (2*n*(p+2) - zeros - leftZeros)
	if e.indicator {
		s.Nonzeros -= d * lv * n
	}
	s.Nonzeros += br*(p+1) + 2*br + 2*(br-1)
	if e.o.MaxSplits > 0 {
		s.Rows++
		s.Nonzeros += br
	}
	return s
}

func (e *bigM) start(h *heapTree) []float64 {
	g := e.g
	v := make([]float64, e.leaf.End())
	for t := 1; t <= e.leaf.Branches(); t++ {
		if j := h.feature[t]; j >= 0 {
			jx, _ := slices.BinarySearch(g.Active, j)
			v[e.colA(jx, t)], v[e.colD(t)] = 1, 1
			v[e.colB(t)] = e.level[j][h.threshold[t]]
		}
	}
	at := make([]int, g.N)
	for i := range at {
		at[i] = h.find(g.Ranks(i), e.leaf.Leaves())
	}
	e.leaf.Start(v, at, h.label)
	return v
}

func (e *bigM) decode(v []float64) (*heapTree, error) {
	g := e.g
	h := newHeapTree(e.o.Depth)
	for t := 1; t <= e.leaf.Branches(); t++ {
		on, err := point.Binary(v[e.colD(t)], "d", t)
		if err != nil {
			return nil, err
		}
		for jx, j := range g.Active {
			a, err := point.Binary(v[e.colA(jx, t)], "a", j+1, t)
			if err != nil {
				return nil, err
			}
			if a != on && a || a && h.feature[t] >= 0 {
				return nil, point.Bad("branch node %d splits on feature %q, which contradicts d or another feature", t, g.DS.Features[j])
			}
			if a {
				// Left rows have x <= b - eps_j, right ones x >= b: the middle of that gap
				// tolerates rounding best.
				h.feature[t] = j
				h.threshold[t], _ = slices.BinarySearch(e.level[j], v[e.colB(t)]-e.eps[j]/2)
			}
		}
		if on && h.feature[t] < 0 {
			return nil, point.Bad("branch node %d splits on no feature", t)
		}
	}
	for i := range g.N {
		at := h.find(g.Ranks(i), e.leaf.Leaves())
		z, err := point.Binary(v[e.leaf.ColZ(i, at)], "z", i+1, at)
		if err != nil {
			return nil, err
		}
		if !z {
			return nil, point.Bad("row %d is not in leaf %d, where the splits of the solution send it", i+1, at)
		}
	}
	if err := e.leaf.Labels(v, h.label); err != nil {
		return nil, err
	}
	return h, nil
}

func (e *bigM) tightenings() []string { return nil }

// norm relabels trees for bigm-published: its constraints (21) admit no leaf with a minority class.
func (e *bigM) norm() norm { return norm{relabels: e.published} }

func (e *bigM) describe(in *Inspection) {
	in.EpsMin, in.EpsMax = e.epsMin, e.epsMax
	in.MMin, in.MMax = math.Inf(1), 1+e.epsMax
	for _, w := range e.g.ClassW {
		m := e.g.Total - w
		if e.published {
			m = e.g.Total
		}
		if m > 0 && e.leaf.Counted {
			in.MMin, in.MMax = min(in.MMin, m), max(in.MMax, m)
		}
	}
	in.MMin = min(in.MMin, 1)
	in.MPSBytes = e.mpsBytes()
	in.Proof = e.proof(in.work())
}

// proof describes the measured effort of proofs (docs/encodings.md).
func (e *bigM) proof(work float64) string {
	switch {
	case e.published:
		return "a proof is worthless: the optimum of this encoding can be below the objective of any tree"
	case e.indicator:
		return "not realistic: a solver's relaxation of indicator constraints is no stronger than that of bigm"
	case work <= 1e4:
		return "realistic, in seconds; encoding threshold is faster"
	case work > 7e4:
		return "not realistic: the relaxation of bigm is weak; use encoding threshold"
	}
	return "possible, in minutes; encoding threshold is much faster"
}

// mpsBytes estimates the MPS file of the big-M encodings.
func (e *bigM) mpsBytes() int64 {
	g, size := e.g, e.size()
	n, leaves, depth := int64(g.N), int64(e.leaf.Leaves()), int64(e.o.Depth)
	row, leaf, node := digits(g.N), digits(2*e.leaf.Leaves()), digits(e.leaf.Leaves())
	var s mpsSize
	left := size.Nonzeros
	take := func(rows, entries int64, name, value float64) {
		s.rows(rows, entries, name, value)
		left -= entries
	}
	weight := valueLen(g.W[0])
	take(n, n*leaves, 7+row, 1)                 // member
	take(n*leaves, 2*n*leaves, 6+row+leaf, 1.5) // used
	if e.leaf.Counted {                         // class and weight
		take(leaves*int64(g.K), n*leaves, 8+leaf, weight)
		take(leaves, n*leaves, 7+leaf, weight)
	}
	take(leaves, n*leaves, 6+leaf, weight) // least
	path := n * leaves * depth             // constraints of the splits
	split := 7.5 + row + leaf + node
	bigM := valueLen(1 + e.epsMax)
	shift := e.epsMin
	if e.published {
		shift = 0
	}
	take(path, path, split, shortValue)              // with b
	take(0, path, split, (2+bigM)/2)                 // with z
	s.rhs(path/2, split, 2)                          // right
	s.rhs(path/2, split, valueLen(1+e.epsMax-shift)) // left
	s.rows(0, left, split, e.meanValueLen(shift))
	s.cols(n*leaves, n*leaves*(6+depth), 3+row+leaf, true)
	s.cols(size.Cols-n*leaves, left+path, 3+node+digits(g.P), true)
	return int64(s)
}

// meanValueLen returns the average length of the coefficients of a in constraints of the splits,
// over at most about 1000 of the points.
func (e *bigM) meanValueLen(shift float64) float64 {
	g := e.g
	sum, values := 0.0, 0.0
	for i := 0; i < g.N; i += 1 + g.N/1000 {
		for _, j := range g.Active {
			x := e.x[i*g.P+j]
			for _, v := range [...]float64{x, x + e.eps[j] - shift} {
				if v != 0 {
					sum += valueLen(v)
					values++
				}
			}
		}
	}
	return sum / max(values, 1)
}

// predictedBigM is bigM with the prediction of every row, for trees with constraints or prediction
// costs:
//
//	q_ikt >= 0,  sum_k q_ikt = z_it,  q_ikt <= c_kt    all i, k, t in T_L
//
// With costs the objective sums cost_ik q_ikt over i, k and t, and there are no L_t, N_kt and N_t.
type predictedBigM struct {
	*bigM
	q mio.Col // the first of the block
}

func (e *predictedBigM) colQ(i, k, t int) mio.Col {
	return e.q + mio.Col(((t-e.leaf.Leaves())*e.g.N+i)*e.g.K+k)
}

// cost returns the cost of q_ikt; errors are counted by the losses of the leaves.
func (e *predictedBigM) cost(i, k int) float64 {
	if e.leaf.Counted {
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

// places: a_jt is a variable; a fixed split has its b at the minimum value on its right, as in
// start.
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
	if e.published {
		e.leaf = leaves.Printed(g, o.Depth)
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
		Warning: "encoding bigm-published keeps the paper's left-branch constraint, which lets points go left at a node without a split: its optimum can be below the objective of any tree",
	}, newBigM}
)
