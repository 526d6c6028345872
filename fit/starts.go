package fit

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mio/verify"
	"github.com/octgen/octgen/tree"
)

// starts are trees that a solver may start from, and what they took.
type starts struct {
	trees   []*problem.Grown
	seconds float64
	bound   *problem.Found // of a search of trees that hold the constraints, or more, which did not prove its tree; nil for none
}

// search is the search that has proved the most, nil for none.
func (s *starts) search() *problem.Found {
	if s == nil {
		return nil
	}
	best := s.bound
	for _, g := range s.trees {
		if f := g.Found; f != nil && (best == nil || f.Bound > best.Bound) {
			best = f
		}
	}
	return best
}

// cutShort reports whether there are none, or some that a limit ended.
func (s *starts) cutShort() bool {
	return len(s.trees) == 0 || slices.ContainsFunc(s.trees, func(g *problem.Grown) bool { return g.Limit != mio.NoLimit })
}

// provesNone reports whether a search has proved that no tree satisfies the constraints.
func (s *starts) provesNone() bool {
	return s != nil && s.bound != nil && s.bound.Status == mio.Infeasible
}

// Shares of the time that heuristics may take for starts, one over it: usually, and for
// trees that hold constraints, which solvers rarely find.
const (
	startShare            = 10
	constrainedStartShare = 4
)

// growStarts grows the trees to start a solver of p from, within their share of the time.
func (j *job) growStarts(ctx context.Context, p *problem.Problem) (*starts, error) {
	oneIn := startShare
	if p.StartShare > 0 {
		oneIn = p.StartShare
	}
	if j.p.Keep != nil {
		oneIn = constrainedStartShare
	}
	return j.growWithin(ctx, p, oneIn)
}

// growWithin grows the trees to start a solver of p from, within one part in so many of the
// time that is left: the one given, that of the heuristic that was asked for or, with auto, of
// all quick ones that suit.
func (j *job) growWithin(ctx context.Context, p *problem.Problem, oneIn int) (*starts, error) {
	switch {
	case j.StartTree != nil:
		return &starts{trees: []*problem.Grown{{Name: j.StartName, Tree: j.StartTree}}}, nil
	case j.Start == "none":
		return new(starts), nil
	}
	suitable, err := j.suitable(&p.Info)
	if err != nil {
		return nil, err
	}
	return j.growThese(ctx, p, suitable, oneIn)
}

// growEvery grows all trees that suit p, the quick ones and the others: if nothing comes
// after them, and start is auto.
func (j *job) growEvery(ctx context.Context, p *problem.Problem) (*starts, error) {
	var every []problem.Method
	for _, s := range p.Starts {
		m, err := j.starter(s.Name)
		if err != nil {
			return nil, badInput(err)
		}
		if info := m.Info(); !info.Has("lp") || info.LPFree && j.usual { // which needs no solver
			every = append(every, m)
		}
	}
	return j.growThese(ctx, p, every, 1)
}

// growThese runs the algorithms one after the other.
func (j *job) growThese(ctx context.Context, p *problem.Problem, suitable []problem.Method, oneIn int) (all *starts, err error) {
	began, task := time.Now(), j.task(p)
	all = new(starts)
	share := budgetOf(ctx, oneIn, len(suitable))
	searched := p.Search != nil // else what searches prove is of fewer trees than p's
	for i, m := range suitable {
		if i > 0 && ctx.Err() != nil {
			break
		}
		task.Others = all.trees
		if task.LP, err = j.startLP(ctx, m, task.LP); err != nil {
			return nil, err
		}
		g, err := j.growOne(ctx, &share, m, task)
		if err != nil {
			return nil, err
		}
		if g == nil {
			continue
		}
		if g.Tree == nil { // which no tree, or none that was found, allows
			if searched {
				all.bound = g.Found
			}
			if all.provesNone() {
				break // there is nothing to find
			}
			continue
		}
		all.trees = append(all.trees, g)
		if searched && g.Proved() && j.p.Holds(g.Tree) {
			break // nothing is better
		}
	}
	all.seconds = time.Since(began).Seconds()
	return j.admitted(all), nil
}

// task is the running of an algorithm for a model of p, or, with p nil, as the method.
func (j *job) task(p *problem.Problem) problem.Task {
	t := problem.Task{For: p, Named: j.Start != "auto", Seed: j.seed, Workers: j.Solve.Threads, Warn: j.warn}
	if p == nil {
		t.Work = j.WorkLimit
		if j.Notify != nil {
			t.Notify = j.stage
		}
	}
	return t
}

// startLP solves the linear programs of a start that needs them; lp if it is there.
func (j *job) startLP(ctx context.Context, m problem.Method, lp mio.SolveFunc) (mio.SolveFunc, error) {
	info := m.Info()
	if lp != nil || !info.Has("lp") {
		return lp, nil
	}
	s, _, err := j.findSolver(ctx)
	if err != nil && info.LPFree && j.usual && !errors.Is(err, ErrNoTree) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return j.linearPrograms(s), nil
}

// growOne runs an algorithm within its share of the time; nil if it came to nothing by then, or
// if there is nothing to grow.
func (j *job) growOne(ctx context.Context, share *budget, m problem.Method, t problem.Task) (*problem.Grown, error) {
	within, cancel := share.next(ctx)
	defer cancel()
	p, err := m.On(within, j.data, 0)
	if err != nil {
		return nil, badInput(err)
	}
	g, err := p.Grow(within, t)
	switch {
	case outOfTime(within, err), errors.Is(err, formulate.ErrSingleLeaf), errors.Is(err, formulate.ErrNoStart):
		return nil, nil
	case err != nil:
		return nil, badInput(err)
	}
	return g, nil
}

// suitable are the algorithms to run for a formulation: that asked for, or with auto all quick
// ones that suit it.
func (j *job) suitable(info *problem.Info) ([]problem.Method, error) {
	var all []problem.Method
	for _, s := range info.Starts {
		if j.Start == "auto" && j.CrossCheck && isExact(s.Name) {
			continue // the solver is to find by itself what the search is held against
		}
		if j.Start == "auto" && s.Auto || j.Start == s.Name {
			m, err := j.starter(s.Name)
			if err != nil {
				return nil, badInput(err)
			}
			all = append(all, m)
		}
	}
	if all == nil && j.Start != "auto" {
		return nil, j.unsuitable(info)
	}
	return all, nil
}

// starter is the algorithm of that name, with the options that were given for it.
func (j *job) starter(name string) (problem.Method, error) {
	for _, m := range j.Starters {
		if m.Info().Name == name {
			return m, nil
		}
	}
	return problem.LookupAlgorithm(name)
}

// unsuitable says why the start that was asked for makes none.
func (j *job) unsuitable(info *problem.Info) error {
	if !slices.Contains(problem.Starters(), j.Start) {
		return fmt.Errorf("%w: no start %q; the starts are %s, or a tree.json", ErrInput, j.Start, StartsText())
	}
	var for_ []string
	for _, m := range problem.All() {
		if i := m.Info(); slices.ContainsFunc(i.Starts, func(s problem.Start) bool { return s.Name == j.Start }) {
			for_ = append(for_, i.Name)
		}
	}
	return fmt.Errorf("%w: %s makes no starts for %s, but for %s", ErrInput, j.Start, info.Name, strings.Join(for_, ", "))
}

// NamesStart reports whether a text is a start by its name, and not a file.
func NamesStart(text string) bool {
	return text == "none" || text == "auto" || slices.Contains(problem.Starters(), text)
}

// StartsText names all that Options.Start may be, for messages.
func StartsText() string { return "none, auto, " + strings.Join(problem.Starters(), ", ") }

// admitted returns the starts that satisfy the constraints, and the constant trees that do. A
// search whose tree is not proved or does not satisfy them counts only for its bound.
func (j *job) admitted(all *starts) *starts {
	if j.p.Keep == nil {
		return all
	}
	kept := &starts{seconds: all.seconds, bound: all.bound}
	for _, g := range all.trees {
		if g.Found != nil && !(g.Proved() && j.p.Holds(g.Tree)) {
			kept.bound = g.Found
			copied := *g
			copied.Found = nil
			g = &copied
		}
		if j.p.Holds(g.Tree) || g.Tree == j.StartTree {
			kept.trees = append(kept.trees, g)
		}
	}
	if j.StartTree != nil || j.Start == "none" {
		return kept
	}
	for k := range j.data.K() {
		if leaf := constantTree(j.data.Dataset, k); j.p.Holds(leaf) {
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

// majorityLeaf is the single leaf of the class that weighs most, with costs that of the
// least.
func majorityLeaf(ds *dataset.Dataset) *tree.Tree {
	t := tree.NewLeaf(ds, 0)
	t.Relabel(ds)
	return t
}

// admittedBy returns the model m, its bounds wide enough for the best of the starts where it lets
// them choose.
func (s *starts) admittedBy(ctx context.Context, m *problem.Model) (*problem.Model, error) {
	if m.Admitting == nil || len(s.trees) == 0 {
		return m, nil
	}
	var trees []*tree.Tree
	for _, g := range s.trees {
		trees = append(trees, g.Tree)
	}
	wide, err := m.Admitting(ctx, trees)
	return wide, badInput(err)
}

// point is a feasible point of a model to start from.
type point struct {
	name      string
	values    []float64
	objective float64 // of the model
	seconds   float64 // that the heuristics took, all of them
	better    bool    // no start, but what was found after it:
	than      *point  // the start; nil for none
}

// bestPoint returns the best point of the trees, nil for none. A tree that the caller
// gave and that the model does not admit is an error; a heuristic's is pruned, or
// left out.
func (j *job) bestPoint(ctx context.Context, m *problem.Model, from *starts) (*point, error) {
	var best *point
	for _, g := range from.trees {
		if j.StartTree == g.Tree {
			s, err := j.newPoint(ctx, m, g.Name, g.Tree)
			if err != nil {
				return nil, fmt.Errorf("%w: start %s: %w", ErrInput, g.Name, err)
			}
			return s, nil
		}
		s, err := j.widenedPoint(ctx, m, g.Name, g.Tree)
		if err == nil && s == nil {
			s, err = j.prunedPoint(ctx, m, g.Name, g.Tree)
		}
		switch {
		case errors.Is(err, formulate.ErrNoStart):
			if text := fmt.Sprintf("no start from %s: %v", g.Name, err); j.Start == "auto" && len(from.trees) > 1 {
				j.stage("%s", text) // one of several
			} else {
				j.warn(text)
			}
		case outOfTime(ctx, err): // its linear programs take too long
		case err != nil:
			return nil, err
		case best == nil || s.objective < best.objective-verify.Rounding:
			best = s
		}
	}
	if best != nil {
		best.seconds = from.seconds
	}
	return best, nil
}

// widenedPoint is, under constraints, newPoint on t with wider splits if the model does not
// admit it as it is: without some of its splits it may not hold them. It is nil if that is no
// start either.
func (j *job) widenedPoint(ctx context.Context, m *problem.Model, name string, t *tree.Tree) (*point, error) {
	if m.Widen == nil || j.p.Keep == nil {
		return nil, nil
	}
	x, err := j.newPoint(ctx, m, name, t)
	if errors.Is(err, formulate.ErrNoStart) {
		if t, err = m.Widen(ctx, t); err == nil {
			x, err = j.newPoint(ctx, m, "widened "+name, t)
		}
	}
	if errors.Is(err, formulate.ErrNoStart) {
		return nil, nil
	}
	return x, err
}

// prunedPoint is newPoint on t, with the splits that the model does not admit turned
// into leaves one by one. In a fixed structure, t as it is comes first, since splits that separate
// no rows may still lower its error.
func (j *job) prunedPoint(ctx context.Context, m *problem.Model, name string, t *tree.Tree) (*point, error) {
	if j.p.Fixed != nil {
		if s, err := j.newPoint(ctx, m, name, t); !errors.Is(err, formulate.ErrNoStart) {
			return s, err
		}
	}
	t = t.Collapse(j.data.Dataset)
	var first error // says more than that what is left of the tree is no start either
	for {
		s, err := j.newPoint(ctx, m, name, t)
		var no *formulate.NoStartError
		if !errors.As(err, &no) {
			return s, err
		}
		if first == nil {
			first = err
		}
		if no.Node >= len(t.Nodes) || t.Nodes[no.Node].Leaf() {
			return s, first
		}
		t = t.Prune(func(i int) bool { return i == no.Node }).Collapse(j.data.Dataset)
		name = "pruned " + strings.TrimPrefix(name, "pruned ")
	}
}

func (j *job) newPoint(ctx context.Context, m *problem.Model, name string, t *tree.Tree) (*point, error) {
	x, err := m.Formulation.Start(ctx, t)
	if err != nil {
		return nil, err
	}
	s := &point{name: name, values: x, objective: m.Model().Objective(x)}
	if m.Precision.Loose != "" {
		if u, err := m.Decode(x); err == nil {
			s.objective = m.Objective(u) // which no arithmetic of the model blurs
		}
	}
	if math.Abs(s.objective) < verify.Rounding {
		s.objective = 0 // what is left of rounding
	}
	j.stage("start: %s, objective %.6g", name, m.InUnits(s.objective))
	return s, nil
}

// witness is the point as something that is known of the model.
func (s *point) witness() verify.Witness {
	return verify.Witness{Name: "the start " + s.name, Objective: s.objective, Values: s.values}
}

// startable reports whether a solver can be given the point to start from.
func startable(m *problem.Model, from *point) bool {
	if m.Precision.Loose == "" {
		return true // an infeasible one is a defect, and an error
	}
	r := mio.Check(m.Model(), from.values, verify.Feasibility)
	return r.Feasible
}

// startOf is the best point to start a model from, of the trees that were grown before it was
// built or, with from nil, are grown now, and of the start that the model came with.
func (j *job) startOf(ctx context.Context, m *problem.Model, from *starts) (*point, error) {
	if from == nil {
		var err error
		if from, err = j.growStarts(ctx, j.p); err != nil {
			return nil, err
		}
		if m.Begin != nil && j.StartTree == nil && j.Start == "auto" {
			from.trees = append(from.trees, m.Begin)
		}
	}
	return j.bestPoint(ctx, m, from)
}

// StartOptions says from which tree a start is made.
type StartOptions struct {
	Name   string      // a method that makes trees; "auto" leaves it to the form
	Tree   *tree.Tree  // used if not nil, called Name
	Seed   uint64      // of the heuristics
	Notify func(Event) // nil for none
}

// Placed is a feasible point of a model.
type Placed struct {
	Model     *problem.Model // that was given, or the same with wider bounds on variables
	Values    []float64      // by column
	Name      string         // of the tree that the point stands for
	Objective float64        // of the model
}

// StartPoint returns a feasible point of a model of p. Errors wrap ErrInput, and
// formulate.ErrNoStart if the model does not admit the tree.
func StartPoint(ctx context.Context, p *problem.Problem, m *problem.Model, o StartOptions) (*Placed, error) {
	j := jobOf(p, Options{Start: o.Name, StartTree: o.Tree, StartName: o.Name, Notify: o.Notify})
	j.seed = o.Seed
	err := badInput(j.checkTrees())
	if err != nil {
		return nil, err
	}
	var from *starts
	if m.Admitting != nil {
		if from, err = j.growStarts(ctx, p); err != nil {
			return nil, err
		}
		if m, err = from.admittedBy(ctx, m); err != nil {
			return nil, err
		}
	}
	s, err := j.startOf(ctx, m, from)
	return s.placed(m, o.Name, err)
}

// NativePoint is StartPoint of the best of the heuristics that suit p and need no solver,
// of the trees in also and, if it is a tree of the problem, of the single leaf. It is
// the same on every machine.
func NativePoint(ctx context.Context, p *problem.Problem, m *problem.Model, seed uint64, also ...*problem.Grown) (*Placed, error) {
	o := Options{Start: "auto"}
	o.Solve.Threads = 1
	j := jobOf(p, o)
	j.seed = seed
	suitable, err := j.suitable(&p.Info)
	if err != nil {
		return nil, err
	}
	suitable = slices.DeleteFunc(suitable, func(m problem.Method) bool { i := m.Info(); return i.Has("lp") })
	from, err := j.growThese(ctx, p, suitable, 1)
	if err != nil {
		return nil, err
	}
	from.trees = append(from.trees, also...)
	if m.LeafTree && p.Keep == nil { // else those that hold them are there
		from.trees = append(from.trees, &problem.Grown{Name: "the single leaf", Tree: majorityLeaf(p.Data.Dataset)})
	}
	s, err := j.bestPoint(ctx, m, from)
	return s.placed(m, "auto", err)
}

// placed is a point of the model m, nil for none, of the start that was asked for.
func (s *point) placed(m *problem.Model, asked string, err error) (*Placed, error) {
	switch {
	case errors.Is(err, formulate.ErrNoStart) && !errors.Is(err, ErrInput):
		return nil, badInput(err)
	case err != nil:
		return nil, err
	case s == nil:
		return nil, fmt.Errorf("%w: %w: %s gives no tree that the model admits", ErrInput, formulate.ErrNoStart, asked)
	}
	return &Placed{m, s.values, s.name, s.objective}, nil
}
