package score

import (
	"cmp"
	"math"
	"slices"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/tree"
)

// Figures say how a tree predicts labelled rows, beyond the share of wrong ones. Their
// JSON form is part of `octgen fit --json`: a contract. What cannot be said is nil.
type Figures struct {
	Confusion *Confusion `json:"confusion,omitempty"`
	PerClass  []Class    `json:"per_class,omitempty"` // (K)

	// BalancedError is the mean over the classes with rows of the share of their weight
	// that is predicted wrongly.
	BalancedError *float64 `json:"balanced_error"`

	// AUC is the area under the ROC curve of the leaves' shares, ties counted half: of
	// two classes that of the second, of more the mean over all classes that have rows of
	// each against the rest. nil where only one class has rows, or where a row reaches a
	// leaf without training rows, which has no shares.
	AUC *float64 `json:"auc"`

	// LogLoss is the mean, by weight, of -log of the share that the leaf of a row gives
	// to its class, in nats; shares are clipped at 1e-15. nil where a row reaches a leaf
	// without training rows.
	LogLoss *float64 `json:"log_loss"`
}

// Class has the figures of one class against the rest.
type Class struct {
	Class       string   `json:"class"`
	Precision   *float64 `json:"precision"`   // share of what is predicted as the class that is of it; nil for nothing
	Recall      *float64 `json:"recall"`      // share of the class that is predicted as it; nil for no row of it
	Specificity *float64 `json:"specificity"` // share of the other classes that is not predicted as it; nil for no row of them
	F1          *float64 `json:"f1"`          // harmonic mean of the two; 0 where nothing is right, nil for no row either way
}

// Of returns the figures of t on ds, which has its features and classes (it panics
// else). Of no rows there are none. Shares of classes at leaves are those of the
// weights that t is annotated with.
func Of(t *tree.Tree, ds *dataset.Dataset) Figures {
	if ds.P() != len(t.Features) || ds.K() != len(t.Classes) {
		panic("score: the dataset has not the features and classes of the tree")
	}
	if ds.N() == 0 {
		return Figures{}
	}
	c := count(t, ds)
	weight := c.byPrediction(c.weight).margins()
	f := Figures{
		Confusion:     c.byPrediction(c.rows).confusion(t.Classes),
		PerClass:      perClass(t.Classes, weight),
		BalancedError: balancedError(weight),
	}
	if shares, ok := c.shares(); ok {
		f.AUC, f.LogLoss = c.auc(shares), c.logLoss(shares)
	}
	return f
}

// perClass has the figures of each class, of weights.
func perClass(classes []string, weight []Margin) []Class {
	all := make([]Class, len(classes))
	total := 0.0
	for _, w := range weight {
		total += w.Rows
	}
	for k, w := range weight {
		others := total - w.Rows
		all[k] = Class{Class: classes[k], Precision: ratio(w.Right, w.Predicted), Recall: ratio(w.Right, w.Rows), Specificity: ratio(others-(w.Predicted-w.Right), others), F1: ratio(2*w.Right, w.Rows+w.Predicted)}
	}
	return all
}

// balancedError is the mean share of a class that is wrong, of weights.
func balancedError(weight []Margin) *float64 {
	wrong, classes := 0.0, 0.0
	for _, w := range weight {
		if recall := ratio(w.Right, w.Rows); recall != nil {
			wrong += 1 - *recall
			classes++
		}
	}
	return ratio(wrong, classes)
}

// ratio is a/b, nil for b = 0.
func ratio(a, b float64) *float64 {
	if b == 0 {
		return nil
	}
	v := a / b
	return &v
}

// MatrixClasses is the largest number of classes whose confusion matrix is written in
// full: 250,000 numbers. Beyond it the entries that are not 0 are listed, of which there
// are no more than rows.
const MatrixClasses = 500

// Confusion is a confusion matrix: source rows by true and predicted class. It has Counts,
// or Cells for more than MatrixClasses classes.
type Confusion struct {
	Classes []string    `json:"classes"`          // (K)
	Counts  [][]float64 `json:"counts,omitempty"` // (K, K) source rows, true by predicted
	Cells   []Cell      `json:"cells,omitempty"`  // the entries that are not 0, by true and then by predicted class
}

// Cell is an entry of a confusion matrix. True and Predicted are indices of Classes.
type Cell struct {
	True      int     `json:"true"`
	Predicted int     `json:"predicted"`
	Rows      float64 `json:"rows"`
}

// Margin has the sums of a confusion matrix for one class.
type Margin struct {
	Rows, Predicted, Right float64 // rows of the class, rows predicted as it, rows that are both
}

// Margins returns the sums for each class. (K)
func (c *Confusion) Margins() []Margin {
	m := make([]Margin, len(c.Classes))
	add := func(y, k int, rows float64) {
		m[y].Rows += rows
		m[k].Predicted += rows
		if y == k {
			m[k].Right += rows
		}
	}
	for y, row := range c.Counts {
		for k, rows := range row {
			add(y, k, rows)
		}
	}
	for _, cell := range c.Cells {
		add(cell.True, cell.Predicted, cell.Rows)
	}
	return m
}

// table has sums by true and predicted class, without the columns of classes that no leaf
// predicts.
type table struct {
	predicted []int       // classes of the columns, ascending
	of        [][]float64 // (K, columns)
}

// byPrediction adds up the rows or weights of leaves that predict the same class.
func (c *tally) byPrediction(of [][]float64) *table {
	t := &table{of: make([][]float64, len(c.tree.Classes))}
	for i := range of {
		if of[i] != nil {
			t.predicted = append(t.predicted, c.tree.Nodes[i].Class)
		}
	}
	slices.Sort(t.predicted)
	t.predicted = slices.Compact(t.predicted)
	for y := range t.of {
		t.of[y] = make([]float64, len(t.predicted))
	}
	for i, leaf := range of {
		column, _ := slices.BinarySearch(t.predicted, c.tree.Nodes[i].Class)
		for y, v := range leaf {
			t.of[y][column] += v
		}
	}
	return t
}

// margins returns the sums for each class. (K)
func (t *table) margins() []Margin {
	m := make([]Margin, len(t.of))
	for y, row := range t.of {
		m[y].Rows = add(row)
		for column, k := range t.predicted {
			m[k].Predicted += row[column]
			if k == y {
				m[k].Right = row[column]
			}
		}
	}
	return m
}

// confusion returns the matrix of a table of rows.
func (t *table) confusion(classes []string) *Confusion {
	c := &Confusion{Classes: classes}
	if len(classes) > MatrixClasses {
		for y, row := range t.of {
			for column, rows := range row {
				if rows > 0 {
					c.Cells = append(c.Cells, Cell{y, t.predicted[column], rows})
				}
			}
		}
		return c
	}
	c.Counts = make([][]float64, len(classes))
	for y, row := range t.of {
		c.Counts[y] = make([]float64, len(classes))
		for column, rows := range row {
			c.Counts[y][t.predicted[column]] = rows
		}
	}
	return c
}

// Shares returns the share of each class in the training weight at each leaf, which is
// what trees have for probabilities: nodes by K, nil for a branch node and for a leaf
// that no training row reached. They are probabilities only as far as the training
// weights are frequencies: class weights and a chosen sample shift them.
func Shares(t *tree.Tree) [][]float64 {
	shares := make([][]float64, len(t.Nodes))
	for i := range t.Nodes {
		n := &t.Nodes[i]
		all := add(n.Weight)
		if !n.Leaf() || !(all > 0) {
			continue
		}
		shares[i] = make([]float64, len(t.Classes))
		for k, w := range n.Weight {
			shares[i][k] = w / all
		}
	}
	return shares
}

// shares are those of the leaves, false if a row reaches a leaf that has none.
func (c *tally) shares() ([][]float64, bool) {
	shares := Shares(c.tree)
	for i, w := range c.weight {
		if shares[i] == nil && add(w) > 0 {
			return nil, false
		}
	}
	return shares, true
}

// auc is the area of two classes, the mean of the areas of more.
func (c *tally) auc(shares [][]float64) *float64 {
	rest := c.rest()
	if len(c.total) == 2 {
		return c.areaOf(1, shares, rest)
	}
	sum, classes := 0.0, 0.0
	for k := range c.total {
		if area := c.areaOf(k, shares, rest); area != nil {
			sum += *area
			classes++
		}
	}
	return ratio(sum, classes)
}

// rest is the weight of all other classes at each leaf. (nodes, K); nil for a branch node
func (c *tally) rest() [][]float64 {
	rest := make([][]float64, len(c.weight))
	for i, w := range c.weight {
		if w == nil {
			continue
		}
		rest[i] = make([]float64, len(w))
		before, after := 0.0, 0.0
		for k, v := range w {
			rest[i][k] = before
			before += v
		}
		for k := len(w) - 1; k >= 0; k-- {
			rest[i][k] += after
			after += w[k]
		}
	}
	return rest
}

// sameShare is the difference up to which two shares are the same: what rounding makes
// of equal ones.
const sameShare = 1e-12

// areaOf is the area under the curve of class k against the rest: the probability that
// a row of k has a greater share of k than another row, with half of that of an equal
// one. nil without a row of k, or of the rest. Weights are multiplied with each other, so
// they are first divided by the power of two next below their sum: weights of any size have
// the area of ordinary ones, to the last digit.
func (c *tally) areaOf(k int, shares, rest [][]float64) *float64 {
	type group struct{ share, of, rest float64 }
	var groups []group
	all := group{}
	for i, w := range c.weight {
		if shares[i] == nil {
			continue
		}
		groups = append(groups, group{shares[i][k], w[k], rest[i][k]})
		all.of += w[k]
		all.rest += rest[i][k]
	}
	if all.of == 0 || all.rest == 0 {
		return nil
	}
	slices.SortStableFunc(groups, func(a, b group) int { return cmp.Compare(a.share, b.share) })
	unit, restUnit := -math.Ilogb(all.of), -math.Ilogb(all.rest)
	pairs, of, below := 0.0, 0.0, 0.0 // pairs in order; weight so far of k and of the rest
	for at := 0; at < len(groups); {
		same := group{share: groups[at].share}
		for ; at < len(groups) && groups[at].share-same.share <= sameShare; at++ {
			same.of += math.Ldexp(groups[at].of, unit)
			same.rest += math.Ldexp(groups[at].rest, restUnit)
		}
		pairs += same.of * (below + same.rest/2)
		of += same.of
		below += same.rest
	}
	return ratio(pairs, of*below)
}

// leastShare is that at which the log loss clips.
const leastShare = 1e-15

// logLoss is the mean of -log of the share of the true class. Clipped shares are
// divided by their sum, as scikit-learn does.
func (c *tally) logLoss(shares [][]float64) *float64 {
	loss := 0.0
	for i, w := range c.weight {
		if shares[i] == nil {
			continue
		}
		sum := 0.0
		for _, s := range shares[i] {
			sum += clip(s)
		}
		for k, v := range w {
			if v > 0 {
				loss -= v * math.Log(clip(shares[i][k])/sum)
			}
		}
	}
	return ratio(loss, add(c.total))
}

// clip keeps a share away from 0 and 1.
func clip(share float64) float64 { return min(max(share, leastShare), 1-leastShare) }

// tally is how many rows of each true class reach each leaf: all that the figures need.
type tally struct {
	tree   *tree.Tree
	rows   [][]float64 // (nodes, K) source rows; nil for a branch node
	weight [][]float64 // (nodes, K) their weight, without class weights
	total  []float64   // (K) weight of each class
}

// count counts the rows of ds at the leaves of t.
func count(t *tree.Tree, ds *dataset.Dataset) *tally {
	k := len(t.Classes)
	c := &tally{tree: t, rows: make([][]float64, len(t.Nodes)), weight: make([][]float64, len(t.Nodes)), total: make([]float64, k)}
	for i := range t.Nodes {
		if t.Nodes[i].Leaf() {
			c.rows[i], c.weight[i] = make([]float64, k), make([]float64, k)
		}
	}
	factor := classFactors(ds)
	for i, y := range ds.Y {
		leaf, w := t.Find(ds.Row(i)), ds.Weight[i]/factor[y]
		c.rows[leaf][y] += ds.Count[i]
		c.weight[leaf][y] += w
		c.total[y] += w
	}
	return c
}

// classFactors are the class weights in the weights of ds. (K)
func classFactors(ds *dataset.Dataset) []float64 {
	if ds.Encoder != nil && ds.Encoder.ClassWeight != nil {
		return ds.Encoder.ClassWeight
	}
	factors := make([]float64, ds.K())
	for k := range factors {
		factors[k] = 1
	}
	return factors
}

// add adds numbers up from the first to the last.
func add(of []float64) float64 {
	total := 0.0
	for _, v := range of {
		total += v
	}
	return total
}
