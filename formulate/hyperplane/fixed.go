package hyperplane

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/octgen/octgen/tree"
	"github.com/octgen/octgen/tree/constraint"
)

// layFixed lays the splits that stay over the full tree; nil for none. One that no
// hyperplane on its features with the margin can stand for is an error.
func (o Options) layFixed(ctx context.Context, d *Data, on *constraint.On) (*fixed, error) {
	if on.Fixed == nil {
		return nil, nil
	}
	t := on.Fixed.Collapse(d.g.DS)
	if t.Splits() == 0 {
		return nil, nil
	}
	x := &fixed{features: make([][]bool, 1<<o.Depth), levels: t.Depth(), at: make([]int, d.g.N)}
	if x.levels > o.Depth {
		return nil, fmt.Errorf("formulate: the splits that stay have %d levels, the trees %d", x.levels, o.Depth)
	}
	said := t.Conditions(tree.Format{})
	var place func(i, at int, rows []int) error
	place = func(i, at int, rows []int) error {
		n := &t.Nodes[i]
		if n.Leaf() {
			for _, row := range rows {
				x.at[row] = at
			}
			return nil
		}
		x.features[at] = make([]bool, d.p())
		for jx, j := range d.g.Active {
			x.features[at][jx] = slices.ContainsFunc(n.Split.Terms, func(t tree.Term) bool { return t.Feature == j })
		}
		left, right := d.divided(n.Split, rows)
		if err := o.keepsMargin(ctx, d, n.Split, said[i].Text, left, right); err != nil {
			return err
		}
		if err := place(n.Left, 2*at, left); err != nil {
			return err
		}
		return place(n.Right, 2*at+1, right)
	}
	all := make([]int, d.g.N)
	for i := range all {
		all[i] = i
	}
	return x, place(0, 1, all)
}

// keepsMargin refuses a split that stays where no hyperplane on its features has the margin
// between its rows. Without linear programs only splits of one feature are known.
func (o Options) keepsMargin(ctx context.Context, d *Data, s *tree.Split, said string, left, right []int) error {
	_, err := d.fitPlane(ctx, o.LP, s, left, right)
	switch {
	case err == nil || o.LP == nil && len(s.Terms) > 1:
		return nil
	case !errors.Is(err, errMargin):
		return err
	}
	most := ""
	if pl, ok := d.scaled(s); ok && len(s.Terms) == 1 {
		below, above := d.sides(pl.a, left, right)
		most = fmt.Sprintf("; it has %.3g: ask for no more (--mu)", above-below)
	}
	return fmt.Errorf("formulate: the split %s, which stays, does not part its rows with the margin %v on scaled features%s: %w", said, d.mu, most, err)
}
