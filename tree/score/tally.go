package score

import (
	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/tree"
)

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
