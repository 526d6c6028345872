package problem

import (
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/oct"
	"github.com/octgen/octgen/tree/constraint"
)

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
	return Shape{Levels{s.Depth}, Price{s.Alpha, s.MaxSplits}, Leaves{s.MinLeaf}}
}

// specOf is the part of a spec that problems of trees share.
func specOf(form string, encoding formulate.Encoding, depth int, alpha, minLeaf float64, maxSplits int) Spec {
	return Spec{Form: form, Encoding: string(encoding), Depth: depth, Alpha: alpha, MinLeaf: minLeaf, MaxSplits: maxSplits}
}
