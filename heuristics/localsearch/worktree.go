package localsearch

// node is a node of a working tree whose splits are of type S. The zero value is a
// leaf.
type node[S any] struct {
	split       S
	left, right int32 // 0 for a leaf: the root is nobody's child
	class       int32 // of a leaf
	stuck       uint8 // of the kinds of moves, how many are known not to help here
}

func (n *node[S]) leaf() bool { return n.left == 0 }

// allStuck is more than there are kinds of moves.
const allStuck = 255

// workTree is a working tree; node 0 is the root. Nodes that moves cut off stay in
// the slice until the tree is copied.
type workTree[S any] struct{ nodes []node[S] }

// reset makes t the single leaf.
func (t *workTree[S]) reset() { t.nodes = append(t.nodes[:0], node[S]{}) }

func (t *workTree[S]) newLeaf() int32 {
	t.nodes = append(t.nodes, node[S]{})
	return int32(len(t.nodes) - 1)
}

// copyFrom makes t a compact copy of u. Splits are shared: they are never written
// to once they are a node's.
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

// aboveLeaves says whether node i is a leaf or stands above two.
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

// setSplit gives node i another split; a leaf gets two leaves.
func (t *workTree[S]) setSplit(i int32, split S) {
	kind := toSplit
	if t.nodes[i].leaf() {
		kind = toStump
	}
	t.become(i, kind, split)
}

// changeKind is what becomes of a node.
type changeKind uint8

const (
	toLeaf    changeKind = iota
	toStump              // a split above two new leaves
	toLeft               // its left subtree takes its place
	toRight              // its right subtree does
	toSplit              // another split above the same subtrees
	toSwapped            // the same, with the subtrees exchanged
)

// become makes that change of node i.
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
