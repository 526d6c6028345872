package localsearch

import (
	"slices"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/tree"
)

// lsData is the data of a search: merged rows, presorted.
type lsData struct {
	ds      *dataset.Dataset
	pre     *tree.Presort
	n, p, k int
	y       []int32   // (n)
	w       []float64 // (n)
	local   []int32   // (n) scratch: -1 outside of fill
}

func newLSData(ds *dataset.Dataset) *lsData {
	d := &lsData{ds: ds, pre: tree.NewPresort(ds), n: ds.N(), p: ds.P(), k: ds.K(), w: ds.Weight}
	d.y, d.local = make([]int32, d.n), make([]int32, d.n)
	for i, y := range ds.Y {
		d.y[i], d.local[i] = int32(y), -1
	}
	return d
}

// lsRows is a set of rows, numbered from 0, in the order of each feature. An
// entry is a row's number times two, plus one where the next value is another
// one: a threshold may follow. It costs 4 bytes per row and feature.
type lsRows struct {
	n        int
	rows     []int32 // (n) as the data numbers them
	y        []int32
	w        []float64
	features []int32 // those with a threshold
	flat     []int32
}

// order returns the entries of feature j, one of features. (n)
func (s *lsRows) order(j int32) []int32 {
	stride := s.n + 1
	return s.flat[int(j)*stride : int(j)*stride+s.n]
}

// fill makes s the given rows: one pass over the data's order of each feature,
// in memory that is used again.
func (s *lsRows) fill(d *lsData, rows []int32) {
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

// mark turns row numbers into entries and says whether there is a threshold.
func (s *lsRows) mark(out, rank []int32) bool {
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

// cut returns the rank below which rows go left where the threshold follows
// position q of feature j: in the middle between the two ranks, for rows that
// come later.
func (s *lsRows) cut(d *lsData, j int32, q int) int32 {
	rank, order := d.pre.Ranks(int(j)), s.order(j)
	a, b := rank[s.rows[order[q]>>1]], rank[s.rows[order[q+1]>>1]]
	return (a + b + 1) / 2
}

// lsNode is a node of a working tree; feature is -1 for a leaf.
type lsNode struct {
	feature     int32
	cut         int32 // ranks below it go left
	left, right int32
	class       int32
	nodeDone    bool // the node cannot be improved alone
	pairDone    bool // nor together with its children
}

func (n *lsNode) leaf() bool { return n.feature < 0 }

// lsTree is a working tree; node 0 is the root. Nodes that moves cut off stay
// in the slice until the tree is copied.
type lsTree struct{ nodes []lsNode }

func (t *lsTree) newLeaf(class int32) int32 {
	t.nodes = append(t.nodes, lsNode{feature: -1, class: class})
	return int32(len(t.nodes) - 1)
}

// copyFrom makes t a compact copy of u.
func (t *lsTree) copyFrom(u *lsTree) {
	t.nodes = t.nodes[:0]
	t.add(u, 0)
}

func (t *lsTree) add(u *lsTree, i int32) int32 {
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
func (t *lsTree) splits(i int32) int {
	n := &t.nodes[i]
	if n.leaf() {
		return 0
	}
	return 1 + t.splits(n.left) + t.splits(n.right)
}

// dirty marks the subtree of node i as not yet optimised.
func (t *lsTree) dirty(i int32) {
	n := &t.nodes[i]
	n.nodeDone, n.pairDone = false, false
	if !n.leaf() {
		t.dirty(n.left)
		t.dirty(n.right)
	}
}

// find returns the leaf that row i of the data reaches from node at.
func (t *lsTree) find(d *lsData, at int32, i int32) int32 {
	for n := &t.nodes[at]; n.feature >= 0; n = &t.nodes[at] {
		if d.pre.Ranks(int(n.feature))[i] < n.cut {
			at = n.left
		} else {
			at = n.right
		}
	}
	return at
}

// route moves the rows that go left at node i to the front and returns their
// number.
func (t *lsTree) route(d *lsData, i int32, rows []int32) int {
	n := &t.nodes[i]
	rank, left := d.pre.Ranks(int(n.feature)), 0
	for q, r := range rows {
		if rank[r] < n.cut {
			rows[q], rows[left] = rows[left], r
			left++
		}
	}
	return left
}
