package study

import (
	"math"
)

// maximize returns the largest c.x with A x <= b and x >= 0, for b >= 0, where x = 0
// is feasible: the simplex method on a dense tableau, with Bland's rule, which does
// not cycle. It returns +Inf where there is no largest.
func maximize(c []float64, a [][]float64, b []float64) float64 {
	const tiny = 1e-11
	m, n := len(a), len(c)
	t := make([][]float64, m+1) // the rows, then the objective; columns: x, slacks, right-hand side
	for i := range t {
		t[i] = make([]float64, n+m+1)
		if i < m {
			copy(t[i], a[i])
			t[i][n+i] = 1
			t[i][n+m] = b[i]
		}
	}
	for j, v := range c {
		t[m][j] = -v
	}
	basic := make([]int, m)
	for i := range basic {
		basic[i] = n + i
	}
	for {
		enter := -1
		for j := range n + m {
			if t[m][j] < -tiny {
				enter = j
				break
			}
		}
		if enter < 0 {
			return t[m][n+m]
		}
		leave, least := -1, math.Inf(1)
		for i := range m {
			if t[i][enter] <= tiny {
				continue
			}
			ratio := t[i][n+m] / t[i][enter]
			if ratio < least-tiny || ratio < least+tiny && leave >= 0 && basic[i] < basic[leave] {
				leave, least = i, min(ratio, least)
			}
		}
		if leave < 0 {
			return math.Inf(1)
		}
		pivot(t, leave, enter)
		basic[leave] = enter
	}
}

func pivot(t [][]float64, leave, enter int) {
	p := t[leave][enter]
	for j := range t[leave] {
		t[leave][j] /= p
	}
	for i := range t {
		f := t[i][enter]
		if i == leave || f == 0 {
			continue
		}
		for j, v := range t[leave] {
			t[i][j] -= f * v
		}
		t[i][enter] = 0
	}
}
