package ranges

import (
	"context"

	"github.com/octgen/octgen/formulate/oct"
)

// span is a range of thresholds of a feature by their indices.
type span struct{ from, to int }

// divided is best of trees that split, of more than two levels: ranges of the root's
// thresholds are halved until what is proved of their sides is above the cutoff.
func (s *search) divided(ctx context.Context, rows []int32, depth int, cut float64) (b *found, err error) {
	for _, j := range s.d.Features() {
		at := s.d.Thresholds(rows, j)
		if len(at) == 0 {
			continue
		}
		k := &sides{search: s, depth: depth - 1}
		for open := []span{{0, len(at) - 1}}; len(open) > 0; {
			o := open[len(open)-1]
			open = open[:len(open)-1]
			left, right, _ := s.d.Sides(rows, oct.Range{Feature: j, From: at[o.from], To: at[o.to]})
			l, r, err := k.best(ctx, side{o.from, left}, side{-o.to, right}, cut-s.d.Price())
			if err != nil {
				return b, err
			}
			if l == nil {
				continue
			}
			if o.from < o.to {
				mid := (o.from + o.to) / 2
				open = append(open, span{o.from, mid}, span{mid + 1, o.to})
				continue
			}
			b = &found{s.d.Join(j, at[o.from], l.tree, r.tree), s.d.Price() + l.value + r.value}
			cut = s.below(b.value)
			s.tell(b, depth)
		}
	}
	return b, nil
}

// side is the rows on one side of a threshold of a feature. Of two left sides, or two
// right ones, that with the larger at has the rows of the other: it is the threshold's
// index, on the right with a minus.
type side struct {
	at   int
	rows []int32
}

// sides is what has been found of the sides of a feature's thresholds.
type sides struct {
	*search
	depth  int         // of trees
	proved [2][]proved // of the left, of the right
}

// proved is a bound on the values of a side, with the best tree where that was found.
type proved struct {
	at    int
	bound float64
	best  *found
}

// known is what is known of a side: its best, else the greatest bound of those whose rows
// it has.
func (k *sides) known(which, at int) (p proved) {
	for _, q := range k.proved[which] {
		if q.at == at && q.best != nil {
			return q
		}
		if q.at <= at {
			p.bound = max(p.bound, q.bound)
		}
	}
	return p
}

// best returns the best trees of two sides; nil where their values are above cut in all.
// The side of more rows is looked at first.
func (k *sides) best(ctx context.Context, left, right side, cut float64) (l, r *found, err error) {
	both := [2]side{left, right}
	order := [2]int{0, 1}
	if len(right.rows) > len(left.rows) {
		order = [2]int{1, 0}
	}
	var best [2]*found
	for _, which := range order {
		other := 1 - which
		beside := k.known(other, both[other].at).bound
		if best[which], err = k.one(ctx, which, both[which], cut-beside); best[which] == nil {
			return nil, nil, err
		}
	}
	return best[0], best[1], nil
}

// one is the best tree of a side, nil where its value is above cut.
func (k *sides) one(ctx context.Context, which int, of side, cut float64) (*found, error) {
	p := k.known(which, of.at)
	if p.bound > cut {
		return nil, nil
	}
	if p.best != nil {
		return p.best, nil
	}
	t, err := k.search.best(ctx, of.rows, k.depth, cut)
	if err != nil {
		return nil, err
	}
	p = proved{of.at, above(cut, k.d.Price(), k.depth), t}
	if t != nil {
		p.bound = t.value
	}
	k.proved[which] = append(k.proved[which], p)
	return t, nil
}
