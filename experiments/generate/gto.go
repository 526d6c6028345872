// Package generate draws the artificial data of the source papers. The same
// settings and seed give the same data.
package generate

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/tree"
)

// GTO draws data from a random multivariate tree, as Bennett & Blue, Optimal
// decision trees, R.P.I. Math Report 214 (1996), section 6: three decisions in a
// tree of depth 2 whose weights and thresholds are uniform in [-1, 1], points
// uniform in the unit cube, classified by the tree. The leaves have the classes
// A, B, A, B of its Figure 2.
//
// The paper does not say what happens with a tree that gives (nearly) all points
// one class, as many do, such as a root that sends the whole cube one way into
// such a decision. Here a tree counts only if each class has at least the share
// MinShare of the training points; others are drawn again.
type GTO struct {
	Features int     // 1 or more
	Rows     int     // training points, 2 or more
	TestRows int     // test points, 0 or more
	Depth    int     // of the tree, all leaves at that depth, A and B in turn; default 2
	MinShare float64 // of the smaller class in the training points; default 0.1, at most 0.5
	Seed     uint64
}

// maxDraws ends the search for a tree that gives both classes their share: at the
// defaults three in ten trees do with one feature, two in three with twenty.
const maxDraws = 10_000

// Data returns the training points, the test points (nil for none) and the tree,
// which makes no error on either.
func (g GTO) Data() (train, test *dataset.Dataset, truth *tree.Tree, err error) {
	if g.Depth == 0 {
		g.Depth = 2
	}
	if g.MinShare == 0 {
		g.MinShare = 0.1
	}
	if err := g.validate(); err != nil {
		return nil, nil, nil, err
	}
	rng := rand.New(rand.NewPCG(g.Seed, 0x67746f))
	names := make([]string, g.Features)
	for j := range names {
		names[j] = fmt.Sprintf("x%d", j+1)
	}
	for range maxDraws {
		truth = g.tree(rng, names)
		if train, err = g.points(rng, truth, g.Rows); err != nil {
			return nil, nil, nil, err
		}
		if slices.Min(train.ClassCounts()) < max(1, g.MinShare*float64(g.Rows)) {
			continue
		}
		truth.Annotate(train)
		if g.TestRows > 0 {
			test, err = g.points(rng, truth, g.TestRows)
		}
		return train, test, truth, err
	}
	return nil, nil, nil, fmt.Errorf("generate: no tree of %d gave each class a share of %v of %d points: ask for a smaller share", maxDraws, g.MinShare, g.Rows)
}

func (g GTO) validate() error {
	switch {
	case g.Features < 1:
		return fmt.Errorf("generate: %d features, expected 1 or more", g.Features)
	case g.Rows < 2:
		return fmt.Errorf("generate: %d rows, expected 2 or more", g.Rows)
	case g.TestRows < 0:
		return fmt.Errorf("generate: %d test rows, expected 0 or more", g.TestRows)
	case g.Depth < 1 || g.Depth > 16:
		return fmt.Errorf("generate: depth %d, expected 1 to 16", g.Depth)
	case !(g.MinShare >= 0 && g.MinShare <= 0.5):
		return fmt.Errorf("generate: a share of %v of the smaller class, expected 0 to 0.5", g.MinShare)
	}
	return nil
}

// tree draws the decisions, parents before children.
func (g GTO) tree(rng *rand.Rand, names []string) *tree.Tree {
	t := &tree.Tree{Nodes: make([]tree.Node, 1), Features: names, Classes: []string{"A", "B"}}
	level := []int{0}
	for range g.Depth {
		var next []int
		for _, leaf := range level {
			s := &tree.Split{Threshold: uniform(rng)}
			for j := range names {
				if w := uniform(rng); w != 0 {
					s.Terms = append(s.Terms, tree.Term{Feature: j, Weight: w})
				}
			}
			if s.Terms == nil { // all weights 0: never in practice, but no split
				s.Terms = []tree.Term{{Feature: 0, Weight: 1}}
			}
			l, r := t.Grow(leaf, s, 0, 1)
			next = append(next, l, r)
		}
		level = next
	}
	return t
}

// uniform returns a number in [-1, 1).
func uniform(rng *rand.Rand) float64 { return 2*rng.Float64() - 1 }

// points draws n points of the unit cube with the classes that t gives them.
func (g GTO) points(rng *rand.Rand, t *tree.Tree, n int) (*dataset.Dataset, error) {
	x, y := make([]float64, n*g.Features), make([]int, n)
	for i := range y {
		row := x[i*g.Features : (i+1)*g.Features]
		for j := range row {
			row[j] = rng.Float64()
		}
		y[i] = t.Predict(row)
	}
	return dataset.New(x, y, t.Features, t.Classes)
}
