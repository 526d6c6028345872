package cart

import (
	"container/heap"
	"context"
	"errors"
	"math"
	"slices"
	"sort"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/tree"
)

// Step is one subtree of a cost-complexity sequence.
type Step struct {
	Alpha  float64 // smallest complexity at which this is the smallest best subtree
	Splits int
	Risk   float64 // risk of the leaves, relative to the total weight
}

// Path is the weakest-link sequence of a tree: the nested subtrees that minimise risk +
// alpha*splits for alpha from 0 to infinity (Breiman et al. 1984, chapter 3). Steps are sorted by
// Alpha; the first is alpha 0, the last the single leaf.
type Path struct {
	Steps []Step

	tree *tree.Tree
	cut  []float64 // (nodes) the alpha at which a branch node becomes a leaf
}

// CostComplexity computes the weakest-link sequence of an annotated tree. The risk of a leaf is its
// loss by the criterion, relative to the total weight. Misclassification gives Breiman's error rate
// (for data with costs, the cost of the predictions above the minimum cost of each row); Gini and
// Entropy give the risk of scikit-learn's ccp_alpha for trees grown by them. A subtree is obtained
// by replacing branch nodes by leaves of their majority class; of equally good subtrees the
// smallest counts.
//
// It costs O(nodes x (depth + log nodes)).
func CostComplexity(t *tree.Tree, c tree.Criterion) (*Path, error) {
	for i := range t.Nodes {
		if t.Nodes[i].Weight == nil {
			return nil, errors.New("cost-complexity pruning: the tree is not annotated with training weights")
		}
	}
	return newWeakestLink(t, c).run(), nil
}

// Subtree returns the smallest subtree that minimises risk + alpha*splits. An alpha that equals
// that of a step up to rounding gives the step's subtree.
func (p *Path) Subtree(alpha float64) *tree.Tree {
	return p.tree.Prune(func(i int) bool { return p.isLeaf(i, alpha) })
}

// isLeaf reports whether branch node i, if it is in Subtree(alpha), is a leaf there.
func (p *Path) isLeaf(i int, alpha float64) bool { return p.cut[i] <= alpha+sameAlpha }

// weakestLink repeatedly prunes the branch node whose subtree lowers the risk least per split: g =
// (own risk - risk below) / splits below.
type weakestLink struct {
	tree   *tree.Tree
	parent []int
	risk   []float64 // (nodes) as a leaf, relative to the total weight
	below  []float64 // (nodes) risk of the leaves of the current subtree
	splits []int     // (nodes) of the current subtree; 0 for a leaf
	cut    []float64
	links  linkHeap
}

// link is a heap entry; it is stale if the node's splits have changed since.
type link struct {
	g            float64
	node, splits int
}

func newWeakestLink(t *tree.Tree, c tree.Criterion) *weakestLink {
	n := len(t.Nodes)
	w := &weakestLink{
		tree: t, parent: make([]int, n), risk: make([]float64, n),
		below: make([]float64, n), splits: make([]int, n), cut: make([]float64, n),
	}
	total := 0.0
	for _, v := range t.Nodes[0].Weight {
		total += v
	}
	w.parent[0] = -1
	for i := n - 1; i >= 0; i-- { // children come after their parent
		node := &t.Nodes[i]
		if total > 0 {
			w.risk[i] = risk(node, c) / total
		}
		if node.Leaf() {
			w.below[i] = w.risk[i]
			continue
		}
		w.parent[node.Left], w.parent[node.Right] = i, i
		w.sumUp(i)
		w.links = append(w.links, w.link(i))
	}
	heap.Init(&w.links)
	return w
}

// risk returns the loss of a node as a leaf; with costs and misclassification, the cost of its
// prediction.
func risk(n *tree.Node, c tree.Criterion) float64 {
	if n.Excess != nil && c == tree.Misclassification {
		return n.Excess[n.Class]
	}
	return c.Loss(n.Weight)
}

func (w *weakestLink) sumUp(i int) {
	n := &w.tree.Nodes[i]
	w.below[i] = w.below[n.Left] + w.below[n.Right]
	w.splits[i] = 1 + w.splits[n.Left] + w.splits[n.Right]
}

func (w *weakestLink) link(i int) link {
	return link{(w.risk[i] - w.below[i]) / float64(w.splits[i]), i, w.splits[i]}
}

// sameAlpha is the difference below which two complexities are equal: rounding must not split a
// step.
const sameAlpha = 1e-12

func (w *weakestLink) run() *Path {
	p := &Path{tree: w.tree, cut: w.cut}
	alpha := 0.0
	for w.splits[0] > 0 {
		next := w.links[0]
		if next.splits != w.splits[next.node] {
			heap.Pop(&w.links) // stale, or pruned together with an ancestor
			continue
		}
		if next.g > alpha+sameAlpha {
			p.Steps = append(p.Steps, Step{alpha, w.splits[0], w.below[0]})
			alpha = next.g
		}
		heap.Pop(&w.links)
		w.prune(next.node, alpha)
	}
	p.Steps = append(p.Steps, Step{alpha, 0, w.below[0]})
	return p
}

func (w *weakestLink) prune(at int, alpha float64) {
	for stack := []int{at}; len(stack) > 0; {
		i := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if w.splits[i] == 0 {
			continue
		}
		w.splits[i], w.cut[i] = 0, alpha
		n := &w.tree.Nodes[i]
		stack = append(stack, n.Left, n.Right)
	}
	w.below[at] = w.risk[at]
	for i := w.parent[at]; i >= 0; i = w.parent[i] {
		w.sumUp(i)
		heap.Push(&w.links, w.link(i))
	}
}

// linkHeap has the weakest link on top; of equal ones the node nearest to the root, so that they
// are pruned together.
type linkHeap []link

func (h linkHeap) Len() int { return len(h) }
func (h linkHeap) Less(a, b int) bool {
	if h[a].g != h[b].g {
		return h[a].g < h[b].g
	}
	return h[a].node < h[b].node
}
func (h linkHeap) Swap(a, b int) { h[a], h[b] = h[b], h[a] }
func (h *linkHeap) Push(x any)   { *h = append(*h, x.(link)) }
func (h *linkHeap) Pop() any {
	old := *h
	x := old[len(old)-1]
	*h = old[:len(old)-1]
	return x
}

// Estimate is a subtree of the cost-complexity sequence with its cross-validated risk.
type Estimate struct {
	Step
	Beta    float64 // complexity at which the folds' trees were pruned; +Inf for the single leaf
	CVRisk  float64 // error weight on the held-out rows, relative to the total weight
	CVError float64 // standard error of CVRisk
}

// crossValidate estimates the risk of each step of the path of a tree grown on ds by o (Breiman et
// al. 1984, section 3.4.2): one tree per fold, grown on the other rows, pruned at the geometric
// means of neighbouring complexities. It returns nil if the context ended it.
func crossValidate(ctx context.Context, ds *dataset.Dataset, o Options, path *Path) ([]Estimate, error) {
	folds, err := ds.Folds(o.Folds, o.Seed)
	if err != nil {
		return nil, err
	}
	steps := path.Steps
	betas := make([]float64, len(steps))
	for i := range steps {
		betas[i] = math.Inf(1)
		if i+1 < len(steps) {
			betas[i] = math.Sqrt(steps[i].Alpha * steps[i+1].Alpha)
		}
	}
	risk := make([]float64, len(steps))
	grow := o
	grow.Folds, grow.Complexity, grow.Presort = 0, 0, nil
	for _, fold := range folds {
		var stats Stats
		t := growTree(ctx, ds.Subset(ds.Complement(fold)), grow, &stats)
		if stats.Stopped || ctx.Err() != nil {
			return nil, nil
		}
		path, err := CostComplexity(t, tree.Misclassification)
		if err != nil {
			return nil, err
		}
		for i, e := range path.errorsAt(betas, ds, fold) {
			risk[i] += e
		}
	}
	weight := 0.0
	for _, w := range ds.Weight {
		weight += w
	}
	inverse := inverseRows(ds, allRows(ds.N()))
	out := make([]Estimate, len(steps))
	for i, s := range steps {
		r := max(0, risk[i]/weight)
		out[i] = Estimate{s, betas[i], r, standardError(r, inverse)}
	}
	return out, nil
}

// inverseRows returns sum w^2/(sum w)^2 over the rows: 1/n if the weights are equal.
func inverseRows[I int | int32](ds *dataset.Dataset, rows []I) float64 {
	weight, squares := 0.0, 0.0
	for _, i := range rows {
		weight += ds.Weight[i]
		squares += ds.Weight[i] * ds.Weight[i]
	}
	return squares / (weight * weight)
}

// standardError returns the standard error of a proportion r among rows with the given inverseRows.
func standardError(r, inverse float64) float64 { return math.Sqrt(max(0, r*(1-r)) * inverse) }

// simplestWithin returns the last of the risks, which belong to ever smaller trees, that is within
// se standard errors of the minimum.
func simplestWithin(risks []float64, se, inverse float64) int {
	least := slices.Min(risks)
	limit := least + se*standardError(least, inverse) + 1e-12
	for i := len(risks) - 1; ; i-- {
		if risks[i] <= limit {
			return i
		}
	}
}

// errorsAt returns, for each of the ascending alphas, the error weight of Subtree(alpha) on the
// given rows: one walk down the tree per row.
func (p *Path) errorsAt(alphas []float64, ds *dataset.Dataset, rows []int) []float64 {
	change := make([]float64, len(alphas)+1)
	first := func(node int) int {
		return sort.Search(len(alphas), func(a int) bool { return p.isLeaf(node, alphas[a]) })
	}
	for _, i := range rows {
		x := ds.Row(i)
		// A node predicts for the alphas from its own cut on, below its parent's.
		for at, end := 0, len(alphas); ; {
			n := &p.tree.Nodes[at]
			from := 0
			if !n.Leaf() {
				from = min(first(at), end)
			}
			if _, v := ds.LossOf(int(i), n.Class); v > 0 {
				change[from] += v
				change[end] -= v
			}
			if from == 0 {
				break
			}
			end = from
			if n.Split.Left(x) {
				at = n.Left
			} else {
				at = n.Right
			}
		}
	}
	sum := 0.0
	for a := range alphas {
		sum += change[a]
		change[a] = sum
	}
	return change[:len(alphas)]
}

// allRows returns 0..n-1.
func allRows(n int) []int32 {
	rows := make([]int32, n)
	for i := range rows {
		rows[i] = int32(i)
	}
	return rows
}

// PruneByHoldout returns the smallest cost-complexity subtree of t whose error weight on the given
// rows of ds, on which t was not grown, is within se standard errors of the minimum. t must be
// annotated with training weights.
func PruneByHoldout(t *tree.Tree, ds *dataset.Dataset, rows []int, se float64) (*tree.Tree, error) {
	path, err := CostComplexity(t, tree.Misclassification)
	if err != nil {
		return nil, err
	}
	alphas := make([]float64, len(path.Steps))
	for i, s := range path.Steps {
		alphas[i] = s.Alpha
	}
	weight := 0.0
	for _, i := range rows {
		weight += ds.Weight[i]
	}
	risks := path.errorsAt(alphas, ds, rows)
	for i := range risks {
		risks[i] /= weight
	}
	return path.Subtree(alphas[simplestWithin(risks, se, inverseRows(ds, rows))]), nil
}

// BestSubtree returns the best tree obtained from t by replacing branch nodes by leaves of their
// majority class on ds. It minimises the OCT objective errorWeight/Lhat + alpha*splits
// (tree.Objective) subject to maximum depth and number of splits; negative: no limit. Of equally
// good subtrees it takes one with the fewest splits. Leaves of t keep their class. The result is
// annotated with ds. If t satisfies a minimum leaf weight, so does the result.
//
// The result is exact: dynamic programming over nodes, and over nodes x splits only if maxSplits
// binds, in O(nodes x maxSplits) memory and times that in time.
func BestSubtree(ds *dataset.Dataset, t *tree.Tree, alpha float64, depth, maxSplits int) *tree.Tree {
	a := t.Clone()
	a.Annotate(ds)
	s := newSubtreeSearch(a, alpha*tree.ErrorScale(ds), depth)
	if ds.Kind() == dataset.Numbers {
		s.leaf = lossesOfNumbers(ds, a)
		s.penalty, s.tolerance = alpha*s.leaf[0], 1e-12*s.leaf[0]
	}
	keep, splits := s.unlimited()
	if maxSplits >= 0 && splits > maxSplits {
		keep = s.limited(maxSplits)
	}
	return a.Prune(func(i int) bool { return !keep[i] })
}

// subtreeSearch chooses the branch nodes to keep. All values are weights.
type subtreeSearch struct {
	tree      *tree.Tree
	penalty   float64   // per split
	tolerance float64   // rounding: values closer than this are equal
	may       []bool    // (nodes) branch nodes above the depth limit
	leaf      []float64 // (nodes) error weight as a leaf; with costs, its cost above the minimum cost of each row
}

func newSubtreeSearch(t *tree.Tree, penalty float64, depth int) *subtreeSearch {
	s := &subtreeSearch{tree: t, penalty: penalty, may: make([]bool, len(t.Nodes)), leaf: make([]float64, len(t.Nodes))}
	level := make([]int, len(t.Nodes))
	for i := range t.Nodes {
		n := &t.Nodes[i]
		s.leaf[i] = n.Loss()
		if !n.Leaf() {
			level[n.Left], level[n.Right] = level[i]+1, level[i]+1
			s.may[i] = depth < 0 || level[i] < depth
		}
	}
	scale := t.Nodes[0].Weight
	if t.Nodes[0].Excess != nil {
		scale = t.Nodes[0].Excess
	}
	for _, w := range scale {
		s.tolerance += 1e-12 * w
	}
	return s
}

// lossesOfNumbers are the losses of the nodes of an annotated tree as leaves, of numbers scaled by the largest difference from the mean. (nodes)
func lossesOfNumbers(ds *dataset.Dataset, t *tree.Tree) []float64 {
	mean, most := ds.Mean(), math.SmallestNonzeroFloat64
	for _, y := range ds.Target {
		most = max(most, math.Abs(y-mean))
	}
	lost := make([]float64, len(t.Nodes))
	for i := range ds.N() {
		x := ds.Row(i)
		for at := 0; ; {
			n := &t.Nodes[at]
			lost[at] += ds.Weight[i] * dataset.NumberLoss((ds.Target[i]-*n.Value)/most, ds.Quantile)
			if n.Leaf() {
				break
			}
			if at = n.Right; n.Split.Left(x) {
				at = n.Left
			}
		}
	}
	return lost
}

// unlimited returns the branch nodes of the best subtree with any number of splits, and that
// number. By induction from the leaves, each node has the minimum cost below it and, among such
// subtrees, the fewest splits.
func (s *subtreeSearch) unlimited() (keep []bool, splits int) {
	n := len(s.tree.Nodes)
	keep = make([]bool, n)
	cost, count := make([]float64, n), make([]int, n)
	for i := n - 1; i >= 0; i-- {
		cost[i] = s.leaf[i]
		if !s.may[i] {
			continue
		}
		l, r := s.tree.Nodes[i].Left, s.tree.Nodes[i].Right
		if c := cost[l] + cost[r] + s.penalty; c < cost[i]-s.tolerance {
			keep[i], cost[i], count[i] = true, c, 1+count[l]+count[r]
		}
	}
	return keep, count[0]
}

// limited returns the branch nodes of the best subtree with at most limit splits. err[i][c] is the
// minimum error weight below node i with exactly c splits, +Inf if there is no such subtree.
func (s *subtreeSearch) limited(limit int) []bool {
	n := len(s.tree.Nodes)
	errs := make([][]float64, n)
	toLeft := make([][]int32, n) // toLeft[i][c]: of the c-1 splits below i, those on the left
	for i := n - 1; i >= 0; i-- {
		if !s.may[i] {
			errs[i] = []float64{s.leaf[i]}
			continue
		}
		l, r := errs[s.tree.Nodes[i].Left], errs[s.tree.Nodes[i].Right]
		most := min(limit, len(l)+len(r)-1)
		errs[i], toLeft[i] = make([]float64, most+1), make([]int32, most+1)
		errs[i][0] = s.leaf[i]
		for c := 1; c <= most; c++ {
			errs[i][c] = math.Inf(1)
			for a := max(0, c-len(r)); a < min(c, len(l)); a++ {
				if e := l[a] + r[c-1-a]; e < errs[i][c] {
					errs[i][c], toLeft[i][c] = e, int32(a)
				}
			}
		}
	}
	best, at := errs[0][0], 0
	for c, e := range errs[0] {
		if v := e + s.penalty*float64(c); v < best-s.tolerance {
			best, at = v, c
		}
	}
	keep := make([]bool, n)
	type part struct{ node, splits int }
	for stack := []part{{0, at}}; len(stack) > 0; {
		p := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if p.splits == 0 {
			continue
		}
		keep[p.node] = true
		a := int(toLeft[p.node][p.splits])
		node := &s.tree.Nodes[p.node]
		stack = append(stack, part{node.Left, a}, part{node.Right, p.splits - 1 - a})
	}
	return keep
}
