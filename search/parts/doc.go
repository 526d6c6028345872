// Package parts proves lower bounds for optimal classification trees with hyperplanes (OCT-H,
// package formulate/hyperplane) from models of parts of the rows or of the problem. They help if
// the whole model proves little; they also find trees. [Prove] applies the methods in turn;
// [Placed], [Cells], [Subsystems], [Rows], [Chunks] and [Data] are single methods. A function of the caller solves the
// models.
//
// # The problem
//
// Features are scaled to [0, 1]; a split is a hyperplane a, b with sum |a_j| <= 1. A row is correct
// in a tree if a.x <= b - mu (it goes left) or a.x >= b (right) at each split of its path, and its
// leaf has its class. With margin right, the objective is
//
//	(1/Lhat) weight of the rows that are not correct + alpha (features over all splits)
//
// With margin all, every row keeps the margin at each split of its path, correct or not. Every tree
// of margin all is a tree of margin right with the same objective. So every bound here but that of cells, which is
// for the margin asked for, is a bound for margin right and holds for both. A tree in which all rows keep the margin and whose objective
// equals the bound is optimal for both. With margin all, no other tree is reported as optimal:
// Options.Admits rejects it. Trees whose wrong rows are too near to a hyperplane are moved (settled.go): a search with clause learning puts
// each wrong row on either side of a split, the correct ones stay on theirs, and a linear program finds the hyperplane, or the rows that it cannot have.
//
// A minimum leaf weight only excludes trees, so bounds hold without it.
//
// # Data
//
// Claim: of the rows with equal features, all but those of one class are misclassified. Proof: they
// take the same path.
//
// Claim: of two rows x, y of different classes with max_j |x_j - y_j| < mu, one is not correct.
// Proof: in one leaf only one class is correct, and a split with x left and y right would have mu
// <= a.y - a.x <= sum |a_j| max_j |y_j - x_j| < mu. Pairs of such rows, each with a weight, so that
// the pairs of a row weigh at most as much as the row, cost at least their weights (data.go).
//
// A tree predicts at most as many classes as it has leaves and misclassifies all rows of the
// others. It attains that bound if it has a class at each leaf, none lighter than another left out, and
// hyperplanes part the classes of both sides of each split: few linear programs tell, one for each two sets of classes (apart.go).
//
// # Cells, at depth 1 with few features
//
// Claim: let the directions a of hyperplanes be in a simplex with the vertices v_1, ..., v_p, and let low_i and high_i be the least and
// greatest v_k.x_i. For any a in it and any b, a row of the left class with low_i > b - mu and one of the right class with
// high_i < b is an error; if all rows keep the margin, no row has high_i < b < low_i + mu. Proof: a.x_i is linear in a, so it is between
// low_i and high_i. The least weight of such errors over all b is a bound for the simplex. sum |a_j| = 1 may be assumed: a
// shorter a is scaled up by t, with t b - (t - 1) mu in place of b. Every a is in the simplex of its signs, and with a price on features, in that of its
// features, where all of them are paid for. Points x_i less any constant vector give the same errors, since b moves along; less one near
// the hyperplane they have narrow ranges. Simplices are halved, the one with the least bound first, and the best b for the new vertex
// and for the middle gives a tree (cells.go).
//
// # Subsystems, at depth 1
//
// Claim: the rows P cannot all be on the left and Q on the right if there are lambda >= 0 with
// sum_P lambda = sum_Q lambda = 1 such that v = sum_Q lambda_i x_i - sum_P lambda_i x_i has |v_j| <
// mu for all j. Proof: the rows' inequalities, times lambda, add up to mu <= a.v, but a.v <= max_j
// |v_j|. By linear duality, such lambda exist whenever no hyperplane separates the rows. So one of
// the rows with lambda_i > 0 must be given up: a clause. A weighted hitting set of all clauses
// found is a relaxation (hitting.go). The vertices of the polyhedron of lambda have few such rows,
// at most one more than there are features and sides. The cheapest vertex comes from the
// multipliers of a sum of hinges (certificate.go): cheap rows are those that the relaxation's point
// keeps. A certificate is recomputed from the data before it counts (parting.check), so no proof
// depends on the search for it.
//
// If features are penalised or limited, v_j may be large for unused features. The clause is then
// that a row is given up or one of these features is used, with a binary variable for each feature
// in the relaxation and their penalties in its objective.
//
// Labels are taken in the order of classes, since (-a, mu - b) exchanges the sides. Each pair of
// classes has its own relaxation, with the rows of all other classes misclassified. The minimum of
// their bounds, and the single leaf, bounds every tree.
//
// Rounds first add clauses that the point of the linear relaxation does not hit, while they raise
// its bound. Then they generate points that hit all clauses and whose objective is below that of
// the best tree, greedy ones first. From such a point, rows are given up until a hyperplane
// separates the others; this gives clauses and a tree. If there is no such point, the best tree is
// optimal.
//
// # Clauses
//
// At any depth, without penalties and limits on features. Row i and node v of the full tree have a Boolean variable: the row is correct, and under v
// (placing.go). It is under one child of each node it is under, or wrong; the correct rows under a last node have at most two classes. The weight of
// wrong rows is at most a budget.
//
// Claim: if no hyperplane has rows P on the left and Q on the right, not all of P are correct and under the left child of a node v, and all of Q
// under its right child; nor the other way round; and if P are of one class and Q of another, not all are correct under the
// same last node. Proof: the split of v, or of the last node, would be such a hyperplane. The sides can be exchanged,
// (a, b) -> (-a, mu - b).
//
// Search with clause learning (package search/clauses) takes such a clause from the first rows that a linear program finds to be
// inseparable; rows that are not needed are dropped, so that a clause has few literals. These are the shattering inequalities of
// Boutilier, Michini & Zhou (2023), and the infeasible subsystems of Alston, Validi & Hicks (2024); as rows of a linear relaxation they are weak, since half of each
// satisfies them, but a search that resolves them with one another needs no relaxation. If there is no assignment, every tree
// has more errors than the budget, which begins with the data's bound and rises by one unit at a time. If there is one, its hyperplanes are a tree with so many
// errors: it is optimal.
//
// One row is never under the right child of the root, nor of the root's left child, and so on: exchange the sides of the first node on whose right it would be.
//
// # Rows
//
// Claim: the optimum on a subset of the rows, with Lhat, weights, scaling and mu of all rows, is at
// most the optimum on all rows. Proof: the best tree for all rows misclassifies a subset of its
// errors on the subset, and has the same features. This is false if Lhat, scaling or minimum leaf
// weight are those of the subset. A model (encoding served) of the subset requires a tree better
// than the best. If it is infeasible, the best tree is optimal. Otherwise its tree is evaluated on
// all rows, and some of its errors are added, spread over leaves and classes. Before a model is
// solved, alternating optimisation over the nodes (package alternating) looks for its tree; this is
// cheap and succeeds in most rounds except the last.
//
// # Chunks
//
// Claim: a sum of lower bounds of disjoint blocks of rows, each first rounded up to whole units if
// weights are whole, is a lower bound. Proof: the errors of a tree on the blocks add up, and on
// each block they are at least its optimum. Blocks are halved at the median of the feature with the
// largest spread, or every second row of each class along it is taken, so that both halves have rows from everywhere; which proves more depends on
// the data. A block has the larger of its own bound and the sum of its children's. The bounds of blocks ignore the penalty on features.
//
// # Penalties
//
// Claim: a bound e on the errors without a penalty gives the bound min(the single leaf, e / Lhat +
// alpha). Proof: a tree with a split pays for at least one feature. Without the single leaf the
// claim is false.
//
// # Tolerances
//
// Solvers let a row miss its margin by about 1e-6. Distances and certificates count as below mu
// only if they are below about mu (1 - 1e-3) (closer). Bounds of models are reduced by the possible
// effect of tolerances before they are rounded up (verify.Lattice). If a unit of weight is smaller
// than tolerances can resolve (verify.MaxUnits), only the data's bound is available.
//
// If the infeasibility of a model proves something, the proof does not rely on a solver's presolve,
// which was wrong in HiGHS 1.10 (Limits): models of rows are solved without presolve, those of
// subsystems are solved again if presolve alone reports infeasibility.
//
// A run that ends by proof is reproducible for the same data, options and solver; a run that ends
// by time has a valid bound.
package parts
