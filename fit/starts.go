package fit

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/tree"
)

// starts are the trees that a program may be started from, and what they took.
type starts struct {
	trees   []*problem.Grown
	seconds float64
	bound   *problem.Found // of a search of trees that hold the constraints, or more, which did not prove its tree; nil for none
}

// proved is the one that an exact search has proved best, nil for none.
func (s *starts) proved() *problem.Grown {
	for _, g := range s.trees {
		if g.Proved() {
			return g
		}
	}
	return nil
}

// search is the search that has proved the most, nil for none.
func (s *starts) search() *problem.Found {
	best := s.bound
	for _, g := range s.trees {
		if f := g.Found; f != nil && (best == nil || f.Bound > best.Bound) {
			best = f
		}
	}
	return best
}

// provesNone reports whether a search has proved that no tree holds the constraints.
func (s *starts) provesNone() bool {
	return s != nil && s.bound != nil && s.bound.Status == mio.Infeasible
}

// defaultStartShare is the part of the time that the heuristics may take for starts,
// one over it.
const defaultStartShare = 10

// constrainedStartShare is that of trees that hold constraints, which solvers rarely find.
const constrainedStartShare = 4

// growStarts grows the trees to start p's program from, within their share of the
// time.
func (j *job) growStarts(ctx context.Context, p problem.Problem) (*starts, error) {
	oneIn := defaultStartShare
	if s, ok := p.(problem.StartShared); ok {
		oneIn = s.StartShare()
	}
	if j.constrained.on != nil {
		oneIn = constrainedStartShare
	}
	return j.growWith(ctx, p, oneIn)
}

// growWith grows the trees to start p's program from, within one part in so many of
// the time that is left: the one given, those of the heuristic that was asked for or,
// with auto, of all quick ones that suit.
func (j *job) growWith(ctx context.Context, p problem.Problem, oneIn int) (*starts, error) {
	switch {
	case j.StartTree != nil:
		return &starts{trees: []*problem.Grown{{Name: j.StartName, Tree: j.StartTree}}}, nil
	case j.Start == "none":
		return new(starts), nil
	case j.found != nil:
		g := &problem.Grown{Name: j.found.Name, Tree: j.found.Tree, Found: j.found}
		all := &starts{seconds: j.found.Seconds}
		if all.bound = j.found; g.Tree != nil {
			all.trees = append(all.trees, g)
		}
		return j.admitted(all), nil
	}
	suitable, err := j.suitable(p)
	if err != nil {
		return nil, err
	}
	return j.growThese(ctx, p, suitable, oneIn)
}

// growEvery grows all trees that suit p, the quick ones and the others: where nothing
// comes after them, and start is auto.
func (j *job) growEvery(ctx context.Context, p problem.Problem) (*starts, error) {
	var every []problem.Algorithm
	for _, s := range p.Info().Starts {
		a, err := j.starter(s.Name)
		if err != nil {
			return nil, badInput(err)
		}
		if !a.Info().Has("lp") || j.lpFree(a) { // which needs no solver
			every = append(every, a)
		}
	}
	return j.growThese(ctx, p, every, 1)
}

// growThese runs the algorithms one after the other.
func (j *job) growThese(ctx context.Context, p problem.Problem, suitable []problem.Algorithm, oneIn int) (all *starts, err error) {
	began, task := time.Now(), j.task(p)
	all = new(starts)
	share := budgetOf(ctx, oneIn, len(suitable))
	for i, a := range suitable {
		if i > 0 && ctx.Err() != nil {
			break
		}
		task.Others = all.trees
		if task.LP, err = j.startLP(ctx, a, task.LP); err != nil {
			return nil, err
		}
		g, err := growWithin(ctx, &share, a, j.data, task)
		if err != nil {
			return nil, err
		}
		if g == nil {
			continue
		}
		_, searched := p.(problem.Searcher) // else what searches prove is of fewer trees than p's
		if g.Tree == nil {                  // which no tree, or none that was found, allows
			if searched {
				all.bound = g.Found
			}
			if all.provesNone() {
				break // there is nothing to find
			}
			continue
		}
		all.trees = append(all.trees, g)
		if searched && g.Proved() && j.constrained.holds(g.Tree) {
			break // nothing is better
		}
	}
	all.seconds = time.Since(began).Seconds()
	return j.admitted(all), nil
}

// lpFree reports whether the linear programs of an algorithm are solved natively where no
// solver is found, and none was asked for.
func (j *job) lpFree(a problem.Algorithm) bool {
	free, ok := a.(problem.LPFree)
	return ok && free.LPFree() && j.usual
}

// startLP solves the linear programs of a start that needs them; lp where it is there.
func (j *job) startLP(ctx context.Context, a problem.Algorithm, lp mio.SolveFunc) (mio.SolveFunc, error) {
	if lp != nil || !a.Info().Has("lp") {
		return lp, nil
	}
	s, _, err := j.findSolver(ctx)
	if err != nil && j.lpFree(a) && !errors.Is(err, ErrNoTree) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return j.linearPrograms(s), nil
}

// growWithin runs an algorithm within its share of the time; nil where it came to
// nothing by then, or where there is nothing to grow.
func growWithin(ctx context.Context, share *budget, a problem.Algorithm, d *problem.Data, t problem.Task) (*problem.Grown, error) {
	within, cancel := share.next(ctx)
	defer cancel()
	g, err := a.Grow(within, d, t)
	switch {
	case outOfTime(within, err), errors.Is(err, formulate.ErrSingleLeaf), errors.Is(err, formulate.ErrNoStart):
		return nil, nil
	case err != nil:
		return nil, badInput(err)
	}
	return g, nil
}

// suitable are the algorithms to run for p: that asked for, or with auto all quick
// ones that suit it.
func (j *job) suitable(p problem.Problem) ([]problem.Algorithm, error) {
	var names []string
	for _, s := range p.Info().Starts {
		switch {
		case j.Start == "auto" && j.CrossCheck && isExact(s.Name):
			// the solver is to find by itself what the search is held against
		case j.Start == "auto" && s.Auto, j.Start == s.Name:
			names = append(names, s.Name)
		}
	}
	if names == nil && j.Start != "auto" {
		return nil, j.unsuitable(p)
	}
	var all []problem.Algorithm
	for _, name := range names {
		a, err := j.starter(name)
		if err != nil {
			return nil, badInput(err)
		}
		all = append(all, a)
	}
	return all, nil
}

// starter is the algorithm of that name, with the options that were given for it.
func (j *job) starter(name string) (problem.Algorithm, error) {
	for _, a := range j.Starters {
		if a.Info().Name == name {
			return a, nil
		}
	}
	return problem.LookupAlgorithm(name)
}

// unsuitable says why the start that was asked for makes none.
func (j *job) unsuitable(p problem.Problem) error {
	known := problem.Starters()
	if !slices.Contains(known, j.Start) {
		return fmt.Errorf("%w: no start %q; the starts are %s, or a tree.json", ErrInput, j.Start, StartsText())
	}
	var for_ []string
	for _, m := range problem.All() {
		if slices.ContainsFunc(m.Info().Starts, func(s problem.Start) bool { return s.Name == j.Start }) {
			for_ = append(for_, m.Info().Name)
		}
	}
	return fmt.Errorf("%w: %s makes no starts for %s, but for %s", ErrInput, j.Start, p.Info().Name, strings.Join(for_, ", "))
}

// NamesStart reports whether a text is a start by its name, and not a file.
func NamesStart(text string) bool {
	return text == "none" || text == "auto" || slices.Contains(problem.Starters(), text)
}

// StartsText names all that Options.Start may be, for messages.
func StartsText() string { return "none, auto, " + strings.Join(problem.Starters(), ", ") }

// admitted are the starts that hold the constraints, and the constant trees that do. What
// the search has proved of the trees that hold the constraints, but for splits that stay,
// bounds those that hold all.
func (j *job) admitted(all *starts) *starts {
	c := &j.constrained
	if c.on == nil {
		return all
	}
	kept := &starts{seconds: all.seconds, bound: all.bound}
	for _, g := range all.trees {
		if g.Found != nil && !(g.Proved() && c.holds(g.Tree)) {
			kept.bound = g.Found
			copied := *g
			copied.Found = nil
			g = &copied
		}
		if c.holds(g.Tree) || g.Tree == j.StartTree {
			kept.trees = append(kept.trees, g)
		}
	}
	if j.StartTree != nil || j.Start == "none" {
		return kept
	}
	for k := range j.data.K() {
		if leaf := constantTree(j.data.Dataset, k); c.holds(leaf) {
			kept.trees = append(kept.trees, &problem.Grown{Name: "the leaf of class " + j.data.Classes[k], Tree: leaf})
		}
	}
	return kept
}

// constantTree answers class k everywhere.
func constantTree(ds *dataset.Dataset, k int) *tree.Tree {
	t := tree.NewLeaf(ds, k)
	t.Annotate(ds)
	return t
}
