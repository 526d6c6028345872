package oct

import (
	"cmp"
	"math/bits"
	"slices"
)

// candidate is a leaf or a stump for a node that some rows surely reach, and others
// perhaps.
type candidate struct {
	j, c  int      // feature and rank of the threshold; j is -1 for a leaf
	k, l  int32    // labels left and right; of a leaf l
	cost  float64  // weight of the errors on the sure rows, and the price of the split
	right []uint64 // by the number of the row that comes perhaps: it would be right about it
}

// about says whether the candidate is right about row q of those that come perhaps.
func (a *candidate) about(q int) bool { return a.right[q/64]>>(q%64)&1 != 0 }

// node lists the candidates for a node of the last level.
type node struct {
	d       *Division
	sure    []int32
	perhaps []int32
	total   float64 // weight of the sure rows
}

// candidates are those that some best tree has, whichever of the perhaps rows come: one
// is left out where another costs less by as much as the rows weigh that only the first is
// right about, since in any tree the other may take its place. Of equals the first stays.
func (n *node) candidates() []candidate {
	all := n.leaves()
	for _, j := range n.d.g.Active {
		all = append(all, n.stumps(j)...)
	}
	slices.SortStableFunc(all, func(a, b candidate) int { return cmp.Compare(a.cost, b.cost) })
	kept := all[:0]
	for i := range all {
		if !slices.ContainsFunc(kept, func(k candidate) bool { return n.replaces(&k, &all[i]) }) {
			kept = append(kept, all[i])
		}
	}
	return kept
}

// replaces says whether a may take the place of b.
func (n *node) replaces(a, b *candidate) bool {
	spare := b.cost - a.cost
	for w, right := range b.right {
		for only := right &^ a.right[w]; only != 0; only &= only - 1 {
			if spare -= n.d.g.W[n.perhaps[64*w+bits.TrailingZeros64(only)]]; spare < 0 {
				return false
			}
		}
	}
	return spare >= 0
}

// leaves are the leaves, one for each class.
func (n *node) leaves() []candidate {
	g := n.d.g
	all := make([]candidate, g.K)
	n.total = 0
	for _, i := range n.sure {
		n.total += g.W[i]
	}
	for k := range all {
		all[k] = candidate{j: -1, l: int32(k), cost: n.total, right: n.none()}
	}
	for _, i := range n.sure {
		all[g.Y[i]].cost -= g.W[i]
	}
	for q, i := range n.perhaps {
		all[g.Y[i]].right[q/64] |= 1 << (q % 64)
	}
	return all
}

// none is a set of the perhaps rows without a member.
func (n *node) none() []uint64 { return make([]uint64, (len(n.perhaps)+63)/64) }

// stumps are those on feature j: for each pair of labels the cheapest threshold of each
// way to be right about the perhaps rows.
func (n *node) stumps(j int) []candidate {
	g := n.d.g
	values := len(g.Vals[j])
	weight := make([]float64, values*g.K) // of the sure rows by value and class
	of := make([]float64, g.K)
	for _, i := range n.sure {
		weight[n.d.rank(i, j)*g.K+int(g.Y[i])] += g.W[i]
		of[g.Y[i]] += g.W[i]
	}
	order := make([]int32, len(n.perhaps)) // by value
	for q := range order {
		order[q] = int32(q)
	}
	slices.SortStableFunc(order, func(a, b int32) int { return n.d.rank(n.perhaps[a], j) - n.d.rank(n.perhaps[b], j) })
	var all []candidate
	for k := range int32(g.K) {
		for l := range int32(g.K) {
			if k != l {
				all = n.pair(all, j, k, l, weight, of[l], order)
			}
		}
	}
	return all
}

// pair appends the stumps on feature j with labels k and l. Going up, a threshold leaves
// the rows of one more value on its left: of these it is right about k, and no longer
// about l.
func (n *node) pair(all []candidate, j int, k, l int32, weight []float64, of float64, order []int32) []candidate {
	g := n.d.g
	right := n.none()
	for q, i := range n.perhaps {
		if g.Y[i] == l {
			right[q/64] |= 1 << (q % 64)
		}
	}
	cost, next := n.total-of+n.d.price, 0
	fresh := true // no threshold has this set yet
	for c := 1; c < len(g.Vals[j]); c++ {
		cost += weight[(c-1)*g.K+int(l)] - weight[(c-1)*g.K+int(k)]
		for ; next < len(order) && n.d.rank(n.perhaps[order[next]], j) < c; next++ {
			switch q := order[next]; g.Y[n.perhaps[q]] {
			case k, l:
				if !fresh {
					right, fresh = slices.Clone(right), true
				}
				right[q/64] ^= 1 << (q % 64)
			}
		}
		if last := len(all) - 1; fresh {
			all, fresh = append(all, candidate{j, c, k, l, cost, right}), false
		} else if cost < all[last].cost {
			all[last].c, all[last].cost = c, cost
		}
	}
	return all
}
