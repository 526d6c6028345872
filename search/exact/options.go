package exact

import (
	"errors"
	"fmt"
	"time"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/heuristics/cart"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/tree"
)

// Options are the parameters of Solve. The zero value, with Depth set, is OCT
// with alpha 0, one row per leaf, one worker, all rules and no limits.
type Options struct {
	Depth     int     // D >= 1, levels of branch nodes, at most MaxDepth
	Alpha     float64 // price of a split in units of the baseline error, >= 0
	MinLeaf   float64 // N_min, least training weight of a leaf, >= 0; a leaf always has a row
	MaxSplits int     // C, most splits; 0 means no limit

	// Fixed is a tree on the features of the data whose splits stay: those looked for grow
	// from its leaves, within Depth and MaxSplits in all. Splits of it that part no rows are
	// left out, as are its classes. nil for none.
	Fixed *tree.Tree

	// TimeLimit is a deadline as that of the context is. WorkLimit ends the search after
	// about that many cell visits (rows times features, swept or sorted into
	// children: a few hundred million to a few billion take a second; a round may
	// exceed it up to twice); 0 means none. A search that ends by WorkLimit is
	// reproducible.
	TimeLimit time.Duration
	WorkLimit int64

	Workers     int   // goroutines; 0 means one
	CacheMemory int64 // bytes for what is remembered of sets of rows; 0 means DefaultCacheMemory, < 0 none

	// Start is a tree on the features of the data to begin with, as an upper
	// bound; nil means CART, pruned to the best subtree. A tree outside the
	// limits (depth, splits, least leaf) is left out.
	Start *tree.Tree

	// Presort, where not nil, is that of the dataset, whose rows the caller has merged
	// (dataset.Merge), for callers that have both already; rows that are not merged cost
	// time only. It stays theirs: it is only read, and may be read by others meanwhile.
	Presort *tree.Presort

	// CART, where not nil, grows the tree of CART, for callers that may have it already.
	CART cart.Grower

	Progress func(Progress) // nil for none; called on Solve's goroutine after each round

	// Rough leaves a result as it is where rounding is not negligible beside the value of
	// its tree: for callers who need a bound, not an optimum.
	Rough bool

	Rules  Rules
	scalar bool // do without lanes and counts of pairs: for tests
}

// MaxDepth is the greatest depth that Solve takes.
const MaxDepth = 16

// DefaultCacheMemory is what the cache takes at most unless told otherwise.
const DefaultCacheMemory = 256 << 20

// Rules switches off what prunes the search, for tests and comparisons; the
// package comment says why each is right. The zero value has all.
type Rules struct {
	NoMonotone bool // bounds from points with a smaller part
	NoSimilar  bool // bounds from points with a larger part, less the weight between
	NoWhole    bool // bounds from all rows with one level less
	NoPoints   bool // errors at points with rows of several classes
	NoClasses  bool // errors of more classes than leaves
	NoTarget   bool // parts are solved to their optimum
	NoCache    bool
}

// Progress is news of a search.
type Progress struct {
	Objective, Bound float64 // as in Result
	Seconds          float64
	Stats            Stats
}

// Stats counts what a search did.
type Stats struct {
	Nodes     int64 `json:"nodes"`      // nodes with three levels or more that were searched
	Pairs     int64 `json:"pairs"`      // nodes with two levels
	Stumps    int64 `json:"stumps"`     // nodes with one level
	Batches   int64 `json:"batches"`    // sweeps of two-level nodes, of up to 32 cuts each
	Cuts      int64 `json:"cuts"`       // cuts evaluated, at all levels above the stumps
	Work      int64 `json:"work"`       // cell visits
	Closed    int64 `json:"closed"`     // nodes closed before they were searched, by points and classes
	Spans     int64 `json:"spans"`      // spans closed, by the monotone and similar rules
	Shortened int64 `json:"shortened"`  // spans shortened, by the similar rule
	Targets   int64 `json:"targets"`    // nodes whose search ended at its target
	CacheHits int64 `json:"cache_hits"` // nodes that the cache answered
	CacheSize int64 `json:"cache_size"` // sets of rows remembered at the end
}

func (s *Stats) add(t *Stats) {
	s.Nodes += t.Nodes
	s.Pairs += t.Pairs
	s.Stumps += t.Stumps
	s.Batches += t.Batches
	s.Cuts += t.Cuts
	s.Work += t.Work
	s.Closed += t.Closed
	s.Spans += t.Spans
	s.Shortened += t.Shortened
	s.Targets += t.Targets
	s.CacheHits += t.CacheHits
}

// Result is what Solve returns.
type Result struct {
	Tree      *tree.Tree // the best tree found, on the features of the data, annotated
	Errors    float64    // its errors, in rows
	Weight    float64    // its errors, in weight
	Cost      float64    // what its answers cost; Weight where the data have no costs
	Splits    int
	Objective float64    // Weight/Lhat + alpha * Splits; Weight where Lhat is 0; see tree.Objective
	Bound     float64    // proven lower bound on Objective, equal to it where Status is Optimal
	Gap       float64    // |Objective - Bound| / max(|Objective|, 1e-10)
	Status    mio.Status // Optimal, or Feasible where a limit came first or weights lie too far apart to be summed
	Limit     mio.Limit  // LimitTime, LimitIterations (of work) or LimitInterrupt
	Blurred   string     // why a search that came to its end does not prove; "" where it does or a limit came first
	Improved  bool       // the search found a better tree than it began with
	Start     float64    // objective of the tree it began with
	Stats     Stats
	Runtime   time.Duration
}

func (o *Options) validate(ds *dataset.Dataset) error {
	switch {
	case ds.N() == 0:
		return errors.New("treesearch: the dataset has no rows")
	case o.Presort != nil && !o.Presort.Fits(ds):
		return errors.New("treesearch: Presort is not of this dataset")
	case o.TimeLimit < 0 || o.WorkLimit < 0 || o.Workers < 0:
		return errors.New("treesearch: a negative limit or number of workers")
	}
	if err := tree.CheckShape(o.Depth, MaxDepth, o.Alpha, o.MinLeaf, o.MaxSplits); err != nil {
		return fmt.Errorf("treesearch: %w", err)
	}
	total := 0.0
	for _, w := range ds.Weight {
		total += w
	}
	if !tree.EnoughWeight(total, o.MinLeaf) {
		return fmt.Errorf("treesearch: the least leaf weight is %v, but all rows together weigh %v", o.MinLeaf, total)
	}
	return nil
}

// budget returns the most splits and the depth they can use.
func (o *Options) budget() (splits, depth int) {
	splits = full(o.Depth)
	if o.MaxSplits > 0 {
		splits = min(splits, o.MaxSplits)
	}
	return splits, depthFor(o.Depth, splits)
}

// depthFor is the depth that a budget of splits can use.
func depthFor(depth, budget int) int { return min(depth, budget) }

// full is the number of splits of a full tree.
func full(depth int) int { return 1<<depth - 1 }
