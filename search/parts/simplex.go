package parts

import "math"

// simplex is the primal simplex method for
//
//	min c x   A x = b,  low <= x <= high
//
// with few rows, many columns and costs that change: the basis of one solve begins the
// next. It is dense and simple. What it finds is only believed after it was computed
// anew from the data ([parting.check]), so that its tolerances bear on which
// certificates are found, not on what they prove.
type simplex struct {
	rows      int
	cols      [][]float64 // columns of A
	low, high []float64
	basis     []int       // (rows) columns in the basis
	in        []int       // (cols) the row of the basis that a column has, -1 for none
	x         []float64   // (cols)
	inverse   [][]float64 // of the basis matrix
	pivots    int
}

const (
	reducedCost  = 1e-9 // below which a column does not improve
	leastPivot   = 1e-9
	refactorEach = 60 // pivots
)

// enter makes a column basic in a row, of which the inverse is changed.
func (s *simplex) enter(col, row int, direction []float64) {
	s.in[s.basis[row]] = -1
	s.basis[row], s.in[col] = col, row
	p := direction[row]
	own := s.inverse[row]
	for k := range own {
		own[k] /= p
	}
	for r, other := range s.inverse {
		if f := direction[r]; r != row && f != 0 {
			for k, v := range own {
				other[k] -= f * v
			}
		}
	}
	if s.pivots++; s.pivots%refactorEach == 0 {
		s.refactor()
	}
}

// refactor inverts the basis matrix anew, by elimination with row exchanges. A matrix
// that has become singular leaves the inverse as it is.
func (s *simplex) refactor() {
	n := s.rows
	m := make([][]float64, n)
	for r := range m {
		m[r] = make([]float64, 2*n)
		for k, c := range s.basis {
			m[r][k] = s.cols[c][r]
		}
		m[r][n+r] = 1
	}
	for k := range n {
		best := k
		for r := k + 1; r < n; r++ {
			if math.Abs(m[r][k]) > math.Abs(m[best][k]) {
				best = r
			}
		}
		if math.Abs(m[best][k]) < 1e-12 {
			return
		}
		m[k], m[best] = m[best], m[k]
		p := m[k][k]
		for q := k; q < 2*n; q++ {
			m[k][q] /= p
		}
		for r := range n {
			if f := m[r][k]; r != k && f != 0 {
				for q := k; q < 2*n; q++ {
					m[r][q] -= f * m[k][q]
				}
			}
		}
	}
	for r := range m {
		copy(s.inverse[r], m[r][n:])
	}
}

// minimize descends from the present basis; false where it gave up after so many
// pivots.
func (s *simplex) minimize(cost []float64, most int) bool {
	dual, direction := make([]float64, s.rows), make([]float64, s.rows)
	for step := range most {
		for k := range dual {
			dual[k] = 0
		}
		for r, c := range s.basis {
			if v := cost[c]; v != 0 {
				for k, w := range s.inverse[r] {
					dual[k] += v * w
				}
			}
		}
		col, up := s.price(cost, dual, step > most/2)
		if col < 0 {
			return true
		}
		for r := range direction {
			direction[r] = dotOf(s.inverse[r], s.cols[col])
		}
		s.move(col, up, direction)
	}
	return false
}

// price returns the column of the best reduced cost and whether it is to rise, -1 where
// none improves; the first that improves where first is set, so that nothing cycles.
func (s *simplex) price(cost, dual []float64, first bool) (col int, up bool) {
	col = -1
	best := reducedCost
	for j, a := range s.cols {
		if s.in[j] >= 0 || s.low[j] == s.high[j] {
			continue
		}
		d := cost[j] - dotOf(dual, a)
		if gain := math.Abs(d); gain > best && (d < 0 && s.x[j] < s.high[j] || d > 0 && s.x[j] > s.low[j]) {
			best, col, up = gain, j, d < 0
			if first {
				break
			}
		}
	}
	return col, up
}

// move lets a column rise or fall until it or a basic column meets a bound.
func (s *simplex) move(col int, up bool, direction []float64) {
	sign := 1.0
	if !up {
		sign = -1
	}
	length, row := s.high[col]-s.low[col], -1
	for r, d := range direction {
		d *= sign
		c := s.basis[r]
		room := math.Inf(1)
		switch {
		case d > leastPivot:
			room = (s.x[c] - s.low[c]) / d
		case d < -leastPivot:
			room = (s.x[c] - s.high[c]) / d
		}
		room = max(0, room)
		if room < length-1e-12 || row >= 0 && room <= length+1e-12 && math.Abs(direction[r]) > math.Abs(direction[row]) {
			length, row = min(length, room), r
		}
	}
	if math.IsInf(length, 1) {
		return // cannot be: all columns that cost have bounds
	}
	s.x[col] += sign * length
	for r, d := range direction {
		s.x[s.basis[r]] -= sign * length * d
	}
	if row < 0 { // from one bound to the other
		if up {
			s.x[col] = s.high[col]
		} else {
			s.x[col] = s.low[col]
		}
		return
	}
	out := s.basis[row]
	if s.x[out]-s.low[out] < s.high[out]-s.x[out] {
		s.x[out] = s.low[out]
	} else {
		s.x[out] = s.high[out]
	}
	s.enter(col, row, direction)
}

func dotOf(a, b []float64) (v float64) {
	for k, w := range b {
		v += a[k] * w
	}
	return v
}
