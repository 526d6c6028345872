package alternating

import "math"

// kernel is a small square matrix factored as P M = L U.
type kernel struct {
	k    int
	m    []float64 // (k, k) by row; L below the diagonal, U on and above it
	perm []int
	rhs  []float64
	work []float64
}

// matrix is the matrix to fill in, by row.
func (f *kernel) matrix(k int) []float64 {
	f.k = k
	f.m = grow(f.m, k*k)
	return f.m
}

// factor is Gaussian elimination with row pivoting; false for a singular matrix.
func (f *kernel) factor() bool {
	k, m := f.k, f.m
	f.perm = f.perm[:0]
	for r := range k {
		f.perm = append(f.perm, r)
	}
	for c := range k {
		best := c
		for r := c + 1; r < k; r++ {
			if math.Abs(m[r*k+c]) > math.Abs(m[best*k+c]) {
				best = r
			}
		}
		if math.Abs(m[best*k+c]) < 1e-12 {
			return false
		}
		if best != c {
			f.perm[best], f.perm[c] = f.perm[c], f.perm[best]
			for j := range k {
				m[best*k+j], m[c*k+j] = m[c*k+j], m[best*k+j]
			}
		}
		inv := 1 / m[c*k+c]
		for r := c + 1; r < k; r++ {
			v := m[r*k+c]
			if v == 0 {
				continue
			}
			v *= inv
			m[r*k+c] = v
			addTo(m[r*k+c+1:(r+1)*k], m[c*k+c+1:(c+1)*k], -v)
		}
	}
	return true
}

// solve replaces v by M^-1 v.
func (f *kernel) solve(v []float64) {
	k, m := f.k, f.m
	f.work = grow(f.work, k)
	y := f.work
	for r := range k {
		s := v[f.perm[r]]
		for c, l := range m[r*k : r*k+r] {
			s -= l * y[c]
		}
		y[r] = s
	}
	for r := k - 1; r >= 0; r-- {
		s := y[r]
		for c := r + 1; c < k; c++ {
			s -= m[r*k+c] * v[c]
		}
		v[r] = s / m[r*k+r]
	}
}

// solveTransposed replaces v by M^-T v.
func (f *kernel) solveTransposed(v []float64) {
	k, m := f.k, f.m
	f.work = grow(f.work, k)
	y := f.work
	for c := range k {
		s := v[c]
		for r := range c {
			s -= m[r*k+c] * y[r]
		}
		y[c] = s / m[c*k+c]
	}
	for c := k - 1; c >= 0; c-- {
		for r := c + 1; r < k; r++ {
			y[c] -= m[r*k+c] * y[r]
		}
	}
	for r := range k {
		v[f.perm[r]] = y[r]
	}
}
