package localsearch

import (
	"cmp"
	"math"
	"slices"

	"github.com/octgen/octgen/tree"
)

// These methods make univariate the move set of univariate trees.

// begin takes the starts first, then random trees of one split, and now and then the
// best tree.
func (u *univariate) begin(starts, restart int) beginning[threshold] {
	random := restart - starts
	switch {
	case random < 0:
		return beginning[threshold]{from: fromStart, start: restart, patience: patience}
	case random%4 == 3:
		return beginning[threshold]{from: fromBest, patience: patience}
	}
	return beginning[threshold]{from: fromSplit, split: u.random(random - random/4), patience: patience}
}

func (u *univariate) adopt(split *tree.Split) (threshold, bool) {
	if !split.IsUnivariate() {
		return threshold{}, false
	}
	j := split.Terms[0].Feature
	rank, _ := slices.BinarySearch(u.pre.Values(j), split.Threshold)
	return threshold{int32(j), int32(rank)}, true
}

// random is the split of a random tree: at first on the features by the Gini impurity
// of their best split, and then anywhere.
func (u *univariate) random(which int) threshold {
	features := u.byGini()
	if which < len(features) {
		b := features[which]
		return u.after(&u.all, int32(b.Feature), b.Size-1)
	}
	return u.anywhere(&u.all, int32(features[u.rng.IntN(len(features))].Feature))
}

// byGini lists the best split of each feature that varies, the best first.
func (u *univariate) byGini() []tree.Best {
	if u.gini == nil {
		sweeper := tree.NewSweeper(u.pre, tree.Gini, 0)
		for _, j := range u.all.features {
			b, _ := sweeper.BestOn(u.pre.All(), int(j))
			u.gini = append(u.gini, b)
		}
		slices.SortStableFunc(u.gini, func(a, b tree.Best) int { return cmp.Compare(a.Loss, b.Loss) })
	}
	return u.gini
}

// anywhere is a random split of rows on feature j, one of rows.features.
func (u *univariate) anywhere(rows *rowSet, j int32) threshold {
	order := rows.order(j)
	for { // the entries before a threshold are odd, and there is one
		q := u.rng.IntN(len(order))
		if order[q]&1 == 1 {
			return u.after(rows, j, q)
		}
	}
}

// kinds: nodes alone, and nodes with their children.
func (u *univariate) kinds(depth int) uint8 {
	if depth+2 <= u.depth {
		return 2
	}
	return 1
}

func (u *univariate) move(kind uint8, at visit, rows []int32) (changed, better bool) {
	if kind == 0 {
		return u.nodeMove(at.node, at.depth, rows)
	}
	return u.pairMove(at.node, rows)
}

// kick makes no leaves that are too light.
func (u *univariate) kick(at visit, rows []int32) bool {
	sorted := u.sorted(rows)
	u.budget.spend(sorted.n)
	if len(sorted.features) == 0 {
		return false
	}
	u.swapped.copyFrom(&u.cur)
	j := sorted.features[u.rng.IntN(len(sorted.features))]
	u.cur.setSplit(at.node, u.anywhere(sorted, j))
	if _, _, least := u.tidy(&u.cur, 0, u.allRows()); u.minLeaf && least < u.floor {
		u.cur.copyFrom(&u.swapped)
		return false
	}
	u.cur.reopen(0)
	u.cur.nodes[at.node].stuck = allStuck // what is below it comes first
	return true
}

func (u *univariate) measure(errs float64, splits int) float64 {
	return errs + u.price*float64(splits)
}

// exact: a tree of two levels is re-optimised as a whole.
func (u *univariate) exact() bool { return u.depth <= 2 && !u.minLeaf && u.most == 0 }

func (u *univariate) emit(split *threshold, left, right []int32) (out *tree.Split, exchanged bool) {
	ranks, values := u.pre.Ranks(int(split.feature)), u.pre.Values(int(split.feature))
	below, above := int32(-1), int32(math.MaxInt32)
	for _, r := range left {
		below = max(below, ranks[r])
	}
	for _, r := range right {
		above = min(above, ranks[r])
	}
	return tree.Univariate(int(split.feature), tree.Midpoint(values[below], values[above])), false
}
