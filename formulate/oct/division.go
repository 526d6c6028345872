package oct

import (
	"cmp"
	"context"
	"math/bits"
	"slices"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate/internal/grid"
	"github.com/octgen/octgen/tree"
)

// Division divides the trees of OCT by their root's split, for any subset of the rows: the view of
// the data for proofs by models of parts (package search/ranges). Rows are numbered as merged;
// errors and penalties are in units of the weights, so that a value is Lhat times the objective of
// the whole problem. Leaves must be free.
type Division struct {
	g     *grid.Grid
	price float64 // penalty per split, in units of weight
	step  float64
}

// Range is a range of thresholds of a feature, by rank: the threshold of rank c sends the values of
// ranks below c left.
type Range struct{ Feature, From, To int }

// Divide lays out the data for the trees of o, ignoring depth and maximum number of splits. It
// returns nil if leaves are not free, trees are constrained, or predictions have costs. Errors:
// invalid options; data for which the single leaf is optimal (formulate.ErrSingleLeaf).
func (o Options) Divide(ctx context.Context, ds *dataset.Dataset) (*Division, error) {
	o = o.withDefaults()
	if err := o.validate(); err != nil {
		return nil, err
	}
	g, err := grid.New(ctx, ds, o.Training, o.MinLeaf)
	if err != nil {
		return nil, err
	}
	if !g.FreeLeaves() || o.predicts(g) {
		return nil, nil
	}
	step := g.Lattice(o.Alpha, 1<<o.Depth-1).Step() * g.Lhat
	return &Division{g: g, price: o.Alpha * g.Lhat, step: step}, nil
}

// Scale returns Lhat in units of weight; Price returns the penalty per split, Total the weight of
// all rows.
func (d *Division) Scale() float64 { return d.g.Lhat }
func (d *Division) Price() float64 { return d.price }
func (d *Division) Total() float64 { return d.g.Total }

// Step returns the minimum difference between values of trees, 0 if weights have no unit.
func (d *Division) Step() float64 { return d.step }

// Features returns the non-constant features.
func (d *Division) Features() []int { return d.g.Active }

// Rows returns all rows.
func (d *Division) Rows() []int32 {
	all := make([]int32, d.g.N)
	for i := range all {
		all[i] = int32(i)
	}
	return all
}

// Leaf returns the best leaf for some rows, and the weight of its errors.
func (d *Division) Leaf(rows []int32) (leaf *tree.Tree, errors float64) {
	weight := make([]float64, d.g.K)
	for _, i := range rows {
		weight[d.g.Y[i]] += d.g.W[i]
		errors += d.g.W[i]
	}
	class := slices.Index(weight, slices.Max(weight))
	return d.leaf(class), errors - weight[class]
}

// leaf returns a leaf of class k.
func (d *Division) leaf(k int) *tree.Tree {
	t := d.g.Bare()
	t.Nodes = []tree.Node{{Class: k}}
	return t
}

// Join returns the tree with the threshold of rank c of feature j above two others.
func (d *Division) Join(j, c int, left, right *tree.Tree) *tree.Tree {
	t := d.g.Bare()
	t.Nodes = append(t.Nodes, tree.Node{Split: tree.Univariate(j, d.g.Threshold(j, c)), Left: 1, Right: 1 + len(left.Nodes)})
	for _, below := range []*tree.Tree{left, right} {
		at := len(t.Nodes)
		for _, n := range below.Nodes {
			if n.Split != nil {
				n.Left, n.Right = n.Left+at, n.Right+at
			}
			t.Nodes = append(t.Nodes, n)
		}
	}
	return t
}

// Thresholds returns the ranks of the thresholds of feature j that separate the rows, one for each
// way to separate them, ascending.
func (d *Division) Thresholds(rows []int32, j int) []int {
	return d.present(rows, j)[1:]
}

// present returns the ranks of the values of feature j in rows, ascending, at least one.
func (d *Division) present(rows []int32, j int) []int {
	has := make([]bool, len(d.g.Vals[j]))
	for _, i := range rows {
		has[d.rank(i, j)] = true
	}
	ranks := make([]int, 0, len(has)+1)
	for r, is := range has {
		if is {
			ranks = append(ranks, r)
		}
	}
	if len(ranks) == 0 {
		ranks = append(ranks, 0)
	}
	return ranks
}

func (d *Division) rank(i int32, j int) int { return int(d.g.Rank[int(i)*d.g.P+j]) }

// Sides divides rows into those that every threshold of r sends left, those that every threshold
// sends right, and those between.
func (d *Division) Sides(rows []int32, r Range) (left, right, between []int32) {
	for _, i := range rows {
		switch rank := d.rank(i, r.Feature); {
		case rank < r.From:
			left = append(left, i)
		case rank >= r.To:
			right = append(right, i)
		default:
			between = append(between, i)
		}
	}
	return left, right, between
}

// Ranges divides the thresholds that separate the rows into ranges with at most most rows between,
// but at least one threshold.
func (d *Division) Ranges(rows []int32, most int) []Range {
	var all []Range
	for _, j := range d.g.Active {
		of := make([]int, len(d.g.Vals[j]))
		for _, i := range rows {
			of[d.rank(i, j)]++
		}
		var r Range
		between := 0
		for _, c := range d.Thresholds(rows, j) {
			if r.To > 0 && between+of[r.To] <= most {
				between += of[r.To]
				r.To = c
				continue
			}
			if r.To > 0 {
				all = append(all, r)
			}
			r, between = Range{j, c, c}, 0
		}
		if r.To > 0 {
			all = append(all, r)
		}
	}
	return all
}

// candidate is a leaf or a stump for a node that some rows certainly reach (sure rows) and others
// possibly (perhaps rows).
type candidate struct {
	j, c  int      // feature and rank of the threshold; j is -1 for a leaf
	k, l  int32    // labels left and right; for a leaf l
	cost  float64  // weight of the errors on the sure rows, plus the penalty for the split
	right []uint64 // by number of the perhaps row: whether the candidate classifies it correctly
}

// about reports whether the candidate classifies perhaps row q correctly.
func (a *candidate) about(q int) bool { return a.right[q/64]>>(q%64)&1 != 0 }

// node lists the candidates for a node of the last level.
type node struct {
	d       *Division
	sure    []int32
	perhaps []int32
	total   float64 // weight of the sure rows
}

// candidates returns the candidates that some best tree has, whichever of the perhaps rows arrive.
// A candidate is dropped if another costs less by at least the weight of the rows that only the
// first classifies correctly, since in any tree the other may replace it. Of equal ones, the first
// remains.
func (n *node) candidates() []candidate {
	all := n.leaves()
	for _, j := range n.d.g.Active {
		all = append(all, n.stumps(j)...)
	}
	slices.SortStableFunc(all, func(a, b candidate) int { return cmp.Compare(a.cost, b.cost) })
	kept := all[:0]
	for i := range all {
		if !slices.ContainsFunc(kept, func(k candidate) bool { return n.replaces(&k, &all[i]) }) {
			kept = append(kept, all[i])
		}
	}
	return kept
}

// replaces reports whether a may replace b.
func (n *node) replaces(a, b *candidate) bool {
	spare := b.cost - a.cost
	for w, right := range b.right {
		for only := right &^ a.right[w]; only != 0; only &= only - 1 {
			if spare -= n.d.g.W[n.perhaps[64*w+bits.TrailingZeros64(only)]]; spare < 0 {
				return false
			}
		}
	}
	return spare >= 0
}

// leaves returns the leaves, one per class.
func (n *node) leaves() []candidate {
	g := n.d.g
	all := make([]candidate, g.K)
	n.total = 0
	for _, i := range n.sure {
		n.total += g.W[i]
	}
	for k := range all {
		all[k] = candidate{j: -1, l: int32(k), cost: n.total, right: n.none()}
	}
	for _, i := range n.sure {
		all[g.Y[i]].cost -= g.W[i]
	}
	for q, i := range n.perhaps {
		all[g.Y[i]].right[q/64] |= 1 << (q % 64)
	}
	return all
}

// none returns an empty set of the perhaps rows.
func (n *node) none() []uint64 { return make([]uint64, (len(n.perhaps)+63)/64) }

// stumps returns the stumps on feature j: for each pair of labels, the cheapest threshold for each
// set of correctly classified perhaps rows.
func (n *node) stumps(j int) []candidate {
	g := n.d.g
	values := len(g.Vals[j])
	weight := make([]float64, values*g.K) // of the sure rows by value and class
	of := make([]float64, g.K)
	for _, i := range n.sure {
		weight[n.d.rank(i, j)*g.K+int(g.Y[i])] += g.W[i]
		of[g.Y[i]] += g.W[i]
	}
	order := make([]int32, len(n.perhaps)) // by value
	for q := range order {
		order[q] = int32(q)
	}
	slices.SortStableFunc(order, func(a, b int32) int { return n.d.rank(n.perhaps[a], j) - n.d.rank(n.perhaps[b], j) })
	var all []candidate
	for k := range int32(g.K) {
		for l := range int32(g.K) {
			if k != l {
				all = n.pair(all, j, k, l, weight, of[l], order)
			}
		}
	}
	return all
}

// pair appends the stumps on feature j with labels k and l. With each step up, the threshold moves
// the rows of one more value to its left: among these, the rows of class k become correct and those
// of class l incorrect.
func (n *node) pair(all []candidate, j int, k, l int32, weight []float64, of float64, order []int32) []candidate {
	g := n.d.g
	right := n.none()
	for q, i := range n.perhaps {
		if g.Y[i] == l {
			right[q/64] |= 1 << (q % 64)
		}
	}
	cost, next := n.total-of+n.d.price, 0
	fresh := true // no earlier threshold has this set
	for c := 1; c < len(g.Vals[j]); c++ {
		cost += weight[(c-1)*g.K+int(l)] - weight[(c-1)*g.K+int(k)]
		for ; next < len(order) && n.d.rank(n.perhaps[order[next]], j) < c; next++ {
			switch q := order[next]; g.Y[n.perhaps[q]] {
			case k, l:
				if !fresh {
					right, fresh = slices.Clone(right), true
				}
				right[q/64] ^= 1 << (q % 64)
			}
		}
		if last := len(all) - 1; fresh {
			all, fresh = append(all, candidate{j, c, k, l, cost, right}), false
		} else if cost < all[last].cost {
			all[last].c, all[last].cost = c, cost
		}
	}
	return all
}
