package fit

import (
	"context"

	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mio/verify"
	"github.com/octgen/octgen/solvers"
)

// gapStop ends a solve at an incumbent within the gap asked for of the bound that the data
// give, of which the solver knows nothing.
type gapStop struct {
	gap   float64 // relative
	bound float64 // of the data, in the model's unit
	end   context.CancelFunc
	at    *mio.Solution // the incumbent that ended it; nil for none
}

// newGapStop is nil where no gap was asked for, or the data bound nothing. The context is
// the one to solve with.
func (j *job) newGapStop(ctx context.Context, p *problem.Model) (*gapStop, context.Context) {
	if j.Solve.RelGap <= 0 || p.Precision.Loose != "" || !(p.Bound > 0) {
		return nil, ctx
	}
	ctx, end := context.WithCancel(ctx)
	return &gapStop{gap: j.Solve.RelGap, bound: p.Bound, end: end}, ctx
}

// done releases the context.
func (g *gapStop) done() {
	if g != nil {
		g.end()
	}
}

// reached reports whether an objective of the model is within the gap.
func (g *gapStop) reached(objective float64) bool {
	return g != nil && mio.Gap(objective, g.bound) <= g.gap+verify.Rounding
}

// sees ends the solve at an incumbent that is told with its values: of others the solver
// may lose them when it is interrupted.
func (g *gapStop) sees(e *solvers.Event) {
	if g == nil || g.at != nil || e.Values == nil || !g.reached(e.Objective) {
		return
	}
	g.at = &mio.Solution{Values: e.Values, Objective: e.Objective}
	g.end()
}

// settle says of a solution that the gap ended it, with the incumbent if the solver has
// none as good. interrupt has ended where it was something else.
func (g *gapStop) settle(interrupt context.Context, m *mio.Model, sol *mio.Solution) {
	if g == nil || g.at == nil || sol.Limit != mio.LimitInterrupt || interrupt.Err() != nil {
		return
	}
	if own := m.Objective(g.at.Values); sol.Values == nil || own < sol.Objective {
		if found := verify.CheckPoint(m, g.at.Values, own, 0); found.Feasible {
			sol.Status, sol.Values, sol.Objective = mio.Feasible, g.at.Values, own
			sol.Gap = mio.Gap(own, sol.Bound)
		}
	}
	sol.Limit = mio.LimitGap
}
