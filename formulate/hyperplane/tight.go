package hyperplane

import (
	"math"
	"slices"
)

// tight is the frame of the encodings soct and served, with what makes them small:
//
//   - units. Rows with equal features, whatever their classes, take the same path if
//     they keep the margin, and so share the rows of planes.
//   - swap. (a, b) -> (-a, mu - b) exchanges the sides of a split: a.x <= b - mu
//     becomes (-a).x >= mu - b, and a.x >= b becomes (-a).x <= (mu - b) - mu. Below a
//     split the two subtrees exchange places. So each split may be asked for one thing
//     that one of its two forms has.
//   - label order, at the last level: of two sibling leaves the left one has the lesser
//     label. Equal labels are never needed: all rows may go to one of the leaves, by
//     a = 0, and the label of the other is free.
//     Not where a split of the last level stays as it is.
//   - one row, above the last level (without label order at the last level too): the
//     rows of one unit, where they are in the tree, are in the left subtree of the root,
//     in the left subtree of that, and so on. One split cannot be asked for both. Not where
//     splits stay as they are.
//   - centring: x' = x - 1/2 and b' = b - sum_j a_j / 2 are the same split, and halve
//     what a.x' can be.
//
// The big-M of a unit is the most by which its rows can miss a side. With R the greatest
// |x'_ij| of all rows, 1/2 or without centring 1, b' is between beta = min(0, mu - R)
// and mu - beta: where both sides have rows, -R <= a.x' <= b' - mu for one of them and
// b' <= a.x' <= R for another; a split with an empty side is a = 0 with b' = 0 (all
// right) or b' = mu (all left). Then
//
//	a.x'_i - b' + mu <= max_j |x'_ij| - beta + mu,   b' - a.x'_i <= max_j |x'_ij| + mu - beta
//
// are both at most M_i = max_j |x'_ij| + max(mu, R).
type tight struct {
	*frame
	ordered  bool // label order
	fixed    bool // with two classes: labels are constants, 0 on the left and 1 on the right
	integral bool // labels are binary
	shift    float64
	beta     float64
	units    [][]int32 // rows of equal features, of those that the program sees
	one      int       // the unit that is kept left
	below    int       // the node below which it is kept: 1 for nowhere
}

// newTight is the frame of a program of these rows, nil for all.
func newTight(f *frame, o Options, rows []int32) *tight {
	e := &tight{frame: f, ordered: o.with(LabelOrder) && f.levelsFixed() < f.depth, integral: o.with(IntegralLabels), below: 1}
	e.fixed = e.ordered && f.g.K == 2
	e.integral = e.integral || !o.Constraints.Empty() // predictions are exact with integral labels only
	radius := 1.0
	if o.with(Centring) {
		e.shift, radius = 0.5, 0.5
	}
	e.beta = min(0, f.mu-radius)
	e.units = unitsOf(f.Data, rows)
	if o.with(OneRow) && f.stays == nil {
		e.below = f.leaves()
		if e.ordered {
			e.below = f.last()
		}
		e.one = e.heaviest()
	}
	return e
}

// unitsOf groups rows, nil for all, by equal features.
func unitsOf(d *Data, rows []int32) [][]int32 {
	points := &d.g.Points
	units := make([][]int32, points.Len())
	for u := range units {
		units[u] = points.Rows(u)
	}
	if rows == nil {
		return units
	}
	clear(units)
	for _, i := range rows {
		u := points.Of[i]
		units[u] = append(units[u], i)
	}
	return slices.DeleteFunc(units, func(rows []int32) bool { return len(rows) == 0 })
}

// heaviest is the unit of greatest weight, the first of several: the one row is most
// likely in the tree where that is costly to give up.
func (e *tight) heaviest() int {
	best, most := 0, 0.0
	for u := range e.units {
		if w := e.unitWeight(u); w > most {
			best, most = u, w
		}
	}
	return best
}

func (e *tight) unitWeight(u int) float64 {
	w := 0.0
	for _, i := range e.units[u] {
		w += e.g.W[i]
	}
	return w
}

// keptOut reports whether unit u is kept out of node t because the one row is left of
// it: t is neither above nor below the node below which it is.
func (e *tight) keptOut(u, t int) bool {
	if u != e.one {
		return false
	}
	for at := e.below; at > t; at /= 2 {
		if at/2 == t {
			return false
		}
	}
	at := t
	for at > e.below {
		at /= 2
	}
	return at != e.below
}

// at is feature jx of the rows of unit u, as the program has it: 0 where shifting leaves
// only rounding.
func (e *tight) at(u, jx int) float64 {
	x := e.row(int(e.units[u][0]))[jx] - e.shift
	if math.Abs(x) < 1e-12 {
		return 0
	}
	return x
}

// bigM is M_u.
func (e *tight) bigM(u int) float64 {
	most := 0.0
	for jx := range e.p() {
		most = max(most, math.Abs(e.at(u, jx)))
	}
	return most + e.mu - e.beta
}

// shifted returns b' of pl.
func (e *tight) shifted(pl *plane) float64 {
	b := pl.b
	if e.shift != 0 {
		for _, v := range pl.a {
			b -= v * e.shift
		}
	}
	return min(max(b, e.beta), e.mu-e.beta)
}

// original returns the plane with these weights and b'.
func (e *tight) original(a []float64, b float64) *plane {
	if e.shift != 0 {
		for _, v := range a {
			b += v * e.shift
		}
	}
	return &plane{a: a, b: b}
}
