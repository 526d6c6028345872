package problem

import (
	"context"

	"github.com/octgen/octgen/heuristics/vertex"
	"github.com/octgen/octgen/tree"
)

// FMRLP finds few features within a bound on the error of RLP by linear programs:
// Bredensteiner & Bennett (1996), Algorithms 4.1 and 4.2.
type FMRLP struct{ plane }

// FMRLPP is FMRLP with the error of RLP-P.
type FMRLPP struct {
	plane
	Perturbation
}

var (
	_ LPFree = (*FMRLP)(nil)
	_ LPFree = (*FMRLPP)(nil)
)

func init() {
	register(func() Method { return new(FMRLP) })
	register(func() Method { return new(FMRLPP) })
}

// Info describes the method.
func (*FMRLP) Info() Info {
	return Info{Name: "fm-rlp", Measure: "features", Doc: "few features within a bound on the error of rlp, by linear programs (Bredensteiner & Bennett 1996)", Settings: []string{"lp", "threads"}}
}

// Info describes the method.
func (*FMRLPP) Info() Info {
	return Info{Name: "fm-rlp-p", Measure: "features", Doc: "the same with the error of rlp-p", Settings: []string{"lp", "threads"}}
}

// Validate refuses what no data make right.
func (*FMRLP) Validate() error { return nil }

// Validate refuses what no data make right.
func (*FMRLPP) Validate() error { return nil }

// LPFree says yes.
func (*FMRLP) LPFree() bool { return true }

// LPFree says yes.
func (*FMRLPP) LPFree() bool { return true }

// Grow solves the programs.
func (m *FMRLP) Grow(ctx context.Context, d *Data, t Task) (*Grown, error) {
	return featureMin(ctx, d, t, "fm-rlp", vertex.FeatureMinOptions{})
}

// Grow solves the programs.
func (m *FMRLPP) Grow(ctx context.Context, d *Data, t Task) (*Grown, error) {
	return featureMin(ctx, d, t, "fm-rlp-p", vertex.FeatureMinOptions{Perturbed: true, Eps: m.Eps})
}

func featureMin(ctx context.Context, d *Data, t Task, name string, o vertex.FeatureMinOptions) (*Grown, error) {
	sides(d, name, t.Warn)
	o.Seed, o.LP = t.Seed, t.LP
	if p, ok := t.For.(*FM); ok { // whose error and bound it is to keep
		o.Perturbed, o.Eps, o.Delta = p.Perturbed, p.leastEps(), p.Delta
	}
	res, err := vertex.FeatureMin(ctx, d.Dataset, o)
	if err != nil {
		return nil, err
	}
	return &Grown{
		Name: name, Tree: res.Tree, Limit: stopped(ctx, res.Stats.Stopped), Outcome: new(Outcome),
		Objective: func(t *tree.Tree) float64 { return float64(len(t.FeaturesUsed())) },
	}, nil
}
