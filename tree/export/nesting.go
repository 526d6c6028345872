package export

// deepest is how many levels of a tree targets indent. Programs and statements do not nest
// more of them either: what reads programs has limits (Python 100 blocks, SQLite expressions
// of height 1000, some C compilers 256 brackets).
const deepest = 40

// branches says how a branch node is written: a block for the rows that go to inner, then,
// beside it, what is written for the others, who go to next.
type branches struct {
	inner, next int
	negated     bool // the rows of inner are those that the test does not hold of
}

// nesting returns the branches of each branch node. Blocks are for the rows that a test
// holds of. In trees of more than deepest levels they are for the smaller of the two
// subtrees, so that no more than log2(nodes) of them stand in each other.
func (p *plan) nesting() (of []branches, deep bool) {
	of = make([]branches, len(p.nodes))
	deep = p.depth() > deepest
	size := p.sizes()
	for i := range p.nodes {
		n := &p.nodes[i]
		if of[i] = (branches{inner: n.left, next: n.right}); deep && n.test != nil && size[n.left] > size[n.right] {
			of[i] = branches{n.right, n.left, true}
		}
	}
	return of, deep
}

// sizes returns the number of nodes of each subtree.
func (p *plan) sizes() []int {
	size := make([]int, len(p.nodes))
	for i := len(p.nodes) - 1; i >= 0; i-- { // children come after their parent
		if n := &p.nodes[i]; n.test != nil {
			size[i] = size[n.left] + size[n.right]
		}
		size[i]++
	}
	return size
}
