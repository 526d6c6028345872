//go:build cgo && !nohighs

package study

import "slices"

// shrink drops rows, constraints and numbers of a case while its verdict stays the same
// kind.
func (c *wide) shrink(kind string) *wide {
	best := c
	for again := true; again; {
		again = false
		for _, smaller := range best.smaller() {
			if smaller.complete() && smaller.judge().kind == kind {
				best, again = smaller, true
				break
			}
		}
	}
	return best
}

// smaller are the cases with one thing less.
func (c *wide) smaller() []*wide {
	var all []*wide
	change := func(does bool, how func(s *wide)) {
		if does {
			s := *c
			how(&s)
			all = append(all, &s)
		}
	}
	for i := range c.y {
		change(c.n() > 1, func(s *wide) { s.dropRow(i) })
	}
	for j := range c.features() {
		change(c.features() > 1, func(s *wide) { s.dropFeature(j) })
	}
	for i := range c.rates {
		change(true, func(s *wide) { s.rates = slices.Delete(slices.Clone(c.rates), i, i+1) })
	}
	change(c.group != nil && c.positive() == "", func(s *wide) { s.group = nil })
	change(c.purity != "", func(s *wide) { s.purity = "" })
	change(c.maxFeatures > 0, func(s *wide) { s.maxFeatures = 0 })
	change(c.price != nil, func(s *wide) { s.price = nil })
	change(c.monotone != nil, func(s *wide) { s.monotone, s.order = nil, nil })
	change(c.matrix != nil, func(s *wide) { s.matrix = nil })
	change(c.costs != nil, func(s *wide) { s.costs = nil })
	change(c.depth > 1, func(s *wide) { s.depth-- })
	change(c.maxSplits > 0, func(s *wide) { s.maxSplits = 0 })
	change(c.alpha > 0, func(s *wide) { s.alpha = 0 })
	change(c.minLeaf > 0, func(s *wide) { s.minLeaf = 0 })
	for i, w := range c.w {
		change(w != 1, func(s *wide) { s.w = slices.Clone(c.w); s.w[i] = 1 })
	}
	for y, row := range c.matrix {
		for k, v := range row {
			change(v != 0, func(s *wide) { s.matrix = slices.Clone(c.matrix); s.matrix[y] = slices.Clone(row); s.matrix[y][k] = 0 })
		}
	}
	for i, row := range c.costs {
		for k, v := range row {
			change(v != 0, func(s *wide) { s.costs = slices.Clone(c.costs); s.costs[i] = slices.Clone(row); s.costs[i][k] = 0 })
		}
	}
	return all
}

func without[T any](all []T, i int) []T {
	if all == nil {
		return nil
	}
	return slices.Delete(slices.Clone(all), i, i+1)
}

func (c *wide) dropRow(i int) {
	c.x, c.y, c.w, c.group, c.costs = without(c.x, i), without(c.y, i), without(c.w, i), without(c.group, i), without(c.costs, i)
}

func (c *wide) dropFeature(j int) {
	x := make([][]float64, c.n())
	for i, row := range c.x {
		x[i] = without(row, j)
	}
	c.x, c.price, c.monotone = x, without(c.price, j), without(c.monotone, j)
	if c.monotone != nil && !slices.ContainsFunc(c.monotone, func(s int) bool { return s != 0 }) {
		c.monotone, c.order = nil, nil
	}
}

// complete reports whether every class has a row.
func (c *wide) complete() bool {
	for k := range c.k {
		if !slices.Contains(c.y, k) {
			return false
		}
	}
	return true
}
