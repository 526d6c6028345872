package score

import (
	"math"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/tree"
)

// Numbers say how a tree predicts numbers, by the weights of the rows. Their JSON form is part of `octgen fit --json`.
type Numbers struct {
	RMSE float64  `json:"rmse"`      // square root of the mean squared error
	MAE  float64  `json:"mae"`       // mean absolute error
	R2   *float64 `json:"r2"`        // 1 - squared error / that of the rows' own mean; nil if they have one number
	Mean float64  `json:"mean_rmse"` // RMSE of the mean of the training rows as the only answer
}

// NumbersOf returns the figures of t on ds; nil for data without numbers, and for no rows. Differences are scaled before they are squared, so
// that neither huge nor tiny ones are lost.
func NumbersOf(t *tree.Tree, ds *dataset.Dataset) *Numbers {
	if ds.Kind() != dataset.Numbers || ds.N() == 0 {
		return nil
	}
	n := ds.N()
	own, off, byMean, byOwn := ds.Mean(), make([]float64, n), make([]float64, n), make([]float64, n)
	for i, y := range ds.Target {
		off[i], byMean[i], byOwn[i] = y-t.Value(ds.Row(i)), y-*t.Nodes[0].Value, y-own
	}
	s := &Numbers{RMSE: rootMeanSquare(off, ds.Weight), Mean: rootMeanSquare(byMean, ds.Weight)}
	total := 0.0
	for i, d := range off {
		total += ds.Weight[i]
		s.MAE += (math.Abs(d) - s.MAE) * ds.Weight[i] / total
	}
	if of := rootMeanSquare(byOwn, ds.Weight); of > 0 {
		r2 := 1 - (s.RMSE/of)*(s.RMSE/of)
		s.R2 = &r2
	}
	return s
}

// rootMeanSquare is that of v by weight.
func rootMeanSquare(v, weight []float64) float64 {
	most := 0.0
	for _, x := range v {
		most = max(most, math.Abs(x))
	}
	if most == 0 {
		return 0
	}
	sum, total := 0.0, 0.0
	for i, x := range v {
		sum += weight[i] * (x / most) * (x / most)
		total += weight[i]
	}
	return most * math.Sqrt(sum/total)
}
