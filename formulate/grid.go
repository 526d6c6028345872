package formulate

import (
	"fmt"
	"math"
	"slices"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/tree"
)

// grid is the training data as the univariate formulations see it: rows with
// equal features and class merged into one weighted row, and every value
// replaced by its rank among the distinct values of its feature. A cut c of
// feature j sends the ranks below c left; cuts 1..len(vals[j])-1 separate.
type grid struct {
	ds      *dataset.Dataset // merged
	pre     *tree.Presort    // of ds
	n, p, k int
	y       []int32     // (n)
	w       []float64   // (n)
	rank    []int32     // (n, p) row-major
	vals    [][]float64 // (p) distinct values, ascending
	active  []int       // features with at least two distinct values

	// Rows with equal features form a point; points are numbered by their
	// first row. Point g has the rows ptRows[ptStart[g]:ptStart[g+1]].
	pt      []int32 // (n)
	ptStart []int32
	ptRows  []int32

	classW []float64 // (K)
	total  float64   // W
	lhat   float64   // baseline error W - max_k W_k
	minW   float64   // least weight of a row
}

func newGrid(ds *dataset.Dataset) (*grid, error) {
	m, _ := ds.Merge()
	g := &grid{ds: m, n: m.N(), p: m.P(), k: m.K(), w: m.Weight, classW: m.ClassWeights()}
	if g.n == 0 {
		return nil, fmt.Errorf("formulate: the data has no rows")
	}
	g.y = make([]int32, g.n)
	for i, y := range m.Y {
		g.y[i] = int32(y)
	}
	g.minW = slices.Min(g.w)
	for _, w := range g.classW {
		g.total += w
	}
	g.lhat = g.total - slices.Max(g.classW)
	g.rankValues()
	g.groupPoints()
	switch {
	case countPositive(g.classW) <= 1:
		return nil, fmt.Errorf("formulate: %w: all rows have one class", ErrSingleLeaf)
	case len(g.active) == 0:
		return nil, fmt.Errorf("formulate: %w: no feature has two different values", ErrSingleLeaf)
	}
	return g, nil
}

func countPositive(w []float64) int {
	n := 0
	for _, v := range w {
		if v > 0 {
			n++
		}
	}
	return n
}

func (g *grid) rankValues() {
	g.pre = tree.NewPresort(g.ds)
	g.rank = make([]int32, g.n*g.p)
	g.vals = make([][]float64, g.p)
	for j := range g.p {
		g.vals[j] = g.pre.Values(j)
		for i, r := range g.pre.Ranks(j) {
			g.rank[i*g.p+j] = r
		}
		if len(g.vals[j]) > 1 {
			g.active = append(g.active, j)
		}
	}
}

// groupPoints finds the rows with equal features by sorting on ranks.
func (g *grid) groupPoints() {
	order := make([]int32, g.n)
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int {
		if c := slices.Compare(g.ranks(int(a)), g.ranks(int(b))); c != 0 {
			return c
		}
		return int(a - b)
	})
	first := make([]int32, g.n) // first row of i's point
	for k, i := range order {
		first[i] = i
		if k > 0 && slices.Equal(g.ranks(int(order[k-1])), g.ranks(int(i))) {
			first[i] = first[order[k-1]]
		}
	}
	g.pt = make([]int32, g.n)
	points := int32(0)
	for i := range g.n {
		if first[i] == int32(i) {
			g.pt[i] = points
			points++
		} else {
			g.pt[i] = g.pt[first[i]]
		}
	}
	g.ptStart, g.ptRows = bucket(g.pt, int(points))
}

// bucket lists the indices i of key by key[i]: bucket b holds
// items[start[b]:start[b+1]], ascending.
func bucket(key []int32, buckets int) (start, items []int32) {
	start = make([]int32, buckets+1)
	for _, b := range key {
		start[b+1]++
	}
	for b := range buckets {
		start[b+1] += start[b]
	}
	next := slices.Clone(start[:buckets])
	items = make([]int32, len(key))
	for i, b := range key {
		items[next[b]] = int32(i)
		next[b]++
	}
	return start, items
}

func (g *grid) ranks(i int) []int32 { return g.rank[i*g.p : (i+1)*g.p] }
func (g *grid) numPoints() int      { return len(g.ptStart) - 1 }
func (g *grid) cuts(j int) int      { return len(g.vals[j]) - 1 }

// threshold returns a threshold in the data's units for cut c of feature j; 0
// sends every value right and len(vals[j]) every value left.
func (g *grid) threshold(j, c int) float64 {
	switch v := g.vals[j]; c {
	case 0:
		return v[0]
	case len(v):
		return math.Nextafter(v[len(v)-1], math.Inf(1))
	default:
		return tree.Midpoint(v[c-1], v[c])
	}
}

// cutOf returns the cut of x_j < b: the number of distinct values below b.
func (g *grid) cutOf(j int, b float64) int {
	c, _ := slices.BinarySearch(g.vals[j], b)
	return c
}
