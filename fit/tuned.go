package fit

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/tree"
)

// The paths of a tuning.
const (
	AlphaPath  = "alpha"
	SplitsPath = "splits"
	prunePath  = "pruning" // of cart-tuned
)

// DefaultValidation is the part of the rows that a tuned method chooses by: with
// a quarter of all rows held out for testing, it makes the 50/25/25 % of Bertsimas
// & Dunn (2017, section 3).
const DefaultValidation = 1.0 / 3

// TuneOptions are the settings of the methods oct-tuned, oct-h-tuned and
// cart-tuned. The zero value is the path alpha with a third of the rows for
// validation. Of [Options], Alpha, MaxSplits and a start must be left out: the
// methods choose these.
type TuneOptions struct {
	// Validation is the part of the rows given that alpha is chosen by, between 0
	// and 1; 0 means DefaultValidation. They are drawn stratified by class with
	// the seed, so that every tuned method of one seed has the same rows.
	Validation float64

	// Path is AlphaPath (default) or SplitsPath; cart-tuned has its own, that of
	// cost-complexity pruning.
	Path string

	// Refit has the method fit once more, to all rows given, at the alpha chosen.
	Refit bool
}

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

// tuneKind is what tells the tuned methods apart.
type tuneKind struct {
	method     string
	form       string // of the problem: oct or oct-h; "" for cart
	complexity func(*tree.Tree) int
}

var (
	tuneOCT  = tuneKind{"oct-tuned", "oct", (*tree.Tree).Splits}
	tuneOCTH = tuneKind{"oct-h-tuned", "oct-h", featureTerms}
	tuneCART = tuneKind{"cart-tuned", "", (*tree.Tree).Splits}
)

// IsTuned reports whether a method chooses alpha itself, by validation.
func IsTuned(method string) bool {
	return method == tuneOCT.method || method == tuneOCTH.method || method == tuneCART.method
}

// featureTerms is OCT-H's complexity: the features in all splits.
func featureTerms(t *tree.Tree) int {
	terms := 0
	for i := range t.Nodes {
		if s := t.Nodes[i].Split; s != nil {
			terms += len(s.Terms)
		}
	}
	return terms
}

// tuning is a tuning under way.
type tuning struct {
	*run
	tuneKind
	train, validation *dataset.Dataset
	pool              *candidates
	solved            []solved
	solves            int       // the problems that took a search
	limit             mio.Limit // that kept something from being proved
	solver            *Solver   // of the last solve by a program; nil without
	work, nodes       int64
}

// runTuned is the training procedure of Bertsimas & Dunn (2017, section 3): trees
// of every complexity are fitted to a part of the rows, those on the lower
// envelope of error + alpha x complexity own an interval of alpha each, and the
// other part chooses between them.
func runTuned(kind tuneKind) func(context.Context, *run) error {
	return func(ctx context.Context, r *run) error {
		t := &tuning{run: r, tuneKind: kind}
		r.objective = nil // no tree is the least of any objective on all rows given
		if err := t.validate(); err != nil {
			return err
		}
		if err := t.divide(); err != nil {
			return err
		}
		t.pool = newCandidates(t.train, kind.complexity)
		if err := t.walk(ctx); err != nil {
			return err
		}
		chosen := t.choose()
		r.res.Tree = chosen.tree
		if r.opts.Tune.Refit {
			if err := t.refit(ctx, chosen); err != nil {
				return err
			}
		}
		r.res.Tree = r.res.Tree.Clone()
		r.res.Tree.Annotate(r.ds)
		t.describe()
		return nil
	}
}

// validate refuses what the method chooses itself and what it cannot do.
func (t *tuning) validate() error {
	o, oct, method := &t.opts.Tune, &t.opts.OCT, t.method
	switch {
	case oct.Alpha != 0:
		return fmt.Errorf("%w: Alpha is %v, but %s chooses alpha itself; leave it 0", ErrInput, oct.Alpha, method)
	case oct.MaxSplits != 0:
		return fmt.Errorf("%w: MaxSplits is %d, but %s chooses how many splits are best, with alpha; leave it 0", ErrInput, oct.MaxSplits, method)
	case t.opts.StartTree != nil || t.opts.Start != "auto":
		return fmt.Errorf("%w: Start is for other methods; %s starts from CART and its own earlier trees", ErrInput, method)
	case !(o.Validation >= 0 && o.Validation < 1):
		return fmt.Errorf("%w: the validation part is %v; a number between 0 and 1 is needed", ErrInput, o.Validation)
	case o.Path != "" && o.Path != AlphaPath && o.Path != SplitsPath:
		return fmt.Errorf("%w: no path %q; they are %s and %s", ErrInput, o.Path, AlphaPath, SplitsPath)
	case o.Path != "" && t.form == "":
		return fmt.Errorf("%w: %s has the path of cost-complexity pruning, no other", ErrInput, method)
	}
	return nil
}

// divide makes the training and the validation part. Rows of one class need none:
// the single leaf is the answer.
func (t *tuning) divide() error {
	part := t.opts.Tune.Validation
	if part == 0 {
		part = DefaultValidation
	}
	if t.trivial(t.ds) {
		t.train, t.validation = t.ds, t.ds.Subset(nil)
		return nil
	}
	train, validation, err := t.ds.Holdout(part, t.seed)
	if err != nil {
		return fmt.Errorf("%w: validation part: %w", ErrInput, err)
	}
	t.train, t.validation = t.ds.Subset(train), t.ds.Subset(validation)
	weight := 0.0
	for _, w := range t.train.Weight {
		weight += w
	}
	if least := t.opts.OCT.MinLeaf; !tree.EnoughWeight(weight, least) {
		return fmt.Errorf("%w: the least leaf weight is %v, but the training part weighs %v; %.4g of the rows are for validation", ErrInput, least, weight, part)
	}
	return nil
}

// trivial says whether the single leaf is the only tree worth having.
func (t *tuning) trivial(ds *dataset.Dataset) bool {
	_, kept := ds.DropConstant()
	return tree.Baseline(ds) <= 0 || len(kept) == 0
}

// walk fills the pool along the path.
func (t *tuning) walk(ctx context.Context) error {
	switch {
	case t.trivial(t.train):
		return nil
	case t.form == "":
		return t.walkPruning(ctx)
	}
	if err := t.growFirst(ctx); err != nil {
		return err
	}
	if t.form == "oct-h" && t.usual {
		if err := t.univariateFirst(ctx); err != nil {
			return err
		}
	}
	if t.opts.Tune.Path == SplitsPath {
		return t.walkSplits(ctx)
	}
	return t.walkAlpha(ctx)
}

// choose sets the result's Tuning, and returns the tree of the least validation
// error; of equal ones the simplest, that of the largest alpha.
func (t *tuning) choose() survivor {
	envelope := t.pool.envelope()
	u := &Tuning{Path: t.path(), TrainRows: t.train.N(), ValidationRows: t.validation.N(), Proved: true}
	at, least := 0, math.Inf(1)
	tolerance := 0.0
	for _, w := range t.validation.Weight {
		tolerance += 1e-12 * w
	}
	for i, s := range envelope {
		v := s.tree.Evaluate(t.validation)
		p := EnvelopePoint{
			AlphaLow: s.low, AlphaHigh: s.high, ErrorWeight: s.errors, Complexity: s.complexity,
			ValidationErrors: v.Errors, ValidationErrorWeight: v.ErrorWeight, Proved: t.provedOn(s),
		}
		u.Proved = u.Proved && p.Proved
		u.Envelope = append(u.Envelope, p)
		if v.ErrorWeight <= least+tolerance {
			at, least = i, min(least, v.ErrorWeight)
		}
	}
	s, p := envelope[at], &u.Envelope[at]
	p.Chosen = true
	u.AlphaLow, u.AlphaHigh, u.Alpha = s.low, s.high, (s.low+s.high)/2
	u.ValidationErrors = p.ValidationErrors
	u.Objective = t.pool.value(s.candidate, u.Alpha) / t.pool.scale
	u.Solves, u.Work = t.solves, t.work
	t.res.Tuning = u
	return s
}

func (t *tuning) path() string {
	switch {
	case t.form == "":
		return prunePath
	case t.opts.Tune.Path == SplitsPath:
		return SplitsPath
	}
	return AlphaPath
}

// describe says of the whole what a solver says of one solve.
func (t *tuning) describe() {
	u := t.res.Tuning
	yes := true
	t.res.Check = &Check{Feasible: &yes}
	t.checkLimits(t.res.Tree, t.complexity)
	if t.form == "" {
		t.res.Heuristic = &Heuristic{Limit: t.limit.String()}
		return
	}
	s := t.solver
	switch {
	case s != nil:
	case t.form == "oct":
		s = &Solver{Name: "treesearch"}
	default:
		s = &Solver{Name: "local-search"}
	}
	status := mio.Feasible
	if u.Proved && (!u.Refit || u.RefitProved) {
		status, t.limit = mio.Optimal, mio.NoLimit
	}
	t.res.Solver = &Solver{Name: s.Name, Version: s.Version, Status: status.String(), Limit: t.limit.String(), Nodes: t.nodes, Seconds: time.Since(t.began).Seconds()}
}
