package localsearch

import (
	"math"

	"github.com/octgen/octgen/dataset"
	octh "github.com/octgen/octgen/formulate/hyperplane"
	"github.com/octgen/octgen/tree"
)

// spans is data with the ranges of its features, as far as they were asked for.
type spans struct {
	ds     *dataset.Dataset
	ranges map[int][2]float64 // least and greatest value of a feature
}

// centre puts the thresholds of t, whose splits all part the rows that reach them,
// half way between these rows, and returns the nodes whose splits do not keep the
// margin mu, none where that is 0.
func (s *spans) centre(t *tree.Tree, mu float64) (thin map[int]bool) {
	thin = make(map[int]bool)
	rows := make([]int, s.ds.N())
	for i := range rows {
		rows[i] = i
	}
	var walk func(node int, rows []int)
	walk = func(node int, rows []int) {
		n := &t.Nodes[node]
		if n.Leaf() {
			return
		}
		var left, right []int
		for _, i := range rows {
			if n.Split.Left(s.ds.Row(i)) {
				left = append(left, i)
			} else {
				right = append(right, i)
			}
		}
		if below, above := s.sides(n.Split.Terms, left, right); below < above {
			n.Split = &tree.Split{Terms: n.Split.Terms, Threshold: tree.Midpoint(below, above)}
		}
		if mu > 0 && !s.keepsMargin(mu, n.Split.Terms, left, right) {
			thin[node] = true
		}
		walk(n.Left, left)
		walk(n.Right, right)
	}
	walk(0, rows)
	return thin
}

// sides returns the greatest sum of the terms on the left and the least on the right.
func (s *spans) sides(terms []tree.Term, left, right []int) (below, above float64) {
	value := func(i int) float64 {
		x, v := s.ds.Row(i), 0.0
		for _, term := range terms {
			v += term.Weight * x[term.Feature]
		}
		return v
	}
	return extremes(value, left, right)
}

// keepsMargin says whether the sides are mu apart on features scaled to [0, 1] with
// sum |a| = 1; to the last bit as OCT-H says it.
func (s *spans) keepsMargin(mu float64, terms []tree.Term, left, right []int) bool {
	low, width, a := make([]float64, len(terms)), make([]float64, len(terms)), make([]float64, len(terms))
	for k, term := range terms {
		r := s.rangeOf(term.Feature)
		low[k], width[k] = r[0], r[1]-r[0]
		a[k] = term.Weight * width[k]
	}
	if !octh.Normalise(a) {
		return false
	}
	below, above := extremes(func(i int) float64 {
		x, v := s.ds.Row(i), 0.0
		for k, term := range terms {
			if width[k] > 0 {
				v += a[k] * ((x[term.Feature] - low[k]) / width[k])
			}
		}
		return v
	}, left, right)
	return below+mu <= above
}

func extremes(value func(i int) float64, left, right []int) (below, above float64) {
	below, above = math.Inf(-1), math.Inf(1)
	for _, i := range left {
		below = max(below, value(i))
	}
	for _, i := range right {
		above = min(above, value(i))
	}
	return below, above
}

// rangeOf returns the least and the greatest value of feature j.
func (s *spans) rangeOf(j int) [2]float64 {
	r, known := s.ranges[j]
	if !known {
		r = [2]float64{math.Inf(1), math.Inf(-1)}
		for i := range s.ds.N() {
			v := s.ds.At(i, j)
			r[0], r[1] = min(r[0], v), max(r[1], v)
		}
		s.ranges[j] = r
	}
	return r
}
