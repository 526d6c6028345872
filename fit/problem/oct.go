package problem

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/oct"
	"github.com/octgen/octgen/mio/verify"
	"github.com/octgen/octgen/tree"
	"github.com/octgen/octgen/tree/constraint"
)

// OCT is the optimal classification tree with univariate splits: Bertsimas & Dunn
// (2017), problem (24).
type OCT struct {
	Shape
	Encoded
	Reduced
	Scale string `placeholder:"rank|minmax" group:"Model" help:"Scaling of features in the bigm encodings of oct (default: rank)."`
	Cache
	Rates
	Structural
	Fixing
	Univariate
}

var (
	_ Searcher    = (*OCT)(nil)
	_ Bounded     = (*OCT)(nil)
	_ OfTrees     = (*OCT)(nil)
	_ Respecified = (*OCT)(nil)
	_ ByParts     = (*OCT)(nil)

	_ Constrainable = (*OCT)(nil)
	_ specific      = (*OCT)(nil)
)

func init() { register(func() Method { return new(OCT) }) }

// Info describes the method.
func (*OCT) Info() Info {
	return Info{
		Costs: true, Name: "oct", Doc: "optimal classification tree by exact search or mixed-integer optimization (Bertsimas & Dunn 2017)", Proof: true,
		Engines: []Engine{Search, MIO, Heuristic}, Settings: []string{"solver", "start", "threads", "work-limit", "cross-check"},
		Needs:  oct.Needs(),
		Starts: []Start{{"cart", true}, {"treesearch", true}, {"local-search", true}, {"c45", false}, {"oc1", false}},
	}
}

// Validate refuses what no data make right.
func (m *OCT) Validate() error {
	if err := m.among("oct", oct.Needs()); err != nil {
		return err
	}
	scaled, tightened := func(f oct.Facts) bool { return f.Scaled }, func(f oct.Facts) bool { return f.Tightened }
	switch {
	case m.Scale != "" && !slices.Contains([]oct.Scale{oct.RankScale, oct.MinMaxScale}, oct.Scale(m.Scale)):
		return wrong("scale", "is %q; it is %s or %s", m.Scale, oct.RankScale, oct.MinMaxScale)
	case !scaled(m.facts()) && m.Scale != "":
		return wrong("scale", "is of the encodings %s; %s does not scale", encodingsThat(scaled), m.encoding())
	case !tightened(m.facts()) && len(m.Without) > 0:
		return wrong("without", "is of the encoding %s; %s has no tightenings", encodingsThat(tightened), m.encoding())
	}
	if s, err := parse(m.options()); err != nil {
		return err
	} else if o := m.options(); !m.facts().Constrained && (!s.Empty() || o.Fix != "") {
		constrained := func(f oct.Facts) bool { return f.Constrained }
		return wrong(asked(o), "is of the encodings %s; %s has no constraints", encodingsThat(constrained), m.encoding())
	}
	if m.LeafPurity != 0 && m.facts().FreeLeaves {
		return wrong("leaf-purity", "is not for the encoding %s, which does not say in which leaf a row lies", m.encoding())
	}
	_, err := m.tightenings()
	return err
}

// options are the constraints in use.
func (m *OCT) options() constraint.Options {
	return options(&m.Rates, &m.Structural, &m.Fixing, &m.Univariate)
}

// Constraints are those in use.
func (m *OCT) Constraints() *constraint.Set {
	s, _ := parse(m.options()) // which Validate has tried
	return s
}

// resolve reads the splits that stay, and refuses constraints that name what the data
// have not.
func (m *OCT) resolve(_ context.Context, ds *dataset.Dataset, files Files) error {
	if err := m.read(files, ds); err != nil {
		return err
	}
	return ofData(m.Constraints(), ds, &m.Levels, true)
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

// Formulation returns the options of the program.
func (m *OCT) Formulation() (oct.Options, error) {
	t, err := m.tightenings()
	return oct.Options{
		Depth: m.Greatest(), Alpha: m.Alpha, MinLeaf: m.MinLeaf, MaxSplits: m.MaxSplits,
		Encoding: formulate.Encoding(m.Encoding), Scale: oct.Scale(m.Scale), Tighten: t, Constraints: m.Constraints(),
	}, err
}

// Program names the option in use that only a program has.
func (m *OCT) Program() string {
	switch {
	case m.Encoding != "":
		return "encoding"
	case m.Scale != "":
		return "scale"
	case len(m.Without) > 0:
		return "without"
	}
	return ""
}

// Hint says why the options of hyperplanes are not there.
func (*OCT) Hint(flag string) string { return univariate[flag] }

// Trees is the shape of the trees looked for.
func (m *OCT) Trees() Shape { return m.Shape }

// DataBound are the errors that rows with equal features and different classes
// force on every tree.
func (m *OCT) DataBound(d *Data) float64 {
	if m.facts().BelowTrees {
		return math.Inf(-1)
	}
	w, _ := d.UnavoidableErrors()
	return w / tree.ErrorScale(d.Dataset)
}

// ValueOf is the objective of m's trees on d, that of OCT for algorithms; nil for a
// problem whose objective is not that of trees of free shape.
func ValueOf(m Method, d *Data) func(*tree.Tree) float64 {
	switch m := m.(type) {
	case Valued:
		return m.Value(d)
	case Problem:
		return nil
	case Shaped:
		return (&OCT{Shape: m.Grows()}).Value(d)
	}
	return new(OCT).Value(d)
}

// Value is errors / Lhat + alpha splits, and the prices of the columns used.
func (m *OCT) Value(d *Data) func(*tree.Tree) float64 {
	price := pricesOf(m.Constraints(), d.Dataset)
	return func(t *tree.Tree) float64 { return t.Objective(d.Dataset, m.Alpha) + price(t) }
}

// Crossable reports whether the program has the search's optimum: bigm-published has
// not.
func (m *OCT) Crossable() bool {
	return !m.facts().BelowTrees && m.Constraints().Empty()
}

// Admits reports whether t is univariate, within the limits, and holds the constraints.
func (m *OCT) Admits(t *tree.Tree, d *Data) bool {
	for i := range t.Nodes {
		if s := t.Nodes[i].Split; s != nil && !s.IsUnivariate() {
			return false
		}
	}
	l := verify.Limits{Depth: m.Greatest(), MinLeaf: m.MinLeaf, MaxSplits: m.MaxSplits, Complexity: (*tree.Tree).Splits}
	if l.Broken(t, d.Dataset) != nil {
		return false
	}
	on, err := m.Constraints().On(d.Dataset)
	return err == nil && on.Broken(t) == nil
}

// Build formulates the problem.
func (m *OCT) Build(ctx context.Context, d *Data, o BuildOptions) (*Model, error) {
	if m.relabels(d) {
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
	f, err := opts.Build(ctx, d.Dataset)
	if err != nil {
		return nil, err
	}
	opts = f.Options()
	spec := specOf("oct", opts.Encoding, opts.Depth, opts.Alpha, opts.MinLeaf, opts.MaxSplits)
	if o := m.options(); !m.Constraints().Empty() {
		spec.Constraints = &o
	}
	spec.Scale, spec.Tightenings, spec.OmitNames = string(opts.Scale), opts.Tighten, opts.OmitNames
	p := newModel(f, spec, began)
	p.Bound, p.Lattice, p.Precision = f.Bound(), f.Lattice(), f.Precision()
	p.Complexity, p.LeafTree = (*tree.Tree).Splits, true
	p.Tightenings = f.Tightenings()
	p.Lines = []string{
		fmt.Sprintf("form oct, depth %d, alpha %v, min-leaf %v, max-splits %v", opts.Depth, opts.Alpha, opts.MinLeaf, limitText(opts.MaxSplits)),
		"encoding " + string(opts.Encoding),
	}
	if m.facts().Scaled {
		p.Lines = append(p.Lines, "scale "+string(opts.Scale))
	}
	for _, name := range m.Without {
		p.Lines = append(p.Lines, "without "+name)
	}
	p.Lines = append(p.Lines, constraintLines(m.Constraints())...)
	if d.Cost != nil {
		p.Lines = append(p.Lines, "costs: of the answer to each row, above its cheapest")
	}
	return p, nil
}

// Size is that of the program.
func (m *OCT) Size(ctx context.Context, d *Data) (formulate.Size, error) {
	of := *m
	if m.relabels(d) {
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
func (m *OCT) relabels(d *Data) bool {
	return d.Cost != nil && m.Constraints().Empty() && d.K() <= 2 && tree.EnoughWeight(slices.Min(d.Weight), m.MinLeaf)
}

// checkCosts refuses costs that the encoding does not know.
func (m *OCT) checkCosts(d *Data) error {
	if d.Cost == nil || m.facts().Constrained {
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
	p, err := of.Build(ctx, NewData(d.AsClassification()), o)
	if err != nil {
		return nil, err
	}
	p.Formulation, p.Spec.MinLeaf, p.Built = costed{p.Formulation, d}, m.MinLeaf, time.Since(began)
	p.Lines = append(p.Lines, "costs: rows of the cheaper class, weighing the difference")
	return p, nil
}

// FromSpec returns the problem of a model.
func (m *OCT) FromSpec(s Spec, _ []string) (Problem, error) {
	p := &OCT{Shape: s.shape(), Encoded: Encoded{s.Encoding}}
	p.Rates, p.Structural, p.Fixing, p.Univariate = fromOptions(s.Constraints)
	if p.facts().Scaled {
		p.Scale = s.Scale
	}
	for name, off := range switches(&s.Tightenings) {
		if *off {
			p.Without = append(p.Without, name)
		}
	}
	slices.Sort(p.Without)
	return p, nil
}

// Search is the exact native search.
func (m *OCT) Search(ctx context.Context, d *Data, o SearchOptions) (*Found, error) {
	if set := m.Constraints(); !set.Empty() {
		on, err := set.On(d.Dataset)
		if err != nil {
			return nil, optionError(err)
		}
		return searchConstrained(ctx, d, m.Shape, m.Cache, on, o)
	}
	return searchTrees(ctx, d, m.Shape, m.Cache, nil, o)
}
