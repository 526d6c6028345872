package fit

import (
	"context"
	"fmt"
	"math"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/tree"
)

// ModelSpec says which program is built from a dataset: the formulation and its
// options, with their defaults filled in. Fields that a formulation does not
// have are zero. It is the part of a [Sidecar] from which the model is built
// again.
type ModelSpec struct {
	Form      string  `json:"form"` // oct, oct-h, rlp, rlp-p, fm, lfm or gto
	Encoding  string  `json:"encoding,omitempty"`
	Depth     int     `json:"depth,omitempty"`
	Alpha     float64 `json:"alpha,omitempty"`
	MinLeaf   float64 `json:"min_leaf,omitempty"`
	MaxSplits int     `json:"max_splits,omitempty"`

	Scale       string                `json:"scale,omitempty"`        // oct
	Tightenings formulate.Tightenings `json:"tightenings,omitzero"`   // oct
	Mu          float64               `json:"mu,omitempty"`           // oct-h
	Eps         float64               `json:"eps,omitempty"`          // rlp-p, fm, lfm
	Perturbed   bool                  `json:"perturbed,omitempty"`    // fm, lfm
	Nu          int                   `json:"nu,omitempty"`           // fm, lfm
	Delta       float64               `json:"delta,omitempty"`        // fm
	Slack       float64               `json:"slack,omitempty"`        // fm
	Lambda      float64               `json:"lambda,omitempty"`       // lfm
	Box         float64               `json:"box,omitempty"`          // fm, lfm, gto
	Objective   string                `json:"objective,omitempty"`    // gto
	Norm        int                   `json:"norm,omitempty"`         // gto
	Structure   string                `json:"structure,omitempty"`    // gto, with the names of the classes
	BoundsByLP  bool                  `json:"bounds_by_lp,omitempty"` // fm, lfm: linear programs had a part in the model
	OmitNames   bool                  `json:"omit_names,omitempty"`   // columns and rows are numbered
}

// SpecOf describes a formulation of data with these classes; lp says whether it
// was built with a solver of linear programs.
func SpecOf(f formulate.Formulation, classes []string, lp bool) ModelSpec {
	switch f := f.(type) {
	case *formulate.OCT:
		o := f.Options()
		return ModelSpec{
			Form: "oct", Encoding: string(o.Encoding), Depth: o.Depth, Alpha: o.Alpha, MinLeaf: o.MinLeaf, MaxSplits: o.MaxSplits,
			Scale: string(o.Scale), Tightenings: o.Tighten, OmitNames: o.OmitNames,
		}
	case *formulate.OCTH:
		o := f.Options()
		return ModelSpec{
			Form: "oct-h", Encoding: string(o.Encoding), Depth: o.Depth, Alpha: o.Alpha, MinLeaf: o.MinLeaf, MaxSplits: o.MaxSplits,
			Mu: o.Mu, OmitNames: o.OmitNames,
		}
	case *formulate.RLP:
		o := f.Options()
		form := "rlp"
		if o.Perturbed {
			form = "rlp-p"
		}
		return ModelSpec{Form: form, Encoding: string(formulate.LinearProgram), Eps: o.Eps, OmitNames: o.OmitNames}
	case *formulate.FM:
		o := f.Options()
		return ModelSpec{
			Form: "fm", Encoding: string(o.Encoding), Perturbed: o.Perturbed, Eps: o.Eps, Nu: o.Nu, Delta: f.Delta(), Slack: o.Slack,
			Box: o.Box, BoundsByLP: lp, OmitNames: o.OmitNames,
		}
	case *formulate.LFM:
		o := f.Options()
		return ModelSpec{
			Form: "lfm", Encoding: string(o.Encoding), Perturbed: o.Perturbed, Eps: o.Eps, Nu: o.Nu, Lambda: o.Lambda,
			Box: o.Box, BoundsByLP: lp, OmitNames: o.OmitNames,
		}
	case *formulate.GTO:
		o := f.Options()
		return ModelSpec{
			Form: "gto", Encoding: string(o.Encoding), Objective: string(o.Objective), Norm: o.Norm, Box: o.Box,
			Structure: o.Structure.Text(classes), OmitNames: o.OmitNames,
		}
	}
	panic(fmt.Sprintf("fit: SpecOf: unknown formulation %T", f))
}

// Build builds the model that s describes. lp solves the linear programs that
// some forms need; nil for none. Errors wrap ErrInput, or formulate.ErrSingleLeaf
// where there is nothing to formulate.
func (s ModelSpec) Build(ctx context.Context, ds *dataset.Dataset, lp mio.SolveFunc) (formulate.Formulation, error) {
	if s.BoundsByLP && lp == nil {
		return nil, fmt.Errorf("%w: the bounds in this %s model come from linear programs, and there is no solver for them here", ErrInput, s.Form)
	}
	if !s.BoundsByLP && s.Form != "oct-h" {
		lp = nil // what was written without must be built without
	}
	f, err := s.build(ctx, ds, lp)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrInput, err)
	}
	return f, nil
}

func (s ModelSpec) build(ctx context.Context, ds *dataset.Dataset, lp mio.SolveFunc) (formulate.Formulation, error) {
	enc := formulate.Encoding(s.Encoding)
	switch s.Form {
	case "oct":
		return asFormulation(formulate.OCTOptions{
			Depth: s.Depth, Alpha: s.Alpha, MinLeaf: s.MinLeaf, MaxSplits: s.MaxSplits, Encoding: enc,
			Scale: formulate.Scale(s.Scale), Tighten: s.Tightenings, OmitNames: s.OmitNames,
		}.Build(ctx, ds))
	case "oct-h":
		return asFormulation(formulate.OCTHOptions{
			Depth: s.Depth, Alpha: s.Alpha, MinLeaf: s.MinLeaf, MaxSplits: s.MaxSplits, Encoding: enc,
			Mu: s.Mu, LP: lp, OmitNames: s.OmitNames,
		}.Build(ctx, ds))
	case "rlp", "rlp-p":
		return asFormulation(formulate.RLPOptions{Perturbed: s.Form == "rlp-p", Eps: s.Eps, OmitNames: s.OmitNames}.Build(ctx, ds))
	case "fm":
		return asFormulation(formulate.FMOptions{
			Perturbed: s.Perturbed, Eps: s.Eps, Nu: s.Nu, Delta: s.Delta, Slack: s.Slack, Encoding: enc, Box: s.Box, LP: lp, OmitNames: s.OmitNames,
		}.Build(ctx, ds))
	case "lfm":
		return asFormulation(formulate.LFMOptions{
			Perturbed: s.Perturbed, Eps: s.Eps, Nu: s.Nu, Lambda: s.Lambda, Encoding: enc, Box: s.Box, LP: lp, OmitNames: s.OmitNames,
		}.Build(ctx, ds))
	case "gto":
		structure, err := formulate.ParseStructure(s.Structure, ds.Classes)
		if err != nil {
			return nil, err
		}
		return asFormulation(formulate.GTOOptions{
			Structure: structure, Objective: formulate.GTOObjective(s.Objective), Encoding: enc, Norm: s.Norm, Box: s.Box, OmitNames: s.OmitNames,
		}.Build(ctx, ds))
	}
	return nil, fmt.Errorf("no formulation %q", s.Form)
}

// asFormulation keeps a nil pointer from becoming a Formulation that is not nil.
func asFormulation[F formulate.Formulation](f F, err error) (formulate.Formulation, error) {
	if err != nil {
		return nil, err
	}
	return f, nil
}

// problemOf is what the pipeline must know of a formulation that was built
// elsewhere.
func problemOf(f formulate.Formulation, spec ModelSpec) *problem {
	p := &problem{Formulation: f, form: spec.Form, encoding: spec.Encoding, bound: math.Inf(-1)}
	switch f := f.(type) {
	case *formulate.OCT:
		p.complexity, p.bound, p.lattice, p.imprecise = (*tree.Tree).Splits, f.Bound(), f.Lattice(), f.Imprecise()
	case *formulate.OCTH:
		p.complexity, p.bound, p.lattice, p.imprecise = f.Complexity, f.Bound(), f.Lattice(), f.Imprecise()
	case *formulate.FM:
		p.scope = func(*tree.Tree) string { return f.Scope() }
	case *formulate.LFM:
		p.scope = func(*tree.Tree) string { return f.Scope() }
	case *formulate.GTO:
		p.anyTree, p.bound, p.scope, p.unit = true, f.Bound(), gtoScope(f), f.ObjectiveUnit()
	}
	return p
}
