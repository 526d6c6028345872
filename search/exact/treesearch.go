package exact

import (
	"context"
	"errors"
	"fmt"
	"math"
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

// Solve finds the best tree for ds. Weights and counts are as in ds; equal rows
// are merged unless Presort is given (with costs, rows of equal features are in either
// case), constant features left out. An ended ctx, a
// time or a work limit is a status, never an error, and never costs the best tree
// found: there is one from the beginning, the single leaf at least.
// Errors: options out of range, more than 67 million distinct rows or 32,767
// classes, or no tree at all (MinLeaf above the total weight, or above that of the rows at
// a leaf of Fixed, which may be too deep and have too many splits, too).
//
// The time to a proof grows about linearly with the rows and with a power of
// about 2(D-1) of the features; memory is about 16 bytes per cell and level,
// per worker, and the cache.
func Solve(ctx context.Context, ds *dataset.Dataset, o Options) (*Result, error) {
	begin := time.Now()
	if err := o.validate(ds); err != nil {
		return nil, err
	}
	if o.Fixed != nil {
		if f := o.Fixed.Collapse(ds); f.Splits() > 0 {
			return solveBelow(ctx, ds, f, o, begin)
		}
	}
	inUnits, unit := ds.InUnits(dataset.MostUnits)
	o.MinLeaf = unit.LeastLeaf(o.MinLeaf)
	if o.Presort != nil && inUnits != ds {
		o.Presort = o.Presort.WithWeights(inUnits.Weight)
	}
	r, err := solveInUnits(ctx, inUnits, unit, o, begin)
	if err != nil || inUnits == ds {
		return r, err
	}
	r.Tree = r.Tree.Clone()
	r.Tree.Annotate(ds)
	e := r.Tree.Evaluate(ds)
	r.Weight, r.Cost = e.ErrorWeight, e.Cost
	return r, nil
}

// solveInUnits is Solve on data whose weights, like the least of a leaf, are in units.
func solveInUnits(ctx context.Context, ds *dataset.Dataset, unit dataset.Unit, o Options, begin time.Time) (*Result, error) {
	if o.TimeLimit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, o.TimeLimit)
		defer cancel()
	}
	l := layOut(ctx, ds, unit, &o)
	if err := tooLarge(l.rows); err != nil {
		return nil, err
	}
	start, err := o.start(ctx, ds, l)
	if err != nil {
		return nil, err
	}
	if l.rows.N() < ds.N() {
		start.Annotate(ds)
	}
	r := &Result{Start: start.Objective(ds, o.Alpha), Tree: start}
	if ctx.Err() != nil {
		r.unsearched(ctx, ds, &o)
	} else if err := r.search(ctx, ds, newProblem(l, &o), &o, begin); err != nil {
		return nil, err
	} else if r.Blurred == tooFarApart && !o.Rough {
		if err := r.refine(ctx, ds, &o, begin); err != nil {
			return nil, err
		}
	}
	r.Runtime = time.Since(begin)
	return r, nil
}

// laidOut is the rows that are searched: those of equal features and class are one, with
// costs all those of equal features. unit is that of their weights, pre nil where ctx has
// ended.
type laidOut struct {
	rows  *dataset.Dataset
	unit  dataset.Unit
	pre   *tree.Presort
	costs *labelCosts // nil where the data have no costs

	refined bool // costs were cut and rounded: see refine
}

func layOut(ctx context.Context, ds *dataset.Dataset, unit dataset.Unit, o *Options) laidOut {
	if ds.Cost != nil {
		return layOutCosts(ctx, ds, o.Presort)
	}
	l := laidOut{rows: ds, unit: unit, pre: o.Presort}
	if l.pre == nil {
		l.rows, _ = ds.Merge()
		l.pre, _ = tree.NewPresortContext(ctx, l.rows)
	}
	return l
}

// search proves the start, or finds a better tree.
func (r *Result) search(ctx context.Context, ds *dataset.Dataset, p *problem, o *Options, begin time.Time) error {
	s := newSearch(ctx, p, o, begin)
	startValue := p.value(r.Tree, ds)
	a := s.run(startValue)
	if a.value < math.Inf(1) {
		t, err := s.tree(a, ds)
		if err != nil {
			return err
		}
		r.Tree, r.Improved = t, true
	}
	r.Stats = s.stats
	r.Stats.CacheSize = int64(s.cache.size())
	if s.stopped {
		r.Limit = s.limit()
	}
	return r.finish(p, ds, o, a, startValue)
}

// unsearched is the result of ctx that ended before the search: no tree has less than
// no errors.
func (r *Result) unsearched(ctx context.Context, ds *dataset.Dataset, o *Options) {
	r.score(ds, o)
	r.Status, r.Limit = mio.Feasible, mio.LimitOf(ctx)
	if r.Objective == 0 {
		r.Status, r.Limit = mio.Optimal, mio.NoLimit
	}
	r.Gap = mio.Gap(r.Objective, r.Bound)
}

// score fills in what is known from the tree alone.
func (r *Result) score(ds *dataset.Dataset, o *Options) {
	e := r.Tree.Evaluate(ds)
	r.Errors, r.Weight, r.Cost, r.Splits = e.Errors, e.ErrorWeight, e.Cost, r.Tree.Splits()
	r.Objective = r.Tree.Objective(ds, o.Alpha)
}

func (o *Options) validate(ds *dataset.Dataset) error {
	switch {
	case ds.N() == 0:
		return errors.New("treesearch: the dataset has no rows")
	case o.Depth < 1 || o.Depth > MaxDepth:
		return fmt.Errorf("treesearch: depth %d; 1 to %d is possible", o.Depth, MaxDepth)
	case !(o.Alpha >= 0) || math.IsInf(o.Alpha, 1):
		return fmt.Errorf("treesearch: alpha %v; a finite number of at least 0 is needed", o.Alpha)
	case !(o.MinLeaf >= 0) || math.IsInf(o.MinLeaf, 1):
		return fmt.Errorf("treesearch: least leaf weight %v; a finite number of at least 0 is needed", o.MinLeaf)
	case o.MaxSplits < 0:
		return fmt.Errorf("treesearch: at most %d splits; 0 (no limit) or more is needed", o.MaxSplits)
	case o.Presort != nil && !o.Presort.Fits(ds):
		return errors.New("treesearch: Presort is not of this dataset")
	case o.TimeLimit < 0 || o.WorkLimit < 0 || o.Workers < 0:
		return errors.New("treesearch: a negative limit or number of workers")
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

// start returns the tree that the search begins with: Options.Start where it is
// admissible, else CART's best subtree, which is a single leaf at worst, as it is
// without pre.
func (o *Options) start(ctx context.Context, of *dataset.Dataset, l laidOut) (*tree.Tree, error) {
	ds, pre, alpha := l.rows, l.pre, o.Alpha
	if l.costs != nil {
		ds = l.costs.points
		alpha *= tree.ErrorScale(of) / tree.ErrorScale(ds) // points have less excess than their rows
	}
	splits, _ := o.budget()
	if o.Start != nil {
		t := o.Start.Collapse(ds)
		if o.admits(t, ds, splits) {
			return t, nil
		}
	}
	if pre == nil {
		leaf := tree.NewLeaf(ds, 0)
		leaf.Relabel(ds)
		return leaf, nil
	}
	grow := o.CART
	if grow == nil || l.costs != nil { // nobody else has these rows
		grow = cart.Grow
	}
	c, err := grow(ctx, ds, cart.Options{MaxDepth: o.Depth, MinLeaf: o.MinLeaf, Presort: pre})
	if err != nil {
		return nil, err
	}
	return cart.BestSubtree(ds, c.Tree, alpha, o.Depth, splits), nil
}

// admits says whether t is a tree of the problem.
func (o *Options) admits(t *tree.Tree, ds *dataset.Dataset, splits int) bool {
	if t.Depth() > o.Depth || t.Splits() > splits {
		return false
	}
	for i := range t.Nodes {
		n := &t.Nodes[i]
		if !n.Leaf() {
			if !n.Split.IsUnivariate() {
				return false
			}
			continue
		}
		weight := 0.0
		for _, w := range n.Weight {
			weight += w
		}
		if !tree.EnoughWeight(weight, o.MinLeaf) {
			return false
		}
	}
	return true
}

// finish scores the tree from the data and compares that with what the search
// says of it.
func (r *Result) finish(p *problem, ds *dataset.Dataset, o *Options, a answer, startValue float64) error {
	r.score(ds, o)
	value := min(a.value, startValue)
	got := p.value(r.Tree, ds)
	if math.Abs(got-value) > p.tol+p.slack {
		return fmt.Errorf("treesearch: internal error: the tree's value is %v, the search said %v", got, value)
	}
	r.Bound = min(r.Objective, p.objective(a.lb))
	closed := a.lb >= p.thr(value)-p.slack
	switch {
	case closed || r.Limit == mio.NoLimit:
		r.Status, r.Bound, r.Limit = mio.Optimal, r.Objective, mio.NoLimit
	default:
		r.Status = mio.Feasible
	}
	if !closed && r.Status == mio.Optimal && p.minLeaf == 0 {
		// a.lb is on f0, which is f unless leaves have a least weight
		return fmt.Errorf("treesearch: internal error: a search that ended has the bound %v below its value %v", a.lb, value)
	}
	off := p.blur(value)
	switch {
	case r.Status != mio.Optimal || r.Objective <= 0: // no tree costs less than nothing
	case p.leafBlurred:
		r.Status, r.Blurred, r.Bound = mio.Feasible, leavesTooFarApart, max(0, p.objective(a.lb-off))
	case off > 0:
		r.Status, r.Blurred, r.Bound = mio.Feasible, tooFarApart, max(0, r.Objective-off/p.baseline)
	}
	r.Gap = mio.Gap(r.Objective, r.Bound)
	return nil
}

// The reasons of Result.Blurred.
const (
	tooFarApart       = "weights or costs lie too far apart for double precision"
	leavesTooFarApart = "weights lie too far apart for double precision to compare leaves with the least leaf weight"
)
