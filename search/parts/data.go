package parts

import (
	"context"
	"slices"

	"github.com/octgen/octgen/internal/pulse"
	"github.com/octgen/octgen/mio/verify"
)

// closer is the fraction of mu below which a distance, or the margin that a certificate allows,
// counts as less than mu. Solvers may let a row miss its margin by 1e-6, less than (1 - closer) of
// the default mu, and no tree they find may refute a bound.
const closer = 1 - 1e-3

// dataBound proves the bound that the data alone force on every tree.
func (s *search) dataBound(ctx context.Context) {
	s.proveErrors(verify.ByData, max(s.unavoidable(ctx, s.all()), s.lightClasses()))
}

// lightClasses returns the weight of all but the heaviest classes, as many as a tree has leaves:
// the tree misclassifies all rows of classes that it never predicts.
func (s *search) lightClasses() float64 {
	weights := s.ds.ClassWeights()
	slices.Sort(weights)
	sum := 0.0
	for _, w := range weights[:max(0, len(weights)-1<<min(s.depth, 20))] {
		sum += w
	}
	return sum
}

// all returns all rows.
func (s *search) all() []int32 {
	all := make([]int32, s.n())
	for i := range all {
		all[i] = int32(i)
	}
	return all
}

// unavoidable returns a lower bound, in units, on the errors of every tree on these rows. Rows of
// one point share a leaf, and of two rows of different classes closer than mu, at least one is
// misclassified or violates its margin. The bound is a packing: pairs of rows of different classes,
// each with a weight, so that the pairs of a row weigh at most as much as the row; each pair costs
// its weight. If the context ends, the bound is smaller.
func (s *search) unavoidable(ctx context.Context, rows []int32) float64 {
	left := make([]float64, s.n()) // weight not yet in a pair
	points, _ := s.ds.Points()
	at := map[int32][]int32{}
	var order []int32
	for _, i := range rows {
		left[i] = s.weight(int(i))
		if at[points[i]] == nil {
			order = append(order, points[i])
		}
		at[points[i]] = append(at[points[i]], i)
	}
	sum := 0.0
	for _, u := range order {
		sum += pointErrors(at[u], left)
	}
	return sum + s.closePairs(ctx, rows, left)
}

// pointErrors returns the cost of rows of one point and different classes: all but the heaviest
// class. It leaves each row the weight that no pair with the heaviest class uses.
func pointErrors(rows []int32, left []float64) float64 {
	if len(rows) == 1 {
		return 0
	}
	heaviest, all := rows[0], 0.0
	for _, i := range rows {
		all += left[i]
		if left[i] > left[heaviest] {
			heaviest = i
		}
	}
	most := left[heaviest]
	for _, i := range rows {
		left[i] = 0
	}
	left[heaviest] = max(0, 2*most-all)
	return all - most
}

// closePairs packs pairs of different classes closer than mu, rows with the fewest partners first.
func (s *search) closePairs(ctx context.Context, rows []int32, left []float64) float64 {
	if s.p() == 0 {
		return 0
	}
	near := s.neighbours(ctx, rows)
	fewest := func(a, b int32) int { return len(near[a]) - len(near[b]) }
	order := slices.Clone(rows)
	slices.SortStableFunc(order, fewest)
	sum := 0.0
	for _, i := range order {
		partners := near[i]
		slices.SortStableFunc(partners, fewest)
		for _, k := range partners {
			w := min(left[i], left[k])
			left[i], left[k], sum = left[i]-w, left[k]-w, sum+w
		}
	}
	return sum
}

// neighbours lists for each row the rows of other classes that are closer than mu.
func (s *search) neighbours(ctx context.Context, rows []int32) map[int32][]int32 {
	near := map[int32][]int32{}
	order := slices.Clone(rows)
	first := func(i int32) float64 { return s.row(int(i))[0] }
	slices.SortStableFunc(order, func(a, b int32) int {
		switch x, y := first(a), first(b); {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	})
	beat, far := pulse.New(ctx), s.mu*closer
	for q, i := range order {
		for _, k := range order[q+1:] {
			if beat.Spend(s.p()) || first(k)-first(i) > far {
				break
			}
			if s.class(int(i)) != s.class(int(k)) && s.distance(int(i), int(k), far) <= far {
				near[i], near[k] = append(near[i], k), append(near[k], i)
			}
		}
		if beat.Ended() {
			break
		}
	}
	return near
}
