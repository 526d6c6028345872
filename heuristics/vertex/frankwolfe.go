package vertex

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate/gto"
	"github.com/octgen/octgen/heuristics/hinge"
	"github.com/octgen/octgen/internal/pulse"
)

// FrankWolfeOptions are the settings of FrankWolfe.
type FrankWolfeOptions struct {
	GTOStart
	Iterations int     // 0: 1000
	Gap        float64 // relative gap of the linearisation that counts as 0; 0: 1e-8
	// FewestErrors returns the visited point whose tree has the minimum training error weight (of
	// equal ones the last) instead of the last point.
	FewestErrors bool
	// Notify, if not nil, is called after every iteration.
	Notify func(iteration int, best float64)

	visited func(d int, h marginPlane) // for tests: every optimum of a subproblem
}

// FrankWolfeStats describes a run of FrankWolfe.
type FrankWolfeStats struct {
	Iterations int
	Pivots     int     // in the linear subproblems
	Gap        float64 // final relative gap of the linearisation
	Stationary bool    // the gap is closed: the minimum principle holds
	Stopped    bool    // by the context
	Start      float64 // error at the start
	Total      time.Duration
}

// FrankWolfeResult is the result of FrankWolfe.
type FrankWolfeResult struct {
	GTOResult
	Stats FrankWolfeStats
}

// FrankWolfe minimises the product error (20), p = 1, by Algorithm 5.1 of Bennett & Blue (1996):
//
//  1. v minimises the linearised error grad f(x).v over the polyhedron.
//  2. Stop if grad f(x).v = grad f(x).x.
//  3. x becomes the point with the minimum error between x and v.
//
// The linearised error has a cost >= 0 for each y, so that 1 separates into a convex piecewise
// linear problem per decision, solved by the descent of RLP from the last optimum. The error
// between x and v is a polynomial, whose degree is the maximum number of leaves of a class; it is
// minimised exactly. After 3 every y is reset to its plus-function, which never raises the error.
// The method ends at a point that satisfies the minimum principle, or at a limit; each iteration
// costs the pivots, O(n p) each, and O(n x leaves).
//
// Errors are those of EPTS.
func FrankWolfe(ctx context.Context, ds *dataset.Dataset, o FrankWolfeOptions) (*FrankWolfeResult, error) {
	begin := time.Now()
	switch {
	case o.Iterations < 0:
		return nil, errors.New("frank-wolfe: limits must not be negative (0: default)")
	case !(o.Gap >= 0):
		return nil, fmt.Errorf("frank-wolfe: the gap is %v; want 0 (default) or more", o.Gap)
	}
	if o.Iterations == 0 {
		o.Iterations = 1000
	}
	if o.Gap == 0 {
		o.Gap = 1e-8
	}
	p, err := o.prepare(ctx, ds)
	if err != nil {
		return nil, fmt.Errorf("frank-wolfe: %w", err)
	}
	looks := pulse.New(ctx)
	res := &FrankWolfeResult{}
	planes := p.planes
	if s := newFrankWolfe(looks, p, o); s != nil {
		res.Stats = s.run(o)
		if o.FewestErrors {
			s.recall()
		}
		planes, res.Objective = s.decisions(), s.err.value()
	} else {
		res.Objective = newGTOError(p.m, p.layout, gto.ProductError).of(planes)
		res.Stats = FrankWolfeStats{Start: res.Objective, Gap: 1, Stopped: true}
	}
	res.Tree, res.Reduced, err = p.trees(planes)
	res.Stats.Total = time.Since(begin)
	return res, err
}

// frankWolfe is the state of a run. Decisions on which no row depends have no block.
type frankWolfe struct {
	*pulse.Pulse
	p      *gtoProblem
	err    *gtoError
	blocks []*fwBlock    // (D) at an optimum of the last subproblem; nil if no row depends on the decision
	point  []marginPlane // (D)
	act    [][]float64   // (D) its activities
	leaf   []float64     // of one row: its error at the leaves of its class

	wrong float64       // minimum training error weight so far
	few   []marginPlane // (D) the point with that weight
}

// fwBlock is the subproblem of a decision: one hinge per plane of a row.
type fwBlock struct {
	*hinge.Program
	at [2][]int32 // (n) hinge of the row's left and right plane
}

// newFrankWolfe returns the search at its start; nil if the context ends before.
func newFrankWolfe(pulse *pulse.Pulse, p *gtoProblem, o FrankWolfeOptions) *frankWolfe {
	s := &frankWolfe{Pulse: pulse, p: p, err: newGTOError(p.m, p.layout, gto.ProductError), point: slices.Clone(p.planes)}
	for d := range p.layout.decisions {
		s.blocks = append(s.blocks, newFWBlock(pulse, p.m, gtoSides(p.m, p.layout, d), p.planes[d], o.Seed+uint64(d)))
		if pulse.Ended() {
			return nil
		}
	}
	s.leaf = make([]float64, len(p.layout.class))
	s.act = p.m.activities(s.point)
	s.wrong = math.Inf(1)
	s.reset()
	return s
}

func newFWBlock(p *pulse.Pulse, m *marginRows, sides []uint8, start marginPlane, seed uint64) *fwBlock {
	jitter := marginNoise(m.n, seed)
	b := &fwBlock{at: [2][]int32{make([]int32, m.n), make([]int32, m.n)}}
	var rows [][]float64
	var signs, noise []float64
	for i, has := range sides {
		for side := range 2 {
			if has>>side&1 == 1 {
				b.at[side][i] = int32(len(rows))
				rows, signs, noise = append(rows, m.row(i)), append(signs, float64(2*side-1)), append(noise, jitter[side][i])
			}
		}
	}
	if len(rows) == 0 {
		return nil
	}
	b.Program = hinge.New(p, rows, m.p)
	b.Sign, b.Noise = signs, noise
	for k := range b.Margin {
		b.Margin[k] = 1
	}
	b.Start(start.w, start.gamma)
	return b
}

// activities returns the activities of planes, one per decision.
func (m *marginRows) activities(planes []marginPlane) [][]float64 {
	acts := make([][]float64, len(planes))
	for d, h := range planes {
		acts[d] = make([]float64, m.n)
		for i := range acts[d] {
			acts[d][i] = h.activity(m.row(i))
		}
	}
	return acts
}

// reset sets every y to its plus-function, and keeps the point if its tree is the best so far.
func (s *frankWolfe) reset() {
	for d, act := range s.act {
		s.err.set(d, act)
	}
	w := s.err.wrong(s.act)
	if w > s.wrong {
		return
	}
	s.wrong = w
	s.few = slices.Clone(s.point) // planes are replaced, never modified
}

// recall moves to the point of the best tree.
func (s *frankWolfe) recall() {
	s.point, s.act = s.few, s.p.m.activities(s.few)
	s.reset()
}

func (s *frankWolfe) run(o FrankWolfeOptions) FrankWolfeStats {
	stats := FrankWolfeStats{Start: s.err.value()}
	for stats.Iterations < o.Iterations {
		if s.Ended() {
			stats.Stopped = true
			return stats
		}
		here, there := s.linearise(), 0.0
		to := slices.Clone(s.point)
		for d, b := range s.blocks {
			if b == nil {
				continue
			}
			h, end := solved(b.Program, math.MaxInt)
			stats.Pivots += end.steps
			if end.stopped {
				stats.Stopped = true
				return stats
			}
			there += end.value
			to[d] = h
			if o.visited != nil {
				o.visited(d, h)
			}
		}
		if stats.Gap = (here - there) / max(here, 1e-300); here-there <= o.Gap*here {
			stats.Stationary = true
			return stats
		}
		stats.Iterations++
		acts := s.p.m.activities(to)
		s.advance(to, acts, minimizePolynomial(s.between(acts)))
		if o.Notify != nil {
			o.Notify(stats.Iterations, s.err.value())
		}
	}
	return stats
}

// linearise sets the costs of the subproblems to the gradient of the error in y, and returns
// gradient.y at the current point.
func (s *frankWolfe) linearise() float64 {
	for _, b := range s.blocks {
		if b != nil {
			clear(b.Weight)
		}
	}
	m, l, here := s.p.m, s.p.layout, 0.0
	for c, leaves := range l.leaves {
		for i := m.first[c]; i < m.first[c+1]; i++ {
			for q, k := range leaves {
				s.leaf[q] = s.err.leafError(k, i, -1)
			}
			for q, k := range leaves {
				price := m.ds.Weight[i]
				for other := range leaves {
					if other != q {
						price *= s.leaf[other]
					}
				}
				if price == 0 {
					continue
				}
				here += price * s.leaf[q]
				for _, slot := range l.path[k] {
					b := s.blocks[slot/2]
					b.Weight[b.at[slot&1][m.twin[i]]] += price
				}
			}
		}
	}
	return here
}

// between returns the coefficients, constant first, of the error at (1 - t) y + t v as a polynomial
// in t, where v has these activities.
func (s *frankWolfe) between(acts [][]float64) []float64 {
	m, l := s.p.m, s.p.layout
	degree := 0
	for _, leaves := range l.leaves {
		degree = max(degree, len(leaves))
	}
	sum, row := make([]float64, degree+1), make([]float64, degree+1)
	for c, leaves := range l.leaves {
		for i := m.first[c]; i < m.first[c+1]; i++ {
			clear(row)
			row[0] = m.ds.Weight[i]
			for q, k := range leaves {
				from, to := s.err.leafError(k, i, -1), s.vertexLeafError(acts, k, i)
				for j := q + 1; j > 0; j-- {
					row[j] = row[j]*from + row[j-1]*(to-from)
				}
				row[0] *= from
			}
			for j, v := range row[:len(leaves)+1] {
				sum[j] += v
			}
		}
	}
	return sum
}

// vertexLeafError returns the leaf error at the vertices of the subproblems.
func (s *frankWolfe) vertexLeafError(acts [][]float64, k, i int) float64 {
	v := 0.0
	for _, slot := range s.p.layout.path[k] {
		a := acts[slot/2][i]
		if slot&1 == 1 {
			a = -a
		}
		v += max(a+1, 0)
	}
	return v
}

// advance moves a fraction t of the way to planes.
func (s *frankWolfe) advance(to []marginPlane, acts [][]float64, t float64) {
	for d, h := range to {
		z := marginPlane{slices.Clone(s.point[d].w), (1-t)*s.point[d].gamma + t*h.gamma}
		mix(z.w, h.w, t)
		s.point[d] = z
		mix(s.act[d], acts[d], t)
	}
	s.reset()
}

// mix computes x = (1 - t) x + t y, exactly y if t is 1.
func mix(x, y []float64, t float64) {
	for i, v := range y {
		x[i] = (1-t)*x[i] + t*v
	}
}

func (s *frankWolfe) decisions() []marginPlane {
	planes := make([]marginPlane, len(s.blocks))
	for d, b := range s.blocks {
		planes[d] = marginPlane{make([]float64, s.p.m.p), 1}
		if b == nil {
			continue
		}
		planes[d] = s.point[d]
		planes[d].clean()
	}
	return planes
}

// minimizePolynomial returns the t in [0, 1] that minimises a polynomial, given its coefficients
// from the constant up; of equal ones the largest.
func minimizePolynomial(c []float64) float64 {
	best, least := 1.0, evaluate(c, 1)
	for _, t := range append(rootsWithin(derivative(c)), 0) {
		if v := evaluate(c, t); v < least {
			best, least = t, v
		}
	}
	return best
}

func evaluate(c []float64, t float64) float64 {
	v := 0.0
	for j := len(c) - 1; j >= 0; j-- {
		v = v*t + c[j]
	}
	return v
}

func derivative(c []float64) []float64 {
	if len(c) < 2 {
		return nil
	}
	d := make([]float64, len(c)-1)
	for j := range d {
		d[j] = float64(j+1) * c[j+1]
	}
	return d
}

// rootsWithin returns the points of (0, 1) at which a polynomial changes sign: between two
// neighbouring extrema there is at most one, found by bisection.
func rootsWithin(c []float64) []float64 {
	if len(c) < 2 {
		return nil
	}
	ends := append(append([]float64{0}, rootsWithin(derivative(c))...), 1)
	var roots []float64
	for k := 1; k < len(ends); k++ {
		low, high := ends[k-1], ends[k]
		rising := evaluate(c, low) < 0
		if a, b := evaluate(c, low), evaluate(c, high); a == 0 || a > 0 == (b > 0) {
			continue
		}
		for range 200 {
			mid := (low + high) / 2
			if mid <= low || mid >= high {
				break
			}
			if evaluate(c, mid) < 0 == rising {
				low = mid
			} else {
				high = mid
			}
		}
		roots = append(roots, low)
	}
	return roots
}
