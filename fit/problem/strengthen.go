package problem

import (
	"context"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate/oct"
	"github.com/octgen/octgen/search/exact"
	"github.com/octgen/octgen/tree"
)

// boundsBelow searches the rows on both sides of every split of the root for trees of one level less than o has, with
// about so many work units in all, and returns what it proves of them. Each side has an equal share of the units that
// are left; where they end first, a side has the bound of the largest side proved within it. The result depends on
// the data and the units alone.
func boundsBelow(ctx context.Context, rows *dataset.Dataset, pre *tree.Presort, o oct.Options, units int64) (*oct.Below, error) {
	p, sides := rows.P(), int64(0)
	for j := range p {
		sides += 2 * int64(len(pre.Values(j))-1)
	}
	lhat := tree.ErrorScale(rows)
	bound := func(j, c int, left bool) (float64, error) {
		share := units / sides
		sides--
		if share <= 0 {
			return 0, nil
		}
		var part []int
		for i, rank := range pre.Ranks(j) {
			if (int(rank) < c) == left {
				part = append(part, i)
			}
		}
		of := rows.Subset(part)
		scale := tree.ErrorScale(of)
		r, err := exact.Solve(ctx, of, exact.Options{
			Depth: o.Depth - 1, Alpha: o.Alpha * lhat / scale, MinLeaf: o.MinLeaf, WorkLimit: share, Workers: 1, NoAnneal: true,
		})
		if err != nil {
			return 0, err
		}
		units -= r.Stats.Work + int64(len(part)*p) // reading them is work as well
		return max(0, r.Bound*scale/lhat), ctx.Err()
	}
	b := &oct.Below{Left: make([][]float64, p), Right: make([][]float64, p)}
	for j := range p {
		n := len(pre.Values(j))
		l, r := make([]float64, n), make([]float64, n)
		b.Left[j], b.Right[j] = l, r
		var err error
		for c := 1; c < n; c++ {
			if l[c], err = bound(j, c, true); err != nil {
				return nil, err
			}
			if r[c], err = bound(j, c, false); err != nil {
				return nil, err
			}
			l[c] = max(l[c], l[c-1])
		}
		for c := n - 2; c >= 1; c-- {
			r[c] = max(r[c], r[c+1])
		}
	}
	return b, nil
}
