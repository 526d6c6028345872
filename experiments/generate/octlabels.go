package generate

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/octgen/octgen/tree"
)

// minContrast is the part of the boundary of a split on whose two sides the classes
// have to differ. Without it trees come up whose upper splits separate nothing and
// that smaller trees equal: x1 < 0.4 below both sides of x2 < 0.8, with the same
// classes.
const minContrast = 0.25

// maxLabels and maxSwaps end the search for classes that do.
const (
	maxLabels = 1000
	maxSwaps  = 50
)

// octLabels gives the leaves of a tree classes.
type octLabels struct {
	tree    *tree.Tree
	leaves  []int   // from left to right
	rows    [][]int // training points that reach each node
	x       []float64
	classes int
}

// draw draws classes for the leaves, so that all are used and every split
// separates classes.
func (l *octLabels) draw(rng *rand.Rand) error {
	for range maxLabels {
		for k, class := range drawLabels(rng, len(l.leaves), l.classes) {
			l.tree.Nodes[l.leaves[k]].Class = class
		}
		if l.separate(rng) && l.allUsed() {
			return nil
		}
	}
	return fmt.Errorf("generate: no labelling of %d has %d classes in %d leaves and every split separate some", maxLabels, l.classes, len(l.leaves))
}

func (l *octLabels) allUsed() bool {
	used := make([]bool, l.classes)
	for _, leaf := range l.leaves {
		used[l.tree.Nodes[leaf].Class] = true
	}
	return !slices.Contains(used, false)
}

// drawLabels draws classes for leaves whose siblings are neighbours: each class once
// anywhere, then at random, siblings different.
func drawLabels(rng *rand.Rand, leaves, classes int) []int {
	class := make([]int, leaves)
	order := rng.Perm(leaves)
	for i, leaf := range order {
		class[leaf] = -1
		if i < classes {
			class[leaf] = i
		}
	}
	for _, leaf := range order[classes:] {
		if other := class[leaf^1]; other < 0 {
			class[leaf] = rng.IntN(classes)
		} else {
			class[leaf] = (other + 1 + rng.IntN(classes-1)) % classes
		}
	}
	return class
}

// separate renames the classes on the right of each split that separates too
// little, from the bottom up: what is below stays as separate as it was.
func (l *octLabels) separate(rng *rand.Rand) bool {
	for i := len(l.tree.Nodes) - 1; i >= 0; i-- { // children come after their parent
		n := &l.tree.Nodes[i]
		for swaps := 0; !n.Leaf() && l.contrast(i) < minContrast; swaps++ {
			if swaps == maxSwaps {
				return false
			}
			l.rename(n.Right, rng.Perm(l.classes))
		}
	}
	return true
}

func (l *octLabels) rename(i int, to []int) {
	n := &l.tree.Nodes[i]
	if n.Leaf() {
		n.Class = to[n.Class]
		return
	}
	l.rename(n.Left, to)
	l.rename(n.Right, to)
}

// contrast is the part of the training points of a branch node that, moved straight
// onto the boundary of its split, lie between different classes.
func (l *octLabels) contrast(i int) float64 {
	n := &l.tree.Nodes[i]
	p := len(l.tree.Features)
	z := make([]float64, p)
	differ := 0
	for _, row := range l.rows[i] {
		copy(z, l.x[row*p:(row+1)*p])
		project(z, n.Split)
		if l.below(n.Left, z) != l.below(n.Right, z) {
			differ++
		}
	}
	return float64(differ) / float64(len(l.rows[i]))
}

// project moves z onto the boundary of s, the shortest way.
func project(z []float64, s *tree.Split) {
	over, norm := -s.Threshold, 0.0
	for _, t := range s.Terms {
		over += t.Weight * z[t.Feature]
		norm += t.Weight * t.Weight
	}
	for _, t := range s.Terms {
		z[t.Feature] -= over / norm * t.Weight
	}
}

// below is the class of z by the subtree at node i.
func (l *octLabels) below(i int, z []float64) int {
	n := &l.tree.Nodes[i]
	for !n.Leaf() {
		if n.Split.Left(z) {
			n = &l.tree.Nodes[n.Left]
		} else {
			n = &l.tree.Nodes[n.Right]
		}
	}
	return n.Class
}
