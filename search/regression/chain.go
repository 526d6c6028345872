package regression

// chainBound returns the least loss of the rows of a in groups along the line of their numbers, with the penalty for each
// group but one: a lower bound on trees of any depth, whose leaves are groups. Optimal groups are intervals (Fisher 1958), so with
// SSE(i, j) that of the numbers from i to j in order
//
//	least(j) = min over i < j of least(i) + penalty + SSE(i, j)
//
// SSE is concave Monge (Wu 1991): a later start, once it is better, stays better, and all m values cost O(m log m).
func (s *solver) chainBound(a *set) float64 {
	c := &s.chain
	for _, r := range a.id {
		c.in[r] = true
	}
	c.sum, c.square = append(c.sum[:0], sums{}), append(c.square[:0], 0)
	for _, r := range s.byNumber {
		if !c.in[r] {
			continue
		}
		c.in[r] = false
		last := c.sum[len(c.sum)-1]
		x := s.of[r]
		c.sum = append(c.sum, sums{last.w + x.w, last.s + x.s})
		c.square = append(c.square, c.square[len(c.square)-1]+x.s*x.s/x.w)
	}
	m := a.m
	c.least = resized(c.least, m+1)
	c.least[0] = -s.penalty
	c.start = append(c.start[:0], chainStart{0, 1})
	head := 0
	cost := func(i, j int) float64 {
		d := c.sum[j].s - c.sum[i].s
		return c.least[i] + s.penalty + c.square[j] - c.square[i] - d*d/(c.sum[j].w-c.sum[i].w)
	}
	for j := 1; j <= m; j++ {
		for head+1 < len(c.start) && c.start[head+1].from <= j {
			head++
		}
		c.least[j] = cost(c.start[head].row, j)
		at := m + 1
		for len(c.start) > head {
			last := c.start[len(c.start)-1]
			low := max(last.from, j+1)
			if low <= m && cost(j, low) <= cost(last.row, low) {
				at = low
				c.start = c.start[:len(c.start)-1]
				continue
			}
			for at-low > 1 {
				if mid := (low + at) / 2; cost(j, mid) <= cost(last.row, mid) {
					at = mid
				} else {
					low = mid
				}
			}
			break
		}
		if at <= m {
			c.start = append(c.start, chainStart{j, at})
		}
	}
	return max(0, c.least[m]-s.tolerance)
}

// chain is what chainBound works with.
type chain struct {
	in     []bool
	sum    []sums
	square []float64
	least  []float64
	start  []chainStart
}

// chainStart is a first row of a group, and the first end for which it is the best.
type chainStart struct{ row, from int }
