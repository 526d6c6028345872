package problem

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/heuristics/localsearch"
	"github.com/octgen/octgen/heuristics/policy"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/tree"
)

// LocalSearch is coordinate descent over a tree's nodes for the objective of oct or,
// with hyperplane splits, of oct-h.
type LocalSearch struct {
	Shape
	Margin
	Restarted
	Splits string `placeholder:"NAME" own:"" group:"Native" help:"local-search: univariate (default) or hyperplane splits."`
}

var _ Algorithm = (*LocalSearch)(nil)

func init() { register(func() Method { return new(LocalSearch) }) }

// Info describes the method.
func (m *LocalSearch) Info() Info {
	counts := ""
	if m.Splits == HyperplaneSplits {
		counts = "feature"
	}
	return Info{
		Counts: counts, Costs: true, Name: "local-search", Doc: "coordinate descent over a tree's nodes for the objective of oct or, with hyperplane splits, of oct-h",
		Settings: []string{"work-limit"},
	}
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
	h, hyper := t.For.(*OCTH)
	if o.Hyperplanes = hyper; hyper {
		o.Mu = h.mu()
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
	h, hyper := t.For.(*OCTH)
	return hyper && !t.Named && h.Alpha == 0 && h.MaxSplits == 0 && slices.ContainsFunc(t.Others, func(g *Grown) bool {
		return g.Name == alternatingName && g.Tree.Splits() > 0
	})
}

// Grow searches.
func (m *LocalSearch) Grow(ctx context.Context, d *Data, t Task) (*Grown, error) {
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
	descends := d.Cost != nil && (t.For == nil || t.Named) && !o.Hyperplanes && !asTwoClasses(d, o.MinLeaf)
	if descends {
		search = descendCosts
	}
	res, err := search(ctx, d, o)
	if err != nil && d.Cost != nil && t.For != nil {
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
		g.Objective = (&OCTH{Shape: Shape{Price: Price{Alpha: o.Alpha}}}).Value(d)
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
	if d.Cost != nil {
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
