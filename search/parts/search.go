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

// Limits are what a proof asks of one solve. The zero value asks for a proof of
// optimality; the time is the context's.
type Limits struct {
	AbsGap float64 // end where the gap, in units of the objective, is at most this
	First  bool    // a first feasible point is enough

	// Plain and Certain say that something is proved by there being no point, about which
	// the presolve of solvers is wrong at times. Plain: the solver is to do without it.
	// Certain: where it finds that there is none before it has begun to search, it is to
	// look again without. A solver that has no such choice need not heed them.
	Plain, Certain bool
}

// Solve solves a model within the limits until ctx ends. A limit that the solver has
// not may be left out: it saves work only. A nil solution is an error.
type Solve func(ctx context.Context, m *mio.Model, l Limits) (*mio.Solution, error)

// Options say of which problem bounds are wanted, and what the caller knows and can do.
type Options struct {
	// Form is the problem: depth, alpha, the most splits, mu. Its encoding, margin and
	// least leaf are not used: see the package's comment. Names in Form.Without leave
	// out a way to a bound.
	Form hyperplane.Options

	// Solve solves the programs of the parts. Nil: only the data's own bound is had.
	Solve Solve

	// Incumbent is the best tree known; nil for none but the single leaf.
	Incumbent *tree.Tree

	// Value is the objective of an admitted tree: the bounds hold for trees whose rows
	// keep the margin. With margin right a row without it counts as wrong; with margin
	// all Admits refuses a tree with such a row. Nil: of the problem as Form has it.
	Value  func(*tree.Tree) float64
	Admits func(*tree.Tree) bool

	// Improve returns a tree as good or better; nil leaves trees as they are.
	Improve func(context.Context, *tree.Tree) *tree.Tree

	// Progress is told of each better bound or tree; nil for nobody.
	Progress func(Event)

	// Seed decides about the order of work, and so about the tree where several are
	// best; never about a proved value.
	Seed uint64
}

// Event is what is known at a moment.
type Event struct {
	By               verify.Prover
	Objective, Bound float64
	Tree             *tree.Tree // where it is new, else nil
	Round, Rows      int
}

// Result is what is known at the end, however it came.
type Result struct {
	// Status is Optimal where the bound meets the objective of Tree, else Feasible. That
	// comes without a limit where the bound is the optimum of margin right, and no tree
	// that is admitted was found to have it.
	Status mio.Status
	Limit  mio.Limit // what ended the proof early

	Bound     float64       // no tree of margin right, and so none of margin all, has a lower objective
	By        verify.Prover // of Bound
	Tree      *tree.Tree    // the best that was admitted
	Objective float64       // of Tree

	Rounds int   // solves of a relaxation
	Nodes  int64 // that solvers counted; of By ranges
	Rows   int   // of By rows: merged rows in the last program; of chunks: blocks; of subsystems: those found; of ranges: programs
}

// search is a proof under way: the best bound and the best tree.
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
	reach     float64    // the least objective of margin right of all trees seen: no bound is above it
	low       *tree.Tree // that has it

	rounds, rows int

	in []bool // the rows of row generation; nil before it is begun
}

// begin lays the data out and takes the single leaf and the incumbent in.
func begin(ctx context.Context, ds *dataset.Dataset, o Options) (*search, error) {
	ctx = context.WithoutCancel(ctx) // an ended one still gets what costs one look at the data
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

// block is the proof for some rows alone, without prices and limits: their errors.
func (s *search) block(rows []int32) *search {
	o := Options{Form: s.o.Form, Solve: s.o.Solve, Seed: s.o.Seed}
	o.Form.Alpha, o.Form.MaxSplits, o.Form.Margin = 0, 0, hyperplane.Right
	b := newSearch(s.of(rows), o)
	b.rng = rand.New(rand.NewPCG(s.rng.Uint64(), 14))
	b.o.Value, b.o.Admits = b.value, func(*tree.Tree) bool { return true }
	b.takeLeaf()
	return b
}

// takeLeaf takes the best single leaf.
func (s *search) takeLeaf() {
	weights := s.ds.ClassWeights()
	s.take(tree.NewLeaf(s.src, slices.Index(weights, slices.Max(weights))))
}

// value is the objective of the problem.
func (s *search) value(t *tree.Tree) float64 {
	if s.o.Form.Margin == hyperplane.Right {
		return s.right(t)
	}
	return tree.Objective(t.Evaluate(s.ds).ErrorWeight, s.lhat, s.alpha, t.Terms())
}

// right is the objective of margin right: rows that are not right with the margin are
// errors.
func (s *search) right(t *tree.Tree) float64 {
	if s.data == nil {
		return tree.Objective(t.Evaluate(s.ds).ErrorWeight, s.lhat, s.alpha, t.Terms())
	}
	return tree.Objective(s.wrong(t), s.lhat, s.alpha, t.Terms())
}

// admits says whether a tree is one of the problem.
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

// heavyLeaves says whether every leaf has the least weight.
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

// take keeps t where it is admitted and better than the best. A tree that is not may
// still show how low a bound of margin right can be.
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

// prove takes a bound on the objective in.
func (s *search) prove(by verify.Prover, bound float64) {
	if !(bound > s.bound) && s.by != verify.Nobody {
		return
	}
	s.bound, s.by = bound, by
	s.tell(nil)
}

// proveErrors takes a bound on the errors in, in units, that holds without a price on
// features: a tree with a split pays for one feature at least, unless it is the single leaf.
func (s *search) proveErrors(by verify.Prover, units float64) {
	bound := units / s.lhat
	if s.alpha > 0 {
		bound = min(s.leaf, bound+s.alpha)
	}
	s.prove(by, bound)
}

// closes says whether a bound leaves no room below a value.
func (s *search) closes(bound, value float64) bool {
	return bound >= value || verify.Near(bound, value) && s.step == 0 || value-bound < s.step/2
}

// closed says whether a bound is all that can be proved: a tree of margin right has it.
func (s *search) closed(bound float64) bool { return s.closes(bound, s.reach) }

// finest is the difference, relative to the larger of 1 and them, below which two
// objectives are one where weights have no unit.
const finest = verify.Agreement

// better is an objective that every tree below reach keeps.
func (s *search) better() float64 {
	if s.step > 0 {
		return s.reach - s.step*(1-1e-3)
	}
	return s.reach - finest*max(1, s.reach)/2
}

// noneBetter is what is proved where no tree keeps better.
func (s *search) noneBetter() float64 {
	if s.step > 0 {
		return s.reach
	}
	return s.better()
}

// done says whether there is nothing left to prove, or no time.
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

// share is the time when one part of so many of what is left is over; zero for no limit.
func share(ctx context.Context, parts int) time.Time {
	end, ok := ctx.Deadline()
	if !ok {
		return time.Time{}
	}
	now := time.Now()
	return now.Add(end.Sub(now) / time.Duration(parts))
}

// until is the time when one part of so many of what is left until end is over.
func until(end time.Time, parts int) time.Time {
	if end.IsZero() {
		return end
	}
	now := time.Now()
	return now.Add(end.Sub(now) / time.Duration(parts))
}

// limited is ctx until end, which is zero for no limit.
func limited(ctx context.Context, end time.Time) (context.Context, context.CancelFunc) {
	if end.IsZero() {
		return context.WithCancel(ctx)
	}
	return context.WithDeadline(ctx, end)
}
