package localsearch

import (
	"math"
	"slices"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/tree"
)

// moveSet defines a kind of split for the engine: how its trees begin and change.
type moveSet[S any] interface {
	// begin returns the origin of the tree of a restart.
	begin(starts, restart int) beginning[S]
	// adopt converts a split of a tree of the data; it returns false if that is impossible.
	adopt(split *tree.Split) (S, bool)

	// kinds returns the number of kinds of moves for a node of that depth, cheap ones first.
	kinds(depth int) uint8
	// move makes the best move of a kind at a node, with the rows that reach it. It reports whether
	// the tree changed and whether it improved.
	move(kind uint8, at visit, rows []int32) (changed, better bool)
	// kick gives a node that may have a split a random one, with the rows that reach it, and
	// reports whether it could. The changed nodes are then open for moves.
	kick(at visit, rows []int32) bool

	// measure returns the loss of cur, which was tidied with these errors and terms.
	measure(errs float64, terms int) float64
	// exact reports whether a local optimum is optimal.
	exact() bool
	// emit returns a split of the data halfway between the rows on its two sides, and whether these
	// are exchanged; nil if the sides are not separate.
	emit(split *S, left, right []int32) (out *tree.Split, exchanged bool)
}

// origin is the source of the tree of a restart.
type origin uint8

const (
	fromLeaf origin = iota
	fromStart
	fromBest
	fromSplit // a tree with the given split
	fromKick  // the single leaf, kicked
)

// beginning is the beginning of a restart.
type beginning[S any] struct {
	from     origin
	start    int // index of the start
	split    S
	patience int // maximum number of consecutive kicks that do not improve the local optimum
}

// patience is the number of consecutive kicks without improvement after which the search restarts.
const patience = 12

// engine searches trees whose splits are of type S: it repeatedly descends from a tree to a local
// optimum, kicks that several times, and keeps the best.
type engine[S any] struct {
	*state[S]
	moves       moveSet[S]
	best, local workTree[S]
	bestLoss    float64
}

func newEngine[S any](s *state[S], m moveSet[S]) *engine[S] {
	return &engine[S]{state: s, moves: m, bestLoss: math.Inf(1)}
}

// run searches until a limit is reached or the best tree is known to be optimal.
func (e *engine[S]) run(starts []*tree.Tree) {
	for restart := 0; e.budget.begin(); restart++ {
		patient := e.restart(starts, restart)
		e.descend()
		if e.keep() {
			return
		}
		if e.kicks(patient) {
			return
		}
	}
}

// kicks continues from the local optimum with kicks until patient consecutive kicks bring no
// improvement; it reports whether the search is over.
func (e *engine[S]) kicks(patient int) bool {
	e.local.copyFrom(&e.cur)
	least := e.loss
	for failed := 0; failed < patient && !e.budget.over(); failed++ {
		if !e.kick() {
			break
		}
		e.budget.stats.Kicks++
		e.descend()
		if e.loss > least+e.tolerance {
			e.cur.copyFrom(&e.local)
			e.loss = least
			continue
		}
		if e.loss < least-e.tolerance {
			failed = -1
		}
		least = e.loss // also from another tree that is as good
		e.local.copyFrom(&e.cur)
		if e.keep() {
			return true
		}
	}
	return false
}

// keep records cur if it is the best so far, and reports whether no tree can be better.
func (e *engine[S]) keep() bool {
	if e.loss < e.bestLoss-e.tolerance && e.keepsLimits() {
		e.best.copyFrom(&e.cur)
		e.bestLoss = e.loss
		e.budget.improved(e.loss / e.scale)
	}
	return e.budget.over() || e.moves.exact() || e.bestLoss <= e.known+e.tolerance
}

// keepsLimits reports whether cur satisfies the limits on leaves and terms: a kick may violate
// them, and moves need not restore them.
func (e *engine[S]) keepsLimits() bool {
	if !e.minLeaf && e.most == 0 {
		return true
	}
	_, terms, least := e.tidy(&e.cur, 0, e.allRows())
	return e.admissible(terms, least)
}

// keepLeaf makes the single leaf the best so far.
func (e *engine[S]) keepLeaf() {
	e.cur.reset()
	e.measure()
	e.keep()
}

// restart makes cur the tree of the next restart and returns its patience.
func (e *engine[S]) restart(starts []*tree.Tree, restart int) (patience int) {
	b := e.moves.begin(len(starts), restart)
	e.cur.reset()
	switch b.from {
	case fromStart:
		e.cur.nodes = e.cur.nodes[:0]
		e.adopt(starts[b.start], 0, 0)
	case fromBest:
		if !math.IsInf(e.bestLoss, 1) {
			e.cur.copyFrom(&e.best)
		}
	case fromSplit:
		e.cur.setSplit(0, b.split)
	case fromKick:
		e.kick()
	}
	if _, terms, least := e.tidy(&e.cur, 0, e.allRows()); !e.admissible(terms, least) {
		e.cur.reset()
	}
	e.cur.reopen(0)
	return b.patience
}

// adopt adds node i of t as a node of cur at the given depth; as a leaf if its split is too deep or
// not of this kind.
func (e *engine[S]) adopt(t *tree.Tree, i, depth int) {
	n := &t.Nodes[i]
	at := e.cur.newLeaf()
	if n.Leaf() || depth == e.depth {
		return
	}
	split, ok := e.moves.adopt(n.Split)
	if !ok {
		return
	}
	left := int32(len(e.cur.nodes))
	e.adopt(t, n.Left, depth+1)
	right := int32(len(e.cur.nodes))
	e.adopt(t, n.Right, depth+1)
	e.cur.nodes[at] = node[S]{split: split, left: left, right: right}
}

// measure tidies cur and sets its loss.
func (e *engine[S]) measure() {
	errs, terms, _ := e.tidy(&e.cur, 0, e.allRows())
	e.loss = e.moves.measure(errs, terms)
}

// descend makes moves until none improves cur: the first kind of move before the next, the deepest
// nodes first.
func (e *engine[S]) descend() {
	e.measure()
	for !e.budget.over() && e.loss > e.known+e.tolerance {
		v, kind := e.choose()
		if v < 0 {
			return
		}
		at := e.visits[v]
		changed, better := e.moves.move(kind, at, e.rowsAt(v))
		if changed { // descendants get other rows, ancestors other losses
			e.cur.reopen(at.node)
			for v := at.parent; v >= 0; v = e.visits[v].parent {
				e.cur.nodes[e.visits[v].node].stuck = 0
			}
		}
		if !better {
			e.cur.nodes[at.node].stuck = kind + 1
		}
	}
}

// choose returns one of the deepest visits with an open move of the first kind that is open
// anywhere; -1 if no move is open.
func (e *engine[S]) choose() (chosen int32, kind uint8) {
	visits := e.visit()
	for kind := range e.moves.kinds(0) {
		chosen, depth, equal := int32(-1), -1, 0
		for v := range visits {
			if visits[v].depth < depth || e.cur.nodes[visits[v].node].stuck > kind || kind >= e.moves.kinds(visits[v].depth) {
				continue
			}
			if visits[v].depth > depth {
				depth, equal = visits[v].depth, 0
			}
			equal++
			if e.rng.IntN(equal) == 0 {
				chosen = int32(v)
			}
		}
		if chosen >= 0 {
			return chosen, kind
		}
	}
	return -1, 0
}

// kick changes the split of a random node, and reports whether anything can change.
func (e *engine[S]) kick() bool {
	for range 20 {
		if e.budget.ended() {
			return false
		}
		visits := e.visit()
		v := int32(e.rng.IntN(len(visits)))
		if visits[v].depth == e.depth || e.room(visits[v].node) < 1 {
			continue
		}
		if e.moves.kick(visits[v], e.rowsAt(v)) {
			return true
		}
	}
	return false
}

// result returns the best tree in the data's units.
func (e *engine[S]) result() *tree.Tree {
	if math.IsInf(e.bestLoss, 1) {
		return leafOf(e.ds)
	}
	t := tree.NewLeaf(e.ds, 0)
	e.emit(t, 0, 0, slices.Clone(e.everything))
	t.Annotate(e.ds)
	return t
}

// emit copies node i of best to node at of t.
func (e *engine[S]) emit(t *tree.Tree, at int, i int32, rows []int32) {
	n := &e.best.nodes[i]
	if n.leaf() {
		t.Nodes[at].Class = int(n.class)
		return
	}
	q := e.splitting.route(&n.split, rows)
	split, exchanged := e.moves.emit(&n.split, rows[:q], rows[q:])
	if split == nil {
		class, _, _ := e.majority(rows)
		t.Nodes[at].Class = int(class)
		return
	}
	l, r, left, right := n.left, n.right, rows[:q], rows[q:]
	if exchanged {
		l, r, left, right = r, l, right, left
	}
	a, b := t.Grow(at, split, 0, 0)
	e.emit(t, a, l, left)
	e.emit(t, b, r, right)
}

// leafOf returns the single leaf of the heaviest class.
func leafOf(ds *dataset.Dataset) *tree.Tree {
	t := tree.NewLeaf(ds, 0)
	t.Relabel(ds)
	return t
}
