package exact

import (
	"math"

	"github.com/octgen/octgen/tree"
)

const (
	// leastBinary is how many binary features beside others are treated on their own:
	// fewer are swept as cheaply as counted.
	leastBinary = 8
	// mostPairBytes is what the counts of their pairs may take, twice per worker: with
	// more binary features than that they are treated as all others are.
	mostPairBytes = 64 << 20
)

// chooseFeatures sets p.kept: the features with more than one value, but of those
// that divide the rows alike the first only; and binary ones first, where their pairs
// are counted.
func (p *problem) chooseFeatures(scalar bool) {
	p.kept = distinctFeatures(p.pre, p.n)
	p.p = len(p.kept)
	var binary, others []int
	for _, j := range p.kept {
		if len(p.pre.Values(j)) == 2 {
			binary = append(binary, j)
		} else {
			others = append(others, j)
		}
	}
	if scalar || p.leaf != nil || p.cost != nil && p.k > 2 || !p.integral || p.total > math.MaxInt32 || !worthCounting(len(binary), p.p, p.k) {
		return
	}
	p.kept, p.binary, p.pure = append(binary, others...), len(binary), len(others) == 0
	p.bits = newBitLayout(p)
}

func worthCounting(binary, features, classes int) bool {
	if binary == 0 || binary < features && binary < leastBinary {
		return false
	}
	groups := (binary + groupSize - 1) / groupSize
	return pairTiles(groups)*classes*tileSize*4 <= mostPairBytes
}

// distinctFeatures returns the features with more than one value whose order of the
// rows no feature before has, forwards or backwards: the cuts of such divide the rows
// in no other way.
func distinctFeatures(pre *tree.Presort, n int) []int {
	var kept []int
	alike := map[uint64][]int{}
	for j := range pre.P() {
		values := len(pre.Values(j))
		if values < 2 {
			continue
		}
		ranks := pre.Ranks(j)
		h := orderHash(ranks[:n], int32(values-1), backwards(ranks, int32(values-1)))
		known := false
		for _, i := range alike[h] {
			known = known || sameOrder(pre, i, j)
		}
		if !known {
			kept = append(kept, j)
			alike[h] = append(alike[h], j)
		}
	}
	return kept
}

// backwards says in which of its two directions an order is compared: so that the
// first row that is not in the middle comes before it.
func backwards(ranks []int32, last int32) bool {
	for _, r := range ranks {
		if 2*r != last {
			return 2*r > last
		}
	}
	return false
}

func orderHash(ranks []int32, last int32, backwards bool) uint64 {
	const prime = 0x9e3779b97f4a7c15
	h := uint64(last)
	for _, r := range ranks {
		if backwards {
			r = last - r
		}
		h = (h ^ uint64(r)) * prime
		h ^= h >> 29
	}
	return h
}

func sameOrder(pre *tree.Presort, i, j int) bool {
	a, b := pre.Ranks(i), pre.Ranks(j)
	last := int32(len(pre.Values(i)) - 1)
	if len(pre.Values(j)) != len(pre.Values(i)) {
		return false
	}
	turned := backwards(a, last) != backwards(b, last)
	for r, x := range a {
		y := b[r]
		if turned {
			y = last - y
		}
		if x != y {
			return false
		}
	}
	return true
}
