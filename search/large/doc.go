// Package large computes optimal trees of two and three levels for many rows of two classes whose
// features have few distinct values: it minimises
//
//	f = weight of the errors + lambda * splits
//
// as package exact does, but its cost per tree does not grow with the rows.
//
// # Sums
//
// Sums per value instead of visits of rows, and the sums of one side by subtraction from those of both, are known
// from boosting (Ke et al. 2017, LightGBM), and two levels at once from counts from MurTree (Demirovic et al. 2022).
// There values are rounded to bins; here nothing is rounded.
//
// Rows are ranks (data.go): row i has rank r_ig of feature g among its distinct values, and the weight
// w_i, negative in class 0. A set of rows is known by its sums (sums.go): for each feature g and rank,
// the sum of the w_i. Let C0 and C1 be the weights of its classes and a(r) the sum of all ranks up to
// r. The stump on g that cuts after rank r misclassifies C0 + a(r) or C1 - a(r). The sums of the rows
// on the other side of a cut follow by subtraction. So the best stumps on both sides of a cut are found
// without a look at rows.
//
// Ranks form groups, each with the weights P and N of its rows of class 1 and 0. Claim: for a cut
// inside a group, a(r) >= max(a0 - N, a1 - P) and a(r) <= min(a0 + P, a1 + N), where a0 and a1 are
// the sums before and after the group. Proof: from a0 on at most N is subtracted and at most P added;
// from a(r) to a1 likewise. Groups without a better stump are skipped.
//
// # Growing sets
//
// Let S1, S2, ... be growing sets of rows: those up to a cut of the root's feature, or those after it.
// Claim: every lower bound on the value of trees of a kind on S1 holds on S2. Proof: such a tree
// misclassifies all that it misclassified before. So nothing that was bounded for a set is bounded again
// for the next one until the best tree's value has grown up to its bound (growing.go). For the trees
// of two levels with a cut of feature f at their root these bounds are:
//
//   - for the cuts inside a block of the ranks of f: the best stump, or leaf, for the rows before the
//     block, and that for the rows after it;
//   - for a single cut: its value when it was last evaluated.
//
// The sums of each block are kept while the set grows. To evaluate the cuts of a block, the sums of all
// blocks before it are added up and the rows of the block are added one by one, in the order of f.
//
// # Three levels
//
// For each feature h of the root, two rounds evaluate some cuts, which gives bounds for all others:
// the value with the cut c, a < c < b, is at least lambda + L(a) + R(b), where L and R are the values
// of the left and right sides. A last round evaluates the remaining ones. The left sides are one growing
// sequence and the right sides another.
package large
