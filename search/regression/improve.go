package regression

import (
	"math"
	"math/rand/v2"
	"slices"
)

// Moves are the settings of Improve.
type Moves struct {
	Begin    *Node // a tree to begin with, with the splits that stay; nil for the greedy one
	Restarts int   // from random trees and random changes of the best one; 0 for 20, negative for none
	Seed     uint64
}

// improved is the best tree of a local search that begins with one of a value, which may be infinite.
func (s *solver) improved(root *set, begin *Node, m Moves) (best *Node, value float64) {
	d := &descent{solver: s, most: root.limits, root: root, random: rand.New(rand.NewPCG(m.Seed, 1))} //nolint:gosec // no secret
	d.reset(begin)
	d.descend()
	best, value = d.tree, d.value
	if m.Restarts == 0 {
		m.Restarts = 20
	}
	for k := 0; k < m.Restarts && !s.stopped; k++ {
		d.reset(best)
		if k%2 == 0 {
			d.kick()
		} else {
			d.randomise()
		}
		if d.value = d.worth(d.root, d.tree); math.IsInf(d.value, 1) {
			continue
		}
		if d.descend(); d.value < value-s.tolerance {
			best, value = d.tree, d.value
		}
	}
	return best, value
}

// descent is a local search under way.
type descent struct {
	*solver
	root   *set
	most   limits
	tree   *Node
	value  float64
	random *rand.Rand
}

func (d *descent) reset(t *Node) {
	d.tree = t.clone()
	d.value = d.worth(d.root, d.tree)
}

// clone copies a tree, whose leaves are shared no more.
func (n *Node) clone() *Node {
	c := *n
	if n.Left != nil {
		c.Left, c.Right = n.Left.clone(), n.Right.clone()
	}
	return &c
}

// descend changes nodes as long as the tree gets better.
func (d *descent) descend() {
	for before := math.Inf(1); d.value < before-d.tolerance && !d.stopped; {
		before = d.value
		d.visit(d.root, d.tree, d.problem.Fixed)
	}
}

// visit looks for a better split of node n, which the rows of a reach, and then below it.
func (d *descent) visit(a *set, n, fixed *Node) {
	d.work()
	stays := fixed != nil && fixed.Left != nil
	if !stays && !d.stopped {
		if a.depth <= 2 || n.within(2) {
			d.replace(a, n)
		} else if d.quantile == nil {
			d.resplit(a, n)
		}
	}
	if n.Left == nil {
		return
	}
	for side, c := range d.sides(a, n) {
		c.limits = limits{a.depth - 1, math.MaxInt32}
		var stay *Node
		if stays {
			stay = []*Node{fixed.Left, fixed.Right}[side]
		}
		d.visit(c, []*Node{n.Left, n.Right}[side], stay)
	}
}

// replace puts the best tree of two levels below node n, if the whole tree gets better.
func (d *descent) replace(a *set, n *Node) {
	own := a.limits
	defer func() { a.limits = own }()
	free := d.most.splits - d.tree.Splits() + n.Splits()
	if a.limits = limited(min(2, a.depth), max(1, free)); free == 0 || a.depth == 0 {
		return
	}
	best := d.solve
	if d.problem.Monotone != nil {
		a.tree, a.found = nil, nil // of other limits
		best = func(a *set, best float64) (float64, float64, *Node) { return d.ordered(a, everything, nil, best) }
	}
	if _, _, t := best(a, math.Inf(1)); t != nil {
		d.change(n, *t.clone())
	}
	a.tree, a.found = nil, nil
}

// change gives node n another subtree, if the tree gets better.
func (d *descent) change(n *Node, to Node) {
	was := *n
	*n = to
	if v := d.worth(d.root, d.tree); v < d.value-d.tolerance {
		d.value = v
		return
	}
	*n = was
}

// resplit gives node n the split with which the trees below it have the least loss.
func (d *descent) resplit(a *set, n *Node) {
	leaves := 0
	var leafOf [2][]int
	for side, t := range []*Node{n.Left, n.Right} {
		leafOf[side] = make([]int, a.m)
		d.numbered(a, t, &leaves, leafOf[side])
	}
	best, at := -d.tolerance, cut{-1, -1}
	sum, rows := make([]sums, leaves), make([]int, leaves)
	part := func(l int) float64 {
		if rows[l] == 0 {
			return 0
		}
		return sum[l].s * sum[l].s / sum[l].w
	}
	d.spend(a.m * a.p)
	for g := range a.p {
		clear(sum)
		clear(rows)
		for i := range a.m {
			l := leafOf[1][i]
			sum[l], rows[l] = sums{sum[l].w + a.row[i].w, sum[l].s + a.row[i].s}, rows[l]+1
		}
		gain := 0.0
		for l := range sum {
			gain += part(l)
		}
		first, last := a.cuts(g)
		o := a.order[g*a.m : (g+1)*a.m]
		done := 0
		for b := first; b <= last; b++ {
			for ; done < int(a.pos[b]); done++ {
				i := o[done]
				from, to := leafOf[1][i], leafOf[0][i]
				gain -= part(from) + part(to)
				sum[from], rows[from] = sums{sum[from].w - a.row[i].w, sum[from].s - a.row[i].s}, rows[from]-1
				sum[to], rows[to] = sums{sum[to].w + a.row[i].w, sum[to].s + a.row[i].s}, rows[to]+1
				gain += part(from) + part(to)
			}
			if gain > best && !slices.Contains(rows, 0) {
				best, at = gain, cut{g, b}
			}
		}
	}
	if at.g >= 0 {
		d.change(n, *d.node(a, at, n.Left, n.Right))
	}
}

// numbered numbers the leaves of t from *next on, and says which one each row of a reaches.
func (d *descent) numbered(a *set, t *Node, next *int, leafOf []int) {
	all := make([]int32, a.m)
	for i := range all {
		all[i] = int32(i)
	}
	var walk func(rows []int32, t *Node)
	walk = func(rows []int32, t *Node) {
		if t.Left == nil {
			for _, i := range rows {
				leafOf[i] = *next
			}
			*next++
			return
		}
		var left, right []int32
		f := t.Feature
		for _, i := range rows {
			if r := a.id[i]; d.values[f][d.rank[int(r)*d.p+f]] < t.Threshold {
				left = append(left, i)
			} else {
				right = append(right, i)
			}
		}
		walk(left, t.Left)
		walk(right, t.Right)
	}
	walk(all, t)
}

// randomise makes the tree one of random splits, with those that stay.
func (d *descent) randomise() {
	free := d.most.splits - d.problem.Fixed.Splits()
	d.tree = d.sprout(d.root.id, d.problem.Fixed, d.most.depth, &free)
}

// sprout is a tree of random splits below those of fixed.
func (d *descent) sprout(rows []int32, fixed *Node, depth int, free *int) *Node {
	n := &Node{}
	var below [2]*Node
	switch {
	case fixed != nil && fixed.Left != nil:
		n.Feature, n.Threshold, below = fixed.Feature, fixed.Threshold, [2]*Node{fixed.Left, fixed.Right}
	case depth == 0 || *free <= 0:
		return n
	default:
		var ok bool
		if n.Feature, n.Threshold, ok = d.some(rows); !ok {
			return n
		}
		*free--
	}
	left, right := d.parted(rows, n)
	if len(left) == 0 || len(right) == 0 {
		return &Node{}
	}
	n.Left, n.Right = d.sprout(left, below[0], depth-1, free), d.sprout(right, below[1], depth-1, free)
	return n
}

// some is a random split that parts rows, if a few tries find one.
func (d *descent) some(rows []int32) (f int, threshold float64, ok bool) {
	for range min(10, 10*d.root.p) {
		f := int(d.root.feat[d.random.IntN(d.root.p)])
		a, b := rows[d.random.IntN(len(rows))], rows[d.random.IntN(len(rows))]
		x, y := d.values[f][d.rank[int(a)*d.p+f]], d.values[f][d.rank[int(b)*d.p+f]]
		if x != y {
			return f, max(x, y), true
		}
	}
	return 0, 0, false
}

// kick gives a random node that does not stay a random split.
func (d *descent) kick() {
	var open []*Node
	var rowsOf [][]int32
	var walk func(rows []int32, n, fixed *Node)
	walk = func(rows []int32, n, fixed *Node) {
		if n.Left == nil {
			return
		}
		stays := fixed != nil && fixed.Left != nil
		if !stays {
			open, rowsOf = append(open, n), append(rowsOf, rows)
			fixed = &Node{}
		}
		left, right := d.parted(rows, n)
		walk(left, n.Left, fixed.Left)
		walk(right, n.Right, fixed.Right)
	}
	walk(d.root.id, d.tree, d.problem.Fixed)
	if len(open) == 0 {
		return
	}
	k := d.random.IntN(len(open))
	if f, threshold, ok := d.some(rowsOf[k]); ok {
		open[k].Feature, open[k].Threshold = f, threshold
		d.tree, _ = d.tidied(d.root.id, d.tree)
	}
}

// tidied is a tree without the splits that part no rows, and whether it has rows.
func (d *descent) tidied(rows []int32, n *Node) (*Node, bool) {
	if n.Left == nil || len(rows) == 0 {
		return n, len(rows) > 0
	}
	left, right := d.parted(rows, n)
	l, ok := d.tidied(left, n.Left)
	r, also := d.tidied(right, n.Right)
	switch {
	case !ok:
		return r, also
	case !also:
		return l, ok
	}
	n.Left, n.Right = l, r
	return n, true
}
