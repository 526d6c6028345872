package score

import (
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
	Class     string   `json:"class"`
	Precision *float64 `json:"precision"` // share of what is predicted as the class that is of it; nil for nothing
	Recall    *float64 `json:"recall"`    // share of the class that is predicted as it; nil for no row of it
	F1        *float64 `json:"f1"`        // harmonic mean of the two; 0 where nothing is right, nil for no row either way
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
	for k, w := range weight {
		all[k] = Class{Class: classes[k], Precision: ratio(w.Right, w.Predicted), Recall: ratio(w.Right, w.Rows), F1: ratio(2*w.Right, w.Rows+w.Predicted)}
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
