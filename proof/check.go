package proof

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"
)

// Result is what a checked file shows.
type Result struct {
	Head
	Bytes     int64 // of the unpacked file
	Intervals int64
	Tree      *Tree
	Single    int64 // what one answer for all rows costs; 0 before the file is checked
}

// Optimal reports whether the tree is one of the best: of squared errors to within 1e-9 of what one answer for all rows costs.
func (r *Result) Optimal() bool {
	return r.Bound == r.Value || r.Table.Squares != (Squares{}) && r.Value-r.Bound <= r.Single/1e9
}

// Tree is the tree of a file: the rows with ranks of Feature below Rank go to Left, or the leaf has Answer.
type Tree struct {
	Feature     int // of the table
	Rank        int // counted among its different values in all rows, from 1
	Left, Right *Tree
	Answer      int
}

// Info reads the head and the tree of a file, without checking it.
func Info(r io.Reader) (*Result, error) {
	s, out, err := readClaimed(r)
	if err != nil {
		return nil, err
	}
	for n := int64(0); ; n++ {
		token, err := s.must()
		if err != nil {
			return nil, err
		}
		if token == "end" {
			out.Bytes, out.Intervals = s.bytes, n/2 // each has two numbers
			return out, nil
		}
	}
}

// readClaimed reads what comes before the proof.
func readClaimed(r io.Reader) (*scanner, *Result, error) {
	s, err := newScanner(r)
	if err != nil {
		return nil, nil, err
	}
	h, err := readHead(s)
	if err == nil {
		err = s.word("tree")
	}
	if err != nil {
		return nil, nil, err
	}
	out := &Result{Head: *h}
	if out.Tree, err = readTree(s, h, 0); err == nil {
		err = s.word("proof")
	}
	return s, out, err
}

func readTree(s *scanner, h *Head, depth int) (*Tree, error) {
	if depth > mostDepth {
		return nil, s.errorf("a tree of more than %d levels", mostDepth)
	}
	token, err := s.must()
	if err != nil {
		return nil, err
	}
	if token == "=" {
		answer, err := s.small(len(h.Table.Answers))
		return &Tree{Answer: answer}, err
	}
	f, err := s.parse(token)
	if err != nil || f >= int64(h.Table.Features) {
		return nil, s.errorf("%.40q, expected \"=\" or a feature below %d", token, h.Table.Features)
	}
	t := &Tree{Feature: int(f)}
	if t.Rank, err = s.small(mostRows); err != nil {
		return nil, err
	}
	if t.Left, err = readTree(s, h, depth+1); err == nil {
		t.Right, err = readTree(s, h, depth+1)
	}
	return t, err
}

// Check reads a file and checks it against a table. An error says what is wrong: the file is none of this format, it is about
// another table, or it does not prove what it claims.
func Check(ctx context.Context, t *Table, r io.Reader) (*Result, error) {
	s, out, err := readClaimed(r)
	if err != nil {
		return nil, err
	}
	if err := sameTable(out.Table, t.Shape()); err != nil {
		return nil, err
	}
	counted := *t
	counted.Squares = out.Table.Squares // parts in which any other writer counts
	t = &counted
	p, err := newProblem(t, &out.Head)
	if err != nil {
		return nil, err
	}
	c := &checker{ctx: ctx, s: s, p: p}
	c.group.SetLimit(runtime.GOMAXPROCS(0))
	value, err := c.worth(t, &out.Head, out.Tree)
	switch {
	case err != nil:
		return nil, err
	case value != out.Value:
		return nil, fmt.Errorf("the tree has the value %d, not %d", value, out.Value)
	}
	splits := int64(out.Splits)
	if out.Splits == Unlimited {
		splits = noTree
	}
	depth := out.Depth
	if depth == Unlimited {
		depth = mostDepth
		if splits < int64(depth) {
			depth = int(splits)
		}
	}
	root := c.p.root()
	out.Single = c.p.least(root.sums)
	err = c.lemma(root, depth, splits, out.Leaf > 0, out.Bound)
	_ = c.group.Wait() // what fails is in failed
	if err := cmp.Or(c.failed, err); err != nil {
		return nil, err
	}
	if err := s.word("end"); err != nil {
		return nil, err
	}
	if token, err := s.next(); !errors.Is(err, io.EOF) {
		return nil, s.errorf("%.40q after the end", token)
	}
	out.Bytes, out.Intervals = s.bytes, c.intervals
	return out, nil
}

func sameTable(claimed, is Shape) error {
	switch {
	case claimed.Rows != is.Rows || claimed.Features != is.Features:
		return fmt.Errorf("the proof is about %d rows and %d features, the data have %d and %d", claimed.Rows, claimed.Features, is.Rows, is.Features)
	case !slices.Equal(claimed.Answers, is.Answers):
		return fmt.Errorf("the proof has the answers %q, the data %q", claimed.Answers, is.Answers)
	case claimed.Scale.Cmp(is.Scale) != 0 || claimed.LeafScale.Cmp(is.LeafScale) != 0:
		return fmt.Errorf("the proof counts losses and weights in %v and %v parts, the data in %v and %v", claimed.Scale, claimed.LeafScale, is.Scale, is.LeafScale)
	case (claimed.Squares == Squares{}) != (is.Squares == Squares{}):
		return errors.New("one of the proof and the data is about squared errors, the other is not")
	case claimed.Digest != is.Digest:
		return fmt.Errorf("the proof is about other data: their digest begins with %.12s, that of these with %.12s", claimed.Digest, is.Digest)
	}
	return nil
}

// checker checks the proof of a problem.
type checker struct {
	ctx       context.Context
	s         *scanner
	p         *problem
	intervals int64

	group  errgroup.Group // looks at all trees of two levels while the file is read on
	mu     sync.Mutex     // guards failed
	failed error          // of the first lemma in the file that does not hold, among those looked at
	place  int64          // of that lemma, among those looked at
	looked int64
}

// twoLevels looks at all trees of two levels of a lemma later.
func (c *checker) twoLevels(nd *node, depth int, splits int64, heavy bool, v int64) error {
	c.looked++
	place, line := c.looked, c.s.line
	c.group.Go(func() error {
		if c.p.twoLevels(nd, depth, splits, heavy, v) {
			return nil
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.failed == nil || place < c.place {
			c.failed, c.place = fmt.Errorf("line %d: a tree of %d levels for %d rows costs less than %d", line, depth, len(nd.rows), v), place
		}
		return nil
	})
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.failed
}

// Worth is the value of a tree for a table. A tree that does not keep the limits of the head is an error.
func Worth(t *Table, h *Head, root *Tree) (int64, error) {
	p, err := newProblem(t, h)
	if err != nil {
		return 0, err
	}
	return (&checker{p: p}).worth(t, h, root)
}

// worth is the value of the tree, which has to keep the limits of the claim.
func (c *checker) worth(t *Table, h *Head, root *Tree) (int64, error) {
	ranks, value, splits := make(map[int][]int32), int64(0), 0
	var walk func(nd *Tree, rows []int, depth int) error
	walk = func(nd *Tree, rows []int, depth int) error {
		if nd.Left == nil {
			if len(rows) == 0 {
				return errors.New("the tree has a leaf without rows")
			}
			heavy, sums := int64(0), make([]int64, c.p.k)
			for _, i := range rows {
				for k, v := range c.p.losses(i) {
					sums[k] += v
				}
				heavy += t.Weight[i]
			}
			if c.p.moments {
				value += c.p.least(sums)
			} else {
				value += sums[nd.Answer]
			}
			if heavy < h.Leaf {
				return fmt.Errorf("the tree has a leaf of weight %d, below %d", heavy, h.Leaf)
			}
			return nil
		}
		if splits++; h.Splits != Unlimited && splits > h.Splits {
			return fmt.Errorf("the tree has more than %d splits", h.Splits)
		}
		if depth == h.Depth {
			return fmt.Errorf("the tree is deeper than %d", h.Depth)
		}
		if slices.Contains(h.Forbidden, nd.Feature) {
			return fmt.Errorf("the tree splits on the forbidden feature %d", nd.Feature)
		}
		if ranks[nd.Feature] == nil {
			ranks[nd.Feature], _ = ranksOf(t, nd.Feature)
		}
		var left, right []int
		for _, i := range rows {
			if int(ranks[nd.Feature][i]) < nd.Rank {
				left = append(left, i)
			} else {
				right = append(right, i)
			}
		}
		if err := walk(nd.Left, left, depth+1); err != nil {
			return err
		}
		return walk(nd.Right, right, depth+1)
	}
	rows := make([]int, t.N())
	for i := range rows {
		rows[i] = i
	}
	if err := walk(root, rows, 0); err != nil {
		return 0, err
	}
	for range splits {
		if value > most-h.Price {
			return 0, errors.New("the value of the tree is above 2^60")
		}
		value += h.Price
	}
	return value, nil
}

// lemma checks that no tree on the rows of nd, of at most so many levels and splits, and of leaves heavy enough where that is said,
// has a smaller value than v: by itself, or with the cover that follows in the file.
func (c *checker) lemma(nd *node, depth int, splits int64, heavy bool, v int64) error {
	p := c.p
	if err := c.ctx.Err(); err != nil {
		return err
	}
	if v <= 0 || heavy && nd.heavy < p.leaf {
		return nil
	}
	if one := p.least(nd.sums); one < v {
		return c.s.errorf("one answer for %d rows costs %d, less than %d", len(nd.rows), one, v)
	}
	depth, splits = p.limits(nd, depth, splits, v)
	if depth == 0 || heavy && nd.heavy < 2*p.leaf || p.base(nd, depth, splits) >= v {
		return nil
	}
	if depth <= 2 {
		return c.twoLevels(nd, depth, splits, heavy, v)
	}
	if !p.divisible(nd) { // covers are empty, and there may be 2^60 of them
		return nil
	}
	return p.shares(depth, splits, func(left, right int64) error { return c.cover(nd, depth, left, right, heavy, v) })
}

// limits lowers depth and splits to what a tree of value below v may have: each split costs the price, and there are no more
// levels than splits.
func (p *problem) limits(nd *node, depth int, splits, v int64) (int, int64) {
	if p.price > 0 {
		depth = int(min(int64(depth), max(0, v-1-nd.force)/p.price))
	}
	return int(min(int64(depth), splits)), splits
}

// full is the number of splits of a full tree.
func full(depth int) int64 {
	if depth > 60 {
		return noTree
	}
	return 1<<depth - 1
}

// base is what each tree with one split or more costs at least: its splits, the losses that equal rows force, and those of all but the
// answers it has leaves for.
func (p *problem) base(nd *node, depth int, splits int64) int64 {
	splits = min(splits, full(depth))
	best := p.price + nd.force
	if !p.single {
		return best
	}
	by := make([]int64, p.k)
	for k, v := range nd.sums {
		by[k] = nd.total - v
	}
	slices.Sort(by)
	rest, best := nd.total-by[p.k-1], int64(noTree)
	for s := int64(1); s <= splits; s++ {
		if int(s) < p.k {
			rest -= by[p.k-1-int(s)]
		}
		best = min(best, s*p.price+max(nd.force, rest))
		if int(s) >= p.k-1 || s*p.price >= best {
			break
		}
	}
	return best
}

// divisible reports whether nd has a cut.
func (p *problem) divisible(nd *node) bool {
	for _, rank := range p.rank {
		for _, i := range nd.rows {
			if rank[i] != rank[nd.rows[0]] {
				return true
			}
		}
	}
	return false
}

// shares calls cover for each way to share splits between the two sides of a first one.
func (p *problem) shares(depth int, splits int64, cover func(left, right int64) error) error {
	most := full(depth - 1)
	if splits-1 >= 2*most {
		return cover(most, most)
	}
	for left := max(0, splits-1-most); left <= min(splits-1, most); left++ {
		if err := cover(left, splits-1-left); err != nil {
			return err
		}
	}
	return nil
}

// cover reads intervals that cover all cuts of all features.
func (c *checker) cover(nd *node, depth int, left, right int64, heavy bool, v int64) error {
	for f := range c.p.rank {
		cuts := c.p.cuts(nd, f)
		for at := 0; at < len(cuts); {
			length, err := c.s.small(mostRows)
			if err != nil {
				return err
			}
			value, err := c.s.number()
			if err != nil {
				return err
			}
			if length < 1 || length > len(cuts)-at {
				return c.s.errorf("an interval of %d cuts, where %d are left of feature %d", length, len(cuts)-at, c.p.file[f])
			}
			c.intervals++
			alone := heavy && length == 1 // the rows of two cuts are not the same, and so are their leaves
			if err := c.lemma(c.p.side(nd, f, cuts[at], false), depth-1, left, alone, value); err != nil {
				return err
			}
			if err := c.lemma(c.p.side(nd, f, cuts[at+length-1], true), depth-1, right, alone, v-c.p.price-value); err != nil {
				return err
			}
			at += length
		}
	}
	return nil
}
