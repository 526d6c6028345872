package method

import (
	"context"

	"github.com/octgen/octgen/heuristics/vertex"
)

// MSMT is a tree of robust linear programs, pruned pessimistically (Bennett 1992).
type MSMT struct {
	Shape
	Pessimism
}

var _ Algorithm = (*MSMT)(nil)

func init() { register(func() Method { return new(MSMT) }) }

// Info describes the method.
func (*MSMT) Info() Info {
	return Info{Name: "msmt", Doc: "a tree of robust linear programs, pruned pessimistically (Bennett 1992)"}
}

// Validate refuses what no data make right.
func (*MSMT) Validate() error { return nil }

// Grow grows and prunes a tree.
func (m *MSMT) Grow(ctx context.Context, d *Data, t Task) (*Grown, error) {
	s := t.shape(m.Shape)
	o := vertex.MSMTOptions{MaxDepth: s.Greatest(), MaxSplits: s.MaxSplits, MinLeaf: s.MinLeaf, Seed: t.Seed}
	o.Confidence, o.NoPruning = m.pruning()
	res, err := vertex.MSMT(ctx, d.Dataset, o)
	if err != nil {
		return nil, err
	}
	return bestSubtree(ctx, d, s, "msmt", res.Tree, res.Stats.Grown, res.Stats.Stopped), nil
}
