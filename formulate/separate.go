package formulate

import (
	"context"
	"errors"
	"math"

	"github.com/octgen/octgen/mio"
)

// Separated is a formulation whose model may have lazy rows, which it finds itself.
type Separated interface {
	Formulation
	// Violated returns rows that every solution of Model satisfies and that a point
	// within the bounds breaks by more than tolerance: lazy rows of Model and others.
	// There are some for every point that satisfies the rows of Model but its lazy ones,
	// and integrality, but breaks a lazy one.
	Violated(values []float64, tolerance float64) []mio.Linear
}

// Lazy returns f where its model has lazy rows.
func Lazy(f Formulation) (Separated, bool) {
	s, ok := f.(Separated)
	return s, ok && f.Model().NumLazy() > 0
}

const (
	rootRounds    = 200  // of linear programs, at the most
	rootStall     = 5    // rounds in which the bound does not rise end the loop
	rootRise      = 1e-6 // what counts as a rise of the bound
	rootTolerance = 1e-4 // rows that are broken by less stay out
	rootTight     = 1e-6 // a row with no more room than this is tight
)

// Root is the relaxation of a model with lazy rows when no row is broken any more.
type Root struct {
	Rows   []mio.Linear // found, as far as they are tight
	Bound  float64      // on the objective of Model, -Inf for none
	Rounds int          // linear programs solved
	Done   bool         // no row is broken
}

// RootRows solves the linear relaxation of f's model without its lazy rows, adds the
// rows that its solution breaks, and solves it again until there are none, the bound no
// longer rises, or ctx ends, which is no error.
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

// tight are the rows without room at a point.
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
