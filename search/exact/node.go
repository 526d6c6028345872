package exact

import "unsafe"

// header is what the search asks of any set of rows.
type header struct {
	n           int
	rows        []uint32 // (n)
	weight      float64
	leafWeight  float64   // as leaves count it: see problem.leaf
	class       []float64 // (K) weights, with costs of three classes or more what answers save of weight
	unavoidable float64   // errors of every tree: see problem.unavoidable
	hash        [2]uint64 // sums of problem.hash
}

// leaf returns the errors of a single leaf.
func (h *header) leaf() float64 { return h.weight - maxOf(h.class) }

// ordered is a set of rows in the order of each feature. Rows of the feature's
// mode, the most frequent value of all the data, stand as one place, the mode's;
// so what a search costs is the rows with other values. A cut is a number of
// places, with different values on its sides: cut pos parts the first pos places
// from the others.
type ordered interface {
	// places returns how many there are for feature f, and which is the mode's,
	// -1 for none.
	places(f int) (count, mode int32)
	// nextCut returns the first cut of feature f at pos or later, or the number
	// of places.
	nextCut(f int, pos int32) int32
	// previousCut returns the last cut at pos or earlier, or 0.
	previousCut(f int, pos int32) int32
	// row returns the row at a place that is not the mode's.
	row(f int, pos int32) int32
	// zerosOf returns the weight of the rows at which a binary feature is zero.
	zerosOf(f int) float64
	head() *header
}

// layout says where each feature's places are.
type layout struct {
	start []int32 // (p) of the problem: room for all rows without the mode, and the mode
	count []int32 // (p)
	mode  []int32 // (p) index of the mode's place, or -1

	// zeros is (p) the weight of the rows at zero where all features are binary: their
	// places are the zeros and the ones. Else it is nil.
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

// node is a set of rows at which the search may branch, with at least three
// levels below or the root: for each feature the places in order, as
// rank<<32 | row, row being noRow at the mode's.
type node struct {
	header
	layout
	entries []uint64

	bits    bitMatrix // of the binary features
	version int       // how often the node was filled
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

// entry is a place in the order of one feature, as depth-two nodes hold it. That
// of the mode has no row.
type entry struct {
	off uint32 // row * laneBytes: where its lanes are; plus 1 where the next place's value differs
	v   uint32 // of the lanes: see narrowEntry and wideEntry
}

func (e entry) row() int32 { return int32(e.off / laneBytes) }
func (e entry) last() bool { return e.off&1 != 0 }

// narrowEntry is what nodes of narrow lanes have: of two classes t is the weight of
// class 1 less that of class 0, up to here, and u the weight up to here; of more, the
// row's weight and its class.
func narrowEntry(off uint32, t, u uint16) entry { return entry{off, uint32(t) | uint32(u)<<16} }

// balance and weight are t and u of a narrow entry of two classes.
func (e entry) balance() float64 { return float64(int16(e.v)) }
func (e entry) weight() float64  { return float64(e.v >> 16) }

// wideEntry is what nodes of wide lanes have: t as above, or the class; or where the
// row's costs are, in bytes.
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
	floor []float64 // (K) weights as the lanes have them: of class, where they are not rounded
	blur  float64   // what the lanes lack of its weight

	// Where pairs of binary features are counted: its rows, and as bits of the matrix of
	// the node they come from where the cut is of a feature that is not binary.
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

// constant says whether feature f is known to have one value only.
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

// add takes a row over.
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

// enough says whether a set of rows is a leaf.
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

// guard is what lies between the memory of a worker and any other, in bytes: a cache line,
// and the one beside it, which processors fetch with it.
const guard = 128

// apart returns n zeros with a guard on both sides. The allocator packs what is small, so
// that without one a worker's writes would take the lines away that another reads.
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
