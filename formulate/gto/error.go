package gto

import (
	"math"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate/internal/merged"
	"github.com/octgen/octgen/tree"
)

// slack is the decision error up to which the count error considers a margin satisfied. It covers
// only rounding, since Decode restores margins lost to a solver's tolerance.
const slack = 1e-7

// slotError returns the error of a row at a side of a decision, to the power p, from its activity a
// = x.w - gamma (12): (a + 1)_+ for left, (1 - a)_+ for right.
func slotError(slot int, a float64, p int) float64 {
	if slot&1 == 1 {
		a = -a
	}
	e := max(a+1, 0)
	if p == 2 {
		e *= e
	}
	return e
}

// leafError returns LeafErr of Definition 3.1 for a leaf, from the activities of a row at all
// decisions.
func (l *layout) leafError(k int, act []float64, p int) float64 {
	sum := 0.0
	for _, s := range l.leaves[k].path {
		sum += slotError(s, act[s/2], p)
	}
	return sum
}

// keeps reports whether a row satisfies all inequalities of a leaf, one term of (5) or (6); at a tree
// of one decision that is (1).
func (l *layout) keeps(k int, act []float64) bool {
	for _, s := range l.leaves[k].path {
		if slotError(s, act[s/2], 1) > slack {
			return false
		}
	}
	return true
}

// nearest returns the position, among the leaves of a class, of the one with the minimum leaf error
// (the first of equal ones), and that error; -1 and +Inf if the class has no leaf.
func (l *layout) nearest(class int, act []float64, p int) (int, float64) {
	best, least := -1, math.Inf(1)
	for q, k := range l.classes[class].leaves {
		if e := l.leafError(k, act, p); e < least {
			best, least = q, e
		}
	}
	return best, least
}

// kept returns the position, among the leaves of a class, of the one whose inequalities a row
// satisfies, -1 if there is none. There is at most one.
func (l *layout) kept(class int, act []float64) int {
	for q, k := range l.classes[class].leaves {
		if l.keeps(k, act) {
			return q
		}
	}
	return -1
}

// pointError returns the error of a row of a class: (15), (17) or (19). If the class has no leaf,
// the count error of a row is 1, and the other two are infinite.
func (l *layout) pointError(o Objective, class int, act []float64, p int) float64 {
	switch o {
	case CountError:
		if l.kept(class, act) >= 0 {
			return 0
		}
		return 1
	case ProductError:
		if len(l.classes[class].leaves) == 0 {
			return math.Inf(1)
		}
		product := 1.0
		for _, k := range l.classes[class].leaves {
			product *= l.leafError(k, act, p)
		}
		return product
	}
	_, least := l.nearest(class, act, p)
	return least
}

// Measure returns a function that computes the error of trees on ds in training weight: Objective
// times ObjectiveUnit of a formulation of ds, without a structure and without building the
// formulation. Errors: options out of range; data without rows or of one class
// (formulate.ErrSingleLeaf).
func (o Options) Measure(ds *dataset.Dataset) (func(*tree.Tree) float64, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	rows, unit, err := merged.Rows(ds, o.Training)
	if err != nil {
		return nil, err
	}
	o = o.withErrors()
	return func(t *tree.Tree) float64 { return o.errorOf(t, rows) * unit.Size }, nil
}

// errorOf returns the error of t on merged rows, from t's own leaves, in their weight.
func (o Options) errorOf(t *tree.Tree, rows *dataset.Dataset) float64 {
	own := newLayout(StructureOf(t), max(len(t.Classes), rows.K()))
	splits := splitsOf(t)
	act := make([]float64, len(splits))
	sum := 0.0
	for i := range rows.N() {
		x := rows.Row(i)
		for d, s := range splits {
			act[d] = -s.Threshold
			for _, term := range s.Terms {
				act[d] += term.Weight * x[term.Feature]
			}
		}
		sum += rows.Weight[i] * own.pointError(o.Objective, rows.Y[i], act, o.Norm)
	}
	return sum
}

// splitsOf returns the splits of t in the order in which layout numbers decisions.
func splitsOf(t *tree.Tree) []*tree.Split {
	var splits []*tree.Split
	for queue := []int{0}; len(queue) > 0; queue = queue[1:] {
		if n := &t.Nodes[queue[0]]; !n.Leaf() {
			splits = append(splits, n.Split)
			queue = append(queue, n.Left, n.Right)
		}
	}
	return splits
}
