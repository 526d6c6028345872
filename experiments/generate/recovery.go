package generate

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"

	"github.com/octgen/octgen/tree"
)

// Recovery says how much of a true tree another one has.
type Recovery struct {
	TrueSplits     int     `json:"true_splits"`     // of the true tree
	Found          int     `json:"found"`           // of these, with a like in the tree, a split of its own each
	False          int     `json:"false"`           // splits of the tree without one
	TrueDiscovery  float64 `json:"true_discovery"`  // 100 Found / TrueSplits
	FalseDiscovery float64 `json:"false_discovery"` // 100 False / (Found + False); 0 for a tree without splits
}

// Tolerance is how far apart splits of the unit cube may be and still be alike:
// univariate ones, of one feature, in their thresholds; others in the part of the
// cube that they send to different sides, left and right named either way.
const Tolerance = 0.05

// samplePoints is how many points stand for the cube: the part between two
// hyperplanes has a standard error of at most 0.0035 where it is near Tolerance.
const samplePoints = 4096

// Recover compares t with the true tree, both of which speak the units of the unit
// cube; features are told by name. Where a split is in the tree does not matter.
// Pairs of splits that are alike are matched one to one, as many as possible.
//
// These are the true and false discovery rates of Bertsimas & Dunn (2017), section
// 5, with a tolerance of ours. A split that no training row crosses (the Count of a
// child is 0) is none, of either tree: of the trees of GTO many are such, and
// nobody can find them.
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
	split    *tree.Split // nil where it has a feature that the true tree does not know
	left     []uint64    // bit of each sample point: whether it goes left; nil for univariate pairs
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

// idle says whether no training row reaches the node; false where the tree does
// not tell.
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
	// In one order, sums come out the same however features are arranged.
	slices.SortFunc(q.Terms, func(a, b tree.Term) int { return a.Feature - b.Feature })
	p := plane{split: &q}
	if len(q.Terms) == 1 {
		p.isStump, p.boundary = true, q.Threshold/q.Terms[0].Weight
	}
	return p
}

// places fills the sides of the sample points where hyperplanes are compared.
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

// like says whether two splits are within Tolerance.
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

// matching returns the size of a largest matching of the m nodes on one side with
// the n on the other, by augmenting paths.
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
