package fit

import (
	"context"
	"time"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/method"
	"github.com/octgen/octgen/mio"
)

// DefaultValidation is the part of the rows that a tuned method chooses by: with
// a quarter of all rows held out for testing, it makes the 50/25/25 % of Bertsimas
// & Dunn (2017, section 3).
const DefaultValidation = 1.0 / 3

// prunePath is the path of cart-tuned.
const prunePath = "pruning"

// Tuning says how a tuned method came to its tree.
type Tuning struct {
	Path             string          `json:"path"`                   // alpha, splits or pruning
	TrainRows        int             `json:"train_rows"`             // rows that trees were fitted to
	ValidationRows   int             `json:"validation_rows"`        // rows that chose one
	Alpha            float64         `json:"alpha"`                  // midpoint of the chosen tree's interval
	AlphaLow         float64         `json:"alpha_low"`              // the interval's ends
	AlphaHigh        float64         `json:"alpha_high"`             //
	Objective        float64         `json:"objective"`              // of the chosen tree on the training part, at Alpha
	ValidationErrors float64         `json:"validation_errors"`      // of the chosen tree, in rows
	Solves           int             `json:"solves"`                 // problems that were solved
	Work             int64           `json:"work,omitempty"`         // of the native searches, in their units
	Proved           bool            `json:"proved"`                 // every tree of the envelope is proved best for its interval
	Refit            bool            `json:"refit"`                  // the tree was fitted once more, to all rows
	RefitProved      bool            `json:"refit_proved,omitempty"` // and is proved best there
	Envelope         []EnvelopePoint `json:"envelope"`               // by ascending alpha
}

// EnvelopePoint is a tree that is best on the training part for an interval of
// alpha, of all that were found.
type EnvelopePoint struct {
	AlphaLow              float64 `json:"alpha_low"`
	AlphaHigh             float64 `json:"alpha_high"`
	ErrorWeight           float64 `json:"error_weight"` // on the training part
	Complexity            int     `json:"complexity"`   // splits; oct-h-tuned: features over all splits
	ValidationErrors      float64 `json:"validation_errors"`
	ValidationErrorWeight float64 `json:"validation_error_weight"` // what is compared
	Proved                bool    `json:"proved"`                  // best of all trees, throughout its interval
	Chosen                bool    `json:"chosen,omitempty"`
}

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

// hyper says whether the trees have hyperplane splits.
func (t *tuning) hyper() bool { _, ok := t.Of.(*method.OCTH); return ok }

// trivial says whether the single leaf is the only tree worth having.
func trivial(ds *dataset.Dataset) bool { return method.NewData(ds).Trivial() }

// stopped notes the limit of a solve that proved nothing. A limit of all of the
// fit outlives that of one solve.
func (t *tuning) stopped(l mio.Limit) {
	switch {
	case l == mio.NoLimit || t.limit == mio.LimitInterrupt:
	case l == mio.LimitInterrupt || t.limit != mio.LimitTime:
		t.limit = l
	}
}

// left is the time that is left of all of the fit; 0, false without a limit.
func (t *tuning) left() (time.Duration, bool) {
	if t.Solve.TimeLimit == 0 {
		return 0, false
	}
	return t.Solve.TimeLimit - time.Since(t.began), true
}
