package exact

import (
	"math"
	"unsafe"
)

// Lanes. Nodes of depth two dominate the cost of the search: for a cut of such a node, it needs the
// best stump on each side over all features. One sweep over a feature's order does that for 32 or
// 16 cuts at a time. A row carries one number per lane: lane l holds the row's weight if cut l
// sends the row left, and 0 otherwise. Adding rows adds up all left sides at once. The right side
// is the whole node minus the left side.
//
// With two classes, a lane holds the balance, class 1 positive and class 0 negative. If the left
// side holds C0 and C1, a stump with prefix balance a misclassifies C0 + a (labels 0, 1) or C1 - a
// (labels 1, 0), so the minimum and the maximum of a over all boundaries of all features suffice.
// With more classes, there is one count per class. A prefix classifies its largest count correctly,
// which only grows along the sweep; so does that of the suffix along the opposite sweep. The best
// stump has the largest sum of the two.
//
// Rows of the feature's mode need not be visited: the sweeps approach its place from both sides.
//
// Lanes are narrow (32 numbers of 16 bits) or wide (16 numbers of 32 bits). Nodes whose weights are
// whole and add up to less than 2^15 use narrow lanes, all others wide lanes. The unit of wide
// lanes is the unit of the weights if these are whole and add up to less than 2^31. Otherwise it is
// the grain g, a power of two chosen so that all weights together are less than 2^30 g, and a row
// carries its weight rounded down to a multiple of g. The values from the lanes are then bounds
// (see the package comment).
const (
	laneBytes = 64 // of a row
	laneCount = 32 // maximum
	slotLanes = 4  // lanes for one feature's cuts at a time
	slots     = laneCount / slotLanes
)

// laneKind is the kind of lanes that sum the weights of a node.
type laneKind uint8

const (
	noLanes     laneKind = iota // scalar.go does all the work
	narrowLanes                 // 32 of int16
	wideLanes                   // 16 of int32
)

// slots returns how many features' cuts a batch of nodes of this kind takes.
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

// laneAccumulator is the state of forward2 and backward2, per lane: the balance of the whole left
// side, and the extremes of the balances at boundaries on both sides. lanes_amd64.s depends on this
// layout.
type laneAccumulator struct {
	total, leftMin, leftMax, rightMin, rightMax laneRow
}

// aligned returns n zero words, aligned to a cache line.
func aligned(n int) []uint64 {
	v := make([]uint64, n+8)
	skip := -int(uintptr(unsafe.Pointer(&v[0]))/8) & 7
	return v[skip : skip+n : skip+n]
}

// layLanes fills p.spread and p.wide: the weight of a row, negative for class 0 of two.
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

// rounded reports whether wide lanes hold rounded weights.
func (p *problem) rounded() bool { return p.wide != nil && (!p.integral || p.grain != 1) }

// bounds reports whether the lanes of nd hold rounded weights, so that their values are bounds.
func (p *problem) bounds(nd *pairNode) bool { return nd.lanes == wideLanes && p.rounded() }

// chooseLanes chooses the lanes of nd, whose rows and classes are known.
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

// Lanes of costs. If predictions have costs, a wide lane holds the row's weight if its cut sends
// the row left, and 0 otherwise. The cost of the row for each class is added to one sum per class
// and lane. At a boundary, the two leaves of a stump cost the minimum of the sums before it and the
// minimum of the sums after it; the latter are the sums of the side minus those before. The right
// side works likewise; its sums are those of all rows minus those of the left side.

// mostCostBytes is the size of the costs that an entry can address.
const mostCostBytes = math.MaxUint32

// costLanes is the state of the cost routines. costlanes_amd64.s depends on this layout.
type costLanes struct {
	lanes *uint64
	costs *int32 // (n, K)
	k     int
	sums  *laneRow    // (K) of the rows so far, per lane
	left  *laneRow    // (K) of the left side
	right *laneRow    // (K) of the right side
	whole *laneRow    // (K) of the rows so far on either side: the first half, 8 times the same
	best  *[2]laneRow // the minimum cost of a stump, left and right
}

// layCosts fills p.wideCost: costs rounded down to multiples of the grain.
func (p *problem) layCosts() {
	p.wideCost = make([]int32, len(p.cost))
	for i, c := range p.cost {
		p.wideCost[i] = int32(math.Floor(c / p.grain))
	}
}
