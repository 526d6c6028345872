package exact

import (
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/heuristics/cart"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/tree"
)

// Options are the parameters of Solve. The zero value with Depth set is OCT with alpha 0, at least
// one row per leaf, one worker, all rules and no limits.
type Options struct {
	Depth     int     // D >= 1, maximum depth, at most MaxDepth
	Alpha     float64 // complexity parameter: penalty per split in units of the baseline error, >= 0
	MinLeaf   float64 // N_min, minimum training weight of a leaf, >= 0; a leaf always has a row
	MaxSplits int     // C, maximum number of splits; 0 means no limit

	// Fixed is a tree on the features of the data whose splits are fixed: the search grows trees
	// from its leaves; Depth and MaxSplits limit the whole tree. Its classes are ignored, and
	// splits that separate no rows are dropped. nil for none.
	Fixed *tree.Tree

	// WorkLimit ends the search after about that
	// many cell visits (rows times features, swept or sorted into children; a second is a few
	// hundred million to a few billion); a round may use up to twice the limit; 0 means no limit. A
	// search that ends by WorkLimit is reproducible.
	WorkLimit int64

	Workers     int   // goroutines; 0 means one
	CacheMemory int64 // bytes for cached sets of rows; 0 means DefaultCacheMemory, < 0 no cache

	// Start is a warm start, a tree on the features of the data; nil means CART, pruned to its best
	// subtree. A tree that exceeds a limit (depth, splits, minimum leaf weight) is ignored.
	Start *tree.Tree

	// Presort, if not nil, is the presort of the dataset, whose rows the caller must have merged
	// (dataset.Merge). Unmerged rows only cost time. Solve only reads it; others may read it at the
	// same time.
	Presort *tree.Presort

	// CART, if not nil, grows the CART tree, for callers that may already have it.
	CART cart.Grower

	Progress func(Progress) // nil for none; called on Solve's goroutine after each round

	// NoAnneal leaves out annealing, which finds better trees while the search has no proof; Seed is
	// its seed. Anneals says when it is left out anyway.
	NoAnneal bool
	Seed     uint64

	// Rough skips refinement if rounding is not negligible relative to the tree's value, for
	// callers that need a bound, not an optimum.
	Rough bool

	Rules  Rules
	scalar bool // no lanes and no counts of pairs: for tests
	deepen bool // from the beginning
}

// MaxDepth is the maximum depth that Solve accepts.
const MaxDepth = 16

// DefaultCacheMemory is the default limit on the memory of the cache, in bytes.
const DefaultCacheMemory = 256 << 20

// Rules switches pruning rules off, for tests and comparisons. The package comment proves each
// rule. The zero value uses all rules.
type Rules struct {
	NoMonotone bool // bounds from points with a smaller side
	NoSimilar  bool // bounds from points with a larger side, minus the weight between
	NoWhole    bool // bounds from all rows with one level less
	NoPoints   bool // errors at points with rows of several classes
	NoClasses  bool // errors from more classes than leaves
	NoTarget   bool // sides are solved to optimality
	NoCache    bool
}

// Progress reports the progress of a search.
type Progress struct {
	Objective, Bound float64 // as in Result
	Seconds          float64
	Stats            Stats
}

// Stats counts the steps of a search.
type Stats struct {
	Nodes     int64 `json:"nodes"`               // searched nodes with three or more levels
	Pairs     int64 `json:"pairs"`               // nodes with two levels
	Stumps    int64 `json:"stumps"`              // nodes with one level
	Batches   int64 `json:"batches"`             // sweeps of two-level nodes, of up to 32 cuts each
	Cuts      int64 `json:"cuts"`                // cuts evaluated, at all levels above the stumps
	Work      int64 `json:"work"`                // cell visits
	Annealing int64 `json:"annealing,omitempty"` // those of annealing
	Closed    int64 `json:"closed"`              // nodes closed by points and classes before they were searched
	Spans     int64 `json:"spans"`               // spans closed, by the monotone and similar rules
	Shortened int64 `json:"shortened"`           // spans shortened, by the similar rule
	Targets   int64 `json:"targets"`             // nodes whose search ended at its target
	CacheHits int64 `json:"cache_hits"`          // nodes answered by the cache
	CacheSize int64 `json:"cache_size"`          // cached sets of rows at the end
}

func (s *Stats) add(t *Stats) {
	s.Nodes += t.Nodes
	s.Pairs += t.Pairs
	s.Stumps += t.Stumps
	s.Batches += t.Batches
	s.Cuts += t.Cuts
	s.Work += t.Work
	s.Annealing += t.Annealing
	s.Closed += t.Closed
	s.Spans += t.Spans
	s.Shortened += t.Shortened
	s.Targets += t.Targets
	s.CacheHits += t.CacheHits
}

// Result is the result of Solve.
type Result struct {
	Tree      *tree.Tree // best tree found, on the features of the data, annotated
	Errors    float64    // number of misclassified rows
	Weight    float64    // weight of the misclassified rows
	Cost      float64    // cost of the predictions; Weight if the data have no costs
	Splits    int
	Objective float64    // Weight/Lhat + alpha * Splits; Weight if Lhat is 0; see tree.Objective
	Bound     float64    // proven lower bound on Objective, equal to it if Status is Optimal
	Gap       float64    // |Objective - Bound| / max(|Objective|, 1e-10)
	Status    mio.Status // Optimal, or Feasible if a limit was reached or weights lie too far apart to be summed
	Limit     mio.Limit  // LimitTime, LimitIterations (work) or LimitInterrupt
	Blurred   string     // why a completed search proves no optimality; "" if it does or a limit was reached
	Improved  bool       // whether the search improved on the warm start
	Start     float64    // objective of the warm start
	Stats     Stats
	Runtime   time.Duration
}

func (o *Options) validate(ds *dataset.Dataset) error {
	switch {
	case ds.N() == 0:
		return errors.New("treesearch: the dataset has no rows")
	case o.Presort != nil && !o.Presort.Fits(ds):
		return errors.New("treesearch: Presort does not match the dataset")
	case o.WorkLimit < 0 || o.Workers < 0:
		return errors.New("treesearch: limits and number of workers must not be negative")
	}
	if err := tree.CheckShape(o.Depth, MaxDepth, o.Alpha, o.MinLeaf, o.MaxSplits); err != nil {
		return fmt.Errorf("treesearch: %w", err)
	}
	total := 0.0
	for _, w := range ds.Weight {
		total += w
	}
	if !tree.EnoughWeight(total, o.MinLeaf) {
		return fmt.Errorf("treesearch: the minimum leaf weight is %v, but all rows together weigh %v", o.MinLeaf, total)
	}
	return nil
}

// budget returns the maximum number of splits and the depth they can use.
func (o *Options) budget() (splits, depth int) {
	splits = full(o.Depth)
	if o.MaxSplits > 0 {
		splits = min(splits, o.MaxSplits)
	}
	return splits, depthFor(o.Depth, splits)
}

// affordable is the budget with which some tree may have a value below ub. Claim: no other tree has.
// Proof: a tree of s splits has at least the value s lambda and the errors that points force; so s is
// at most what ub leaves for it, and the depth of a tree is at most its number of splits.
func (s *search) affordable(ub float64) (splits, depth int) {
	splits, depth = s.o.budget()
	if s.p.lambda == 0 || s.p.rules.NoPoints {
		return splits, depth
	}
	most := math.Floor((ub - s.root.unavoidable + s.p.tol + s.p.slack) / s.p.lambda)
	if most < float64(splits) {
		splits = max(int(most), 0)
	}
	return splits, depthFor(depth, splits)
}

// depthFor returns the depth that a budget of splits can use.
func depthFor(depth, budget int) int { return min(depth, budget) }

// full returns the number of splits of a full tree.
func full(depth int) int { return 1<<depth - 1 }
