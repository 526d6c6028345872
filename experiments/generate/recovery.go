package generate

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"

	"github.com/octgen/octgen/tree"
)

// Recovery measures how much of a true tree another tree recovers.
type Recovery struct {
	TrueSplits     int     `json:"true_splits"`     // of the true tree
	Found          int     `json:"found"`           // true splits with a match in the tree, one-to-one
	False          int     `json:"false"`           // splits of the tree without a match
	TrueDiscovery  float64 `json:"true_discovery"`  // 100 Found / TrueSplits
	FalseDiscovery float64 `json:"false_discovery"` // 100 False / (Found + False); 0 for a tree without splits
}

// Tolerance is the maximum distance of splits of the unit cube that count as alike. For univariate
// splits on one feature, the distance is the difference of their thresholds. For others, it is the
// fraction of the cube that they send to different sides, with left and right exchangeable.
const Tolerance = 0.05

// samplePoints is the number of sample points of the cube: the estimated fraction between two
// hyperplanes has a standard error of at most 0.0035 near Tolerance.
const samplePoints = 4096

// Recover compares t with the true tree, both in the units of the unit cube; it identifies features
// by name. The position of a split in the tree does not matter. It matches splits that are alike
// one-to-one, as many as possible.
//
// The result is the true and false discovery rates of Bertsimas & Dunn (2017), section 5, with a
// tolerance specific to octgen. A split that no training row crosses (the Count of a child is 0)
// does not count in either tree: many trees of GTO have such splits, and no method can find them.
func Recover(truth, t *tree.Tree) Recovery {
	want, have := planesOf(truth, truth.Features), planesOf(t, truth.Features)
	places(want, have, len(truth.Features))
	found := matching(len(want), len(have), func(i, j int) bool { return want[i].like(&have[j]) })
	r := Recovery{TrueSplits: len(want), Found: found, False: len(have) - found}
	r.TrueDiscovery = percent(found, len(want))
	r.FalseDiscovery = percent(r.False, len(have))
	return r
}

func percent(part, of int) float64 {
	if of == 0 {
		return 0
	}
	return 100 * float64(part) / float64(of)
}

// plane is a split in the features of the true tree.
type plane struct {
	split    *tree.Split // nil if it has a feature that is not in the true tree
	left     []uint64    // one bit per sample point that goes left; nil for univariate pairs
	isStump  bool
	boundary float64 // threshold of a stump
}

// planesOf lists the splits of t that rows cross.
func planesOf(t *tree.Tree, features []string) []plane {
	var all []plane
	for i := range t.Nodes {
		n := &t.Nodes[i]
		if n.Leaf() || idle(&t.Nodes[n.Left]) || idle(&t.Nodes[n.Right]) {
			continue
		}
		all = append(all, newPlane(n.Split, t.Features, features))
	}
	return all
}

// idle reports whether no training row reaches the node; false if the tree has no counts.
func idle(n *tree.Node) bool {
	return n.Count != nil && !slices.ContainsFunc(n.Count, func(c float64) bool { return c > 0 })
}

func newPlane(s *tree.Split, from, to []string) plane {
	q := tree.Split{Threshold: s.Threshold}
	for _, term := range s.Terms {
		j := slices.Index(to, from[term.Feature])
		if j < 0 {
			return plane{}
		}
		q.Terms = append(q.Terms, tree.Term{Feature: j, Weight: term.Weight})
	}
	// A fixed order makes sums independent of the order of features.
	slices.SortFunc(q.Terms, func(a, b tree.Term) int { return a.Feature - b.Feature })
	p := plane{split: &q}
	if len(q.Terms) == 1 {
		p.isStump, p.boundary = true, q.Threshold/q.Terms[0].Weight
	}
	return p
}

// places computes the sides of the sample points if hyperplanes are compared.
func places(want, have []plane, p int) {
	oblique := func(q plane) bool { return q.split != nil && !q.isStump }
	if !slices.ContainsFunc(want, oblique) && !slices.ContainsFunc(have, oblique) {
		return
	}
	x := cube(rand.New(rand.NewPCG(0, 0x7265636f766572)), samplePoints, p)
	for _, list := range [][]plane{want, have} {
		for k := range list {
			list[k].place(x, p)
		}
	}
}

func (q *plane) place(x []float64, p int) {
	if q.split == nil {
		return
	}
	q.left = make([]uint64, samplePoints/64)
	for i := range samplePoints {
		if q.split.Left(x[i*p : (i+1)*p]) {
			q.left[i/64] |= 1 << (i % 64)
		}
	}
}

// like reports whether two splits are within Tolerance.
func (q *plane) like(o *plane) bool {
	switch {
	case q.split == nil || o.split == nil:
		return false
	case q.isStump && o.isStump:
		return q.split.Terms[0].Feature == o.split.Terms[0].Feature && math.Abs(q.boundary-o.boundary) <= Tolerance
	}
	apart := 0
	for k := range q.left {
		apart += bits.OnesCount64(q.left[k] ^ o.left[k])
	}
	return float64(min(apart, samplePoints-apart)) <= Tolerance*samplePoints
}

// matching returns the size of a maximum matching of the m nodes on one side with the n on the
// other, by augmenting paths.
func matching(m, n int, edge func(i, j int) bool) int {
	partner := slices.Repeat([]int{-1}, n) // of a node on the other side; -1 for none
	var seen []bool
	var augment func(i int) bool
	augment = func(i int) bool {
		for j := range n {
			if seen[j] || !edge(i, j) {
				continue
			}
			seen[j] = true
			if partner[j] < 0 || augment(partner[j]) {
				partner[j] = i
				return true
			}
		}
		return false
	}
	size := 0
	for i := range m {
		seen = make([]bool, n)
		if augment(i) {
			size++
		}
	}
	return size
}
