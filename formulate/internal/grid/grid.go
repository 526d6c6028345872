// Package grid lays out the training data for formulations of classification trees: merged rows,
// and ranks for values.
package grid

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate/internal/merged"
	"github.com/octgen/octgen/formulate/internal/point"
	"github.com/octgen/octgen/mio/verify"
	"github.com/octgen/octgen/tree"
)

// Grid is training data with rows of equal features and class merged into one weighted row, and
// every value replaced by its rank among the distinct values of its feature. The threshold of rank
// c of feature j sends the ranks below c left; those of ranks 1..len(Vals[j])-1 separate rows. All
// weights are in their common unit, so that the model does not change when all weights are
// multiplied by a factor.
type Grid struct {
	Src     *dataset.Dataset // as given; annotates decoded trees
	DS      *dataset.Dataset // merged, weights in units
	Unit    dataset.Unit
	MinLeaf float64       // N_min in units
	Pre     *tree.Presort // of DS
	N, P, K int
	Y       []int32     // (N)
	W       []float64   // (N)
	Rank    []int32     // (N, P) row-major
	Vals    [][]float64 // (P) distinct values, ascending
	Active  []int       // non-constant features
	Points  Groups      // rows with equal features, numbered by their first row

	ClassW   []float64    // (K)
	Total    float64      // W
	Lhat     float64      // loss of the single leaf (dataset.Dataset.Baseline), in LossUnit
	LossUnit dataset.Unit // unit of errors
	Offset   float64      // of the objective, times Lhat: see Answer

	// Cost (N, K) is the cost of each prediction above the cheapest of its row, in LossUnit; nil
	// for errors. With Cost, the weights only serve the minimum leaf weight and constraints.
	Cost    []float64
	Trivial bool // one prediction is the cheapest for all rows: no tree costs less than its leaf

	counted *dataset.Dataset // the dataset on which the objective of a tree is computed
	scale   float64          // Lhat on counted

	least   float64 // weight of the lightest row
	minLeaf float64 // N_min in the data's units
}

// New lays out ds for a minimum leaf weight in the data's units, from l if that is not nil. Errors:
// those of merged.Rows; all features are constant (formulate.ErrSingleLeaf); an ended ctx.
func New(ctx context.Context, ds *dataset.Dataset, l *tree.Training, minLeaf float64) (*Grid, error) {
	m, unit, err := merged.Rows(ds, l)
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	g := &Grid{
		Src: ds, DS: m, Unit: unit, MinLeaf: unit.LeastLeaf(minLeaf), minLeaf: minLeaf,
		N: m.N(), P: m.P(), K: m.K(), W: m.Weight, ClassW: m.ClassWeights(),
	}
	g.Y = make([]int32, g.N)
	for i, y := range m.Y {
		g.Y[i] = int32(y)
	}
	g.least = slices.Min(g.W)
	if err := g.lose(); err != nil {
		return nil, err
	}
	if l != nil {
		g.Pre = l.Presort
	} else if g.Pre, err = tree.NewPresortContext(ctx, m); err != nil {
		return nil, err
	}
	g.rankValues()
	if len(g.Active) == 0 {
		return nil, merged.ErrNoFeature
	}
	g.Points = g.points()
	return g, ctx.Err()
}

// FreeLeaves reports whether every row is heavy enough for its own leaf.
func (g *Grid) FreeLeaves() bool { return tree.EnoughWeight(g.least, g.MinLeaf) }

// Bare returns a tree of the data without a node.
func (g *Grid) Bare() *tree.Tree {
	return &tree.Tree{Features: g.Src.Features, Classes: g.Src.Classes, Encoder: g.Src.Encoder}
}

// CheckLeaf returns an error for a leaf, node i of a tree annotated with DS, that is lighter than
// N_min.
func (g *Grid) CheckLeaf(i int, n *tree.Node) error {
	w := 0.0
	for _, v := range n.Weight {
		w += v
	}
	if tree.EnoughWeight(w, g.MinLeaf) {
		return nil
	}
	return point.NoStart(i, "the leaf has weight %v, the minimum is %v", w*g.Unit.Size, g.minLeaf)
}

// lose lays out the costs of predictions. It returns an error if weights or costs are so different
// that a model that resolves the largest loses the smallest. Errors are sums over classes,
// everything else the table of costs: here, in Answer, and where formulations count leaves by
// class.
func (g *Grid) lose() error {
	heaviest := slices.Index(g.ClassW, slices.Max(g.ClassW))
	for c, w := range g.ClassW {
		g.Total += w
		if c != heaviest { // subtracting it from the total would leave rounding errors
			g.Lhat += w
		}
	}
	if math.IsInf(g.Total, 1) {
		return fmt.Errorf("formulate: the weights or costs of rows range from %.3g to %.3g, too far apart for a model; --engine search has no such limit", slices.Min(g.Src.Weight), slices.Max(g.Src.Weight))
	}
	if g.DS.Kind() == dataset.Errors {
		g.LossUnit, g.Offset, g.counted, g.scale = g.Unit, g.Total, g.DS, g.Lhat
		return nil
	}
	g.Cost, g.LossUnit = g.DS.ExcessInUnits(verify.MaxUnits)
	if g.Lhat = slices.Min(g.answers()); g.Lhat == 0 {
		g.Lhat, g.Trivial = 1/g.LossUnit.Size, true // one unit of the data's cost
	}
	g.counted, g.scale = g.Src, g.Lhat*g.LossUnit.Size // in sums over merged rows, large costs hide small excesses
	dearest, least := 0.0, math.Inf(1)
	for _, v := range g.DS.Excess() {
		if dearest = max(dearest, v); v > 0 {
			least = min(least, v)
		}
	}
	if dearest > 0 && math.IsInf(dearest/least, 1) {
		return fmt.Errorf("formulate: predictions cost from %.3g to %.3g above the cheapest, too far apart for a model; --engine search has no such limit", least, dearest)
	}
	return nil
}

// answers returns the costs of the single leaves. (K)
func (g *Grid) answers() []float64 {
	all := make([]float64, g.K)
	for at, v := range g.Cost {
		all[at%g.K] += v
	}
	return all
}

func (g *Grid) rankValues() {
	g.Rank = make([]int32, g.N*g.P)
	g.Vals = make([][]float64, g.P)
	for j := range g.P {
		g.Vals[j] = g.Pre.Values(j)
		for i, r := range g.Pre.Ranks(j) {
			g.Rank[i*g.P+j] = r
		}
		if len(g.Vals[j]) > 1 {
			g.Active = append(g.Active, j)
		}
	}
}

// points finds the rows with equal features by sorting on ranks.
func (g *Grid) points() Groups {
	order := make([]int32, g.N)
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int {
		if c := slices.Compare(g.Ranks(int(a)), g.Ranks(int(b))); c != 0 {
			return c
		}
		return int(a - b)
	})
	first := make([]int32, g.N) // first row of i's point
	for k, i := range order {
		first[i] = i
		if k > 0 && slices.Equal(g.Ranks(int(order[k-1])), g.Ranks(int(i))) {
			first[i] = first[order[k-1]]
		}
	}
	of := make([]int32, g.N)
	points := int32(0)
	for i := range g.N {
		if first[i] == int32(i) {
			of[i] = points
			points++
		} else {
			of[i] = of[first[i]]
		}
	}
	return group(of, int(points))
}

// Ranks returns the ranks of row i. (P)
func (g *Grid) Ranks(i int) []int32 { return g.Rank[i*g.P : (i+1)*g.P] }

// NumThresholds returns the number of thresholds of feature j that separate rows.
func (g *Grid) NumThresholds(j int) int { return len(g.Vals[j]) - 1 }

// Threshold returns the threshold of rank c of feature j in the data's units; rank 0 sends every
// value right, len(Vals[j]) every value left.
func (g *Grid) Threshold(j, c int) float64 {
	switch v := g.Vals[j]; c {
	case 0:
		return v[0]
	case len(v):
		return math.Nextafter(v[len(v)-1], math.Inf(1))
	default:
		return tree.Midpoint(v[c-1], v[c])
	}
}

// ThresholdRank returns the rank of the threshold b of feature j: the number of its distinct values
// below b.
func (g *Grid) ThresholdRank(j int, b float64) int {
	c, _ := slices.BinarySearch(g.Vals[j], b)
	return c
}

// Groups divides rows into groups.
type Groups struct {
	Of          []int32 // (n) the group of each row
	start, rows []int32 // group g has the rows rows[start[g]:start[g+1]], ascending
}

// Singles returns n rows, each in its own group.
func Singles(n int) Groups {
	of := make([]int32, n)
	for i := range of {
		of[i] = int32(i)
	}
	return group(of, n)
}

func group(of []int32, groups int) Groups {
	start := make([]int32, groups+1)
	for _, g := range of {
		start[g+1]++
	}
	for g := range groups {
		start[g+1] += start[g]
	}
	next := slices.Clone(start[:groups])
	rows := make([]int32, len(of))
	for i, g := range of {
		rows[next[g]] = int32(i)
		next[g]++
	}
	return Groups{of, start, rows}
}

// Len returns the number of groups.
func (g *Groups) Len() int { return len(g.start) - 1 }

// Rows returns the rows of group u.
func (g *Groups) Rows(u int) []int32 { return g.rows[g.start[u]:g.start[u+1]] }

// First returns the first row of group u.
func (g *Groups) First(u int) int { return int(g.rows[g.start[u]]) }
