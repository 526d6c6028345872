package parts

import (
	"cmp"
	"context"
	"math/bits"
	"slices"

	"github.com/octgen/octgen/internal/pulse"
	"github.com/octgen/octgen/search/clauses"
	"github.com/octgen/octgen/tree"
)

const (
	mostApart = 64     // classes, beyond which trees with one class at each leaf are not looked for
	mostAsked = 10_000 // pairs of sets of classes
)

// apart looks for a tree that attains the bound of the lighter classes: one without an error on as many classes as it has leaves.
type apart struct {
	*search
	beat  *pulse.Pulse
	sep   *clauses.Separator
	known map[[2]uint64]bool // whether a hyperplane parts two sets of classes
}

// apartable reports whether the bound of the lighter classes is one that a tree of this kind attains.
func (s *search) apartable() bool {
	return s.alpha == 0 && s.o.Form.MaxSplits == 0 && s.p() > 0 && s.p() <= mostPlacedFeatures && s.ds.K() <= mostApart && s.ds.K() > 1<<min(s.depth, 20)
}

// classesApart tries the sets of heaviest classes, until ctx ends or there were too many.
func (s *search) classesApart(ctx context.Context) error {
	if !s.closes(s.lightClasses()/s.lhat, s.bound) {
		return nil // close rows are wrong as well
	}
	s.newApart(ctx).tryAll(ctx)
	return nil
}

func (s *search) newApart(ctx context.Context) *apart {
	beat := pulse.New(ctx)
	return &apart{search: s, beat: beat, sep: clauses.NewSeparator(beat, s.x, s.p(), s.mu*closer), known: map[[2]uint64]bool{}}
}

func (q *apart) tryAll(ctx context.Context) {
	must, may, want := q.heaviest()
	for rest := must; rest != 0; rest &= rest - 1 {
		if !q.fits(rest&(rest-1), bits.TrailingZeros64(rest)) {
			return
		}
	}
	q.sets(must, may, want, func(set uint64) bool {
		return q.halves(set, func(half uint64) bool {
			if t := tree.NewLeaf(q.src, 0); q.splits(t, 0, half, set&^half) {
				q.offer(ctx, t)
			}
			return !q.done(ctx)
		}) && len(q.known) < mostAsked
	})
}

// heaviest returns the classes that every set has, those of which it has some more, all of one weight, and how many.
func (q *apart) heaviest() (must uint64, may []int, want int) {
	weights := q.ds.ClassWeights()
	order := slices.Clone(weights)
	slices.SortFunc(order, func(a, b float64) int { return cmp.Compare(b, a) })
	want = 1 << q.depth
	least := order[want-1]
	for c, w := range weights {
		if w > least {
			must |= 1 << c
			want--
		} else if w == least {
			may = append(may, c)
		}
	}
	return must, may, want
}

// sets calls f for each set with some more classes, each two of which a hyperplane parts, until it is false.
func (q *apart) sets(set uint64, may []int, want int, f func(uint64) bool) bool {
	if want == 0 {
		return f(set)
	}
	for k, c := range may {
		if len(may)-k < want {
			break
		}
		if q.fits(set, c) && !q.sets(set|1<<c, may[k+1:], want-1, f) {
			return false
		}
	}
	return true
}

// fits reports whether a hyperplane parts a class from each of a set.
func (q *apart) fits(set uint64, c int) bool {
	for rest := set; rest != 0; rest &= rest - 1 {
		if !q.parts(rest&-rest, 1<<c) {
			return false
		}
	}
	return true
}

// grows grows the tree of a set of classes at a leaf; false if there is none.
func (q *apart) grows(t *tree.Tree, leaf int, set uint64) (grown bool) {
	if bits.OnesCount64(set) == 1 {
		t.Nodes[leaf].Class = bits.TrailingZeros64(set)
		return true
	}
	q.halves(set, func(half uint64) bool {
		grown = q.splits(t, leaf, half, set&^half)
		return false
	})
	return grown
}

// splits grows the tree of two sets of classes at a leaf, a split between them.
func (q *apart) splits(t *tree.Tree, leaf int, left, right uint64) bool {
	columns := q.columns(left, right)
	if !q.sep.Widest(columns) {
		return false
	}
	var on [2][]int32
	for _, c := range columns {
		on[c&1] = append(on[c&1], c>>1)
	}
	split := q.cut(q.sep.Plane, on[0], on[1])
	if split == nil {
		return false
	}
	t.Grow(leaf, split, 0, 0)
	l, r := t.Nodes[leaf].Left, t.Nodes[leaf].Right
	return q.grows(t, l, left) && q.grows(t, r, right)
}

// halves calls f for each half of a set that a tree parts from the rest, and its halves again, until it is false. The first class is in the half.
func (q *apart) halves(set uint64, f func(half uint64) bool) bool {
	return subsets(set&-set, set&(set-1), bits.OnesCount64(set)/2-1, func(half uint64) bool {
		if q.beat.Ended() || len(q.known) >= mostAsked {
			return false
		}
		return !q.parts(half, set&^half) || !q.divides(half) || !q.divides(set&^half) || f(half)
	})
}

// subsets calls f for each set with some more of the elements of may, until it is false.
func subsets(set, may uint64, more int, f func(uint64) bool) bool {
	if more == 0 {
		return f(set)
	}
	for ; bits.OnesCount64(may) >= more; may &= may - 1 {
		if !subsets(set|may&-may, may&(may-1), more-1, f) {
			return false
		}
	}
	return true
}

// divides reports whether a tree with a leaf for each class has no errors on a set of them.
func (q *apart) divides(set uint64) bool {
	return bits.OnesCount64(set) == 1 || !q.halves(set, func(uint64) bool { return false })
}

// parts reports whether a hyperplane parts two sets of classes.
func (q *apart) parts(a, b uint64) bool {
	if a&-a > b&-b {
		a, b = b, a
	}
	is, known := q.known[[2]uint64{a, b}]
	if !known {
		_, is = q.sep.Ask(q.columns(a, b))
		q.known[[2]uint64{a, b}] = is
	}
	return is
}

// columns has the rows of two sets of classes on their sides.
func (q *apart) columns(left, right uint64) (columns []int32) {
	for i := range q.n() {
		switch c := uint64(1) << q.class(i); {
		case left&c != 0:
			columns = append(columns, clauses.Column(i, false))
		case right&c != 0:
			columns = append(columns, clauses.Column(i, true))
		}
	}
	return columns
}
