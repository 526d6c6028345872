package regression

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/octgen/octgen/mio"
)

// Problem is the data and the limits of trees. Slices are read only.
type Problem struct {
	X []float64 // (n, p) row-major, finite
	P int
	Y []float64 // (n) numbers to be predicted, finite
	W []float64 // (n) weights, > 0; nil: all 1

	Depth     int     // greatest; any number of at least the rows is no limit
	MaxSplits int     // 0 for no limit
	Quantile  float64 // what leaves answer: 0 the mean, for squared errors; else this quantile, for its loss (1/2: absolute errors)
	Penalty   float64 // per split, as a part of the loss of a single leaf; >= 0
	MinLeaf   float64 // least weight of a leaf; 0 for none

	Forbidden  []bool    // (p) features that no split uses; nil for none
	Monotone   []int8    // (p) +1: leaves left of a split on the feature answer no more than leaves right of it; -1: no less; nil for none
	Fixed      *Node     // upper splits that stay, each parting rows; nil for none
	Columns    []int     // (p) column that each feature comes from, with MaxColumns or ColumnCost
	MaxColumns int       // greatest number of columns that splits use; 0 for no limit
	ColumnCost []float64 // (columns) price of each that splits use, as a part of the loss of a single leaf; >= 0; nil for none

	Begin     *Node                                   // tree that the search begins with, if it is better than the greedy one; nil for none
	WorkLimit int64                                   // values looked at; 0 for none
	Progress  func(value, bound float64, nodes int64) // of the objective as parts of the single leaf's loss; nil for none
}

// Result is the best tree with what is proved of it. Values are parts of the loss of a single leaf (SST): they are
// SSE / SST + penalty * splits. Of rows of one number SST is 0, and so are the values.
type Result struct {
	Tree   *Node // nil if there is none
	Value  float64
	Bound  float64
	Start  float64    // value of the tree that the search began with; NaN for none
	Status mio.Status // Optimal, Feasible, or of no tree Infeasible or NoSolution
	Limit  mio.Limit
	Stats  Stats
}

// Node is a node of a tree: rows below Threshold go left. Leaves have no children.
type Node struct {
	Feature     int
	Threshold   float64
	Left, Right *Node
}

// Splits returns the number of splits.
func (n *Node) Splits() int {
	if n == nil || n.Left == nil {
		return 0
	}
	return 1 + n.Left.Splits() + n.Right.Splits()
}

// Stats counts the work.
type Stats struct {
	Nodes   int64 // row sets searched above the kernel
	Kernels int64 // row sets of which the last two levels were solved
	Stumps  int64 // root cuts of the kernel that were evaluated
	Hits    int64 // row sets found in the cache
	Work    int64 // values looked at
}

// sums is a weight and the weighted sum of the numbers.
type sums struct{ w, s float64 }

// rows are the distinct rows: rows of equal features are one, whose error about its own mean no tree avoids.
type rows struct {
	n, p   int
	values [][]float64 // distinct values by feature, ascending
	rank   []int32     // (n, p)
	of     []sums      // (n)
	within float64     // the error that no tree avoids
	total  float64     // of a single leaf, within included
}

// prepare merges rows and scales the numbers: they are centred on their mean and divided by the largest difference from it,
// so that squares neither overflow nor vanish. ctx ends it early; the rows are then nil.
func prepare(ctx context.Context, q *Problem) *rows {
	n := len(q.Y)
	weight := func(i int) float64 {
		if q.W == nil {
			return 1
		}
		return q.W[i]
	}
	y := scaled(q.Y, weight)
	r := &rows{p: q.P, values: make([][]float64, q.P)}
	rank := make([]int32, n*q.P)
	order := make([]int, n)
	for f := range q.P {
		for i := range order {
			order[i] = i
		}
		slices.SortFunc(order, func(a, b int) int { return cmp.Compare(q.X[a*q.P+f], q.X[b*q.P+f]) })
		for k, i := range order {
			v := q.X[i*q.P+f]
			if k == 0 || v != r.values[f][len(r.values[f])-1] {
				r.values[f] = append(r.values[f], v)
			}
			rank[i*q.P+f] = int32(len(r.values[f]) - 1)
		}
		if ctx.Err() != nil {
			return nil
		}
	}
	for i := range order {
		order[i] = i
	}
	at := func(i int) []int32 { return rank[i*q.P : (i+1)*q.P] }
	slices.SortStableFunc(order, func(a, b int) int { return slices.Compare(at(a), at(b)) })
	for from := 0; from < n; {
		to := from
		var s sums
		for ; to < n && (to == from || q.Quantile == 0) && slices.Equal(at(order[to]), at(order[from])); to++ {
			w := weight(order[to])
			s.w, s.s = s.w+w, s.s+w*y[order[to]]
		}
		mean := s.s / s.w
		for _, i := range order[from:to] {
			r.within += weight(i) * (y[i] - mean) * (y[i] - mean)
		}
		r.rank, r.of = append(r.rank, at(order[from])...), append(r.of, s)
		from = to
	}
	r.n = len(r.of)
	for i := range y {
		r.total += weight(i) * y[i] * y[i]
	}
	if q.Quantile > 0 {
		r.within = 0
	}
	return r
}

// scaled returns the numbers centred on their weighted mean, the largest of them of size 1; all 0 where they are equal.
func scaled(y []float64, weight func(i int) float64) []float64 {
	most := 0.0
	for _, v := range y {
		most = max(most, math.Abs(v))
	}
	out := make([]float64, len(y))
	if most == 0 {
		return out
	}
	_, exponent := math.Frexp(most) // a power of two: the division is exact
	center := func() {
		var sum, all float64
		for i, v := range out {
			sum, all = sum+weight(i)*v, all+weight(i)
		}
		for i := range out {
			out[i] -= sum / all
		}
	}
	for i, v := range y {
		out[i] = math.Ldexp(v, -exponent)
	}
	center()
	center() // the mean of what was rounded
	most = 0
	for _, v := range out {
		most = max(most, math.Abs(v))
	}
	if most < 1e-14 { // rounding of equal numbers
		clear(out)
		return out
	}
	for i := range out {
		out[i] /= most
	}
	return out
}
