package problem

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/gto"
	"github.com/octgen/octgen/formulate/oct"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mio/verify"
	"github.com/octgen/octgen/search/exact"
	"github.com/octgen/octgen/search/parts"
	"github.com/octgen/octgen/tree"
	"github.com/octgen/octgen/tree/constraint"
	"github.com/octgen/octgen/tree/score"
)

// Method is a way of making a tree: a pointer to a struct whose fields are its options,
// useful as they are.
type Method interface {
	// Info describes the method with these options.
	Info() Info
	// Validate refuses options that no data make right, as an *[OptionError].
	Validate() error
	// On binds the method to data. Depth is that of its trees if the options name none;
	// 0 is [DefaultDepth]. Options that do not go with the data are an *[OptionError].
	On(ctx context.Context, d *Data, depth int) (*Problem, error)
}

// Info is what can be said of a method without data. Fields that do not apply are zero.
type Info struct {
	Name  string
	Doc   string // one line
	Kind  Kind
	Proof bool // may prove optimality

	// Engines can solve it, the preferred one first; nil for methods without a choice.
	Engines []Engine
	// Settings of a fit that the method takes besides those that every method has
	// (time-limit, seed), by their flags; solver stands for all of solvers.
	Settings []string

	Costs       bool   // learns from a cost matrix
	Rewards     bool   // learns from rewards of actions in place of classes
	Numbers     bool   // can predict numbers in place of classes
	OnlyNumbers bool   // predicts no classes
	Oblique     bool   // splits are on sums of features
	Measure     string // the objective in words; "" for that of OCT
	Counts      string // what the complexity counts if not splits
	Words       func(objective float64, features int) string
	Hint        func(flag string) string // why an option of others is missing; continues "--FLAG is for A; METHOD"

	// Of formulations: the needs of the encodings, the default first, and the algorithms
	// whose trees can start a solver.
	Needs  []formulate.EncodingNeeds
	Starts []Start
	// StartShare: starts may take one part in so many of the time; 0 is the usual.
	StartShare int
	LPStarts   bool // linear programs improve starts, and leave the model as it is
	Crossable  bool // the optimum of the model is that of the exact search
	SelfProved bool // the search proves the optimum of the model by its multipliers

	Univariate bool                        // optimal among all univariate trees
	OCT        func() (oct.Options, error) // the formulation of oct; nil for others

	Grows  bool // makes trees of its own: an algorithm, or a start
	Exact  bool // is the exact search itself
	LPFree bool // solves its linear programs without a solver, too

	// Of the options in use.
	Depth       *Depth          // the option depth; nil if the method has none now
	AnyDepth    bool            // the depth may be NoDepth
	Validation  *Part           // of tuned methods, the fraction of the rows that chooses alpha
	PerLeaf     *PerLeaf        // the price per leaf; nil if the method has none
	Shape       *Shape          // of free trees; nil if the method has no such options
	MinLeaf     float64         // the minimum leaf weight of methods without Shape
	OnlyMIO     string          // an option that only a solver's model has, "" for none
	OnlySearch  string          // an option that only the exact search has
	NotWritten  error           // an option that a written model cannot have
	Margin      string          // rows that keep the margin of hyperplanes: all or right
	Constraints *constraint.Set // nil if the method has none
	Positive    string          // class whose rates the constraints compare
	Groups      []string        // columns that the constraints compare rows by
	TreeFile    string          // path of the tree.json that an option names
	ReadFile    func(Files) error
}

// Has reports whether the method takes a setting of a fit.
func (i *Info) Has(setting string) bool { return slices.Contains(i.Settings, setting) }

// Solves reports whether the engine can solve the method.
func (i *Info) Solves(e Engine) bool { return slices.Contains(i.Engines, e) }

// Kind says what a method is.
type Kind int

const (
	Algorithm   Kind = iota // makes a tree by its own rules
	Formulation             // says which tree is best, and can be written as a model
	Tuned                   // chooses alpha by validation
)

// Engine is how a problem is solved.
type Engine string

const (
	Auto      Engine = "auto"      // search if the method has one, else mio, else heuristic
	Search    Engine = "search"    // the exact native search
	MIO       Engine = "mio"       // a solver of mixed-integer programs
	Heuristic Engine = "heuristic" // the best native heuristic, without a proof
)

// Start is an algorithm whose trees can start a solver.
type Start struct {
	Name string
	Auto bool // one of those of which the start "auto" takes the best
}

// What proofs by parts take of the time that is left. At depth 2 and more clauses prove far more than the whole model does, and find better trees.
const (
	partsShare   = 0.75
	clausesShare = 0.95
)

// Problem is a method bound to data: the trees it admits, their value, and the engines that
// find trees or prove bounds. Engines that it lacks are nil. It does not change.
type Problem struct {
	Info
	Method Method // with its depth and structure
	Data   *Data

	Shape      Shape                    // limits of the trees
	Complexity func(*tree.Tree) int     // what Shape.MaxSplits bounds
	Value      func(*tree.Tree) float64 // minimised; nil if only trees of one structure have a value
	Admits     func(*tree.Tree) bool    // nil if nothing is known of that without a model
	Keep       *constraint.On           // constraints on the training rows; nil for none
	Bound      func() float64           // on Value, from the data alone; -Inf for none
	// Reported turns a value that is minimised into the one that is reported; nil if they
	// are the same. It decreases.
	Reported func(value float64) float64

	// Build formulates the problem. An ended context, or one whose deadline is too near for
	// the size of the model, is an error that wraps its own. An error wraps
	// formulate.ErrSingleLeaf if there is nothing to formulate.
	Build func(ctx context.Context, o BuildOptions) (*Model, error)
	// Size is that of the model.
	Size func(ctx context.Context) (formulate.Size, error)
	// Search is the exact search.
	Search func(ctx context.Context, o SearchOptions) (*Found, error)
	// Relaxed returns the problem without one of its constraints, numbered from 0.
	Relaxed func(without int) (*Problem, error)
	// Parts bounds the objective by models of parts of the problem, and looks for better
	// trees. A nil result means that the options ask for the whole model, or that the proof is
	// not for these data or trees.
	Parts func(ctx context.Context, o PartsOptions) (*parts.Result, error)
	// PartsShare is what Parts may take of the time that is left, of 1.
	PartsShare float64
	// Grow makes a tree that is annotated with the rows of Data. If the context ends,
	// the tree is the best by then, or the error wraps the context's.
	Grow func(ctx context.Context, t Task) (*Grown, error)
	// Beside is an algorithm that runs beside a solver, and doubts its optimum. BesideDoubts
	// means that it may only do the latter.
	Beside       Method
	BesideDoubts bool
	// AxisParallel is the same problem with univariate splits, for one of hyperplanes.
	AxisParallel Method
	// Begin is the problem whose starts suit Grow as trees to begin with.
	Begin Method
	// Tuning is the procedure of a tuned method.
	Tuning *Tuning

	// What algorithms must know of the problem that their trees are to start.
	Hyperplanes *Hyperplanes
	Linear      *Linear
	Fixed       *Fixed
}

// Hyperplanes are the splits of oct-h.
type Hyperplanes struct {
	Mu    float64
	Right bool // only correctly classified rows keep the margin
}

// Linear is the error of a linear split, and what it is to keep.
type Linear struct {
	Eps      float64 // weight of |w|; 0 for that of RLP
	Delta    float64 // bound on the error; 0 for none
	Fewest   bool    // the fewest features within Delta; else the least error
	Features int     // most features; 0 for no limit
	Price    float64 // of a feature
}

// Fixed is the structure of a tree whose splits are sought: a structure, or the depth of
// the full tree.
type Fixed struct {
	Structure *gto.Structure
	Depth     int
	Objective gto.Objective
}

// BuildOptions say how a model is built.
type BuildOptions struct {
	LP        mio.SolveFunc // for models and starts that need linear programs; nil for none
	OmitNames bool          // leave columns and rows unnamed
	Warn      func(string)  // nil for nobody
}

func (o *BuildOptions) warn(text string) {
	if o.Warn != nil {
		o.Warn(text)
	}
}

// SearchOptions are the settings of an exact search.
type SearchOptions struct {
	Start    *Grown // to begin with; nil leaves it to the search
	Workers  int    // 0: as many as there are processors
	Work     int64  // ends the search after so much; 0 for no limit
	Seed     uint64
	Progress func(exact.Progress)
	Warn     func(string) // nil for nobody
}

// PartsOptions are the settings of proofs by parts.
type PartsOptions struct {
	Solve    parts.Solve
	LP       mio.SolveFunc
	Start    *tree.Tree // the best tree so far; nil for none
	Seed     uint64
	Workers  int
	Progress func(parts.Event)
	Warn     func(string) // nil for nobody

	NoStart bool // no start was wanted, so that a proof that needs one is not
	Whole   bool // asks for what only one solve has: a gap, a limit of nodes, a log
}

// Task is what an algorithm is run for.
type Task struct {
	For     *Problem // whose model the tree is to start; nil: the tree is the answer
	Named   bool     // a start that was asked for by name may take more work
	Seed    uint64
	Work    int64 // ends native searches after so much; 0 for their own default
	Workers int
	Beside  bool                             // it runs beside a solver, on one processor
	Others  []*Grown                         // starts that were grown before
	Begin   *Grown                           // tree to begin with; nil: as the algorithm likes
	LP      mio.SolveFunc                    // for algorithms made of linear programs
	Warn    func(string)                     // nil for nobody
	Notify  func(format string, args ...any) // news for people; nil for none
}

func (t *Task) warn(format string, args ...any) {
	if t.Warn != nil {
		t.Warn(fmt.Sprintf(format, args...))
	}
}

func (t *Task) notify(format string, args ...any) {
	if t.Notify != nil {
		t.Notify(format, args...)
	}
}

// AlgorithmOf is the problem of an algorithm whose trees have the value of OCT.
func AlgorithmOf(m Method, d *Data, s Shape, grow func(ctx context.Context, t Task) (*Grown, error)) *Problem {
	return &Problem{
		Info: m.Info(), Method: m, Data: d, Shape: s, Complexity: (*tree.Tree).Splits,
		Value: treeValue(d, s.Alpha), Bound: unbounded, Grow: grow,
	}
}

// octValue is the value of OCT without constraints.
func octValue(d *Data, alpha float64) func(*tree.Tree) float64 {
	return func(t *tree.Tree) float64 { return t.Objective(d.Dataset, alpha) }
}

// treeValue is the value of a tree of the kind that the data ask for, without constraints.
func treeValue(d *Data, alpha float64) func(*tree.Tree) float64 {
	if d.Kind() == dataset.Numbers {
		return lossValue(d, alpha)
	}
	return octValue(d, alpha)
}

// lossValue is loss / loss of the single leaf + alpha splits of a tree that predicts numbers, learned from the data if it has none.
func lossValue(d *Data, alpha float64) func(*tree.Tree) float64 {
	return func(t *tree.Tree) float64 {
		if !t.IsRegression() {
			t = t.Clone()
			t.Annotate(d.Dataset)
		}
		return score.NumbersOf(t, d.Dataset).Objective(alpha, t.Splits())
	}
}

// octHValue is the value of oct-h without constraints whose rows all keep the margin.
func octHValue(d *Data, alpha float64) func(*tree.Tree) float64 {
	scale := tree.ErrorScale(d.Dataset)
	return func(t *tree.Tree) float64 {
		return tree.Objective(t.Evaluate(d.Dataset).ErrorWeight, scale, alpha, t.Terms())
	}
}

// Limits are those that a tree of the problem keeps.
func (p *Problem) Limits() verify.Limits { return p.Shape.limits(p.Complexity) }

// Holds reports whether t keeps the constraints on the training rows.
func (p *Problem) Holds(t *tree.Tree) bool { return p.Keep == nil || p.Keep.Broken(t) == nil }

// Earns reports whether the data have rewards of actions in place of classes.
func (p *Problem) Earns() bool { return p.Data.Kind() == dataset.Rewards }

// Files reads the files that an option names.
type Files struct {
	// Tree reads a tree.json; nil if options may name no files.
	Tree func(path string) (*tree.Tree, error)
}

// errNoFiles is for callers that have none.
var errNoFiles = errors.New("no tree files are read here; want a name")

func (f Files) tree(path string) (*tree.Tree, error) {
	if f.Tree == nil {
		return nil, errNoFiles
	}
	t, err := f.Tree(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("there is no file %s", path)
	}
	return t, err
}

// Tuning describes a tuned method: a procedure that chooses alpha by validation (Bertsimas &
// Dunn 2017, section 3). Package fit runs it.
type Tuning struct {
	Of          func(Shape) Method // whose trees compete, at each alpha; nil for the subtrees of CART
	First       *Tuning            // whose trees, found first, compete too; nil for none
	Hyperplanes bool               // else splits are univariate
	Complexity  func(*tree.Tree) int
	Admitting   func(*Data) func(*tree.Tree) bool // which trees of the data compete; nil for all
	Depth       int
	MinLeaf     float64
	Mu          float64 // of hyperplanes
	Narrower    *Tuning // the same of a smaller margin, where validation chooses between the two; nil for no choice
	Criterion   tree.Criterion
	Validated
	Path string
}
