// Package alternating searches trees of hyperplanes for the objective of OCT-H
// (Bertsimas & Dunn 2017, section 4) by tree alternating optimization (Carreira-Perpiñán
// & Tavallali, Alternating optimization of decision trees, 2018), with linear programs
// in place of their classifiers.
//
// One node is chosen at a time, the rest of the tree as it is. What matters of a row is
// then what it costs on either side: nothing where it ends in a leaf of its class with
// the margin kept on the way, its weight where it does not. The rows that cost more on
// one side than on the other care; the program of the node (package hinge) makes the sum of
// what they lack of half the margin least, under sum |a| <= 1. Such a sum is ruled by
// the rows that lack most, so that the program is solved again, some times, with the
// rows weighed by 1 / (what they lack + a little): what counts in the end is how many
// lack anything. The direction of each answer gets the threshold of least cost, which a
// sweep finds exactly; so do single features. At the last level the labels of the two
// leaves are chosen with the split, among the commonest classes.
//
// Nodes are chosen anew from the last level to the first until none becomes better.
// Where all rows have to keep the margin, and not only those counted right, a row within
// it has a price that rises until none is left (phases). The search goes on from kicks
// of the best trees, in which a random node has a random plane, and from random trees.
// Where features have a price or a limit, planes of fewer and fewer of them are offered,
// those that weigh least left out, and the neighbours of the best: one feature less or
// more. At the end the planes of the best tree get the widest margins that their rows and
// features allow (widen): trees that are as good on the training rows differ on others.
//
// A few hundred to some ten thousand programs are solved in a second.
//
// The files, from the bottom up: options.go; rows.go scaled rows and planes; state.go what a search shares, the tree under search and its
// worth, to and from trees; node.go one split and its programs; search.go Search, which
// goes node after node, kicks and widens.
package alternating
