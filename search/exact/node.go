package exact

import "unsafe"

// header holds the sums over a set of rows that the search needs.
type header struct {
	n           int
	rows        []uint32 // (n)
	weight      float64
	leafWeight  float64   // as leaves count it: see problem.leaf
	class       []float64 // (K) weights; with costs of three or more classes, the weight saved by each prediction
	unavoidable float64   // errors made by every tree: see problem.unavoidable
	hash        [2]uint64 // sums of problem.hash
}

// leaf returns the errors of a single leaf.
func (h *header) leaf() float64 { return h.weight - maxOf(h.class) }

// ordered is a set of rows in the order of each feature. Rows with the feature's mode, the most
// frequent value in all the data, form one place; so a search costs as much as the rows with other
// values. A cut is a number of places, with different values on its two sides: cut pos separates
// the first pos places from the others.
type ordered interface {
	// places returns the number of places of feature f and the index of the mode's place, -1 if it
	// has none.
	places(f int) (count, mode int32)
	// nextCut returns the first cut of feature f at pos or later, or the number of places.
	nextCut(f int, pos int32) int32
	// previousCut returns the last cut at pos or earlier, or 0.
	previousCut(f int, pos int32) int32
	// row returns the row at a place other than the mode's.
	row(f int, pos int32) int32
	// zerosOf returns the weight of the rows at which a binary feature is zero.
	zerosOf(f int) float64
	head() *header
}

// layout locates each feature's places.
type layout struct {
	start []int32 // (p) of the problem: room for all rows without the mode, and the mode
	count []int32 // (p)
	mode  []int32 // (p) index of the mode's place, or -1

	// zeros is (p) the weight of the rows at zero if all features are binary: their places are then
	// the zeros and the ones. Otherwise it is nil.
	zeros []float64
}

func (l *layout) zerosOf(f int) float64 { return l.zeros[f] }

func newLayout(p *problem) layout {
	return layout{start: p.start, count: apart[int32](p.p), mode: apart[int32](p.p)}
}

func (l *layout) places(f int) (count, mode int32) {
	if l.zeros != nil {
		return l.count[f], -1
	}
	return l.count[f], l.mode[f]
}

// node is a set of rows at which the search may branch: the root, or a node with at least three
// levels below. For each feature it holds the places in order, as rank<<32 | row; row is noRow at
// the mode's place.
type node struct {
	header
	layout
	entries []uint64

	bits    bitMatrix // of the binary features
	version int       // how often the node has been filled
}

const noRow = 1<<32 - 1

func newNode(p *problem) *node {
	nd := newApart[node]()
	nd.header = header{rows: make([]uint32, p.n), class: apart[float64](p.k)}
	if !p.pure {
		nd.layout, nd.entries = newLayout(p), make([]uint64, p.room)
	} else {
		nd.layout = layout{count: apart[int32](p.p), zeros: apart[float64](p.p)}
	}
	return nd
}

func (nd *node) head() *header { return &nd.header }

func (nd *node) order(f int) []uint64 {
	from := nd.start[f]
	return nd.entries[from : from+nd.count[f]]
}

func (nd *node) row(f int, pos int32) int32 { return rowOf(nd.entries[nd.start[f]+pos]) }

func (nd *node) nextCut(f int, pos int32) int32 {
	if nd.zeros != nil {
		return min(max(pos, 1), nd.count[f])
	}
	at := nd.order(f)
	for pos = max(pos, 1); int(pos) < len(at) && at[pos-1]>>32 == at[pos]>>32; pos++ {
	}
	return min(pos, int32(len(at)))
}

func (nd *node) previousCut(f int, pos int32) int32 {
	if nd.zeros != nil {
		return max(min(pos, nd.count[f]-1), 0)
	}
	at := nd.order(f)
	for pos = min(pos, int32(len(at))-1); pos > 0 && at[pos-1]>>32 == at[pos]>>32; pos-- {
	}
	return max(pos, 0)
}

// ranksBeside returns the ranks of the values on both sides of a cut.
func (nd *node) ranksBeside(f int, pos int32) (low, high int) {
	if nd.zeros != nil {
		return 0, 1
	}
	at := nd.order(f)
	return int(at[pos-1] >> 32), int(at[pos] >> 32)
}

func rowOf(e uint64) int32 { return int32(uint32(e)) }

// root returns the node of all rows.
func (p *problem) root() *node {
	nd := newNode(p)
	nd.n = p.n
	p.rootHeader(nd)
	if p.bits != nil {
		(&bitBuilder{p: p}).fill(nd)
	}
	if p.pure {
		return nd
	}
	for f := range p.p {
		ranks, mode := p.ranks(f), p.mode[f]
		nd.mode[f] = -1
		for _, r := range p.order(f) {
			e := uint64(ranks[r])<<32 | uint64(r)
			if ranks[r] == mode {
				if nd.mode[f] >= 0 {
					continue
				}
				e |= noRow
				nd.mode[f] = nd.count[f]
			}
			nd.entries[nd.start[f]+nd.count[f]] = e
			nd.count[f]++
		}
	}
	return nd
}

func (p *problem) rootHeader(nd *node) {
	for i := range p.n {
		nd.rows[i] = uint32(i)
		nd.add(p, uint32(i))
		nd.unavoidable += p.unavoidable[i]
		nd.hash[0] += p.hash[i][0]
		nd.hash[1] += p.hash[i][1]
	}
	if p.gain == nil {
		nd.weight = sum(nd.class)
	}
}

// entry is a place in the order of one feature, as nodes of depth two store it. The mode's place
// has no row.
type entry struct {
	off uint32 // row * laneBytes: the position of its lanes; plus 1 if the next place's value differs
	v   uint32 // for the lanes: see narrowEntry and wideEntry
}

func (e entry) row() int32 { return int32(e.off / laneBytes) }
func (e entry) last() bool { return e.off&1 != 0 }

// narrowEntry returns an entry of nodes with narrow lanes. For two classes, t is the weight of
// class 1 minus that of class 0 up to here, and u the weight up to here; for more classes, they are
// the row's weight and its class.
func narrowEntry(off uint32, t, u uint16) entry { return entry{off, uint32(t) | uint32(u)<<16} }

// balance and weight are t and u of a narrow entry of two classes.
func (e entry) balance() float64 { return float64(int16(e.v)) }
func (e entry) weight() float64  { return float64(e.v >> 16) }

// wideEntry returns an entry of nodes with wide lanes: t as above, or the class, or the position of
// the row's costs in bytes.
func wideEntry(off, t uint32) entry { return entry{off, t} }

// part is the rows of a node on one side of a cut, or all of them.
type part struct {
	node    *node
	feature int32 // -1: all rows
	pos     int32
	right   bool
}

// pairNode is a set of rows with one or two levels below.
type pairNode struct {
	header
	layout
	seq   []entry
	lanes laneKind
	floor []float64 // (K) weights as the lanes have them; equal to class unless rounded
	blur  float64   // weight lost in the lanes by rounding

	// Used if pairs of binary features are counted: the part of the node that these rows form and,
	// if the cut is of a non-binary feature, the rows as bits of the parent's matrix.
	part part
	keep []uint64
}

func newPairNode(p *problem) *pairNode {
	nd := newApart[pairNode]()
	nd.class = apart[float64](p.k)
	if p.pure {
		return nd
	}
	nd.rows, nd.layout, nd.seq = make([]uint32, p.n), newLayout(p), make([]entry, p.room)
	nd.floor = nd.class
	if p.rounded() {
		nd.floor = apart[float64](p.k)
	}
	return nd
}

func (nd *pairNode) head() *header { return &nd.header }

func (nd *pairNode) order(f int) []entry {
	from := nd.start[f]
	return nd.seq[from : from+nd.count[f]]
}

func (nd *pairNode) row(f int, pos int32) int32 { return nd.seq[nd.start[f]+pos].row() }

// constant reports whether feature f is known to have a single value.
func (nd *pairNode) constant(f int) bool { return nd.count[f] <= 1 }

func (nd *pairNode) nextCut(f int, pos int32) int32 {
	seq := nd.order(f)
	for pos = max(pos, 1); int(pos) < len(seq) && !seq[pos-1].last(); pos++ {
	}
	return min(pos, int32(len(seq)))
}

func (nd *pairNode) previousCut(f int, pos int32) int32 {
	seq := nd.order(f)
	for pos = min(pos, int32(len(seq))-1); pos > 0 && !seq[pos-1].last(); pos-- {
	}
	return max(pos, 0)
}

// add adds a row.
func (h *header) add(p *problem, r uint32) {
	if p.gain == nil {
		h.class[p.class[r]] += p.weight[r]
	} else {
		for c, v := range p.gain[int(r)*p.k : int(r+1)*p.k] {
			h.class[c] += v
		}
		h.weight += p.weight[r]
	}
	if p.leaf != nil {
		h.leafWeight += p.leaf[r]
	}
}

// enough reports whether a set of rows is heavy enough for a leaf.
func (p *problem) enough(h *header) bool {
	if p.leaf == nil {
		return h.weight >= p.minLeaf
	}
	return h.leafWeight >= p.minLeaf
}

// split returns the places before the mode's, and the first one after it.
func split(seq []entry, mode int32) (low, high int) {
	if mode < 0 {
		return len(seq), len(seq)
	}
	return int(mode), int(mode) + 1
}

// guard is the distance in bytes between the memory of a worker and any other: a cache line and the
// adjacent one, which processors fetch with it.
const guard = 128

// apart returns n zeros with a guard on both sides. The allocator packs small objects; without a
// guard, a worker's writes would invalidate cache lines that another worker reads.
func apart[T any](n int) []T {
	var zero T
	pad := guard/int(unsafe.Sizeof(zero)) + 1
	return make([]T, n+2*pad)[pad : pad+n : pad+n]
}

// newApart is new with a guard on both sides.
func newApart[T any]() *T {
	return &new(struct {
		_ [guard]byte
		v T
		_ [guard]byte
	}).v
}
