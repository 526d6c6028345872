package exact

import (
	"math"
	"unsafe"
)

// Lanes. The cost of the search is that of its depth-two nodes: for a cut of
// such a node, the best stump on each side, over all features. One sweep over a
// feature's order does that for 32 cuts at a time, or 16: a row carries so many
// numbers, lane l of which is the row's weight where cut l sends it left and 0
// where it does not, and adding rows up adds up as many left sides at once. What
// goes right is what the whole node has less that.
//
// With two classes a lane holds the balance, class 1 positive and class 0
// negative. Where the left part holds C0 and C1, a stump with prefix balance a
// errs by C0 + a (labels 0, 1) or C1 - a (labels 1, 0), so the least and the
// largest a over all boundaries of all features are all that is needed. With
// more classes there is a count per class; a prefix answers its largest count
// rightly, which only grows along the sweep, and so does that of the suffix
// along the opposite one; the best stump is the best sum of the two.
//
// Rows of the feature's mode need not be visited: the sweeps go up to its place
// from both sides.
//
// Lanes are narrow, 32 numbers of 16 bits, or wide, 16 of 32 bits. Nodes whose weights
// are whole and add up to less than 2^15 have narrow ones, all others wide ones. The
// unit of wide lanes is that of the weights where these are whole and add up to less
// than 2^31; otherwise it is the grain g, a power of two, of which all weights together
// are less than 2^30, and a row carries its weight rounded down to a multiple of g.
// What the lanes say is a bound then (see the package comment).
const (
	laneBytes = 64 // of a row
	laneCount = 32 // at most
	slotLanes = 4  // lanes that one feature's cuts take at a time
	slots     = laneCount / slotLanes
)

// laneKind is how the weights of a node are added up.
type laneKind uint8

const (
	noLanes     laneKind = iota // scalar.go does it all
	narrowLanes                 // 32 of int16
	wideLanes                   // 16 of int32
)

// slots is how many features' cuts a batch of nodes of this kind takes.
func (kind laneKind) slots() int {
	if kind == wideLanes {
		return slots / 2
	}
	return slots
}

// laneRow is one number per lane.
type laneRow [laneBytes / 8]uint64

func (r *laneRow) set(kind laneKind, l int, v float64) {
	if kind == wideLanes {
		(*[laneCount / 2]int32)(unsafe.Pointer(r))[l] = int32(v)
		return
	}
	(*[laneCount]int16)(unsafe.Pointer(r))[l] = int16(v)
}

func (r *laneRow) at(kind laneKind, l int) float64 {
	if kind == wideLanes {
		return float64((*[laneCount / 2]int32)(unsafe.Pointer(r))[l])
	}
	return float64((*[laneCount]int16)(unsafe.Pointer(r))[l])
}

// laneAccumulator is what forward2 and backward2 work on, per lane: the balance
// of the whole left part, and the extremes of the balances at boundaries on
// both sides. lanes_amd64.s knows this layout.
type laneAccumulator struct {
	total, leftMin, leftMax, rightMin, rightMax laneRow
}

// aligned returns n zero words that begin at a cache line.
func aligned(n int) []uint64 {
	v := make([]uint64, n+8)
	skip := -int(uintptr(unsafe.Pointer(&v[0]))/8) & 7
	return v[skip : skip+n : skip+n]
}

// layLanes fills p.spread and p.wide: the weight of a row, negative in class 0 of two.
func (p *problem) layLanes() {
	if 4*len(p.gain) > mostCostBytes {
		return
	}
	signed := func(i int, v float64) float64 {
		if p.k == 2 && p.class[i] == 0 {
			return -v
		}
		return v
	}
	if p.integral && p.gain == nil && maxOf(p.weight) <= math.MaxInt16 {
		p.spread = make([]uint64, p.n)
		for i, w := range p.weight {
			p.spread[i] = uint64(uint16(int16(signed(i, w)))) * 0x0001_0001_0001_0001
		}
	}
	if p.integral && p.gain == nil && p.total <= math.MaxInt16 {
		return
	}
	p.grain = 1
	if !p.integral || p.total > math.MaxInt32 {
		_, exponent := math.Frexp(p.total)
		p.grain = math.Ldexp(1, exponent-30)
	}
	p.wide, p.floors = make([]int32, p.n), make([]float64, p.n)
	for i, w := range p.weight {
		q := math.Floor(w / p.grain)
		p.wide[i], p.floors[i] = int32(signed(i, q)), q*p.grain
	}
	if p.gain != nil {
		p.layCosts()
	}
}

// rounded says that wide lanes have less than the weights.
func (p *problem) rounded() bool { return p.wide != nil && (!p.integral || p.grain != 1) }

// bounds says that lanes of nd have less than the weights: what they say is a bound.
func (p *problem) bounds(nd *pairNode) bool { return nd.lanes == wideLanes && p.rounded() }

// chooseLanes says how the weights of nd, whose rows and classes are known, are added
// up.
func (p *problem) chooseLanes(nd *pairNode) {
	nd.lanes = noLanes
	switch {
	case p.spread != nil && nd.weight <= math.MaxInt16:
		nd.lanes = narrowLanes
	case p.wide != nil:
		nd.lanes = wideLanes
	}
	nd.blur = 0
	switch {
	case !p.rounded():
		return
	case nd.lanes == narrowLanes:
		copy(nd.floor, nd.class)
		return
	}
	clear(nd.floor)
	floor := 0.0
	for _, r := range nd.rows[:nd.n] {
		nd.floor[p.class[r]] += p.floors[r]
		floor += p.floors[r]
	}
	nd.blur = nd.weight - floor
}

// Lanes of costs. Where answers have costs, a wide lane says with the row's weight, or 0,
// whether its cut sends the row left; what the row costs each class is added to a sum per
// class and lane. At a boundary the two leaves of a stump cost the least of the sums before
// it, and the least of those after it: sums of the part less those before. The same of the
// right part, whose sums are those of all rows less the left part's.

// mostCostBytes is what an entry can address of costs.
const mostCostBytes = math.MaxUint32

// costLanes is what the routines of costs work on. costlanes_amd64.s knows this layout.
type costLanes struct {
	lanes *uint64
	costs *int32 // (n, K)
	k     int
	sums  *laneRow    // (K) of the rows passed, per lane
	left  *laneRow    // (K) of the left part
	right *laneRow    // (K) of the right part
	whole *laneRow    // (K) of the rows passed, whatever their side: the first half, 8 times the same
	best  *[2]laneRow // the least cost of a stump, left and right
}

// layCosts fills p.wideCost: costs rounded down to multiples of the grain.
func (p *problem) layCosts() {
	p.wideCost = make([]int32, len(p.cost))
	for i, c := range p.cost {
		p.wideCost[i] = int32(math.Floor(c / p.grain))
	}
}
