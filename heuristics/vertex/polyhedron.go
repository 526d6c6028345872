package vertex

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/octgen/octgen/internal/pulse"
)

// StandardForm is the polyhedron {x : Ax = b, x >= 0}, problem (23) of Bennett &
// Blue (1996). Rows may depend on each other.
type StandardForm struct {
	Rows, Cols int
	A          []float64 // (Rows, Cols) row-major
	B          []float64 // (Rows)
}

// ErrNoExtremePoint is returned by ExtremePointSearch for an empty polyhedron.
var ErrNoExtremePoint = errors.New("the polyhedron {x : Ax = b, x >= 0} is empty")

// ExtremePointOptions are the settings of ExtremePointSearch.
type ExtremePointOptions struct {
	// Basis is where to start: columns that are independent, as many as the rank of
	// A, with a nonnegative solution. nil: a basis found by the first phase of the
	// simplex method.
	Basis []int
	// Floor is a lower bound on the objective at which the search may end; the zero
	// value is not one: set HasFloor.
	Floor    float64
	HasFloor bool
	Tabu     TabuOptions
}

// ExtremePointResult is what ExtremePointSearch returns.
type ExtremePointResult struct {
	X         []float64 // (Cols) the best extreme point
	Basis     []int     // its basic columns, ascending
	Objective float64
	Stats     TabuStats
}

// ExtremePointSearch is extreme point tabu search (Algorithm 5.2, see EPTS) for any
// objective f over the extreme points of a polyhedron; f need be neither linear nor
// continuous. It must not keep or change its argument (Cols values), and NaN counts
// as worse than anything. With m rows and c columns an iteration costs O(m c), and
// each of the at most c - m neighbours evaluated O(m + c) and one call of f.
func ExtremePointSearch(ctx context.Context, form StandardForm, f func(x []float64) float64, o ExtremePointOptions) (*ExtremePointResult, error) {
	begin := time.Now()
	if err := form.validate(); err != nil {
		return nil, err
	}
	if err := o.Tabu.validate("extreme point search"); err != nil {
		return nil, err
	}
	if o.Tabu.TimeLimit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, o.Tabu.TimeLimit)
		defer cancel()
	}
	p := pulse.New(ctx)
	s := newTableau(form)
	if err := s.enter(o.Basis); err != nil {
		return nil, err
	}
	s.start(f)
	floor := math.Inf(-1)
	if o.HasFloor {
		floor = o.Floor
	}
	res := &ExtremePointResult{}
	res.Stats = runTabuSearch(p, s, func(v int) bool { return s.at[v] >= 0 }, o.Tabu, floor)
	res.X, res.Basis = s.bestX, s.bestBasis
	slices.Sort(res.Basis)
	res.Objective = f(slices.Clone(res.X))
	res.Stats.Total = time.Since(begin)
	return res, nil
}

func (p *StandardForm) validate() error {
	if p.Rows < 1 || p.Cols < 1 || len(p.A) != p.Rows*p.Cols || len(p.B) != p.Rows {
		return fmt.Errorf("extreme point search: %d rows and %d columns with %d coefficients and %d right-hand sides", p.Rows, p.Cols, len(p.A), len(p.B))
	}
	for k, v := range p.A {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("extreme point search: A in row %d, column %d is %v; a finite number is needed", k/p.Cols, k%p.Cols, v)
		}
	}
	for i, v := range p.B {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("extreme point search: b in row %d is %v; a finite number is needed", i, v)
		}
	}
	return nil
}

// tableau is B^-1 [A b] at a basis B. It is the vertexSpace of the search.
type tableau struct {
	StandardForm
	t      []float64 // (m, Cols+1)
	m      int       // rows that are independent
	basis  []int     // (m) columns
	at     []int     // (Cols) row of a basic column, -1
	free   []int     // (Cols-m) nonbasic columns: edge e lets free[e] enter
	edgeAt []int     // (Cols) position in free

	f         func([]float64) float64
	x, probe  []float64 // (Cols)
	current   float64
	bestX     []float64
	bestBasis []int
	pivots    int
}

// pivotNoise is the size, relative to the largest coefficient, below which an entry
// of the tableau counts as 0.
const pivotNoise = 1e-9

func newTableau(p StandardForm) *tableau {
	s := &tableau{StandardForm: p, m: p.Rows, basis: make([]int, p.Rows), at: make([]int, p.Cols)}
	w := p.Cols + 1
	s.t = make([]float64, p.Rows*w)
	for i := range p.Rows {
		copy(s.t[i*w:], p.A[i*p.Cols:(i+1)*p.Cols])
		s.t[i*w+p.Cols] = p.B[i]
		s.basis[i] = -1
	}
	for j := range s.at {
		s.at[j] = -1
	}
	return s
}

func (s *tableau) row(i int) []float64 { return s.t[i*(s.Cols+1) : (i+1)*(s.Cols+1)] }

// exchange makes column j basic in row i.
func (s *tableau) exchange(i, j int) {
	pivot := s.row(i)
	f := 1 / pivot[j]
	for k := range pivot {
		pivot[k] *= f
	}
	pivot[j] = 1
	for r := range s.m {
		if row := s.row(r); r != i && row[j] != 0 {
			subtract(row, pivot, row[j])
			row[j] = 0
		}
	}
	if old := s.basis[i]; old >= 0 {
		s.at[old] = -1
	}
	s.basis[i], s.at[j] = j, i
}

// enter goes to the basis given or, with nil, to one found by phase 1.
func (s *tableau) enter(basis []int) error {
	if basis == nil {
		return s.phaseOne()
	}
	for _, j := range basis {
		if j < 0 || j >= s.Cols || s.at[j] >= 0 {
			return fmt.Errorf("extreme point search: the basis names column %d, which is out of range or there twice", j)
		}
		best := -1
		for i := range s.m {
			if s.basis[i] < 0 && (best < 0 || math.Abs(s.row(i)[j]) > math.Abs(s.row(best)[j])) {
				best = i
			}
		}
		if best < 0 || math.Abs(s.row(best)[j]) <= pivotNoise {
			return fmt.Errorf("extreme point search: column %d of the basis depends on the columns before it", j)
		}
		s.exchange(best, j)
	}
	if err := s.dropRows(); err != nil {
		return err
	}
	for i, j := range s.basis {
		if v := s.row(i)[s.Cols]; v < -1e-9 {
			return fmt.Errorf("extreme point search: the basis is not feasible: column %d is %v", j, v)
		}
	}
	return nil
}

// dropRows drops the rows that no column holds, which must be 0 = 0.
func (s *tableau) dropRows() error {
	kept := 0
	for i := range s.m {
		if s.basis[i] < 0 {
			for j, v := range s.row(i) {
				if math.Abs(v) > 1e-7 {
					if j == s.Cols {
						return ErrNoExtremePoint
					}
					return errors.New("extreme point search: the basis has fewer columns than the rank of A")
				}
			}
			continue
		}
		if kept != i {
			copy(s.row(kept), s.row(i))
			s.basis[kept] = s.basis[i]
			s.at[s.basis[kept]] = kept
		}
		kept++
	}
	s.m, s.basis, s.t = kept, s.basis[:kept], s.t[:kept*(s.Cols+1)]
	return nil
}

// phaseOne minimises the sum of artificial columns, which are rows without a basic
// column, by Bland's rule.
func (s *tableau) phaseOne() error {
	scale := 0.0
	for i := range s.m {
		row := s.row(i)
		if row[s.Cols] < 0 {
			for k := range row {
				row[k] = -row[k]
			}
		}
		scale = max(scale, row[s.Cols])
	}
	for {
		enters := -1
		for j := 0; j < s.Cols && enters < 0; j++ {
			gain := 0.0
			for i, b := range s.basis {
				if b < 0 {
					gain += s.row(i)[j]
				}
			}
			if s.at[j] < 0 && gain > pivotNoise {
				enters = j
			}
		}
		if enters < 0 {
			break
		}
		i := s.leaving(enters)
		if i < 0 {
			break // cannot be: the sum is bounded below
		}
		s.exchange(i, enters)
	}
	for i, b := range s.basis { // artificial columns at 0 leave, if they can
		if b >= 0 {
			continue
		}
		if s.row(i)[s.Cols] > 1e-7*(1+scale) {
			return ErrNoExtremePoint
		}
		s.row(i)[s.Cols] = 0
		best := -1
		for j := range s.Cols {
			if s.at[j] < 0 && (best < 0 || math.Abs(s.row(i)[j]) > math.Abs(s.row(i)[best])) {
				best = j
			}
		}
		if best >= 0 && math.Abs(s.row(i)[best]) > 1e-7 {
			s.exchange(i, best)
		}
	}
	return s.dropRows()
}

// leaving is the ratio test: the row whose column leaves for column j, of equal ones
// that of the lowest column (artificial ones first); -1 for a ray.
func (s *tableau) leaving(j int) int {
	best, least := -1, math.Inf(1)
	for i := range s.m {
		row := s.row(i)
		if row[j] <= pivotNoise {
			continue
		}
		t := max(row[s.Cols], 0) / row[j]
		if best < 0 || t < least-1e-12 || t <= least+1e-12 && s.basis[i] < s.basis[best] {
			best, least = i, min(t, least)
		}
	}
	return best
}

// start makes the edges and evaluates the first point.
func (s *tableau) start(f func([]float64) float64) {
	s.f = func(x []float64) float64 {
		if v := f(x); v == v {
			return v
		}
		return math.Inf(1)
	}
	s.edgeAt = make([]int, s.Cols)
	for j := range s.Cols {
		s.edgeAt[j] = -1
		if s.at[j] < 0 {
			s.edgeAt[j] = len(s.free)
			s.free = append(s.free, j)
		}
	}
	s.x, s.probe = make([]float64, s.Cols), make([]float64, s.Cols)
	s.point(s.x, -1, 0)
	copy(s.probe, s.x)
	s.current = s.f(s.probe)
}

// point fills in x at the step t of the entering column, -1 for none.
func (s *tableau) point(x []float64, enters int, t float64) {
	clear(x)
	for i, j := range s.basis {
		row := s.row(i)
		v := row[s.Cols]
		if enters >= 0 {
			v -= t * row[enters]
		}
		x[j] = max(v, 0) // rounding
	}
	if enters >= 0 {
		x[enters] = t
	}
}

func (s *tableau) columns() int       { return s.Cols }
func (s *tableau) variables() int     { return s.Cols }
func (s *tableau) edges() int         { return len(s.free) }
func (s *tableau) edge(v int) int     { return s.edgeAt[v] }
func (s *tableau) cells() int         { return pulse.Cells } // the user's objective may cost anything
func (s *tableau) objective() float64 { return s.current }

func (s *tableau) move(e int) (enters, leaves int, ok bool) {
	i := s.leaving(s.free[e])
	if i < 0 {
		return 0, 0, false
	}
	return s.free[e], s.basis[i], true
}

func (s *tableau) value(e int, _ float64) float64 {
	j := s.free[e]
	i := s.leaving(j)
	row := s.row(i)
	s.point(s.probe, j, max(row[s.Cols], 0)/row[j])
	s.probe[s.basis[i]] = 0
	return s.f(s.probe)
}

func (s *tableau) step(e int) {
	j := s.free[e]
	i := s.leaving(j)
	old := s.basis[i]
	s.exchange(i, j)
	s.free[e], s.edgeAt[old], s.edgeAt[j] = old, e, -1
	if s.pivots++; s.pivots%refreshEvery == 0 {
		s.refresh()
	}
	s.point(s.x, -1, 0)
	copy(s.probe, s.x)
	s.current = s.f(s.probe)
}

func (s *tableau) keep() {
	s.bestX, s.bestBasis = append(s.bestX[:0], s.x...), append(s.bestBasis[:0], s.basis...)
}

// refresh computes the tableau afresh, unless that meets a singular basis.
func (s *tableau) refresh() {
	fresh := newTableau(s.StandardForm)
	if fresh.enter(s.basis) != nil || fresh.m != s.m {
		return
	}
	s.t, s.basis, s.at = fresh.t, fresh.basis, fresh.at
}
