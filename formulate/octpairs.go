package formulate

import "github.com/octgen/octgen/mio"

// Label pairs replace, at every last-level node m, the label variables, the
// thresholds w and the two routing rows per point by one choice among complete
// stumps. A stump splits on feature j at a cut and labels left k and right l,
// k != l, or is a leaf of class k:
//
//	u_m,jkl,v = 1 iff m splits on j at a cut of index >= v with labels k, l
//	u_m,jkl,v+1 <= u_m,jkl,v;   sum_jkl u_m,jkl,1 = d_m;   d_m + sum_k c_km = 1
//	e_im <= c_{y_i,m} + sum_j [ sum_{l != y_i} u_m,j y_i l,rho(i)
//	                          + sum_{k != y_i} (u_m,j k y_i,1 - u_m,j k y_i,rho(i)) ]
//
// e_im now says that row i reaches m and is counted correct there, and the
// upper routing rows sum it over the last-level nodes below.
//
// Exact with free leaves (N_min <= min omega_i), like the continuous last
// level: with the upper splits integral, the objective is linear in u and c
// over one simplex per node, coupled by max_splits only, so even the labels
// need no integrality and the upper w are the only binaries. It is tighter too:
// a mixture of stumps cannot take the threshold of one with the labels of
// another.
//
// Thinned, the pair (k, l) keeps the cuts whose last value below with a row of
// k or l has a row of k, and whose first value above has a row of l: from any
// other cut one may move left past values without k, or right past values
// without l, and lose nothing.

// pairCuts are the cuts of feature j that a stump with labels (k, l) may use.
type pairCuts struct {
	j    int
	k, l int32
	cuts []int32 // ascending, not empty
	at   int     // position of the first one among a node's columns u
}

// pairCuts lists the stumps with two labels: by feature, left label, right
// label. Those without a cut are left out.
func (g *grid) pairCuts(thin bool) []pairCuts {
	var all []pairCuts
	at := 0
	for _, j := range g.active {
		has := g.classesOfValues(j)
		for k := range g.k {
			for l := range g.k {
				if k == l {
					continue
				}
				var cuts []int32
				if thin {
					cuts = thinPair(has, g.k, k, l)
				} else {
					for c := 1; c <= g.cuts(j); c++ {
						cuts = append(cuts, int32(c))
					}
				}
				if len(cuts) > 0 {
					all = append(all, pairCuts{j, int32(k), int32(l), cuts, at})
					at += len(cuts)
				}
			}
		}
	}
	return all
}

// classesOfValues returns, for each distinct value v of feature j and class k,
// the number of merged rows: has[v*K+k].
func (g *grid) classesOfValues(j int) []int32 {
	has := make([]int32, len(g.vals[j])*g.k)
	for i, y := range g.y {
		has[int(g.rank[i*g.p+j])*g.k+int(y)]++
	}
	return has
}

// thinPair walks the values that have a row of k or l; a cut is kept directly
// above a value with k if the next such value has l.
func thinPair(has []int32, classes, k, l int) []int32 {
	var cuts []int32
	before := false // the last such value has a row of k
	for v := 0; v*classes < len(has); v++ {
		hk, hl := has[v*classes+k] > 0, has[v*classes+l] > 0
		if hl && before {
			cuts = append(cuts, int32(v))
		}
		if hk || hl {
			before = hk
		}
	}
	return cuts
}

// pairColumnsPerNode is the number of columns u of one last-level node.
func (e *octThreshold) pairColumnsPerNode() int {
	if len(e.stumps) == 0 {
		return 0
	}
	s := e.stumps[len(e.stumps)-1]
	return s.at + len(s.cuts)
}

func (e *octThreshold) pairColumns(b *mio.Builder) {
	e.pairW = make([]mio.Col, e.leaves())
	typ := mio.Binary
	if e.continuousLast {
		typ = mio.Continuous
	}
	for t := e.last(); t < e.leaves(); t++ {
		e.pairW[t] = mio.Col(b.NumCols())
		for _, s := range e.stumps {
			for _, c := range s.cuts {
				b.AddCol(0, 0, 1, typ, "u", t, s.j+1, int(s.k)+1, int(s.l)+1, int(c))
			}
		}
	}
}

func (e *octThreshold) pairRows(b *mio.Builder) {
	touching := make([][]*pairCuts, e.g.k) // stumps that label something k
	for i := range e.stumps {
		s := &e.stumps[i]
		touching[s.k] = append(touching[s.k], s)
		touching[s.l] = append(touching[s.l], s)
	}
	for t := e.last(); t < e.leaves(); t++ {
		e.stumpRows(b, t)
		e.countedRows(b, t, touching)
	}
}

// stumpRows: u_v+1 <= u_v;  sum u_1 = d_t;  d_t + sum_k c_kt = 1, at last-level
// node t.
func (e *octThreshold) stumpRows(b *mio.Builder, t int) {
	pick := b.AddRow(0, 0, "split", t)
	b.Add(pick, e.colD(t), -1)
	for _, s := range e.stumps {
		first := e.pairW[t] + mio.Col(s.at)
		b.Add(pick, first, 1)
		for q := 1; q < len(s.cuts); q++ {
			r := b.AddRow(-mio.Inf, 0, "chain", t, s.j+1, int(s.k)+1, int(s.l)+1, int(s.cuts[q]))
			b.Add(r, first+mio.Col(q), 1)
			b.Add(r, first+mio.Col(q-1), -1)
		}
	}
	one := b.AddRow(1, 1, "stump", t)
	b.Add(one, e.colD(t), 1)
	for k := range e.g.k {
		b.Add(one, e.colC(k, t), 1)
	}
}

// countedRows: e_it <= 1 where the stump of last-level node t is right about
// row i, else 0, all i.
func (e *octThreshold) countedRows(b *mio.Builder, t int, touching [][]*pairCuts) {
	for i, y := range e.g.y {
		r := b.AddRow(-mio.Inf, 0, "counted", i+1, t)
		b.Add(r, e.colE(i, t), 1)
		b.Add(r, e.colC(int(y), t), -1)
		ranks := e.g.ranks(i)
		for _, s := range touching[y] {
			first := e.pairW[t] + mio.Col(s.at)
			q := firstAbove(s.cuts, int(ranks[s.j]))
			left := q < len(s.cuts) // some cut sends row i left: from index q on
			switch {
			case s.k == y && left:
				b.Add(r, first+mio.Col(q), -1)
			case s.l == y && q > 0:
				b.Add(r, first, -1)
				if left {
					b.Add(r, first+mio.Col(q), 1)
				}
			}
		}
	}
}

// startPair sets u for the split of last-level node t of h, moved to a kept cut
// that is no worse.
func (e *octThreshold) startPair(v []float64, h *heapTree, t int) {
	for _, s := range e.stumps {
		if s.j != h.feature[t] || s.k != h.label[2*t] || s.l != h.label[2*t+1] {
			continue
		}
		q := e.keptPair(&s, h.cut[t])
		for i := 0; i <= q; i++ {
			v[int(e.pairW[t])+s.at+i] = 1
		}
		return
	}
	panic("formulate: a re-optimised split has no column")
}

// keptPair returns the index of the kept cut of s that is no worse than cut:
// the next one to the right if only values without l lie between, else the
// next one to the left.
func (e *octThreshold) keptPair(s *pairCuts, cut int) int {
	q := firstAbove(s.cuts, cut-1)
	if q == len(s.cuts) {
		return q - 1
	}
	if int(s.cuts[q]) == cut || q == 0 {
		return q
	}
	has := e.g.classesOfValues(s.j)
	for v := cut; v < int(s.cuts[q]); v++ {
		if has[v*e.g.k+int(s.l)] > 0 {
			return q - 1
		}
	}
	return q
}

// pairNonzeros counts the nonzeros of u in the countedRows of one node.
func (e *octThreshold) pairNonzeros() int64 {
	total := int64(0)
	var has []int32
	at := -1
	for _, s := range e.stumps {
		if s.j != at {
			has, at = e.g.classesOfValues(s.j), s.j
		}
		for v := range len(e.g.vals[s.j]) {
			q := firstAbove(s.cuts, v)
			if q < len(s.cuts) {
				total += int64(has[v*e.g.k+int(s.k)])
			}
			if q > 0 {
				total += int64(has[v*e.g.k+int(s.l)])
				if q < len(s.cuts) {
					total += int64(has[v*e.g.k+int(s.l)])
				}
			}
		}
	}
	return total
}
