package parts

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate/hyperplane"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mio/verify"
	"github.com/octgen/octgen/tree"
)

// Limits are the limits of one solve. The zero value requires a proof of optimality; the context
// limits the time.
type Limits struct {
	AbsGap float64 // stop if the gap, in units of the objective, is at most this
	First  bool    // a first feasible point is enough

	// Plain and Certain are for models whose infeasibility proves something, since solvers'
	// presolve is sometimes wrong. Plain: solve without presolve. Certain: if presolve reports
	// infeasibility, solve again without it. A solver without such a choice may ignore both.
	Plain, Certain bool
}

// Solve solves a model within the limits until ctx ends. It may ignore a limit that the solver does
// not support; limits only save work. A nil solution is an error.
type Solve func(ctx context.Context, m *mio.Model, l Limits) (*mio.Solution, error)

// Options describe the problem, and what the caller knows and provides.
type Options struct {
	// Form is the problem: depth, alpha, maximum number of splits, mu. Its encoding, margin and
	// minimum leaf weight are ignored: see the package comment. Names in Form.Without disable
	// methods.
	Form hyperplane.Options

	// Solve solves the models. If it is nil, only the data's bound is proved.
	Solve Solve

	// Incumbent is the best tree known; nil if only the single leaf is known.
	Incumbent *tree.Tree

	// Value returns the objective of an admitted tree. The bounds hold for trees whose rows keep
	// the margin: with margin right, a row that violates it counts as misclassified; with margin
	// all, Admits rejects a tree with such a row. nil means the objective of Form.
	Value  func(*tree.Tree) float64
	Admits func(*tree.Tree) bool

	// Improve returns a tree that is at least as good; nil means no improvement.
	Improve func(context.Context, *tree.Tree) *tree.Tree

	// Progress receives each better bound or tree; it may be nil.
	Progress func(Event)

	// Seed determines the order of work, and so the tree if several are optimal; never a proved
	// value.
	Seed uint64
}

// Event is the state of a proof.
type Event struct {
	By               verify.Prover
	Objective, Bound float64
	Tree             *tree.Tree // if it is new, else nil
	Round, Rows      int
}

// Result is the final state of a proof.
type Result struct {
	// Status is Optimal if the bound meets the objective of Tree, else Feasible. It is Feasible
	// without a limit if the bound is the optimum of margin right but no admitted tree with that
	// value was found.
	Status mio.Status
	Limit  mio.Limit // limit that ended the proof early

	Bound     float64       // lower bound on the objective of margin right, and so of margin all; by cells, of the margin asked for
	By        verify.Prover // of Bound
	Tree      *tree.Tree    // best admitted tree
	Objective float64       // of Tree

	Rounds int   // number of relaxations solved; by cells: of cells divided; by clauses: of questions
	Nodes  int64 // counted by solvers; of By ranges
	Rows   int   // By rows: merged rows in the last model; by chunks: blocks; by subsystems and clauses: subsystems found; by ranges: models
}

// search is a proof in progress: the best bound and the best tree.
type search struct {
	*layout
	o     Options
	depth int
	mu    float64
	alpha float64
	rng   *rand.Rand
	grid  *verify.Lattice // of the objective; nil for none
	step  float64         // of grid; 0 for none

	bound     float64
	by        verify.Prover
	tree      *tree.Tree
	objective float64
	reach     float64    // minimum objective of margin right over all trees seen: an upper limit for any bound
	low       *tree.Tree // the tree with that objective

	rounds, rows int

	in []bool // rows of row generation; nil before it begins
}

// with reports whether a method is on.
func (s *search) with(name string) bool { return !slices.Contains(s.o.Form.Without, name) }

// begin lays out the data and considers the single leaf and the incumbent.
func begin(ctx context.Context, ds *dataset.Dataset, o Options) (*search, error) {
	ctx = context.WithoutCancel(ctx) // an ended context still gets the results of one pass over the data
	d, err := newLayout(ctx, ds, o.Form)
	if err != nil {
		return nil, err
	}
	s := newSearch(d, o)
	if s.o.Value == nil {
		s.o.Value = s.value
	}
	if s.o.Admits == nil {
		s.o.Admits = s.admits
	}
	s.takeLeaf()
	if o.Incumbent != nil {
		s.take(o.Incumbent)
	}
	return s, nil
}

func newSearch(d *layout, o Options) *search {
	o.Form.Training = d.training
	s := &search{layout: d, o: o, depth: o.Form.Depth, mu: o.Form.Mu, alpha: o.Form.Alpha, objective: math.Inf(1), reach: math.Inf(1)}
	if s.mu == 0 {
		s.mu = hyperplane.DefaultMu
	}
	most := (1<<min(s.depth, 20) - 1) * d.p()
	if m := o.Form.MaxSplits; m > 0 {
		most = min(most, m)
	}
	s.grid = d.lattice(s.alpha, most)
	s.step = s.grid.Step()
	s.rng = rand.New(rand.NewPCG(o.Seed, 14))
	return s
}

// block returns the proof for a subset of the rows, for their errors without penalties and limits.
func (s *search) block(rows []int32) *search {
	o := Options{Form: s.o.Form, Solve: s.o.Solve, Seed: s.o.Seed}
	o.Form.Alpha, o.Form.MaxSplits, o.Form.Margin = 0, 0, hyperplane.Right
	b := newSearch(s.of(rows), o)
	b.rng = rand.New(rand.NewPCG(s.rng.Uint64(), 14))
	b.o.Value, b.o.Admits = b.value, func(*tree.Tree) bool { return true }
	b.takeLeaf()
	return b
}

// takeLeaf considers the best single leaf.
func (s *search) takeLeaf() {
	weights := s.ds.ClassWeights()
	s.take(tree.NewLeaf(s.src, slices.Index(weights, slices.Max(weights))))
}

// value returns the objective of the problem.
func (s *search) value(t *tree.Tree) float64 {
	if s.o.Form.Margin == hyperplane.Right {
		return s.right(t)
	}
	return tree.Objective(t.Evaluate(s.ds).ErrorWeight, s.lhat, s.alpha, t.Terms())
}

// right returns the objective of margin right: rows that are not correct with the margin are
// errors.
func (s *search) right(t *tree.Tree) float64 {
	if s.data == nil {
		return tree.Objective(t.Evaluate(s.ds).ErrorWeight, s.lhat, s.alpha, t.Terms())
	}
	return tree.Objective(s.wrong(t), s.lhat, s.alpha, t.Terms())
}

// admits reports whether a tree is feasible.
func (s *search) admits(t *tree.Tree) bool {
	f := s.o.Form
	if t.Depth() > f.Depth || f.MaxSplits > 0 && t.Terms() > f.MaxSplits {
		return false
	}
	if f.MinLeaf > 0 && t.Splits() > 0 && !s.heavyLeaves(t) {
		return false
	}
	return f.Margin == hyperplane.Right || s.data == nil || s.data.LeastMargin(t) >= s.mu-hyperplane.MarginSlack
}

// heavyLeaves reports whether every leaf has the minimum weight.
func (s *search) heavyLeaves(t *tree.Tree) bool {
	t = t.Clone()
	t.Annotate(s.src)
	for i := range t.Nodes {
		w := 0.0
		for _, v := range t.Nodes[i].Weight {
			w += v
		}
		if t.Nodes[i].Leaf() && !tree.EnoughWeight(w, s.o.Form.MinLeaf) {
			return false
		}
	}
	return true
}

// take keeps t if it is admitted and better than the best. A tree that is not admitted still limits
// how high a bound of margin right can be.
func (s *search) take(t *tree.Tree) {
	if t == nil {
		return
	}
	if f := s.o.Form; t.Depth() <= f.Depth && (f.MaxSplits == 0 || t.Terms() <= f.MaxSplits) {
		if v := s.right(t); v < s.reach {
			s.reach, s.low = v, t
		}
	}
	if !s.o.Admits(t) {
		return
	}
	v := s.o.Value(t)
	if !(v < s.objective) {
		return
	}
	s.tree, s.objective = t, v
	s.reach = min(s.reach, v)
	s.tell(t)
}

// prove applies a bound on the objective.
func (s *search) prove(by verify.Prover, bound float64) {
	if !(bound > s.bound) && s.by != verify.Nobody {
		return
	}
	s.bound, s.by = bound, by
	s.tell(nil)
}

// proveErrors applies a bound on the errors, in units, that ignores the penalty on features: a tree
// pays for at least one feature unless it is the single leaf.
func (s *search) proveErrors(by verify.Prover, units float64) {
	bound := units / s.lhat
	if s.alpha > 0 {
		bound = min(s.leaf, bound+s.alpha)
	}
	s.prove(by, bound)
}

// closes reports whether a bound closes the gap to a value.
func (s *search) closes(bound, value float64) bool {
	return bound >= value || verify.Near(bound, value) && s.step == 0 || value-bound < s.step/2
}

// closed reports whether a bound is the best possible: a tree of margin right attains it.
func (s *search) closed(bound float64) bool { return s.closes(bound, s.reach) }

// finest is the relative difference below which two objectives count as equal if weights have no
// unit.
const finest = verify.Agreement

// better returns an upper limit on the objective of every tree below reach.
func (s *search) better() float64 {
	if s.step > 0 {
		return s.reach - s.step*(1-1e-3)
	}
	return s.reach - finest*max(1, s.reach)/2
}

// noneBetter returns the bound that is proved if no tree is within better.
func (s *search) noneBetter() float64 {
	if s.step > 0 {
		return s.reach
	}
	return s.better()
}

// done reports whether nothing is left to prove, or the time is over.
func (s *search) done(ctx context.Context) bool { return s.closed(s.bound) || ctx.Err() != nil }

// lp solves linear programs.
func (s *search) lp(ctx context.Context, m *mio.Model) (*mio.Solution, error) {
	return s.o.Solve(ctx, m, Limits{})
}

func (s *search) tell(t *tree.Tree) {
	if s.o.Progress != nil {
		s.o.Progress(Event{By: s.by, Objective: s.objective, Bound: min(s.bound, s.objective), Tree: t, Round: s.rounds, Rows: s.rows})
	}
}

func (s *search) result(ctx context.Context) *Result {
	r := &Result{Status: mio.Feasible, Bound: s.bound, By: s.by, Tree: s.tree, Objective: s.objective, Rounds: s.rounds, Rows: s.rows}
	switch {
	case s.tree == nil:
		r.Status, r.Limit = mio.NoSolution, mio.LimitOf(ctx)
	case s.closes(s.bound, s.objective):
		r.Status = mio.Optimal
	default:
		r.Limit = mio.LimitOf(ctx)
	}
	return r
}

// units converts a bound on the objective without penalties into a bound on errors, rounded to a
// whole number if the difference is within rounding error.
func (s *search) units(bound float64) float64 {
	u := bound * s.lhat
	if near := math.Round(u); math.Abs(u-near) < 1e-6 {
		return near
	}
	return u
}

// share returns the end of a fraction 1/parts of the remaining time; zero for no limit.
func share(ctx context.Context, parts int) time.Time {
	end, ok := ctx.Deadline()
	if !ok {
		return time.Time{}
	}
	now := time.Now()
	return now.Add(end.Sub(now) / time.Duration(parts))
}

// until returns the end of a fraction 1/parts of the time until end.
func until(end time.Time, parts int) time.Time {
	if end.IsZero() {
		return end
	}
	now := time.Now()
	return now.Add(end.Sub(now) / time.Duration(parts))
}

// limited returns ctx with the deadline end; zero means no limit.
func limited(ctx context.Context, end time.Time) (context.Context, context.CancelFunc) {
	if end.IsZero() {
		return context.WithCancel(ctx)
	}
	return context.WithDeadline(ctx, end)
}
