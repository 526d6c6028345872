package vertex

import (
	"math"
	"math/rand/v2"

	"github.com/octgen/octgen/heuristics/hinge"
	"github.com/octgen/octgen/internal/pulse"
)

// arrangement is a vertex of the arrangement of the margin planes of one decision, with everything
// needed to evaluate its edges.
//
// The polyhedron of global tree optimization (Bennett & Blue 1996, problems (16), (18), (20)) is a
// product of one block per decision,
//
//	y_l >= x_i.w - gamma + 1,   y_g >= -(x_i.w - gamma) + 1,   y >= 0
//
// and at each of its extreme points every y equals its plus-function. So an extreme point consists,
// per decision, of a point z = (w, gamma) at which q = rank independent planes meet, among the
// planes x_i.w - gamma = -1 (of rows with a y_l) and x_i.w - gamma = +1 (of rows with a y_g).
// Features whose column depends on earlier columns have w_j = 0 throughout; otherwise there would
// be no vertex.
//
// With a_i = (x_i, -1), the basis matrix B of the q tight planes, and offsets c, z = B^-1 c. Edge k
// leaves tight plane k and keeps the others. Its direction is column k of B^-1, along which the
// activity a_i.z of row i changes at the rate table[k][i] = a_i.B^-1_k, that of tight row k at the
// rate 1. A pivot moves along an edge to another plane and updates inverse, activities and table by
// rank one: O(n q) for n rows. A ratio test along an edge, in both directions, is one pass over n.
//
// w = 0, gamma = +-1 is degenerate for all data: the planes of whole classes meet there. Therefore
// rows with equal features must have one plane among them (hide), and margins are 1 + eps u with u
// from a seed; settle restores the exact margins.
type arrangement struct {
	*pulse.Pulse // once it has ended, the table may be incomplete
	n, q         int
	features     []int        // (q-1) positions in w of the weights not fixed at 0
	rows         []float64    // (n, q) row-major: a_i
	margin       [2][]float64 // (n) of left and right planes; NaN if a row has none
	jitter       [2][]float64 // (n) u of the margins

	basis   []int32   // (q) tight planes 2 row + side; artificial if w_j or gamma itself is held
	offset  []float64 // (q) a.z of the tight planes
	z       []float64 // (q) w of features, then gamma
	inverse []float64 // (q, q) by column
	act     []float64 // (n) a_i.z
	table   []float64 // (q, n) by edge

	pivots  int // total
	stale   int // since the table was recomputed
	rebuilt int // number of recomputations
	work    []float64
}

// artificial marks a basis position that no plane holds yet.
const artificial = -1

const (
	// perturbation is the size of the noise in the margins during a search: far above rounding
	// errors, far below any change of an error.
	perturbation = 1e-6
	// leastRate is the minimum rate at which an edge meets a plane.
	leastRate = 1e-9
	// refreshEvery is the number of pivots after which the table is recomputed.
	refreshEvery = 500
	// drift is the relative rounding error of an activity above which the table is recomputed.
	drift = 1e-10
)

// newArrangement returns the arrangement of rows x (n, p), where sides[i] has bit 0 for a left
// plane of row i and bit 1 for a right one, at z = 0 with the artificial basis. It keeps none of
// its arguments but the pulse; if that has ended, the arrangement has no planes. If the rows with a
// plane are those of another arrangement of x, like (nil for none), it reuses the features of like.
func newArrangement(p *pulse.Pulse, x []float64, n, features int, sides []uint8, seed uint64, like *arrangement) *arrangement {
	a := &arrangement{Pulse: p, n: n}
	if like != nil && like.hasPlanesOf(sides) {
		a.features = like.features
	} else {
		a.features = independent(p, x, n, features, sides)
	}
	if a.features == nil || p.Spend(3*n*(len(a.features)+1)) {
		a.features = nil
		return a // no plane at all
	}
	a.q = len(a.features) + 1
	a.rows = make([]float64, n*a.q)
	for i := range n {
		for k, j := range a.features {
			a.rows[i*a.q+k] = x[i*features+j]
		}
		a.rows[i*a.q+a.q-1] = -1
	}
	a.jitter = marginNoise(n, seed)
	for side := range 2 {
		a.margin[side] = make([]float64, n)
		for i := range n {
			if sides[i]>>side&1 == 0 {
				a.jitter[side][i] = math.NaN()
			}
		}
	}
	a.basis, a.offset, a.z = make([]int32, a.q), make([]float64, a.q), make([]float64, a.q)
	a.inverse, a.table = make([]float64, a.q*a.q), make([]float64, a.q*n)
	a.act = make([]float64, n)
	a.work = make([]float64, 2*a.q*a.q)
	a.perturb(perturbation)
	a.place(make([]float64, a.q))
	return a
}

// marginNoise draws the noise u of the left and right margins of n rows.
func marginNoise(n int, seed uint64) (noise [2][]float64) {
	rng := rand.New(rand.NewPCG(seed, 0x76657274)) // "vert"
	for side := range noise {
		noise[side] = make([]float64, n)
		for i := range n {
			noise[side][i] = 0.5 + rng.Float64()
		}
	}
	return noise
}

// hasPlanesOf reports whether the rows with a plane are those of sides.
func (a *arrangement) hasPlanesOf(sides []uint8) bool {
	if a.q == 0 {
		return false
	}
	for i, s := range sides {
		if (s == 0) != (a.jitter[0][i] != a.jitter[0][i] && a.jitter[1][i] != a.jitter[1][i]) {
			return false
		}
	}
	return true
}

// perturb sets the margins to 1 + eps u; the caller must call settle.
func (a *arrangement) perturb(eps float64) {
	for side := range 2 {
		for i, u := range a.jitter[side] {
			a.margin[side][i] = 1 + eps*u
		}
	}
}

// place restarts at z, which it copies, with the artificial basis: edge k moves z_k. O(n q).
func (a *arrangement) place(z []float64) {
	a.Spend(2 * a.n * a.q)
	copy(a.z, z)
	clear(a.inverse)
	for k := range a.q {
		a.basis[k], a.offset[k] = artificial, z[k]
		a.inverse[k*a.q+k] = 1
	}
	a.activate()
	a.stale = 0
	for i := range a.n {
		for k, r := range a.rows[i*a.q : (i+1)*a.q] {
			a.table[k*a.n+i] = r
		}
	}
}

// planeOffset returns x.w - gamma on a plane.
func (a *arrangement) planeOffset(v int32) float64 {
	if v&1 == 0 {
		return -a.margin[0][v>>1]
	}
	return a.margin[1][v>>1]
}

// activate computes the activities from z: O(n q).
func (a *arrangement) activate() {
	for i := range a.n {
		v := 0.0
		for j, r := range a.rows[i*a.q : (i+1)*a.q] {
			v += r * a.z[j]
		}
		a.act[i] = v
	}
	for k, v := range a.basis {
		if v != artificial {
			a.act[v>>1] = a.offset[k] // exact value
		}
	}
}

// fillTable computes the table from the inverse, until the context ends: O(n q^2).
func (a *arrangement) fillTable() {
	a.stale = 0
	for i := range a.n {
		if a.Spend(a.q * a.q) {
			return
		}
		row := a.rows[i*a.q : (i+1)*a.q]
		for k := range a.q {
			v := 0.0
			for j, d := range a.inverse[k*a.q : (k+1)*a.q] {
				v += row[j] * d
			}
			a.table[k*a.n+i] = v
		}
	}
	a.holdBasis()
}

// holdBasis sets the entries of the tight rows to their exact values: updates keep exact zeros and
// ones, and ratio tests rely on them.
func (a *arrangement) holdBasis() {
	for k, v := range a.basis {
		if v == artificial {
			continue
		}
		i := int(v >> 1)
		for j := range a.q {
			a.table[j*a.n+i] = 0
		}
		a.table[k*a.n+i] = 1
	}
}

// settle recomputes inverse, z, activities and table from the tight planes and the current margins:
// O(q^3 + n q^2). If the basis matrix is singular to working precision, it returns false and
// changes only the offsets.
func (a *arrangement) settle() bool {
	if !a.settlePoint() {
		return false
	}
	a.rebuilt++
	a.fillTable()
	return true
}

// settlePoint is settle without the table: O(q^3 + n q). The caller must not use the table before a
// settle or place.
func (a *arrangement) settlePoint() bool {
	for k, v := range a.basis {
		if v != artificial {
			a.offset[k] = a.planeOffset(v)
		}
	}
	if !a.invert() {
		return false
	}
	for j := range a.q {
		v := 0.0
		for k, c := range a.offset {
			v += a.inverse[k*a.q+j] * c
		}
		a.z[j] = v
	}
	a.activate()
	return true
}

// invert computes the inverse of the basis matrix. The LU factors of a library round differently
// and would change the trees: margins of points on a grid stay exact here.
func (a *arrangement) invert() bool {
	q := a.q
	clear(a.work)
	m, columns := make([][]float64, q), make([]int32, q) // rows of B, each followed by its row of the identity
	for k, v := range a.basis {
		row := a.work[2*q*k : 2*q*(k+1)]
		if v == artificial {
			row[k] = 1
		} else {
			copy(row, a.rows[int(v>>1)*q:(int(v>>1)+1)*q])
		}
		row[q+k] = 1
		m[k], columns[k] = row, int32(k)
	}
	if !hinge.Eliminate(m, columns, 1e-13) {
		return false
	}
	for j, row := range m {
		for k, v := range row[q:] {
			a.inverse[k*q+j] = v
		}
	}
	return true
}

// subtract computes x -= f y.
func subtract(x, y []float64, f float64) {
	y = y[:len(x)]
	for i := range x {
		x[i] -= f * y[i]
	}
}

// independent returns the features, of n rows x p, whose columns are not linear combinations of the
// constant and earlier features over the rows with a plane; nil if no row has one. The list is
// incomplete if the context ends.
func independent(pulse *pulse.Pulse, x []float64, n, p int, sides []uint8) []int {
	var rows []int
	for i, s := range sides[:n] {
		if s != 0 {
			rows = append(rows, i)
		}
	}
	if len(rows) == 0 {
		return nil
	}
	const least = 1e-7 // minimum fraction of a column's norm that must remain
	m := len(rows)
	constant := make([]float64, m)
	for i := range constant {
		constant[i] = 1 / math.Sqrt(float64(m))
	}
	base, kept := [][]float64{constant}, []int{}
	for j := range p {
		column := make([]float64, m)
		for i, r := range rows {
			column[i] = x[r*p+j]
		}
		before := norm2(column)
		for range 2 { // two passes suffice
			for _, b := range base {
				if pulse.Spend(2 * m) {
					return kept
				}
				subtract(column, b, dot(b, column))
			}
		}
		own := norm2(column)
		if len(base) == m || !(own > least*before) {
			continue
		}
		for i := range column {
			column[i] /= own
		}
		base, kept = append(base, column), append(kept, j)
	}
	return kept
}

func dot(x, y []float64) float64 {
	y = y[:len(x)]
	s := 0.0
	for i, v := range x {
		s += v * y[i]
	}
	return s
}

func norm2(x []float64) float64 { return math.Sqrt(dot(x, x)) }

// meeting is the first other plane that an edge meets in one direction: at the step t (negative
// backwards), plane v; v is artificial if there is none, for a ray.
type meeting struct {
	t float64
	v int32
}

// meetings is the ratio test along edge k in both directions.
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
		// A missing plane has the margin NaN, for which all comparisons fail; the plane being left
		// is met at exactly 0.
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

// pivot moves along edge k to plane m.v, which replaces the plane left.
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

// drifted reports whether the rounding error of the row that has just become tight exceeds drift.
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
		h.gamma = 1 // no row depends on this decision
		return h
	}
	for k, j := range a.features {
		h.w[j] = a.z[k]
	}
	h.gamma = a.z[a.q-1]
	return h
}
