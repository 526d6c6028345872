package tree

import (
	"math"

	"github.com/octgen/octgen/dataset"
)

// Losses says how well a tree predicts a dataset. Rows and errors count source
// rows (Dataset.Count), weights are Dataset.Weight.
type Losses struct {
	Rows        float64 // source rows
	Errors      float64 // source rows predicted wrongly
	Weight      float64 // total weight
	ErrorWeight float64 // weight of the rows predicted wrongly
	Accuracy    float64 // 1 - Errors/Rows; 1 for no rows

	// Cost is what the answers cost; ErrorWeight where the data have no costs. Excess is
	// that above the least cost of each row (see [dataset.Dataset.Excess]): what the
	// objective counts.
	Cost, Excess float64
}

// Evaluate predicts every row of ds. It panics where ds has not the features
// and classes of the tree.
func (t *Tree) Evaluate(ds *dataset.Dataset) Losses {
	t.mustFit(ds)
	l := Losses{Accuracy: 1}
	for i, y := range ds.Y {
		l.Rows += ds.Count[i]
		l.Weight += ds.Weight[i]
		class := t.Predict(ds.Row(i))
		if class != y {
			l.Errors += ds.Count[i]
			l.ErrorWeight += ds.Weight[i]
		}
		if ds.Cost != nil {
			_, least := ds.CheapestClass(i)
			cost := ds.CostsOf(i)[class]
			l.Cost += cost
			l.Excess += cost - least
		}
	}
	if ds.Cost == nil {
		l.Cost, l.Excess = l.ErrorWeight, l.ErrorWeight
	}
	if l.Rows > 0 {
		l.Accuracy = 1 - l.Errors/l.Rows
	}
	return l
}

// Baseline returns Lhat = W - max_k W_k: the weight of the errors of the best
// single leaf. With costs it is the least excess cost of a single leaf,
// min_k sum_i (c_ik - min_l c_il).
func Baseline(ds *dataset.Dataset) float64 {
	if ds.Cost != nil {
		total, k := make([]float64, ds.K()), ds.K()
		for at, v := range ds.Excess() {
			total[at%k] += v
		}
		return total[cheapest(total)]
	}
	_, loss := majority(ds.ClassWeights())
	return loss
}

// Objective returns the OCT objective of t on ds, from the tree alone
// (Bertsimas & Dunn 2017, problem (24)):
//
//	errorWeight/Lhat + alpha*splits
//
// with Lhat as in Baseline, and with costs the excess cost instead of the weight. Where Lhat is 0 (all rows of one class) it is
// replaced by 1: the single leaf of that class has objective 0 and is optimal.
func (t *Tree) Objective(ds *dataset.Dataset, alpha float64) float64 {
	return Objective(t.Evaluate(ds).Excess, ErrorScale(ds), alpha, t.Splits())
}

// Objective is the objective of every optimal tree problem here, from a tree's
// figures: errorWeight/scale + alpha*complexity, with costs that of the excess cost
// ([Losses].Excess). scale is Lhat ([ErrorScale]), the
// complexity the number of splits or, of hyperplanes, [Tree.Terms].
func Objective(errorWeight, scale, alpha float64, complexity int) float64 {
	return errorWeight/scale + alpha*float64(complexity)
}

// ErrorScale returns the divisor of the error weight in the OCT objective:
// Baseline(ds), or 1 where that is 0.
func ErrorScale(ds *dataset.Dataset) float64 {
	if l := Baseline(ds); l > 0 {
		return l
	}
	return 1
}

// Annotate fills Weight and Count of every node from the rows of ds, with costs Excess,
// too, and Class of every branch node with its majority class (by weight, with costs the
// class of least cost; the lowest of equal ones). Leaves keep their class, and so does a branch node that no row
// reaches. It panics where ds has not the features and classes of the tree.
func (t *Tree) Annotate(ds *dataset.Dataset) { t.annotate(ds, false) }

// Relabel is Annotate that also gives each leaf its majority class, with costs the class of
// least cost. A leaf
// that no row reaches keeps its class.
func (t *Tree) Relabel(ds *dataset.Dataset) { t.annotate(ds, true) }

func (t *Tree) annotate(ds *dataset.Dataset, leaves bool) {
	t.mustFit(ds)
	k := ds.K()
	perNode := 2
	if ds.Cost != nil {
		perNode = 3
	}
	flat := make([]float64, perNode*k*len(t.Nodes))
	take := func() []float64 {
		s := flat[:k:k]
		flat = flat[k:]
		return s
	}
	for i := range t.Nodes {
		t.Nodes[i].Weight, t.Nodes[i].Count, t.Nodes[i].Excess = take(), take(), nil
		if ds.Cost != nil {
			t.Nodes[i].Excess = take()
		}
	}
	for i, y := range ds.Y {
		n := &t.Nodes[t.Find(ds.Row(i))]
		n.Weight[y] += ds.Weight[i]
		n.Count[y] += ds.Count[i]
		if ds.Cost != nil {
			_, least := ds.CheapestClass(i)
			for c, v := range ds.CostsOf(i) {
				n.Excess[c] += v - least
			}
		}
	}
	for i := len(t.Nodes) - 1; i >= 0; i-- { // children come after their parent
		n := &t.Nodes[i]
		if n.Split != nil {
			l, r := &t.Nodes[n.Left], &t.Nodes[n.Right]
			for c := range k {
				n.Weight[c] = l.Weight[c] + r.Weight[c]
				n.Count[c] = l.Count[c] + r.Count[c]
			}
			for c := range n.Excess {
				n.Excess[c] = l.Excess[c] + r.Excess[c]
			}
		}
		if n.Split != nil || leaves {
			c, _ := majority(n.Weight)
			switch {
			case n.Weight[c] == 0: // no row
			case n.Excess != nil:
				n.Class = cheapest(n.Excess)
			default:
				n.Class = c
			}
		}
	}
	t.annotateRewards(ds)
}

func (t *Tree) mustFit(ds *dataset.Dataset) {
	if ds.P() != len(t.Features) || ds.K() != len(t.Classes) {
		panic("tree: the dataset has not the features and classes of the tree")
	}
}

// majority returns the class of the largest weight, the lowest of equal ones,
// and the weight of all the others.
func majority(weight []float64) (class int, loss float64) {
	most := math.Inf(-1)
	for k, w := range weight {
		if w > most {
			class, most = k, w
		}
	}
	for k, w := range weight {
		if k != class {
			loss += w
		}
	}
	return class, loss
}

// cheapest returns the class of least cost, the lowest of equal ones.
func cheapest(cost []float64) int {
	class := 0
	for k, c := range cost {
		if c < cost[class] {
			class = k
		}
	}
	return class
}
