package oct

import (
	"github.com/octgen/octgen/formulate"
)

// size is the closed form of the threshold encoding. With n merged rows, U
// routing units, K classes, T = 2^D leaves, M = T/2 last-level nodes, U_p = M - 1
// upper nodes, V the candidate cuts of the upper nodes and V' those kept at a
// last-level node, on p and p' features:
//
//	columns  U_p V + T - 1 (d)
//	         without pairs:  + M V' + T (K + n)   [+ T U + T with membership]
//	         with pairs:     + M (V' + K + n), V' over all (feature, k, l), and
//	                         their blocks
//	rows     U_p (1 + V - p + 2U) + T - 2 (parents) [+ 1 with max_splits]
//	         without pairs:  + M (1 + V' - p' + 2U) + T (1 + n) [+ M K siblings]
//	                         [+ U + T (1 + U + n) with membership]
//	         with pairs:     + M (2 + n) and their blocks or, with chains,
//	                         M (2 + V' - S + n), S the (feature, k, l) with cuts;
//	                         at D = 1 without the n columns and rows of e
func (e *threshold) size() formulate.Size {
	g := e.g
	var s formulate.Size
	upper := int64(e.last() - 1)
	last := int64(e.last())
	v, left := e.splitCounts(func(j int) int { return g.Cuts(j) }, func(j, rank int) bool { return rank < g.Cuts(j) })
	p := int64(len(g.Active))
	s.Add(formulate.Size{Cols: v, Binaries: v, Rows: 1 + v - p, Nonzeros: 1 + p + 2*(v-p)}.Times(int(upper)))
	s.Add(formulate.Size{Rows: 2 * int64(e.unit.Len()), Nonzeros: 2 * left}.Times(int(upper)))
	s.Cols += 2*last - 1 // d
	s.Rows += 2*last - 2
	s.Nonzeros += 2 * (2*last - 2)
	s.Nonzeros += e.binNonzeros()
	if e.pairs {
		s.Add(e.pairSize().Times(int(last)))
	} else {
		s.Add(e.lastSize().Times(int(last)))
	}
	if !e.free {
		s.Rows += int64(e.unit.Len()) // sum_t z_ut = 1
	}
	if e.o.MaxSplits > 0 {
		s.Rows++
		s.Nonzeros += 2*last - 1
	}
	return s
}

// splitCounts returns the cuts of a node over all features and the nonzeros of
// left_u over all units.
func (e *threshold) splitCounts(cuts func(j int) int, goes func(j, rank int) bool) (v, left int64) {
	for _, j := range e.g.Active {
		v += int64(cuts(j))
		for u := range e.unit.Len() {
			if goes(j, int(e.g.Ranks(e.unit.First(u))[j])) {
				left++
			}
		}
	}
	return v, left
}

// binNonzeros counts the nonzeros of e (or z) in the routing rows: each bin
// stands in one row of each of its ancestors that route.
func (e *threshold) binNonzeros() int64 {
	perBin := int64(e.unit.Len())
	if e.free {
		perBin = int64(e.g.N)
	}
	depth := int64(e.o.Depth)
	if e.pairs {
		depth--
	}
	return int64(e.bins()) * depth * perBin
}

// pairSize is a last-level node with pairs: its columns, stump and count rows.
func (e *threshold) pairSize() formulate.Size {
	n, k := int64(e.g.N), int64(e.g.K)
	counted, split := e.pairNonzeros()
	s := formulate.Size{
		Cols:     int64(e.pairColumnsPerNode()) + k + n,
		Rows:     1 + 1 + n,
		Nonzeros: 1 + split + 1 + k + 2*n + counted,
	}
	if e.direct {
		s.Cols -= n
		s.Rows -= n
		s.Nonzeros -= 2*n + counted
	}
	for _, p := range e.stumps {
		cuts, blocks := int64(len(p.cuts)), int64(p.blocks)
		if !e.continuousLast {
			s.Binaries += cuts
		}
		switch {
		case !e.blocks:
			s.Rows += cuts - 1
			s.Nonzeros += 2 * (cuts - 1)
		case blocks > 0:
			s.Rows += blocks
			s.Nonzeros += blocks + (blocks - 1) + cuts
		}
	}
	if !e.continuousLast {
		s.Binaries += k
	}
	return s
}

// lastSize is a last-level node without pairs, with its two leaves.
func (e *threshold) lastSize() formulate.Size {
	g := e.g
	n, k, u := int64(g.N), int64(g.K), int64(e.unit.Len())
	v, left := e.splitCounts(
		func(j int) int { return len(e.keep[j]) },
		func(j, rank int) bool { return firstAbove(e.keep[j], rank) < len(e.keep[j]) })
	p := int64(0)
	for _, j := range g.Active {
		if len(e.keep[j]) > 0 {
			p++
		}
	}
	s := formulate.Size{
		Cols:     v + 2*(k+n),
		Binaries: v + 2*k,
		Rows:     1 + v - p + 2*u + 2*(1+n),
		Nonzeros: 1 + p + 2*(v-p) + 2*left + 2*(k+2*n),
	}
	if e.continuousLast {
		s.Binaries -= v
	}
	if e.siblings {
		s.Rows += k
		s.Nonzeros += 2 * k
	}
	if !e.free {
		s.Cols += 2 * (u + 1)
		s.Rows += 2 * (1 + u + n)
		s.Nonzeros += 2 + 2*(1+u+2*u+2*n)
		// sum_t z_ut = 1, shared by all leaves
		s.Nonzeros += 2 * u
	}
	return s
}

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
