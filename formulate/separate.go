package formulate

import (
	"context"
	"errors"
	"math"

	"github.com/octgen/octgen/mio"
)

// Separated is a formulation whose model may have lazy constraints, which the formulation
// separates.
type Separated interface {
	Formulation
	// Violated returns constraints that every solution of Model satisfies and that a point within
	// the bounds violates by more than tolerance: lazy constraints of Model and others. It returns
	// at least one for every point that is integral and satisfies all constraints of Model except a
	// lazy one.
	Violated(values []float64, tolerance float64) []mio.Linear
}

// Lazy returns f if its model has lazy constraints.
func Lazy(f Formulation) (Separated, bool) {
	s, ok := f.(Separated)
	return s, ok && f.Model().NumLazy() > 0
}

const (
	rootRounds    = 200  // maximum number of linear programs
	rootStall     = 5    // rounds without a rise of the bound that end the loop
	rootRise      = 1e-6 // minimum rise of the bound
	rootTolerance = 1e-4 // constraints violated by less are not added
	rootTight     = 1e-6 // a constraint with no more slack is tight
)

// Root is the relaxation of a model with lazy constraints after separation.
type Root struct {
	Rows   []mio.Linear // constraints found that are tight
	Bound  float64      // lower bound on the objective of Model, -Inf for none
	Rounds int          // linear programs solved
	Done   bool         // no constraint is violated
}

// RootRows solves the linear relaxation of f's model without its lazy constraints, adds the
// constraints that its solution violates, and repeats until there are none, the bound no longer
// rises, or ctx ends, which is not an error.
func RootRows(ctx context.Context, f Separated, lp mio.SolveFunc) (*Root, error) {
	r := &Root{Bound: math.Inf(-1)}
	var rows []mio.Linear
	stalled := 0
	for r.Rounds < rootRounds && stalled < rootStall {
		m, err := f.Model().WithRows(rows, "root", false)
		if err != nil {
			return nil, err
		}
		sol, err := lp(ctx, m.Relaxed())
		if ctx.Err() != nil || errors.Is(err, context.DeadlineExceeded) {
			return r, nil
		}
		if err != nil {
			return nil, err
		}
		if sol.Status != mio.Optimal {
			return r, nil
		}
		r.Rounds++
		if sol.Bound > r.Bound+rootRise {
			stalled = 0
		} else {
			stalled++
		}
		r.Bound = max(r.Bound, sol.Bound)
		r.Rows = tight(rows, sol.Values)
		more := f.Violated(sol.Values, rootTolerance)
		if len(more) == 0 {
			r.Done = true
			return r, nil
		}
		rows = append(rows, more...)
	}
	return r, nil
}

// tight returns the constraints without slack at a point.
func tight(rows []mio.Linear, x []float64) []mio.Linear {
	var some []mio.Linear
	for _, row := range rows {
		sum := 0.0
		for k, j := range row.Index {
			sum += row.Value[k] * x[j]
		}
		if sum-row.Lower <= rootTight || row.Upper-sum <= rootTight {
			some = append(some, row)
		}
	}
	return some
}
