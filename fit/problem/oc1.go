package problem

import (
	"context"

	"github.com/octgen/octgen/heuristics/oc1"
)

// OC1 makes hyperplane splits by randomised perturbation (Murthy et al. 1993).
type OC1 struct {
	Shape
	Criterion
	PruneSE
	Restarted
	PruneHoldout *float64 `min:"0" below:"1" placeholder:"0.1" group:"Native" help:"oc1: part of the rows kept from growing, for pruning; 0 for no pruning."`
	Jumps        *int     `min:"0" placeholder:"5" group:"Native" help:"oc1: random directions tried at a local minimum."`
	Order        string   `placeholder:"NAME" group:"Native" help:"oc1: order of the coefficients: seq (default), best or r-50."`
	Paper        bool     `group:"Native" help:"oc1: as the paper of 1993: initial hyperplanes at random only, no univariate split beside them, no feature dropped, one jump, no pruning but --max-impurity; options given hold."`
	AxisOnly     bool     `group:"Native" help:"oc1: univariate splits only."`
	MaxImpurity  float64  `aliases:"purity" min:"0" placeholder:"I" group:"Native" help:"oc1: nodes of at most this impurity are leaves (default 0)."`
}

var _ Algorithm = (*OC1)(nil)

func init() { register(func() Method { return new(OC1) }) }

// Info describes the method.
func (*OC1) Info() Info {
	return Info{Name: "oc1", Doc: "OC1, hyperplane splits by randomised perturbation (Murthy et al. 1993)"}
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

// Grow grows and prunes a tree.
func (m *OC1) Grow(ctx context.Context, d *Data, t Task) (*Grown, error) {
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
