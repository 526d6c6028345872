package vertex

import (
	"math"
	"slices"

	"github.com/octgen/octgen/internal/pulse"
	"gonum.org/v1/gonum/mat"
)

// gtoVertex is an extreme point of global tree optimization: a vertex of the arrangement of every
// decision, with the error and its values at the neighbours. It is the vertexSpace of EPTS.
//
// The nonbasic variables of the standard form
//
//	x_i.w - gamma - y_l + s_l = -1,   -(x_i.w - gamma) - y_g + s_g = -1,   y, s >= 0
//
// are y and s of the tight planes. Leaving plane k in one direction, y_k enters the basis; in the
// other direction, s_k. At the next plane, y leaves if the row was violated, else s. With planes
// numbered 2 (d n + row) + side, y of plane v is variable 2v and s is variable 2v + 1.
type gtoVertex struct {
	*pulse.Pulse
	m       *marginRows
	err     *gtoError
	blocks  []*arrangement // (D)
	base    []int          // (D) number of edges of the earlier decisions
	edgeOf  []gtoEdge      // (edges / 2)
	tight   []int32        // (2 n D) position of a plane in its basis, -1 if it is not tight
	met     [][2]meeting   // (edges / 2) forward and backward
	metGood []bool         // (edges / 2) met is up to date
	planes  int            // of all decisions
	weights int            // w and gamma of all decisions
	current float64
	best    gtoPoint // kept point

	watching bool        // track the point with the fewest errors
	acts     [][]float64 // (D) activities
	fewest   gtoPoint
	wrong    float64 // its training error weight
	wrongAt  float64 // and its error
}

type gtoEdge struct{ d, k int }

// newGTOVertex returns the extreme point that purification finds from the given planes, one per
// decision. If the context ends purification, it returns the current point, which need not be
// extreme, and nil if there is none yet.
func newGTOVertex(p *pulse.Pulse, m *marginRows, e *gtoError, start []marginPlane, seed uint64) *gtoVertex {
	v := &gtoVertex{Pulse: p, m: m, err: e}
	var last *arrangement
	for d := range e.layout.decisions {
		a := newArrangement(p, m.x, m.n, m.p, gtoSides(m, e.layout, d), seed+uint64(d), last)
		if p.Ended() {
			return nil
		}
		if last = a; a.q > 0 {
			a.place(a.express(m, outside(start[d])))
		}
		v.base = append(v.base, len(v.edgeOf))
		for k := range a.q {
			v.edgeOf = append(v.edgeOf, gtoEdge{d, k})
		}
		for side := range 2 {
			if a.q == 0 {
				continue
			}
			for _, g := range a.margin[side] {
				if g == g {
					v.planes++
				}
			}
		}
		v.weights += m.p + 1
		v.blocks = append(v.blocks, a)
	}
	if p.Ended() {
		return nil
	}
	v.met = make([][2]meeting, len(v.edgeOf))
	v.metGood = make([]bool, len(v.edgeOf))
	v.tight = make([]int32, 2*m.n*len(v.blocks))
	for i := range v.tight {
		v.tight[i] = -1
	}
	v.wrong = math.Inf(1)
	for d := range v.blocks {
		v.acts = append(v.acts, v.activities(d))
	}
	v.setAll()
	v.purify()
	return v
}

// gtoSides returns which planes the rows have at a decision; of rows with equal features, the first
// has the planes of all.
func gtoSides(m *marginRows, l *gtoLayout, d int) []uint8 {
	sides := make([]uint8, m.n)
	for c := range l.leaves {
		for i := m.first[c]; i < m.first[c+1]; i++ {
			for side, need := range l.sides[d][c] {
				if need {
					sides[m.twin[i]] |= 1 << side
				}
			}
		}
	}
	return sides
}

// express returns z with the activities of h on the rows with a plane: it expresses weights of
// dependent features by the other features (least squares).
func (a *arrangement) express(m *marginRows, h marginPlane) []float64 {
	z := make([]float64, a.q)
	kept := make([]bool, m.p)
	for k, j := range a.features {
		z[k], kept[j] = h.w[j], true
	}
	z[a.q-1] = h.gamma
	dropped := false
	for j, w := range h.w {
		dropped = dropped || w != 0 && !kept[j]
	}
	if !dropped {
		return z
	}
	for k, f := range a.missing(m, h, kept) {
		z[k] += f
	}
	return z
}

// missing returns the change of z that replaces the weights of features that are not kept, by least
// squares over the rows with a plane; nil if that is singular or the context ends.
func (a *arrangement) missing(m *marginRows, h marginPlane, kept []bool) []float64 {
	q := a.q
	normal, right := make([]float64, q*q), make([]float64, q) // normal equations
	for i := range a.n {
		if a.Spend(q * q) {
			return nil
		}
		if a.margin[0][i] != a.margin[0][i] && a.margin[1][i] != a.margin[1][i] {
			continue
		}
		row, missing := a.rows[i*q:(i+1)*q], 0.0
		for j, w := range h.w {
			if !kept[j] {
				missing += w * m.row(i)[j]
			}
		}
		for r, f := range row {
			subtract(normal[r*q:(r+1)*q], row, -f)
		}
		subtract(right, row, -missing)
	}
	var fix mat.VecDense
	if err := fix.SolveVec(mat.NewDense(q, q, normal), mat.NewVecDense(q, right)); err != nil {
		return nil
	}
	return fix.RawVector().Data
}

// setAll sets the activities of all decisions.
func (v *gtoVertex) setAll() {
	for d := range v.blocks {
		v.err.set(d, v.acts[d])
		v.forget(d)
	}
	v.err.update(-1)
	v.current = v.err.value()
}

// activities returns the activities of decision d, zeros if no row depends on it.
func (v *gtoVertex) activities(d int) []float64 {
	if v.blocks[d].q == 0 {
		return make([]float64, v.m.n)
	}
	return v.blocks[d].act
}

// purify moves from the current point to an extreme point that misclassifies no training row that
// the current point classifies correctly (Bennett & Blue 1996, theorem 4.1). Its linear program
// (21) minimises the sum of the decision errors y that are 0 on the path to a leaf where a row is
// correct. Its minimum, 0, is attained at the current point (outside, which moves all rows that
// satisfy their margins beyond the perturbed margins). So any vertex of the program's optimal face
// suffices, and purify takes the greedy one: one artificial basis position after another is
// replaced by the first plane met along its edge, each time with the edge and direction of minimum
// error. No plane is crossed, and no y that is 0 rises. If the context ends it, the current point
// need not be extreme.
func (v *gtoVertex) purify() {
	for ; ; v.Spend(v.cells() * v.edges()) {
		best, least := -1, math.Inf(1)
		for e := range v.edges() {
			if v.Spend(v.cells()) {
				return
			}
			at := v.edgeOf[e/2]
			if v.blocks[at.d].basis[at.k] != artificial || v.meeting(e).v == artificial {
				continue
			}
			if f := v.value(e, least); f < least || best < 0 {
				best, least = e, f
			}
		}
		if best < 0 {
			return
		}
		v.step(best)
	}
}

// outside scales a decision so that a row on its margin, 1, is beyond the perturbed margin, at most
// 1 + 1.5 perturbation, and its rounding.
func outside(h marginPlane) marginPlane {
	const by = 1 + 2*perturbation
	scaled := marginPlane{slices.Clone(h.w), by * h.gamma}
	for j := range scaled.w {
		scaled.w[j] *= by
	}
	return scaled
}

// columns returns the size of the standard form: y and s of every plane, w and gamma.
func (v *gtoVertex) columns() int { return 2*v.planes + v.weights }

// variables returns an upper limit on the numbers of variables.
func (v *gtoVertex) variables() int { return 2 * len(v.tight) }

// cells returns the work of a ratio test and an error.
func (v *gtoVertex) cells() int { return 2 * v.m.n }

// edges returns the number of edges: edge 2(base+k) goes forward along edge k of a decision, the
// next one backward.
func (v *gtoVertex) edges() int { return 2 * len(v.edgeOf) }

func (v *gtoVertex) meeting(e int) meeting {
	if !v.metGood[e/2] {
		at := v.edgeOf[e/2]
		up, down := v.blocks[at.d].meetings(at.k)
		v.met[e/2], v.metGood[e/2] = [2]meeting{up, down}, true
	}
	return v.met[e/2][e&1]
}

// forget invalidates the meetings along the edges of decision d.
func (v *gtoVertex) forget(d int) { clear(v.metGood[v.base[d] : v.base[d]+v.blocks[d].q]) }

// plane returns the number of a plane among those of all decisions.
func (v *gtoVertex) plane(d int, p int32) int { return 2*d*v.m.n + int(p) }

// move returns the variables that enter and leave the basis along an edge; false for a ray.
func (v *gtoVertex) move(e int) (enters, leaves int, ok bool) {
	m := v.meeting(e)
	at := v.edgeOf[e/2]
	a := v.blocks[at.d]
	from := a.basis[at.k]
	if m.v == artificial || from == artificial {
		return 0, 0, false
	}
	enters = 2 * v.plane(at.d, from)
	if (e^int(from))&1 == 1 { // left plane backward, right plane forward: satisfied
		enters++
	}
	leaves = 2 * v.plane(at.d, m.v)
	act := a.act[m.v>>1]
	if violated := m.v&1 == 0 && act > a.planeOffset(m.v) || m.v&1 == 1 && act < a.planeOffset(m.v); !violated {
		leaves++
	}
	return enters, leaves, true
}

// edge returns the edge along which a variable enters, -1 if it is basic.
func (v *gtoVertex) edge(enters int) int {
	p := enters / 2
	k := v.tight[p]
	if k < 0 {
		return -1
	}
	d := p / (2 * v.m.n)
	way := (enters ^ p) & 1 // as in move: y goes forward off a left plane, backward off a right one
	return 2*(v.base[d]+int(k)) + way
}

// value returns the error at the other end of an edge, or some value larger than enough.
func (v *gtoVertex) value(e int, enough float64) float64 {
	at := v.edgeOf[e/2]
	a := v.blocks[at.d]
	return v.err.along(at.d, a.act, a.table[at.k*a.n:(at.k+1)*a.n], v.meeting(e).t, enough)
}

// step moves along an edge.
func (v *gtoVertex) step(e int) {
	m := v.meeting(e)
	at := v.edgeOf[e/2]
	a := v.blocks[at.d]
	if from := a.basis[at.k]; from != artificial {
		v.tight[v.plane(at.d, from)] = -1
	}
	v.tight[v.plane(at.d, m.v)] = int32(at.k)
	a.pivot(at.k, m)
	v.forget(at.d)
	v.err.set(at.d, a.act)
	v.err.update(at.d)
	v.current = v.err.along(at.d, a.act, a.act, 0, math.Inf(1))
	if v.watching {
		v.watch()
	}
}

// objective returns the error at the current point.
func (v *gtoVertex) objective() float64 { return v.current }

// keep remembers the current point as the one with the minimum error.
func (v *gtoVertex) keep() { v.best.take(v.blocks) }

// gtoPoint is a remembered extreme point.
type gtoPoint struct {
	basis [][]int32   // (D)
	z     [][]float64 // (D)
}

func (p *gtoPoint) take(blocks []*arrangement) {
	if p.basis == nil {
		p.basis, p.z = make([][]int32, len(blocks)), make([][]float64, len(blocks))
		for d, a := range blocks {
			p.basis[d], p.z[d] = slices.Clone(a.basis), slices.Clone(a.z)
		}
		return
	}
	for d, a := range blocks {
		copy(p.basis[d], a.basis)
		copy(p.z[d], a.z)
	}
}

// recall moves to a remembered point, with exact margins, and stays there.
func (v *gtoVertex) recall(p *gtoPoint) {
	for d, a := range v.blocks {
		if a.q == 0 {
			continue
		}
		copy(a.basis, p.basis[d])
		a.perturb(0)
		if !a.settlePoint() {
			a.place(p.z[d])
		}
	}
	v.setAll()
}

// revisit moves to a remembered point as it was visited, with perturbed margins, and stays there. A
// row midway between two margins is on the hyperplane of the exact ones, and may be lost there.
func (v *gtoVertex) revisit(p *gtoPoint) {
	for d, a := range v.blocks {
		if a.q > 0 {
			a.perturb(perturbation)
			a.place(p.z[d])
		}
	}
	v.setAll()
}

// watch keeps the point whose tree misclassifies the minimum weight of training rows, of equal ones
// the one with the minimum error.
func (v *gtoVertex) watch() {
	w := v.err.wrong(v.acts)
	if w > v.wrong || w == v.wrong && v.current >= v.wrongAt {
		return
	}
	v.wrong, v.wrongAt = w, v.current
	v.fewest.take(v.blocks)
}

// fewer reports whether the best point that v watched has fewer errors than that of u.
func (v *gtoVertex) fewer(u *gtoVertex) bool {
	return v.wrong < u.wrong || v.wrong == u.wrong && v.wrongAt < u.wrongAt
}

// decisions returns the planes of the current point.
func (v *gtoVertex) decisions() []marginPlane {
	planes := make([]marginPlane, len(v.blocks))
	for d, a := range v.blocks {
		planes[d] = a.plane(v.m.p)
		planes[d].clean()
	}
	return planes
}

// isBasic reports whether a variable is basic at the current point.
func (v *gtoVertex) isBasic(variable int) bool {
	p := variable / 2
	d := p / (2 * v.m.n)
	a := v.blocks[d]
	if a.q == 0 || v.tight[p] >= 0 {
		return false
	}
	plane := int32(p - 2*d*v.m.n)
	offset, act := a.planeOffset(plane), a.act[plane>>1]
	violated := plane&1 == 0 && act > offset || plane&1 == 1 && act < offset
	return offset == offset && violated == (variable&1 == 0)
}
