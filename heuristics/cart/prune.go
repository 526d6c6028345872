package cart

import (
	"container/heap"
	"errors"

	"github.com/octgen/octgen/tree"
)

// Step is one subtree of a cost-complexity sequence.
type Step struct {
	Alpha  float64 // least complexity at which this is the smallest best subtree
	Splits int
	Risk   float64 // risk of the leaves, relative to the total weight
}

// Path is the weakest-link sequence of a tree: the nested subtrees that
// minimise risk + alpha*splits for alpha from 0 to infinity (Breiman et al.
// 1984, chapter 3). Steps ascend in Alpha, the first is alpha 0, the last the
// single leaf.
type Path struct {
	Steps []Step

	tree *tree.Tree
	cut  []float64 // (nodes) the alpha at which a branch node becomes a leaf
}

// CostComplexity computes the weakest-link sequence of an annotated tree.
// The risk of a leaf is its loss by the criterion, relative to the total
// weight: Misclassification gives Breiman's error rate (of data with costs, what answers
// cost above the least cost of each row), Gini or Entropy what
// scikit-learn's ccp_alpha means for a tree grown by them. Subtrees arise by
// turning branch nodes into leaves of their majority class; of equally good
// subtrees the smallest counts.
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

// Subtree returns the smallest subtree that minimises risk + alpha*splits. An
// alpha that is that of a step but for rounding has the step's subtree.
func (p *Path) Subtree(alpha float64) *tree.Tree {
	return p.tree.Prune(func(i int) bool { return p.isLeaf(i, alpha) })
}

// isLeaf says whether branch node i, if Subtree(alpha) has it, is a leaf there.
func (p *Path) isLeaf(i int, alpha float64) bool { return p.cut[i] <= alpha+sameAlpha }

// weakestLink prunes, again and again, the branch node whose subtree lowers
// the risk least per split: g = (own risk - risk below) / splits below.
type weakestLink struct {
	tree   *tree.Tree
	parent []int
	risk   []float64 // (nodes) as a leaf, relative to the total weight
	below  []float64 // (nodes) risk of the leaves of the present subtree
	splits []int     // (nodes) of the present subtree; 0 for a leaf
	cut    []float64
	links  linkHeap
}

// link is a heap entry; it is stale where the node's splits have changed since.
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

// risk is the loss of a node as a leaf; with costs, of its errors what its answer costs.
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

// sameAlpha is the difference below which two complexities are one: rounding
// must not split a step.
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

// linkHeap has the weakest link on top; of equal ones the node nearest to the
// root, so that they go together.
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
