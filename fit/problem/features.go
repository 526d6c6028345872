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
	Perturbed bool    `group:"Linear splits, fixed structures" help:"fm, lfm: use the error of RLP-P instead of RLP."`
	Nu        int     `min:"0" placeholder:"N" group:"Linear splits, fixed structures" help:"Maximum number of features (lfm: default 3; fm: default none, their number is minimised)."`
	Box       float64 `min:"0" placeholder:"B" group:"Linear splits, fixed structures" help:"fm, lfm, gto: bound on weights that the data leave unbounded, in standardised units."`
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

// FM is the linear split with the fewest features within an error bound: Bredensteiner &
// Bennett (1996), problems (7), (8) and (14).
type FM struct {
	oneSplit
	Encoded
	FewFeatures
	Delta float64 `above:"0" placeholder:"E" group:"Linear splits, fixed structures" help:"fm: maximum error (default: 1.1 times the minimum)."`
	slack float64 // of a model's spec
}

// Info describes the method. Without a name its start is the split of least error, which
// comes with building.
func (m *FM) Info() Info {
	return Info{
		Name: "fm", Oblique: true, Measure: "features", Doc: "linear split with the fewest features within an error bound (Bredensteiner & Bennett 1996)",
		Kind: Formulation, Proof: true, Hint: m.hint, OnlyMIO: m.onlyMIO(), Words: fmWords,
		Engines: []Engine{MIO, Heuristic}, Settings: []string{"solver", "start", "threads"},
		Needs: needsOf("fm"), Starts: []Start{{"rlp", false}, {"fm-rlp", true}, {"sbe", true}},
	}
}

// fmWords: at a given nu it is a matter of yes or no whether there is a split.
func fmWords(objective float64, features int) string {
	if objective == 0 && features > 0 {
		return "0, a split with at most nu features exists"
	}
	return ""
}

// Validate refuses what no data make right.
func (m *FM) Validate() error { return cmp.Or(m.among("fm", needsOf("fm")), m.checkBox(m.Encoding)) }

// On binds the method to data.
func (m *FM) On(_ context.Context, d *Data, _ int) (*Problem, error) {
	p := m.formulation(m, d, func(ctx context.Context, o BuildOptions) (*Model, error) { return m.build(ctx, d, o) })
	p.Linear = &Linear{Eps: m.leastEps(), Delta: m.Delta, Fewest: true}
	return p, nil
}

// build formulates the problem, and starts from the split of least error, which a
// bound of more than that admits.
func (m *FM) build(ctx context.Context, d *Data, o BuildOptions) (*Model, error) {
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

// fmOf returns the method of a written model.
func fmOf(s Spec, _ []string) (Method, error) {
	return &FM{Encoded: Encoded{s.Encoding}, FewFeatures: fewFeatures(s), Delta: s.Delta, slack: s.Slack}, nil
}

// fewFeatures are the limits of a written model, whose box may be that of no use in its encoding.
func fewFeatures(s Spec) FewFeatures {
	f := FewFeatures{Perturbation: Perturbation{s.Eps}, Perturbed: s.Perturbed, Nu: s.Nu, Box: s.Box}
	if f.checkBox(s.Encoding) != nil {
		f.Box = 0
	}
	return f
}

// LFM is the linear split with the least error on a limited number of features: Bredensteiner & Bennett
// (1996), problem (9); with a price of features (6) and (12).
type LFM struct {
	oneSplit
	Encoded
	FewFeatures
	Lambda float64 `min:"0" placeholder:"L" group:"Linear splits, fixed structures" help:"lfm, encoding bilinear: penalty of weight beyond nu features."`
	Price  float64 `name:"feature-price" above:"0" placeholder:"L" group:"Linear splits, fixed structures" help:"lfm: penalty per feature (lambda of problems (6) and (12)); then --nu has no default."`
}

// Info describes the method. Without a name its start is the split of least error, which
// comes with building.
func (m *LFM) Info() Info {
	return Info{
		Name: "lfm", Oblique: true, Measure: "mean distance inside the margin, per class", Doc: "linear split with the least error on a limited number of features (Bredensteiner & Bennett 1996)",
		Kind: Formulation, Proof: true, Hint: m.hint, OnlyMIO: m.onlyMIO(),
		Engines: []Engine{MIO, Heuristic}, Settings: []string{"solver", "start", "threads"},
		Needs: needsOf("lfm"), Starts: []Start{{"rlp", false}, {"fm-rlp", true}, {"sbe", true}},
	}
}

// Validate refuses what no data make right.
func (m *LFM) Validate() error { return cmp.Or(m.among("lfm", needsOf("lfm")), m.checkBox(m.Encoding)) }

// checkBox refuses a box in an encoding without bounds on weights.
func (f *FewFeatures) checkBox(encoding string) error {
	if e := formulate.Encoding(encoding); f.Box > 0 && (e == formulate.Indicator || e == linear.SOS1) {
		return wrong("box", "is of the encodings mio and bilinear; %s has no bounds on weights", e)
	}
	return nil
}

// On binds the method to data.
func (m *LFM) On(_ context.Context, d *Data, _ int) (*Problem, error) {
	p := m.formulation(m, d, func(ctx context.Context, o BuildOptions) (*Model, error) { return m.build(ctx, d, o) })
	p.Linear = &Linear{Eps: m.leastEps(), Features: m.features(d), Price: m.Price}
	return p, nil
}

// build formulates the problem, and starts from the split of least error on the
// features that weigh most.
func (m *LFM) build(ctx context.Context, d *Data, o BuildOptions) (*Model, error) {
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

// lfmOf returns the method of a written model.
func lfmOf(s Spec, _ []string) (Method, error) {
	return &LFM{Encoded: Encoded{s.Encoding}, FewFeatures: fewFeatures(s), Lambda: s.Lambda, Price: s.Price}, nil
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

// FMRLP finds few features within a bound on the error of RLP by linear programs:
// Bredensteiner & Bennett (1996), Algorithms 4.1 and 4.2.
type FMRLP struct {
	oneSplit
	unchecked
}

// Info describes the method.
func (m *FMRLP) Info() Info {
	return Info{
		Name: "fm-rlp", Oblique: true, Measure: "features", Doc: "linear split with few features within a bound on the rlp error, by linear programs (Bredensteiner & Bennett 1996)",
		Grows: true, LPFree: true, Hint: m.hint, Settings: []string{"lp", "threads"},
	}
}

// On binds the method to data.
func (m *FMRLP) On(_ context.Context, d *Data, _ int) (*Problem, error) {
	return AlgorithmOf(m, d, Shape{}, func(ctx context.Context, t Task) (*Grown, error) {
		return featureMin(ctx, d, t, "fm-rlp", vertex.FeatureMinOptions{})
	}), nil
}

// FMRLPP is FMRLP with the error of RLP-P.
type FMRLPP struct {
	unchecked
	Perturbation
}

// Info describes the method.
func (m *FMRLPP) Info() Info {
	info := (&FMRLP{}).Info()
	info.Name, info.Doc = "fm-rlp-p", "fm-rlp with the error of rlp-p"
	return info
}

// On binds the method to data.
func (m *FMRLPP) On(_ context.Context, d *Data, _ int) (*Problem, error) {
	return AlgorithmOf(m, d, Shape{}, func(ctx context.Context, t Task) (*Grown, error) {
		return featureMin(ctx, d, t, "fm-rlp-p", vertex.FeatureMinOptions{Perturbed: true, Eps: m.Eps})
	}), nil
}

func featureMin(ctx context.Context, d *Data, t Task, name string, o vertex.FeatureMinOptions) (*Grown, error) {
	sides(d, name, t.Warn)
	o.Seed, o.LP = t.Seed, t.LP
	seek := func() (*vertex.FeatureMinResult, error) { return vertex.FeatureMin(ctx, d.Dataset, o) }
	if t.For != nil && t.For.Linear != nil { // whose error and bound it is to keep
		l := t.For.Linear
		o.Perturbed, o.Eps, o.Delta = l.Eps > 0, l.Eps, l.Delta
		if !l.Fewest {
			seek = func() (*vertex.FeatureMinResult, error) {
				return vertex.LimitedFeatures(ctx, d.Dataset, vertex.LimitedOptions{Nu: l.Features, Eps: l.Eps, Seed: t.Seed})
			}
		}
	}
	res, err := seek()
	if err != nil {
		return nil, err
	}
	return &Grown{
		Name: name, Tree: res.Tree, Limit: stopped(ctx, res.Stats.Stopped), Outcome: new(Outcome),
		Objective: func(t *tree.Tree) float64 { return float64(len(t.FeaturesUsed())) },
	}, nil
}

// SBE is RLP, or RLP-P, with sequential backward elimination: the feature of the least
// weight is left out, and the split solved again, as long as the error is within its
// bound (Street 1994 in Bredensteiner & Bennett 1996, section 2). It needs no solver: the
// fallback of lfm without one and, beside Algorithms 4.1 and 4.2, of fm.
type SBE struct {
	oneSplit
	unchecked
	Perturbation
}

// Info describes the method.
func (m *SBE) Info() Info {
	return Info{Name: "sbe", Oblique: true, Measure: "features", Doc: "linear split with few features within a bound on the rlp error (rlp-p with --eps), by backward elimination (Street 1994)", Grows: true, Hint: m.hint}
}

// On binds the method to data.
func (m *SBE) On(_ context.Context, d *Data, _ int) (*Problem, error) {
	return AlgorithmOf(m, d, Shape{}, func(ctx context.Context, t Task) (*Grown, error) { return m.grow(ctx, d, t) }), nil
}

// grow leaves features out as long as the error is at most 1.1 times the least or, for a
// program, as long as that asks for.
func (m *SBE) grow(ctx context.Context, d *Data, t Task) (*Grown, error) {
	eps, enough, value := m.Eps, 0, func(s eliminated) float64 { return float64(s.features) }
	slack, delta := linear.DefaultSlack, 0.0
	if t.For != nil && t.For.Linear != nil {
		l := t.For.Linear
		if eps = l.Eps; l.Fewest {
			delta = l.Delta
		} else {
			slack, enough = math.Inf(1), l.Features
			value = func(s eliminated) float64 { return s.err + l.Price*float64(s.features) }
		}
	}
	path, was, err := eliminate(ctx, d, eps, t.Seed)
	if err != nil {
		return nil, err
	}
	best := path[0]
	for _, s := range path[1:] {
		switch {
		case s.err > cmp.Or(delta, slack*path[0].err)*(1+1e-9):
		case enough > 0 && best.features > enough, value(s) < value(best):
			best = s
		}
	}
	g := &Grown{Name: "sbe", Tree: best.tree, Limit: stopped(ctx, was), Outcome: new(Outcome)}
	if t.For == nil {
		g.Objective = func(t *tree.Tree) float64 { return float64(len(t.FeaturesUsed())) }
	}
	return g, nil
}

// eliminated is a split of some of the features.
type eliminated struct {
	tree     *tree.Tree
	features int
	err      float64
}

// eliminate returns the splits of least error with fewer and fewer features, the first
// with all; was says that ctx ended it.
func eliminate(ctx context.Context, d *Data, eps float64, seed uint64) (path []eliminated, was bool, err error) {
	spread := dataset.FitScaler(dataset.Standard, d.Dataset)
	size := func(m tree.Term) float64 {
		return math.Abs(m.Weight) * (spread.Invert(m.Feature, 1) - spread.Invert(m.Feature, 0))
	}
	features := make([]int, d.P())
	for j := range features {
		features[j] = j
	}
	for len(features) > 0 && !was {
		res, err := vertex.RLP(ctx, d.WithFeatures(features), vertex.RLPOptions{Eps: eps, Seed: seed})
		if errors.Is(err, formulate.ErrSingleLeaf) && len(path) > 0 {
			break
		}
		if err != nil {
			return nil, false, err
		}
		was = res.Stats.Stopped
		t := res.Tree.Remap(d.Dataset, features)
		if was && len(path) > 0 || t.Nodes[0].Leaf() && len(path) > 0 {
			break
		}
		used := t.FeaturesUsed()
		path = append(path, eliminated{t, len(used), res.Objective})
		if t.Nodes[0].Leaf() {
			break
		}
		terms := slices.Clone(t.Nodes[0].Split.Terms)
		least := slices.MinFunc(terms, func(a, b tree.Term) int { return cmp.Compare(size(a), size(b)) })
		features = slices.DeleteFunc(slices.Clone(used), func(j int) bool { return j == least.Feature })
	}
	return path, was, nil
}
