package cart

import (
	"context"
	"math"
	"slices"
	"sort"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/tree"
)

// Estimate is a subtree of the cost-complexity sequence with its
// cross-validated risk.
type Estimate struct {
	Step
	Beta    float64 // complexity at which the folds' trees were pruned; +Inf for the single leaf
	CVRisk  float64 // error weight on the held-out rows, relative to the total weight
	CVError float64 // standard error of CVRisk
}

// crossValidate estimates the risk of each step of the path of a tree grown on
// ds by o (Breiman et al. 1984, section 3.4.2): one tree per fold, grown on the
// other rows, pruned at the geometric means of neighbouring complexities. nil
// where the context ended it.
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

// inverseRows is sum w^2/(sum w)^2 over the rows: 1/n where the weights are equal.
func inverseRows[I int | int32](ds *dataset.Dataset, rows []I) float64 {
	weight, squares := 0.0, 0.0
	for _, i := range rows {
		weight += ds.Weight[i]
		squares += ds.Weight[i] * ds.Weight[i]
	}
	return squares / (weight * weight)
}

// standardError is that of a share r among rows of the given inverseRows.
func standardError(r, inverse float64) float64 { return math.Sqrt(max(0, r*(1-r)) * inverse) }

// simplestWithin returns the last of the risks, which belong to ever smaller
// trees, that is within se standard errors of the least.
func simplestWithin(risks []float64, se, inverse float64) int {
	least := slices.Min(risks)
	limit := least + se*standardError(least, inverse) + 1e-12
	for i := len(risks) - 1; ; i-- {
		if risks[i] <= limit {
			return i
		}
	}
}

// errorsAt returns, for each of the ascending alphas, the error weight of
// Subtree(alpha) on the given rows: one walk down the tree per row.
func (p *Path) errorsAt(alphas []float64, ds *dataset.Dataset, rows []int) []float64 {
	change := make([]float64, len(alphas)+1)
	first := func(node int) int {
		return sort.Search(len(alphas), func(a int) bool { return p.isLeaf(node, alphas[a]) })
	}
	for _, i := range rows {
		x := ds.Row(i)
		// A node answers for the alphas from its own cut on, below its parent's.
		for at, end := 0, len(alphas); ; {
			n := &p.tree.Nodes[at]
			from := 0
			if !n.Leaf() {
				from = min(first(at), end)
			}
			if v := lossOf(ds, int(i), n.Class); v > 0 {
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

// lossOf is what answering a class on a row costs above its least cost: without costs, its
// weight where the answer is wrong.
func lossOf(ds *dataset.Dataset, i, class int) float64 {
	if costs := ds.CostsOf(i); costs != nil {
		_, least := ds.CheapestClass(i)
		return costs[class] - least
	}
	if class == ds.Y[i] {
		return 0
	}
	return ds.Weight[i]
}

// allRows is 0..n-1.
func allRows(n int) []int32 {
	rows := make([]int32, n)
	for i := range rows {
		rows[i] = int32(i)
	}
	return rows
}

// PruneByHoldout returns the smallest cost-complexity subtree of t whose error
// weight on the given rows of ds, which it was not grown on, is within se standard
// errors of the least. t must be annotated with training weights.
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
