package generate

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/gto"
	"github.com/octgen/octgen/tree"
)

// GTO draws data from a random multivariate tree, following Bennett & Blue, Optimal decision trees,
// R.P.I. Math Report 214 (1996), section 6: three decisions in a tree of depth 2 whose weights and
// thresholds are uniform in [-1, 1], points uniform in the unit cube, classified by the tree. The
// leaves have the classes A, B, A, B of its Figure 2. Other structures and noise are additions.
//
// "The unit cube" may also mean the cube of side 2 about the origin (Centred), in which the
// thresholds in [-1, 1] are as likely above as below the mean of w.x. In [0, 1]^p, the mean of w.x
// - gamma for a plane with threshold gamma is spread over p features with one sign or the other,
// and more of the trees have a decision that hardly any point crosses.
//
// Many such trees give (nearly) all points one class, for example if the root sends the whole cube
// to one side into such a decision. The paper does not discuss this. Here a tree counts only if
// each class has at least the fraction MinShare of the training points before noise; others are
// drawn again. A tree that counts may still have a decision that no point crosses.
type GTO struct {
	Features int // 1 or more
	Rows     int // training points, 2 or more
	TestRows int // test points, 0 or more

	Depth     int     // of the tree, with all leaves at that depth, A and B in turn; default 2
	Centred   bool    // points uniform in [-1, 1]^p instead of the unit cube
	Structure string  // instead of Depth: such as ((A,B),(A,C)), see gto.ParseStructure; classes in the order of their names
	MinShare  float64 // minimum fraction of the rarest class in the training points; default 0.2 / classes, at most 1 / classes
	Noise     Noise
	Seed      uint64
}

// maxDraws is the maximum number of trees drawn until every class has its fraction: with the
// defaults, three in ten trees do with one feature, two in three with twenty.
const maxDraws = 10_000

// Replicate returns g with the seed Seed + r.
func (g GTO) Replicate(r int) Generator {
	g.Seed += uint64(r)
	return g
}

// Data implements Generator.
func (g GTO) Data() (train, test *dataset.Dataset, truth *tree.Tree, err error) {
	shape, classes, err := g.structure()
	if err != nil {
		return nil, nil, nil, err
	}
	g.MinShare = cmp.Or(g.MinShare, 0.2/float64(len(classes)))
	if err := g.validate(len(classes)); err != nil {
		return nil, nil, nil, err
	}
	rng := rand.New(rand.NewPCG(g.Seed, 0x67746f))
	names := featureNames(g.Features)
	for range maxDraws {
		truth = drawDecisions(rng, shape, names, classes)
		if train, err = classify(truth, g.points(rng, g.Rows)); err != nil {
			return nil, nil, nil, err
		}
		if slices.Min(train.ClassCounts()) < max(1, g.MinShare*float64(g.Rows)) {
			continue
		}
		if test, err = classify(truth, g.points(rng, g.TestRows)); err != nil {
			return nil, nil, nil, err
		}
		g.Noise.add(train, test, g.Seed)
		truth.Annotate(train)
		return train, test, truth, nil
	}
	return nil, nil, nil, fmt.Errorf("generate: none of %d trees gave each class a fraction of %v of %d points: use a smaller fraction", maxDraws, g.MinShare, g.Rows)
}

// points draws n points, row-major.
func (g GTO) points(rng *rand.Rand, n int) []float64 {
	x := cube(rng, n, g.Features)
	if g.Centred {
		for i, v := range x {
			x[i] = 2*v - 1
		}
	}
	return x
}

// structure returns the structure with the names of its classes.
func (g GTO) structure() (*gto.Structure, []string, error) {
	if g.Structure != "" && g.Depth != 0 {
		return nil, nil, fmt.Errorf("generate: depth %d and a structure exclude each other", g.Depth)
	}
	if g.Structure != "" {
		shape, classes, err := gto.ParseNewStructure(g.Structure)
		if err == nil && len(classes) < 2 {
			err = fmt.Errorf("generate: the structure %q has %d class, expected 2 or more", g.Structure, len(classes))
		}
		return shape, classes, err
	}
	depth := cmp.Or(g.Depth, 2)
	if depth < 1 || depth > formulate.MaxDepth {
		return nil, nil, fmt.Errorf("generate: depth %d, expected 1 to %d", depth, formulate.MaxDepth)
	}
	return gto.FullStructure(depth, 0, 1), []string{"A", "B"}, nil
}

func (g GTO) validate(classes int) error {
	if err := checkSize(g.Features, g.Rows, g.TestRows); err != nil {
		return err
	}
	if !(g.MinShare >= 0 && g.MinShare <= 1/float64(classes)) {
		return fmt.Errorf("generate: minimum fraction %v of a class, expected 0 to %v", g.MinShare, 1/float64(classes))
	}
	return g.Noise.validate(classes)
}

// drawDecisions draws the decisions of the structure, level by level from the root.
func drawDecisions(rng *rand.Rand, shape *gto.Structure, features, classes []string) *tree.Tree {
	t := &tree.Tree{Nodes: make([]tree.Node, 1), Features: features, Classes: classes}
	all := make([]int, len(features))
	for j := range all {
		all[j] = j
	}
	type place struct {
		node  int
		shape *gto.Structure
	}
	for queue := []place{{0, shape}}; len(queue) > 0; queue = queue[1:] {
		at := queue[0]
		if at.shape.Leaf() {
			continue
		}
		threshold := uniform(rng)
		s := hyperplane(rng, all)
		s.Threshold = threshold
		l, r := t.Grow(at.node, s, classOf(at.shape.Left, 0), classOf(at.shape.Right, 1))
		queue = append(queue, place{l, at.shape.Left}, place{r, at.shape.Right})
	}
	return t
}

// classOf returns the class of a leaf, or side for a decision. A decision that no point reaches
// keeps side as its class, so that this class is always the same.
func classOf(s *gto.Structure, side int) int {
	if s.Leaf() {
		return s.Class
	}
	return side
}
