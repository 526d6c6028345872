package fit

import (
	"context"
	"time"

	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/mio"
)

// crossShare is the part of a solver's time, one in so many, that is left to the
// cross-check of its answer, which takes all that the solver does not use, too.
const crossShare = 10

// solverTime is what a solver gets of the time that is left.
func (j *job) solverTime(left time.Duration) time.Duration {
	if j.CrossCheck {
		left -= left / crossShare
	}
	return left
}

// unsearched is a search that ctx ended before it began, with the objective of the
// single leaf: it says nothing of any other tree.
func unsearched(ctx context.Context, leaf float64) *problem.Found {
	return &problem.Found{Status: mio.Feasible, Limit: mio.LimitOf(ctx), Objective: leaf}
}
