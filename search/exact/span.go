package exact

// point is a cut of one feature that was looked at: the rows and the weight
// before it, and proven bounds on f0 of its left and right part.
type point struct {
	pos  int32
	w    float64
	l, r float64
}

// span is what is left of a feature between two points.
type span struct {
	feature int32
	arm     int8 // index into the ways of sharing the budget of splits
	a, b    point
	lo, hi  int32   // cuts not yet excluded: those in [lo, hi]
	bound   float64 // on f0 of trees with such a cut at the root
}

// interval is trim's view of the rules and the node.
type interval struct {
	p        *problem
	nd       ordered
	stats    *Stats
	blur     float64 // by how much weights up to points may be too small
	excluded float64 // bound on the cuts that trim took off spans which it left open
}

// trim excludes cuts of sp that cannot have a value below thr and returns
// whether any is left; sp.bound becomes a bound for those that are, t.excluded one for
// those that are not. For a cut i
// between the points a and b, with weight w(i) before it,
//
//	L(i) >= L(a)                      (monotone: the left part of a is within that of i)
//	L(i) >= L(b) - (w(b) - w(i))      (similar: it lacks that much weight of that of b)
//	R(i) >= R(b),   R(i) >= R(a) - (w(i) - w(a))
//
// and its value is lambda + L(i) + R(i) at least.
func (t *interval) trim(sp *span, thr float64) bool {
	if t.p.pure {
		return t.trimCut(sp, thr)
	}
	rules := &t.p.rules
	al, ar, bl, br := sp.a.l, sp.a.r, sp.b.l, sp.b.r
	if rules.NoMonotone {
		al, br = 0, 0
	}
	lambda, width := t.p.lambda, sp.b.w-sp.a.w+t.blur
	bound := lambda + al + br
	if !rules.NoSimilar {
		bound = max(bound, lambda+bl+ar-width)
	}
	sp.bound = max(sp.bound, bound)
	if sp.bound >= thr {
		t.stats.Spans++
		return false
	}
	lo, hi := sp.lo, sp.hi
	if !rules.NoSimilar {
		// near a: al + ar - (w(i) - w(a)); near b likewise
		if gain := lambda + al + sp.a.r - thr; gain >= 0 {
			sp.lo = max(sp.lo, t.beyond(sp, gain))
		}
		if gain := lambda + sp.b.l + br - thr; gain >= 0 {
			sp.hi = min(sp.hi, t.before(sp, gain))
		}
	}
	if sp.lo > lo || sp.hi < hi {
		t.stats.Shortened++
		t.excluded = min(t.excluded, thr)
	}
	if sp.lo > sp.hi {
		return false
	}
	sp.lo = t.nd.nextCut(int(sp.feature), sp.lo)
	if sp.lo > sp.hi {
		return false
	}
	sp.hi = t.nd.previousCut(int(sp.feature), sp.hi)
	return sp.lo <= sp.hi
}

// trimCut is trim for a binary feature, whose span has one cut.
func (t *interval) trimCut(sp *span, thr float64) bool {
	left, right := t.sides(sp)
	sp.bound = max(sp.bound, t.p.lambda+left+right)
	if sp.bound >= thr {
		t.stats.Spans++
		return false
	}
	return true
}

// sides bounds both parts of the one cut of a span.
func (t *interval) sides(sp *span) (left, right float64) {
	w := t.nd.zerosOf(int(sp.feature))
	if !t.p.rules.NoMonotone {
		left, right = sp.a.l, sp.b.r
	}
	if !t.p.rules.NoSimilar {
		left, right = max(left, sp.b.l-(sp.b.w-w)), max(right, sp.a.r-(w-sp.a.w))
	}
	return left, right
}

// beyond returns the first position with more than gain of weight between a
// and it.
func (t *interval) beyond(sp *span, gain float64) int32 {
	pos, w := sp.a.pos, 0.0
	count, mode := t.nd.places(int(sp.feature))
	if t.p.unit && (mode < pos || pos+int32(min(gain, float64(count))) < mode) {
		return pos + int32(min(gain, float64(count))) + 1
	}
	for ; pos <= sp.hi && w <= gain; pos++ {
		w += t.weight(int(sp.feature), pos, mode, count)
	}
	if w <= gain {
		return sp.hi + 1
	}
	return pos
}

// before returns the last position with more than gain of weight between it
// and b.
func (t *interval) before(sp *span, gain float64) int32 {
	pos, w := sp.b.pos, 0.0
	count, mode := t.nd.places(int(sp.feature))
	if t.p.unit && (mode >= pos || pos-1-int32(min(gain, float64(count))) > mode) {
		return pos - int32(min(gain, float64(count))) - 1
	}
	for pos >= sp.lo && pos > 0 && w <= gain {
		pos--
		w += t.weight(int(sp.feature), pos, mode, count)
	}
	if w <= gain {
		return sp.lo - 1
	}
	return pos
}

// weight returns that of the rows at a place.
func (t *interval) weight(f int, pos, mode, count int32) float64 {
	if pos != mode {
		return t.p.weight[t.nd.row(f, pos)]
	}
	if t.p.unit {
		return float64(t.nd.head().n) - float64(count-1)
	}
	rest := t.nd.head().weight
	for i := range count {
		if i != mode {
			rest -= t.p.weight[t.nd.row(f, i)]
		}
	}
	return rest
}

// leafWeight is weight as leaves count it.
func (t *interval) leafWeight(f int, pos, mode, count int32) float64 {
	switch {
	case t.p.leaf == nil:
		return t.weight(f, pos, mode, count)
	case pos != mode:
		return t.p.leaf[t.nd.row(f, pos)]
	}
	rest := t.nd.head().leafWeight
	for i := range count {
		if i != mode {
			rest -= t.p.leaf[t.nd.row(f, i)]
		}
	}
	return rest
}

// limit keeps only cuts of sp, all of a feature, with the least leaf on both
// sides.
func (t *interval) limit(sp *span) {
	if t.p.minLeaf <= 0 {
		return
	}
	f := int(sp.feature)
	count, mode := t.nd.places(f)
	if t.p.pure {
		if zeros := t.nd.zerosOf(f); min(zeros, t.nd.head().weight-zeros) < t.p.minLeaf {
			sp.hi = 0
		}
		return
	}
	sp.lo, sp.hi = 0, count
	for w := 0.0; sp.lo < count && w < t.p.minLeaf; sp.lo++ {
		w += t.leafWeight(f, sp.lo, mode, count)
	}
	for w := 0.0; sp.hi > 0 && w < t.p.minLeaf; {
		sp.hi--
		w += t.leafWeight(f, sp.hi, mode, count)
	}
}
