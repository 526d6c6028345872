package proof

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"

	"golang.org/x/sync/errgroup"
)

// Oracle returns the least value of a tree for the rows, of at most so many levels and splits, with leaves heavy enough where that
// is said, or most if no tree has a smaller one.
type Oracle func(rows []int32, depth int, splits int64, heavy bool, most int64) (int64, error)

// Write writes the proof of a claim about a table: the head, whose shape it sets, the tree and the covers. Oracles answer at the same time, one for
// each goroutine; what is written does not depend on their number. A false claim is an error. Answers of oracles are right to within rounding; if that is not 0, the
// bound has to be below the best value by rounding times 2^depth, depth up to MostDoubled.
//
// A cover has the fewest intervals that Monotone allows: each goes as far as the best tree of the rows on the left of its first cut lets it.
func Write(ctx context.Context, w io.Writer, t *Table, h *Head, root *Tree, oracles []Oracle, rounding int64) error {
	h.Table = t.Shape()
	p, err := newProblem(t, h)
	if err != nil {
		return err
	}
	q := &writing{ctx: ctx, p: p, oracles: oracles, rounding: rounding}
	if err := h.Write(w); err != nil {
		return err
	}
	out := &lines{}
	out.word("tree")
	out.tree(root)
	out.end()
	out.word("proof")
	out.end()
	depth, splits := h.Depth, int64(h.Splits)
	if h.Splits == Unlimited {
		splits = noTree
	}
	if depth == Unlimited {
		depth = int(min(mostDepth, splits))
	}
	if err := q.lemma(q.p, out, q.p.root(), depth, splits, h.Leaf > 0, h.Bound, 0); err != nil {
		return err
	}
	out.end()
	out.word("end")
	out.end()
	_, err = w.Write(out.text)
	return err
}

// lines collects tokens in lines that are not too long.
type lines struct {
	text []byte
	from int // where the line begins
}

const longLine = 100

func (l *lines) word(s string) {
	if len(l.text)-l.from+len(s) > longLine {
		l.end()
	}
	if len(l.text) > l.from {
		l.text = append(l.text, ' ')
	}
	l.text = append(l.text, s...)
}

func (l *lines) number(v int64) { l.word(strconv.FormatInt(v, 10)) }

func (l *lines) end() {
	if len(l.text) > l.from {
		l.text = append(l.text, '\n')
	}
	l.from = len(l.text)
}

func (l *lines) tree(t *Tree) {
	if t.Left == nil {
		l.word("=")
		l.number(int64(t.Answer))
		return
	}
	l.number(int64(t.Feature))
	l.number(int64(t.Rank))
	l.tree(t.Left)
	l.tree(t.Right)
}

// writing writes the covers of a claim.
type writing struct {
	ctx     context.Context
	p       *problem
	oracles []Oracle

	rounding int64 // of what the oracles answer
}

// MostDoubled is the depth from which on rounding adds up no further.
const MostDoubled = 20

// lemma writes what checker.lemma reads. The first call divides the features among the oracles.
func (q *writing) lemma(p *problem, out *lines, nd *node, depth int, splits int64, heavy bool, v int64, who int) error {
	if err := q.ctx.Err(); err != nil {
		return err
	}
	if v <= 0 || heavy && nd.heavy < p.leaf {
		return nil
	}
	if one := p.least(nd.sums); one < v {
		return fmt.Errorf("one answer for %d rows costs %d, less than %d", len(nd.rows), one, v)
	}
	first := len(nd.rows) == p.n && p == q.p
	depth, splits = p.limits(nd, depth, splits, v)
	if depth <= 2 || heavy && nd.heavy < 2*p.leaf || p.base(nd, depth, splits) >= v {
		return nil
	}
	if !p.divisible(nd) {
		return nil
	}
	return p.shares(depth, splits, func(left, right int64) error {
		if first {
			return q.together(out, nd, depth, left, right, heavy, v)
		}
		for f := range p.rank {
			if err := q.cover(p, out, nd, f, depth, left, right, heavy, v, who); err != nil {
				return err
			}
		}
		return nil
	})
}

// together is the cover of all rows, by all oracles.
func (q *writing) together(out *lines, nd *node, depth int, left, right int64, heavy bool, v int64) error {
	parts := make([]lines, len(q.p.rank))
	next := make(chan int, len(parts))
	for f := range parts {
		next <- f
	}
	close(next)
	var group errgroup.Group
	for who := range q.oracles {
		group.Go(func() error {
			own := *q.p // with scratch memory of its own
			own.mark = make([]bool, own.n)
			for f := range next {
				if err := q.cover(&own, &parts[f], nd, f, depth, left, right, heavy, v, who); err != nil {
					return err
				}
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	for f := range parts {
		out.end()
		parts[f].end()
		out.text = append(out.text, parts[f].text...)
		out.from = len(out.text)
	}
	return nil
}

var errNotProved = errors.New("the claim is false, or the search was: a tree with a smaller value was met while the proof was written")

// cover writes the intervals of a feature.
func (q *writing) cover(p *problem, out *lines, nd *node, f, depth int, left, right int64, heavy bool, v int64, who int) error {
	cuts := p.cuts(nd, f)
	ask := q.oracles[who]
	for at := 0; at < len(cuts); {
		low := p.side(nd, f, cuts[at], false)
		rest := v - p.price
		value, err := q.worth(p, ask, low, depth-1, left, false, rest)
		if err != nil {
			return err
		}
		last, high, err := q.farthest(p, nd, f, cuts, at, depth, right, rest-value, who)
		if err != nil {
			return err
		}
		if last < at { // only with leaves that are heavy enough
			last, high = at, p.side(nd, f, cuts[at], true)
		}
		alone := heavy && last == at
		if alone {
			if value, err = q.worth(p, ask, low, depth-1, left, true, rest); err != nil {
				return err
			}
			got, err := q.worth(p, ask, high, depth-1, right, true, rest-value)
			if err != nil {
				return err
			}
			if got < rest-value {
				return errNotProved
			}
		} else if last == at && high == nil {
			return errNotProved
		}
		out.number(int64(last - at + 1))
		out.number(value)
		if err := q.lemma(p, out, low, depth-1, left, alone, value, who); err != nil {
			return err
		}
		if err := q.lemma(p, out, high, depth-1, right, alone, rest-value, who); err != nil {
			return err
		}
		at = last + 1
	}
	return nil
}

// worth is what the best tree for the rows of nd is worth, at most most, less what a proof of it needs.
func (q *writing) worth(p *problem, ask Oracle, nd *node, depth int, splits int64, heavy bool, most int64) (int64, error) {
	spare := q.slack(depth)
	v, err := p.best(ask, nd, depth, splits, heavy, most+spare)
	return max(0, v-spare), err
}

// slack is what values of trees of a depth are to be lowered by in the proof: where the search rounds, each of the two sides of a cut needs
// that of its own depth.
func (q *writing) slack(depth int) int64 { return q.rounding<<min(depth, MostDoubled) - q.rounding }

// best is what the best tree for the rows of nd is worth, at most most.
func (p *problem) best(ask Oracle, nd *node, depth int, splits int64, heavy bool, most int64) (int64, error) {
	if most <= 0 {
		return 0, nil
	}
	if heavy && nd.heavy < p.leaf {
		return most, nil
	}
	d, s := p.limits(nd, depth, splits, most)
	if d == 0 || s == 0 || p.base(nd, d, s) >= most {
		return min(most, p.least(nd.sums)), nil
	}
	return ask(nd.rows, d, s, heavy, most)
}

// farthest is the last cut whose right side is worth need or more, and that side; before the first cut if it is not.
func (q *writing) farthest(p *problem, nd *node, f int, cuts []int32, at, depth int, right, need int64, who int) (int, *node, error) {
	good := func(b int) (*node, error) {
		side := p.side(nd, f, cuts[b], true)
		if p.least(side.sums) < need {
			return nil, nil
		}
		v, err := q.worth(p, q.oracles[who], side, depth-1, right, false, need)
		if err != nil || v < need {
			return nil, err
		}
		return side, nil
	}
	last, high := at-1, (*node)(nil)
	step := 1
	for b := at; b < len(cuts); b = min(last+step, len(cuts)-1) {
		side, err := good(b)
		if err != nil {
			return 0, nil, err
		}
		if side == nil {
			break
		}
		last, high = b, side
		if step *= 2; b == len(cuts)-1 {
			return last, high, nil
		}
	}
	bad := min(last+step, len(cuts))
	if last < at {
		return last, nil, nil
	}
	for bad-last > 1 {
		mid := (last + bad) / 2
		side, err := good(mid)
		if err != nil {
			return 0, nil, err
		}
		if side != nil {
			last, high = mid, side
		} else {
			bad = mid
		}
	}
	return last, high, nil
}
