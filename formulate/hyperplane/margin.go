package hyperplane

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/tree"
)

// errMargin reports that no hyperplane on the same features keeps the margin.
var errMargin = errors.New("the margin cannot be kept")

// plane is a split on scaled features: left iff a.x < b; in the model a.x + mu <= b for rows on the
// left and a.x >= b for rows on the right.
type plane struct {
	a []float64 // (active features)
	b float64
}

func dot(a, x []float64) float64 {
	s := 0.0
	for j, v := range a {
		s += v * x[j]
	}
	return s
}

// fitPlane scales s to sum |a| = 1 with b as far right as the right rows allow. If the margin to
// the left rows is below mu, it re-centres the plane on its own features.
func (d *Data) fitPlane(ctx context.Context, lp mio.SolveFunc, s *tree.Split, left, right []int) (*plane, error) {
	pl, ok := d.scaled(s)
	if ok && d.settle(pl, left, right) {
		return pl, nil
	}
	if lp == nil {
		return nil, fmt.Errorf("%w without an LP solver", errMargin)
	}
	if err := d.recentre(ctx, lp, pl, left, right); err != nil {
		return nil, err
	}
	if !d.settle(pl, left, right) {
		return nil, errMargin
	}
	return pl, nil
}

// scaled returns s on scaled features with sum |a| = 1, where b is its threshold; false if the
// non-constant features have no finite weights in it.
func (d *Data) scaled(s *tree.Split) (pl *plane, ok bool) {
	pl = &plane{a: make([]float64, d.p()), b: s.Threshold}
	norm, jx := 0.0, 0
	for _, term := range s.Terms {
		for jx < d.p() && d.g.Active[jx] < term.Feature {
			jx++
		}
		if jx < d.p() && d.g.Active[jx] == term.Feature {
			pl.a[jx] = term.Weight * d.width[jx]
			pl.b -= term.Weight * d.low[jx]
			norm += math.Abs(pl.a[jx])
		} else {
			pl.b -= term.Weight * d.g.Vals[term.Feature][0]
		}
	}
	ok = divide(pl.a, norm)
	pl.b /= norm
	return pl, ok
}

// settle scales pl to sum |a| <= 1, moves b to the minimum value on the right and reports whether
// the margin to the left is mu.
func (d *Data) settle(pl *plane, left, right []int) bool {
	atMostOne(pl.a)
	below, above := d.sides(pl.a, left, right)
	pl.b = above
	return below+d.mu <= above
}

// Normalise scales the weights of a split on features scaled to [0, 1] to sum |a| = 1, never above
// it, and agrees with Start to the last bit. It reports whether that is possible.
func Normalise(a []float64) bool {
	norm := 0.0
	for _, v := range a {
		norm += math.Abs(v)
	}
	if !divide(a, norm) {
		return false
	}
	atMostOne(a)
	return true
}

// divide divides a by its norm, and reports whether the result is finite.
func divide(a []float64, norm float64) bool {
	for jx := range a {
		a[jx] /= norm
	}
	return norm > 0 && !math.IsInf(norm, 0)
}

// atMostOne makes sum |a| <= 1 if rounding, or a linear program, has exceeded it.
func atMostOne(a []float64) {
	norm := 0.0
	for _, v := range a {
		norm += math.Abs(v)
	}
	if norm > 1 {
		for jx := range a {
			a[jx] /= norm * (1 + 1e-15)
		}
	}
}

// sides returns the maximum of a.x on the left and the minimum on the right.
func (d *Data) sides(a []float64, left, right []int) (below, above float64) {
	below, above = math.Inf(-1), math.Inf(1)
	for _, i := range left {
		below = max(below, dot(a, d.row(i)))
	}
	for _, i := range right {
		above = min(above, dot(a, d.row(i)))
	}
	return below, above
}

// recentre replaces pl by the hyperplane with the maximum margin on its own features: max gamma
// s.t. a.x + gamma <= b on the left, a.x >= b on the right, sum_j ahat_j <= 1, -ahat <= a <= ahat.
func (d *Data) recentre(ctx context.Context, lp mio.SolveFunc, pl *plane, left, right []int) error {
	b := mio.NewBuilder("max-margin")
	b.SetSense(mio.Maximize)
	gamma := b.AddCol(1, -2, 2, mio.Continuous, "")
	off := b.AddCol(0, -1, 1, mio.Continuous, "")
	a := make([]mio.Col, d.p())
	norm := b.AddRow(-mio.Inf, 1, "")
	for jx, v := range pl.a {
		if v == 0 {
			continue
		}
		a[jx] = b.AddCol(0, -1, 1, mio.Continuous, "")
		hat := b.AddCol(0, 0, 1, mio.Continuous, "")
		b.Add(norm, hat, 1)
		for _, sign := range []float64{1, -1} {
			r := b.AddRow(0, mio.Inf, "")
			b.Add(r, hat, 1)
			b.Add(r, a[jx], sign)
		}
	}
	side := func(rows []int, lower, upper, margin float64) {
		for _, i := range rows {
			r := b.AddRow(lower, upper, "")
			for jx, x := range d.row(i) {
				if pl.a[jx] != 0 && x != 0 {
					b.Add(r, a[jx], x)
				}
			}
			b.Add(r, off, -1)
			if margin != 0 {
				b.Add(r, gamma, margin)
			}
		}
	}
	side(left, -mio.Inf, 0, 1)
	side(right, 0, mio.Inf, 0)
	m, err := b.Model()
	if err != nil {
		return err
	}
	sol, err := lp(ctx, m)
	if err != nil {
		return err
	}
	if !sol.Status.HasSolution() {
		return fmt.Errorf("%w: the maximum-margin program ended with status %s", errMargin, sol.Status)
	}
	for jx, v := range pl.a {
		if v != 0 {
			pl.a[jx] = sol.Values[a[jx]]
		}
	}
	return nil
}

// LeastMargin returns the minimum margin of the splits of t between the training rows on their two
// sides, on scaled features with sum_j |a_j| = 1; +Inf for a single leaf.
func (d *Data) LeastMargin(t *tree.Tree) float64 {
	least := math.Inf(1)
	left, right := make([][]int, len(t.Nodes)), make([][]int, len(t.Nodes))
	for i := range d.g.N {
		for at := 0; t.Nodes[at].Split != nil; {
			if n := &t.Nodes[at]; n.Split.Left(d.g.DS.Row(i)) {
				left[at], at = append(left[at], i), n.Left
			} else {
				right[at], at = append(right[at], i), n.Right
			}
		}
	}
	for i := range t.Nodes {
		s := t.Nodes[i].Split
		if s == nil || len(left[i]) == 0 || len(right[i]) == 0 {
			continue
		}
		pl, _ := d.scaled(s)
		below, above := d.sides(pl.a, left[i], right[i])
		least = min(least, above-below)
	}
	return least
}

// split returns the split of scaled weights a in data units, with its threshold halfway between the
// rows on its two sides; false if the sides are not separate there.
func (d *Data) split(a []float64, left, right []int) (s *tree.Split, below, above float64, ok bool) {
	s = &tree.Split{}
	for jx, v := range a {
		if v != 0 {
			s.Terms = append(s.Terms, tree.Term{Feature: d.g.Active[jx], Weight: v / d.width[jx]})
		}
	}
	if len(s.Terms) == 1 && s.Terms[0].Weight > 0 {
		s.Terms[0].Weight = 1
	}
	below, above = math.Inf(-1), math.Inf(1)
	value := func(i int) float64 {
		u := 0.0
		for _, term := range s.Terms {
			u += term.Weight * d.g.DS.At(i, term.Feature)
		}
		return u
	}
	for _, i := range left {
		below = max(below, value(i))
	}
	for _, i := range right {
		above = min(above, value(i))
	}
	if !(below < above) {
		return nil, below, above, false
	}
	s.Threshold = tree.Midpoint(below, above)
	return s, below, above, true
}

// MarginSlack is the amount by which a row may miss half the margin and still count as keeping it:
// solvers satisfy constraints, and the binaries multiplied by a big-M of about 1, to 1e-6 each.
const MarginSlack = 3e-6

// Route returns for each merged row whether t classifies it correctly in the sense of margin right.
// At every node of its path the row must have half the margin about the threshold, less
// MarginSlack, on scaled features with sum_j |a_j| = 1, and its leaf must predict its class.
func (d *Data) Route(t *tree.Tree) []bool { return d.route(t, MarginSlack) }

// marginRounding is the maximum effect of rounding on a margin, for sum |a| = 1.
const marginRounding = 1e-9

func (d *Data) route(t *tree.Tree, slack float64) []bool {
	planes := make([]*plane, len(t.Nodes))
	for i := range t.Nodes {
		if s := t.Nodes[i].Split; s != nil {
			if pl, ok := d.scaled(s); ok {
				planes[i] = pl
			}
		}
	}
	right := make([]bool, d.g.N)
	for i := range right {
		right[i] = d.isRight(t, planes, i, slack)
	}
	return right
}

// isRight is Route for row i. A split without a plane separates no rows and has no margin.
func (d *Data) isRight(t *tree.Tree, planes []*plane, i int, slack float64) bool {
	at := 0
	for t.Nodes[at].Split != nil {
		n := &t.Nodes[at]
		left := n.Split.Left(d.g.DS.Row(i))
		if pl := planes[at]; pl != nil {
			beyond := dot(pl.a, d.row(i)) - pl.b
			if left {
				beyond = -beyond
			}
			if beyond < d.mu/2-slack {
				return false
			}
		}
		at = n.Right
		if left {
			at = n.Left
		}
	}
	return t.Nodes[at].Class == int(d.g.Y[i])
}

// WrongWeight returns the weight, in the common unit, of the merged rows that t does not classify
// correctly in the sense of margin right, with the whole margin: a tree that no solver found must
// not profit from a solver's tolerance.
func (d *Data) WrongWeight(t *tree.Tree) float64 {
	w := 0.0
	for i, right := range d.route(t, d.mu*marginRounding) {
		if !right {
			w += d.g.W[i]
		}
	}
	return w
}

// Recentre returns t with every hyperplane replaced by the one with the maximum margin between the
// given merged rows on its two sides, on its own features, with its threshold in the middle. These
// rows keep their sides. A hyperplane is unchanged if it has no such rows on one side, or if the
// linear program, solved by lp, finds none that separates its rows. The tree is annotated with the
// data.
func (d *Data) Recentre(ctx context.Context, lp mio.SolveFunc, t *tree.Tree, rows []int32) (*tree.Tree, error) {
	t = t.Clone()
	at := make([][]int, len(t.Nodes))
	for _, i := range rows {
		at[0] = append(at[0], int(i))
	}
	for k := range t.Nodes {
		n := &t.Nodes[k]
		if n.Split == nil {
			continue
		}
		left, right := d.divided(n.Split, at[k])
		at[n.Left], at[n.Right] = left, right
		if len(left) == 0 || len(right) == 0 {
			continue
		}
		pl, ok := d.scaled(n.Split)
		if !ok {
			continue
		}
		if err := d.recentre(ctx, lp, pl, left, right); err != nil {
			return nil, err
		}
		if !Normalise(pl.a) {
			continue
		}
		if s, _, _, ok := d.split(pl.a, left, right); ok {
			n.Split = s
		}
	}
	t.Annotate(d.g.Src)
	return t, nil
}

// divided returns the rows that s sends left and right.
func (d *Data) divided(s *tree.Split, rows []int) (left, right []int) {
	for _, i := range rows {
		if s.Left(d.g.DS.Row(i)) {
			left = append(left, i)
		} else {
			right = append(right, i)
		}
	}
	return left, right
}
