// Package parts proves lower bounds on the optimal classification tree with
// hyperplanes (OCT-H, package formulate/hyperplane) by programs that see parts of the
// rows or of the problem, where the whole program proves little, and finds trees on the
// way. [Prove] takes the ways in turn; [Subsystems], [Rows], [Chunks] and [Data] are one
// each. Programs are solved by a function of the caller.
//
// # The problem
//
// Features are scaled to [0, 1]; a split has the plane a, b with sum |a_j| <= 1. A row
// is right in a tree where at each split of its path a.x <= b - mu (it goes left) or
// a.x >= b (right) and its leaf has its class. With margin right the objective is
//
//	(1/Lhat) weight of the rows that are not right + alpha (features over all splits)
//
// With margin all every row keeps the margin at each split of its path, right or wrong.
// Every tree of margin all is one of margin right, with the same objective. So every
// bound here, which is one of margin right, bounds both; a tree in which all rows keep
// the margin and whose objective meets the bound is optimal for both. Optimal is never
// said of margin all for another tree: Options.Admits refuses it.
//
// A least weight of leaves only makes trees fewer: bounds hold without it.
//
// # Data
//
// Rows with equal features take the same path, so that all but those of one class are
// wrong. Of two rows x, y of different classes with max_j |x_j - y_j| < mu one is not
// right: in one leaf only one class is, and a split with x left and y right would have
// mu <= a.y - a.x <= sum |a_j| max_j |y_j - x_j| < mu. Pairs of such rows, each with a
// weight of its own, so that no row is in pairs of more than its own weight, cost their
// weights at least (data.go). A tree answers no more classes than it has leaves, and
// errs on all rows of the others.
//
// # Subsystems, at depth 1
//
// Rows P cannot all be on the left and Q on the right where there are lambda >= 0 with
// sum_P lambda = sum_Q lambda = 1 and v = sum_Q lambda_i x_i - sum_P lambda_i x_i has
// |v_j| < mu for all j: the rows' inequalities, times lambda, add up to mu <= a.v, but
// a.v <= max_j |v_j|. By linear duality there are such lambda whenever no plane does it.
// So one of the rows with lambda_i > 0 is given up: a clause, and a weighted hitting set
// of all clauses found is a relaxation (hitting.go). The vertices of the polyhedron of
// lambda have few such rows, at most one more than there are features and sides. The
// cheapest vertex is found as the multipliers of a sum of hinges (certificate.go): cheap rows are
// those that the relaxation's point keeps. A certificate is computed anew from the data
// before it counts (parting.check); the search for it has no say in what is proved.
//
// Where features are priced or limited, v_j may be large for features that are not used:
// the clause then is that a row is given up or one of these features used, with a binary
// for each feature in the relaxation and their prices in its objective.
//
// Labels are taken in the order of classes, since (-a, mu - b) exchanges the sides, for
// each pair of classes a relaxation of its own with the rows of all others wrong; the
// least of their bounds, and the single leaf, bound every tree.
//
// Rounds: clauses that the linear relaxation's point does not hit, while they raise its
// bound; then points that hit all clauses and leave room below the best tree, greedy
// ones first. From such a point rows are given up until a plane parts the others, which
// gives clauses and a tree. That there is no such point proves the best tree.
//
// # Rows
//
// The optimum of some of the rows, with Lhat, weights, scaling and mu of all, is at most
// that of all: the best tree of all rows, counted on these, errs on a part of the
// rows and has the same features. This is false with an Lhat, scaling or least leaf of
// their own. A program (encoding served) of some rows is asked for a tree better than
// the best; where there is none the best is optimal. Else its tree is counted on all
// rows, and some that it fails on are added, spread over leaves and classes. Before a
// program is solved its tree is looked for by alternating over the nodes
// (package alternating), which costs little and is right in most rounds but the last.
//
// # Chunks
//
// A tree's errors on disjoint blocks of rows add up, and on each they are at least the
// block's optimum: so is a sum of bounds of blocks, each first rounded up to whole units
// where weights are whole. Blocks are halved at the median of the feature in which they
// are spread the most; a block has the greater of its own bound and the sum of its
// parts'. Blocks are proved without a price on features.
//
// # Prices
//
// A bound e on the errors without a price gives min(the single leaf, e / Lhat + alpha):
// a tree with a split pays for one feature at least. Without the single leaf this would
// be false.
//
// # Tolerances
//
// Solvers let a row miss its margin by some 1e-6. Distances and certificates count below
// mu only where they are below mu (1 - 1e-3) or so (closer), bounds of programs lose
// what tolerances may have added before they are rounded up (verify.Lattice), and where
// a unit of weight is less than tolerances tell (verify.MaxUnits) nothing but the data's
// bound is had.
//
// Where there being no point of a program proves something, the word of a solver's presolve
// is not taken for it, which HiGHS 1.10 has been wrong about (Limits): programs of rows are
// solved without presolve, those of subsystems again where presolve alone finds no point.
//
// What ends by proof is the same for the same data, options and solver; what ends by
// time has a bound that holds.
package parts
