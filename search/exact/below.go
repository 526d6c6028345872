package exact

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/tree"
)

// region is the set of rows at one leaf of the fixed splits, with the trees that may grow there.
// See "Fixed splits" in the package comment.
type region struct {
	at     int // leaf of the fixed tree
	ds     *dataset.Dataset
	pre    *tree.Presort // nil: the search makes one
	scale  float64       // Lhat of its rows
	depth  int           // remaining levels
	splits int           // maximum number of splits, by depth and limit

	leaf  below   // the best leaf
	found []below // by maximum number of splits; entries that were not searched equal the next one
}

// below is the result of searching a region with a limited number of splits, in weight: the value
// of its tree, including the penalty for splits, and a lower bound on all such trees.
type below struct {
	value, bound float64
	tree         *tree.Tree
}

// regions is a search below fixed splits.
type regions struct {
	ctx    context.Context
	o      *Options
	fixed  *tree.Tree // without vacuous splits
	lambda float64
	scale  float64  // Lhat of all rows
	all    []region // by increasing size
	free   int      // splits left for all regions together; -1 for no limit
	since  time.Time
	r      *Result
}

// solveBelow is Solve below the splits of a fixed tree; each of these splits separates rows.
func solveBelow(ctx context.Context, ds *dataset.Dataset, fixed *tree.Tree, o Options, began time.Time) (*Result, error) {
	b := &regions{ctx: ctx, o: &o, fixed: fixed, scale: tree.ErrorScale(ds), free: -1, since: began, r: &Result{Status: mio.Optimal}}
	b.lambda = o.Alpha * b.scale
	if o.MaxSplits > 0 {
		if b.free = o.MaxSplits - fixed.Splits(); b.free < 0 {
			return nil, fmt.Errorf("treesearch: %d fixed splits; the maximum is %d", fixed.Splits(), o.MaxSplits)
		}
	}
	if err := b.divide(ds); err != nil {
		return nil, err
	}
	chosen, bound, err := b.search()
	if err != nil {
		return nil, err
	}
	return b.finish(ds, chosen, bound), nil
}

// divide lays the regions out by increasing size.
func (b *regions) divide(ds *dataset.Dataset) error {
	rows := make([][]int, len(b.fixed.Nodes))
	for i := range ds.N() {
		leaf := b.fixed.Find(ds.Row(i))
		rows[leaf] = append(rows[leaf], i)
	}
	depth := make([]int, len(b.fixed.Nodes))
	for i := range b.fixed.Nodes {
		n := &b.fixed.Nodes[i]
		if !n.Leaf() {
			depth[n.Left], depth[n.Right] = depth[i]+1, depth[i]+1
			continue
		}
		if depth[i] > b.o.Depth {
			return fmt.Errorf("treesearch: the fixed splits have depth %d; the maximum is %d", b.fixed.Depth(), b.o.Depth)
		}
		r := region{at: i, ds: ds.Subset(rows[i]), depth: b.o.Depth - depth[i]}
		r.scale, r.leaf, r.splits = tree.ErrorScale(r.ds), bestLeaf(r.ds), full(r.depth)
		if b.free >= 0 {
			r.splits = min(r.splits, b.free)
		}
		if b.o.Presort != nil {
			r.pre = b.o.Presort.Part(rows[i], r.ds.Y, r.ds.Weight)
		}
		if total := sum(r.ds.Weight); !tree.EnoughWeight(total, b.o.MinLeaf) {
			return fmt.Errorf("treesearch: the minimum leaf weight is %v, but the rows at a leaf of the fixed splits weigh %v", b.o.MinLeaf, total)
		}
		r.found = make([]below, r.splits+1)
		b.all = append(b.all, r)
	}
	slices.SortStableFunc(b.all, func(x, y region) int {
		if x.depth != y.depth {
			return x.depth - y.depth
		}
		return x.ds.N() - y.ds.N()
	})
	return nil
}

// search searches each region. If the trees found have too many splits in total, it searches each
// region with fewer splits. It returns the number of splits of each region's tree, as an index into
// found, and a lower bound in weight on all trees.
func (b *regions) search() (chosen []int, bound float64, err error) {
	used := 0
	for i := range b.all {
		r := &b.all[i]
		if err := b.solve(i, r.splits); err != nil {
			return nil, 0, err
		}
		chosen = append(chosen, r.splits)
		used += r.found[r.splits].tree.Splits()
		bound += r.found[r.splits].bound
	}
	if b.free < 0 || used <= b.free {
		return chosen, bound, nil
	}
	for i := range b.all {
		if err := b.fewer(i); err != nil {
			return nil, 0, err
		}
	}
	chosen, _ = b.share(func(p *below) float64 { return p.value })
	_, bound = b.share(func(p *below) float64 { return p.bound })
	return chosen, bound, nil
}

// fewer searches region i with every number of splits below that of its best tree. A tree with
// fewer splits than the limit allows is also the best for every limit in between.
func (b *regions) fewer(i int) error {
	r := &b.all[i]
	at := r.splits
	for at > 0 {
		used := r.found[at].tree.Splits()
		for ; at > used; at-- {
			r.found[at-1] = r.found[at]
		}
		if at--; at < 0 {
			return nil
		}
		if err := b.solve(i, at); err != nil {
			return err
		}
		r.found[at].bound = max(r.found[at].bound, r.found[at+1].bound) // the next entry bounds more trees
	}
	return nil
}

// share distributes the remaining splits among the regions so that the sum of of over all regions
// is minimal.
func (b *regions) share(of func(*below) float64) (chosen []int, least float64) {
	best := make([]float64, b.free+1) // of the regions so far, by maximum number of splits
	from := make([][]int, len(b.all))
	for i := range b.all {
		found := b.all[i].found
		next := make([]float64, b.free+1)
		from[i] = make([]int, b.free+1)
		for s := range next {
			next[s] = math.Inf(1)
			for own := 0; own <= s && own < len(found); own++ {
				if v := best[s-own] + of(&found[own]); v < next[s] {
					next[s], from[i][s] = v, own
				}
			}
		}
		best = next
	}
	chosen = make([]int, len(b.all))
	left := b.free
	for i := len(b.all) - 1; i >= 0; i-- {
		chosen[i] = from[i][left]
		left -= chosen[i]
	}
	return chosen, best[b.free]
}

// solve searches region i with a maximum number of splits.
func (b *regions) solve(i, splits int) error {
	r := &b.all[i]
	if splits == 0 || r.leaf.value <= 0 {
		r.found[splits] = r.leaf
		b.began(r, splits, r.leaf.value)
		return nil
	}
	o := *b.o
	o.Fixed, o.CART, o.Presort, o.Depth, o.MaxSplits, o.Alpha = nil, nil, r.pre, r.depth, splits, b.lambda/r.scale
	o.WorkLimit = b.workFor(i)
	o.Progress = b.progress(i, splits)
	ctx, cancel := b.timeFor(i)
	defer cancel()
	res, err := Solve(ctx, r.ds, o)
	if err != nil {
		return err
	}
	b.r.Stats.add(&res.Stats)
	b.r.Stats.CacheSize += res.Stats.CacheSize
	b.r.Improved = b.r.Improved || res.Improved
	b.began(r, splits, res.Start*r.scale)
	if res.Status != mio.Optimal {
		b.r.Status = mio.Feasible
		if b.r.Limit == mio.NoLimit {
			b.r.Limit, b.r.Blurred = res.Limit, res.Blurred
		}
	}
	r.found[splits] = below{res.Objective * r.scale, res.Bound * r.scale, res.Tree}
	return nil
}

// began records the value with which the first search of a region begins.
func (b *regions) began(r *region, splits int, value float64) {
	if splits == r.splits {
		b.r.Start += value
	}
}

// bestLeaf returns the best leaf for some rows.
func bestLeaf(ds *dataset.Dataset) below {
	leaf := tree.NewLeaf(ds, 0)
	leaf.Relabel(ds)
	v := leaf.Evaluate(ds).Excess
	return below{v, v, leaf}
}

// timeFor returns the context of a search of region i. If time is limited, it leaves each later
// region as much time as this one.
func (b *regions) timeFor(i int) (context.Context, context.CancelFunc) {
	end, limited := b.ctx.Deadline()
	after := len(b.all) - 1 - i
	if !limited || after == 0 {
		return b.ctx, func() {}
	}
	return context.WithTimeout(b.ctx, time.Until(end)/time.Duration(after+1))
}

// workFor is timeFor for the work limit, 0 for none.
func (b *regions) workFor(i int) int64 {
	if b.o.WorkLimit == 0 {
		return 0
	}
	return max(1, (b.o.WorkLimit-b.r.Stats.Work)/int64(len(b.all)-i))
}

// progress returns a function that reports the effect of a search of region i on the whole tree. It
// reports nothing for a search with fewer splits than possible, because the splits left for the
// other regions are then unknown.
func (b *regions) progress(i, splits int) func(Progress) {
	if b.o.Progress == nil || splits < b.all[i].splits {
		return nil
	}
	others := below{value: b.lambda * float64(b.fixed.Splits())}
	others.bound = others.value
	for j := range b.all {
		switch o := &b.all[j]; {
		case j == i:
		case o.found[o.splits].tree != nil:
			others.value, others.bound = others.value+o.found[o.splits].value, others.bound+o.found[o.splits].bound
		default:
			others.value += o.leaf.value
		}
	}
	scale, stats := b.all[i].scale, b.r.Stats
	return func(p Progress) {
		p.Stats.add(&stats)
		p.Objective, p.Bound = (others.value+p.Objective*scale)/b.scale, (others.bound+p.Bound*scale)/b.scale
		p.Seconds = time.Since(b.since).Seconds()
		b.o.Progress(p)
	}
}

// finish attaches the regions' trees below the fixed splits and scores the whole tree.
func (b *regions) finish(ds *dataset.Dataset, chosen []int, bound float64) *Result {
	r, t := b.r, b.fixed.Clone()
	for i, splits := range chosen {
		t.Graft(b.all[i].at, b.all[i].found[splits].tree)
	}
	t.Annotate(ds)
	r.Tree = t.Subtree(0)
	r.score(ds, b.o)
	price := b.lambda * float64(b.fixed.Splits())
	r.Start = (r.Start + price) / b.scale
	r.Bound = min(r.Objective, (bound+price)/b.scale)
	if r.Status == mio.Optimal {
		r.Bound = r.Objective
	}
	r.Gap = mio.Gap(r.Objective, r.Bound)
	r.Runtime = time.Since(b.since)
	return r
}
