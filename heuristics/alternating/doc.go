// Package alternating searches hyperplane trees for the objective of OCT-H (Bertsimas & Dunn 2017,
// section 4) by tree alternating optimization (Carreira-Perpiñán & Tavallali, Alternating
// optimization of decision trees, 2018), with linear programs in place of their classifiers.
//
// The search optimises one node at a time and fixes the rest of the tree. All that matters of a row
// is then its cost on either side: 0 if it ends in a leaf of its class and keeps the margin on its
// path, its weight otherwise. Only rows whose costs on the two sides differ influence the node. The
// linear program of the node (package hinge) minimises the sum of their violations of half the
// margin, under sum |a| <= 1. The rows with the largest violations dominate such a sum. So the
// program is solved several more times, with the rows weighted by 1 / (violation + a small
// constant); in the end, the number of violations counts. A sweep finds the exact best threshold
// for the direction of each solution, and for single features. At the last level, the labels of the
// two leaves are chosen with the split, among the most frequent classes.
//
// Nodes are re-optimised from the last level to the first until none improves. If all rows must
// keep the margin, not only the correctly classified ones, a row within the margin has a price that
// rises until none is left (phases). The search continues with kicks of the best trees, which give
// a random node a random hyperplane, and with random trees. If features have a penalty or a limit,
// the search also offers hyperplanes with fewer and fewer features, dropping those with the
// smallest weights, and the neighbours of the best one: one feature less or more. At the end, the
// hyperplanes of the best tree get the widest margins that their rows and features allow (widen):
// trees that are equally good on the training rows differ on others.
//
// A few hundred to some ten thousand programs are solved per second.
//
// The files, from the bottom up: options.go; rows.go: scaled rows and hyperplanes; state.go: shared
// state, the current tree and its value, conversion of trees; node.go: one split and its programs;
// search.go: Search, which visits nodes, kicks and widens.
package alternating
