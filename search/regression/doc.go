// Package regression finds regression trees of the least squared error, or the least loss of a quantile: exact, on continuous features, by branch and bound.
//
// A row i has a number y_i and a weight w_i; a leaf answers the weighted mean of its rows (or their quantile, whose loss
// quantile.go has). The tree minimises
//
//	sum_i w_i (y_i - answer)^2 + penalty * splits
//
// over all univariate trees of a depth, with leaves of a least weight (Bertsimas, Dunn & Paschalidis, Regression and
// classification using optimal decision trees, 2017; Dunn 2018).
//
// Let f_d(S) be the least loss of a tree of depth d on the rows S. For T in S, f_d(T) <= f_d(S): no row has a negative
// error, and the best answer to T costs no more than that to S. So for the cuts from a to b of a feature, with L(c) and R(c) lower
// bounds of f_{d-1} on the rows left and right of c,
//
//	f_d(S) with a root cut from a to b  >=  penalty + L(a) + R(b)
//
// A span of cuts is closed when this reaches the best known value. The files in order; each calls only files above it:
//
//	problem.go  Problem, Result, Stats; the rows with equal features merged, numbers centred and scaled
//	node.go     a set of rows with the ranks of its values; the sides of a cut; bounds of the node, and those inherited
//	            from a subset of its rows (envelopes)
//	quantile.go the loss of a quantile in place of the squared error
//	kernel.go   the last two levels: rows move between the sides of the root cut, histograms give all stumps
//	chain.go    the least error of k groups of numbers along the line, a bound for trees of any depth with a penalty
//	search.go   above the kernel: the best span first, the smaller side first, the other with what is left as its budget
//	worth.go    values of whole trees
//	order.go    upper splits that stay, leaves in order: above the search without them, whose values are bounds
//	columns.go  limits and prices of columns, by branch and bound
//	greedy.go   the tree of CART, which the search begins with
//	improve.go  local search
//	solve.go    Solve, Greedy, Improve
//
// With a least weight of leaves f_d is not monotone. Then L and R bound the problem without it, and only values of trees
// that keep it become the best known value.
package regression
