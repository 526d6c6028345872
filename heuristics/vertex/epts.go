package vertex

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate/gto"
	"github.com/octgen/octgen/internal/pulse"
	"github.com/octgen/octgen/tree"
)

// EPTSOptions are the settings of EPTS. The zero value minimises the product error of the full tree
// of depth 2 from the greedy start, with the paper's parameters.
type EPTSOptions struct {
	GTOStart
	Objective gto.Objective // default ProductError, the paper's best
	// FewestErrors returns the visited extreme point whose tree has the minimum training error
	// weight (of equal ones the one with the minimum error) instead of the point with the minimum
	// error. The search is the same.
	FewestErrors bool
	Tabu         TabuOptions
}

// GTOResult is the result of EPTS and FrankWolfe.
type GTOResult struct {
	Tree *tree.Tree // with all decisions of the structure, annotated
	// Reduced gives the same predictions on finite features. It is Tree without the decisions whose
	// weights are all 0: these send everything to one side, and Tree represents them with a
	// negligible weight.
	Reduced   *tree.Tree
	Objective float64 // error of the tree as defined by gto.Formulation
}

// EPTSResult is the result of EPTS.
type EPTSResult struct {
	GTOResult
	Stats TabuStats
}

// EPTS is extreme point tabu search on the global tree optimization problem (Bennett & Blue 1996,
// Algorithm 5.2):
//
//  1. Start at an extreme point: the purified decisions of the start, see [gtoProblem.vertex].
//  2. Improve: take the first improving move of the candidate list that is not tabu, or that
//     leads to a new best. If the list is too short, rebuild it from all improving moves, and take
//     the best move of all that is not tabu.
//  3. After a period without progress, diversify: take moves that minimise the error plus a
//     penalty on variables that have been basic often. Then return to 2.
//
// A move goes along an edge to the next extreme point, that is, to the next vertex of the margin
// planes of one decision. Objectives are the product, minimum and count error with p = 1. The
// search ends after Tabu.Iterations, at error 0, or by ctx, and returns the best
// extreme point with exact margins. For the count error, it goes a millionth beyond them, so that
// rounding leaves no row short of its margin. If there was no time for an extreme point, it returns
// the start as far as it was computed; its other decisions send all rows towards the heaviest
// class.
//
// With n rows, p features and D decisions, an iteration costs O(n p) for the pivot, O(n p) for new
// ratio tests, O(n D) for new coefficients, and O(n) per evaluated neighbour, of which there are 2
// D (p+1).
//
// Errors: invalid options; a structure that does not suit the data; a start that cannot be laid
// over it (formulate.ErrNoStart); data for which the single leaf is optimal
// (formulate.ErrSingleLeaf).
func EPTS(ctx context.Context, ds *dataset.Dataset, o EPTSOptions) (*EPTSResult, error) {
	begin := time.Now()
	if err := o.Tabu.validate("epts"); err != nil {
		return nil, err
	}
	if o.Objective == "" {
		o.Objective = gto.ProductError
	}
	if err := (gto.Options{Objective: o.Objective}).Validate(); err != nil {
		return nil, fmt.Errorf("epts: %w", err)
	}
	p, err := o.prepare(ctx, ds)
	if err != nil {
		return nil, fmt.Errorf("epts: %w", err)
	}
	e, looks := newGTOError(p.m, p.layout, o.Objective), pulse.New(ctx)
	res := &EPTSResult{}
	planes := p.planes
	if v, other := p.vertex(looks, e, o.Seed); v != nil {
		if v.watching = o.FewestErrors; v.watching {
			v.watch()
		}
		res.Stats = runTabuSearch(looks, v, v.isBasic, o.Tabu)
		if o.FewestErrors {
			if other != nil && other.fewer(v) {
				v = other
			}
			v.recall(&v.fewest)
			if whole, _, err := p.trees(v.decisions()); err == nil && whole.Evaluate(p.ds).ErrorWeight > v.wrong*(1+1e-9) {
				v.revisit(&v.fewest)
			}
		} else {
			v.recall(&v.best)
		}
		planes, res.Objective = v.decisions(), v.objective()
		if o.Objective == gto.CountError { // rows on their margins must count despite rounding
			for d := range planes {
				planes[d] = outside(planes[d])
			}
			res.Objective = e.of(planes)
		}
	} else {
		res.Objective = e.of(planes)
		res.Stats = TabuStats{Start: res.Objective, Best: res.Objective, Stopped: true}
	}
	res.Tree, res.Reduced, err = p.trees(planes)
	res.Stats.Total = time.Since(begin)
	return res, err
}

// trees returns the tree of planes, complete and without the decisions of zero weight, with the
// names and training rows of the data.
func (p *gtoProblem) trees(planes []marginPlane) (whole, reduced *tree.Tree, err error) {
	if whole, err = p.layout.tree(p.m, planes, false); err != nil {
		return nil, nil, err
	}
	whole.Encoder = p.ds.Encoder
	whole.Annotate(p.ds)
	if !slices.ContainsFunc(planes, func(h marginPlane) bool { return h.vacuous() }) {
		return whole, whole.Clone(), nil
	}
	if reduced, err = p.layout.tree(p.m, planes, true); err != nil {
		return nil, nil, err
	}
	reduced.Encoder = p.ds.Encoder
	reduced.Annotate(p.ds)
	return whole, reduced, nil
}

// vertexSpace is a vertex of the polyhedron {x: Ax = b, x >= 0} of problem (23) with its edges. Edges are numbered
// 0..edges()-1 at the current vertex.
type vertexSpace interface {
	columns() int                             // of the standard form
	variables() int                           // upper limit on the numbers of variables
	edges() int                               // the same at every vertex
	move(e int) (enters, leaves int, ok bool) // variables that are exchanged; false for a ray
	edge(enters int) int                      // the edge along which a variable enters; -1 if it is basic
	value(e int, enough float64) float64      // objective at the other end; if it exceeds enough, any larger value may be returned
	objective() float64                       // at the current vertex
	step(e int)                               // move to the other end
	cells() int                               // numbers visited by move and value
	keep()                                    // remember the current vertex
}

// TabuOptions are the parameters of extreme point tabu search, Algorithm 5.2 of Bennett & Blue
// (1996). The zero value has the paper's parameters; c is the number of columns of the standard
// form, including the free ones (w, gamma).
type TabuOptions struct {
	Iterations  int     // 0: 10,000
	Tenure      int     // iterations during which a variable that left may not reenter; 0: sqrt(c/8)
	BasicTenure int     // iterations during which a variable that entered may not leave; 0: a quarter of Tenure, at least 1
	Patience    int     // iterations without progress that end an improvement phase; 0: 0.10 c
	Diversify   int     // moves of a diversification phase; 0: 0.15 c
	Progress    float64 // relative change of the objective that counts as progress; 0: 0.02
	// Penalty is rho of (24), in units of the objective at the start of the phase; 0: 1000. The
	// paper only calls it large.
	Penalty float64
	// Notify, if not nil, is called after every improvement of the best objective and every 1000
	// iterations.
	Notify func(iteration int, best float64)
}

// TabuStats describes a search.
type TabuStats struct {
	Iterations   int
	Evaluations  int // objective values computed at neighbours
	Remakes      int // rebuilds of the candidate list
	Phases       int // of diversification
	TabuMoves    int // moves taken because all moves were tabu
	Aspirations  int // tabu moves taken because they led to a new best
	BestAt       int // iteration of the best vertex
	Start, Best  float64
	Optimal      bool // the best objective is 0, the minimum
	Stopped      bool // by the context
	LocalOptimum bool // no edge led anywhere: all were rays
	Total        time.Duration
}

func (o *TabuOptions) validate(method string) error {
	for _, f := range []struct {
		name string
		bad  bool
	}{
		{"number of iterations", o.Iterations < 0}, {"tenure", o.Tenure < 0}, {"tenure of basic variables", o.BasicTenure < 0},
		{"patience", o.Patience < 0}, {"number of diversification moves", o.Diversify < 0},
		{"progress", !(o.Progress >= 0)}, {"penalty", !(o.Penalty >= 0) || math.IsInf(o.Penalty, 1)},
	} {
		if f.bad {
			return fmt.Errorf("%s: the %s is out of range; want 0 (default) or more", method, f.name)
		}
	}
	return nil
}

// withDefaults sets the paper's parameters for c columns.
func (o TabuOptions) withDefaults(c int) TabuOptions {
	set := func(v *int, d float64) {
		if *v == 0 {
			*v = max(1, int(math.Round(d)))
		}
	}
	columns := float64(c)
	set(&o.Iterations, 10_000)
	set(&o.Tenure, math.Sqrt(columns/8))
	set(&o.BasicTenure, float64(o.Tenure)/4)
	set(&o.Patience, 0.10*columns)
	set(&o.Diversify, 0.15*columns)
	if o.Progress == 0 {
		o.Progress = 0.02
	}
	if o.Penalty == 0 {
		o.Penalty = 1000
	}
	return o
}

// tabuSearch is the state of a run. Iterations count from 1.
type tabuSearch struct {
	TabuOptions
	space vertexSpace
	stats TabuStats

	*pulse.Pulse
	iteration int
	best      float64
	moved     []int32 // (variables) iteration in which it last entered or left; 0 for never
	basic     []bool  // (variables)
	spent     []int32 // (variables) iterations in the basis before the current stay

	candidates []int // entering variables, best first
	listed     int   // length of the list when it was built
	values     []float64
	order      []int

	mark    float64 // objective at the last progress
	markAt  int
	diverse int     // remaining moves of the current diversification; 0: improving
	rho     float64 // of the current diversification
}

// runTabuSearch searches from the current vertex, which is kept if nothing is better; basic reports
// which variables are basic there.
func runTabuSearch(p *pulse.Pulse, space vertexSpace, basic func(variable int) bool, o TabuOptions) TabuStats {
	begin := time.Now()
	s := &tabuSearch{TabuOptions: o.withDefaults(space.columns()), space: space, Pulse: p}
	n := space.variables()
	s.moved, s.basic, s.spent = make([]int32, n), make([]bool, n), make([]int32, n)
	for i := range s.basic {
		s.basic[i] = basic(i)
	}
	s.values, s.order = make([]float64, space.edges()), make([]int, 0, space.edges())
	s.best = space.objective()
	s.mark = s.best
	s.stats.Start = s.best
	space.keep()
	s.run()
	s.stats.Iterations, s.stats.Best, s.stats.Stopped = s.iteration, s.best, s.Ended()
	s.stats.Optimal = s.best <= 0
	s.stats.Total = time.Since(begin)
	return s.stats
}

func (s *tabuSearch) run() {
	for s.iteration < s.Iterations && s.best > 0 {
		if s.Ended() {
			return
		}
		s.iteration++
		s.switchMode()
		e := s.candidate()
		if e < 0 {
			e = s.remake()
		}
		if s.Ended() { // e may not be the correct move
			s.iteration--
			return
		}
		if e < 0 {
			s.stats.LocalOptimum = true
			return
		}
		s.take(e)
		s.Spend(s.space.cells() * s.space.edges()) // upper limit of the work of a step
	}
}

// switchMode is step 3.
func (s *tabuSearch) switchMode() {
	f := s.space.objective()
	if s.diverse > 0 {
		if s.diverse--; s.diverse > 0 {
			return
		}
		s.candidates, s.listed = s.candidates[:0], 0
	}
	switch {
	case s.markAt < 0 || math.Abs(f-s.mark) >= s.Progress*math.Abs(s.mark):
		s.mark, s.markAt = f, s.iteration
	case s.iteration-s.markAt > s.Patience:
		s.diverse = s.Diversify
		s.markAt = -1
		s.rho = s.Penalty * max(math.Abs(f), math.Abs(s.best), 1e-300)
		s.candidates, s.listed = s.candidates[:0], 0
		s.stats.Phases++
	}
}

// tabu reports whether a move is tabu.
func (s *tabuSearch) tabu(enters, leaves int) bool {
	recent := func(v, tenure int) bool { return s.moved[v] > 0 && s.iteration-int(s.moved[v]) <= tenure }
	return recent(enters, s.Tenure) || recent(leaves, s.BasicTenure)
}

// frequency returns the number of iterations that a variable has spent in the basis.
func (s *tabuSearch) frequency(v int) int {
	if s.basic[v] {
		return int(s.spent[v]) + s.iteration - int(s.moved[v])
	}
	return int(s.spent[v])
}

// price is what the objective of a phase adds to the error at the other end of a move: the change of
// the penalty (25) in diversification, else 0.
func (s *tabuSearch) price(enters, leaves int) float64 {
	if s.diverse == 0 {
		return 0
	}
	return s.rho / float64(s.iteration) * float64(s.frequency(enters)-s.frequency(leaves))
}

// candidate returns the first move on the list that improves and is not tabu, or leads to a new
// best; -1 if there is none or the list is short.
func (s *tabuSearch) candidate() int {
	if len(s.candidates) == 0 || 8*len(s.candidates) < s.listed {
		return -1
	}
	now := s.space.objective()
	for at, v := range s.candidates {
		if s.Spend(s.space.cells()) {
			return -1
		}
		e := s.space.edge(v)
		if e < 0 {
			continue
		}
		enters, leaves, ok := s.space.move(e)
		if !ok {
			continue
		}
		need := now - s.price(enters, leaves)
		tabu := s.tabu(enters, leaves)
		if tabu {
			need = s.best
		}
		s.stats.Evaluations++
		if s.space.value(e, need) < need {
			if tabu {
				s.stats.Aspirations++
			}
			s.candidates = slices.Delete(s.candidates, at, at+1)
			return e
		}
	}
	return -1
}

// remake evaluates all moves, lists those that improve, and returns the best one that is not tabu
// or leads to a new best; if all are tabu, the best tabu one.
func (s *tabuSearch) remake() int {
	s.stats.Remakes++
	now := s.space.objective()
	s.order = s.order[:0]
	chosen, tabooed := -1, -1
	for e := range s.space.edges() {
		if s.Spend(s.space.cells()) {
			return -1
		}
		enters, leaves, ok := s.space.move(e)
		if !ok {
			continue
		}
		price, tabu := s.price(enters, leaves), s.tabu(enters, leaves)
		rival := chosen
		if tabu {
			rival = tabooed
		}
		enough := math.Inf(1)
		if rival >= 0 {
			enough = max(max(now, s.values[rival])-price, s.best)
		}
		f := s.space.value(e, enough)
		s.stats.Evaluations++
		s.values[e] = f + price
		if f+price < now {
			s.order = append(s.order, e)
		}
		switch aspires := tabu && f < s.best; {
		case tabu && !aspires:
			if tabooed < 0 || f+price < s.values[tabooed] {
				tabooed = e
			}
		case chosen < 0 || f+price < s.values[chosen]:
			chosen = e
		}
	}
	if chosen < 0 {
		chosen = tabooed
		s.stats.TabuMoves++
	}
	s.list(chosen)
	return chosen
}

// list builds the candidate list from the improving moves except the chosen one.
func (s *tabuSearch) list(chosen int) {
	slices.SortFunc(s.order, func(a, b int) int {
		switch {
		case s.values[a] < s.values[b]:
			return -1
		case s.values[a] > s.values[b]:
			return 1
		}
		return a - b
	})
	s.listed = len(s.order)
	s.candidates = s.candidates[:0]
	for _, e := range s.order {
		if e != chosen {
			enters, _, _ := s.space.move(e)
			s.candidates = append(s.candidates, enters)
		}
	}
}

// take makes a move and updates the memories: step 5.
func (s *tabuSearch) take(e int) {
	enters, leaves, _ := s.space.move(e)
	s.spent[leaves] += int32(s.iteration) - s.moved[leaves]
	s.basic[enters], s.basic[leaves] = true, false
	s.moved[enters], s.moved[leaves] = int32(s.iteration), int32(s.iteration)
	s.space.step(e)
	if f := s.space.objective(); f < s.best {
		s.best = f
		s.stats.BestAt = s.iteration
		s.space.keep()
		if s.Notify != nil {
			s.Notify(s.iteration, s.best)
		}
	} else if s.Notify != nil && s.iteration%1000 == 0 {
		s.Notify(s.iteration, s.best)
	}
}
