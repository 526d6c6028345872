package problem

import (
	"cmp"
	"context"
	"fmt"

	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/gto"
	"github.com/octgen/octgen/heuristics/vertex"
	"github.com/octgen/octgen/mio/verify"
)

// Vertices are the options of the searches over trees of fixed structure.
type Vertices struct {
	Structured
	Iterations   int  `min:"0" placeholder:"N" group:"Native" help:"epts, frank-wolfe: most iterations (default: 10000, 1000)."`
	RandomStart  bool `group:"Native" help:"epts, frank-wolfe: begin at random decisions instead of a tree of linear programs."`
	FewestErrors bool `group:"Native" help:"epts, frank-wolfe: of the trees visited, the one with the fewest training errors instead of the least error."`
}

// start returns where a search begins: as a method at the tree asked for, as a start
// itself where the papers begin.
func (v *Vertices) start(t Task) vertex.GTOStart {
	s := vertex.GTOStart{Seed: t.Seed}
	if p, ok := t.For.(*GTO); ok {
		s.Structure, s.Depth = p.fixed()
		return s
	}
	if t.For != nil { // whose trees have no structure
		s.Depth = t.For.Trees().Greatest()
		return s
	}
	s.Structure, s.Depth = v.fixed()
	s.Random = v.RandomStart
	if t.Begin != nil {
		s.Tree = t.Begin.Tree
		if s.Structure == nil && v.Depth != 0 {
			s.Structure, s.Depth = gto.StructureOf(s.Tree), 0
		}
	}
	return s
}

// BeginsWith is the problem whose starts suit the search as trees to begin with.
func (v *Vertices) BeginsWith() Problem { return &GTO{Structured: v.Structured} }

// answer makes the objective that of the formulation, which has to confirm what the
// search says of its tree. Decisions of no weight are left out of the answer where
// the formulation gives it the same error without them; a start keeps them.
func (v *Vertices) answer(d *Data, t Task, objective gto.Objective, res vertex.GTOResult, g *Grown) (*Grown, error) {
	if t.For != nil {
		return g, nil
	}
	var err error
	if g.Objective, err = (gto.Options{Objective: objective}).Measure(d.Dataset); err != nil {
		return nil, err
	}
	g.Claims = &res.Objective
	if verify.Near(g.Objective(res.Reduced), res.Objective) {
		g.Tree = res.Reduced
	}
	return g, nil
}

// progress passes the progress of a method's search on, of a start's none.
func progress(t Task) func(iteration int, best float64) {
	if t.Notify == nil || t.For != nil {
		return nil
	}
	return func(iteration int, best float64) {
		if iteration%1000 == 0 {
			t.notify("iteration %d, error %.6g", iteration, best)
		}
	}
}

// EPTS is extreme point tabu search for a tree of fixed structure with hyperplane
// splits (Bennett & Blue 1996).
type EPTS struct{ Vertices }

var _ Algorithm = (*EPTS)(nil)

func init() { register(func() Method { return new(EPTS) }) }

// Info describes the method.
func (*EPTS) Info() Info {
	return Info{Name: "epts", Measure: "error of the tree", Doc: "extreme point tabu search for a tree of fixed structure with hyperplane splits (Bennett & Blue 1996)", Settings: []string{"start"}}
}

// Validate refuses what no data make right.
func (m *EPTS) Validate() error { return m.validate("epts") }

// autoEPTSIterations are those of a start that was not asked for by name.
const autoEPTSIterations = 2000

// Grow searches.
func (m *EPTS) Grow(ctx context.Context, d *Data, t Task) (*Grown, error) {
	o := vertex.EPTSOptions{GTOStart: m.start(t), Objective: m.error(t), FewestErrors: m.FewestErrors}
	if t.For != nil && o.Objective == gto.CountError {
		// Most moves to an adjacent extreme point leave the count as it is (section 6 of
		// the paper): the search goes by the minimum error and keeps its best count.
		o.Objective, o.FewestErrors = gto.MinimumError, true
	}
	if _, hyper := t.For.(*OCTH); hyper {
		o.FewestErrors = true
		if o.Depth < 20 && d.K() > 1<<o.Depth {
			return nil, fmt.Errorf("epts: %w: %d classes for %d leaves", formulate.ErrNoStart, d.K(), 1<<o.Depth)
		}
	}
	o.Tabu.Iterations, o.Tabu.Notify = m.Iterations, progress(t)
	if t.For != nil && !t.Named && m.Iterations == 0 {
		o.Tabu.Iterations = autoEPTSIterations
	}
	res, err := vertex.EPTS(ctx, d.Dataset, o)
	if err != nil {
		return nil, err
	}
	g := &Grown{Name: "epts", Tree: res.Tree, Limit: stopped(ctx, res.Stats.Stopped), Outcome: &Outcome{Iterations: &res.Stats.Iterations}}
	return m.answer(d, t, o.Objective, res.GTOResult, g)
}

// error is what is minimised: that of the program to be started, else the method's.
func (m *EPTS) error(t Task) gto.Objective {
	objective := m.Objective
	if p, ok := t.For.(*GTO); ok {
		objective = cmp.Or(p.Objective, string(gto.MinimumError))
	}
	return gto.Objective(cmp.Or(objective, string(gto.ProductError)))
}

// FrankWolfe minimises the product error of a tree of fixed structure (Bennett &
// Blue 1996).
type FrankWolfe struct{ Vertices }

var _ Algorithm = (*FrankWolfe)(nil)

func init() { register(func() Method { return new(FrankWolfe) }) }

// Info describes the method.
func (*FrankWolfe) Info() Info {
	return Info{Name: "frank-wolfe", Measure: "product error of the tree", Doc: "Frank-Wolfe on the product error of a tree of fixed structure (Bennett & Blue 1996)", Settings: []string{"start"}}
}

// Validate refuses what no data make right.
func (m *FrankWolfe) Validate() error {
	if m.Objective != "" && m.Objective != string(gto.ProductError) {
		return wrong("objective", "is %s, but frank-wolfe minimises the product error; the others are not differentiable (epts has them)", m.Objective)
	}
	return m.validate("frank-wolfe")
}

// Grow searches.
func (m *FrankWolfe) Grow(ctx context.Context, d *Data, t Task) (*Grown, error) {
	res, err := vertex.FrankWolfe(ctx, d.Dataset, vertex.FrankWolfeOptions{
		GTOStart: m.start(t), Iterations: m.Iterations, FewestErrors: m.FewestErrors, Notify: progress(t),
	})
	if err != nil {
		return nil, err
	}
	g := &Grown{Name: "frank-wolfe", Tree: res.Tree, Limit: stopped(ctx, res.Stats.Stopped), Outcome: &Outcome{Iterations: &res.Stats.Iterations}}
	return m.answer(d, t, gto.ProductError, res.GTOResult, g)
}
