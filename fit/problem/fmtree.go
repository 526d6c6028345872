package problem

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/linear"
	"github.com/octgen/octgen/heuristics/vertex"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/tree"
)

// FMTree is feature minimization within decision trees (Bredensteiner & Bennett 1996): a
// tree that grows and is pruned as MSMT's, whose splits have few features within a bound
// on their errors.
type FMTree struct {
	Shape
	Pessimism
	TreePruning
	Perturbation
	Splitter string `placeholder:"NAME" group:"Linear splits, fixed structures" help:"fm-tree: how a split is found: fm-rlp (default) or fm-rlp-p, Algorithms 4.1 and 4.2; fm or fm-p, the fewest features by the global program, a minute at most."`
}

var _ LPFree = (*FMTree)(nil)

func init() { register(func() Method { return new(FMTree) }) }

// Info describes the method.
func (*FMTree) Info() Info {
	return Info{Name: "fm-tree", Doc: "a tree of linear splits of few features (Bredensteiner & Bennett 1996)", Settings: []string{"lp", "threads"}}
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

// LPFree says that Algorithms 4.1 and 4.2 need no solver.
func (m *FMTree) LPFree() bool { return !splitters[cmp.Or(m.Splitter, "fm-rlp")].global }

// Grow grows and prunes a tree. The global program needs a solver: without one it wraps
// [formulate.ErrNeedsLP].
func (m *FMTree) Grow(ctx context.Context, d *Data, t Task) (*Grown, error) {
	s := t.shape(m.Shape)
	o := vertex.MSMTOptions{MaxDepth: s.Greatest(), MaxSplits: s.MaxSplits, MinLeaf: s.MinLeaf, Seed: t.Seed}
	var err error
	if o.Pruning, o.Confidence, err = m.TreePruning.resolve(m.Pessimism); err != nil {
		return nil, err
	}
	if t.LP == nil && !m.LPFree() {
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
