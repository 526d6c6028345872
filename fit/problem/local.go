package problem

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/heuristics/alternating"
	"github.com/octgen/octgen/heuristics/localsearch"
	"github.com/octgen/octgen/heuristics/policy"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/tree"
)

// LocalSearch is coordinate descent over a tree's nodes for the objective of oct or,
// with hyperplane splits, of oct-h.
type LocalSearch struct {
	Shape
	PerLeaf
	Margin
	Restarted
	Splits string `placeholder:"NAME" own:"" group:"Native" help:"local-search: univariate (default) or hyperplane splits."`
}

// Info describes the method.
func (m *LocalSearch) Info() Info {
	info := Info{
		Name: "local-search", Doc: "coordinate descent over the nodes of a tree, for the objective of oct or (hyperplane splits) oct-h",
		Costs: true, Numbers: m.Splits != HyperplaneSplits, Oblique: m.Splits == HyperplaneSplits, Grows: true, Settings: []string{"work-limit"}, Depth: &m.Depth, AnyDepth: true, Shape: &m.Shape, PerLeaf: &m.PerLeaf,
	}
	if m.Splits == HyperplaneSplits {
		info.Counts = "feature"
	}
	return info
}

// On binds the method to data.
func (m *LocalSearch) On(_ context.Context, d *Data, depth int) (*Problem, error) {
	o := *m
	if err := ofClasses(d, map[string]bool{"leaf-penalty": m.LeafPenalty != 0}); err != nil {
		return nil, err
	}
	o.PerLeaf.price(&o.Price, d.Dataset)
	o.SetDepth(depth)
	return AlgorithmOf(&o, d, o.Shape, func(ctx context.Context, t Task) (*Grown, error) { return o.grow(ctx, d, t) }), nil
}

// Validate refuses what no data make right.
func (m *LocalSearch) Validate() error {
	switch m.Splits {
	case "", UnivariateSplits:
		if m.Mu != 0 {
			return wrong("mu", "is the margin of hyperplane splits; these are univariate")
		}
	case HyperplaneSplits:
	default:
		return wrong("splits", ": no splits %q; they are %s or %s", m.Splits, UnivariateSplits, HyperplaneSplits)
	}
	return nil
}

// Work of local search for a start, in its units: some tenths of a second, more
// where it is asked for by name, for hyperplanes twice as much.
const (
	autoStartWork  = 2e8
	namedStartWork = localsearch.DefaultWork
)

// startCells is the size of data, in rows times features, below which a start of univariate
// splits has less work, in proportion: the work counts these, of which restarts on a few
// rows look at so few that it would take seconds.
const startCells = 2000

// options are those of the method, or of a start for a program.
func (m *LocalSearch) options(d *Data, t Task) localsearch.Options {
	s := t.shape(m.Shape)
	o := localsearch.Options{Depth: s.Greatest(), Alpha: s.Alpha, MinLeaf: s.MinLeaf, MaxSplits: s.MaxSplits, Restarts: m.Restarts, Seed: t.Seed, Work: t.Work}
	if o.Hyperplanes = m.Splits == HyperplaneSplits; o.Hyperplanes {
		o.Mu = m.mu()
	}
	if t.For == nil {
		return o
	}
	hyper := t.For.Hyperplanes != nil
	if o.Hyperplanes = hyper; hyper {
		o.Mu = t.For.Hyperplanes.Mu
	}
	if o.Restarts == 0 && o.Work == 0 {
		o.Work = autoStartWork
		if t.Named {
			o.Work = namedStartWork
		}
		if cells := int64(d.N() * d.P()); hyper {
			o.Work *= 2
		} else if cells < startCells {
			o.Work = max(1, o.Work/startCells*cells)
		}
	}
	return o
}

// spared reports whether alternating has left a start of oct-h without a price on features
// nothing to do.
func spared(t Task) bool {
	return t.For != nil && t.For.Hyperplanes != nil && !t.Named && t.For.Shape.Alpha == 0 && t.For.Shape.MaxSplits == 0 && slices.ContainsFunc(t.Others, func(g *Grown) bool {
		return g.Name == alternatingName && g.Tree.Splits() > 0
	})
}

// grow searches.
func (m *LocalSearch) grow(ctx context.Context, d *Data, t Task) (*Grown, error) {
	if d.Kind() == dataset.Numbers {
		return improvedNumbers(ctx, d, t.shape(m.Shape), m.Restarts, t)
	}
	if spared(t) {
		return nil, fmt.Errorf("local-search: %w: alternating has one", formulate.ErrNoStart)
	}
	o := m.options(d, t)
	if t.For == nil && t.Notify != nil {
		o.Progress = func(objective float64) { t.notify("objective %.6g", objective) }
	}
	var err error
	if o.Starts, err = m.beginnings(ctx, d, t, &o); err != nil {
		return nil, err
	}
	search := SearchLocally
	descends := d.Kind() != dataset.Errors && (t.For == nil || t.Named) && !o.Hyperplanes && !asTwoClasses(d, o.MinLeaf)
	if descends {
		search = descendCosts
	}
	res, err := search(ctx, d, o)
	if err != nil && d.Kind() != dataset.Errors && t.For != nil {
		return nil, fmt.Errorf("%w: %w", formulate.ErrNoStart, err)
	}
	if err != nil {
		return nil, err
	}
	if t.For == nil && res.Stats.Limit == mio.LimitTime {
		t.warn("ended by the time limit: another run may find another tree; %s", sameEachTime(descends))
	}
	g := &Grown{Name: "local-search", Tree: res.Tree, Limit: res.Stats.Limit, Outcome: describeMoves(&o, &res.Stats)}
	if o.Hyperplanes {
		g.Objective = octHValue(d, o.Alpha)
	}
	return g, nil
}

// sameEachTime says what ends a search at the same tree each time.
func sameEachTime(descends bool) string {
	if descends { // which has no restarts
		return "without a limit it ends by itself, at the same one each time, and sooner with a smaller --depth"
	}
	return "--restarts ends it the same each time"
}

// beginnings are the trees that were grown before a start; of hyperplanes that of
// alternating, too, since moves along lines rarely find a way past rows within margins.
func (m *LocalSearch) beginnings(ctx context.Context, d *Data, t Task, o *localsearch.Options) (trees []*tree.Tree, err error) {
	there := !o.Hyperplanes
	for _, g := range t.Others {
		trees = append(trees, g.Tree)
		there = there || g.Name == alternatingName
	}
	if there {
		return trees, nil
	}
	if end, limited := ctx.Deadline(); limited {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Until(end)/2)
		defer cancel()
	}
	g, err := (&Alternating{Shape: t.shape(m.Shape), Margin: Margin{Mu: o.Mu}}).start(ctx, d, Task{Seed: t.Seed, Others: t.Others})
	if err != nil {
		return nil, err
	}
	return append(trees, g.Tree), nil
}

// SearchLocally is the local search on d as it is laid out, with the least leaf in the
// weights of d.
func SearchLocally(ctx context.Context, d *Data, o localsearch.Options) (*localsearch.Result, error) {
	if d.Kind() != dataset.Errors {
		return searchCosts(ctx, d, o)
	}
	l, err := d.Training(ctx)
	if err != nil {
		return nil, err
	}
	o.MinLeaf, o.Presort, o.CART = l.Unit.LeastLeaf(o.MinLeaf), l.Presort, d.GrowCART
	res, err := localsearch.Search(ctx, l.Rows, o)
	if err != nil {
		return nil, err
	}
	res.Tree = l.InSource(res.Tree)
	return res, nil
}

// searchCosts is SearchLocally of data with costs.
func searchCosts(ctx context.Context, d *Data, o localsearch.Options) (*localsearch.Result, error) {
	if o.Hyperplanes {
		return nil, wrong("splits", "are univariate where the data have costs of answers (--cost-matrix)")
	}
	if d.SingleLeaf() != nil {
		leaf := tree.NewLeaf(d.Dataset, 0)
		leaf.Relabel(d.Dataset)
		return &localsearch.Result{Tree: leaf}, nil
	}
	two, err := twoClasses(d, "local-search", o.MinLeaf)
	if err != nil {
		return nil, err
	}
	o.MinLeaf = 0 // every row is enough
	res, err := SearchLocally(ctx, two, o)
	if err != nil {
		return nil, err
	}
	res.Tree = res.Tree.Clone()
	res.Tree.Annotate(d.Dataset)
	return res, nil
}

// asTwoClasses says whether costs are those of a classification of two classes, or all trees
// cost the same.
func asTwoClasses(d *Data, minLeaf float64) bool {
	_, err := twoClasses(d, "", minLeaf)
	return err == nil || d.SingleLeaf() != nil
}

// descendCosts is the local search for costs that are no classification of two classes: the
// descent of policies, which begins with each feature at the root in place of at random.
func descendCosts(ctx context.Context, d *Data, o localsearch.Options) (*localsearch.Result, error) {
	began := time.Now()
	l, err := d.Training(ctx)
	if err != nil {
		return nil, err
	}
	res, err := policy.Grow(ctx, l.Rows, policy.Options{
		Depth: o.Depth, Penalty: o.Alpha * tree.ErrorScale(d.Dataset), MinLeaf: leastLeaf(l, o.MinLeaf), MaxSplits: o.MaxSplits, Presort: l.Presort,
	})
	if err != nil {
		return nil, err
	}
	total := time.Since(began)
	return &localsearch.Result{
		Tree:  l.InSource(res.Tree),
		Stats: localsearch.Stats{Moves: res.Moves, Best: total, Total: total, Limit: stopped(ctx, res.Stopped)},
	}, nil
}

func describeMoves(o *localsearch.Options, s *localsearch.Stats) *Outcome {
	splits := UnivariateSplits
	if o.Hyperplanes {
		splits = HyperplaneSplits
	}
	return &Outcome{LocalMoves: &LocalMoves{
		Splits: splits, Seed: int(o.Seed), Restarts: s.Restarts, Kicks: s.Kicks,
		Moves: s.Moves, Work: s.Work, Best: s.Best.Seconds(), Seconds: s.Total.Seconds(),
	}}
}

// twoClasses are data with costs as classification without, for those who know no other
// cost than weight: an error where they are not the same problem.
func twoClasses(d *Data, who string, minLeaf float64) (*Data, error) {
	const search = "; the exact search can (--method oct --engine search)"
	switch {
	case d.K() > 2:
		return nil, fmt.Errorf("%s cannot learn from costs of more than two classes%s", who, search)
	case !tree.EnoughWeight(slices.Min(d.Weight), minLeaf):
		return nil, fmt.Errorf("%s cannot enforce a minimum leaf weight of %v with costs, because rows weigh as little as %v%s", who, minLeaf, slices.Min(d.Weight), search)
	}
	if err := d.SingleLeaf(); err != nil {
		return nil, err
	}
	return NewData(d.AsClassification()), nil
}

const alternatingName = "alternating"

// Alternating is tree alternating optimization for the objective of oct-h: node after
// node by linear programs, all splits with the margin.
type Alternating struct {
	Shape
	Margin
	Restarted
	unchecked
}

// Info describes the method.
func (m *Alternating) Info() Info {
	return Info{
		Name: alternatingName, Oblique: true, Doc: "tree alternating optimization of the oct-h objective, one node at a time by linear programs",
		Counts: "feature", Grows: true, Settings: []string{"work-limit"}, Depth: &m.Depth, Shape: &m.Shape,
	}
}

// On binds the method to data.
func (m *Alternating) On(_ context.Context, d *Data, depth int) (*Problem, error) {
	o := *m
	o.SetDepth(depth)
	return AlgorithmOf(&o, d, o.Shape, func(ctx context.Context, t Task) (*Grown, error) { return o.grow(ctx, d, t) }), nil
}

// Work of a start, in its units: at most about two seconds of a core and less where
// nothing better is found for long, some more where it is asked for by name.
const (
	autoAlternatingWork     = 2e8
	autoAlternatingPatience = 400
	namedAlternatingWork    = alternating.DefaultWork
	besidePatience          = 5000
)

// options are those of the method, or of a start for oct-h.
func (m *Alternating) options(t Task) alternating.Options {
	s := t.shape(m.Shape)
	o := alternating.Options{
		Depth: s.Greatest(), Alpha: s.Alpha, MinLeaf: s.MinLeaf, MaxSplits: s.MaxSplits, Mu: m.mu(),
		Restarts: m.Restarts, Seed: t.Seed, Work: t.Work,
	}
	if t.For != nil && t.For.Hyperplanes != nil {
		o.Mu, o.Right = t.For.Hyperplanes.Mu, t.For.Hyperplanes.Right
	}
	if t.For != nil && o.Restarts == 0 && o.Work == 0 {
		if o = forStart(o); t.Named {
			o.Work, o.Patience = namedAlternatingWork, 0
		}
	}
	if t.Beside { // it gives its processor back where it finds nothing for long
		o.Patience = besidePatience
		o.Streams = 1
	}
	for _, g := range t.Others {
		o.Starts = append(o.Starts, g.Tree)
	}
	return o
}

// forStart are the limits of a start of a program or of another search.
func forStart(o alternating.Options) alternating.Options {
	o.Work, o.Patience = autoAlternatingWork, autoAlternatingPatience
	return o
}

// start grows a tree for another search to begin with.
func (m *Alternating) start(ctx context.Context, d *Data, t Task) (*Grown, error) {
	return m.alternate(ctx, d, t, forStart(m.options(t)))
}

// grow searches.
func (m *Alternating) grow(ctx context.Context, d *Data, t Task) (*Grown, error) {
	return m.alternate(ctx, d, t, m.options(t))
}

func (m *Alternating) alternate(ctx context.Context, d *Data, t Task, o alternating.Options) (*Grown, error) {
	if t.For == nil && t.Notify != nil {
		o.Progress = func(objective float64) { t.notify("objective %.6g", objective) }
	}
	res, err := Alternate(ctx, d, o)
	if err != nil {
		return nil, err
	}
	s := &res.Stats
	if t.For == nil && s.Limit == mio.LimitTime {
		t.warn("ended by the time limit: another run may find another tree; --restarts ends it the same each time")
	}
	return &Grown{
		Name: alternatingName, Tree: res.Tree, Objective: octHValue(d, o.Alpha),
		Limit: s.Limit,
		Outcome: &Outcome{LocalMoves: &LocalMoves{
			Splits: HyperplaneSplits, Seed: int(o.Seed), Restarts: s.Restarts, Moves: s.Improved, Work: s.Work, Best: s.Best.Seconds(), Seconds: s.Total.Seconds(),
		}},
	}, nil
}

// Alternate is the search on d as it is laid out, which ends with a tree that makes the
// errors only that no tree avoids.
func Alternate(ctx context.Context, d *Data, o alternating.Options) (*alternating.Result, error) {
	l, err := d.Training(ctx)
	if err != nil {
		return nil, err
	}
	o.Training = l
	if w, _ := l.Rows.UnavoidableErrors(); w > 0 {
		o.Enough = w / tree.ErrorScale(l.Rows)
	}
	return alternating.Search(ctx, d.Dataset, o)
}
