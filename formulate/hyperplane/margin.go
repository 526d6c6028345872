package hyperplane

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/tree"
)

// errMargin says that no hyperplane on the same features keeps the margin.
var errMargin = errors.New("the margin cannot be kept")

// plane is a split on scaled features: left iff a.x < b, in the model
// a.x + mu <= b for rows on the left and a.x >= b for rows on the right.
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

// fitPlane scales s to sum |a| = 1 with b as far right as the right rows allow
// and, where the margin to the left rows is below mu, re-centres it on its own
// features.
func (f *Formulation) fitPlane(ctx context.Context, s *tree.Split, left, right []int) (*plane, error) {
	pl := &plane{a: make([]float64, f.p())}
	norm := 0.0
	jx := 0
	for _, term := range s.Terms {
		for jx < f.p() && f.g.Active[jx] < term.Feature {
			jx++
		}
		if jx < f.p() && f.g.Active[jx] == term.Feature {
			pl.a[jx] = term.Weight * f.width[jx]
			norm += math.Abs(pl.a[jx])
		}
	}
	if divide(pl.a, norm) && f.settle(pl, left, right) {
		return pl, nil
	}
	if f.opts.LP == nil {
		return nil, fmt.Errorf("%w without an LP solver", errMargin)
	}
	if err := f.recentre(ctx, pl, left, right); err != nil {
		return nil, err
	}
	if !f.settle(pl, left, right) {
		return nil, errMargin
	}
	return pl, nil
}

// settle scales pl to sum |a| <= 1, moves b to the least value on the right and
// says whether the margin to the left is mu.
func (f *Formulation) settle(pl *plane, left, right []int) bool {
	atMostOne(pl.a)
	below, above := f.sides(pl.a, left, right)
	pl.b = above
	return below+f.opts.Mu <= above
}

// Normalise scales the weights of a split on features scaled to [0, 1] to sum |a| = 1,
// and not above it, to the last bit as Start does. It reports whether that can be.
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

// atMostOne makes sum |a| <= 1 where rounding has made it more, or a program.
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

// sides returns the greatest value of a.x on the left and the least on the
// right.
func (f *Formulation) sides(a []float64, left, right []int) (below, above float64) {
	below, above = math.Inf(-1), math.Inf(1)
	for _, i := range left {
		below = max(below, dot(a, f.row(i)))
	}
	for _, i := range right {
		above = min(above, dot(a, f.row(i)))
	}
	return below, above
}

// recentre replaces pl by the hyperplane of greatest margin on its own features:
// max gamma s.t. a.x + gamma <= b on the left, a.x >= b on the right,
// sum_j ahat_j <= 1, -ahat <= a <= ahat.
func (f *Formulation) recentre(ctx context.Context, pl *plane, left, right []int) error {
	b := mio.NewBuilder("max-margin")
	b.SetSense(mio.Maximize)
	gamma := b.AddCol(1, -2, 2, mio.Continuous, "")
	off := b.AddCol(0, -1, 1, mio.Continuous, "")
	a := make([]mio.Col, f.p())
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
			for jx, x := range f.row(i) {
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
	sol, err := f.opts.LP(ctx, m)
	if err != nil {
		return err
	}
	if !sol.Status.HasSolution() {
		return fmt.Errorf("%w: the max-margin program ended %s", errMargin, sol.Status)
	}
	for jx, v := range pl.a {
		if v != 0 {
			pl.a[jx] = sol.Values[a[jx]]
		}
	}
	return nil
}

// LeastMargin returns the least margin of the splits of t between the training
// rows on their two sides, on scaled features with sum_j |a_j| = 1; +Inf for a
// single leaf.
func (f *Formulation) LeastMargin(t *tree.Tree) float64 {
	least := math.Inf(1)
	left, right := make([][]int, len(t.Nodes)), make([][]int, len(t.Nodes))
	for i := range f.g.N {
		for at := 0; t.Nodes[at].Split != nil; {
			if n := &t.Nodes[at]; n.Split.Left(f.g.DS.Row(i)) {
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
		a, norm := make([]float64, f.p()), 0.0
		for jx, j := range f.g.Active {
			for _, term := range s.Terms {
				if term.Feature == j {
					a[jx] = term.Weight * f.width[jx]
					norm += math.Abs(a[jx])
				}
			}
		}
		below, above := f.sides(a, left[i], right[i])
		least = min(least, (above-below)/norm)
	}
	return least
}
