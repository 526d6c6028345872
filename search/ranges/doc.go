// Package ranges proves a tree optimal for OCT (package formulate/oct) with models of parts: the
// trees whose root splits at one of some consecutive thresholds of a feature. A function of the
// caller solves the models; the proof combines the solver's proofs. There must be no minimum leaf
// size, and the depth must be the only limit on trees.
//
// # Values
//
// The value of a tree on some rows is the weight of its errors on them, in units, plus the penalty
// for its splits. It equals Lhat times the objective. The values of all trees of a shape form a
// lattice with a smallest step. A cutoff lies half a step below a known value: a tree is below that
// value if and only if its own value is at most the cutoff.
//
// # Two levels
//
// The thresholds that separate the rows are divided into ranges, feature by feature
// (oct.Division.Ranges). Claim: the best of the optima of all ranges' models and of the single leaf
// is the best tree. Proof: each tree that splits has its root in one of the ranges, on a feature
// with a threshold that separates the rows like its own; a root that separates no rows is no better
// than the tree below it. A model requires a value of at most the cutoff (oct.Ranged). If it is
// infeasible, its range has no better tree; otherwise its optimum is the next value to beat. Both
// results are checked against the candidates at all thresholds of the range; a better candidate
// contradicts the solver and ends the proof with a warning.
//
// # More levels
//
// Let the root be in a range from threshold a to threshold b. The rows below a go left and those
// not below b go right, for every threshold of the range; those between are ignored. Claim: the
// value of a tree is at least the sum of the penalty for the root's split, the best value of a tree
// with one level less on the left rows, and that on the right rows. Proof: the two sets of rows are
// disjoint and the errors of both count (chunks, as in package parts); each split lies on one side
// only, so penalties add up as well. A range with a bound above the cutoff has no better tree; any
// other range is halved. In a range of one threshold no row lies between, and the bound is the
// value of a tree.
//
// The best value of some rows is at least that of any subset, since no tree has a larger value on
// fewer rows. So a bound proved for the left of a threshold holds for the left of every higher
// threshold, and likewise on the right.
//
// Bounds of sides that were proved against a cutoff are rounded up to the next value that a tree of
// the side can have. A sum of such values and penalties is a value that a tree of the whole shape
// can have, so that steps remain valid.
package ranges
