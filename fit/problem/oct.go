package problem

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/oct"
	"github.com/octgen/octgen/search/parts"
	"github.com/octgen/octgen/search/ranges"
	"github.com/octgen/octgen/tree"
	"github.com/octgen/octgen/tree/constraint"
)

// OCT is the optimal classification tree with univariate splits: Bertsimas & Dunn
// (2017), problem (24).
type OCT struct {
	Shape
	PerLeaf
	Encoded
	Reduced
	Strengthen Units  `placeholder:"N|auto" group:"Model" help:"oct, encodings threshold, flow and cut: lower bounds on the subtrees below each split of the root, from about N work units of the exact search (auto: 1e9, seconds), as rows of the model (default: none)."`
	Pairs      bool   `group:"Model" help:"oct, encodings threshold, flow and cut: a row for each pair of near rows of different classes: a stronger relaxation, which takes longer."`
	Scale      string `placeholder:"rank|minmax" group:"Model" help:"oct, encodings bigm: scaling of features (default: rank)."`
	Cache
	constraint.Rates
	constraint.Structural
	Fixing
	constraint.Univariate
}

// Info describes the method.
func (m *OCT) Info() Info {
	info := Info{
		Name: "oct", Doc: "optimal classification tree by exact search or mixed-integer optimization (Bertsimas & Dunn 2017)",
		Kind: Formulation, Proof: true, Costs: true, Univariate: true, OCT: m.Formulation, Hint: univariateHint,
		Engines: []Engine{Search, MIO, Heuristic}, Settings: []string{"solver", "start", "threads", "work-limit", "cross-check"},
		Needs:   oct.Needs(),
		Starts:  []Start{{"cart", true}, {"treesearch", true}, {"local-search", true}, {"c45", false}, {"oc1", false}},
		OnlyMIO: m.onlyMIO(), OnlySearch: m.onlySearch(), NotWritten: m.notWritten(), Depth: &m.Depth, AnyDepth: true, Shape: &m.Shape, PerLeaf: &m.PerLeaf,
	}
	info.describe(m.options(), &m.Fixing)
	info.Crossable = !m.facts().BelowTrees && info.Constraints.Empty()
	return info
}

// Validate refuses what no data make right.
func (m *OCT) Validate() error {
	if err := m.among("oct", oct.Needs()); err != nil {
		return err
	}
	scaled, tightened := func(f oct.Facts) bool { return f.Scaled }, func(f oct.Facts) bool { return f.Tightened }
	stronger := func(f oct.Facts) bool { return f.Stronger }
	switch {
	case m.Scale != "" && !slices.Contains([]oct.Scale{oct.RankScale, oct.MinMaxScale}, oct.Scale(m.Scale)):
		return wrong("scale", "is %q; it is %s or %s", m.Scale, oct.RankScale, oct.MinMaxScale)
	case !scaled(m.facts()) && m.Scale != "":
		return wrong("scale", "is of the encodings %s; %s does not scale", encodingsThat(scaled), m.encoding())
	case !stronger(m.facts()) && m.Strengthen > 0:
		return wrong("strengthen", "is of the encodings %s; %s has no such rows", encodingsThat(stronger), m.encoding())
	case !stronger(m.facts()) && m.Pairs:
		return wrong("pairs", "is of the encodings %s; %s has no such rows", encodingsThat(stronger), m.encoding())
	case !tightened(m.facts()) && len(m.Without) > 0:
		return wrong("without", "is of the encoding %s; %s has no tightenings", encodingsThat(tightened), m.encoding())
	}
	if s, err := parse(m.options()); err != nil {
		return err
	} else if flag := asked(s, m.options()); !m.facts().Constrained && flag != "" {
		constrained := func(f oct.Facts) bool { return f.Constrained }
		return wrong(flag, "is of the encodings %s; %s has no constraints", encodingsThat(constrained), m.encoding())
	}
	if err := m.anyDepth(); err != nil {
		return err
	}
	if m.LeafPurity != 0 && m.facts().FreeLeaves {
		return wrong("leaf-purity", "is not for the encoding %s, which does not say in which leaf a row lies", m.encoding())
	}
	_, err := m.tightenings()
	return err
}

// options are the constraints in use.
func (m *OCT) options() constraint.Options {
	return m.Fixing.options(m.Rates, m.Structural, m.Univariate)
}

// On binds the method to data.
func (m *OCT) On(ctx context.Context, d *Data, depth int) (*Problem, error) {
	o := *m
	o.PerLeaf.price(&o.Price, d.Dataset)
	on, err := bound(d.Dataset, &o.Fixing, &o.Levels, depth, true, o.options)
	if err != nil {
		return nil, err
	}
	p := &Problem{
		Info: o.Info(), Method: &o, Data: d, Shape: o.Shape, Complexity: (*tree.Tree).Splits, Keep: on, Bound: d.bound,
		Value: o.value(d, on), Admits: o.admits(d, on),
		Build:  func(ctx context.Context, b BuildOptions) (*Model, error) { return o.build(ctx, d, on, b) },
		Size:   func(ctx context.Context) (formulate.Size, error) { return o.size(ctx, d, on) },
		Search: func(ctx context.Context, s SearchOptions) (*Found, error) { return o.search(ctx, d, on, s) },
	}
	p.Relaxed = func(without int) (*Problem, error) {
		less := o
		c := o.options().Without(without)
		less.Rates, less.Structural, less.Univariate, less.Fixing = c.Rates, c.Structural, c.Univariate, fixing(&c)
		return less.On(ctx, d, depth)
	}
	if o.facts().BelowTrees { // a solution may have fewer errors than any tree
		p.Bound = unbounded
	}
	p.Parts = func(ctx context.Context, q PartsOptions) (*parts.Result, error) { return o.parts(ctx, p, q) }
	p.PartsShare = partsShare
	return p, nil
}

// encodingsThat lists, for people, the encodings of which something is true.
func encodingsThat(is func(oct.Facts) bool) string {
	var names []string
	for _, e := range oct.Encodings() {
		if is(oct.FactsOf(e)) {
			names = append(names, string(e))
		}
	}
	return Listed(names)
}

// encoding is the name of the encoding in use.
func (m *OCT) encoding() string { return cmp.Or(m.Encoding, string(oct.Encodings()[0])) }

// facts are those of the encoding.
func (m *OCT) facts() oct.Facts { return oct.FactsOf(formulate.Encoding(m.Encoding)) }

// switches are those of the tightenings, by their names.
func switches(t *oct.Tightenings) map[string]*bool {
	return map[string]*bool{
		"continuous-last": &t.NoContinuousLast, "thin-last": &t.NoThinLast, "sibling-labels": &t.NoSiblingLabels,
		"group-points": &t.NoGroupPoints, "label-pairs": &t.NoLabelPairs, "blocks": &t.NoBlocks,
	}
}

// tightenings are those to switch off.
func (m *OCT) tightenings() (t oct.Tightenings, err error) {
	all := switches(&t)
	for _, name := range m.Without {
		off, ok := all[name]
		if !ok {
			return t, wrong("without", "has no tightening %q; they are continuous-last, thin-last, sibling-labels, group-points, label-pairs, blocks", name)
		}
		*off = true
	}
	return t, nil
}

// below are the bounds of --strengthen.
func (m *OCT) below(ctx context.Context, o oct.Options) (*oct.Below, error) {
	o.MinLeaf = o.Training.Unit.LeastLeaf(o.MinLeaf)
	return boundsBelow(ctx, o.Training.Rows, o.Training.Presort, o, int64(m.Strengthen))
}

// Formulation returns the options of the model.
func (m *OCT) Formulation() (oct.Options, error) {
	t, err := m.tightenings()
	return oct.Options{
		Depth: m.Greatest(), Alpha: m.Alpha, MinLeaf: m.MinLeaf, MaxSplits: m.MaxSplits,
		Encoding: formulate.Encoding(m.Encoding), Scale: oct.Scale(m.Scale), Tighten: t, Constraints: m.Info().Constraints,
		Pairs: m.Pairs,
	}, err
}

// onlyMIO names the option in use that only a model has.
func (m *OCT) onlyMIO() string {
	switch {
	case m.Encoding != "":
		return "encoding"
	case m.Scale != "":
		return "scale"
	case len(m.Without) > 0:
		return "without"
	}
	return m.strengthened()
}

// strengthened names the option in use that adds rows to the model.
func (m *OCT) strengthened() string {
	switch {
	case m.Strengthen > 0:
		return "strengthen"
	case m.Pairs:
		return "pairs"
	}
	return ""
}

// anyDepth refuses what needs a limit on the depth.
func (m *OCT) anyDepth() error {
	if err := m.priced(&m.PerLeaf); err != nil || m.Depth != NoDepth {
		return err
	}
	if option := m.onlyMIO(); option != "" {
		return wrong(option, "is of a model, which needs a limit on the depth")
	}
	return unlimited(m.options())
}

// unlimited refuses constraints that need a limit on the depth.
func unlimited(o constraint.Options) error {
	o.Forbid = nil
	s, err := parse(o)
	if err != nil {
		return err
	}
	if option := asked(s, o); option != "" {
		return wrong(option, "needs a limit on the depth: the search without one has no constraints but --forbid")
	}
	return nil
}

// onlySearch names the option in use that only the exact search has.
func (m *OCT) onlySearch() string {
	if m.Depth == NoDepth {
		return "depth"
	}
	return m.Cache.onlySearch()
}

// notWritten refuses a model without a limit on the depth.
func (m *OCT) notWritten() error {
	if m.Depth == NoDepth {
		return wrong("depth", "none is for the engine search: a model needs a limit, such as --depth 3")
	}
	return nil
}

// value is errors / Lhat + alpha splits, and the prices of the columns used.
func (m *OCT) value(d *Data, on *constraint.On) func(*tree.Tree) float64 {
	price, alpha := columnPrices(on), m.Alpha
	return func(t *tree.Tree) float64 { return t.Objective(d.Dataset, alpha) + price(t) }
}

// admits reports whether a tree is univariate, within the limits, and holds the constraints.
func (m *OCT) admits(d *Data, on *constraint.On) func(*tree.Tree) bool {
	l := m.limits((*tree.Tree).Splits)
	return func(t *tree.Tree) bool {
		return univariateTree(t) && l.Broken(t, d.Dataset) == nil && (on == nil || on.Broken(t) == nil)
	}
}

// build formulates the problem.
func (m *OCT) build(ctx context.Context, d *Data, on *constraint.On, o BuildOptions) (*Model, error) {
	if m.relabels(d, on) {
		return m.buildRelabelled(ctx, d, o)
	}
	began := time.Now()
	opts, err := m.Formulation()
	if err == nil {
		err = m.checkCosts(d)
	}
	if err != nil {
		return nil, err
	}
	opts.OmitNames, opts.Warn = o.OmitNames, o.warn
	if opts.Training, err = d.Training(ctx); err != nil {
		return nil, err
	}
	if option := m.strengthened(); option != "" && (on != nil || d.Kind() != dataset.Errors) {
		return nil, wrong(option, "is not for constraints or costs")
	}
	if m.Strengthen > 0 && opts.Depth > 1 { // at depth 1 the relaxation is exact
		if opts.Below, err = m.below(ctx, opts); err != nil {
			return nil, err
		}
	}
	f, err := opts.Build(ctx, d.Dataset)
	if err != nil {
		return nil, err
	}
	opts = f.Options()
	spec := specOf("oct", opts.Encoding, opts.Depth, opts.Alpha, opts.MinLeaf, opts.MaxSplits)
	if o := m.options(); on != nil {
		spec.Constraints = &o
	}
	spec.Strengthen, spec.Pairs = int64(m.Strengthen), m.Pairs
	spec.Scale, spec.Tightenings, spec.OmitNames = string(opts.Scale), opts.Tighten, opts.OmitNames
	p := newModel(f, spec, began)
	p.Bound, p.Lattice, p.Precision = f.Bound(), f.Lattice(), f.Precision()
	p.Bounded, p.LeafTree = true, true
	p.Tightenings, p.Integral = f.Tightenings(), f.Integral()
	p.Lines = []string{
		fmt.Sprintf("form oct, depth %d, alpha %v, min-leaf %v, max-splits %v", opts.Depth, opts.Alpha, opts.MinLeaf, limitText(opts.MaxSplits)),
		"encoding " + string(opts.Encoding),
	}
	if m.facts().Scaled {
		p.Lines = append(p.Lines, "scale "+string(opts.Scale))
	}
	if m.Strengthen > 0 {
		p.Lines = append(p.Lines, fmt.Sprintf("strengthened by bounds below the root of %d work units", m.Strengthen))
	}
	if m.Pairs {
		p.Lines = append(p.Lines, "strengthened by pairs of near rows")
	}
	for _, name := range m.Without {
		p.Lines = append(p.Lines, "without "+name)
	}
	p.Lines = append(p.Lines, constraintLines(m.Info().Constraints)...)
	if d.Kind() != dataset.Errors {
		p.Lines = append(p.Lines, "costs: of the answer to each row, above its cheapest")
	}
	return p, nil
}

// size is that of the model.
func (m *OCT) size(ctx context.Context, d *Data, on *constraint.On) (formulate.Size, error) {
	of := *m
	if m.relabels(d, on) {
		d, of.MinLeaf = NewData(d.AsClassification()), 0
	}
	opts, err := of.Formulation()
	if err == nil {
		opts.Training, err = d.Training(ctx)
	}
	if err != nil {
		return formulate.Size{}, err
	}
	in, err := opts.Inspect(ctx, d.Dataset)
	if err != nil {
		return formulate.Size{}, err
	}
	return in.Size, nil
}

// relabels reports whether a program of data with costs is that of the same data as
// classification: of two classes, without what counts rows or weights.
func (m *OCT) relabels(d *Data, on *constraint.On) bool {
	return d.Kind() != dataset.Errors && on == nil && d.K() <= 2 && tree.EnoughWeight(slices.Min(d.Weight), m.MinLeaf)
}

// checkCosts refuses costs that the encoding does not support, with the words of the command line;
// formulate/oct refuses them for callers of that package.
func (m *OCT) checkCosts(d *Data) error {
	if d.Kind() == dataset.Errors || m.facts().Constrained {
		return nil
	}
	constrained := func(f oct.Facts) bool { return f.Constrained }
	return wrong("encoding", "%s has costs of two classes only, without a least leaf that is more than the lightest row; %s have them", m.encoding(), encodingsThat(constrained))
}

// buildRelabelled is Build of data with costs as classification without.
func (m *OCT) buildRelabelled(ctx context.Context, d *Data, o BuildOptions) (*Model, error) {
	began := time.Now()
	if err := d.SingleLeaf(); err != nil {
		return nil, err
	}
	of := *m
	of.MinLeaf = 0 // every row is enough
	p, err := of.build(ctx, NewData(d.AsClassification()), nil, o)
	if err != nil {
		return nil, err
	}
	p.Formulation, p.Spec.MinLeaf, p.Built = costed{p.Formulation, d}, m.MinLeaf, time.Since(began)
	p.Lines = append(p.Lines, "costs: rows of the cheaper class, weighing the difference")
	return p, nil
}

// octOf returns the method of a written model.
func octOf(s Spec, _ []string) (Method, error) {
	m := &OCT{Shape: s.shape(), Encoded: Encoded{s.Encoding}, Strengthen: Units(s.Strengthen), Pairs: s.Pairs}
	if o := s.Constraints; o != nil {
		m.Rates, m.Structural, m.Fixing, m.Univariate = o.Rates, o.Structural, fixing(o), o.Univariate
	}
	if m.facts().Scaled {
		m.Scale = s.Scale
	}
	for name, off := range switches(&s.Tightenings) {
		if *off {
			m.Without = append(m.Without, name)
		}
	}
	slices.Sort(m.Without)
	return m, nil
}

// search is the exact native search.
func (m *OCT) search(ctx context.Context, d *Data, on *constraint.On, o SearchOptions) (*Found, error) {
	if on != nil {
		return searchConstrained(ctx, d, m.Shape, m.Cache, on, o)
	}
	return searchTrees(ctx, d, m.Shape, m.Cache, nil, o)
}

// parts proves by models of the trees whose root splits in a range, see package ranges. It
// needs no start. The result is nil if an option of the model is named, which asks for that
// model alone, and if the proof is not for these trees or data.
func (m *OCT) parts(ctx context.Context, p *Problem, o PartsOptions) (*parts.Result, error) {
	if m.onlyMIO() != "" || o.Whole || p.Data.Kind() != dataset.Errors {
		return nil, nil
	}
	l, err := p.Data.Training(ctx)
	if err != nil {
		return nil, err
	}
	form, err := m.Formulation()
	if err != nil {
		return nil, err
	}
	form.Training = l
	return ranges.Prove(ctx, p.Data.Dataset, ranges.Options{
		Form: form, Solve: o.Solve, Incumbent: o.Start, Value: p.Value, Progress: o.Progress, Warn: o.Warn,
	})
}

// Treesearch is the exact search for univariate trees, as a method of its own and
// as the start of programs.
type Treesearch struct {
	Shape
	PerLeaf
	Cache
}

// Info describes the method.
func (m *Treesearch) Info() Info {
	return Info{
		Name: "treesearch", Doc: "optimal classification tree by exact search over splits, without a solver",
		Proof: true, Costs: true, Univariate: true, Grows: true, Exact: true, Hint: univariateHint,
		Engines: []Engine{Search}, Settings: []string{"start", "threads", "work-limit"}, Depth: &m.Depth, AnyDepth: true, Shape: &m.Shape, PerLeaf: &m.PerLeaf,
	}
}

// Validate refuses what no data make right.
func (m *Treesearch) Validate() error { return m.priced(&m.PerLeaf) }

// On binds the method to data.
func (m *Treesearch) On(_ context.Context, d *Data, depth int) (*Problem, error) {
	o := *m
	o.PerLeaf.price(&o.Price, d.Dataset)
	o.SetDepth(depth)
	p := AlgorithmOf(&o, d, o.Shape, func(ctx context.Context, t Task) (*Grown, error) { return o.grow(ctx, d, t) })
	p.Search = func(ctx context.Context, s SearchOptions) (*Found, error) {
		return searchTrees(ctx, d, o.Shape, o.Cache, nil, s)
	}
	p.Begin = &OCT{Shape: o.Shape, Cache: o.Cache}
	return p, nil
}

// Work of the exact search for a start, in its units: about a second, or half a
// minute where it is asked for by name. What is not proved by then is a start all
// the same. Under constraints it is several searches.
const (
	autoSearchWork  = 5e8
	namedSearchWork = 1e10
	constrainedWork = 4 * autoSearchWork
)

// grow makes starts. What it proves best among univariate trees no other heuristic
// for them can beat. For a problem under constraints it searches trees that hold them;
// there may be none.
func (m *Treesearch) grow(ctx context.Context, d *Data, t Task) (*Grown, error) {
	o, shape := SearchOptions{Workers: t.Workers, Work: autoSearchWork}, t.shape(m.Shape)
	constrained := t.For != nil && t.For.Keep != nil
	switch {
	case t.Named:
		o.Work = namedSearchWork
	case constrained:
		o.Work = constrainedWork
	}
	var f *Found
	var err error
	if d.Kind() == dataset.Numbers {
		f, err = searchNumbers(ctx, d, shape, t.keep(), o)
	} else if constrained {
		f, err = searchConstrained(ctx, d, shape, m.Cache, t.For.Keep, o)
	} else {
		f, err = searchTrees(ctx, d, shape, m.Cache, nil, o)
	}
	if err != nil {
		return nil, err
	}
	return &Grown{Name: f.Name, Tree: f.Tree, Found: f}, nil
}
