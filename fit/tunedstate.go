package fit

import (
	"context"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/method"
	"github.com/octgen/octgen/mio"
)

// DefaultValidation is the part of the rows that a tuned method chooses by: with
// a quarter of all rows held out for testing, it makes the 50/25/25 % of Bertsimas
// & Dunn (2017, section 3).
const DefaultValidation = 1.0 / 3

// tuneShare is the part of the time limit kept for fitting once more, and the most
// that a greedy method may take.
const tuneShare = 10

// prunePath is the path of cart-tuned.
const prunePath = "pruning"

// tuning is a tuning under way: the trees that compete, and what was proved of
// which problem.
type tuning struct {
	*job
	method.Tuning
	interrupt         context.Context // without the deadline
	train, validation *dataset.Dataset
	data              *method.Data // of train
	pool              *candidates
	solved            []solvedGoal
	solves            int       // the problems that took a search
	limit             mio.Limit // that kept something from being proved
	solver            *Solver   // of the last solve by a program; nil without
	work, nodes       int64
}

// stopped notes the limit of a solve that proved nothing. A limit of all of the
// fit outlives that of one solve.
func (t *tuning) stopped(l mio.Limit) {
	switch {
	case l == mio.NoLimit || t.limit == mio.LimitInterrupt:
	case l == mio.LimitInterrupt || t.limit != mio.LimitTime:
		t.limit = l
	}
}
