package vertex

import "math"

// meeting is where an edge meets the first other plane one way: at the step t
// (negative backwards), in plane v; v is artificial where it meets none, a ray.
type meeting struct {
	t float64
	v int32
}

// meetings is the ratio test along edge k, both ways.
func (a *arrangement) meetings(k int) (forward, backward meeting) {
	n := a.n
	rate := a.table[k*n : (k+1)*n]
	act, left, right := a.act[:n], a.margin[0][:n], a.margin[1][:n]
	up, down := math.Inf(1), math.Inf(-1)
	upAt, downAt := int32(artificial), int32(artificial)
	for i, r := range rate {
		if r < leastRate && r > -leastRate {
			continue
		}
		// A missing plane has the margin NaN, which no comparison takes; the
		// plane that is being left is met at 0 exactly.
		inv := 1 / r
		if t := (-left[i] - act[i]) * inv; t > 0 {
			if t < up {
				up, upAt = t, int32(2*i)
			}
		} else if t < 0 && t > down {
			down, downAt = t, int32(2*i)
		}
		if t := (right[i] - act[i]) * inv; t > 0 {
			if t < up {
				up, upAt = t, int32(2*i+1)
			}
		} else if t < 0 && t > down {
			down, downAt = t, int32(2*i+1)
		}
	}
	return meeting{up, upAt}, meeting{down, downAt}
}

// pivot moves along edge k to plane m.v, which replaces the plane that is left.
func (a *arrangement) pivot(k int, m meeting) {
	n, q := a.n, a.q
	entering := int(m.v >> 1)
	edge, direction := a.table[k*n:(k+1)*n], a.inverse[k*q:(k+1)*q]
	for i, r := range edge {
		a.act[i] += m.t * r
	}
	for j, d := range direction {
		a.z[j] += m.t * d
	}
	rate := 1 / edge[entering]
	for j := range q {
		f := a.table[j*n+entering]
		if j == k || f == 0 {
			continue
		}
		f *= rate
		subtract(a.table[j*n:(j+1)*n], edge, f)
		subtract(a.inverse[j*q:(j+1)*q], direction, f)
		a.table[j*n+entering] = 0
	}
	if rate != 1 {
		for i := range edge {
			edge[i] *= rate
		}
		for j := range direction {
			direction[j] *= rate
		}
	}
	edge[entering] = 1
	a.basis[k], a.offset[k] = m.v, a.planeOffset(m.v)
	a.act[entering] = a.offset[k]
	a.pivots++
	a.stale++
	if a.stale >= refreshEvery || a.drifted(entering, a.offset[k]) {
		a.settle()
	}
}

// drifted reports whether the row that has just become tight shows more rounding
// than drift.
func (a *arrangement) drifted(i int, want float64) bool {
	v, size := 0.0, 1.0
	for j, r := range a.rows[i*a.q : (i+1)*a.q] {
		v += r * a.z[j]
		size += math.Abs(r * a.z[j])
	}
	return math.Abs(v-want) > drift*size
}

// plane returns z as a decision on p features.
func (a *arrangement) plane(p int) marginPlane {
	h := marginPlane{w: make([]float64, p)}
	if a.q == 0 {
		h.gamma = 1 // no row cares
		return h
	}
	for k, j := range a.features {
		h.w[j] = a.z[k]
	}
	h.gamma = a.z[a.q-1]
	return h
}
