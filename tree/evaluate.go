package tree

import (
	"fmt"
	"math"
	"slices"

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

	// Cost is what the answers cost, Excess that above the least cost of each row (see
	// [dataset.Loss]): what the objective counts. Of errors both are ErrorWeight.
	Cost, Excess float64
}

// Evaluate predicts every row of ds. It panics where ds has not the features
// and classes of the tree.
func (t *Tree) Evaluate(ds *dataset.Dataset) Losses {
	t.mustFit(ds)
	l, kind := Losses{Accuracy: 1}, ds.Kind()
	for i, y := range ds.Y {
		l.Rows += ds.Count[i]
		l.Weight += ds.Weight[i]
		class := t.Predict(ds.Row(i))
		if class != y {
			l.Errors += ds.Count[i]
			l.ErrorWeight += ds.Weight[i]
		}
		if kind != dataset.Errors { // a call for each row
			cost, excess := ds.LossOf(i, class)
			l.Cost += cost
			l.Excess += excess
		}
	}
	if kind == dataset.Errors {
		l.Cost, l.Excess = l.ErrorWeight, l.ErrorWeight
	}
	if l.Rows > 0 {
		l.Accuracy = 1 - l.Errors/l.Rows
	}
	return l
}

// Objective returns the OCT objective of t on ds, from the tree alone
// (Bertsimas & Dunn 2017, problem (24)):
//
//	errorWeight/Lhat + alpha*splits
//
// with Lhat as in [dataset.Dataset.Baseline], and with costs the excess cost instead of the
// weight. Where Lhat is 0 (all rows of one class) it is replaced by 1: the single leaf of
// that class has objective 0 and is optimal.
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
// the baseline, or 1 where that is 0.
func ErrorScale(ds *dataset.Dataset) float64 {
	if l := ds.Baseline(); l > 0 {
		return l
	}
	return 1
}

// Annotate fills Weight and Count of every node from the rows of ds, Excess and Reward if
// these have them, and Class of every branch node with its majority class (by weight, with
// costs the class of least cost; the lowest of equal ones). Leaves keep their class, and so
// does a branch node that no row reaches. It panics where ds has not the features and
// classes of the tree.
func (t *Tree) Annotate(ds *dataset.Dataset) { t.annotate(ds, false) }

// Relabel is Annotate that also gives each leaf its majority class, with costs the class of
// least cost. A leaf
// that no row reaches keeps its class.
func (t *Tree) Relabel(ds *dataset.Dataset) { t.annotate(ds, true) }

// learnValues gives each node the best answer to its rows; one that no row reaches has that of its parent.
func (t *Tree) learnValues(ds *dataset.Dataset) {
	rows := make([][]int, len(t.Nodes))
	for i := range ds.Y {
		rows[0] = append(rows[0], i)
	}
	for at := range t.Nodes {
		n := &t.Nodes[at]
		if len(rows[at]) > 0 {
			answer := ds.AnswerOf(rows[at])
			n.Value = &answer
		}
		if n.Leaf() {
			continue
		}
		for _, i := range rows[at] {
			to := n.Right
			if n.Split.Left(ds.Row(i)) {
				to = n.Left
			}
			rows[to] = append(rows[to], i)
		}
		t.Nodes[n.Left].Value, t.Nodes[n.Right].Value = n.Value, n.Value
		rows[at] = nil
	}
}

func (t *Tree) annotate(ds *dataset.Dataset, leaves bool) {
	t.mustFit(ds)
	k := ds.K()
	flat := make([]float64, 2*k*len(t.Nodes))
	sums := func(table []float64) []float64 {
		if table == nil {
			return nil
		}
		return make([]float64, k)
	}
	for i := range t.Nodes {
		n := &t.Nodes[i]
		n.Weight, n.Count, flat = flat[:k:k], flat[k:2*k:2*k], flat[2*k:]
		n.Excess, n.Reward = sums(ds.Cost), sums(ds.Reward)
	}
	for i, y := range ds.Y {
		n := &t.Nodes[t.Find(ds.Row(i))]
		n.Weight[y] += ds.Weight[i]
		n.Count[y] += ds.Count[i]
		if n.Excess != nil {
			ds.AddExcess(n.Excess, i)
		}
		for a, r := range ds.RewardsOf(i) {
			n.Reward[a] += ds.Weight[i] * r
		}
	}
	if ds.Kind() == dataset.Numbers {
		t.learnValues(ds)
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
			for a := range n.Reward {
				n.Reward[a] = l.Reward[a] + r.Reward[a]
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

func sum(v []float64) float64 {
	s := 0.0
	for _, x := range v {
		s += x
	}
	return s
}

// IsPolicy reports whether the classes of t are actions: its nodes say what these earn.
func (t *Tree) IsPolicy() bool {
	return t.Nodes[0].Reward != nil || t.Encoder != nil && t.Encoder.Rewards
}

// Loss returns what the class of n loses as the answer for the training rows that reach it:
// the weight of the others, with costs their excess.
func (n *Node) Loss() float64 {
	if n.Excess != nil {
		return n.Excess[n.Class]
	}
	loss := 0.0
	for k, w := range n.Weight {
		if k != n.Class {
			loss += w
		}
	}
	return loss
}

// MeanRewards returns what each action (K) earns per unit of weight if it is taken for the
// training rows that reach n; nil where there are no rewards, or no rows.
func (n *Node) MeanRewards() []float64 {
	all := sum(n.Weight)
	if n.Reward == nil || !(all > 0) {
		return nil
	}
	mean := make([]float64, len(n.Reward))
	for a, r := range n.Reward {
		mean[a] = r / all
	}
	return mean
}

// Criterion measures how far a node is from being of one class, in units of
// weight: the node's weight times the textbook impurity of its class shares.
// The loss of a split is the sum over its two sides.
type Criterion int

const (
	// Gini is w * (1 - sum_k p_k^2) (Breiman et al. 1984); the zero value.
	Gini Criterion = iota
	// Entropy is w * -sum_k p_k log2 p_k (Quinlan 1993), in bits.
	Entropy
	// Misclassification is w * (1 - max_k p_k): the weight of the errors of the
	// best-labelled leaf. The least loss of a split is then the least error of
	// a tree of depth 1.
	Misclassification
)

var criterionNames = [...]string{"gini", "entropy", "misclassification"}

// String returns the criterion's name, as ParseCriterion reads it.
func (c Criterion) String() string {
	if c < 0 || int(c) >= len(criterionNames) {
		return fmt.Sprintf("Criterion(%d)", int(c))
	}
	return criterionNames[c]
}

// ParseCriterion returns the criterion of that name: gini, entropy or
// misclassification.
func ParseCriterion(name string) (Criterion, error) {
	for c, s := range criterionNames {
		if s == name {
			return Criterion(c), nil
		}
	}
	return 0, fmt.Errorf("tree: criterion %q is not one of gini, entropy, misclassification", name)
}

// Valid reports whether c is one of the constants.
func (c Criterion) Valid() bool { return c >= 0 && int(c) < len(criterionNames) }

// Loss returns the loss of a node with the given weight per class.
func (c Criterion) Loss(weight []float64) float64 {
	total := 0.0
	for _, w := range weight {
		total += w
	}
	if total <= 0 {
		return 0
	}
	switch c {
	case Gini:
		squares := 0.0
		for _, w := range weight {
			squares += w * w
		}
		return max(0, total-squares/total)
	case Entropy:
		sum := 0.0
		for _, w := range weight {
			sum += xlogx(w)
		}
		return max(0, xlogx(total)-sum)
	case Misclassification:
		_, loss := majority(weight)
		return loss
	}
	panic("tree: unknown criterion")
}

// xlogx returns v*log2(v), 0 at 0.
func xlogx(v float64) float64 {
	if v <= 0 {
		return 0
	}
	return v * math.Log2(v)
}

// Histogram is how the rows at a branch node lie along the left-hand side of its split:
// a feature, or the weighted sum of a hyperplane. All bins have the same width, and the
// threshold is the border of two, so that the first Below bins hold the rows that go left.
// Min and Max are the least and largest value of the rows.
type Histogram struct {
	Node  int         `json:"node"`
	Min   float64     `json:"min"`
	Max   float64     `json:"max"`
	Below int         `json:"below"`
	Rows  [][]float64 `json:"rows"` // (K, bins) source rows; no bins where no row comes
}

// histogramBins is about how many bins a histogram has, where the values are not fewer.
const histogramBins = 20

// targets is how the numbers of the rows at a leaf lie, in the range of all numbers, for trees that predict them: Below has the
// place of the leaf's answer. False for other trees.
func (n *Node) targets(ds *dataset.Dataset, rows []int32) (Histogram, bool) {
	if n.Value == nil || ds.Target == nil {
		return Histogram{}, false
	}
	h := Histogram{Min: slices.Min(ds.Target), Max: slices.Max(ds.Target), Rows: [][]float64{make([]float64, histogramBins)}}
	span := h.Max - h.Min
	if !(span > 0) || math.IsInf(span, 0) {
		return h, false
	}
	place := func(v float64) int { return max(0, min(histogramBins-1, int((v-h.Min)/span*histogramBins))) }
	for _, i := range rows {
		h.Rows[0][place(ds.Target[i])] += ds.Count[i]
	}
	h.Below = place(*n.Value)
	return h, true
}

// Histograms returns the histograms of the branch nodes, by node, of the rows of ds; of trees that predict numbers also those of
// their leaves, of the numbers. Where
// values lie apart by whole multiples of the least distance, as counts do, each bin has as
// many of them as the others. A node whose values are too far apart for float64 is left
// out. It panics where ds has not the features and classes of the tree.
func (t *Tree) Histograms(ds *dataset.Dataset) []Histogram {
	t.mustFit(ds)
	rows := make([][]int32, len(t.Nodes))
	for i := range ds.N() {
		rows[0] = append(rows[0], int32(i))
	}
	var all []Histogram
	for i := range t.Nodes { // children come after their parent
		n := &t.Nodes[i]
		if n.Split == nil {
			if h, ok := n.targets(ds, rows[i]); ok {
				h.Node = i
				all = append(all, h)
			}
			continue
		}
		for _, r := range rows[i] {
			child := n.Right
			if n.Split.Left(ds.Row(int(r))) {
				child = n.Left
			}
			rows[child] = append(rows[child], r)
		}
		if h, ok := n.Split.histogram(ds, rows[i]); ok {
			h.Node = i
			all = append(all, h)
		}
		rows[i] = nil
	}
	return all
}

// histogram counts the rows of ds that are given by number; false where their values are
// too far apart.
func (s *Split) histogram(ds *dataset.Dataset, rows []int32) (Histogram, bool) {
	h := Histogram{Rows: make([][]float64, ds.K())}
	if ds.Encoder != nil && ds.Encoder.Routes() && s.IsUnivariate() { // missing fields are no numbers
		if math.Abs(s.Threshold) > dataset.MostRouted {
			return h, false
		}
		rows = slices.DeleteFunc(slices.Clone(rows), func(i int32) bool { return math.Abs(s.sum(ds.Row(int(i)))) == dataset.MaxAbs })
	}
	if len(rows) == 0 {
		return h, true
	}
	values := make([]float64, len(rows))
	for k, i := range rows {
		values[k] = s.sum(ds.Row(int(i)))
	}
	h.Min, h.Max = slices.Min(values), slices.Max(values)
	low, high := min(h.Min, s.Threshold), max(h.Max, s.Threshold)
	if span := high - low; math.IsInf(span, 0) || math.IsNaN(span) {
		return h, false
	}
	width := max(binWidth(values), (high-low)/(4*histogramBins)) // the threshold may be far outside
	if width == 0 {
		width = 1
	}
	above := int((high-s.Threshold)/width) + 1
	h.Below = int(math.Ceil((s.Threshold - low) / width))
	for k := range h.Rows {
		h.Rows[k] = make([]float64, h.Below+above)
	}
	for k, i := range rows {
		bin := 0
		if v := values[k]; v < s.Threshold {
			bin = max(0, h.Below-int(math.Ceil((s.Threshold-v)/width)))
		} else {
			bin = h.Below + int((v-s.Threshold)/width)
		}
		h.Rows[ds.Y[i]][bin] += ds.Count[i]
	}
	return h, true
}

// binWidth is the width that bins of the values are to have, a multiple of the least
// distance of two; 0 where all values are the same.
func binWidth(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	gap := math.Inf(1)
	for i, v := range sorted[1:] {
		if d := v - sorted[i]; d > 0 {
			gap = min(gap, d)
		}
	}
	width := (sorted[len(sorted)-1] - sorted[0]) / histogramBins
	if whole := gap * math.Ceil(width/gap); whole <= 2*width || whole == gap && width > 0 {
		return whole
	}
	return width // of a single value, or values too close for their distance to be a unit
}
