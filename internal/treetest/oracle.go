package treetest

import (
	"math"
	"slices"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/tree"
)

// Least returns the least excess (dataset.Dataset.Excess) of a univariate tree on ds with
// exactly s splits, for s = 0 ... 2^depth-1, by trying every tree; +Inf if there is none. Every
// leaf has a row and at least minLeaf weight. Fixed holds the upper splits, nil for none.
func Least(ds *dataset.Dataset, fixed *tree.Tree, depth int, minLeaf float64) []float64 {
	o := &oracle{ds: ds, excess: ds.Excess(), minLeaf: minLeaf}
	rows := make([]int, ds.N())
	for i := range rows {
		rows[i] = i
	}
	if fixed == nil {
		return o.least(rows, depth)
	}
	o.fixed = fixed
	return o.below(0, rows, depth)
}

// Optimum is the least excess plus price per split with at most so many splits.
func Optimum(least []float64, splits int, price float64) float64 {
	best := math.Inf(1)
	for s, e := range least[:min(splits+1, len(least))] {
		best = min(best, e+price*float64(s))
	}
	return best
}

type oracle struct {
	ds      *dataset.Dataset
	excess  []float64 // (n, K)
	minLeaf float64
	fixed   *tree.Tree
}

func none(depth int) []float64 { return slices.Repeat([]float64{math.Inf(1)}, 1<<depth) }

func (o *oracle) least(rows []int, depth int) []float64 {
	best, answers, weight := none(depth), make([]float64, o.ds.K()), 0.0
	for _, i := range rows {
		weight += o.ds.Weight[i]
		for k := range answers {
			answers[k] += o.excess[i*len(answers)+k]
		}
	}
	if len(rows) == 0 || !tree.EnoughWeight(weight, o.minLeaf) {
		return best
	}
	if best[0] = slices.Min(answers); depth == 0 {
		return best
	}
	for j := range o.ds.P() {
		values := make([]float64, len(rows))
		for q, i := range rows {
			values[q] = o.ds.At(i, j)
		}
		slices.Sort(values)
		for _, v := range slices.Compact(values)[1:] {
			left, right := o.divide(rows, tree.Univariate(j, v))
			join(best, o.least(left, depth-1), o.least(right, depth-1))
		}
	}
	return best
}

// below is least below node at of the fixed splits. One that parts no rows costs nothing.
func (o *oracle) below(at int, rows []int, depth int) []float64 {
	n := &o.fixed.Nodes[at]
	if n.Leaf() {
		return o.least(rows, depth)
	}
	left, right := o.divide(rows, n.Split)
	switch {
	case len(left) == 0:
		return o.below(n.Right, right, depth)
	case len(right) == 0:
		return o.below(n.Left, left, depth)
	case depth == 0:
		return none(0)
	}
	best := none(depth)
	join(best, o.below(n.Left, left, depth-1), o.below(n.Right, right, depth-1))
	return best
}

func (o *oracle) divide(rows []int, s *tree.Split) (left, right []int) {
	for _, i := range rows {
		if s.Left(o.ds.Row(i)) {
			left = append(left, i)
		} else {
			right = append(right, i)
		}
	}
	return left, right
}

// join betters best by a split above trees of these values.
func join(best, left, right []float64) {
	for a, l := range left {
		for b, r := range right {
			best[a+b+1] = min(best[a+b+1], l+r)
		}
	}
}
