package problem

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/linear"
	"github.com/octgen/octgen/heuristics/vertex"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/tree"
)

// FewFeatures are the options that FM and LFM share.
type FewFeatures struct {
	Perturbation
	Perturbed bool    `group:"Linear splits, fixed structures" help:"fm, lfm: the error of RLP-P instead of RLP's."`
	Nu        int     `min:"0" placeholder:"N" group:"Linear splits, fixed structures" help:"fm: most features of a per-nu model (default: minimise their number); lfm: most features (default 3)."`
	Box       float64 `min:"0" placeholder:"B" group:"Linear splits, fixed structures" help:"fm, lfm, gto: bound on weights that the data do not bound, in standardised units."`
}

// leastEps is the weight of |w| in the error, 0 for RLP's.
func (f FewFeatures) leastEps() float64 {
	if !f.Perturbed {
		return 0
	}
	return cmp.Or(f.Eps, linear.DefaultEps)
}

// rlp is the problem of the least error that theirs begins with.
func (f FewFeatures) rlp(eps float64) linear.RLPOptions {
	if !f.Perturbed {
		eps = 0
	}
	return linear.RLPOptions{Perturbed: f.Perturbed, Eps: eps}
}

// FM is the linear split of bounded error with the fewest features: Bredensteiner &
// Bennett (1996), problems (7), (8) and (14).
type FM struct {
	oneSplit
	FewFeatures
	Delta float64 `above:"0" placeholder:"E" group:"Linear splits, fixed structures" help:"fm: most error (default: 1.1 times the least)."`
	slack float64 // of a model's spec
}

var (
	_ Respecified = (*FM)(nil)
	_ Worded      = (*FM)(nil)
)

func init() { register(func() Method { return new(FM) }) }

// Info describes the method.
func (*FM) Info() Info {
	return Info{
		Name: "fm", Measure: "features", Doc: "the linear split of bounded error with the fewest features (Bredensteiner & Bennett 1996)", Proof: true,
		Engines: []Engine{MIO, Heuristic}, Settings: []string{"solver", "start", "threads"},
		Needs: needsOf("fm"), Starts: []Start{{"rlp", false}, {"sbe", false}, {"fm-rlp", false}}, // without a name it is the split of least error, which comes with building
	}
}

// Words: at a given nu it is a matter of yes or no whether there is a split.
func (*FM) Words(objective float64, features int) string {
	if objective == 0 && features > 0 {
		return "0, a split with at most nu features exists"
	}
	return ""
}

// Validate refuses what no data make right.
func (m *FM) Validate() error { return m.among("fm", needsOf("fm")) }

// Build formulates the problem, and starts from the split of least error, which a
// bound of more than that admits.
func (m *FM) Build(ctx context.Context, d *Data, o BuildOptions) (*Model, error) {
	began := time.Now()
	sides(d, "fm", o.Warn)
	l, err := d.Training(ctx)
	if err != nil {
		return nil, err
	}
	delta, err := m.nativeDelta(ctx, l, o)
	if err != nil {
		return nil, err
	}
	f, err := linear.FMOptions{
		Perturbed: m.Perturbed, Eps: m.Eps, Nu: m.Nu, Delta: delta, Slack: m.slack,
		Encoding: formulate.Encoding(m.Encoding), Box: m.Box, LP: o.LP, OmitNames: o.OmitNames, Training: l,
	}.Build(ctx, d.Dataset)
	if err != nil {
		return nil, err
	}
	opts := f.Options()
	p := newModel(f, Spec{
		Form: "fm", Encoding: string(opts.Encoding), Perturbed: opts.Perturbed, Eps: opts.Eps, Nu: opts.Nu, Delta: f.Delta(), Slack: opts.Slack,
		Box: opts.Box, BoundsByLP: o.LP != nil, OmitNames: opts.OmitNames,
	}, began)
	p.Scope = func(*tree.Tree) string { return f.Scope() }
	if box := f.Within(); box != "" {
		p.Within = box + "; --box sets a larger one"
	}
	p.Lines = []string{
		fmt.Sprintf("form fm, perturbed %v, eps %v, nu %d, delta %v, box %v", opts.Perturbed, opts.Eps, opts.Nu, f.Delta(), opts.Box),
		"encoding " + string(opts.Encoding), f.Scope(),
	}
	if o.LP == nil {
		return p, nil
	}
	t, err := leastError(ctx, d, o.LP, m.rlp(opts.Eps))
	if p.Begin, err = splitStart(ctx, f, t, err); err != nil {
		return nil, err
	}
	p.Built = time.Since(began)
	return p, nil
}

// nativeDelta is the bound on the error: where there is no solver to find the least error
// and none is given, from that of the native descent.
func (m *FM) nativeDelta(ctx context.Context, l *tree.Training, o BuildOptions) (float64, error) {
	if o.LP != nil || m.Delta > 0 {
		return m.Delta, nil
	}
	res, err := vertex.RLP(ctx, l.Rows, vertex.RLPOptions{Eps: m.leastEps(), Seed: 1})
	if err != nil {
		return 0, err
	}
	if res.Stats.Stopped {
		return 0, ctx.Err()
	}
	return cmp.Or(m.slack, linear.DefaultSlack)*res.Objective + nativeError, nil
}

// nativeError is what the native descents may be off the least error.
const nativeError = 1e-6

// FromSpec returns the problem of a model.
func (m *FM) FromSpec(s Spec, _ []string) (Problem, error) {
	return &FM{oneSplit: oneSplit{Encoded: Encoded{s.Encoding}}, FewFeatures: fewFeatures(s), Delta: s.Delta, slack: s.Slack}, nil
}

func fewFeatures(s Spec) FewFeatures {
	return FewFeatures{Perturbation: Perturbation{s.Eps}, Perturbed: s.Perturbed, Nu: s.Nu, Box: s.Box}
}

// LFM is the linear split of least error with few features: Bredensteiner & Bennett
// (1996), problem (9); with a price of features (6) and (12).
type LFM struct {
	oneSplit
	FewFeatures
	Lambda float64 `min:"0" placeholder:"L" group:"Linear splits, fixed structures" help:"lfm, bilinear: price of weight beyond nu features."`
	Price  float64 `name:"feature-price" above:"0" placeholder:"L" group:"Linear splits, fixed structures" help:"lfm: price of each feature beside the error (problems (6) and (12), lambda there); without --nu there is no limit on them then."`
}

var _ Respecified = (*LFM)(nil)

func init() { register(func() Method { return new(LFM) }) }

// Info describes the method.
func (*LFM) Info() Info {
	return Info{
		Name: "lfm", Measure: "mean distance inside the margin, per class", Doc: "the linear split of least error with few features (Bredensteiner & Bennett 1996)", Proof: true,
		Engines: []Engine{MIO, Heuristic}, Settings: []string{"solver", "start", "threads"},
		Needs: needsOf("lfm"), Starts: []Start{{"rlp", false}, {"sbe", false}}, // without a name it is the split of least error, which comes with building
	}
}

// Validate refuses what no data make right.
func (m *LFM) Validate() error { return m.among("lfm", needsOf("lfm")) }

// Build formulates the problem, and starts from the split of least error on the
// features that weigh most.
func (m *LFM) Build(ctx context.Context, d *Data, o BuildOptions) (*Model, error) {
	began := time.Now()
	sides(d, "lfm", o.Warn)
	l, err := d.Training(ctx)
	if err != nil {
		return nil, err
	}
	f, err := linear.LFMOptions{
		Perturbed: m.Perturbed, Eps: m.Eps, Nu: m.Nu, Lambda: m.Lambda, Price: m.Price,
		Encoding: formulate.Encoding(m.Encoding), Box: m.Box, LP: o.LP, OmitNames: o.OmitNames, Training: l,
	}.Build(ctx, d.Dataset)
	if err != nil {
		return nil, err
	}
	opts := f.Options()
	p := newModel(f, Spec{
		Form: "lfm", Encoding: string(opts.Encoding), Perturbed: opts.Perturbed, Eps: opts.Eps, Nu: opts.Nu, Lambda: opts.Lambda, Price: opts.Price,
		Box: opts.Box, BoundsByLP: o.LP != nil, OmitNames: opts.OmitNames,
	}, began)
	p.Scope = func(*tree.Tree) string { return f.Scope() }
	p.Lines = []string{
		fmt.Sprintf("form lfm, perturbed %v, eps %v, nu %d, lambda %v, price %v, box %v", opts.Perturbed, opts.Eps, opts.Nu, f.Lambda(), opts.Price, opts.Box),
		"encoding " + string(opts.Encoding), f.Scope(),
	}
	p.LeafTree = true // w = 0
	if o.LP == nil {
		return p, nil
	}
	t, err := onFewFeatures(ctx, d, o.LP, m.rlp(opts.Eps), cmp.Or(opts.Nu, d.P()))
	if p.Begin, err = splitStart(ctx, f, t, err); err != nil {
		return nil, err
	}
	p.Built = time.Since(began)
	return p, nil
}

// features is the most that a split may have.
func (m *LFM) features(d *Data) int {
	if m.Nu == 0 && m.Price == 0 {
		return linear.DefaultNu
	}
	return cmp.Or(m.Nu, d.P())
}

// FromSpec returns the problem of a model.
func (m *LFM) FromSpec(s Spec, _ []string) (Problem, error) {
	return &LFM{oneSplit: oneSplit{Encoded: Encoded{s.Encoding}}, FewFeatures: fewFeatures(s), Lambda: s.Lambda, Price: s.Price}, nil
}

// onFewFeatures is the split of least error on the nu features that weigh most in
// the split of least error on all; nil where there is none.
func onFewFeatures(ctx context.Context, d *Data, lp mio.SolveFunc, o linear.RLPOptions, nu int) (*tree.Tree, error) {
	t, err := leastError(ctx, d, lp, o)
	if err != nil || t.Nodes[0].Leaf() {
		return nil, err
	}
	terms := slices.Clone(t.Nodes[0].Split.Terms)
	spread := dataset.FitScaler(dataset.Standard, d.Dataset)
	size := func(m tree.Term) float64 {
		return math.Abs(m.Weight) * (spread.Invert(m.Feature, 1) - spread.Invert(m.Feature, 0))
	}
	slices.SortStableFunc(terms, func(a, b tree.Term) int { return cmp.Compare(size(b), size(a)) })
	var features []int
	for _, m := range terms[:min(nu, len(terms))] {
		features = append(features, m.Feature)
	}
	slices.Sort(features)
	t, err = leastError(ctx, NewData(d.WithFeatures(features)), lp, o)
	if errors.Is(err, formulate.ErrSingleLeaf) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return t.Remap(d.Dataset, features), nil
}
