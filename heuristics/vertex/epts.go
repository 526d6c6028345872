package vertex

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate/gto"
	"github.com/octgen/octgen/internal/pulse"
	"github.com/octgen/octgen/tree"
)

// EPTSOptions are the settings of EPTS. The zero value minimises the product error
// of the full tree of depth 2 from the greedy start, with the paper's parameters.
type EPTSOptions struct {
	GTOStart
	Objective gto.Objective // default ProductError, the paper's best
	// FewestErrors returns, of the extreme points visited, the one whose tree has the
	// least training error weight (of equal ones the least error) instead of the one
	// of least error. The search is the same.
	FewestErrors bool
	Tabu         TabuOptions
}

// GTOResult is what EPTS and FrankWolfe return.
type GTOResult struct {
	Tree *tree.Tree // with all decisions of the structure, annotated
	// Reduced predicts the same on finite features and is Tree without the decisions
	// whose weights are all 0, which send everything one way and that Tree has to
	// write with a weight too small to matter.
	Reduced   *tree.Tree
	Objective float64 // the error of the tree, as gto.Formulation has it
}

// EPTSResult is what EPTS returns.
type EPTSResult struct {
	GTOResult
	Stats TabuStats
}

// EPTS is extreme point tabu search on the global tree optimization problem
// (Bennett & Blue 1996, Algorithm 5.2):
//
//  1. Start at an extreme point: the start's decisions, purified.
//  2. Improve: take the first improving move of the candidate list that is not
//     tabu, or that leads to a new best. A list too short is made again of all
//     improving moves, and the best move of all that is not tabu is taken.
//  3. Without progress for a while, diversify: take moves of the least error plus
//     a penalty on variables that have been basic often. Then go on with 2.
//
// A move goes along an edge to the next extreme point, that is, of one decision to
// the next vertex of its margin planes. Objectives are the product, minimum and
// count error with p = 1. It ends after Tabu.Iterations, at error 0, or by ctx or
// time limit, and returns the best extreme point, with exact margins (for the count error,
// beyond them by a millionth, so that rounding leaves no row short of its own); where there was
// no time for one, the start as far as it got, with all else towards the heaviest class.
//
// With n rows, p features, D decisions, an iteration costs O(n p) for the pivot, O(n
// p) for new ratio tests, O(n D) for new coefficients, and O(n) per neighbour
// evaluated, of which there are 2 D (p+1).
//
// Errors: invalid options; a structure that does not suit the data; a start that
// cannot be laid over it (formulate.ErrNoStart); data for which the single leaf is
// optimal (formulate.ErrSingleLeaf).
func EPTS(ctx context.Context, ds *dataset.Dataset, o EPTSOptions) (*EPTSResult, error) {
	begin := time.Now()
	if err := o.Tabu.validate("epts"); err != nil {
		return nil, err
	}
	if o.Objective == "" {
		o.Objective = gto.ProductError
	}
	if err := (gto.Options{Objective: o.Objective}).Validate(); err != nil {
		return nil, fmt.Errorf("epts: %w", err)
	}
	if o.Tabu.TimeLimit > 0 { // of the start, too
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, o.Tabu.TimeLimit)
		defer cancel()
	}
	p, err := o.prepare(ctx, ds)
	if err != nil {
		return nil, fmt.Errorf("epts: %w", err)
	}
	e, looks := newGTOError(p.m, p.layout, o.Objective), pulse.New(ctx)
	res := &EPTSResult{}
	planes := p.planes
	if v := newGTOVertex(looks, p.m, e, p.planes, o.Seed); v != nil {
		if v.watching = o.FewestErrors; v.watching {
			v.watch()
		}
		res.Stats = runTabuSearch(looks, v, v.isBasic, o.Tabu, 0)
		if o.FewestErrors {
			v.recall(&v.fewest)
		} else {
			v.recall(&v.best)
		}
		planes, res.Objective = v.decisions(), v.objective()
		if o.Objective == gto.CountError { // rows on their margins count, whatever the rounding
			for d := range planes {
				planes[d] = outside(planes[d])
			}
			res.Objective = e.of(planes)
		}
	} else {
		res.Objective = e.of(planes)
		res.Stats = TabuStats{Start: res.Objective, Best: res.Objective, Stopped: true}
	}
	res.Tree, res.Reduced, err = p.trees(planes)
	res.Stats.Total = time.Since(begin)
	return res, err
}

// trees returns the tree of planes, whole and without the decisions of no weight,
// with the names and training rows of the data.
func (p *gtoProblem) trees(planes []marginPlane) (whole, reduced *tree.Tree, err error) {
	if whole, err = p.layout.tree(p.m, planes, false); err != nil {
		return nil, nil, err
	}
	whole.Encoder = p.ds.Encoder
	whole.Annotate(p.ds)
	if !slices.ContainsFunc(planes, func(h marginPlane) bool { return h.vacuous() }) {
		return whole, whole.Clone(), nil
	}
	if reduced, err = p.layout.tree(p.m, planes, true); err != nil {
		return nil, nil, err
	}
	reduced.Encoder = p.ds.Encoder
	reduced.Annotate(p.ds)
	return whole, reduced, nil
}
