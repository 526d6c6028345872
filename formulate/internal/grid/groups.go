package grid

import "slices"

// Groups divides rows into groups.
type Groups struct {
	Of          []int32 // (n) the group of each row
	start, rows []int32 // group g has the rows rows[start[g]:start[g+1]], ascending
}

// Singles are n rows, each a group of its own.
func Singles(n int) Groups {
	of := make([]int32, n)
	for i := range of {
		of[i] = int32(i)
	}
	return group(of, n)
}

func group(of []int32, groups int) Groups {
	start := make([]int32, groups+1)
	for _, g := range of {
		start[g+1]++
	}
	for g := range groups {
		start[g+1] += start[g]
	}
	next := slices.Clone(start[:groups])
	rows := make([]int32, len(of))
	for i, g := range of {
		rows[next[g]] = int32(i)
		next[g]++
	}
	return Groups{of, start, rows}
}

// Len is the number of groups.
func (g *Groups) Len() int { return len(g.start) - 1 }

// Rows are the rows of group u.
func (g *Groups) Rows(u int) []int32 { return g.rows[g.start[u]:g.start[u+1]] }

// First is the first row of group u.
func (g *Groups) First(u int) int { return int(g.rows[g.start[u]]) }
