// Package vertex implements the methods for linear splits that move from vertex to vertex of margin
// planes, the planes x.w - gamma = -1 and +1 of the rows x:
//
//   - RLP, one split with minimum average violation, solved to optimality, and MSMT, trees of
//     such splits: Bennett, Decision tree construction via linear programming, 1992;
//   - FeatureMin, one split with few features and bounded error: Bredensteiner & Bennett, Feature
//     minimization within decision trees, 1996, Algorithms 4.1 and 4.2;
//   - FrankWolfe and EPTS, extreme point tabu search, which change all decisions of a tree of
//     fixed structure together: Bennett & Blue, Optimal decision trees, 1996, Algorithms 5.1 and
//     5.2.
//
// All except EPTS minimise sums of hinges (package hinge). EPTS needs the error at the end of every
// edge of a vertex, including vertices that are not optimal for anything; it has its own table of
// the rates of all rows along all edges (arrangement).
//
// Features are standardised internally; trees and data use their own units.
package vertex
