package problem

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/linear"
	"github.com/octgen/octgen/heuristics/cart"
	"github.com/octgen/octgen/heuristics/oc1"
	"github.com/octgen/octgen/heuristics/vertex"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/tree"
)

// What algorithms that grow trees share.

// leastLeaf is a least leaf weight in the units of rows laid out, if they are in units.
func leastLeaf(l *tree.Training, nmin float64) float64 {
	if l.Unit.Size == 0 {
		return nmin
	}
	return l.Unit.LeastLeaf(nmin)
}

// shape is that of the trees wanted: of the program that is to be started, else of
// the algorithm's own options.
func (t *Task) shape(own Shape) Shape {
	if t.For != nil {
		return t.For.Shape
	}
	return own
}

// CART grows greedily and prunes (Breiman et al. 1984).
type CART struct {
	Shape
	PerLeaf
	Criterion
	PruneSE
	PruneFolds int `min:"2" placeholder:"N" group:"Native" help:"cart: prune by cross-validation with N folds."`
}

// Info describes the method.
func (m *CART) Info() Info {
	return Info{Name: "cart", Doc: "CART, pruned to the best subtree for alpha or by cross-validation (Breiman et al. 1984)", Costs: true, Numbers: true, Grows: true, Depth: &m.Depth, AnyDepth: true, Shape: &m.Shape, PerLeaf: &m.PerLeaf}
}

// On binds the method to data.
func (m *CART) On(_ context.Context, d *Data, depth int) (*Problem, error) {
	o := *m
	if err := ofClasses(d, map[string]bool{"leaf-penalty": m.LeafPenalty != 0, "criterion": m.Criterion.Criterion != "", "prune-folds": m.PruneFolds != 0}); err != nil {
		return nil, err
	}
	o.PerLeaf.price(&o.Price, d.Dataset)
	o.SetDepth(depth)
	return AlgorithmOf(&o, d, o.Shape, func(ctx context.Context, t Task) (*Grown, error) { return o.grow(ctx, d, t) }), nil
}

// Validate refuses what no data make right.
func (m *CART) Validate() error {
	if m.PruneSE.PruneSE != nil && m.PruneFolds == 0 {
		return wrong("prune-se", "needs --prune-folds beside it")
	}
	_, err := m.criterion()
	return err
}

// grow grows and prunes a tree.
func (m *CART) grow(ctx context.Context, d *Data, t Task) (*Grown, error) {
	s := t.shape(m.Shape)
	if d.Kind() == dataset.Numbers {
		return greedyNumbers(ctx, d, s, t)
	}
	l, err := d.Training(ctx)
	if err != nil {
		return nil, err
	}
	var seed uint64
	if m.PruneFolds > 0 { // source rows are dealt to folds
		l, seed = &tree.Training{Source: d.Dataset, Rows: d.Dataset}, t.Seed
	}
	o := cart.Options{MaxDepth: s.Greatest(), MinLeaf: leastLeaf(l, s.MinLeaf), Folds: m.PruneFolds, Seed: seed, Presort: l.Presort}
	if o.Criterion, err = m.criterion(); err != nil {
		return nil, err
	}
	if m.PruneSE.PruneSE != nil {
		o.PruneSE = *m.PruneSE.PruneSE
	}
	res, err := d.GrowCART(ctx, l.Rows, o)
	if err != nil {
		return nil, err
	}
	return bestSubtree(ctx, d, s, "cart", l.InSource(res.Tree), res.Stats.Grown, res.Stats.Stopped), nil
}

// C45 is C4.5 by gain ratio with pessimistic pruning (Quinlan 1993).
type C45 struct {
	Shape
	Pessimism
	Release int `min:"5" max:"8" placeholder:"5|8" group:"Native" help:"c45: release 5 (default, Quinlan 1993) or 8 (gain corrected for the number of thresholds, Quinlan 1996)."`
}

// Info describes the method.
func (m *C45) Info() Info {
	return Info{Name: "c45", Doc: "C4.5 by gain ratio with pessimistic pruning (Quinlan 1993)", Grows: true, Depth: &m.Depth, AnyDepth: true, Shape: &m.Shape}
}

// On binds the method to data.
func (m *C45) On(_ context.Context, d *Data, depth int) (*Problem, error) {
	o := *m
	o.SetDepth(depth)
	return AlgorithmOf(&o, d, o.Shape, func(ctx context.Context, t Task) (*Grown, error) { return o.grow(ctx, d, t) }), nil
}

// Validate refuses what no data make right.
func (m *C45) Validate() error {
	if m.Release != 0 && m.Release != 5 && m.Release != 8 {
		return wrong("release", "is %d; it is 5 or 8", m.Release)
	}
	return nil
}

// grow grows and prunes a tree.
func (m *C45) grow(ctx context.Context, d *Data, t Task) (*Grown, error) {
	s := t.shape(m.Shape)
	o := cart.C45Options{MaxDepth: s.Greatest(), ThresholdCost: m.Release == 8}
	o.Confidence, o.NoPruning = m.pruning()
	if s.MinLeaf != 1 { // the default elsewhere; C4.5's own is 2
		o.MinLeaf = s.MinLeaf
	}
	res, err := cart.C45(ctx, d.Dataset, o)
	if err != nil {
		return nil, err
	}
	return bestSubtree(ctx, d, s, "c45", res.Tree, res.Stats.Grown, res.Stats.Stopped), nil
}

// OC1 makes hyperplane splits by randomised perturbation (Murthy et al. 1993).
type OC1 struct {
	Shape
	Criterion
	PruneSE
	Restarted
	PruneHoldout *float64 `min:"0" below:"1" placeholder:"0.1" group:"Native" help:"oc1: fraction of the rows held out for pruning (0: no pruning)."`
	Jumps        *int     `min:"0" placeholder:"5" group:"Native" help:"oc1: random jumps at a local minimum."`
	Order        string   `placeholder:"NAME" group:"Native" help:"oc1: order of the coefficients: seq (default), best or r-50."`
	Paper        bool     `group:"Native" help:"oc1: defaults of the 1993 paper: random initial hyperplanes, no univariate split, no feature selection, one jump, pruning by --max-impurity only."`
	AxisOnly     bool     `group:"Native" help:"oc1: univariate splits only."`
	MaxImpurity  float64  `aliases:"purity" min:"0" placeholder:"I" group:"Native" help:"oc1: a node of at most this impurity becomes a leaf (default 0)."`
}

// Info describes the method.
func (m *OC1) Info() Info {
	return Info{Name: "oc1", Oblique: !m.AxisOnly, Doc: "OC1, hyperplane splits by randomised perturbation (Murthy et al. 1993)", Grows: true, Depth: &m.Depth, AnyDepth: true, Shape: &m.Shape}
}

// On binds the method to data.
func (m *OC1) On(_ context.Context, d *Data, depth int) (*Problem, error) {
	o := *m
	o.SetDepth(depth)
	return AlgorithmOf(&o, d, o.Shape, func(ctx context.Context, t Task) (*Grown, error) { return o.grow(ctx, d, t) }), nil
}

// Validate refuses what no data make right.
func (m *OC1) Validate() error {
	_, err := m.options()
	return err
}

func (m *OC1) options() (o oc1.Options, err error) {
	if m.Criterion.Criterion != "" {
		if o.Impurity, err = oc1.ParseImpurity(m.Criterion.Criterion); err != nil {
			return o, wrong("criterion", ": %w", err)
		}
	}
	if m.Order != "" {
		if o.Order, err = oc1.ParseOrder(m.Order); err != nil {
			return o, wrong("order", ": %w", err)
		}
	}
	if m.Paper && m.AxisOnly {
		return o, wrong("axis-only", "asks for univariate splits, which --paper is without")
	}
	o.Paper = m.Paper
	o.Restarts, o.AxisOnly, o.Threshold = m.Restarts, m.AxisOnly, m.MaxImpurity
	// 0 is the default in the options, none in those of the method.
	none := func(v float64) float64 {
		if v == 0 {
			return -1
		}
		return v
	}
	if m.PruneSE.PruneSE != nil {
		o.PruneSE = none(*m.PruneSE.PruneSE)
	}
	if m.PruneHoldout != nil {
		o.Holdout = none(*m.PruneHoldout)
	}
	if m.Jumps != nil {
		o.Jumps = int(none(float64(*m.Jumps)))
	}
	return o, nil
}

// grow grows and prunes a tree.
func (m *OC1) grow(ctx context.Context, d *Data, t Task) (*Grown, error) {
	s := t.shape(m.Shape)
	o, err := m.options()
	if err != nil {
		return nil, err
	}
	o.MaxDepth, o.MinLeaf, o.Seed = s.Greatest(), s.MinLeaf, t.Seed
	res, err := oc1.Grow(ctx, d.Dataset, o)
	if err != nil {
		return nil, err
	}
	return bestSubtree(ctx, d, s, "oc1", res.Tree, res.Stats.Grown, res.Stats.Stopped), nil
}

// MSMT is a tree of robust linear programs, with pessimistic pruning (Bennett 1992).
type MSMT struct {
	Shape
	Pessimism
	TreePruning
}

// TreePruning is the option of how trees of linear splits are pruned.
type TreePruning struct {
	Pruning string `placeholder:"NAME" group:"Native" help:"msmt, fm-tree: pessimistic (default, Quinlan 1987), error-based (C4.5), charged (error-based, plus half an error per weight of a split) or none."`
}

// resolve returns the pruning and its confidence, 0 for the default.
func (p TreePruning) resolve(c Pessimism) (vertex.Pruning, float64, error) {
	pruning := vertex.Pruning(cmp.Or(p.Pruning, string(vertex.Pessimistic)))
	if !slices.Contains(vertex.Prunings(), pruning) {
		return "", 0, wrong("pruning", "is %q; it is one of %q", p.Pruning, vertex.Prunings())
	}
	confidence, none := c.pruning()
	switch {
	case none:
		return vertex.Unpruned, 0, nil
	case confidence > 0 && (pruning == vertex.Pessimistic || pruning == vertex.Unpruned):
		return "", 0, wrong("confidence", "is that of --pruning error-based and charged; %s has none", pruning)
	}
	return pruning, confidence, nil
}

// Info describes the method.
func (m *MSMT) Info() Info {
	return Info{Name: "msmt", Oblique: true, Doc: "tree of robust linear programs, with pessimistic pruning (Bennett 1992)", Grows: true, Depth: &m.Depth, AnyDepth: true, Shape: &m.Shape}
}

// On binds the method to data.
func (m *MSMT) On(_ context.Context, d *Data, depth int) (*Problem, error) {
	o := *m
	o.SetDepth(depth)
	return AlgorithmOf(&o, d, o.Shape, func(ctx context.Context, t Task) (*Grown, error) { return o.grow(ctx, d, t) }), nil
}

// Validate refuses what no data make right.
func (m *MSMT) Validate() error {
	_, _, err := m.TreePruning.resolve(m.Pessimism)
	return err
}

// grow grows and prunes a tree.
func (m *MSMT) grow(ctx context.Context, d *Data, t Task) (*Grown, error) {
	s := t.shape(m.Shape)
	o := vertex.MSMTOptions{MaxDepth: s.Greatest(), MaxSplits: s.MaxSplits, MinLeaf: s.MinLeaf, Seed: t.Seed}
	var err error
	if o.Pruning, o.Confidence, err = m.TreePruning.resolve(m.Pessimism); err != nil {
		return nil, err
	}
	res, err := vertex.MSMT(ctx, d.Dataset, o)
	if err != nil {
		return nil, err
	}
	return bestSubtree(ctx, d, s, "msmt", res.Tree, res.Stats.Grown, res.Stats.Stopped), nil
}

// FMTree is feature minimization within decision trees (Bredensteiner & Bennett 1996): a
// tree that grows and is pruned as MSMT's, whose splits have few features within a bound
// on their errors.
type FMTree struct {
	Shape
	Pessimism
	TreePruning
	Perturbation
	Splitter string `placeholder:"NAME" group:"Linear splits, fixed structures" help:"fm-tree: split method: fm-rlp (default), fm-rlp-p (Algorithms 4.1 and 4.2), or fm, fm-p (fewest features by MIP, one minute at most)."`
}

// Info describes the method.
func (m *FMTree) Info() Info {
	return Info{Name: "fm-tree", Oblique: true, Doc: "tree of linear splits with few features (Bredensteiner & Bennett 1996)", Grows: true, LPFree: m.lpFree(), Settings: []string{"lp", "threads"}, Depth: &m.Depth, AnyDepth: true, Shape: &m.Shape}
}

// On binds the method to data.
func (m *FMTree) On(_ context.Context, d *Data, depth int) (*Problem, error) {
	o := *m
	o.SetDepth(depth)
	return AlgorithmOf(&o, d, o.Shape, func(ctx context.Context, t Task) (*Grown, error) { return o.grow(ctx, d, t) }), nil
}

// splitters are how a split is found: by which error, and by the global program or not.
var splitters = map[string]struct{ perturbed, global bool }{
	"fm-rlp": {}, "fm-rlp-p": {perturbed: true}, "fm": {global: true}, "fm-p": {perturbed: true, global: true},
}

// Validate refuses what no data make right.
func (m *FMTree) Validate() error {
	how, known := splitters[cmp.Or(m.Splitter, "fm-rlp")]
	switch {
	case !known:
		return wrong("splitter", "is %q; it is one of %q", m.Splitter, []string{"fm-rlp", "fm-rlp-p", "fm", "fm-p"})
	case m.Eps != 0 && !how.perturbed:
		return wrong("eps", "is of the splitters fm-rlp-p and fm-p")
	}
	_, _, err := m.TreePruning.resolve(m.Pessimism)
	return err
}

// lpFree says that Algorithms 4.1 and 4.2 need no solver.
func (m *FMTree) lpFree() bool { return !splitters[cmp.Or(m.Splitter, "fm-rlp")].global }

// grow grows and prunes a tree. The global program needs a solver: without one it wraps
// [formulate.ErrNeedsLP].
func (m *FMTree) grow(ctx context.Context, d *Data, t Task) (*Grown, error) {
	s := t.shape(m.Shape)
	o := vertex.MSMTOptions{MaxDepth: s.Greatest(), MaxSplits: s.MaxSplits, MinLeaf: s.MinLeaf, Seed: t.Seed}
	var err error
	if o.Pruning, o.Confidence, err = m.TreePruning.resolve(m.Pessimism); err != nil {
		return nil, err
	}
	if t.LP == nil && !m.lpFree() {
		return nil, fmt.Errorf("fm-tree: %w", formulate.ErrNeedsLP)
	}
	o.Split = m.splitter(t)
	res, err := vertex.MSMT(ctx, d.Dataset, o)
	if err != nil {
		return nil, err
	}
	return bestSubtree(ctx, d, s, "fm-tree", res.Tree, res.Stats.Grown, res.Stats.Stopped), nil
}

// splitter is how splits are found.
func (m *FMTree) splitter(t Task) vertex.SplitFunc {
	how := splitters[cmp.Or(m.Splitter, "fm-rlp")]
	return func(ctx context.Context, ds *dataset.Dataset) (*tree.Split, bool, error) {
		o := vertex.FeatureMinOptions{Perturbed: how.perturbed, Seed: t.Seed, LP: t.LP}
		if how.perturbed {
			o.Eps = m.Eps
		}
		res, err := vertex.FeatureMin(ctx, ds, o)
		if errors.Is(err, formulate.ErrSingleLeaf) {
			return nil, false, nil
		}
		if err != nil {
			return nil, false, err
		}
		found := res.Tree
		if how.global && !res.Stats.Stopped {
			if found, err = fewest(ctx, ds, res, o); err != nil {
				return nil, false, err
			}
		}
		return found.Nodes[0].Split, res.Stats.Stopped, nil
	}
}

// fewestTime is the most that the global program of a split takes.
const fewestTime = time.Minute

// fewest is the split of the fewest features within the bound that the algorithms had, by
// the global program; theirs, where the program ends without a better one.
func fewest(ctx context.Context, ds *dataset.Dataset, res *vertex.FeatureMinResult, o vertex.FeatureMinOptions) (*tree.Tree, error) {
	within, cancel := context.WithTimeout(ctx, fewestTime)
	defer cancel()
	f, err := linear.FMOptions{Perturbed: o.Perturbed, Eps: o.Eps, Delta: res.Delta, LP: o.LP, OmitNames: true}.Build(within, ds)
	if within.Err() != nil || errors.Is(err, context.DeadlineExceeded) {
		return res.Tree, nil
	}
	if err != nil {
		return nil, err
	}
	sol, err := o.LP(within, f.Model())
	if within.Err() != nil || errors.Is(err, context.DeadlineExceeded) || err == nil && sol.Limit != mio.NoLimit {
		return res.Tree, nil
	}
	if err != nil || !sol.Status.HasSolution() {
		return res.Tree, err
	}
	t, err := f.Decode(sol.Values)
	if err != nil || len(t.FeaturesUsed()) >= res.Features {
		return res.Tree, nil
	}
	return t, nil
}
