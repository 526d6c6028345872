package alternating

import "math"

// edge is a way to leave the vertex.
type edge struct {
	slope  float64
	kind   edgeKind
	which  int32   // position in u, or in tight
	upward float64 // +1 or -1: of u_q, or of the activity of the row
}

type edgeKind uint8

const (
	noEdge edgeKind = iota
	entering
	leavingRow
	leavingNorm
)

// size of the kernel.
func (h *hinges) size() int {
	if h.norm {
		return len(h.tight) + 1
	}
	return len(h.tight)
}

// factor factors the kernel, rows by basic positions.
func (h *hinges) factor() bool {
	k := h.size()
	if k != len(h.basic) {
		return false // a defect of rounding: the vertex is none
	}
	m := h.kernel.matrix(k)
	for r, i := range h.tight {
		for c, q := range h.basic {
			m[r*k+c] = h.entry(i, q)
		}
	}
	if h.norm {
		for c, q := range h.basic {
			m[(k-1)*k+c] = h.way[q]
		}
	}
	return h.kernel.factor()
}

// steepest is the edge along which the function falls most, none where it falls by less
// than the tolerance along all.
func (h *hinges) steepest() edge {
	k := h.size()
	h.dual = grow(h.dual, k)
	for c, q := range h.basic {
		h.dual[c] = h.grad[q] + h.price*h.way[q]
	}
	h.kernel.solveTransposed(h.dual)
	best := edge{slope: -h.tolerance}
	try := func(slope float64, kind edgeKind, which int32, upward float64) {
		if slope < best.slope {
			best = edge{slope, kind, which, upward}
		}
	}
	perNorm := h.price
	if h.norm {
		y := h.dual[k-1]
		perNorm -= y
		try(-y, leavingNorm, 0, 0)
	}
	for r, i := range h.tight {
		y := h.dual[r]
		try(y, leavingRow, int32(r), 1)
		try(h.weight[i]-y, leavingRow, int32(r), -1)
	}
	h.heldEdges(try, perNorm)
	return best
}

// heldEdges looks at the positions that are held at 0.
func (h *hinges) heldEdges(try func(float64, edgeKind, int32, float64), perNorm float64) {
	held := h.dir
	for q := range held {
		held[q] = h.grad[q]
	}
	for r, i := range h.tight {
		y := h.dual[r] * h.sign[i]
		if y == 0 {
			continue
		}
		at := int(i)
		for j := range h.p {
			held[j] -= y * h.x[at]
			at += h.n
		}
		held[h.p] += y
	}
	for _, q := range h.basic {
		held[q] = 0
	}
	for j := range h.p {
		if z := held[j]; z != 0 && !h.banned[j] {
			try(perNorm-math.Abs(z), entering, int32(j), -math.Copysign(1, z))
		}
	}
	if z := held[h.p]; z != 0 {
		try(-math.Abs(z), entering, int32(h.p), -math.Copysign(1, z))
	}
}

// direct fills in the direction of an edge, and the rates of the activities.
func (h *hinges) direct(e edge) {
	k := h.size()
	rhs := grow(h.kernel.rhs, k)
	h.kernel.rhs = rhs
	clear(rhs)
	switch e.kind {
	case entering:
		for r, i := range h.tight {
			rhs[r] = -e.upward * h.entry(i, e.which)
		}
		if h.norm && int(e.which) < h.p {
			rhs[k-1] = -1
		}
	case leavingRow:
		rhs[e.which] = e.upward
	case leavingNorm:
		rhs[k-1] = -1
	}
	h.kernel.solve(rhs)
	clear(h.dir)
	for c, q := range h.basic {
		h.dir[q] = rhs[c]
	}
	if e.kind == entering {
		h.dir[e.which] = e.upward
	}
	for i := range h.rate {
		h.rate[i] = -h.dir[h.p]
	}
	for j, d := range h.dir[:h.p] {
		addTo(h.rate, h.column(int32(j)), d)
	}
	for i, s := range h.sign {
		h.rate[i] *= s
	}
}

// block is what ends a step before the function rises: a weight that becomes 0, or the
// norm.
type block struct {
	t    float64
	at   int // position in basic; -1 for the norm
	none bool
}

func (h *hinges) firstBlock(e edge) block {
	b := block{t: math.Inf(1), none: true}
	normRate := 0.0
	if e.kind == entering && int(e.which) < h.p {
		normRate = 1
	}
	size := 0.0
	for c, q := range h.basic {
		if int(q) == h.p {
			continue
		}
		v, d := h.u[q], h.dir[q]
		normRate += h.way[q] * d
		size += math.Abs(v)
		if h.way[q]*d < -leastRate {
			if t := max(0, -v/d); t < b.t {
				b = block{t: t, at: c}
			}
		}
	}
	if !h.norm && normRate > leastRate && !math.IsInf(h.reach, 1) {
		if t := max(0, h.reach-size) / normRate; t < b.t {
			b = block{t: t, at: -1}
		}
	}
	return b
}

// move goes along the edge to the next vertex; false where there is none.
func (h *hinges) move(e edge) bool {
	stop := h.firstBlock(e)
	row, t := h.search(e.slope, stop.t)
	if row < 0 {
		if stop.none {
			return false // rounding: the function cannot fall for ever
		}
		t = stop.t
	}
	for q, d := range h.dir {
		h.u[q] += t * d
	}
	addTo(h.act, h.rate, t)
	switch e.kind {
	case leavingRow:
		h.release(e)
	case leavingNorm:
		h.norm = false
	}
	if e.kind == entering {
		h.basic = append(h.basic, e.which)
		if h.way[e.which] = e.upward; int(e.which) == h.p {
			h.way[e.which] = 0
		}
	}
	switch {
	case row >= 0:
		if h.state[row] == violated {
			h.addGradient(row, -1)
		}
		h.state[row] = onHinge
		h.act[row] = h.margin[row]
		h.tight = append(h.tight, row)
	case stop.at < 0:
		h.norm = true
	default:
		h.u[h.basic[stop.at]] = 0
		h.basic = append(h.basic[:stop.at], h.basic[stop.at+1:]...)
	}
	return true
}

// release lets a tight row go.
func (h *hinges) release(e edge) {
	i := h.tight[e.which]
	h.tight = append(h.tight[:e.which], h.tight[e.which+1:]...)
	if e.upward > 0 {
		h.state[i] = satisfied
		return
	}
	h.state[i] = violated
	h.addGradient(i, 1)
}

// search passes the hinges along the direction, which flips their rows, until the
// function rises, and returns the row there; -1 where that is after the limit.
func (h *hinges) search(slope, limit float64) (row int32, t float64) {
	h.kinks = h.kinks[:0]
	for i, r := range h.rate {
		if w := h.weight[i]; w > 0 && math.Abs(r) > leastRate {
			gap := h.margin[i] - h.act[i]
			switch h.state[i] {
			case violated:
				if r > 0 {
					h.kinks = append(h.kinks, kink{max(0, gap/r), w * r, int32(i)})
				}
			case satisfied:
				if r < 0 {
					h.kinks = append(h.kinks, kink{max(0, gap/r), -w * r, int32(i)})
				}
			}
		}
	}
	heap := h.kinks
	for i := len(heap)/2 - 1; i >= 0; i-- {
		sink(heap, i)
	}
	for len(heap) > 0 {
		k := heap[0]
		if k.t > limit {
			break
		}
		if slope += k.rise; slope >= -h.tolerance {
			return k.row, k.t
		}
		if h.state[k.row] == violated {
			h.addGradient(k.row, -1)
			h.state[k.row] = satisfied
		} else {
			h.addGradient(k.row, 1)
			h.state[k.row] = violated
		}
		heap[0] = heap[len(heap)-1]
		heap = heap[:len(heap)-1]
		sink(heap, 0)
	}
	return -1, 0
}

// sink restores the heap of kinks, the first on top, below position i.
func sink(heap []kink, i int) {
	for {
		c := 2*i + 1
		if c >= len(heap) {
			return
		}
		if c+1 < len(heap) && before(&heap[c+1], &heap[c]) {
			c++
		}
		if !before(&heap[c], &heap[i]) {
			return
		}
		heap[i], heap[c] = heap[c], heap[i]
		i = c
	}
}

func before(a, b *kink) bool { return a.t < b.t || a.t == b.t && a.row < b.row }

// step leaves the vertex along the steepest edge; false where none falls.
func (h *hinges) step() bool {
	if !h.factor() {
		return false
	}
	e := h.steepest()
	if e.kind == noEdge {
		return false
	}
	h.direct(e)
	return h.move(e)
}

// minimize goes to an optimum from the present vertex, for the present weights; it
// stops early where the context ends or rounding makes it go on for too long.
func (h *hinges) minimize() {
	h.gradient()
	total := 0.0
	for _, w := range h.weight {
		total += w
	}
	h.tolerance = reduced * (total + h.price)
	for range 200 + 20*h.p + h.n {
		if h.Spend(h.n + h.n*len(h.basic)) {
			return
		}
		if !h.step() {
			break
		}
		h.steps++
		if h.steps%64 == 0 {
			h.refresh()
		}
	}
	h.refresh()
}
