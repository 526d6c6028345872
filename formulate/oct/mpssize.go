package oct

import "strconv"

// mpsSize adds up the expected size of a model's MPS file in free format from
// groups of rows, entries and columns with names of like length: the format
// writes " L row", " RHS row value", " column row value row value" (two entries
// to a line), " BV BND column" or " LO BND column 0" and " UP BND column 1".
// Lengths are averages.
type mpsSize float64

const shortValue = 1.5 // length of "1" or "-1"

// rows adds rows and the entries in them.
func (s *mpsSize) rows(rows, entries int64, name, value float64) {
	*s += mpsSize(float64(rows)*(4+name) + float64(entries)*(2+name+value))
}

// rhs adds right-hand sides other than 0.
func (s *mpsSize) rhs(rows int64, name, value float64) {
	*s += mpsSize(float64(rows) * (7 + name + value))
}

// cols adds columns with all their entries, whose rows are added elsewhere.
func (s *mpsSize) cols(cols, entries int64, name float64, binary bool) {
	bounds := 2 * (11 + name)
	if binary {
		bounds = 9 + name
	}
	lines := float64(entries)/2 + float64(cols)/4 // half of the columns end with half a line
	*s += mpsSize(lines*(2+name) + float64(cols)*bounds)
}

// costs adds entries in the objective.
func (s *mpsSize) costs(cols int64, value float64) { s.rows(0, cols, 3, value) }

// digits returns the average number of decimal digits of 1..n.
func digits(n int) float64 {
	if n < 1 {
		return 1
	}
	sum := 0
	for low, d := 1, 1; low <= n; low, d = 10*low, d+1 {
		sum += d * (min(n, 10*low-1) - low + 1)
	}
	return float64(sum) / float64(n)
}

func valueLen(v float64) float64 { return float64(len(strconv.FormatFloat(v, 'g', -1, 64))) }

// mpsBytes estimates the MPS file of the threshold encoding.
func (e *threshold) mpsBytes() int64 {
	g, size := e.g, e.size()
	n, units, leaves := int64(g.N), int64(e.unit.Len()), int64(e.leaves())
	row, feature, leaf, node := digits(g.N), digits(g.P), digits(2*e.leaves()), digits(e.leaves())
	cut := 0.0
	for _, j := range g.Active {
		cut = max(cut, digits(g.Cuts(j)))
	}
	bins := int64(e.bins())
	perE := int64(e.o.Depth) + 1 // entries of a column e: routing rows and one label or count row
	if e.pairs {
		perE--
	}
	var s mpsSize
	left := size // what is not counted below: splits, chains and routing
	take := func(rows, entries int64, name float64) {
		s.rows(rows, entries, name, shortValue)
		left.Rows -= rows
		left.Nonzeros -= entries
	}
	cost := valueLen(-g.W[0] / g.Lhat)
	choice := left.Cols - n*bins // columns w and u
	entries := left.Nonzeros
	if e.direct {
		choice = left.Cols
		entries += choice
		s.costs(choice, cost)
	} else {
		s.costs(n*bins, cost)
	}
	switch {
	case e.direct:
	case e.pairs:
		s.cols(n*bins, n*bins*(perE+1), 3+row+node, false)
		counted, _ := e.pairNonzeros()
		take(n*bins, counted*bins+n*bins, 9+row+node)
		entries -= n * bins * perE
	case e.free:
		s.cols(n*leaves, n*leaves*(perE+1), 3+row+leaf, false)
		take(n*leaves, 2*n*leaves, 13+row+leaf)
		entries -= n * leaves * perE
	default:
		s.cols(n*leaves, 3*n*leaves, 3+row+leaf, false) // cost, label, member
		s.cols(units*leaves, units*leaves*int64(e.o.Depth+3)+n*leaves, 3+row+leaf, false)
		take(n*leaves, 2*n*leaves, 13+row+leaf)        // right_label
		take(n*leaves, 2*n*leaves, 9+row+leaf)         // counted
		take(units*leaves, 2*units*leaves, 6+row+leaf) // used
		take(leaves, units*leaves, 6+leaf)             // least
		take(units, units*leaves, 7+row)               // member
		choice -= units * leaves
		entries -= n*leaves*3 + units*leaves*int64(e.o.Depth+3)
	}
	name := 4 + node + feature + cut // w
	if e.pairs {
		name += 4
	}
	s.cols(choice, entries, name, false)
	s -= mpsSize(float64(size.Binaries) * (13 + name)) // BV instead of LO and UP
	routing := 6.5 + row + node
	s.rows(left.Rows, left.Nonzeros, routing, shortValue)
	s.rhs(left.Rows/2, routing, 1)
	return int64(s)
}

// mpsBytes estimates the MPS file of the big-M encodings.
func (e *bigM) mpsBytes() int64 {
	g, size := e.g, e.size()
	n, leaves, depth := int64(g.N), int64(e.leaf.Leaves()), int64(e.o.Depth)
	row, leaf, node := digits(g.N), digits(2*e.leaf.Leaves()), digits(e.leaf.Leaves())
	var s mpsSize
	left := size.Nonzeros
	take := func(rows, entries int64, name, value float64) {
		s.rows(rows, entries, name, value)
		left -= entries
	}
	weight := valueLen(g.W[0])
	take(n, n*leaves, 7+row, 1)                 // member
	take(n*leaves, 2*n*leaves, 6+row+leaf, 1.5) // used
	take(leaves*int64(g.K), n*leaves, 8+leaf, weight)
	take(leaves, n*leaves, 7+leaf, weight)
	take(leaves, n*leaves, 6+leaf, weight) // least
	path := n * leaves * depth             // rows of the splits
	split := 7.5 + row + leaf + node
	bigM := valueLen(1 + e.epsMax)
	shift := e.epsMin
	if e.published {
		shift = 0
	}
	take(path, path, split, shortValue)              // with b
	take(0, path, split, (2+bigM)/2)                 // with z
	s.rhs(path/2, split, 2)                          // right
	s.rhs(path/2, split, valueLen(1+e.epsMax-shift)) // left
	s.rows(0, left, split, e.meanValueLen(shift))
	s.cols(n*leaves, n*leaves*(6+depth), 3+row+leaf, true)
	s.cols(size.Cols-n*leaves, left+path, 3+node+digits(g.P), true)
	return int64(s)
}

// meanValueLen is the average length of the coefficients of a in rows of the
// splits, over at most about 1000 of the points.
func (e *bigM) meanValueLen(shift float64) float64 {
	g := e.g
	sum, values := 0.0, 0.0
	for i := 0; i < g.N; i += 1 + g.N/1000 {
		for _, j := range g.Active {
			x := e.x[i*g.P+j]
			for _, v := range [...]float64{x, x + e.eps[j] - shift} {
				if v != 0 {
					sum += valueLen(v)
					values++
				}
			}
		}
	}
	return sum / max(values, 1)
}
