package localsearch

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/octgen/octgen/tree"
)

// problem is what is searched: rows, prices and limits. Losses are in weight: error
// weight + price * terms, a univariate split having one and a hyperplane one for each
// of its features.
type problem struct {
	*data
	depth      int
	most       int     // terms of all splits; 0: no limit
	scale      float64 // Lhat
	price      float64 // of a term
	tolerance  float64 // what counts as equal
	floor      float64 // least weight of a leaf
	minLeaf    bool    // floor may bind
	known      float64 // no tree's loss is less
	everything []int32 // (n) 0..n-1
}

func newProblem(d *data, o *Options) *problem {
	total := 0.0
	for _, w := range d.w {
		total += w
	}
	p := &problem{
		data: d, depth: o.Depth, most: o.MaxSplits, scale: tree.ErrorScale(d.ds), tolerance: 1e-11 * total,
		floor: tree.LeastWeight(o.MinLeaf), minLeaf: o.MinLeaf > slices.Min(d.w), everything: make([]int32, d.n),
	}
	p.price = o.Alpha * p.scale
	p.known, _ = d.ds.UnavoidableErrors()
	for i := range p.everything {
		p.everything[i] = int32(i)
	}
	return p
}

// splitting is what the tree under search asks of its splits.
type splitting[S any] interface {
	route(split *S, rows []int32) int // move the rows that go left to the front, return their number
	terms(split *S) int
}

// state is the tree under search.
type state[S any] struct {
	*problem
	splitting splitting[S]
	budget    *budget
	rng       *rand.Rand

	cur    workTree[S]
	loss   float64 // of cur
	visits []visit

	scratch []int32
	total   []float64 // (K) scratch
}

func newState[S any](p *problem, b *budget, rng *rand.Rand) *state[S] {
	return &state[S]{problem: p, budget: b, rng: rng, total: make([]float64, p.k)}
}

// visit is a node with the way to it.
type visit struct {
	node, parent int32 // parent: index in the list of visits, -1 for the root
	depth        int
}

// visit lists the nodes of cur in preorder.
func (s *state[S]) visit() []visit {
	s.visits = s.visits[:0]
	var walk func(node, parent int32, depth int)
	walk = func(node, parent int32, depth int) {
		at := int32(len(s.visits))
		s.visits = append(s.visits, visit{node, parent, depth})
		if n := &s.cur.nodes[node]; !n.leaf() {
			walk(n.left, at, depth+1)
			walk(n.right, at, depth+1)
		}
	}
	walk(0, -1, 0)
	return s.visits
}

// rowsAt returns the rows that reach visit v, valid until allRows or rowsAt is
// called again.
func (s *state[S]) rowsAt(v int32) []int32 {
	rows := s.allRows()
	var path []int32
	for ; v >= 0; v = s.visits[v].parent {
		path = append(path, s.visits[v].node)
	}
	for q := len(path) - 1; q > 0; q-- {
		n := &s.cur.nodes[path[q]]
		left := s.splitting.route(&n.split, rows)
		if n.left == path[q-1] {
			rows = rows[:left]
		} else {
			rows = rows[left:]
		}
	}
	return rows
}

// allRows returns all rows, in order, to be reordered.
func (s *state[S]) allRows() []int32 {
	s.scratch = append(s.scratch[:0], s.everything...)
	return s.scratch
}

// tidy relabels the leaves below node i of t by the rows that reach it, drops vacuous
// splits, merges sibling leaves of one class, and returns the error weight, the
// terms of all splits and the least leaf weight. The rows are reordered.
func (s *state[S]) tidy(t *workTree[S], i int32, rows []int32) (errs float64, terms int, least float64) {
	n := &t.nodes[i]
	if n.leaf() {
		class, weight, most := s.majority(rows)
		n.class = class
		return weight - most, 0, weight
	}
	q := s.splitting.route(&n.split, rows)
	if q == 0 || q == len(rows) {
		child := n.right
		if q > 0 || len(rows) == 0 {
			child = n.left
		}
		t.nodes[i] = t.nodes[child]
		return s.tidy(t, i, rows)
	}
	el, sl, ll := s.tidy(t, n.left, rows[:q])
	er, sr, lr := s.tidy(t, n.right, rows[q:])
	l, r := &t.nodes[n.left], &t.nodes[n.right]
	if l.leaf() && r.leaf() && l.class == r.class {
		*n = node[S]{class: l.class}
		return el + er, 0, ll + lr
	}
	return el + er, sl + sr + s.splitting.terms(&n.split), min(ll, lr)
}

// majority returns the class of most weight, the lowest of equal ones, the weight of
// the rows and that of the class.
func (s *state[S]) majority(rows []int32) (class int32, weight, most float64) {
	clear(s.total)
	for _, i := range rows {
		s.total[s.y[i]] += s.w[i]
	}
	for c, w := range s.total {
		weight += w
		if w > most {
			class, most = int32(c), w
		}
	}
	return class, weight, most
}

// leafLoss is the loss of the single leaf; +Inf where it is too light.
func (s *state[S]) leafLoss(rows []int32) float64 {
	_, weight, most := s.majority(rows)
	if s.minLeaf && weight < s.floor {
		return math.Inf(1)
	}
	return weight - most
}

// termsBelow counts those of the splits below and including node i of cur.
func (s *state[S]) termsBelow(i int32) int {
	n := &s.cur.nodes[i]
	if n.leaf() {
		return 0
	}
	return s.splitting.terms(&n.split) + s.termsBelow(n.left) + s.termsBelow(n.right)
}

// room is the number of terms that the split of node i may have beside all others.
func (s *state[S]) room(i int32) int {
	if s.most == 0 {
		return math.MaxInt
	}
	room := s.most - s.termsBelow(0)
	if n := &s.cur.nodes[i]; !n.leaf() {
		room += s.splitting.terms(&n.split)
	}
	return room
}

// admissible says whether cur, which was tidied with these figures, keeps the limits.
func (s *state[S]) admissible(terms int, least float64) bool {
	return (!s.minLeaf || least >= s.floor) && (s.most == 0 || terms <= s.most)
}
