package exact

// compare bounds the parts of the open cuts of a node by those of at, a cut of another
// feature that was evaluated; see "Alike" in the package comment. Where all features are
// binary only: each has one cut there, and pairs are counted for how much of one part is
// in another.
func (w *worker) compare(fr *frontier, at *cut) {
	rules := &w.p.rules
	if !w.p.pure || rules.NoSimilar || rules.NoMonotone || max(at.left.lb, at.right.lb) <= 0 {
		return
	}
	counts := w.counter.loadWhole(fr.nd)
	for i := range fr.open {
		sp := &fr.open[i]
		way := fr.ways[sp.arm]
		both := w.counter.quarters(counts, fr.nd, int(at.span.feature), int(sp.feature))
		if way.left <= at.way.left { // what the left part of at has more is right of the open cut
			sp.a.l = max(sp.a.l, at.left.lb-both[0][1])
		}
		if way.left <= at.way.right {
			sp.a.l = max(sp.a.l, at.right.lb-both[1][1])
		}
		if way.right <= at.way.left {
			sp.b.r = max(sp.b.r, at.left.lb-both[0][0])
		}
		if way.right <= at.way.right {
			sp.b.r = max(sp.b.r, at.right.lb-both[1][0])
		}
		left, right := fr.t.sides(sp)
		sp.bound = max(sp.bound, w.p.lambda+left+right)
	}
}

// quarters returns the weight of the rows of nd by the values of features f and g.
func (c *counter) quarters(n *pairCounts, nd *node, f, g int) (w [2][2]float64) {
	var one, other, both int32
	for class := range c.p.k {
		ones := nd.bits.ones[class*c.p.bits.features():]
		one += ones[f]
		other += ones[g]
		both += c.pair(n, class, f, g)
	}
	w[1][1], w[1][0], w[0][1] = float64(both), float64(one-both), float64(other-both)
	w[0][0] = nd.weight - w[1][1] - w[1][0] - w[0][1]
	return w
}
