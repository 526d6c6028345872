package problem

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/gto"
	"github.com/octgen/octgen/heuristics/cart"
	"github.com/octgen/octgen/tree"
)

// Structured are the options of trees of fixed structure.
type Structured struct {
	Levels
	Leaves
	Structure string `placeholder:"((a,b),(a,b))" own:"" group:"Linear splits, fixed structures" help:"gto, epts, frank-wolfe: structure with leaf classes, the path of a tree.json, or cart (default: the full tree of --depth, classes in turn)."`
	Objective string `placeholder:"NAME" own:"" group:"Linear splits, fixed structures" help:"gto: minimum (default), count or product error; epts: the same, default product."`

	structure *gto.Structure // of the data at hand, nil for the full tree
}

// cartStructure asks for the structure of CART's tree.
const cartStructure = "cart"

// validate refuses what no data make right.
func (s *Structured) validate(form string) error {
	switch {
	case s.MinLeaf != 0 && s.MinLeaf != 1 && s.Structure != cartStructure:
		return wrong("min-leaf", "is of oct, oct-h and the native methods that choose their splits; %s has no least weight of a leaf", form)
	case s.Depth != 0 && s.Structure != "" && s.Structure != cartStructure:
		return wrong("depth", "is of the full tree and of CART; --structure says how deep this one is")
	}
	if s.Objective != "" && !slices.Contains(gto.Objectives(), gto.Objective(s.Objective)) {
		return wrong("objective", "has no error %q; they are %q", s.Objective, gto.Objectives())
	}
	return nil
}

// SetDepth sets the depth where none was asked for, and the structure does not say it.
func (s *Structured) SetDepth(depth int) {
	if s.Structure == "" || s.Structure == cartStructure {
		s.Levels.SetDepth(depth)
	}
}

// treeFile is the structure where it is that of a tree.json.
func (s *Structured) treeFile() string {
	if strings.HasSuffix(s.Structure, ".json") {
		return s.Structure
	}
	return ""
}

// resolve finds the structure for the classes of ds, unless it has it.
func (s *Structured) resolve(ctx context.Context, ds *dataset.Dataset, files Files) error {
	var err error
	switch {
	case s.Structure == "" || s.structure != nil:
	case s.Structure == cartStructure:
		var res *cart.Result
		if res, err = cart.Grow(ctx, ds, cart.Options{MaxDepth: s.Greatest(), MinLeaf: s.MinLeaf}); err == nil {
			s.structure = gto.StructureOf(res.Tree)
		}
	case s.treeFile() != "":
		var t *tree.Tree
		if t, err = files.tree(s.Structure); err == nil {
			if !slices.Equal(t.Classes, ds.Classes) {
				return wrong("structure", "%s: the tree has the classes %q, the data %q", s.Structure, t.Classes, ds.Classes)
			}
			s.structure = gto.StructureOf(t)
		}
	default:
		s.structure, err = gto.ParseStructure(s.Structure, ds.Classes)
	}
	if err != nil {
		return wrong("structure", ": %w", err)
	}
	return nil
}

// Hint says why options of trees of free shape are not there.
func (*Structured) Hint(flag string) string {
	const fixed = "has trees of a fixed structure"
	return map[string]string{"alpha": fixed, "max-splits": fixed, "mu": "asks for no margin"}[flag]
}

// fixed returns the structure, or the depth of the full tree.
func (s *Structured) fixed() (*gto.Structure, int) {
	if s.structure != nil {
		return s.structure, 0
	}
	return nil, s.Greatest()
}

// GTO is global tree optimization of a fixed structure with hyperplane splits
// (Bennett & Blue 1996).
type GTO struct {
	Structured
	Encoded
	Norm int     `min:"1" max:"2" placeholder:"1|2" group:"Linear splits, fixed structures" help:"gto: power of the decision errors."`
	Box  float64 `min:"0" placeholder:"B" group:"Linear splits, fixed structures" help:"fm, lfm, gto: bound on weights that the data do not bound, in standardised units."`
}

var _ Respecified = (*GTO)(nil)

func init() { register(func() Method { return new(GTO) }) }

// Info describes the method.
func (*GTO) Info() Info {
	return Info{
		Name: "gto", Measure: "error of the tree", Doc: "global tree optimization of a fixed structure with hyperplane splits (Bennett & Blue 1996)", Proof: true,
		Engines: []Engine{MIO, Heuristic}, Settings: []string{"solver", "start", "threads"},
		Needs:  gtoNeeds(),
		Starts: []Start{{"cart", true}, {"msmt", true}, {"frank-wolfe", true}, {"c45", false}, {"epts", true}, {"oc1", false}, {"rlp", false}, {"fm-tree", false}},
	}
}

// gtoNeeds lists what the encodings of each objective need of a solver.
func gtoNeeds() []formulate.EncodingNeeds {
	var all []formulate.EncodingNeeds
	for _, o := range gto.Objectives() {
		for _, n := range gto.Needs(o) {
			n.Form += " " + string(o)
			all = append(all, n)
		}
	}
	return all
}

// Validate refuses what no data make right.
func (m *GTO) Validate() error {
	if err := m.validate("gto"); err != nil {
		return err
	}
	return m.among("gto", gto.Needs(cmp.Or(gto.Objective(m.Objective), gto.MinimumError)))
}

// Trees is the shape of the trees looked for.
func (m *GTO) Trees() Shape {
	if m.structure != nil {
		return Shape{Levels: Levels{m.structure.Depth()}}
	}
	return Shape{Levels: m.Levels}
}

// Formulation returns the options of the program.
func (m *GTO) Formulation() gto.Options {
	o := gto.Options{Objective: gto.Objective(m.Objective), Encoding: formulate.Encoding(m.Encoding), Norm: m.Norm, Box: m.Box}
	o.Structure, o.Depth = m.fixed()
	return o
}

// Build formulates the problem.
func (m *GTO) Build(ctx context.Context, d *Data, o BuildOptions) (*Model, error) {
	began := time.Now()
	opts := m.Formulation()
	l, err := d.Training(ctx)
	if err != nil {
		return nil, err
	}
	opts.OmitNames, opts.Training = o.OmitNames, l
	f, err := opts.Build(ctx, d.Dataset)
	if err != nil {
		return nil, err
	}
	opts = f.Options()
	p := newModel(f, Spec{
		Form: "gto", Encoding: string(opts.Encoding), Objective: string(opts.Objective), Norm: opts.Norm, Box: opts.Box,
		Structure: opts.Structure.Text(d.Classes), OmitNames: opts.OmitNames,
	}, began)
	p.AnyTree, p.Bound, p.Unit = true, f.Bound(), f.ObjectiveUnit()
	p.Scope = func(t *tree.Tree) string {
		if f.BoxExact(f.Objective(t)) {
			return ""
		}
		return fmt.Sprintf("within the box |w_j|, |gamma| <= %v on standardised features", f.Options().Box)
	}
	p.Lines = []string{
		fmt.Sprintf("form gto, objective %s, norm %d, box %v", opts.Objective, opts.Norm, opts.Box),
		"encoding " + string(opts.Encoding), "structure " + opts.Structure.Text(d.Classes),
	}
	return p, nil
}

// FromSpec returns the problem of a model.
func (m *GTO) FromSpec(s Spec, classes []string) (Problem, error) {
	p := &GTO{Structured: Structured{Structure: s.Structure, Objective: s.Objective}, Encoded: Encoded{s.Encoding}, Norm: s.Norm, Box: s.Box}
	var err error
	p.structure, err = gto.ParseStructure(s.Structure, classes)
	return p, err
}
