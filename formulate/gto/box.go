package gto

import (
	"math"
	"slices"
)

// BoxBinding reports whether some weight or threshold of a point of the model lies on the box. If
// so, a wider box may have a better optimum; if not, that is unlikely, but not proved: see
// BoxExact.
func (f *Formulation) BoxBinding(values []float64) bool {
	edge := f.opts.Box * (1 - 1e-6)
	for d := range f.layout.decisions {
		for jx := range f.g.p {
			if math.Abs(values[f.colW(jx, d)]) >= edge {
				return true
			}
		}
		if math.Abs(values[f.colGamma(d)]) >= edge {
			return true
		}
	}
	return false
}

// maxSystems is the maximum number of vertices that BoxExact enumerates per class pattern of a
// decision.
const maxSystems = 100_000

// BoxExact reports whether an optimum of the model with this objective is proved optimal without
// the box. The proof is that it meets Bound, or that the box contains all vertices of the margin
// arrangement (see vertexBox), which can be shown for few rows and features. False means "within
// the box".
func (f *Formulation) BoxExact(objective float64) bool {
	if bound := f.Bound(); objective <= bound+1e-6*max(1, bound) {
		return true
	}
	box, ok := f.vertexBox(maxSystems)
	return ok && box <= f.opts.Box
}

// Bound returns a lower bound on the objective of all trees, for any box: the errors forced by rows
// with equal features and different classes.
//
// Claim: let W be the sum and V the maximum of the weights of a point's classes. Then the minimum
// error of the point is at least min(W, 2 (W - V)). Proof: at the decision where the paths of two
// such rows part, their errors sum to 2 or more, for p = 1 and 2. So either all classes have an
// error of at least 1, or all but one have at least 2. The count error is at least W - V. For the
// product error the bound is 0.
func (f *Formulation) Bound() float64 {
	switch f.opts.Objective {
	case CountError:
		w, _ := f.g.ds.UnavoidableErrors()
		return w
	case ProductError:
		return 0
	}
	order := make([]int, f.g.n)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return slices.Compare(f.g.row(a), f.g.row(b)) })
	bound := 0.0
	for lo := 0; lo < len(order); {
		hi, sum, most := lo, 0.0, 0.0 // merged: the rows of a point have different classes
		for ; hi < len(order) && slices.Equal(f.g.row(order[lo]), f.g.row(order[hi])); hi++ {
			w := f.g.ds.Weight[order[hi]]
			sum, most = sum+w, max(most, w)
		}
		if hi-lo > 1 {
			bound += min(sum, 2*(sum-most))
		}
		lo = hi
	}
	return bound
}

// vertexBox returns the smallest box that contains all vertices of the margin arrangement. A vertex
// of a decision is a point (w, gamma) at which as many hyperplanes meet as there are independent
// columns: x.w - gamma = -1 (rows that need its left side) and = +1 (rows that need its right
// side). The count error and, for p = 1, the minimum error, which is concave in y, have an optimum
// among these vertices, so such a box is exact. Columns that depend on others over these rows are
// 0. ok is false if a decision has more than limit choices of hyperplanes, and for objectives
// without that property.
func (f *Formulation) vertexBox(limit int64) (box float64, ok bool) {
	if f.opts.Objective == ProductError || f.opts.Objective == MinimumError && f.opts.Norm == 2 {
		return math.Inf(1), false
	}
	for d := range f.layout.decisions {
		a := f.arrangement(d)
		if a.choices(limit) > limit {
			return math.Inf(1), false
		}
		a.vertices(func(v []float64) {
			for _, x := range v {
				box = max(box, math.Abs(x))
			}
		})
	}
	return box, true
}

// arrangement is the margin arrangement of a decision: r.(gamma, w) = rhs.
type arrangement struct {
	dim  int
	rows []float64 // (len(rhs), dim): the independent columns of (-1, x)
	rhs  []float64 // -1 or +1
}

func (f *Formulation) arrangement(d int) *arrangement {
	a := &arrangement{}
	var of []int // row of the data for each hyperplane
	for i := range f.g.n {
		for _, s := range f.class(i).slots {
			if s.slot/2 == d {
				of = append(of, i)
				a.rhs = append(a.rhs, float64(2*(s.slot&1)-1))
			}
		}
	}
	cols := f.independent(of)
	a.dim = len(cols)
	for _, i := range of {
		for _, jx := range cols {
			a.rows = append(a.rows, f.column(i, jx))
		}
	}
	return a
}

// column returns x_ij, or -1, the coefficient of gamma, if j = -1.
func (f *Formulation) column(i, jx int) float64 {
	if jx < 0 {
		return -1
	}
	return f.g.row(i)[jx]
}

// independent returns columns of (-1, x), numbered as in column, that are independent over the
// given rows of data and span all others there. Gram-Schmidt.
func (f *Formulation) independent(rows []int) []int {
	var cols []int
	var basis [][]float64
	for jx := -1; jx < f.g.p; jx++ {
		v := make([]float64, len(rows))
		for r, i := range rows {
			v[r] = f.column(i, jx)
		}
		before := math.Sqrt(dot(v, v))
		for range 2 { // two passes suffice
			for _, b := range basis {
				c := dot(v, b)
				for r := range v {
					v[r] -= c * b[r]
				}
			}
		}
		after := math.Sqrt(dot(v, v))
		if after <= 1e-10*before {
			continue
		}
		for r := range v {
			v[r] /= after
		}
		basis, cols = append(basis, v), append(cols, jx)
	}
	return cols
}

// choices returns the number of ways to choose dim of the hyperplanes, or a
// number above limit.
func (a *arrangement) choices(limit int64) int64 {
	n, c := int64(len(a.rhs)), int64(1)
	for k := range int64(a.dim) {
		if c *= max(n-k, 0); c/(k+1) > limit {
			return limit + 1
		}
		c /= k + 1
	}
	return c
}

// vertices calls yield for every choice of dim independent hyperplanes with the point where they
// meet; it reuses the point.
func (a *arrangement) vertices(yield func(v []float64)) {
	if len(a.rhs) < a.dim {
		return
	}
	pick := make([]int, a.dim)
	for k := range pick {
		pick[k] = k
	}
	width := a.dim + 1
	m, v := make([]float64, a.dim*width), make([]float64, a.dim)
	for {
		for k, r := range pick {
			copy(m[k*width:], a.rows[r*a.dim:(r+1)*a.dim])
			m[k*width+a.dim] = a.rhs[r]
		}
		if solveDense(m, v) {
			yield(v)
		}
		k := a.dim - 1
		for k >= 0 && pick[k] == len(a.rhs)-a.dim+k {
			k--
		}
		if k < 0 {
			return
		}
		pick[k]++
		for k++; k < a.dim; k++ {
			pick[k] = pick[k-1] + 1
		}
	}
}

// solveDense solves the square system m (n, n+1) by elimination with partial pivoting and
// overwrites m; it returns false if m is singular.
func solveDense(m, x []float64) bool {
	n := len(x)
	w := n + 1
	for c := range n {
		best := c
		for r := c + 1; r < n; r++ {
			if math.Abs(m[r*w+c]) > math.Abs(m[best*w+c]) {
				best = r
			}
		}
		if math.Abs(m[best*w+c]) <= 1e-12 {
			return false
		}
		for k := range w {
			m[c*w+k], m[best*w+k] = m[best*w+k], m[c*w+k]
		}
		for r := range n {
			if r == c || m[r*w+c] == 0 {
				continue
			}
			factor := m[r*w+c] / m[c*w+c]
			for k := c; k < w; k++ {
				m[r*w+k] -= factor * m[c*w+k]
			}
		}
	}
	for c := range n {
		x[c] = m[c*w+n] / m[c*w+c]
	}
	return true
}

func dot(a, b []float64) float64 {
	s := 0.0
	for i, v := range a {
		s += v * b[i]
	}
	return s
}
