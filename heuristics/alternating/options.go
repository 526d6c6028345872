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

// DefaultWork is the work limit of a Search without limits: about five seconds of one core.
const DefaultWork = 500_000_000

// defaultStreams is the default of Options.Streams.
const defaultStreams = 2

// Options are the settings of Search. The zero value with Depth set searches trees in which all
// rows keep the margin of the paper, without a penalty on features.
type Options struct {
	Depth     int     // D >= 1
	Alpha     float64 // penalty per feature in a split, in units of the baseline error, >= 0
	MinLeaf   float64 // N_min, minimum training weight of a leaf, >= 0
	MaxSplits int     // C, maximum number of features over all splits; 0 means no limit
	Mu        float64 // minimum margin on scaled features; 0 means hyperplane.DefaultMu

	// Right requires the margin only of correctly classified rows; all others count as
	// misclassified, whatever their leaf. Otherwise all rows must keep the margin at all splits on
	// their path.
	Right bool

	// Starts are warm starts. The result is no worse than any of them that is admitted, nor than
	// the single leaf.
	Starts []*tree.Tree

	Seed uint64

	// Work and Restarts end the search, whichever comes first. Work counts numbers
	// visited, about 1e8 a second; Restarts counts trees begun with a kick or at random, -1 for
	// none. 0 means no limit; without any limit, and without a deadline of the context, Work is
	// DefaultWork.
	Work     int64
	Restarts int

	// Patience ends the search after this many restarts without improvement; 0 means no limit.
	Patience int

	// Streams is the number of independent searches, each with its own starts and random numbers; 0
	// means
	//   2. The result depends on it, but not on how many run at a time.
	Streams int

	// Enough is a lower bound on the objective: the search ends with the first tree that attains
	// it.
	Enough float64

	// Training, if not nil, is the layout of the data; Search only reads it.
	Training *tree.Training

	// Rows are the indices into Training.Rows of the rows whose errors count; nil for all rows.
	// Scaling of features and the baseline error still use all rows.
	Rows []int32

	// Progress, if not nil, is called with the objective of each better tree.
	Progress func(objective float64)
}

// Stats describes a run of Search; if the search ended with a tree that attains Enough, the stream
// that found it.
type Stats struct {
	Objective   float64   // of the tree: errors / Lhat + alpha features; with Right, of the errors as they count there
	Limit       mio.Limit // what ended the search: time, interrupt, iterations (Work or Restarts); NoLimit if the tree attains Enough
	Restarts    int       // trees begun with a kick or at random
	Improved    int       // improvements of the best tree
	Programs    int       // linear programs
	Work        int64     // numbers visited
	BestAfter   int64     // Work when the tree was found
	Total, Best time.Duration
}

// Result is the result of Search: a tree annotated with the training data, whose thresholds lie
// halfway between the rows on the two sides.
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
		return fmt.Errorf("alternating: mu %v; want 0 to 1 (0: the default %v)", o.Mu, hyperplane.DefaultMu)
	case o.Work < 0 || o.Restarts < -1 || o.Patience < 0 || o.Streams < 0:
		return errors.New("alternating: limits must not be negative (0: no limit)")
	case o.Rows != nil && o.Training == nil:
		return errors.New("alternating: Rows need Training")
	case o.Training != nil && o.Training.Source != ds:
		return errors.New("alternating: Training does not match the dataset")
	}
	if err := tree.CheckShape(o.Depth, formulate.MaxDepth, o.Alpha, o.MinLeaf, o.MaxSplits); err != nil {
		return fmt.Errorf("alternating: %w", err)
	}
	for i, t := range o.Starts {
		if !slices.Equal(t.Features, ds.Features) || !slices.Equal(t.Classes, ds.Classes) {
			return fmt.Errorf("alternating: features or classes of start %d do not match the data", i)
		}
	}
	return nil
}
