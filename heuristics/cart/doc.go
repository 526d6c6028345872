// Package cart implements greedy univariate trees, which serve as baselines and as warm starts for
// the exact methods:
//
//   - Grow is CART with cost-complexity pruning and its cross-validation: Breiman, Friedman,
//     Olshen & Stone, Classification and regression trees, 1984. Sweeps over rows sorted once find
//     the splits, as in SLIQ (Mehta, Agrawal & Rissanen 1996);
//   - C45 is C4.5 for numeric features: Quinlan, C4.5: Programs for machine learning, 1993, and
//     Improved use of continuous attributes in C4.5, 1996;
//   - BestSubtree is the best pruned tree for the objective of optimal classification trees:
//     Bertsimas & Dunn, Optimal classification trees, 2017, problem (24).
package cart
