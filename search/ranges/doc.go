// Package ranges proves which tree of OCT (package formulate/oct) is the best by programs
// of parts: of the trees whose root splits at one of some consecutive thresholds of a
// feature. Programs are solved by a function of the caller; the proof is theirs, put
// together. Leaves have to be free, and trees limited in depth only.
//
// # Values
//
// The value of a tree on some rows is the weight of its errors on them, in units, and the
// price of its splits: Lhat times the objective, of which the values of all trees of a
// shape are a lattice with a least step. A cutoff lies half a step below a value that is
// known, so that a tree is below that value if and only if its own is at most the cutoff.
//
// # Two levels
//
// The thresholds that part the rows are divided into ranges, feature by feature
// (oct.Division.Ranges). Each tree that splits has its root in one of them, on a feature
// with a threshold that parts the rows like its own; a root that parts none is no better
// than the tree below it. So the best of the optima of all ranges' programs, and of the
// single leaf, is the best tree. A program asks for a value of at most the cutoff
// (oct.Ranged): infeasible is the proof that its range has no better tree, else its
// optimum is the next value to be below. Neither is believed in spite of a better tree:
// the candidates at all thresholds of the range are tried, and one that contradicts the
// solver ends the proof with a warning.
//
// # More levels
//
// Let the root be in a range from threshold a to threshold b. The rows below a go left,
// those not below b go right, whichever it is; those between are left out. What a tree is
// worth is then at least the price of the root's split, and the best values of a tree of
// one level less on the rows on the left, and of one on those on the right: the two are
// disjoint blocks of rows, and every row's error counts (chunks, as of package parts;
// since each split stands on one side only, prices add up, too). A range with a bound
// above the cutoff has no better tree; another is halved. In a range of one threshold no
// row is between, and the bound is a tree.
//
// The best value of some rows is at least that of any of them, as each tree is worth no
// more on fewer rows. So what has been proved of the left of a threshold holds of the left
// of higher ones, and likewise on the right.
//
// Bounds of sides that were proved against a cutoff are rounded up to the next value that
// a tree of the side can have. A sum of such values and prices is one that a tree of the
// whole shape can have, so that steps remain steps.
package ranges
