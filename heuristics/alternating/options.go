package alternating

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/hyperplane"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/tree"
)

// DefaultWork is the work limit of a Search without limits: about five seconds of a core.
const DefaultWork = 500_000_000

// defaultStreams is Options.Streams where that is 0.
const defaultStreams = 2

// Options are the settings of Search. The zero value, with Depth set, searches trees in
// which all rows keep the margin of the paper, without a price on features.
type Options struct {
	Depth     int     // D >= 1
	Alpha     float64 // price of a feature in a split, in units of the baseline error, >= 0
	MinLeaf   float64 // N_min, least training weight of a leaf, >= 0
	MaxSplits int     // C, most features over all splits; 0 means no limit
	Mu        float64 // least margin on scaled features; 0 means hyperplane.DefaultMu

	// Right asks the margin of rows only that are counted right; the others are counted
	// wrong, whatever their leaf. Otherwise all rows keep the margin at all splits on
	// their way.
	Right bool

	// Starts are trees of the data to begin from. The answer is no worse than any of
	// them that is admitted, nor than the single leaf.
	Starts []*tree.Tree

	Seed uint64

	// Work, Restarts and the time end the search, whichever comes first. Work counts
	// numbers looked at, about 1e8 a second; Restarts counts trees that are begun with a
	// kick or at random, -1 for none. TimeLimit is a deadline as that of the context is.
	// 0 means no limit; where there is none at all, Work is DefaultWork.
	Work      int64
	Restarts  int
	TimeLimit time.Duration

	// Patience ends the search after so many restarts without a better tree; 0 means no
	// limit.
	Patience int

	// Streams is how many searches go on side by side, each from starts of its own and
	// with random numbers of its own; 0 means 2. It decides about the answer, how many run
	// at a time does not.
	Streams int

	// Enough is an objective that no tree is below: the search ends with the first tree
	// that meets it.
	Enough float64

	// Training, where not nil, is the data laid out; it is only read.
	Training *tree.Training

	// Rows of Training.Rows are all that a tree errs on; nil for all rows. Features are scaled,
	// and errors divided, as of all rows.
	Rows []int32

	// Progress, where not nil, is called with each better tree's objective.
	Progress func(objective float64)
}

// Stats says what Search did: of a search that ended with a tree that meets Enough, the
// stream that found it.
type Stats struct {
	Objective   float64   // of the tree: errors / Lhat + alpha features, with Right of the errors as they count there
	Limit       mio.Limit // what ended the search: time, interrupt, iterations (Work or Restarts); NoLimit where the tree meets Enough
	Restarts    int       // trees that were begun with a kick or at random
	Improved    int       // times the best tree became better
	Programs    int       // linear programs
	Work        int64     // numbers looked at
	BestAfter   int64     // Work when the tree was found
	Total, Best time.Duration
}

// Result is what Search returns: a tree annotated with the training data, whose
// thresholds lie half way between the rows on the two sides.
type Result struct {
	Tree  *tree.Tree
	Stats Stats
}

func (o *Options) validate(ds *dataset.Dataset) error {
	if err := ds.Validate(); err != nil {
		return fmt.Errorf("alternating: %w", err)
	}
	switch {
	case ds.N() == 0:
		return errors.New("alternating: the dataset has no rows")
	case !(o.Mu >= 0 && o.Mu <= 1):
		return fmt.Errorf("alternating: mu %v; 0 (for %v) to 1 is needed", o.Mu, hyperplane.DefaultMu)
	case o.Work < 0 || o.Restarts < -1 || o.TimeLimit < 0 || o.Patience < 0 || o.Streams < 0:
		return errors.New("alternating: a negative limit; 0 means none")
	case o.Rows != nil && o.Training == nil:
		return errors.New("alternating: Rows without Training")
	case o.Training != nil && o.Training.Source != ds:
		return errors.New("alternating: Training is the layout of other data")
	}
	if err := tree.CheckShape(o.Depth, formulate.MaxDepth, o.Alpha, o.MinLeaf, o.MaxSplits); err != nil {
		return fmt.Errorf("alternating: %w", err)
	}
	for i, t := range o.Starts {
		if !slices.Equal(t.Features, ds.Features) || !slices.Equal(t.Classes, ds.Classes) {
			return fmt.Errorf("alternating: start %d has other features or classes than the data", i)
		}
	}
	return nil
}
