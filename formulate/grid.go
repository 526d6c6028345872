package formulate

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/tree"
	"github.com/octgen/octgen/verify"
)

// grid is the training data as the univariate formulations see it: rows with
// equal features and class merged into one weighted row, and every value
// replaced by its rank among the distinct values of its feature. A cut c of
// feature j sends the ranks below c left; cuts 1..len(vals[j])-1 separate. All
// weights are in their common unit, so that the program of data does not depend on
// a factor of the weights.
type grid struct {
	src     *dataset.Dataset // as given: decoded trees are annotated with it
	ds      *dataset.Dataset // merged, weights in units
	unit    dataset.Unit
	minLeaf float64       // N_min in units
	pre     *tree.Presort // of ds
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

// newGrid lays out ds for a least leaf weight in the data's units. An ended ctx is
// its error.
func newGrid(ctx context.Context, ds *dataset.Dataset, minLeaf float64) (*grid, error) {
	if ds.N() == 0 {
		return nil, fmt.Errorf("formulate: the data has no rows")
	}
	inUnits, unit := ds.InUnits(verify.MaxUnits) // before merging: sums of whole numbers are exact
	m, _ := inUnits.Merge()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	g := &grid{
		src: ds, ds: m, unit: unit, minLeaf: unit.LeastLeaf(minLeaf),
		n: m.N(), p: m.P(), k: m.K(), w: m.Weight, classW: m.ClassWeights(),
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
	if countPositive(g.classW) <= 1 {
		return nil, fmt.Errorf("formulate: %w: all rows have one class", ErrSingleLeaf)
	}
	g.rankValues()
	if len(g.active) == 0 {
		return nil, fmt.Errorf("formulate: %w: no feature has two different values", ErrSingleLeaf)
	}
	g.groupPoints()
	return g, ctx.Err()
}

// freeLeaves reports whether every row is heavy enough for a leaf of its own.
func (g *grid) freeLeaves() bool { return tree.EnoughWeight(g.minW, g.minLeaf) }

// objective is (1/Lhat) error weight + alpha complexity of t on the training rows:
// the objective of OCT and, with the features of all splits for complexity, OCT-H.
func (g *grid) objective(t *tree.Tree, alpha float64, complexity int) float64 {
	return tree.Objective(t.Evaluate(g.ds).ErrorWeight, g.lhat, alpha, complexity)
}

// bound is a lower bound on the objective of every tree: the errors that rows with
// equal features and different classes force on it.
func (g *grid) bound() float64 {
	w, _ := g.ds.UnavoidableErrors()
	return w / g.lhat
}

// lattice is the set of values of the objective at this price of complexity, nil
// where the weights have no unit.
func (g *grid) lattice(alpha float64, most int) *verify.Lattice {
	if !g.unit.Whole {
		return nil
	}
	return &verify.Lattice{Errors: g.lhat, Price: alpha, Most: most, Slack: verify.BoundSlack * g.total / g.lhat}
}

// imprecise says why rows of the total weight (big-M) cannot be held to a unit of
// weight by solvers, "" where they can.
func (g *grid) imprecise() string {
	if g.total <= verify.MaxUnits {
		return ""
	}
	return fmt.Sprintf("all rows weigh %.3g times the unit of their weights, more than the %.0e at which rows of that size hold to a unit; the encoding threshold and method treesearch have no such rows", g.total, verify.MaxUnits)
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
