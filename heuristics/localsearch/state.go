package localsearch

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/tree"
)

// data is the data of a search: merged rows, presorted.
type data struct {
	ds      *dataset.Dataset
	pre     *tree.Presort
	n, p, k int
	y       []int32   // (n)
	w       []float64 // (n)
	local   []int32   // (n) scratch: -1 outside of fill
}

func newData(ds *dataset.Dataset, pre *tree.Presort) *data {
	d := &data{ds: ds, pre: pre, n: ds.N(), p: ds.P(), k: ds.K(), w: ds.Weight}
	d.y, d.local = make([]int32, d.n), make([]int32, d.n)
	for i, y := range ds.Y {
		d.y[i], d.local[i] = int32(y), -1
	}
	return d
}

// varies reports whether some feature has two values.
func (d *data) varies() bool {
	for j := range d.p {
		if len(d.pre.Values(j)) > 1 {
			return true
		}
	}
	return false
}

// rowSet is a set of rows, numbered from 0, in the order of each feature. An entry is a row's
// number times two, plus one if the next value differs: a threshold may follow. It costs 4 bytes
// per row and feature.
type rowSet struct {
	n        int
	rows     []int32 // (n) as the data numbers them
	y        []int32
	w        []float64
	features []int32 // those with a threshold
	flat     []int32
}

// order returns the (n) entries of feature j, one of features.
func (s *rowSet) order(j int32) []int32 {
	stride := s.n + 1
	return s.flat[int(j)*stride : int(j)*stride+s.n]
}

// fill sets s to the given rows: one pass over the data's order of each feature, reusing memory.
func (s *rowSet) fill(d *data, rows []int32) {
	s.n = len(rows)
	stride := s.n + 1 // the compaction writes one past the end
	s.rows = append(s.rows[:0], rows...)
	s.flat = slices.Grow(s.flat[:0], d.p*stride)[:d.p*stride]
	s.features, s.y, s.w = s.features[:0], s.y[:0], s.w[:0]
	for at, i := range rows {
		d.local[i] = int32(at)
		s.y, s.w = append(s.y, d.y[i]), append(s.w, d.w[i])
	}
	for j := range d.p {
		out := s.flat[j*stride : (j+1)*stride]
		at := 0
		for _, i := range d.pre.Order(j) { // no branch to mispredict
			l := d.local[i]
			out[at] = l
			at += 1 - int(uint32(l)>>31)
		}
		if s.mark(out[:s.n], d.pre.Ranks(j)) {
			s.features = append(s.features, int32(j))
		}
	}
	for _, i := range rows {
		d.local[i] = -1
	}
}

// mark turns row numbers into entries and reports whether there is a threshold.
func (s *rowSet) mark(out, rank []int32) bool {
	if s.n == 0 {
		return false
	}
	here := rank[s.rows[out[0]]]
	changes := int32(0)
	for q := 1; q < len(out); q++ {
		next := rank[s.rows[out[q]]]
		var differs int32
		if next != here {
			differs = 1
		}
		changes |= differs
		out[q-1] = out[q-1]<<1 | differs
		here = next
	}
	out[s.n-1] <<= 1
	return changes != 0
}

// rankAfter returns the rank below which rows go left if the threshold follows position q of
// feature j: the middle between the two ranks, which decides about other rows.
func (s *rowSet) rankAfter(d *data, j int32, q int) int32 {
	rank, order := d.pre.Ranks(int(j)), s.order(j)
	a, b := rank[s.rows[order[q]>>1]], rank[s.rows[order[q+1]>>1]]
	return (a + b + 1) / 2
}

// node is a node of a working tree whose splits are of type S. The zero value is a
// leaf.
type node[S any] struct {
	split       S
	left, right int32 // 0 for a leaf: the root is never a child
	class       int32 // of a leaf
	stuck       uint8 // number of leading kinds of moves known not to help here
}

func (n *node[S]) leaf() bool { return n.left == 0 }

// allStuck exceeds the number of kinds of moves.
const allStuck = 255

// workTree is a working tree; node 0 is the root. Nodes that moves cut off remain in the slice
// until the tree is copied.
type workTree[S any] struct{ nodes []node[S] }

// reset resets t to the single leaf.
func (t *workTree[S]) reset() { t.nodes = append(t.nodes[:0], node[S]{}) }

func (t *workTree[S]) newLeaf() int32 {
	t.nodes = append(t.nodes, node[S]{})
	return int32(len(t.nodes) - 1)
}

// copyFrom makes t a compact copy of u. Splits are shared: the split of a node is never modified.
func (t *workTree[S]) copyFrom(u *workTree[S]) { t.copySubtree(u, 0) }

// copySubtree makes t a compact copy of the subtree of node i of u.
func (t *workTree[S]) copySubtree(u *workTree[S], i int32) {
	t.nodes = t.nodes[:0]
	t.add(u, i)
}

func (t *workTree[S]) add(u *workTree[S], i int32) int32 {
	at := int32(len(t.nodes))
	t.nodes = append(t.nodes, u.nodes[i])
	if n := u.nodes[i]; !n.leaf() {
		l := t.add(u, n.left)
		r := t.add(u, n.right)
		t.nodes[at].left, t.nodes[at].right = l, r
	}
	return at
}

// splits counts the splits below and including node i.
func (t *workTree[S]) splits(i int32) int {
	n := &t.nodes[i]
	if n.leaf() {
		return 0
	}
	return 1 + t.splits(n.left) + t.splits(n.right)
}

// aboveLeaves reports whether node i is a leaf or has two leaves as children.
func (t *workTree[S]) aboveLeaves(i int32) bool {
	n := &t.nodes[i]
	return n.leaf() || t.nodes[n.left].leaf() && t.nodes[n.right].leaf()
}

// reopen marks the subtree of node i as not yet optimised.
func (t *workTree[S]) reopen(i int32) {
	n := &t.nodes[i]
	n.stuck = 0
	if !n.leaf() {
		t.reopen(n.left)
		t.reopen(n.right)
	}
}

// setSplit gives node i another split; a leaf gets two leaves as children.
func (t *workTree[S]) setSplit(i int32, split S) {
	kind := toSplit
	if t.nodes[i].leaf() {
		kind = toStump
	}
	t.become(i, kind, split)
}

// changeKind is a kind of change of a node.
type changeKind uint8

const (
	toLeaf    changeKind = iota
	toStump              // a split above two new leaves
	toLeft               // its left subtree replaces it
	toRight              // its right subtree replaces it
	toSplit              // another split above the same subtrees
	toSwapped            // the same, with the subtrees exchanged
)

// become applies a change to node i.
func (t *workTree[S]) become(i int32, kind changeKind, split S) {
	n := t.nodes[i]
	switch kind {
	case toLeaf:
		n = node[S]{}
	case toLeft:
		n = t.nodes[n.left]
	case toRight:
		n = t.nodes[n.right]
	case toStump:
		n.left, n.right = t.newLeaf(), t.newLeaf()
	case toSwapped:
		n.left, n.right = n.right, n.left
	}
	if kind == toStump || kind == toSplit || kind == toSwapped {
		n.split = split
	}
	t.nodes[i] = n
}

// problem holds rows, penalties and limits of a search. Losses are weights: error weight + price *
// terms, where a univariate split has one term and a hyperplane split one per feature.
type problem struct {
	*data
	depth      int
	most       int     // maximum number of terms of all splits; 0: no limit
	scale      float64 // Lhat
	price      float64 // penalty per term
	tolerance  float64 // values closer than this are equal
	floor      float64 // minimum weight of a leaf
	minLeaf    bool    // floor may bind
	known      float64 // lower bound on the loss of any tree
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

// splitting is the interface of splits to the current tree.
type splitting[S any] interface {
	route(split *S, rows []int32) int // move the rows that go left to the front, return their number
	terms(split *S) int
}

// state is the current tree.
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

// visit is a node with its path.
type visit struct {
	node, parent int32 // parent: index into the list of visits, -1 for the root
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

// rowsAt returns the rows that reach visit v, valid until the next call of allRows or rowsAt.
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

// allRows returns all rows, in order; the caller may reorder them.
func (s *state[S]) allRows() []int32 {
	s.scratch = append(s.scratch[:0], s.everything...)
	return s.scratch
}

// tidy relabels the leaves below node i of t by the rows that reach them, drops vacuous splits,
// merges sibling leaves of one class, and returns the error weight, the terms of all splits and the
// minimum leaf weight. It reorders the rows.
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

// majority returns the class with the largest weight, the lowest of equal ones, the weight of the
// rows and that of the class.
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

// leafLoss returns the loss of the single leaf; +Inf if it is too light.
func (s *state[S]) leafLoss(rows []int32) float64 {
	_, weight, most := s.majority(rows)
	if s.minLeaf && weight < s.floor {
		return math.Inf(1)
	}
	return weight - most
}

// termsBelow returns the number of terms of the splits below and including node i of cur.
func (s *state[S]) termsBelow(i int32) int {
	n := &s.cur.nodes[i]
	if n.leaf() {
		return 0
	}
	return s.splitting.terms(&n.split) + s.termsBelow(n.left) + s.termsBelow(n.right)
}

// room returns the maximum number of terms for the split of node i, given all others.
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

// admissible reports whether cur, which was tidied with these results, satisfies the limits.
func (s *state[S]) admissible(terms int, least float64) bool {
	return (!s.minLeaf || least >= s.floor) && (s.most == 0 || terms <= s.most)
}
