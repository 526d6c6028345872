package problem

import (
	"context"
	"math"
	"slices"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate/oct"
	"github.com/octgen/octgen/search/exact"
	"github.com/octgen/octgen/tree"
)

// boundsBelow searches the rows on both sides of every split of the root for trees of one level less than o has, with
// about so many work units in all, and returns what it proves of them. Each side has an equal share of the units that
// are left; where they end first, a side has the bound of the largest side proved within it. The result depends on
// the data and the units alone.
func boundsBelow(ctx context.Context, rows *dataset.Dataset, o oct.Options, units int64) (*oct.Below, error) {
	p := rows.P()
	values, sides := make([][]float64, p), int64(0)
	for j := range p {
		for i := range rows.N() {
			values[j] = append(values[j], rows.Row(i)[j])
		}
		slices.Sort(values[j])
		values[j] = slices.Compact(values[j])
		sides += 2 * int64(len(values[j])-1)
	}
	b := &oct.Below{Left: make([][]float64, p), Right: make([][]float64, p)}
	lhat := tree.ErrorScale(rows)
	bound := func(j, c int, left bool) (float64, error) {
		share := units / sides
		sides--
		if share <= 0 {
			return 0, nil
		}
		var part []int
		for i := range rows.N() {
			if (rows.Row(i)[j] < values[j][c]) == left {
				part = append(part, i)
			}
		}
		of := rows.Subset(part)
		r, err := exact.Solve(ctx, of, exact.Options{
			Depth: o.Depth - 1, Alpha: o.Alpha * lhat / tree.ErrorScale(of), MinLeaf: o.MinLeaf, WorkLimit: share, Workers: 1, NoAnneal: true,
		})
		if err != nil {
			return 0, err
		}
		units -= r.Stats.Work + int64(len(part)*p) // reading them is work as well
		return max(0, r.Bound*tree.ErrorScale(of)/lhat), ctx.Err()
	}
	for j := range p {
		last := len(values[j]) - 1
		b.Left[j], b.Right[j] = make([]float64, last+1), make([]float64, last+1)
		for c := 1; c <= last; c++ {
			for _, left := range []bool{true, false} {
				v, err := bound(j, c, left)
				if err != nil {
					return nil, err
				}
				if left {
					b.Left[j][c] = v
				} else {
					b.Right[j][c] = v
				}
			}
		}
		for c := 2; c <= last; c++ {
			b.Left[j][c] = math.Max(b.Left[j][c], b.Left[j][c-1])
		}
		for c := last - 1; c >= 1; c-- {
			b.Right[j][c] = math.Max(b.Right[j][c], b.Right[j][c+1])
		}
	}
	return b, nil
}
