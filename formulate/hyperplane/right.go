package hyperplane

import (
	"context"

	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/tree"
)

// MarginSlack is what a row may lack of half the margin and still count as keeping it:
// solvers hold rows, and the binaries before a big-M of about 1, to 1e-6 each.
const MarginSlack = 3e-6

// Route returns for each merged row whether t is right about it in the sense of margin
// right: at every node of its path it has half the margin about the threshold, less
// MarginSlack, on scaled features with sum_j |a_j| = 1, and its leaf predicts its class.
func (d *Data) Route(t *tree.Tree) []bool { return d.route(t, MarginSlack) }

// marginRounding is what rounding may take of a margin, of 1.
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

// isRight is Route for row i. A split without a plane divides no rows, and has no
// margin to keep.
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

// WrongWeight is the weight, in the common unit, of the merged rows about which t is
// not right in the sense of margin right, with the whole margin: no tolerance of a solver
// makes a tree better that no solver has found.
func (d *Data) WrongWeight(t *tree.Tree) float64 {
	w := 0.0
	for i, right := range d.route(t, d.mu*marginRounding) {
		if !right {
			w += d.g.W[i]
		}
	}
	return w
}

// Recentre returns t with every hyperplane that has rows, merged rows by their
// numbers, on both sides replaced by that of greatest margin between them on its own
// features, its threshold in the middle. These rows are sent where they were. A
// hyperplane stays as it is where the program, solved by lp, gives none that parts its
// rows. The tree is annotated with the data.
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

// divided are the rows that s sends left and right.
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
