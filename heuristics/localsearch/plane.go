package localsearch

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate/hyperplane"
	"github.com/octgen/octgen/tree"
)

// lsPlaneSearch is a search over trees of hyperplanes for OCT-H, on features
// scaled to [0, 1]. Every split keeps the margin: with sum_j |a_j| = 1, no row at
// its node has |a.x - b| < mu/2. Losses are in weight: error weight + price *
// features in splits, and forbidden for each unit of weight within a margin.
//
// A node is re-optimised given the subtrees below it, or given the labels of its
// two leaves: all that matters of a row is its price on the left, on the right
// and within the margin. The split starts as it is, as the best univariate one,
// or as the best one on few features, and moves along lines (as OC1's
// perturbations, Murthy et al. 1993, section 2.1): from the plane without feature
// j to the one of feature j alone, with a random pivot on that feature, so that
// leaving out a feature and coming back to a univariate split are the ends of the
// line; and in its threshold. Each line is searched exactly (planeLine). At
// first, rows within the margin have a small price, so that a split can pass over
// them, and at last a forbidding one.
type lsPlaneSearch struct {
	*lsData
	opts      *Options
	budget    *lsBudget
	rng       *rand.Rand
	active    []int32   // features that vary
	low, span []float64 // (active) of the scaling
	column    [][]float64
	half      float64 // of the margin
	scale     float64
	price     float64
	tolerance float64
	floor     float64
	forbidden float64 // price of weight within a margin
	known     float64

	minLeaf bool

	nodes, best, local, undo []planeNode
	loss, bestLoss           float64
	everything, scratch      []int32
	visits                   []lsVisit
	line                     planeLine
	climb                    planeClimb
}

// lsPlane is a hyperplane on scaled features: left iff a.x < b.
type lsPlane struct {
	a []float64 // (active) sum |a| = 1
	b float64
}

func (p *lsPlane) set(q *lsPlane) {
	p.a = append(p.a[:0], q.a...)
	p.b = q.b
}

// features counts the nonzeros of a.
func (p *lsPlane) features() int {
	n := 0
	for _, a := range p.a {
		if a != 0 {
			n++
		}
	}
	return n
}

// planeNode is a node of a working tree; plane.a is empty for a leaf.
type planeNode struct {
	plane       lsPlane
	left, right int32
	class       int32
	done        bool
}

func (n *planeNode) leaf() bool { return len(n.plane.a) == 0 }

// roomForMargin is how much more than mu is kept, for the rounding of those who
// check it.
const roomForMargin = 1 + 1e-6

func newLSPlaneSearch(u *uniSearch) *lsPlaneSearch {
	mu := u.opts.Mu
	if mu == 0 {
		mu = hyperplane.DefaultMu
	}
	total := 0.0
	for _, w := range u.w {
		total += w
	}
	s := &lsPlaneSearch{
		lsData: u.lsData, opts: u.opts, budget: u.budget, rng: u.rng,
		half: mu / 2 * roomForMargin, scale: u.scale, price: u.price, tolerance: u.tolerance, floor: u.floor,
		forbidden: 10 * (total + u.price*float64(u.p)*float64(int(2)<<min(u.opts.Depth, 20))) / slices.Min(u.w), minLeaf: u.minLeaf, known: u.known, bestLoss: math.Inf(1), everything: u.everything,
	}
	for _, j := range u.all.features {
		v := u.pre.Values(int(j))
		low, span := v[0], v[len(v)-1]-v[0]
		column := make([]float64, u.n)
		for i := range column {
			column[i] = (u.ds.At(i, int(j)) - low) / span
		}
		s.active, s.low, s.span, s.column = append(s.active, j), append(s.low, low), append(s.span, span), append(s.column, column)
	}
	return s
}

// searchPlanes is LocalSearch for hyperplanes: a fifth of the limits for
// univariate trees without a margin, from whose best tree the search goes on.
func searchPlanes(ds *dataset.Dataset, u *uniSearch, starts []*tree.Tree) *tree.Tree {
	b := u.budget
	univariate := *b.opts
	univariate.Work, univariate.TimeLimit, univariate.Restarts = (b.opts.Work+4)/5, (b.opts.TimeLimit+4)/5, len(starts)+1
	univariate.Progress = nil
	u.opts, u.budget = &univariate, &lsBudget{ctx: b.ctx, opts: &univariate, began: b.began}
	u.run(starts)
	b.stats.Work = u.budget.stats.Work
	u.opts, u.budget = b.opts, b
	s := newLSPlaneSearch(u)
	s.run(append(slices.Clone(starts), u.result(u.ds)))
	return s.result(ds)
}

// value of row i at a plane, less its threshold.
func (s *lsPlaneSearch) value(p *lsPlane, i int32) float64 {
	v := -p.b
	for jx, a := range p.a {
		if a != 0 {
			v += a * s.column[jx][i]
		}
	}
	return v
}

// cost of row i in the subtree of node at: its weight where it is classified
// wrongly, and more where it is within a margin on its way.
func (s *lsPlaneSearch) cost(at int32, i int32) float64 {
	within := 0.0
	for {
		n := &s.nodes[at]
		if n.leaf() {
			if n.class != s.y[i] {
				within += s.w[i]
			}
			return within
		}
		v := s.value(&n.plane, i)
		if v > -s.half && v < s.half {
			within += s.w[i] * s.forbidden
		}
		if v < 0 {
			at = n.left
		} else {
			at = n.right
		}
	}
}

// lossAt is the loss of the subtree of node i for the rows that reach it.
func (s *lsPlaneSearch) lossAt(i int32, rows []int32) float64 {
	loss := s.price * float64(s.complexity(i))
	for _, r := range rows {
		loss += s.cost(i, r)
	}
	return loss
}

// complexity counts the features of all splits below and including node i.
func (s *lsPlaneSearch) complexity(i int32) int {
	n := &s.nodes[i]
	if n.leaf() {
		return 0
	}
	return n.plane.features() + s.complexity(n.left) + s.complexity(n.right)
}

// room is the number of features that splits at node i may have beyond those
// elsewhere; without a limit, all.
func (s *lsPlaneSearch) room(i int32) int {
	if s.opts.MaxSplits == 0 {
		return len(s.active)
	}
	return s.opts.MaxSplits - s.complexity(0) + s.nodes[i].plane.features()
}

// route moves the rows that go left at node i to the front.
func (s *lsPlaneSearch) route(i int32, rows []int32) int {
	p, left := &s.nodes[i].plane, 0
	for q, r := range rows {
		if s.value(p, r) < 0 {
			rows[q], rows[left] = rows[left], r
			left++
		}
	}
	return left
}

// tidy is uniSearch.tidy for planes.
func (s *lsPlaneSearch) tidy(i int32, rows []int32) (least float64) {
	n := &s.nodes[i]
	if n.leaf() {
		var weight float64
		n.class, weight = s.majority(rows)
		return weight
	}
	q := s.route(i, rows)
	if q == 0 || q == len(rows) {
		child := n.right
		if q > 0 || len(rows) == 0 {
			child = n.left
		}
		s.nodes[i] = s.nodes[child]
		return s.tidy(i, rows)
	}
	ll := s.tidy(n.left, rows[:q])
	lr := s.tidy(n.right, rows[q:])
	l, r := &s.nodes[n.left], &s.nodes[n.right]
	if l.leaf() && r.leaf() && l.class == r.class {
		*n = planeNode{class: l.class}
		return ll + lr
	}
	return min(ll, lr)
}

func (s *lsPlaneSearch) majority(rows []int32) (class int32, weight float64) {
	total := make([]float64, s.k)
	for _, i := range rows {
		total[s.y[i]] += s.w[i]
		weight += s.w[i]
	}
	for c, w := range total {
		if w > total[class] {
			class = int32(c)
		}
	}
	return class, weight
}

// copyPlanes makes dst a compact copy of the tree src. Planes are shared: they
// are never written to once they are a node's.
func copyPlanes(dst, src []planeNode) []planeNode {
	dst = dst[:0]
	var add func(i int32) int32
	add = func(i int32) int32 {
		at := int32(len(dst))
		dst = append(dst, src[i])
		if n := src[i]; !n.leaf() {
			l := add(n.left)
			r := add(n.right)
			dst[at].left, dst[at].right = l, r
		}
		return at
	}
	add(0)
	return dst
}
