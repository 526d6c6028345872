package problem

import (
	"errors"
	"fmt"
	"math"
	"os"
	"time"

	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mio/verify"
	"github.com/octgen/octgen/search/exact"
	"github.com/octgen/octgen/tree"
)

// Model is a formulation ready to be solved, and what a fit must know of it.
type Model struct {
	formulate.Formulation
	Form, Encoding string
	Tightenings    []string
	Spec           Spec     // from which it is built again
	Lines          []string // what it is, for the comments of a file

	Bound      float64                 // on every tree's objective, from the data alone; -Inf for none
	Lattice    *verify.Lattice         // of the objective; nil for none
	Precision  verify.Precision        // of the objective, to solvers
	Unit       float64                 // weight that 1 of the objective stands for; 0: the objective has no unit
	Complexity func(*tree.Tree) int    // what the most splits bound; nil where depth, least leaf and most splits do not apply
	LeafTree   bool                    // the single leaf is a tree of the problem
	AnyTree    bool                    // takes starts from trees of any shape
	Scope      func(*tree.Tree) string // of a proof; nil for all trees
	Within     string                  // the box in which an infeasible model is so; "" for everywhere
	Begin      *Grown                  // that came with building, nil for none
	Built      time.Duration
}

// Value is the objective of a tree in the unit of reports.
func (m *Model) Value(t *tree.Tree) float64 { return m.InUnits(m.Objective(t)) }

// InUnits is a figure of the model's objective in the unit of reports.
func (m *Model) InUnits(v float64) float64 {
	if m.Unit == 0 {
		return v
	}
	return v * m.Unit
}

// newModel is what every problem's Build makes of its formulation.
func newModel(f formulate.Formulation, spec Spec, began time.Time) *Model {
	return &Model{Formulation: f, Form: spec.Form, Encoding: spec.Encoding, Spec: spec, Bound: math.Inf(-1), Built: time.Since(began)}
}

// limitText is a number of splits in words, for Model.Lines.
func limitText(splits int) string {
	if splits == 0 {
		return "no limit"
	}
	return fmt.Sprint(splits)
}

// Grown is a tree that an algorithm made.
type Grown struct {
	Name    string     // of the algorithm
	Tree    *tree.Tree // nil where an exact search finds none under constraints
	Limit   mio.Limit  // what ended it; none where it came to its own end
	Outcome *Outcome

	// Objective is what the algorithm minimises, nil for the errors and splits of OCT;
	// Claims the value that it says the tree has, nil where it says nothing.
	Objective func(*tree.Tree) float64
	Claims    *float64

	Found *Found // by an exact search; nil otherwise
}

// Proved reports whether the tree is proved best among those of its kind.
func (g *Grown) Proved() bool { return g.Found != nil && g.Found.Status == mio.Optimal }

// Found is the answer of an exact search.
type Found struct {
	Name      string // of the search
	Tree      *tree.Tree
	Status    mio.Status
	Limit     mio.Limit
	Objective float64       // of the tree
	Bound     float64       // proved
	Prover    verify.Prover // of Bound; "" is the search
	Raw       string        // why, where that is worth saying
	Unproved  string        // why a search that came to its end does not prove; "" where it does or a limit came first
	Nodes     int64
	Work      int64
	Seconds   float64
	Stats     *exact.Stats // counters, nil for other searches

	Start          string  // what it began with
	StartObjective float64 // NaN for none

	ObjectiveOf func(*tree.Tree) float64 // nil for that of OCT
	Unbounded   bool                     // depth, least leaf and most splits do not apply
}

// Outcome says how an algorithm went. What does not apply is left out.
type Outcome struct {
	Limit       string `json:"limit,omitempty"`        // of the tree, see Grown; a fit fills it in
	GrownSplits *int   `json:"grown_splits,omitempty"` // before pruning, of methods that grow and prune
	Iterations  *int   `json:"iterations,omitempty"`   // of epts and frank-wolfe
	*LocalMoves        // of local-search
}

// The kinds of splits of local searches.
const (
	UnivariateSplits = "univariate"
	HyperplaneSplits = "hyperplane"
)

// LocalMoves is what a local search did.
type LocalMoves struct {
	Splits   string  `json:"splits"` // univariate or hyperplane
	Seed     int     `json:"seed"`
	Restarts int     `json:"restarts"`
	Kicks    int     `json:"kicks"`        // random changes of local optima
	Moves    int     `json:"moves"`        // improving changes of a tree
	Work     int64   `json:"work"`         // rows times features looked at
	Best     float64 `json:"best_seconds"` // when the tree was found
	Seconds  float64 `json:"seconds"`
}

// Files reads the files that an option names.
type Files struct {
	// Tree reads a tree.json; nil where options may name no files.
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
