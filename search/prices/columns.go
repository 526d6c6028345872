package prices

import (
	"cmp"
	"context"
	"math"
	"slices"
	"time"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mio/verify"
	"github.com/octgen/octgen/tree"
)

// columnSearch finds the best tree that uses few or cheap columns by branch and bound over columns.
// A node is a set of paid columns and a set of excluded columns. Let t be the best tree that may
// use every column that is not excluded. Every tree of the node costs at least the cost of t plus
// the price of the paid columns. If t uses only paid columns, or if columns have no price and t
// uses no more than allowed, then t is the best tree of the node. Otherwise the node is divided by
// a column that t uses: excluded, or paid; once the maximum number of columns is paid, all others
// are excluded.
//
// Columns of fixed splits are paid from the beginning.
//
// If there are few sets of the maximum size, each set is searched instead, since the best tree over
// all columns says little about the best trees over two or three.
type columnSearch struct {
	ctx   context.Context
	ds    *dataset.Dataset
	o     Options // of the searches
	of    []int   // (p)
	count int
	most  int
	price []float64 // (columns)
	must  []bool    // (columns) of fixed splits
	began time.Time

	u     []float64 // prices of the last search
	best  *Result
	value float64
	work  int64
	evals int
	seen  map[string]*Result

	blurred string // reason of the last search that was not proved
}

// mostSets is the maximum number of column sets that are searched one by one.
const (
	mostSets = 4000
	mostSeen = 500 // results that are kept
)

func solveColumns(ctx context.Context, ds *dataset.Dataset, o Options, began time.Time) (*Result, error) {
	s := &columnSearch{ctx: ctx, ds: ds, o: o, of: o.Columns, began: began, value: math.Inf(1), seen: map[string]*Result{}}
	s.count = slices.Max(s.of) + 1
	s.most, s.price = o.MaxColumns, o.ColumnCost
	if s.most == 0 || s.most > s.count {
		s.most = s.count
	}
	if s.price == nil {
		s.price = make([]float64, s.count)
	}
	s.o.MaxColumns, s.o.ColumnCost, s.o.Columns, s.o.Progress, s.o.Start = 0, nil, nil, nil, nil
	fixed := 0
	if s.must = make([]bool, s.count); o.Fixed != nil {
		s.o.Fixed = o.Fixed.Collapse(ds)
		if s.must, fixed, _ = s.used(s.o.Fixed); fixed > s.most {
			return s.finish(math.Inf(1)), nil
		}
	}
	if err := s.grow(fixed); err != nil {
		return nil, err
	}
	run := s.branch
	if o.ColumnCost == nil && choose(s.count-fixed, s.most-fixed) <= mostSets {
		run = s.sets
	}
	bound, err := run()
	if err != nil {
		return nil, err
	}
	return s.finish(bound), nil
}

// choose returns the number of subsets of size k of n elements, or a number above mostSets.
func choose(n, k int) int {
	c := 1
	for i := range k {
		if c = c * (n - i) / (i + 1); c > mostSets {
			return c
		}
	}
	return c
}

func (s *columnSearch) stop() bool {
	return s.ctx.Err() != nil || s.o.WorkLimit > 0 && s.work >= s.o.WorkLimit
}

// search returns the best tree that uses only the allowed columns, without their prices, if it is below
// the cutoff (0 for none). If quick is set, it may leave a gap.
func (s *columnSearch) search(allowed []bool, cutoff float64, quick bool) (*Result, error) {
	key := make([]byte, s.count)
	var features []int
	for c, a := range allowed {
		if a {
			key[c] = 1
		}
	}
	if r := s.seen[string(key)]; r != nil {
		return r, nil
	}
	for j, c := range s.of {
		if allowed[c] {
			features = append(features, j)
		}
	}
	o := s.o
	o.first = s.u
	if o.quick = quick; cutoff < math.Inf(1) {
		o.cutoff = cutoff
	}
	if o.WorkLimit > 0 {
		o.WorkLimit = max(1, o.WorkLimit-s.work)
	}
	if o.Monotone != nil {
		o.Monotone = make([]int8, len(features))
		for i, j := range features {
			o.Monotone[i] = s.o.Monotone[j]
		}
	}
	ds := s.ds.WithFeatures(features)
	if s.o.Fixed != nil {
		o.Fixed = s.o.Fixed.Onto(ds, features)
	}
	r, err := Solve(s.ctx, ds, o)
	if err != nil {
		return nil, err
	}
	s.work += r.Work
	s.evals += r.Evaluations
	s.blurred = cmp.Or(r.Blurred, s.blurred)
	if r.u != nil {
		s.u = r.u
	}
	if r.Tree != nil {
		r.Tree = r.Tree.Remap(s.ds, features)
		s.offer(r)
	}
	if len(s.seen) < mostSeen && r.Limit == mio.NoLimit && !quick && (o.cutoff == 0 || r.Tree != nil && r.Status == mio.Optimal) {
		s.seen[string(key)] = r
	}
	return r, nil
}

// used returns the columns of a tree and their price.
func (s *columnSearch) used(t *tree.Tree) (used []bool, n int, price float64) {
	used = make([]bool, s.count)
	for _, j := range t.FeaturesUsed() {
		if c := s.of[j]; !used[c] {
			used[c] = true
			n++
			price += s.price[c]
		}
	}
	return used, n, price
}

// offer keeps the tree of a search if it is the best.
func (s *columnSearch) offer(r *Result) {
	if _, n, price := s.used(r.Tree); n <= s.most && r.Objective+price < s.value*(1-same) {
		s.best, s.value = r, r.Objective+price
	}
}

// closes reports whether trees with this bound are no better than the best tree.
func (s *columnSearch) closes(bound float64) bool {
	return bound >= s.value || s.value < math.Inf(1) && verify.Negligible(s.value-bound, s.value)
}

// grow begins with the given number of columns of fixed splits and repeatedly adds the column that
// gives the best tree.
func (s *columnSearch) grow(fixed int) error {
	allowed := slices.Clone(s.must)
	if fixed > 0 {
		if _, err := s.search(allowed, math.Inf(1), false); err != nil {
			return err
		}
	}
	for range min(s.most, 1<<s.o.Depth-1) - fixed {
		best, at := math.Inf(1), -1
		for c := range allowed {
			if allowed[c] || s.stop() {
				continue
			}
			allowed[c] = true
			r, err := s.search(allowed, math.Inf(1), true)
			allowed[c] = false
			if err != nil {
				return err
			}
			if v := r.Objective + s.price[c]; v < best {
				best, at = v, c
			}
		}
		if at < 0 {
			return nil
		}
		allowed[at] = true
	}
	return nil
}

// sets searches every set of the maximum size.
func (s *columnSearch) sets() (float64, error) {
	var others []int
	for c, must := range s.must {
		if !must {
			others = append(others, c)
		}
	}
	bound := math.Inf(1)
	chosen := make([]int, s.most-(s.count-len(others)))
	for i := range chosen {
		chosen[i] = i
	}
	for {
		if s.stop() {
			return s.floor(), nil
		}
		allowed := slices.Clone(s.must)
		for _, i := range chosen {
			allowed[others[i]] = true
		}
		r, err := s.search(allowed, s.value, false)
		if err != nil {
			return 0, err
		}
		bound = min(bound, r.Bound)
		i := len(chosen) - 1
		for i >= 0 && chosen[i] == len(others)-len(chosen)+i {
			i--
		}
		if i < 0 {
			return bound, nil
		}
		chosen[i]++
		for j := i + 1; j < len(chosen); j++ {
			chosen[j] = chosen[j-1] + 1
		}
	}
}

// floor returns the bound over all columns, if known.
func (s *columnSearch) floor() float64 {
	all := make([]byte, s.count)
	for i := range all {
		all[i] = 1
	}
	if r := s.seen[string(all)]; r != nil {
		return r.Bound
	}
	return 0
}

// columnNode is a node of branch.
type columnNode struct {
	paid, out []bool
	bound     float64
	r         *Result // of the search with all columns that are not excluded
}

// branch divides the node with the smallest bound.
func (s *columnSearch) branch() (float64, error) {
	first, err := s.node(s.must, make([]bool, s.count))
	if err != nil {
		return 0, err
	}
	open, least := []columnNode{first}, math.Inf(1)
	for len(open) > 0 {
		at := 0
		for i := range open {
			if open[i].bound < open[at].bound {
				at = i
			}
		}
		n := open[at]
		if s.closes(n.bound) {
			break
		}
		if s.stop() {
			return min(least, n.bound), nil
		}
		open[at] = open[len(open)-1]
		open = open[:len(open)-1]
		c := s.column(&n)
		if c < 0 { // the tree of the node, with the gap that its search left
			least = min(least, n.bound)
			continue
		}
		out := slices.Clone(n.out)
		out[c] = true
		paid := slices.Clone(n.paid)
		paid[c] = true
		for _, kind := range [2][2][]bool{{n.paid, out}, {paid, n.out}} {
			child, err := s.node(kind[0], kind[1])
			if err != nil {
				return 0, err
			}
			if child.bound = max(child.bound, n.bound); !s.closes(child.bound) {
				open = append(open, child)
			}
		}
	}
	for i := range open {
		least = min(least, open[i].bound)
	}
	return min(least, s.value), nil
}

// node bounds the trees of a node.
func (s *columnSearch) node(paid, out []bool) (columnNode, error) {
	n := columnNode{paid: paid, out: out}
	count, price := 0, 0.0
	for c, p := range paid {
		if p {
			count++
			price += s.price[c]
		}
	}
	allowed := make([]bool, s.count)
	for c := range allowed {
		allowed[c] = paid[c] || count < s.most && !out[c]
	}
	if count == s.most {
		n.out = make([]bool, s.count)
		for c := range n.out {
			n.out[c] = !paid[c]
		}
	}
	cutoff := math.Inf(1) // trees that cost more are no better with the price of the paid columns
	if s.value < math.Inf(1) {
		cutoff = max(s.value-price, math.SmallestNonzeroFloat64)
	}
	for _, quick := range [2]bool{true, false} {
		r, err := s.search(allowed, cutoff, quick)
		if err != nil {
			return n, err
		}
		n.r, n.bound = r, max(n.bound, r.Bound+price)
		if s.closes(n.bound) || r.Tree != nil && s.column(&n) >= 0 {
			break
		}
	}
	return n, nil
}

// column returns the column by which to divide a node: the most expensive one that its tree uses
// and that is not paid; of equal ones, that of the split nearest to the root. It returns -1 if
// there is none, or if the tree is feasible.
func (s *columnSearch) column(n *columnNode) int {
	if n.r.Tree == nil {
		return -1
	}
	_, used, price := s.used(n.r.Tree)
	if used <= s.most && price == 0 {
		return -1
	}
	best := -1
	for i := range n.r.Tree.Nodes {
		split := n.r.Tree.Nodes[i].Split
		if split == nil {
			continue
		}
		if c := s.of[split.Terms[0].Feature]; !n.paid[c] && (best < 0 || s.price[c] > s.price[best]) {
			best = c
		}
	}
	if best >= 0 && used <= s.most && s.price[best] == 0 {
		return -1 // the remaining columns cost nothing
	}
	return best
}

// finish returns the result, including the prices of columns.
func (s *columnSearch) finish(bound float64) *Result {
	r := &Result{Objective: math.Inf(1), Status: mio.NoSolution, Bound: bound, Gap: math.Inf(1), Evaluations: s.evals, Work: s.work}
	switch {
	case s.best != nil:
		r.Tree, r.Objective, r.Prices = s.best.Tree, s.value, s.best.Prices
		r.Tree.Annotate(s.ds)
		r.Bound, r.Status = min(bound, s.value), mio.Feasible
		if s.closes(r.Bound) {
			r.Bound, r.Status = r.Objective, mio.Optimal
		}
		r.Gap = mio.Gap(r.Objective, r.Bound)
	case bound == math.Inf(1):
		r.Status = mio.Infeasible
		for i := range s.o.Rows {
			r.Broken = append(r.Broken, s.o.Rows[i].Text)
		}
	}
	if r.Status == mio.Feasible || r.Status == mio.NoSolution {
		if r.Limit = mio.LimitOf(s.ctx); r.Limit == mio.NoLimit && s.stop() {
			r.Limit = mio.LimitIterations
		}
		if r.Limit == mio.NoLimit {
			r.Blurred = s.blurred
		}
	}
	r.Runtime = time.Since(s.began)
	return r
}
