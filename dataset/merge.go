package dataset

import (
	"math"
	"math/bits"
)

// Merge returns the dataset with rows of equal x and y, and of equal levels of all
// groups, made one row, whose weight and count are the sums, and the index (n) of each
// row of d in it. Rows are in the order of first appearance and keep the line of that
// row. +0 and -0 are equal. It takes time and memory in O(n p).
//
// Costs are added up, too. With costs, rows are merged only where the same class, the
// first of equal ones, is the cheapest of both: so the least costs of the rows add up to
// that of the merged row, and every tree is worth what it was.
func (d *Dataset) Merge() (*Dataset, []int) {
	group, first := d.groups(d.withGroups(d.labels()))
	m := d.Subset(first)
	clear(m.Weight)
	clear(m.Count)
	clear(m.Cost)
	m.Reward = nil // costs are all that is left of rewards
	index, k := make([]int, d.N()), d.K()
	for i, g := range group {
		for c, v := range d.CostsOf(i) {
			m.Cost[int(g)*k+c] += v
		}
		m.Weight[g] += d.Weight[i]
		m.Count[g] += d.Count[i]
		index[i] = int(g)
	}
	return m, index
}

// Points numbers the different x, whatever the classes, by first appearance: the number
// of each row's (n), and the first row of each. +0 and -0 are equal.
func (d *Dataset) Points() (index []int32, first []int) { return d.groups(nil) }

// UnavoidableErrors returns the least weight and the least count of rows that a
// function of the features must get wrong, because rows with equal features have
// different classes: the sums over distinct x of all but the largest class. The
// two are minimised each on its own. With costs the first is the least excess cost:
// see [Dataset.Excess].
func (d *Dataset) UnavoidableErrors() (weight, count float64) {
	group, first := d.Points()
	k := d.K()
	weights := make([]float64, len(first)*k)
	counts := make([]float64, len(first)*k)
	for i, g := range group {
		weights[int(g)*k+d.Y[i]] += d.Weight[i]
		counts[int(g)*k+d.Y[i]] += d.Count[i]
	}
	if d.Cost != nil {
		return d.unavoidableExcess(group, len(first)), allButLargest(counts, k)
	}
	return allButLargest(weights, k), allButLargest(counts, k)
}

// allButLargest returns the sum over consecutive groups of k values of all values
// but each group's largest.
func allButLargest(values []float64, k int) float64 {
	sum := 0.0
	for ; len(values) > 0; values = values[k:] {
		best := 0
		for c, v := range values[:k] {
			if v > values[best] {
				best = c
			}
		}
		for c, v := range values[:k] {
			if c != best { // subtracting from a total would leave rounding behind
				sum += v
			}
		}
	}
	return sum
}

// groups numbers the different x, or with labels (n) the different (x, label), by first
// appearance; it returns each row's number and each group's first row. A hash
// table with linear probing, at most half full, holds the groups.
func (d *Dataset) groups(labels []int) (group []int32, first []int) {
	n := d.N()
	group = make([]int32, n)
	slots := make([]int32, 1<<bits.Len(uint(2*n))) // group + 1; 0 is free
	mask := uint64(len(slots) - 1)
	for i := range n {
		h := d.hash(i, labels)
		for at := h & mask; ; at = (at + 1) & mask {
			g := slots[at] - 1
			if g < 0 {
				g = int32(len(first))
				first = append(first, i)
				slots[at] = g + 1
			} else if !d.sameRow(i, first[g], labels) {
				continue
			}
			group[i] = g
			break
		}
	}
	return group, first
}

func (d *Dataset) sameRow(i, j int, labels []int) bool {
	if labels != nil && labels[i] != labels[j] {
		return false
	}
	a, b := d.Row(i), d.Row(j)
	for f, v := range a {
		if v != b[f] { // +0 equals -0 here
			return false
		}
	}
	return true
}

// hash mixes the bits of the row's values by multiplying and folding the 128-bit
// product, as wyhash does. It decides speed only, never the result.
func (d *Dataset) hash(i int, labels []int) uint64 {
	const k0, k1 = 0xa0761d6478bd642f, 0xe7037ed1a0b428db
	h := uint64(k0)
	if labels != nil {
		h += uint64(labels[i])
	}
	for _, v := range d.Row(i) {
		hi, lo := bits.Mul64(h^math.Float64bits(v+0), k1) // -0 + 0 = +0
		h = hi ^ lo ^ k0
	}
	hi, lo := bits.Mul64(h, k1)
	return hi ^ lo
}
