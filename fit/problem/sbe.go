package problem

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/linear"
	"github.com/octgen/octgen/heuristics/vertex"
	"github.com/octgen/octgen/tree"
)

// SBE is RLP, or RLP-P, with sequential backward elimination: the feature of the least
// weight is left out, and the split solved again, as long as the error is within its
// bound (Street 1994 in Bredensteiner & Bennett 1996, section 2). It needs no solver: the
// fallback of lfm without one and, beside Algorithms 4.1 and 4.2, of fm.
type SBE struct {
	plane
	Perturbation
}

var _ Algorithm = (*SBE)(nil)

func init() { register(func() Method { return new(SBE) }) }

// Info describes the method.
func (*SBE) Info() Info {
	return Info{Name: "sbe", Measure: "features", Doc: "few features within a bound on the error of rlp (of rlp-p with --eps), left out one by one (Street 1994)"}
}

// Validate refuses what no data make right.
func (*SBE) Validate() error { return nil }

// Grow leaves features out as long as the error is at most 1.1 times the least or, for a
// program, as long as that asks for.
func (m *SBE) Grow(ctx context.Context, d *Data, t Task) (*Grown, error) {
	eps, enough, value := m.Eps, 0, func(s eliminated) float64 { return float64(s.features) }
	slack, delta := linear.DefaultSlack, 0.0
	switch p := t.For.(type) {
	case *FM:
		eps, delta = p.leastEps(), p.Delta
	case *LFM:
		eps, slack, enough = p.leastEps(), math.Inf(1), p.features(d)
		value = func(s eliminated) float64 { return s.err + p.Price*float64(s.features) }
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
