package problem

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/oct"
	"github.com/octgen/octgen/heuristics/cart"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mio/verify"
	"github.com/octgen/octgen/search/exact"
	"github.com/octgen/octgen/tree"
	"github.com/octgen/octgen/tree/constraint"
)

// Model is a formulation ready to be solved, and what a fit must know of it.
type Model struct {
	formulate.Formulation
	Form, Encoding string
	Tightenings    []string
	Spec           Spec     // from which it is built again
	Lines          []string // what it is, for the comments of a file

	Bound     float64                 // on every tree's objective, from the data alone; -Inf for none
	Lattice   *verify.Lattice         // of the objective; nil for none
	Precision verify.Precision        // of the objective, to solvers
	Unit      float64                 // weight that 1 of the objective stands for; 0: the objective has no unit
	Bounded   bool                    // depth, minimum leaf and maximum number of splits apply
	Integral  bool                    // continuous variables may be declared integer
	LeafTree  bool                    // the single leaf is a tree of the problem
	Scope     func(*tree.Tree) string // of a proof; nil for all trees
	Within    string                  // the box in which an infeasible model is so; "" for everywhere
	Begin     *Grown                  // a start that came with building; nil for none
	Widen     widening                // replaces splits whose margin is too narrow; nil if there are none
	// Admitting returns the model with bounds on variables so wide that it admits the best of the
	// trees; nil if that is not to be.
	Admitting func(ctx context.Context, trees []*tree.Tree) (*Model, error)
	Built     time.Duration
}

type widening = func(ctx context.Context, t *tree.Tree) (*tree.Tree, error)

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

// costed is a formulation of data with costs, made of the same as classification.
type costed struct {
	formulate.Formulation
	d *Data
}

// Decode returns the tree of a point with the weights and costs of all rows.
func (c costed) Decode(x []float64) (*tree.Tree, error) {
	t, err := c.Formulation.Decode(x)
	if err != nil {
		return nil, err
	}
	t = t.Clone()
	t.Annotate(c.d.Dataset)
	return t, nil
}

// Spec says which program is built from a dataset: the form and its options, with
// their defaults filled in. Options that a form does not have are zero. It is the
// part of a sidecar from which a model is built again: a contract.
type Spec struct {
	Form      string  `json:"form"` // a problem
	Encoding  string  `json:"encoding,omitempty"`
	Depth     int     `json:"depth,omitempty"`
	Alpha     float64 `json:"alpha,omitempty"`
	MinLeaf   float64 `json:"min_leaf,omitempty"`
	MaxSplits int     `json:"max_splits,omitempty"`

	Scale       string              `json:"scale,omitempty"`        // oct
	Tightenings oct.Tightenings     `json:"tightenings,omitzero"`   // oct
	Strengthen  int64               `json:"strengthen,omitempty"`   // oct
	Pairs       bool                `json:"pairs,omitempty"`        // oct
	Mu          float64             `json:"mu,omitempty"`           // oct-h
	Margin      string              `json:"margin,omitempty"`       // oct-h
	Without     []string            `json:"without,omitempty"`      // oct-h: tightenings that the program does without
	Eps         float64             `json:"eps,omitempty"`          // rlp-p, fm, lfm
	Perturbed   bool                `json:"perturbed,omitempty"`    // fm, lfm
	Nu          int                 `json:"nu,omitempty"`           // fm, lfm
	Delta       float64             `json:"delta,omitempty"`        // fm
	Slack       float64             `json:"slack,omitempty"`        // fm
	Lambda      float64             `json:"lambda,omitempty"`       // lfm
	Price       float64             `json:"price,omitempty"`        // lfm
	Box         float64             `json:"box,omitempty"`          // fm, lfm, gto
	Objective   string              `json:"objective,omitempty"`    // gto
	Norm        int                 `json:"norm,omitempty"`         // gto
	Structure   string              `json:"structure,omitempty"`    // gto, with the names of the classes
	Constraints *constraint.Options `json:"constraints,omitempty"`  // oct, oct-h
	BoundsByLP  bool                `json:"bounds_by_lp,omitempty"` // fm, lfm: linear programs had a part in the model
	OmitNames   bool                `json:"omit_names,omitempty"`   // columns and rows are numbered
}

// shape are the options of trees in a spec.
func (s Spec) shape() Shape {
	return Shape{Levels{Depth(s.Depth)}, Price{s.Alpha, s.MaxSplits}, Leaves{s.MinLeaf}}
}

// specOf is the part of a spec that problems of trees share.
func specOf(form string, encoding formulate.Encoding, depth int, alpha, minLeaf float64, maxSplits int) Spec {
	return Spec{Form: form, Encoding: string(encoding), Depth: depth, Alpha: alpha, MinLeaf: minLeaf, MaxSplits: maxSplits}
}

// Grown is a tree that an algorithm made.
type Grown struct {
	Name    string     // of the algorithm
	Tree    *tree.Tree // nil if an exact search finds none under constraints
	Limit   mio.Limit  // what ended it; none if it came to its own end
	Outcome *Outcome

	// Objective is what the algorithm minimises, nil for that of its problem; Claims is the
	// value that it states for the tree, nil for none.
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
	Raw       string        // how it was found, if that is worth saying
	Unproved  string        // why a search that came to its end proves nothing; else ""
	Nodes     int64
	Work      int64
	Seconds   float64
	Stats     *exact.Stats // nil for other searches

	Start          string  // what it began with
	StartObjective float64 // NaN for none

	ObjectiveOf func(*tree.Tree) float64 // nil for that of the problem
	Unbounded   bool                     // the limits of trees do not apply
}

// Outcome says how an algorithm went. Fields that do not apply are left out.
type Outcome struct {
	Limit       string `json:"limit,omitempty"`        // of the tree; filled in by a fit
	GrownSplits *int   `json:"grown_splits,omitempty"` // before pruning
	Iterations  *int   `json:"iterations,omitempty"`   // of epts and frank-wolfe
	*LocalMoves        // of local searches
}

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

// stopped says what stopped an algorithm that was.
func stopped(ctx context.Context, was bool) mio.Limit {
	if !was {
		return mio.NoLimit
	}
	return mio.LimitOf(ctx)
}

// bestSubtree is what a greedy algorithm grew, cut back to the best subtree for
// alpha and max-splits.
func bestSubtree(ctx context.Context, d *Data, s Shape, name string, t *tree.Tree, splits int, was bool) *Grown {
	if s.Alpha > 0 || s.MaxSplits > 0 {
		limit := -1
		if s.MaxSplits > 0 {
			limit = s.MaxSplits
		}
		t = cart.BestSubtree(d.Dataset, t, s.Alpha, s.Greatest(), limit)
	}
	return &Grown{Name: name, Tree: t, Limit: stopped(ctx, was), Outcome: &Outcome{GrownSplits: &splits}}
}

// The kinds of splits of local searches.
const (
	UnivariateSplits = "univariate"
	HyperplaneSplits = "hyperplane"
)
