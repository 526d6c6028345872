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
	"github.com/octgen/octgen/heuristics/vertex"
	"github.com/octgen/octgen/mio/verify"
	"github.com/octgen/octgen/tree"
)

// Structured are the options of trees of fixed structure.
type Structured struct {
	Levels
	Leaves
	Structure string `placeholder:"((a,b),(a,b))" own:"" group:"Linear splits, fixed structures" help:"gto, epts, frank-wolfe: tree structure with leaf classes, a tree.json, or cart (default: full tree of --depth, classes in turn)."`
	Objective string `placeholder:"NAME" own:"" group:"Linear splits, fixed structures" help:"gto: minimum (default), count or product error; epts: the same (default product)."`

	file      *tree.Tree     // read from Structure
	structure *gto.Structure // for the data; nil for the full tree
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

// depth is the option depth if the structure does not say it.
func (s *Structured) depth() *Depth {
	if s.Structure == "" || s.Structure == cartStructure {
		return &s.Depth
	}
	return nil
}

// treeFile is the structure where it is that of a tree.json.
func (s *Structured) treeFile() string {
	if strings.HasSuffix(s.Structure, ".json") {
		return s.Structure
	}
	return ""
}

// read reads the tree.json whose structure is asked for.
func (s *Structured) read(files Files) (err error) {
	if s.file != nil {
		return nil
	}
	if s.file, err = files.tree(s.Structure); err != nil {
		return wrong("structure", ": %w", err)
	}
	return nil
}

// fixed adds the options of the structure to an info.
func (i *Info) fixed(s *Structured) {
	i.Depth, i.Hint, i.TreeFile = s.depth(), s.hint, s.treeFile()
	if i.TreeFile != "" {
		i.ReadFile = s.read
	}
}

// on finds the structure for the data.
func (s *Structured) on(ctx context.Context, ds *dataset.Dataset, depth int) (err error) {
	if d := s.depth(); d != nil && *d == 0 {
		*d = Depth(depth)
	}
	switch {
	case s.Structure == "" || s.structure != nil:
	case s.Structure == cartStructure:
		var res *cart.Result
		if res, err = cart.Grow(ctx, ds, cart.Options{MaxDepth: s.Greatest(), MinLeaf: s.MinLeaf}); err == nil {
			s.structure = gto.StructureOf(res.Tree)
		}
	case s.treeFile() != "":
		if err := s.read(Files{}); err != nil {
			return err
		}
		if !slices.Equal(s.file.Classes, ds.Classes) {
			return wrong("structure", "%s: the tree has the classes %q, the data %q", s.Structure, s.file.Classes, ds.Classes)
		}
		s.structure = gto.StructureOf(s.file)
	default:
		s.structure, err = gto.ParseStructure(s.Structure, ds.Classes)
	}
	if err != nil {
		return wrong("structure", ": %w", err)
	}
	return nil
}

// hint says why options of trees of free shape are not there.
func (*Structured) hint(flag string) string {
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
	Box  float64 `min:"0" placeholder:"B" group:"Linear splits, fixed structures" help:"fm, lfm, gto: bound on weights that the data leave unbounded, in standardised units."`
}

// Info describes the method.
func (m *GTO) Info() Info {
	info := Info{
		Name: "gto", Oblique: true, Measure: "error of the tree", Doc: "global tree optimization of a fixed structure with hyperplane splits (Bennett & Blue 1996)",
		Kind: Formulation, Proof: true, OnlyMIO: m.onlyMIO(),
		Engines: []Engine{MIO, Heuristic}, Settings: []string{"solver", "start", "threads"}, Needs: gtoNeeds(),
		Starts: []Start{{"cart", true}, {"msmt", true}, {"frank-wolfe", true}, {"c45", false}, {"epts", true}, {"oc1", false}, {"rlp", false}, {"fm-tree", false}},
	}
	info.fixed(&m.Structured)
	return info
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

// On binds the method to data.
func (m *GTO) On(ctx context.Context, d *Data, depth int) (*Problem, error) {
	o := *m
	if err := o.on(ctx, d.Dataset, depth); err != nil {
		return nil, err
	}
	p := &Problem{
		Info: o.Info(), Method: &o, Data: d, Shape: Shape{Levels: o.Levels}, Complexity: (*tree.Tree).Splits, Bound: unbounded,
		Build: func(ctx context.Context, b BuildOptions) (*Model, error) { return o.build(ctx, d, b) },
		Fixed: &Fixed{Objective: gto.Objective(cmp.Or(o.Objective, string(gto.MinimumError)))},
	}
	if o.structure != nil {
		p.Shape.Levels = Levels{Depth(o.structure.Depth())}
	}
	p.Fixed.Structure, p.Fixed.Depth = o.fixed()
	return p, nil
}

// Formulation returns the options of the program.
func (m *GTO) Formulation() gto.Options {
	o := gto.Options{Objective: gto.Objective(m.Objective), Encoding: formulate.Encoding(m.Encoding), Norm: m.Norm, Box: m.Box}
	o.Structure, o.Depth = m.fixed()
	return o
}

// build formulates the problem.
func (m *GTO) build(ctx context.Context, d *Data, o BuildOptions) (*Model, error) {
	began := time.Now()
	opts := m.Formulation()
	l, err := d.Training(ctx)
	if err != nil {
		return nil, err
	}
	opts.OmitNames, opts.Training = o.OmitNames, l
	return m.model(ctx, d, opts, began)
}

// model builds the model.
func (m *GTO) model(ctx context.Context, d *Data, opts gto.Options, began time.Time) (*Model, error) {
	f, err := opts.Build(ctx, d.Dataset)
	if err != nil {
		return nil, err
	}
	asked := opts
	opts = f.Options()
	p := newModel(f, Spec{
		Form: "gto", Encoding: string(opts.Encoding), Objective: string(opts.Objective), Norm: opts.Norm, Box: opts.Box,
		Structure: opts.Structure.Text(d.Classes), OmitNames: opts.OmitNames,
	}, began)
	p.Bound, p.Unit = f.Bound(), f.ObjectiveUnit()
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
	if asked.Box == 0 {
		p.Admitting = func(ctx context.Context, trees []*tree.Tree) (*Model, error) {
			var err error
			wide := asked
			if wide.Box, err = asked.BoxFor(ctx, d.Dataset, trees); err != nil || wide.Box == opts.Box {
				return p, err
			}
			return m.model(ctx, d, wide, began)
		}
	}
	return p, nil
}

// gtoOf returns the method of a written model.
func gtoOf(s Spec, classes []string) (Method, error) {
	m := &GTO{Structured: Structured{Structure: s.Structure, Objective: s.Objective}, Encoded: Encoded{s.Encoding}, Norm: s.Norm, Box: s.Box}
	var err error
	m.structure, err = gto.ParseStructure(s.Structure, classes)
	return m, err
}

// Vertices are the options of the searches over trees of fixed structure.
type Vertices struct {
	Structured
	Iterations   int  `min:"0" placeholder:"N" group:"Native" help:"Maximum number of iterations (default: epts 10000, frank-wolfe 1000)."`
	RandomStart  bool `group:"Native" help:"epts, frank-wolfe: start from random hyperplanes instead of a tree of linear programs."`
	FewestErrors bool `group:"Native" help:"epts, frank-wolfe: return the visited tree with the fewest misclassified rows, not the lowest error."`
}

// start returns where a search begins: as a method at the tree asked for, as a start
// itself where the papers begin.
func (v *Vertices) start(t Task) vertex.GTOStart {
	s := vertex.GTOStart{Seed: t.Seed}
	switch p := t.For; {
	case p != nil && p.Fixed != nil:
		s.Structure, s.Depth = p.Fixed.Structure, p.Fixed.Depth
		return s
	case p != nil: // whose trees have no structure
		s.Depth = p.Shape.Greatest()
		return s
	}
	s.Structure, s.Depth = v.fixed()
	s.Random = v.RandomStart
	if t.Begin != nil {
		s.Tree = t.Begin.Tree
		if s.Structure == nil && v.Depth != 0 {
			s.Structure, s.Depth = gto.StructureOf(s.Tree), 0
		}
	}
	return s
}

// on binds a search to data: trees begin where those of gto do.
func (v *Vertices) on(ctx context.Context, m Method, d *Data, depth int, grow func(ctx context.Context, t Task) (*Grown, error)) (*Problem, error) {
	if err := v.Structured.on(ctx, d.Dataset, depth); err != nil {
		return nil, err
	}
	p := AlgorithmOf(m, d, Shape{Levels: v.Levels}, grow)
	p.Value, p.Begin = octValue(d, 0), &GTO{Structured: v.Structured}
	return p, nil
}

// answer makes the objective that of the formulation, which has to confirm what the
// search says of its tree. Decisions of no weight are left out of the answer where
// the formulation gives it the same error without them; a start keeps them.
func (v *Vertices) answer(d *Data, t Task, objective gto.Objective, res vertex.GTOResult, g *Grown) (*Grown, error) {
	if t.For != nil {
		return g, nil
	}
	var err error
	if g.Objective, err = (gto.Options{Objective: objective}).Measure(d.Dataset); err != nil {
		return nil, err
	}
	g.Claims = &res.Objective
	if verify.Near(g.Objective(res.Reduced), res.Objective) {
		g.Tree = res.Reduced
	}
	return g, nil
}

// progress passes the progress of a method's search on, of a start's none.
func progress(t Task) func(iteration int, best float64) {
	if t.Notify == nil || t.For != nil {
		return nil
	}
	return func(iteration int, best float64) {
		if iteration%1000 == 0 {
			t.notify("iteration %d, error %.6g", iteration, best)
		}
	}
}

// EPTS is extreme point tabu search for a tree of fixed structure with hyperplane
// splits (Bennett & Blue 1996).
type EPTS struct{ Vertices }

// Info describes the method.
func (m *EPTS) Info() Info {
	info := Info{Name: "epts", Oblique: true, Measure: "error of the tree", Doc: "extreme point tabu search for a tree of fixed structure with hyperplane splits (Bennett & Blue 1996)", Grows: true, Settings: []string{"start"}}
	info.fixed(&m.Structured)
	return info
}

// On binds the method to data.
func (m *EPTS) On(ctx context.Context, d *Data, depth int) (*Problem, error) {
	o := *m
	return o.on(ctx, &o, d, depth, func(ctx context.Context, t Task) (*Grown, error) { return o.grow(ctx, d, t) })
}

// Validate refuses what no data make right.
func (m *EPTS) Validate() error { return m.validate("epts") }

// autoEPTSIterations are those of a start of OCT-H that was not asked for by name.
const autoEPTSIterations = 2000

// grow searches.
func (m *EPTS) grow(ctx context.Context, d *Data, t Task) (*Grown, error) {
	o := vertex.EPTSOptions{GTOStart: m.start(t), Objective: m.error(t), FewestErrors: m.FewestErrors}
	g, err := m.search(ctx, d, t, o)
	if err != nil || t.For == nil || o.Objective != gto.CountError {
		return g, err
	}
	// Most moves to an adjacent extreme point leave the count as it is (section 6 of the paper): a
	// search that goes by the minimum error and keeps its best count may find a better one.
	o.Objective, o.FewestErrors = gto.MinimumError, true
	count, err := (gto.Options{Objective: gto.CountError}).Measure(d.Dataset)
	if err != nil {
		return nil, err
	}
	other, err := m.search(ctx, d, t, o)
	if err == nil && count(other.Tree) < count(g.Tree) {
		return other, nil
	}
	return g, nil
}

// search searches once.
func (m *EPTS) search(ctx context.Context, d *Data, t Task, o vertex.EPTSOptions) (*Grown, error) {
	if t.For != nil && t.For.Hyperplanes != nil {
		o.FewestErrors = true
		if o.Depth < 20 && d.K() > 1<<o.Depth {
			return nil, fmt.Errorf("epts: %w: %d classes for %d leaves", formulate.ErrNoStart, d.K(), 1<<o.Depth)
		}
	}
	o.Tabu.Iterations, o.Tabu.Notify = m.Iterations, progress(t)
	if t.For != nil && t.For.Hyperplanes != nil && !t.Named && m.Iterations == 0 {
		o.Tabu.Iterations = autoEPTSIterations
	}
	res, err := vertex.EPTS(ctx, d.Dataset, o)
	if err != nil {
		return nil, err
	}
	g := &Grown{Name: "epts", Tree: res.Tree, Limit: stopped(ctx, res.Stats.Stopped), Outcome: &Outcome{Iterations: &res.Stats.Iterations}}
	return m.answer(d, t, o.Objective, res.GTOResult, g)
}

// error is what is minimised: that of the program to be started, else the method's.
func (m *EPTS) error(t Task) gto.Objective {
	if t.For != nil && t.For.Fixed != nil {
		return t.For.Fixed.Objective
	}
	return gto.Objective(cmp.Or(m.Objective, string(gto.ProductError)))
}

// FrankWolfe minimises the product error of a tree of fixed structure (Bennett &
// Blue 1996).
type FrankWolfe struct{ Vertices }

// Info describes the method.
func (m *FrankWolfe) Info() Info {
	info := Info{Name: "frank-wolfe", Oblique: true, Measure: "product error of the tree", Doc: "Frank-Wolfe on the product error of a tree of fixed structure (Bennett & Blue 1996)", Grows: true, Settings: []string{"start"}}
	info.fixed(&m.Structured)
	return info
}

// On binds the method to data.
func (m *FrankWolfe) On(ctx context.Context, d *Data, depth int) (*Problem, error) {
	o := *m
	return o.on(ctx, &o, d, depth, func(ctx context.Context, t Task) (*Grown, error) { return o.grow(ctx, d, t) })
}

// Validate refuses what no data make right.
func (m *FrankWolfe) Validate() error {
	if m.Objective != "" && m.Objective != string(gto.ProductError) {
		return wrong("objective", "is %s, but frank-wolfe minimises the product error; the others are not differentiable (epts has them)", m.Objective)
	}
	return m.validate("frank-wolfe")
}

// grow searches.
func (m *FrankWolfe) grow(ctx context.Context, d *Data, t Task) (*Grown, error) {
	res, err := vertex.FrankWolfe(ctx, d.Dataset, vertex.FrankWolfeOptions{
		GTOStart: m.start(t), Iterations: m.Iterations, FewestErrors: m.FewestErrors, Notify: progress(t),
	})
	if err != nil {
		return nil, err
	}
	g := &Grown{Name: "frank-wolfe", Tree: res.Tree, Limit: stopped(ctx, res.Stats.Stopped), Outcome: &Outcome{Iterations: &res.Stats.Iterations}}
	return m.answer(d, t, gto.ProductError, res.GTOResult, g)
}
