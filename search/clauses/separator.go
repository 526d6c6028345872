package clauses

import (
	"math"
	"slices"

	"github.com/octgen/octgen/internal/pulse"
)

// Separator looks for hyperplanes that have rows on given sides with a margin, or for few of these rows that none has there. It
// keeps the basis of its linear program from one question to the next:
//
//	min t;  -t <= sum_i lambda_i x_ij - sum_k lambda_k x_kj <= t for all features j, i right, k left;  sum_i lambda_i = sum_k lambda_k = 1
//
// is the distance of the convex hulls of both sides, in the maximum norm. By duality it is the greatest difference of a.x_i and
// a.x_k over all a with sum |a_j| <= 1. A row that was asked before and is not any more costs 2, more than any distance.
type Separator struct {
	beat   *pulse.Pulse
	x      []float64 // (n, p), from 0 to 1
	n, p   int
	margin float64

	on    []bool    // (2n) row i on the left: 2i, on the right: 2i+1
	basis []int32   // column of each row of the inverse
	where []int32   // of each column in the basis; -1 for none
	inv   []float64 // (m, m)
	xb    []float64
	y     []float64 // duals
	aq    []float64
	a     []float64
	u     []float64 // a.x of the columns asked
	since int       // pivots since the inverse was computed

	Plane  []float64 // a, with sum |a_j| = 1, of the last question with the answer yes
	Offset float64   // the middle between both sides
}

// NewSeparator returns a separator for rows x (n, p) of numbers from 0 to 1, with a margin in units of them.
func NewSeparator(beat *pulse.Pulse, x []float64, p int, margin float64) *Separator {
	n := len(x) / p
	m := 2*p + 2
	s := &Separator{
		beat: beat, x: x, n: n, p: p, margin: margin,
		on: make([]bool, 2*n), where: make([]int32, 2*n+2*p+1), inv: make([]float64, m*m), xb: make([]float64, m),
		y: make([]float64, m), aq: make([]float64, m), a: make([]float64, p), Plane: make([]float64, p),
	}
	for k := range s.where {
		s.where[k] = -1
	}
	return s
}

const (
	idle     = 2.0  // cost of a row that is not asked
	priced   = 1e-9 // reduced cost that counts
	pivoting = 1e-9 // least pivot
	renew    = 60   // pivots after which the inverse is computed again
	mostTurn = 5000 // pivots of a question
	checked  = 2e-4 // part of the margin that rounding of multipliers may cost
)

// Column returns the column of a row on a side.
func Column(row int, right bool) int32 {
	if right {
		return int32(2*row + 1)
	}
	return int32(2 * row)
}

// Ask looks for a hyperplane that has the columns on their sides, and keeps it as Plane. If there is none, it
// returns the columns with multipliers; nil also if it gives up, and for one side alone; found says whether there is one.
func (s *Separator) Ask(columns []int32) (few []int32, found bool) {
	return s.ask(columns, s.margin)
}

// Widest keeps the hyperplane with the greatest margin between columns that have one, as Plane; false if it gives up, and for one side alone.
func (s *Separator) Widest(columns []int32) bool {
	_, found := s.ask(columns, math.Inf(1))
	return found
}

// ask ends with a hyperplane as soon as its sides are at least enough apart, or as far as they can be.
func (s *Separator) ask(columns []int32, enough float64) (few []int32, found bool) {
	left, right := int32(-1), int32(-1)
	for _, c := range columns {
		if c&1 == 0 {
			left = c
		} else {
			right = c
		}
	}
	if left < 0 || right < 0 {
		return nil, false
	}
	if s.basis == nil {
		s.begin(left, right)
	}
	for _, c := range columns {
		s.on[c] = true
	}
	defer func() {
		for _, c := range columns {
			s.on[c] = false
		}
	}()
	return s.solve(columns, enough)
}

// Fewest drops columns that are not needed from columns that no hyperplane has on their sides.
func (s *Separator) Fewest(columns []int32) []int32 {
	for k := len(columns) - 1; k >= 0; k-- {
		k = min(k, len(columns)-1)
		less := slices.Delete(slices.Clone(columns), k, k+1)
		if fewer, _ := s.Ask(less); fewer != nil {
			columns = fewer
		}
	}
	return columns
}

// begin makes a basis of one row on each side.
func (s *Separator) begin(left, right int32) {
	t := int32(2*s.n + 2*s.p)
	s.basis = append(s.basis, left, right, t)
	l, r := s.row(left), s.row(right)
	most := 0
	for j := range s.p {
		if math.Abs(r[j]-l[j]) > math.Abs(r[most]-l[most]) {
			most = j
		}
	}
	binding := int32(2*s.n + most)
	if r[most] < l[most] {
		binding += int32(s.p)
	}
	for k := int32(2 * s.n); k < t; k++ {
		if k != binding {
			s.basis = append(s.basis, k)
		}
	}
	for k, c := range s.basis {
		s.where[c] = int32(k)
	}
	s.invert()
}

func (s *Separator) row(c int32) []float64 { return s.x[int(c>>1)*s.p : (int(c>>1)+1)*s.p] }

// column writes a column of the program to out (2p + 2).
func (s *Separator) column(c int32, out []float64) {
	clear(out)
	switch p := s.p; {
	case int(c) < 2*s.n:
		sign := -1.0
		out[2*p] = 1
		if c&1 == 1 {
			sign, out[2*p], out[2*p+1] = 1, 0, 1
		}
		for j, v := range s.row(c) {
			out[j], out[p+j] = sign*v, -sign*v
		}
	case int(c) < 2*s.n+2*p:
		out[int(c)-2*s.n] = 1
	default:
		for j := range 2 * p {
			out[j] = -1
		}
	}
}

// invert computes the inverse of the basis, and the values of its columns; false if it is singular.
func (s *Separator) invert() bool {
	m := len(s.basis)
	work := make([]float64, 2*m*m) // rows of the basis matrix, then of the identity
	col := make([]float64, m)
	for k, c := range s.basis {
		s.column(c, col)
		for r, v := range col {
			work[r*2*m+k] = v
		}
		work[k*2*m+m+k] = 1
	}
	for k := range m {
		best := k
		for r := k + 1; r < m; r++ {
			if math.Abs(work[r*2*m+k]) > math.Abs(work[best*2*m+k]) {
				best = r
			}
		}
		if math.Abs(work[best*2*m+k]) < 1e-12 {
			return false
		}
		if best != k {
			for q := range 2 * m {
				work[k*2*m+q], work[best*2*m+q] = work[best*2*m+q], work[k*2*m+q]
			}
		}
		top := work[k*2*m : (k+1)*2*m]
		f := 1 / top[k]
		for q := k; q < 2*m; q++ {
			top[q] *= f
		}
		for r := range m {
			if f := work[r*2*m+k]; r != k && f != 0 {
				line := work[r*2*m : (r+1)*2*m]
				for q := k; q < 2*m; q++ {
					line[q] -= f * top[q]
				}
			}
		}
	}
	for r := range m {
		copy(s.inv[r*m:(r+1)*m], work[r*2*m+m:(r+1)*2*m])
		s.xb[r] = max(0, s.inv[r*m+m-2]+s.inv[r*m+m-1])
	}
	s.since = 0
	return true
}

// price computes the duals from the costs of the basis.
func (s *Separator) price() {
	m := len(s.basis)
	clear(s.y)
	for k, c := range s.basis {
		if f := s.cost(c); f != 0 {
			for q, v := range s.inv[k*m : (k+1)*m] {
				s.y[q] += f * v
			}
		}
	}
}

func (s *Separator) cost(c int32) float64 {
	switch {
	case int(c) == 2*s.n+2*s.p:
		return 1
	case int(c) < 2*s.n && !s.on[c]:
		return idle
	}
	return 0
}

// solve pivots until the sides are known to be enough apart, or closer than the margin.
func (s *Separator) solve(columns []int32, enough float64) (few []int32, found bool) {
	s.price()
	still := 0
	for range mostTurn {
		if s.beat.Spend(len(s.basis)*len(s.basis) + len(columns)*s.p) {
			return nil, false
		}
		distance, resting := 0.0, 0.0
		for k, c := range s.basis {
			switch {
			case int(c) == 2*s.n+2*s.p:
				distance = s.xb[k]
			case int(c) < 2*s.n && !s.on[c]:
				resting += s.xb[k]
			}
		}
		if distance < s.margin && resting < 1e-9 {
			return s.support(), false
		}
		enter, apart := s.entering(columns, enough, still > 20)
		if apart {
			return nil, true
		}
		if enter < 0 {
			return nil, s.keep(columns, 0)
		}
		step, ok := s.pivot(enter)
		if !ok {
			s.basis = nil
			for k := range s.where {
				s.where[k] = -1
			}
			return nil, false
		}
		if still++; step > 1e-12 {
			still = 0
		}
	}
	return nil, false
}

// support returns the rows of the basis with a multiplier.
func (s *Separator) support() (few []int32) {
	var lambda []float64
	var total [2]float64
	for k, c := range s.basis {
		if int(c) < 2*s.n && s.xb[k] > 1e-7 {
			few = append(few, c)
			lambda = append(lambda, s.xb[k])
			total[c&1] += s.xb[k]
		}
	}
	v := make([]float64, s.p)
	for k, c := range few {
		sign := 2*float64(c&1) - 1
		for j, u := range s.row(c) {
			v[j] += sign * lambda[k] / total[c&1] * u
		}
	}
	for _, u := range v {
		if !(math.Abs(u) < s.margin*(1+checked)) {
			return nil
		}
	}
	slices.Sort(few)
	return few
}

// entering returns a column that lowers the cost; -1 for none. It keeps the hyperplane of the duals if its sides are enough
// apart.
func (s *Separator) entering(columns []int32, enough float64, first bool) (enter int32, apart bool) {
	p := s.p
	for j := range p {
		s.a[j] = s.y[p+j] - s.y[j]
	}
	s.u = s.u[:0]
	for _, c := range columns {
		u := 0.0
		for j, v := range s.row(c) {
			u += s.a[j] * v
		}
		s.u = append(s.u, u)
	}
	if s.keep(columns, enough) {
		return -1, true
	}
	enter, least := int32(-1), -priced
	consider := func(c int32, d float64) {
		if d < least && s.where[c] < 0 && !(first && enter >= 0 && enter < c) {
			enter = c
			if !first {
				least = d
			}
		}
	}
	for k, c := range columns {
		if c&1 == 1 {
			consider(c, s.u[k]-s.y[2*p+1])
		} else {
			consider(c, -s.u[k]-s.y[2*p])
		}
	}
	for j := range 2 * p {
		consider(int32(2*s.n+j), -s.y[j])
	}
	consider(int32(2*s.n+2*p), 1+sum(s.y[:2*p]))
	return enter, false
}

func sum(v []float64) (all float64) {
	for _, u := range v {
		all += u
	}
	return all
}

// keep keeps the hyperplane a, whose values of the columns are in u, if the sides are at least the distance apart.
func (s *Separator) keep(columns []int32, distance float64) bool {
	norm := 0.0
	for _, v := range s.a {
		norm += math.Abs(v)
	}
	if norm == 0 {
		return false
	}
	below, above := math.Inf(-1), math.Inf(1)
	for k, c := range columns {
		if u := s.u[k]; c&1 == 0 {
			below = max(below, u)
		} else {
			above = min(above, u)
		}
		if above-below < distance*norm {
			return false
		}
	}
	for j, v := range s.a {
		s.Plane[j] = v / norm
	}
	s.Offset = (below + above) / 2 / norm
	return true
}

// pivot brings a column into the basis.
func (s *Separator) pivot(enter int32) (step float64, ok bool) {
	m := len(s.basis)
	col := make([]float64, m)
	s.column(enter, col)
	leave, step := -1, math.Inf(1)
	for k := range m {
		u := 0.0
		for q, v := range s.inv[k*m : (k+1)*m] {
			u += v * col[q]
		}
		s.aq[k] = u
		if u > pivoting {
			if r := s.xb[k] / u; r < step-1e-12 || r < step+1e-12 && (leave < 0 || u > s.aq[leave]) {
				leave, step = k, min(step, r)
			}
		}
	}
	if leave < 0 {
		return 0, false
	}
	s.where[s.basis[leave]] = -1
	s.basis[leave], s.where[enter] = enter, int32(leave)
	if s.since++; s.since >= renew {
		ok = s.invert()
		s.price()
		return step, ok
	}
	top := s.inv[leave*m : (leave+1)*m]
	f := 1 / s.aq[leave]
	for q := range top {
		top[q] *= f
	}
	for k := range m {
		if u := s.aq[k]; k != leave && u != 0 {
			line := s.inv[k*m : (k+1)*m]
			for q, v := range top {
				line[q] -= u * v
			}
			s.xb[k] = max(0, s.xb[k]-u*step)
		}
	}
	s.xb[leave] = step
	s.price()
	return step, true
}
