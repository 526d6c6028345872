package problem

import (
	"cmp"
	"context"
	"slices"

	"github.com/octgen/octgen/heuristics/vertex"
)

// MSMT is a tree of robust linear programs, pruned pessimistically (Bennett 1992).
type MSMT struct {
	Shape
	Pessimism
	TreePruning
}

var _ Algorithm = (*MSMT)(nil)

func init() { register(func() Method { return new(MSMT) }) }

// TreePruning is the option of how trees of linear splits are pruned.
type TreePruning struct {
	Pruning string `placeholder:"NAME" group:"Native" help:"msmt, fm-tree: pessimistic (default, Quinlan 1987), error-based (that of C4.5), charged (error-based, with half an error for each weight of a split) or none."`
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
func (*MSMT) Info() Info {
	return Info{Name: "msmt", Doc: "a tree of robust linear programs, pruned pessimistically (Bennett 1992)"}
}

// Validate refuses what no data make right.
func (m *MSMT) Validate() error {
	_, _, err := m.TreePruning.resolve(m.Pessimism)
	return err
}

// Grow grows and prunes a tree.
func (m *MSMT) Grow(ctx context.Context, d *Data, t Task) (*Grown, error) {
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
