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
