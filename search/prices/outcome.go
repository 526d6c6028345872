package prices

import "slices"

// mostActive is the maximum number of sums that a front distinguishes.
const mostActive = 7

// outcome is the cost and the sums of a tree on a part. They are whole multiples of a small unit
// (see grid), so that sums do not depend on their order.
type outcome struct {
	cost   int64
	g      [mostActive]int64
	priced float64

	feature, rank int32 // -1: a leaf
	label         int32
	left, right   *outcome
}

// front is a set of outcomes in which none dominates another in cost and the first active sums, by
// increasing cost.
type front struct {
	active int
	list   []*outcome
}

// dominated reports whether an outcome in f is at least as good.
func (f *front) dominated(o *outcome) bool {
	if f.active <= 1 {
		at := f.after(o.cost)
		return at > 0 && (f.active == 0 || f.list[at-1].g[0] <= o.g[0])
	}
	for _, b := range f.list {
		if b.cost > o.cost {
			return false
		}
		if f.noWorse(b, o) {
			return true
		}
	}
	return false
}

// after returns the index of the first outcome that costs more.
func (f *front) after(cost int64) int {
	at, _ := slices.BinarySearchFunc(f.list, cost, func(b *outcome, cost int64) int {
		if b.cost <= cost {
			return -1
		}
		return 1
	})
	return at
}

func (f *front) noWorse(a, b *outcome) bool {
	for i := range f.active {
		if a.g[i] > b.g[i] {
			return false
		}
	}
	return true
}

// add adds an outcome that is not dominated and removes those that it dominates.
func (f *front) add(o *outcome) {
	first := f.after(o.cost) // outcomes of equal cost come before
	for first > 0 && f.list[first-1].cost == o.cost {
		first--
	}
	kept := f.list[:first]
	rest := slices.Clone(f.list[first:])
	kept = append(kept, o)
	for _, b := range rest {
		if !f.noWorse(o, b) {
			kept = append(kept, b)
		}
	}
	clear(f.list[min(len(kept), len(f.list)):])
	f.list = kept
}

// byPrice returns the outcomes by increasing priced cost.
func (f *front) byPrice() []*outcome {
	list := slices.Clone(f.list)
	slices.SortStableFunc(list, func(a, b *outcome) int {
		switch {
		case a.priced < b.priced:
			return -1
		case a.priced > b.priced:
			return 1
		}
		return 0
	})
	return list
}
