package hinge

import (
	"math"
	"slices"
)

// edge is an edge of the current vertex: a position of U held at 0 enters, or a tight row leaves.
type edge struct {
	slope  float64
	enters bool
	which  int32   // position in U, or index in tight
	upward float64 // +1 or -1: the direction of u_q, or of the activity of the row; -1 for the norm; 0 for no edge
}

// slopes sets the slope of the objective along every position of U and every tight row, with the
// others held, and the lengths of these edges in U.
func (h *Program) slopes() {
	w := h.P + 1 + len(h.tight)
	h.slope = grow(h.slope, w)
	clear(h.slope)
	copy(h.slope, h.Grad)
	for c, q := range h.basic {
		f := h.Grad[q]
		if int(q) < h.P {
			f += h.Price[q] * h.way[q]
		}
		addTo(h.slope, h.table[c], -f)
	}
	if h.length = grow(h.length, w); !math.IsInf(h.Reach, 1) {
		return
	}
	for k := range h.length {
		h.length[k] = 0
		if k <= h.P {
			h.length[k] = 1
		}
	}
	for _, row := range h.table {
		for k, v := range row {
			h.length[k] += v * v
		}
	}
}

// multiplier returns the multiplier of a tight row, given by its index.
func (h *Program) multiplier(r int) float64 { return -h.slope[h.P+1+r] }

// steepest returns the edge along which the objective falls most, or no edge if it falls by less
// than the tolerance along all. With a reach, the slope is per unit of the entering or leaving
// variable; without one, more weights are nonzero, and the slope is per unit of U, which takes
// fewer steps.
func (h *Program) steepest() edge {
	h.slopes()
	best, least, perNorm, scaled := edge{}, 0.0, 0.0, math.IsInf(h.Reach, 1)
	try := func(slope float64, enters bool, which, column int, upward float64) {
		if slope >= -h.tolerance {
			return
		}
		per := slope
		if scaled {
			per /= math.Sqrt(h.length[column])
		}
		if per < least {
			best, least = edge{slope, enters, int32(which), upward}, per
		}
	}
	for r, i := range h.tight {
		y, column := h.multiplier(r), h.P+1+r
		if i == norm {
			perNorm = -y
			try(-y, false, r, column, -1)
			continue
		}
		try(y, false, r, column, 1)
		try(h.Weight[i]-y, false, r, column, -1)
	}
	for _, q := range h.basic {
		h.slope[q] = 0
	}
	for j, z := range h.slope[:h.P] {
		if z != 0 && !h.Banned[j] {
			try(h.Price[j]+perNorm-math.Abs(z), true, j, j, -math.Copysign(1, z))
		}
	}
	if z := h.slope[h.P]; z != 0 {
		try(-math.Abs(z), true, h.P, h.P, -math.Copysign(1, z))
	}
	return best
}

// columnOf returns the column of the table that belongs to an edge.
func (h *Program) columnOf(e edge) int {
	if e.enters {
		return int(e.which)
	}
	return h.P + 1 + int(e.which)
}

// turn changes the sign of a weight in the norm.
func (h *Program) turn(q int32, way float64) {
	if r := slices.Index(h.tight, norm); r >= 0 {
		for _, row := range h.table {
			row[q] += (way - h.way[q]) * row[h.P+1+r]
		}
	}
	h.way[q] = way
}

// direct sets the direction of an edge and the rates of the activities.
func (h *Program) direct(e edge) {
	clear(h.dir)
	by := e.upward
	if e.enters {
		if int(e.which) < h.P {
			h.turn(e.which, e.upward)
		}
		h.dir[e.which] = e.upward
		by = -e.upward
	}
	column := h.columnOf(e)
	for c, q := range h.basic {
		h.dir[q] = by * h.table[c][column]
	}
	h.times(h.rate, h.dir)
}

// block is what ends a step before the objective rises; with a reach: a weight that becomes 0, or
// the norm.
type block struct {
	t  float64 // infinite for none
	at int     // position in basic; -1 for the norm
}

func (h *Program) firstBlock(e edge) block {
	b := block{t: math.Inf(1)}
	if math.IsInf(h.Reach, 1) {
		return b
	}
	normRate, size := 0.0, 0.0
	if e.enters && int(e.which) < h.P {
		normRate = 1
	}
	for c, q := range h.basic {
		if int(q) == h.P {
			continue
		}
		v, d := h.U[q], h.dir[q]
		normRate += h.way[q] * d
		size += math.Abs(v)
		if h.way[q]*d < -leastRate {
			if t := max(0, -v/d); t < b.t {
				b = block{t, c}
			}
		}
	}
	if !slices.Contains(h.tight, norm) && normRate > leastRate {
		if t := max(0, h.Reach-size) / normRate; t < b.t {
			b = block{t, -1}
		}
	}
	return b
}

// move follows the edge to the next vertex; it returns false if the objective falls without bound.
func (h *Program) move(e edge) bool {
	stop := h.firstBlock(e)
	k, found := h.search(e.slope, stop.t)
	switch {
	case !found && math.IsInf(stop.t, 1):
		return false
	case !found:
		k = kink{t: stop.t, row: zero(stop.at)}
	}
	for q, d := range h.dir {
		h.U[q] += k.t * d
	}
	addTo(h.Act, h.rate, k.t)
	if !e.enters {
		h.release(e)
	}
	switch {
	case k.row >= 0:
		h.catch(k.row)
		h.exchange(e, k.row, -1)
	case k.row == norm:
		h.exchange(e, norm, -1)
	default:
		at := zero(int(k.row))
		q := h.basic[at]
		h.U[q] = 0
		h.exchange(e, norm, int(at))
		h.turn(q, 0)
	}
	return true
}

// zero encodes a basic position that becomes 0 as the row of a kink, and decodes it; a block by the
// norm, -1, stays norm.
func zero(at int) int32 { return int32(-2 - at) }

// release makes a tight row satisfied or violated.
func (h *Program) release(e edge) {
	i := h.tight[e.which]
	switch {
	case i == norm:
	case e.upward > 0:
		h.state[i] = satisfied
	default:
		h.state[i] = violated
		h.addGradient(i, 1)
	}
}

// catch makes a row tight.
func (h *Program) catch(row int32) {
	if h.state[row] == violated {
		h.addGradient(row, -1)
	}
	h.state[row] = onHinge
	h.Act[row] = h.at[row]
}

// exchange updates basic positions, tight rows and the table: the variable of edge e is exchanged
// for the tight row i or, with at >= 0, for basic position at, which is held from now on.
func (h *Program) exchange(e edge, i int32, at int) {
	var own []float64 // the row of the table that is solved for the variable of e
	if at < 0 {
		own = h.equation(i)
		for c, q := range h.basic {
			if v := own[q]; v != 0 {
				addTo(own, h.table[c], -v)
				own[q] = 0
			}
			h.table[c] = append(h.table[c], 0)
		}
		own = append(own, 1)
		h.tight = append(h.tight, i)
	} else {
		own = h.table[at]
		h.table, h.basic = slices.Delete(h.table, at, at+1), slices.Delete(h.basic, at, at+1)
	}
	column := h.columnOf(e)
	scale(own, 1/own[column])
	own[column] = 1
	for _, row := range h.table {
		if v := row[column]; v != 0 {
			addTo(row, own, -v)
			row[column] = 0
		}
	}
	if e.enters {
		h.table, h.basic = append(h.table, own), append(h.basic, e.which)
		return
	}
	h.spare = append(h.spare, own)
	for c, row := range h.table {
		h.table[c] = slices.Delete(row, column, column+1)
	}
	h.tight = slices.Delete(h.tight, int(e.which), int(e.which)+1)
}

// equation returns a tight row in terms of U, followed by a 0 for each tight row.
func (h *Program) equation(i int32) []float64 {
	var own []float64
	if n := len(h.spare); n > 0 {
		own, h.spare = h.spare[n-1], h.spare[:n-1]
	}
	w := h.P + 1 + len(h.tight)
	if cap(own) <= w {
		own = make([]float64, w, w+h.P/2+8)
	}
	own = own[:w]
	clear(own)
	if i == norm {
		copy(own, h.way)
		return own
	}
	s := h.Sign[i]
	for j, v := range h.row[i] {
		own[j] = s * v
	}
	own[h.P] = -s
	return own
}

func scale(x []float64, f float64) {
	for i := range x {
		x[i] *= f
	}
}

// refactor recomputes the table; it returns false and keeps the table if the matrix is singular.
func (h *Program) refactor() bool {
	var m [][]float64
	for r, i := range h.tight {
		m = append(m, h.equation(i))
		m[r][h.P+1+r] = 1
	}
	if !Eliminate(m, h.basic, singular) {
		h.spare = append(h.spare, m...)
		return false
	}
	h.spare = append(h.spare, h.table...)
	h.table = m
	return true
}

// Eliminate makes column columns[c] of m the unit vector with a 1 in row c, by Gauss-Jordan
// elimination with row pivoting; it returns false if a pivot is below least.
func Eliminate(m [][]float64, columns []int32, least float64) bool {
	for c, q := range columns {
		best := c
		for r := c + 1; r < len(m); r++ {
			if math.Abs(m[r][q]) > math.Abs(m[best][q]) {
				best = r
			}
		}
		own := m[best]
		m[c], m[best] = own, m[c]
		if math.Abs(own[q]) < least {
			return false
		}
		scale(own, 1/own[q])
		own[q] = 1
		for r, row := range m {
			if v := row[q]; r != c && v != 0 {
				addTo(row, own, -v)
				row[q] = 0
			}
		}
	}
	return true
}

// search passes the hinges along the direction, flipping their rows, and, without a reach, the
// zeros of weights with a price, until the objective rises. It returns the kink there, or false if
// it lies after the limit.
func (h *Program) search(slope, limit float64) (at kink, found bool) {
	h.kinks = h.kinks[:0]
	for i, r := range h.rate {
		if w := h.Weight[i]; w > 0 && math.Abs(r) > leastRate {
			gap := h.at[i] - h.Act[i]
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
	for c, q := range h.basic {
		if int(q) == h.P || h.Price[q] == 0 || !math.IsInf(h.Reach, 1) {
			continue
		}
		if d := h.dir[q]; h.way[q]*d < -leastRate {
			h.kinks = append(h.kinks, kink{max(0, -h.U[q]/d), 2 * h.Price[q] * math.Abs(d), zero(c)})
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
			return k, true
		}
		switch {
		case k.row < 0:
			h.way[h.basic[zero(int(k.row))]] *= -1
		case h.state[k.row] == violated:
			h.addGradient(k.row, -1)
			h.state[k.row] = satisfied
		default:
			h.addGradient(k.row, 1)
			h.state[k.row] = violated
		}
		heap[0] = heap[len(heap)-1]
		heap = heap[:len(heap)-1]
		sink(heap, 0)
	}
	return kink{}, false
}

// sink restores the heap of kinks, with the first on top, below position i.
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

// End is the reason why Minimize ended.
type End uint8

const (
	Optimal   End = iota
	Unbounded     // the objective falls without bound
	Limit         // limit on steps, or end of the context
	Stuck         // rounding: too many steps, or no vertex
)

// Minimize moves from the current vertex to an optimum in at most most steps, with the given noise
// in the margins.
func (h *Program) Minimize(noise float64, most int) End {
	total, price := 0.0, 0.0
	for _, w := range h.Weight {
		total += w
	}
	for _, c := range h.Price {
		price = max(price, c)
	}
	h.tolerance = reduced * (total + price)
	if h.Pull != nil { // the multipliers balance the pull
		h.tolerance = reduced * slices.Max(h.Pull)
	}
	h.shift(noise)
	h.Sum()
	for step := range 200 + 20*h.P + h.N {
		if step >= most || h.Spend(h.N+h.N*len(h.basic)) {
			return Limit
		}
		e := h.steepest()
		if e.upward == 0 {
			h.times(h.Act, h.U)
			return Optimal
		}
		h.direct(e)
		if !h.move(e) {
			return Unbounded
		}
		if h.Steps++; h.Steps%fresh == 0 {
			if h.times(h.Act, h.U); !h.refactor() {
				return Stuck
			}
		}
	}
	h.times(h.Act, h.U)
	return Stuck
}

// MinimizeExactly moves from the current vertex to an optimum without noise and returns its value
// and a lower bound on the minimum. The bound comes from the multipliers of the optimum with noise,
// which satisfy the same constraints. If the two differ, it repeats with less noise. A program with
// a pull or a reach has no such bound.
func (h *Program) MinimizeExactly(most int) (value, bound float64, end End) {
	lambda, before := make([]float64, h.N), h.Steps
	for _, noise := range [...]float64{1e-6, 1e-8, 1e-10} {
		switch end = h.Minimize(noise, most-(h.Steps-before)); end {
		case Limit:
			return h.Value(), bound, end
		case Optimal:
			h.fill()
			h.Multipliers(lambda)
			sum := 0.0
			for i, l := range lambda {
				sum += l * h.Margin[i]
			}
			bound = max(bound, sum)
		}
		h.shift(0)
		if value = h.Value(); value-bound <= 1e-10*(1+value) {
			break
		}
	}
	return value, min(bound, value), end
}

// fill moves an optimum to a vertex of the hinges alone: along a position held at 0 without a
// price, the objective is constant until a row is met, whatever its weight.
func (h *Program) fill() {
	for q := range h.U {
		if q < h.P && (h.Price[q] > 0 || h.Banned[q]) || slices.Contains(h.basic, int32(q)) || h.Spend(h.N*(1+len(h.basic))) {
			continue
		}
		e := edge{enters: true, which: int32(q), upward: 1}
		h.direct(e)
		row, t := int32(-1), math.Inf(1)
		for i, r := range h.rate {
			if s := (h.at[i] - h.Act[i]) / r; h.state[i] != onHinge && math.Abs(r) > ownRate && math.Abs(s) < math.Abs(t) {
				row, t = int32(i), s
			}
		}
		if row < 0 {
			continue
		}
		for k, d := range h.dir {
			h.U[k] += t * d
		}
		addTo(h.Act, h.rate, t)
		h.catch(row)
		h.exchange(e, row, -1)
	}
}

// shift adds noise to the margins and moves to the point where the tight rows then meet.
func (h *Program) shift(noise float64) {
	changed := false
	for i, m := range h.Margin {
		m += noise * h.Noise[i]
		changed = changed || m != h.at[i]
		h.at[i] = m
	}
	if changed && len(h.tight) > 0 {
		h.settle()
	}
}
