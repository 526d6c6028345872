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
	Mean float64  `json:"mean_rmse"` // RMSE of the best single answer to the training rows

	// Of trees that predict a quantile q: the mean of q (y - answer) where y is above it, else (1 - q) (answer - y), and that of the
	// best single answer to the training rows.
	Quantile float64  `json:"quantile,omitempty"`
	Loss     *float64 `json:"quantile_loss,omitempty"`
	Single   *float64 `json:"single_quantile_loss,omitempty"`
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
	if q := ds.Quantile; q > 0 {
		loss, single := meanQuantileLoss(off, ds.Weight, q), meanQuantileLoss(byMean, ds.Weight, q)
		s.Quantile, s.Loss, s.Single = q, &loss, &single
	}
	if of := rootMeanSquare(byOwn, ds.Weight); of > 0 {
		r2 := 1 - (s.RMSE/of)*(s.RMSE/of)
		s.R2 = &r2
	}
	return s
}

// meanQuantileLoss is that of numbers v above their answers, by weight.
func meanQuantileLoss(v, weight []float64, q float64) float64 {
	mean, total := 0.0, 0.0
	for i, d := range v {
		total += weight[i]
		mean += (dataset.NumberLoss(d, q) - mean) * weight[i] / total
	}
	return mean
}

// Objective is the loss over that of the best single answer, and alpha for each split.
func (n *Numbers) Objective(alpha float64, splits int) float64 {
	loss := 0.0
	switch {
	case n.Single != nil:
		if *n.Single > 0 {
			loss = *n.Loss / *n.Single
		}
	case n.Mean > 0:
		loss = (n.RMSE / n.Mean) * (n.RMSE / n.Mean)
	}
	return loss + alpha*float64(splits)
}

// LossOf is what a tree loses on ds: error weight, with costs the excess cost; of numbers the loss as a part of that of the best single
// answer to the rows that the tree was learned from.
func LossOf(t *tree.Tree, ds *dataset.Dataset) float64 {
	switch {
	case ds.Kind() != dataset.Numbers:
		return t.Evaluate(ds).Excess
	case ds.N() == 0:
		return 0
	}
	return NumbersOf(t, ds).Objective(0, 0)
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
