// Package score has the figures by which the predictions of trees are judged:
// confusion matrix, precision, recall and F1 of each class, balanced error, area under
// the ROC curve, log loss, and McNemar's test of two trees. docs/metrics.md defines
// them; where scikit-learn has the same figure, the numbers agree.
//
// Counts are source rows (Dataset.Count). Rates are of weights, as scikit-learn's are
// with sample_weight: those of the weight column, 1 without one. Class weights are a
// means of fitting and are left out. The shares that AUC and log loss are of are those
// of the training weight at the leaf, class weights included.
package score
