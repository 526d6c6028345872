// Package sparse computes optimal sparse classification trees: it minimises
//
//	excess cost of the leaves + lambda * leaves,   lambda = alpha * Lhat,
//
// over all trees of univariate splits, without a limit on the depth (Hu, Rudin & Seltzer 2019; Lin et
// al. 2020: GOSDT). Errors are costs: predicting another class costs the weight of the row. The
// objective of package exact is the same for all trees but for one lambda, since a tree has one leaf
// more than splits. The package needs no solver.
//
// # The search
//
// Depth first over sets of rows. The same set is reached by many paths; what is known of it is kept
// in a table (memo.go). R(S) is the least value of a tree for the set S. solve(S, B) returns R(S), or
// a proved lower bound above the budget B. A node counts its rows per bin of each feature, which gives
// the value of the leaf and the best value with two leaves, then searches both sides of its cuts,
// those with the least bound first.
//
// # Whole numbers
//
// Values are whole multiples of a step, a power of two so small that the costs of all rows add up to
// about 2^58 steps. Costs and lambda are rounded down to steps. Claim: no tree has a larger value by
// steps, and its value is too small by less than a step per row and leaf. So bounds are bounds, and a
// tree of the least value is optimal if that difference is negligible beside its own terms, or less
// than half the smallest difference between two values. Otherwise the result says so (Result.Blurred).
// If costs are whole multiples of their unit only lambda is rounded.
//
// # The rules and their proofs
//
// c_ik is the cost of predicting class k for row i.
//
// Net weights. Rows of equal features reach the same leaf of every tree; their costs are added up. The
// minimum cost of each row is subtracted: every tree pays it. omega_i = max_k c_ik is what is left to
// lose, g_ik = omega_i - c_ik what predicting k saves. A leaf of the rows S costs omega(S) - max_k
// g_k(S). Rows with omega_i = 0 are dropped. With two classes one of the gains of each row is 0. (Rule
// "Costs" of package exact.)
//
// Leaf. Claim: if S as a leaf costs at most lambda, the leaf is optimal. Proof: any other tree has two
// leaves or more.
//
// Support. Claim: some optimal tree has max_k g_k >= lambda at each leaf. Proof: take an optimal tree
// with the fewest leaves, and let predict k at a leaf with the rows T. Without the leaf, T goes to its
// sibling's leaves: a leaf less, and row i costs at most omega_i there, g_ik more than before. So
// lambda < g_k(T), else the smaller tree is as good. A cut is therefore valid only if max_k g_k >=
// lambda on both sides: each leaf below a side has at most the side's gains. A cut that is not valid
// in S is not valid in any subset, so that a node looks only at features that have valid cuts in its
// parent.
//
// Merge. At the root, bins of a feature without a valid cut between them are joined. Rows with equal
// bins are then merged like points, which subtracts new minimum costs and may make more cuts invalid:
// to be repeated until nothing changes. Features that order the merged rows alike, forwards or
// backwards, are searched once. At other nodes, the minimum costs m of rows that are alike in all
// valid cuts bound the errors of every tree.
//
// Shapes. Claim: R(S) is the value of the leaf, or the best value with two leaves, or at least 3 lambda
// + m. So a budget below 2 lambda leaves the leaf alone, and one below 3 lambda + m ends the node when
// its rows are counted.
//
// Monotone. Claim: if S is a subset of T, then R(S) <= R(T). Proof: the tree for T, applied to S, pays
// for a subset of the rows; leaves that no row reaches are dropped.
//
// Similar. Claim: if S is a subset of T, then R(T) <= R(S) + omega(T \ S). Proof: the tree for S,
// applied to T, pays at most omega for each added row. Along a feature, the left sides of cuts grow and
// the right sides shrink: the bounds of the sides of a cut so bound those of all others.
//
// Two leaves. P(S) is the best value with at most two leaves. Claim: Monotone and Similar hold for P.
// A side of a cut costs at least min(P, 3 lambda). P is not capped, as bounds on R are by 3 lambda, so
// that it says more of neighbouring cuts. P is attained by valid cuts: if the best two leaves come from
// an invalid cut, the single leaf is better (Support).
//
// Segments. If a single feature has valid cuts, the leaves are intervals, and dynamic programming finds
// the best ones.
//
// Turns. Both sides of a cut are searched in turns, the one with the smaller bound first, up to one
// lambda above its bound: either may close the cut.
//
// # Minimum leaf
//
// A minimum weight N_min of leaves is implied if each row is heavy enough, or if errors are weights and
// lambda >= N_min (Support). Otherwise a cut is valid only if both sides have that weight, rows of
// omega 0 are kept, since they count, and Monotone, Similar and Two leaves are not used: they do not
// hold, since fewer rows may have no feasible tree. Support holds: without a leaf, the others are
// heavier.
package sparse
