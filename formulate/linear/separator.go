package linear

import (
	"math"
	"slices"

	"github.com/octgen/octgen/formulate/internal/point"
	"github.com/octgen/octgen/tree"
)

// separator is the plane x.w = gamma in standardised features: A should satisfy x.w >= gamma + 1, B
// x.w <= gamma - 1. If all weights are 0 it represents a single leaf: of A's class if gamma <= 0,
// else of the rest.
type separator struct {
	w     []float64 // (p)
	gamma float64
}

func (pl separator) times(s float64) separator {
	w := make([]float64, len(pl.w))
	for j, v := range pl.w {
		w[j] = s * v
	}
	return separator{w, s * pl.gamma}
}

func (pl separator) norm1() float64 {
	s := 0.0
	for _, v := range pl.w {
		s += math.Abs(v)
	}
	return s
}

// features returns the number of nonzero weights.
func (pl separator) features() int {
	n := 0
	for _, v := range pl.w {
		if v != 0 {
			n++
		}
	}
	return n
}

// beyond returns the sum of all |w_j| except the nu largest.
func (pl separator) beyond(nu int) float64 {
	rest := 0.0
	for jx, keep := range pl.largest(nu) {
		if !keep {
			rest += math.Abs(pl.w[jx])
		}
	}
	return rest
}

// largest marks the nu weights with the largest absolute values, of equal ones the first.
func (pl separator) largest(nu int) []bool {
	order := make([]int, len(pl.w))
	for j := range order {
		order[j] = j
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch x, y := math.Abs(pl.w[a]), math.Abs(pl.w[b]); {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return 0
	})
	mark := make([]bool, len(pl.w))
	for _, j := range order[:min(nu, len(order))] {
		mark[j] = true
	}
	return mark
}

// only returns the plane with all unmarked weights set to 0.
func (pl separator) only(mark []bool) separator {
	w := make([]float64, len(pl.w))
	for j, keep := range mark {
		if keep {
			w[j] = pl.w[j]
		}
	}
	return separator{w, pl.gamma}
}

// weightNoise is the weight, relative to the largest, up to which a weight counts as a solver's
// rounding of 0.
const weightNoise = 1e-9

// clean returns the plane without rounding noise in the weights.
func (pl separator) clean() separator {
	most := 0.0
	for _, v := range pl.w {
		most = max(most, math.Abs(v))
	}
	mark := make([]bool, len(pl.w))
	for j, v := range pl.w {
		mark[j] = v != 0 && math.Abs(v) > weightNoise*most
	}
	return pl.only(mark)
}

// margins returns side_i (x_i.w - gamma) for all rows.
func (d *twoSets) margins(pl separator) []float64 {
	m := make([]float64, d.n)
	for i := range m {
		v := -pl.gamma
		for jx, x := range d.row(i) {
			v += x * pl.w[jx]
		}
		m[i] = d.side(i) * v
	}
	return m
}

// errorOf returns the RLP-P error of a plane; with eps 0 the RLP error:
//
//	(1-eps) ((1/m) omega.u + (1/k) omega.v) + eps |w|_1
//
// with the smallest u and v that the plane allows.
func (d *twoSets) errorOf(pl separator, eps float64) float64 {
	s := 0.0
	for i, m := range d.margins(pl) {
		s += d.share[i] * max(0, 1-m)
	}
	return (1-eps)*s + eps*pl.norm1()
}

// trivialError returns the error of the best plane with w = 0.
func trivialError(eps float64) float64 { return 2 * (1 - eps) }

// toTree returns the split of a plane in the data's units, w_j = w'_j / sd_j and b = gamma' + sum_j
// w'_j mean_j / sd_j: left, x.w < b, is B, and right is A. Rows on the plane go right; the
// threshold is moved, within rounding, so that this also holds in the data's units. If B has
// several classes, the left leaf predicts the heaviest of them among the rows that go left.
func (d *twoSets) toTree(pl separator) (*tree.Tree, error) {
	pl = pl.clean()
	if pl.features() == 0 {
		class := d.classA
		if pl.gamma > 0 {
			class = d.heaviestOfB(nil)
		}
		t := tree.NewLeaf(d.ds, class)
		t.Annotate(d.src)
		return t, nil
	}
	s := &tree.Split{Threshold: pl.gamma}
	for jx, j := range d.active {
		if pl.w[jx] == 0 {
			continue
		}
		w := pl.w[jx] / d.scaler.Scale[j]
		s.Terms = append(s.Terms, tree.Term{Feature: j, Weight: w})
		s.Threshold += w * d.scaler.Shift[j]
		if w == 0 || math.IsInf(w, 0) || math.IsNaN(w) || math.IsInf(s.Threshold, 0) {
			return nil, point.Bad("weight %v of feature %q cannot be written in the data's units", pl.w[jx], d.ds.Features[j])
		}
	}
	d.place(s, pl)
	t := tree.NewLeaf(d.ds, 0)
	t.Grow(0, s, d.heaviestOfB(s), d.classA)
	t.Annotate(d.src)
	return t, nil
}

// place moves the threshold of s, the split of pl, within rounding, so that every row goes to its
// side of pl.
func (d *twoSets) place(s *tree.Split, pl separator) {
	left, right := math.Inf(-1), math.Inf(1)
	for i, m := range d.margins(pl) {
		v := 0.0
		for _, t := range s.Terms {
			v += t.Weight * d.raw[i][t.Feature]
		}
		if d.side(i)*m < -d.rounding(s, d.raw[i]) {
			left = max(left, v)
		} else {
			right = min(right, v)
		}
	}
	switch b := s.Threshold; {
	case left >= right || left < b && b <= right:
	case b > right:
		s.Threshold = right
	default:
		s.Threshold = tree.Midpoint(left, right)
	}
}

// rounding bounds the rounding error of x.w - b in the data's units and in standardised features: a
// row closer to the plane counts as on it.
func (d *twoSets) rounding(s *tree.Split, x []float64) float64 {
	size := math.Abs(s.Threshold)
	for _, t := range s.Terms {
		size += math.Abs(t.Weight) * (math.Abs(x[t.Feature]) + math.Abs(d.scaler.Shift[t.Feature]))
	}
	const ulps = 64
	return ulps * float64(len(s.Terms)+1) * size * 0x1p-53
}

// heaviestOfB returns the class of B with the largest weight among the rows that s sends left;
// among all rows if s is nil or sends none of B left.
func (d *twoSets) heaviestOfB(s *tree.Split) int {
	weight := make([]float64, d.ds.K())
	for i, y := range d.ds.Y {
		if y != d.classA && (s == nil || s.Left(d.ds.Row(i))) {
			weight[y] += d.ds.Weight[i]
		}
	}
	if most := slices.Max(weight); most > 0 {
		return slices.Index(weight, most)
	}
	return d.heaviestOfB(nil)
}

// fromTree returns the plane of a tree with at most one split after dropping splits that separate
// no rows: that split at its own scale, turned so that A is on the right. For a tree of one class,
// it is the best plane with w = 0 that predicts this class.
func (d *twoSets) fromTree(t *tree.Tree) (separator, error) {
	if err := t.Validate(); err != nil {
		return separator{}, err
	}
	if t.Splits() > 1 {
		t = t.Simplify(d.ds)
	}
	for i := 1; i < len(t.Nodes); i++ {
		if !t.Nodes[i].Leaf() {
			return separator{}, point.NoStart(i, "a second split; the model has only one")
		}
	}
	root := &t.Nodes[0]
	if root.Leaf() {
		return d.trivial(root.Class == d.classA), nil
	}
	left, right := t.Nodes[root.Left].Class, t.Nodes[root.Right].Class
	var pl separator
	var err error
	switch {
	case left == right:
		return d.trivial(left == d.classA), nil
	case right == d.classA:
		pl, err = d.fromSplit(root.Split)
	case left == d.classA:
		pl, err = d.turned(root.Split)
	default:
		err = point.NoStart(0, "neither side predicts class %q, which the model separates from the rest", d.ds.Classes[d.classA])
	}
	if err == nil && pl.features() == 0 { // a split on constant features
		pl = d.trivial(pl.gamma <= 0)
	}
	return pl, err
}

// trivial returns the plane with w = 0 and minimum error that sends all rows to A, or all to B.
func (d *twoSets) trivial(toA bool) separator {
	gamma := 1.0
	if toA {
		gamma = -1
	}
	return separator{make([]float64, d.p()), gamma}
}

// fromSplit standardises a split. Constant features become part of the threshold.
func (d *twoSets) fromSplit(s *tree.Split) (separator, error) {
	pl := separator{make([]float64, d.p()), s.Threshold}
	for _, t := range s.Terms {
		pl.gamma -= t.Weight * d.scaler.Shift[t.Feature]
		if jx, varies := slices.BinarySearch(d.active, t.Feature); varies {
			pl.w[jx] = t.Weight * d.scaler.Scale[t.Feature]
		}
	}
	if size := pl.norm1() + math.Abs(pl.gamma); math.IsInf(size, 0) || math.IsNaN(size) {
		return separator{}, point.NoStart(0, "the split is not finite on standardised features")
	}
	return pl.clean(), nil
}

// turned is fromSplit for a split with A on the left. Rows on the plane, which belong to the right,
// would change sides; therefore the plane is moved halfway to the nearest row that goes left.
func (d *twoSets) turned(s *tree.Split) (separator, error) {
	pl, err := d.fromSplit(s)
	if err != nil {
		return separator{}, err
	}
	onPlane, nearest := false, math.Inf(1)
	for i, m := range d.margins(pl) {
		if v := d.side(i) * m; v < -d.rounding(s, d.raw[i]) {
			nearest = min(nearest, -v)
		} else if v <= d.rounding(s, d.raw[i]) {
			onPlane = true
		}
	}
	if onPlane {
		if math.IsInf(nearest, 1) {
			nearest = 1
		}
		pl.gamma -= nearest / 2
	}
	return pl.times(-1), nil
}

// scaleCurve is the objective of the planes (s w, s gamma) as a function of the scale s > 0,
//
//	f(s) = sum_i c_i (1 - s m_i)_+ + slope s
//
// It is convex and piecewise linear: the predictions of a plane do not depend on its scale, its
// error does.
type scaleCurve struct {
	margin, cost []float64
	slope        float64
}

func (d *twoSets) curve(pl separator, eps, slope float64) scaleCurve {
	c := scaleCurve{d.margins(pl), make([]float64, d.n), eps*pl.norm1() + slope}
	for i, share := range d.share {
		c.cost[i] = (1 - eps) * share
		if math.Abs(c.margin[i]) <= noise*d.size(pl, i) {
			c.margin[i] = 0
		}
	}
	return c
}

// size returns the size of the terms of x_i.w - gamma.
func (d *twoSets) size(pl separator, i int) float64 {
	size := math.Abs(pl.gamma)
	for jx, x := range d.row(i) {
		size += math.Abs(x * pl.w[jx])
	}
	return size
}

// largestScale returns the scale above which the rounding error of x.w - gamma, which grows with
// the scale, shows in the constraints of a model.
func (d *twoSets) largestScale(pl separator) float64 {
	most := 0.0
	for i := range d.n {
		most = max(most, d.size(pl, i))
	}
	const largest = 1e6
	return max(1, largest/most)
}

func (c scaleCurve) at(s float64) float64 {
	f := c.slope * s
	for i, m := range c.margin {
		f += c.cost[i] * max(0, 1-s*m)
	}
	return f
}

// least returns the scale in (0, most] with the minimum of f; for a curve that never falls, 1 or
// most. It takes O(n log n).
func (c scaleCurve) least(most float64) float64 {
	type kink struct{ s, rise float64 }
	var kinks []kink
	slope := c.slope
	for i, m := range c.margin {
		slope -= c.cost[i] * m
		if m > 0 {
			kinks = append(kinks, kink{1 / m, c.cost[i] * m})
		}
	}
	if slope >= 0 {
		return min(1, most)
	}
	slices.SortFunc(kinks, func(a, b kink) int {
		switch {
		case a.s < b.s:
			return -1
		case a.s > b.s:
			return 1
		}
		return 0
	})
	s := min(1, most)
	for _, k := range kinks {
		s = k.s
		if slope += k.rise; slope >= 0 || s >= most {
			break
		}
	}
	return min(s, most)
}

// first returns the smallest scale in (0, best] with f <= level, given that f(best) <= level and
// best = least(...).
func (c scaleCurve) first(level, best float64) float64 {
	low, high := 0.0, best
	for range 200 {
		mid := (low + high) / 2
		if mid == low || mid == high {
			break
		}
		if c.at(mid) <= level {
			high = mid
		} else {
			low = mid
		}
	}
	if math.Abs(high-best) < 1e-12*best {
		return best
	}
	return high
}
