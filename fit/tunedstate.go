package fit

import (
	"context"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/tree"
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

// Work of each solve of a tuning unless Options.WorkLimit says otherwise: of the
// exact search, some ten seconds to a minute; of local search where that proves
// nothing, a second; of alternating, some tenths of one.
const (
	tuneSearchWork = 1e10
	tuneLocalWork  = 4e8
	tunePlaneWork  = 5e7
)

func (t *tuning) workLimit(usual int64) int64 {
	if w := t.WorkLimit; w > 0 {
		return w
	}
	return usual
}

// tuning is a tuning under way: the trees that compete, and what was proved of
// which problem.
type tuning struct {
	*job
	problem.Tuning
	interrupt         context.Context // without the deadline
	train, validation *dataset.Dataset
	data              *problem.Data // of train
	held              constraints   // on train
	infeasible        bool          // proved that no tree holds them
	pool              *candidates
	starts            *candidates // what searches begin with: pool and what it does not admit
	solved            []solvedGoal
	solves            int       // the problems that took a search
	limit             mio.Limit // that kept something from being proved
	unproved          string    // why a solve that no limit ended proves nothing; "" for none
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

// compete begins the pool, with the constant trees.
func (t *tuning) compete() {
	t.pool = newCandidates(t.train, t.Complexity, &t.held)
	t.starts = t.pool
	if t.Admitting != nil {
		t.pool.admits = t.Admitting(t.data)
		t.starts = newCandidates(t.train, t.Complexity, &t.held)
	}
}

// enter has a tree and its best subtrees compete, and begin searches.
func (t *tuning) enter(grown *tree.Tree) {
	t.pool.addPruned(grown)
	if t.starts != t.pool {
		t.starts.addPruned(grown)
	}
}
