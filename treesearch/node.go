package treesearch

// header is what the search asks of any set of rows.
type header struct {
	n           int
	weight      float64
	class       []float64 // (K) weights
	unavoidable float64   // errors of every tree: see problem.unavoidable
	hash        [2]uint64 // sums of problem.hash
}

// leaf returns the errors of a single leaf.
func (h *header) leaf() float64 { return h.weight - maxOf(h.class) }

// ordered is a set of rows in the order of each feature, with cuts between
// rows of different values: cut pos parts the first pos rows from the others.
type ordered interface {
	// nextCut returns the first cut of feature f at pos or later, or the
	// number of rows.
	nextCut(f int, pos int32) int32
	// previousCut returns the last cut at pos or earlier, or 0.
	previousCut(f int, pos int32) int32
	// row returns the row at a position.
	row(f int, pos int32) int32
}

// node is a set of rows at which the search may branch, with at least three
// levels below or the root: for each feature the rows in order, as
// rank<<32 | row.
type node struct {
	header
	rows   []uint64 // feature f: rows[f*stride : f*stride+n]
	stride int
}

func newNode(p *problem) *node {
	return &node{rows: make([]uint64, p.p*p.n), header: header{class: make([]float64, p.k)}}
}

func (nd *node) order(f int) []uint64 {
	return nd.rows[f*nd.stride : f*nd.stride+nd.n : f*nd.stride+nd.n]
}

func (nd *node) row(f int, pos int32) int32 { return rowOf(nd.rows[f*nd.stride+int(pos)]) }

func (nd *node) nextCut(f int, pos int32) int32 {
	rows := nd.order(f)
	for pos = max(pos, 1); int(pos) < len(rows) && rows[pos-1]>>32 == rows[pos]>>32; pos++ {
	}
	return min(pos, int32(len(rows)))
}

func (nd *node) previousCut(f int, pos int32) int32 {
	rows := nd.order(f)
	for pos = min(pos, int32(len(rows))-1); pos > 0 && rows[pos-1]>>32 == rows[pos]>>32; pos-- {
	}
	return max(pos, 0)
}

func rowOf(e uint64) int32 { return int32(uint32(e)) }

// root returns the node of all rows.
func (p *problem) root() *node {
	nd := newNode(p)
	nd.n, nd.stride = p.n, p.n
	for f := range p.p {
		ranks, rows := p.pre.Ranks(f), nd.order(f)
		for i, r := range p.pre.Order(f) {
			rows[i] = uint64(ranks[r])<<32 | uint64(r)
		}
	}
	for i := range p.n {
		nd.class[p.class[i]] += p.weight[i]
		nd.unavoidable += p.unavoidable[i]
		nd.hash[0] += p.hash[i][0]
		nd.hash[1] += p.hash[i][1]
	}
	for _, w := range nd.class {
		nd.weight += w
	}
	return nd
}

// pairNode is a set of rows with one or two levels below.
type pairNode struct {
	header
	seq       []entry // feature f: seq[f*stride : f*stride+n]
	stride    int
	packed    bool    // light enough for the lanes
	low, high []int32 // (p) the rows of the most frequent value; low == high == n where that is no gain
}

func newPairNode(p *problem) *pairNode {
	return &pairNode{
		seq: make([]entry, p.p*p.n), header: header{class: make([]float64, p.k)},
		low: make([]int32, p.p), high: make([]int32, p.p),
	}
}

func (nd *pairNode) order(f int) []entry {
	return nd.seq[f*nd.stride : f*nd.stride+nd.n : f*nd.stride+nd.n]
}

func (nd *pairNode) row(f int, pos int32) int32 { return nd.seq[f*nd.stride+int(pos)].row() }

// constant says whether feature f has one value only.
func (nd *pairNode) constant(f int) bool {
	return nd.low[f] == 0 && int(nd.high[f]) == nd.n
}

func (nd *pairNode) nextCut(f int, pos int32) int32 {
	seq, low, high := nd.order(f), nd.low[f], nd.high[f]
	for pos = max(pos, 1); int(pos) < len(seq) && !seq[pos-1].last(); pos++ {
		if low < pos && pos < high {
			pos = high - 1
		}
	}
	return min(pos, int32(len(seq)))
}

func (nd *pairNode) previousCut(f int, pos int32) int32 {
	seq, low, high := nd.order(f), nd.low[f], nd.high[f]
	for pos = min(pos, int32(len(seq))-1); pos > 0 && !seq[pos-1].last(); pos-- {
		if low < pos && pos < high {
			pos = low + 1
		}
	}
	return max(pos, 0)
}
