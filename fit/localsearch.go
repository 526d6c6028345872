package fit

import (
	"context"
	"fmt"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/heuristics/localsearch"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/tree"
)

// The kinds of splits of a method that has a choice.
const (
	UnivariateSplits = "univariate"
	HyperplaneSplits = "hyperplane"
)

// Search is what a local search did.
type Search struct {
	Splits   string  `json:"splits"` // univariate or hyperplane
	Seed     int     `json:"seed"`
	Restarts int     `json:"restarts"`
	Kicks    int     `json:"kicks"`        // random changes of local optima
	Moves    int     `json:"moves"`        // improving changes of a tree
	Work     int64   `json:"work"`         // rows times features looked at
	Best     float64 `json:"best_seconds"` // when the tree was found
	Seconds  float64 `json:"seconds"`
}

// Work of local search for a start, in its units: some tenths of a second, more
// where it is asked for by name.
const (
	autoStartWork  = 2e8
	namedStartWork = localsearch.DefaultWork
)

// growLocalSearch searches for the objective of the program or, as a method, for
// that of OCT or with hyperplane splits of OCT-H.
func growLocalSearch(ctx context.Context, r *run, form string) (grown, error) {
	o := r.localSearchOptions(form)
	if form == "" {
		if o.Hyperplanes {
			r.objective = func(t *tree.Tree) float64 { return hyperplaneObjective(t, r.ds, o.Alpha) }
		}
		if r.opts.Notify != nil {
			o.Progress = func(objective float64) { r.stage("objective %.6g", objective) }
		}
	}
	res, err := localsearch.Search(ctx, r.ds, o)
	if err != nil {
		return grown{}, fmt.Errorf("%w: %w", ErrInput, err)
	}
	if form == "" && res.Stats.Limit == mio.LimitTime {
		r.warn("ended by the time limit: another run may find another tree; --restarts ends it the same each time")
	}
	return grown{tree: res.Tree, outcome: describeSearch(&o, &res.Stats)}, nil
}

func describeSearch(o *localsearch.Options, s *localsearch.Stats) *Heuristic {
	splits := UnivariateSplits
	if o.Hyperplanes {
		splits = HyperplaneSplits
	}
	return &Heuristic{Limit: s.Limit.String(), Search: &Search{
		Splits: splits, Seed: int(o.Seed), Restarts: s.Restarts, Kicks: s.Kicks,
		Moves: s.Moves, Work: s.Work, Best: s.Best.Seconds(), Seconds: s.Total.Seconds(),
	}}
}

// localSearchOptions are those of the method, or of a start for a form of
// program: there the work for hyperplanes is twice that for univariate trees.
func (r *run) localSearchOptions(form string) localsearch.Options {
	oct, o := r.opts.OCT, r.opts.Heuristics.LocalSearch
	o.Depth, o.Alpha, o.MinLeaf, o.MaxSplits = oct.Depth, oct.Alpha, oct.MinLeaf, oct.MaxSplits
	o.Seed, o.TimeLimit = r.seed, r.timeLeft(form)
	if form == "" && r.opts.WorkLimit > 0 {
		o.Work = r.opts.WorkLimit
	}
	if form != "" {
		o.Hyperplanes = form == "oct-h"
	}
	if o.Hyperplanes {
		o.Mu = r.opts.Mu
		if o.Mu == 0 {
			o.Mu = formulate.DefaultMu
		}
	}
	if form != "" && o.Restarts == 0 && o.Work == 0 {
		o.Work = autoStartWork
		if r.opts.Start != "auto" {
			o.Work = namedStartWork
		}
		if o.Hyperplanes {
			o.Work *= 2
		}
	}
	return o
}

// hyperplaneObjective is OCT-H's, from the tree alone.
func hyperplaneObjective(t *tree.Tree, ds *dataset.Dataset, alpha float64) float64 {
	features := 0
	for i := range t.Nodes {
		if s := t.Nodes[i].Split; s != nil {
			features += len(s.Terms)
		}
	}
	return t.Evaluate(ds).ErrorWeight/tree.ErrorScale(ds) + alpha*float64(features)
}

// validateLocalSearch refuses what would be passed over.
func (o *Options) validateLocalSearch() error {
	if o.Method == "local-search" && o.Mu != 0 && !o.Heuristics.LocalSearch.Hyperplanes {
		return fmt.Errorf("%w: mu is the margin of hyperplane splits; these are univariate", ErrInput)
	}
	return nil
}
