package alternating

import "math"

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
