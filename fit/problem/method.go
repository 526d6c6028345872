package problem

import (
	"context"
	"fmt"
	"reflect"
	"slices"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/search/exact"
	"github.com/octgen/octgen/tree"
)

// Method is a way of making a tree: a [Problem], an [Algorithm] or a [Tuned]
// procedure. Its implementations are pointers to structs whose fields are the
// options, useful as they are.
type Method interface {
	Info() Info
	// Validate says which option is out of range or does not go with another, as an
	// *[OptionError], whatever the data.
	Validate() error
}

// Info describes a method.
type Info struct {
	Name  string
	Doc   string // one line
	Proof bool   // may prove optimality

	// Engines are those by which it can be solved, the one to be preferred first; nil for
	// methods that have no choice, as most algorithms.
	Engines []Engine

	Costs bool // learns from data with costs of answers

	Measure string // the objective in words; "" for that of OCT
	Counts  string // what the complexity counts where that is not a split, such as a feature

	// Settings are the settings of a fit that the method takes beside those that
	// every method has (time-limit, seed), by their flags: "solver" stands for all of
	// solvers, "start", "work-limit", "threads" and "cross-check" for themselves.
	Settings []string

	// Of problems: what the encodings need of a solver, the default first, and the
	// heuristics whose trees suit the program as starts, in the order in which they are
	// tried.
	Needs  []formulate.EncodingNeeds
	Starts []Start
}

// Has reports whether the method takes a setting of a fit.
func (i Info) Has(setting string) bool { return slices.Contains(i.Settings, setting) }

// Engine is how a problem is solved.
type Engine string

const (
	Auto      Engine = "auto"      // search where that is exact, else mio, else heuristic
	Search    Engine = "search"    // the exact native search
	MIO       Engine = "mio"       // a solver of programs
	Heuristic Engine = "heuristic" // the best native heuristic, without a proof
)

// Problem says which tree is best.
type Problem interface {
	Method
	// Build formulates the problem for d. Some models are made of linear programs, which
	// o.LP solves. An ended ctx, or one whose deadline is too near for the size of the
	// model, is an error that wraps its own. Errors wrap formulate.ErrSingleLeaf where
	// there is nothing to formulate.
	Build(ctx context.Context, d *Data, o BuildOptions) (*Model, error)
	// Trees is what the heuristics have to know of the trees that are looked for.
	Trees() Shape
	// Program names an option in use that only a program has, "" for none: with it
	// the engine is MIO.
	Program() string
}

// BuildOptions say how a program is built.
type BuildOptions struct {
	LP        mio.SolveFunc // for models made of linear programs, and starts; nil for none
	OmitNames bool          // leave columns and rows unnamed
	Warn      func(string)  // what is worth saying before it is built; nil for nobody
}

// warn says something before building.
func (o *BuildOptions) warn(text string) {
	if o.Warn != nil {
		o.Warn(text)
	}
}

// Bounded is a problem of which the data alone bound the objective, so that a tree
// which meets the bound is the answer before anything is built.
type Bounded interface {
	Problem
	// DataBound is that bound, -Inf for none.
	DataBound(d *Data) float64
	// Admits reports whether t is a tree of the problem.
	Admits(t *tree.Tree, d *Data) bool
}

// Start is a heuristic whose trees suit a program.
type Start struct {
	Name string // of the algorithm
	Auto bool   // among those of which the start "auto" takes the best
}

// OfTrees is a problem whose objective every tree of free shape has.
type OfTrees interface {
	Problem
	// Value returns the objective of trees on d.
	Value(d *Data) func(*tree.Tree) float64
}

// Searcher is a problem that has an exact native search.
type Searcher interface {
	Problem
	Search(ctx context.Context, d *Data, o SearchOptions) (*Found, error)
	// Crossable reports whether the optimum of the program is that of the search.
	Crossable() bool
	// Searching names an option in use that only the search has, "" for none.
	Searching() string
}

// SearchOptions are the settings of a search.
type SearchOptions struct {
	Start    *Grown // to begin with; nil leaves it to the search
	Workers  int    // 0: as many as there are processors
	Work     int64  // ends the search after so much; 0 for no limit
	Seed     uint64
	Progress func(exact.Progress)
	Warn     func(string) // what is worth saying beforehand; nil for nobody
}

// Algorithm makes trees of its own kind, as a method or as the start of a program.
type Algorithm interface {
	Method
	// Grow makes a tree, annotated with the rows of d. An ended ctx is no error: the
	// tree is the best by then, at least the single leaf.
	Grow(ctx context.Context, d *Data, t Task) (*Grown, error)
}

// Task is what an algorithm is run for.
type Task struct {
	For     Problem // whose program the tree is to start; nil: the tree is the answer
	Named   bool    // a start that was asked for by name may take more work
	Seed    uint64
	Work    int64 // ends native searches after so much; 0 for their own default
	Workers int
	Beside  bool                             // it runs beside a solver, on one processor
	Others  []*Grown                         // of a start: those that were grown before it
	Begin   *Grown                           // for algorithms that begin with a tree; nil: as they like
	LP      mio.SolveFunc                    // for algorithms made of linear programs
	Warn    func(string)                     // what is worth saying; nil for nobody
	Notify  func(format string, args ...any) // news for people; nil for none
}

// warn says something.
func (t *Task) warn(format string, args ...any) {
	if t.Warn != nil {
		t.Warn(fmt.Sprintf(format, args...))
	}
}

// notify tells the news.
func (t *Task) notify(format string, args ...any) {
	if t.Notify != nil {
		t.Notify(format, args...)
	}
}

// depthSetter is a method with the option depth, see [WithDepth].
type depthSetter interface {
	// SetDepth sets the depth where none was asked for.
	SetDepth(depth int)
}

// WithDepth returns m, or a copy of it with the depth where it has none.
func WithDepth(m Method, depth int) Method {
	c := clone(m)
	if d, ok := c.(depthSetter); ok {
		d.SetDepth(depth)
	}
	return c
}

// clone is a copy of m.
func clone(m Method) Method {
	c := reflect.New(reflect.TypeOf(m).Elem())
	c.Elem().Set(reflect.ValueOf(m).Elem())
	return c.Interface().(Method)
}

// specific is a method that has to see the data before it can be validated. Once it
// has, it stays as it is.
type specific interface {
	resolve(ctx context.Context, ds *dataset.Dataset, files Files) error
}

// TreeFile is the path of the tree.json that an option of m names, "" for none: of such a
// method [For] reads it.
func TreeFile(m Method) string {
	if f, ok := m.(interface{ treeFile() string }); ok {
		return f.treeFile()
	}
	return ""
}

// For returns m for these data, its files read by files: a copy that has seen them
// where it has to, such as one whose structure names classes, else m.
func For(ctx context.Context, m Method, ds *dataset.Dataset, files Files) (Method, error) {
	if _, ok := m.(specific); !ok {
		return m, nil
	}
	c := clone(m)
	return c, c.(specific).resolve(ctx, ds, files)
}
