package oct

import (
	"context"
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/internal/build"
	"github.com/octgen/octgen/formulate/internal/grid"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/tree"
)

// Build formulates OCT for ds. Rows with equal features and class are merged and constant features
// dropped first. Errors: invalid options; data for which the single leaf is optimal
// (formulate.ErrSingleLeaf).
func (o Options) Build(ctx context.Context, ds *dataset.Dataset) (*Formulation, error) {
	f, err := o.prepare(ctx, ds)
	if err != nil {
		return nil, err
	}
	size := f.enc.size()
	if o.Warn != nil {
		for _, w := range f.warnings(size) {
			o.Warn(w)
		}
	}
	f.model, err = build.Model(ctx, size, "oct", o.OmitNames, f.enc.build)
	return f, err
}

// prepare validates the options and lays out the encoding without building the model.
func (o Options) prepare(ctx context.Context, ds *dataset.Dataset) (*Formulation, error) {
	o = o.withDefaults()
	if err := o.validate(); err != nil {
		return nil, err
	}
	g, err := grid.New(ctx, ds, o.Training, o.MinLeaf)
	if err != nil {
		return nil, err
	}
	k := kindOf(o.Encoding)
	f := &Formulation{opts: o, facts: k.Facts, g: g}
	if f.on, err = o.Constraints.On(g.DS); err != nil {
		return nil, err
	}
	if f.on.Purity > 0 && f.facts.FreeLeaves {
		return nil, fmt.Errorf("formulate: the encoding %s assigns rows to no leaf, so it does not support leaf purity; use %s or %s", o.Encoding, Threshold, Flow)
	}
	if err := checkCosts(g, o); err != nil {
		return nil, err
	}
	if err := allow(g, f.on); err != nil {
		return nil, err
	}
	if f.enc, err = k.lay(g, o); err != nil {
		return f, err
	}
	if o.Below != nil || o.Pairs {
		f.enc, err = strengthen(f.enc, g, o)
	}
	if err != nil || !o.predicts(g) {
		return f, err
	}
	f.enc, err = constrain(f.enc.(placed), g, f.on, o.Depth)
	return f, err
}

// checkCosts returns an error if the encoding does not support prediction costs, or if the single
// leaf costs nothing.
func checkCosts(g *grid.Grid, o Options) error {
	switch {
	case g.Cost != nil && !FactsOf(o.Encoding).Constrained:
		return fmt.Errorf("formulate: the encoding %s does not support prediction costs; use one of %s", o.Encoding, constrainedText())
	case o.Constraints.Empty() && g.Trivial:
		return fmt.Errorf("formulate: %w: %s", formulate.ErrSingleLeaf, g.DS.Kind().Trivial())
	}
	return nil
}

// kinds are the encodings of OCT, the default first. The last three are in bigm.go, each of the
// others in a file of its own.
var kinds = []kind{thresholdKind, flowKind, cutKind, binOCTKind, bigMKind, indicatorKind, publishedKind}

// kindOf returns the encoding with the given name, "" for the default; the zero kind for others.
func kindOf(e formulate.Encoding) kind {
	for _, k := range kinds {
		if k.name == e || e == "" {
			return k
		}
	}
	return kind{}
}

// FactsOf returns the properties of an encoding of OCT, "" for the default; the zero Facts for
// others.
func FactsOf(e formulate.Encoding) Facts { return kindOf(e).Facts }

// Encodings lists the encodings of OCT, the default first.
func Encodings() []formulate.Encoding {
	var all []formulate.Encoding
	for _, k := range kinds {
		all = append(all, k.name)
	}
	return all
}

// Needs lists the encodings with what a solver must support for each, the default first.
func Needs() []formulate.EncodingNeeds {
	var all []formulate.EncodingNeeds
	for _, k := range kinds {
		all = append(all, formulate.EncodingNeeds{Form: "oct", Encoding: k.name, Discrete: true, Indicator: k.Indicators, Integral: k.Integral})
	}
	return all
}

func (o Options) withDefaults() Options {
	if o.Encoding == "" {
		o.Encoding = kinds[0].name
	}
	if o.Scale == "" {
		o.Scale = RankScale
	}
	return o
}

// validate returns an error that names an option out of range and its valid values.
func (o Options) validate() error {
	o = o.withDefaults()
	if err := tree.CheckShape(o.Depth, formulate.MaxDepth, o.Alpha, o.MinLeaf, o.MaxSplits); err != nil {
		return fmt.Errorf("formulate: %w", err)
	}
	switch {
	case !slices.Contains(Encodings(), o.Encoding):
		return fmt.Errorf("formulate: OCT has no encoding %q, only %q", o.Encoding, Encodings())
	case !o.Constraints.Empty() && !FactsOf(o.Encoding).Constrained:
		return fmt.Errorf("formulate: the encoding %s does not support constraints; use one of %s", o.Encoding, constrainedText())
	case o.Scale != RankScale && o.Scale != MinMaxScale:
		return fmt.Errorf("formulate: scale is %q, expected %q or %q", o.Scale, RankScale, MinMaxScale)
	}
	return nil
}

// constrainedText lists the encodings that support constraints.
func constrainedText() string {
	var names []string
	for _, k := range kinds {
		if k.Constrained {
			names = append(names, string(k.name))
		}
	}
	return strings.Join(names, ", ")
}

// Inspect lays out the model for ds without building it. Errors are those of Build.
func (o Options) Inspect(ctx context.Context, ds *dataset.Dataset) (*Inspection, error) {
	f, err := o.prepare(ctx, ds)
	if err != nil {
		return nil, err
	}
	g := f.g
	in := &Inspection{
		Encoding: f.opts.Encoding, Size: f.enc.size(), Rows: ds.N(), MergedRows: g.N, Points: g.Points.Len(),
		Features: g.P, Varying: len(g.Active), Baseline: g.Baseline(),
	}
	for _, j := range g.Active {
		in.Thresholds += g.NumThresholds(j)
	}
	in.UnavoidableWeight, in.UnavoidableErrors = g.DS.UnavoidableErrors()
	if g.Cost == nil { // costs are in the data's unit
		in.UnavoidableWeight *= g.Unit.Size
	}
	in.Memory = memory(in.Size)
	in.Tightenings = f.enc.tightenings()
	f.enc.describe(in)
	in.Warnings = f.warnings(in.Size)
	return in, nil
}

// warnings returns warnings about a model of this size before it is built.
func (f *Formulation) warnings(size formulate.Size) []string {
	var all []string
	if f.facts.Warning != "" {
		all = append(all, f.facts.Warning)
	}
	if size.Nonzeros > 2e7 {
		all = append(all, fmt.Sprintf("the model will have %d constraints, %d variables and %d nonzeros, about %.1f GB in octgen and several times that in a solver", size.Rows, size.Cols, size.Nonzeros, float64(memory(size))/1e9))
	}
	if leaves := 1 << f.opts.Depth; leaves > 2*f.g.Points.Len() {
		all = append(all, fmt.Sprintf("depth %d has %d leaves for %d distinct points: a smaller depth has the same trees", f.opts.Depth, leaves, f.g.Points.Len()))
	}
	return all
}

// memory returns the bytes of a built model without names: 12 per nonzero, three float64 and a type
// per variable, two float64 per constraint; a start offset per variable.
func memory(s formulate.Size) int64 { return s.Nonzeros*12 + s.Cols*29 + s.Rows*16 }

// nodeIndex gives the position of the node among the indices in a variable's name, by encoding and
// by the name's first part: the first for b_3_1_2 in flow.
var nodeIndex = map[formulate.Encoding]map[string]int{
	Threshold:           {"w": 0, "u": 0},
	Flow:                {"b": 0, "p": 0, "w": 1},
	Cut:                 {"b": 0, "p": 0},
	BinOCT:              {"f": 1, "b": 1, "c": 1},
	formulate.BigM:      {"a": 1, "d": 0, "c": 1},
	formulate.Indicator: {"a": 1, "d": 0, "c": 1},
	BigMPublished:       {"a": 1, "d": 0, "c": 1},
}

// Priorities returns a branching priority for each variable: D + 1 for discrete variables of the
// root, one less per level, 1 for those of leaves; 0 for all others. It returns nil if the
// variables have no names.
//
// A node only matters for the rows that reach it, which the splits above decide.
func (f *Formulation) Priorities() []int {
	if f.opts.OmitNames {
		return nil
	}
	of := make([]int, f.model.NumCols())
	index := nodeIndex[f.opts.Encoding]
	for j, t := range f.model.ColTypes() {
		if t == mio.Continuous {
			continue
		}
		parts := strings.Split(f.model.ColName(j), "_")
		at, known := index[parts[0]]
		if !known {
			continue
		}
		if node, err := strconv.Atoi(parts[1+at]); err == nil {
			of[j] = f.opts.Depth + 2 - bits.Len(uint(node))
		}
	}
	return of
}
