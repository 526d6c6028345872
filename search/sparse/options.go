package sparse

import (
	"errors"
	"fmt"
	"time"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/tree"
)

// Options are the parameters of Solve. The zero value with Alpha set has at least one row per leaf
// and no limits.
type Options struct {
	Alpha   float64 // complexity parameter: penalty per split in units of the baseline error, > 0
	MinLeaf float64 // N_min, minimum training weight of a leaf, >= 0; a leaf always has a row

	// Start is a tree on the features of the data with which the search begins beside its own; nil
	// for none. A tree whose leaves are too light is ignored.
	Start *tree.Tree

	// WorkLimit ends the search after about that many cell visits (rows times features); 0 means no
	// limit. A search that ends by WorkLimit is reproducible.
	WorkLimit int64

	// Memory is the maximum size of the table of sets of rows in bytes; 0 means DefaultMemory. A
	// search that needs more ends with LimitMemory.
	Memory int64

	Progress func(Progress) // nil for none

	Rules Rules
}

// DefaultMemory is the default limit on the table of sets of rows, in bytes.
const DefaultMemory = 1 << 30

// Rules switches pruning rules off, for tests and comparisons. The package comment proves each
// rule. The zero value uses all rules.
type Rules struct {
	NoMerge   bool // rows alike in all valid cuts count separately
	NoTwo     bool // bounds from trees with two leaves
	NoSegment bool // segmentation of a single feature
	NoSpread  bool // bounds from other cuts of a feature
	NoStep    bool // sides are searched up to the full budget at once
}

// Progress reports the progress of a search.
type Progress struct {
	Objective, Bound float64 // as in Result
	Seconds          float64
	Stats            Stats
}

// Stats counts the steps of a search.
type Stats struct {
	Nodes int64 // sets of rows whose cuts were counted
	Cuts  int64 // cuts whose sides were searched
	Work  int64 // cell visits
	Hits  int64 // sets found in the table
	Sets  int64 // sets of rows in the table at the end
}

// Result is the result of Solve.
type Result struct {
	Tree      *tree.Tree // best tree found, on the features of the data, annotated
	Objective float64    // Weight/Lhat + alpha * splits; see tree.Objective
	Bound     float64    // proven lower bound on Objective, equal to it if Status is Optimal
	Start     float64    // objective of the tree with which the search began
	Status    mio.Status // Optimal, or Feasible if a limit was reached or weights lie too far apart to be summed
	Limit     mio.Limit  // LimitTime, LimitIterations (work), LimitMemory or LimitInterrupt
	Blurred   string     // why a completed search proves no optimality; "" if it does or a limit was reached
	Stats     Stats
	Prepared  time.Duration // of Runtime, before the search began
	Runtime   time.Duration
}

func (o *Options) validate(ds *dataset.Dataset) error {
	switch {
	case ds.N() == 0:
		return errors.New("sparse: the dataset has no rows")
	case !(o.Alpha > 0):
		return fmt.Errorf("sparse: alpha is %v, expected a number > 0: without a penalty a tree without a depth limit grows until it fits all rows", o.Alpha)
	case o.WorkLimit < 0 || o.Memory < 0:
		return errors.New("sparse: limits must not be negative")
	}
	if err := tree.CheckShape(1, 1, o.Alpha, o.MinLeaf, 0); err != nil {
		return fmt.Errorf("sparse: %w", err)
	}
	total := 0.0
	for _, w := range ds.Weight {
		total += w
	}
	if !tree.EnoughWeight(total, o.MinLeaf) {
		return fmt.Errorf("sparse: the minimum leaf weight is %v, but all rows together weigh %v", o.MinLeaf, total)
	}
	return nil
}
