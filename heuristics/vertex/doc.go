// Package vertex has the methods of linear splits that go from vertex to vertex of
// margin planes, the planes x.w - gamma = -1 and +1 of the rows x:
//
//   - RLP, one split of least average violation, solved to a proof, and MSMT, the
//     trees of it: Bennett, Decision tree construction via linear programming, 1992;
//   - FeatureMin, one split with few features of bounded error: Bredensteiner &
//     Bennett, Feature minimization within decision trees, 1996, Algorithms 4.1 and 4.2;
//   - FrankWolfe and EPTS, extreme point tabu search, which change all decisions of a
//     tree of fixed structure together: Bennett & Blue, Optimal decision trees, 1996,
//     Algorithms 5.1 and 5.2.
//
// All but EPTS minimise sums of hinges (package hinge). EPTS needs the error at the end of
// every edge of a vertex, and at vertices that are no optimum of anything; it has its
// own table of the rates of all rows along all edges (arrangement).
//
// Features are standardised inside; trees and data speak their own units.
package vertex
