package problem

import (
	"context"

	"github.com/octgen/octgen/heuristics/cart"
)

// C45 is C4.5 by gain ratio with pessimistic pruning (Quinlan 1993).
type C45 struct {
	Shape
	Pessimism
	Release int `min:"5" max:"8" placeholder:"5|8" group:"Native" help:"c45: the release of the program: 5 (default), that of the book, or 8, whose gain pays for the choice of the threshold (Quinlan 1996)."`
}

var _ Algorithm = (*C45)(nil)

func init() { register(func() Method { return new(C45) }) }

// Info describes the method.
func (*C45) Info() Info {
	return Info{Name: "c45", Doc: "C4.5 by gain ratio with pessimistic pruning (Quinlan 1993)"}
}

// Validate refuses what no data make right.
func (m *C45) Validate() error {
	if m.Release != 0 && m.Release != 5 && m.Release != 8 {
		return wrong("release", "is %d; it is 5 or 8", m.Release)
	}
	return nil
}

// Grow grows and prunes a tree.
func (m *C45) Grow(ctx context.Context, d *Data, t Task) (*Grown, error) {
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
