// Package fit is the pipeline from data to a checked tree: choose a start,
// formulate, solve, decode, check. Commands and experiments call it.
package fit

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/solvers"
	"github.com/octgen/octgen/tree"
)

// Errors that Run wraps, for callers that map them to exit codes.
var (
	// ErrInput: the options or the data do not allow the fit.
	ErrInput = errors.New("invalid input")
	// ErrCheck: the independent check refutes what the solver said. The
	// result comes with it.
	ErrCheck = errors.New("check failed")
	// ErrInfeasible: proved that no tree satisfies the options.
	ErrInfeasible = errors.New("no tree satisfies the options")
	// ErrSolver: the solver failed. The result, which comes with it, has the
	// best tree known until then.
	ErrSolver = errors.New("the solver failed; the tree is the best one known until then")
	// ErrNoTree: a limit or an interrupt came before any tree was found.
	ErrNoTree = errors.New("no tree was found")
)

// Options says what to fit and how. The zero value, with OCT.Depth set, is OCT
// on HiGHS from the automatic start, without limits; where HiGHS is not available,
// by the exact native search (see Solver).
type Options struct {
	Method string               // see Methods; default "oct"
	OCT    formulate.OCTOptions // depth, alpha, least leaf and so on: of every tree method
	Mu     float64              // oct-h, local-search with hyperplanes: least margin on scaled features; 0 means formulate.DefaultMu
	RLP    formulate.RLPOptions // rlp and rlp-p (which set Perturbed), fm-rlp-p (Eps)
	FM     formulate.FMOptions  // fm; LP is set by Run
	LFM    formulate.LFMOptions // lfm; LP is set by Run
	GTO    formulate.GTOOptions // gto; structure and objective of epts and frank-wolfe too

	// Solver is a registered name; default "highs", but rlp needs none and is native
	// unless one is named. A named one that is not available is an error. Where none is
	// named and highs is not available (built without it, or not imported), method oct
	// is answered by treesearch, which solves the same problem: Result.Solver has the
	// name treesearch and a Note that says so. With CrossCheck or the encoding
	// bigm-published it is an error, and so it is for the other methods that need a
	// solver.
	Solver string

	Path  string          // of Solver's executable; "" looks on PATH
	Solve solvers.Options // limits, threads, seed; Start and Progress are set by Run
	Start string          // "auto" (default), "none", or one of StartNames

	Heuristics HeuristicOptions // the native methods, as methods and as starts
	Tune       TuneOptions      // oct-tuned, oct-h-tuned, cart-tuned

	// WorkLimit ends the native searches after so much work, the same on every
	// machine: methods treesearch (treesearch.Options.WorkLimit), local-search
	// (localsearch.Options.Work) and, per solve, oct-tuned and oct-h-tuned.
	// 0 means none, of the tuned methods their defaults.
	WorkLimit int64

	// StartTree, where not nil, is the start, called StartName in the result.
	// It speaks of the features of the data that is fitted.
	StartTree *tree.Tree
	StartName string

	// CrossCheck has the exact native search solve the same problem (oct only)
	// and compares objectives and bounds; a disagreement is ErrCheck.
	CrossCheck bool

	Test   *dataset.Dataset // scored too; nil for none
	Notify func(Event)      // nil for none; called on Run's goroutine
}

// Event is news of a running fit: a stage that was reached, a warning, or the
// solver's progress.
type Event struct {
	Stage    string
	Warning  string
	Progress *solvers.Event
}

// Method is a way of making a tree.
type Method struct {
	Name  string
	Doc   string // one line
	Proof bool   // may prove optimality
	run   func(ctx context.Context, r *run) error
}

// Native reports whether the method needs no solver.
func (m Method) Native() bool { return !m.Proof || m.Name == "treesearch" || IsTuned(m.Name) }

// Methods lists the methods, sorted by name.
func Methods() []Method {
	return []Method{
		{"c45", "C4.5 by gain ratio with pessimistic pruning (Quinlan 1993)", false, runHeuristic(growC45)},
		{"cart", "CART, pruned to the best subtree for alpha or by cross-validation (Breiman et al. 1984)", false, runHeuristic(growCART)},
		{"cart-tuned", "CART, the subtree of its cost-complexity path chosen on validation rows: the baseline of oct-tuned", false, runTuned(tuneCART)},
		{"epts", "extreme point tabu search for a tree of fixed structure with hyperplane splits (Bennett & Blue 1996)", false, runHeuristic(growEPTS)},
		{"fm", "the linear split of bounded error with the fewest features (Bredensteiner & Bennett 1996)", true, runPlanes("fm", buildFM)},
		{"fm-rlp", "few features within a bound on the error of rlp, by linear programs (Bredensteiner & Bennett 1996)", false, runHeuristic(growFeatureMin("fm-rlp"))},
		{"fm-rlp-p", "the same with the error of rlp-p", false, runHeuristic(growFeatureMin("fm-rlp-p"))},
		{"frank-wolfe", "Frank-Wolfe on the product error of a tree of fixed structure (Bennett & Blue 1996)", false, runHeuristic(growFrankWolfe)},
		{"gto", "global tree optimization of a fixed structure with hyperplane splits (Bennett & Blue 1996)", true, runPlanes("gto", buildGTO)},
		{"lfm", "the linear split of least error with few features (Bredensteiner & Bennett 1996)", true, runPlanes("lfm", buildLFM)},
		{"local-search", "coordinate descent over a tree's nodes for the objective of oct or, with hyperplane splits, of oct-h", false, runHeuristic(growLocalSearch)},
		{"msmt", "a tree of robust linear programs, pruned pessimistically (Bennett 1992)", false, runHeuristic(growMSMT)},
		{"oc1", "OC1, hyperplane splits by randomised perturbation (Murthy et al. 1993)", false, runHeuristic(growOC1)},
		{"oct", "optimal classification tree by mixed-integer optimization (Bertsimas & Dunn 2017)", true, runOCT},
		{"oct-h", "the same with hyperplane splits", true, runOCTH},
		{"oct-h-tuned", "oct-h with alpha chosen on validation rows, by local search or a solver that is named", true, runTuned(tuneOCTH)},
		{"oct-tuned", "oct with alpha chosen on validation rows, by exact search or a solver that is named (Bertsimas & Dunn 2017, section 3)", true, runTuned(tuneOCT)},
		{"rlp", "the robust linear program of one linear split (Bennett 1992)", true, runRLP},
		{"rlp-p", "the same with a price on the size of the weights (Bredensteiner & Bennett 1996)", true, runPlanes("rlp-p", buildRLP(true))},
		{"treesearch", "optimal classification tree by exact search over splits, without a solver", true, runTreesearch},
	}
}

// run is one fit under way.
type run struct {
	opts   Options
	ds     *dataset.Dataset
	began  time.Time
	res    *Result
	starts []grown // of the heuristics, once run
	seed   uint64  // of the heuristics; solvers may have none

	startSeconds float64
	startLimit   time.Duration // of the heuristic that makes a start; 0 without a time limit
	usual        bool          // no solver was named

	objective func(*tree.Tree) float64 // of the method, on the training data
	failed    error                    // of the solver, where there is a tree nevertheless
	named     bool                     // the solution file has the name of the model
	admits    string                   // what satisfies a model that the solver calls infeasible
	claim     *mio.Solution            // what is believed of the solver's answer
	rounding  float64                  // what the digits of a solution file may add to a violation
}

// Run fits a tree to ds. A time limit covers all of it. Where a limit or an
// interrupt ends the solve, the best tree comes back without an error;
// Result.Solver says so. Errors wrap one of the variables above; with
// ErrCheck and ErrSolver the result is not nil, nor with ErrNoTree once a solver was asked;
// it has no tree where there is none.
func Run(ctx context.Context, ds *dataset.Dataset, o Options) (*Result, error) {
	if o.Method == "" {
		o.Method = "oct"
	}
	if o.Start == "" {
		o.Start = "auto"
	}
	usual := o.Solver == ""
	if usual {
		o.Solver = "highs"
	}
	m, err := lookupMethod(o.Method)
	if err != nil {
		return nil, err
	}
	r := &run{opts: o, ds: ds, began: time.Now(), usual: usual, seed: uint64(max(o.Solve.Seed, 0))}
	r.objective = func(t *tree.Tree) float64 { return t.Objective(ds, o.OCT.Alpha) }
	if err := r.validate(); err != nil {
		return nil, err
	}
	if m.Proof && !m.Native() && o.StartTree == nil && o.Start != "none" {
		if _, err := r.suitableStarts(m.Name); err != nil {
			return nil, err
		}
	}
	if o.CrossCheck && (m.Name != "oct" || o.OCT.Encoding == formulate.BigMPublished) {
		return nil, fmt.Errorf("%w: the cross-check is for method oct, with an encoding whose optimum is that of trees", ErrInput)
	}
	r.res = &Result{Method: m.Name, Data: DescribeData(ds)}
	if err := m.run(ctx, r); err != nil {
		if errors.Is(err, ErrCheck) || errors.Is(err, ErrNoTree) && r.res.Solver != nil {
			return r.res, err
		}
		return nil, err
	}
	if o.CrossCheck {
		if err := r.crossCheck(ctx); err != nil {
			return nil, err
		}
	}
	res, err := r.finish()
	if err == nil {
		err = r.failed
	}
	return res, err
}

func lookupMethod(name string) (Method, error) {
	var names []string
	for _, m := range Methods() {
		if m.Name == name {
			return m, nil
		}
		names = append(names, m.Name)
	}
	return Method{}, fmt.Errorf("%w: no method %q; the methods are %s", ErrInput, name, strings.Join(names, ", "))
}

// validate refuses what no method can work with.
func (r *run) validate() error {
	if err := r.ds.Validate(); err != nil {
		return fmt.Errorf("%w: %w", ErrInput, err)
	}
	weight := 0.0
	for _, w := range r.ds.Weight {
		weight += w
	}
	if !tree.EnoughWeight(weight, r.opts.OCT.MinLeaf) {
		return fmt.Errorf("%w: the least leaf weight is %v, but all training rows together weigh %v", ErrInput, r.opts.OCT.MinLeaf, weight)
	}
	limits := r.opts.OCT
	limits.Encoding = "" // of the method, checked there
	if err := limits.Validate(); err != nil {
		return fmt.Errorf("%w: %w", ErrInput, err)
	}
	if err := r.opts.validateLocalSearch(); err != nil {
		return err
	}
	if t := r.opts.Test; t != nil && (!slices.Equal(t.Features, r.ds.Features) || !slices.Equal(t.Classes, r.ds.Classes)) {
		return fmt.Errorf("%w: the test data has other features or classes than the training data", ErrInput)
	}
	if t := r.opts.StartTree; t != nil && (!slices.Equal(t.Features, r.ds.Features) || !slices.Equal(t.Classes, r.ds.Classes)) {
		return fmt.Errorf("%w: the start tree has other features or classes than the data", ErrInput)
	}
	return nil
}

// finish scores the tree and gives the verdict of the check.
func (r *run) finish() (*Result, error) {
	res := r.res
	res.Train = Score(res.Tree, r.ds)
	if r.objective != nil {
		obj := r.objective(res.Tree)
		res.Train.Objective = &obj
	}
	if r.opts.Test != nil {
		res.Test = Score(res.Tree, r.opts.Test)
	}
	r.checkErrors()
	res.Seconds = time.Since(r.began).Seconds()
	if !res.Check.OK() {
		return res, fmt.Errorf("%w: %s", ErrCheck, res.Check.Problem)
	}
	return res, nil
}

func (r *run) stage(format string, args ...any) {
	if r.opts.Notify != nil {
		r.opts.Notify(Event{Stage: fmt.Sprintf(format, args...)})
	}
}

func (r *run) warn(format string, args ...any) {
	if r.opts.Notify != nil {
		r.opts.Notify(Event{Warning: fmt.Sprintf(format, args...)})
	}
}
