// Package exact finds univariate classification trees of proven least
//
//	f = weight of the errors + lambda * splits,   lambda = alpha * Lhat,
//
// among trees of depth at most D with at most C splits whose leaves weigh at
// least N_min each: the OCT problem of Bertsimas & Dunn (2017), with weights, any
// number of classes and continuous features, without a solver.
//
// # The search
//
// A node is a set of rows S with the depth d and the budget C of splits left. Per
// feature, its cuts (places between different values) lie between points, cuts
// whose two parts have been bounded already; at first only the ends. A search
// takes the span between two points with the least bound, evaluates the cut in
// its middle by searching both parts with one level less, and divides the span
// there; a span is closed where its bound shows that no cut in it can beat the
// incumbent. Nodes with two levels left are searched 32 or 16 cuts at a
// time (lanes.go). This follows ConTree (Brita, van der Linden & Demirovic 2025) and
// Quant-BnB (Mazumder, Meng & Wang 2022) in bounding intervals of cuts, MurTree
// (Demirovic et al. 2022) in a routine of its own for the last two levels. Where
// C is less than a full tree needs, each way to share it between the children is
// searched like a feature of its own.
//
// # Binary features
//
// A feature with two values has one cut. Where all features have, or some eight beside
// others, nodes of two levels are decided by counting (MurTree): n_k(f, g), the weight of
// class k where f and g are both one, gives with n_k(f) = n_k(f, f) and the node's own
// weights n_k what each of the four leaves of root f and stump g holds of each class:
// n_k(f, g), n_k(f) - n_k(f, g), n_k(g) - n_k(f, g), and the rest. All roots and stumps are
// evaluated at once, O(p^2) after counting (pairs.go), so that such a node is solved
// outright, whatever was asked of it. Rows are bits (pairs.go): an AND and a count of
// ones is 64 rows of a pair, with vector instructions (AVX-512, VPOPCNTDQ) of eight
// pairs; weights are sums over their binary digits. The counts of all rows of a node
// are kept while its cuts are evaluated: n_k(f, g) of S is the sum of those of both
// parts of S, so that one part is counted and the other subtracted. Under a binary root
// stumps on features that are not binary are found by the lanes, 32 roots at a time.
//
// Of features that order the rows alike, forwards or backwards (repeats, x and 1-x),
// only the first is searched: their cuts divide any rows into the same two parts.
//
// The parts of the one cut of a binary feature bound no other cut, and where all
// features are binary each is solved only as far as it takes: the heavier part below
// ub - lambda - R', where R' is what Similar says of the other, and where that leaves
// it open the other below ub - lambda - L with the bound L that was proved. If one of
// them has no such tree the cut is closed: L + R >= ub - lambda.
//
// # Costs
//
// Where the data have costs (dataset.Dataset.Cost), answering k on row i costs c_ik >= 0,
// and a leaf with the rows S costs min_k c_k(S), c_k(S) the sum of c_ik over S. Rows of
// equal features reach the same leaf of every tree, so that they are one row, whose costs
// are the sums: no tree is worth anything else by that. Of each such row the least cost is
// taken out, which every tree pays: the costs of its leaves fall by the same constant,
// which the objective has back at the end (its unit is the cost of a single leaf above
// the least cost of each row of the data). What is left, c'_ik, is 0 for some k. The
// weight of a row is omega_i = max_k c'_ik.
//
// That the costs of a point are added up first matters: rows that want different answers
// weigh what these differ by in sum, no more than all of them together, and their
// disagreement, the points' part of f0 (see Points), is in the constant.
//
// Two classes: omega_i = |c_i1 - c_i2|, and a leaf costs the weight of the rows whose
// cheaper class it does not answer. This is classification of the rows by their cheaper
// class with the weights omega, and all kernels are for it. Rows of weight 0 stay.
//
// More classes: with g_ik = omega_i - c'_ik, what answering k saves of the weight, a leaf
// costs omega(S) - max_k g_k(S), which is classification where a row counts for several
// classes by a part of its weight each. Nodes of two levels are searched by lanes of
// costs (lanes.go), on machines without them cut by cut (twolevels.go).
//
// A leaf counts for N_min the weights of the data, not omega, wherever it matters; and a
// split that sends only rows of omega 0 to one side is never needed: the other side's
// subtree for all rows costs the same, has fewer splits and heavier leaves.
//
// Costs are taken in their common unit where they have one, else as they are, with the
// rounding that this brings: see below.
//
// # The rules and why they hold
//
// Write f(S) for the optimum on the rows S at some d and C, and f0(S) for the
// same without N_min, so f0 <= f; omega is weight. All bounds are on f0: for f
// itself the first rule is false, since fewer rows may leave no admissible tree.
//
// Monotone: S within T implies f0(S) <= f0(T). The best tree for T, used on S,
// has as many splits and errs on a subset of the rows. With costs: each leaf answers as it
// did, and c' >= 0, so that what is left out saves its cost.
//
// Similar: S within T implies f0(T) <= f0(S) + omega(T \ S). The best tree for S,
// used on T, errs at most on all rows that were added. With costs: answering anything on
// row i costs omega_i at most, which it would not with c for c'.
//
// For a cut i between points a < b of a feature, the left parts grow and the
// right parts shrink from a to b. So L(i) is at least L(a) and at least
// L(b) - omega(i..b), R(i) is at least R(b) and at least R(a) - omega(a..i), and f
// with this cut at the root is at least lambda + L(i) + R(i). A span is closed as
// a whole by the sums that do not depend on i, and shortened from both ends by
// those that do. What shortening leaves out is only known to be no better than the
// incumbent, and so is then what the node proves of its rows.
//
// Alike: the last rule holds between cuts of different features, too: S and T need not be
// one within the other, f0(S) <= f0(S and T) + omega(S \ T) <= f0(T) + omega(S \ T), so that
// f0(T) >= f0(S) - omega(S \ T), also where T may use fewer splits than S. Where all
// features are binary, both parts of an evaluated cut bound both parts of every open one of
// the node, by the counts of pairs. At the root this makes the bound of all trees rise
// before the last cuts are evaluated.
//
// Whole: f0 of all of S with one level less bounds both ends of every feature:
// there the right, or left, part is S itself. It also gives an incumbent.
//
// Points: rows with equal features reach the same leaf, which errs on all their
// weight but that of one class. Splits do not part them, so these errors add up
// over S and bound f0(S).
//
// Classes: a tree with s splits has s+1 leaves and answers at most as many
// classes; it errs on the weight of all others, so that f0(S) >= min over s <= C
// of lambda s + the weight of all but the s+1 heaviest classes. (Both error
// bounds hold together: their maximum is taken.) With costs: such a tree answers classes of
// some set Q of s+1, and no row costs less than min_{k in Q} c'_ik, so that f0(S) >= min
// over s <= C of lambda s + min over Q of s+1 classes of the sum over S of min_{k in Q}
// c'_ik. It is used up to six classes, since there are 2^K sets.
//
// Target: evaluating a cut, the left part is solved only as far as to decide
// whether L reaches ub - lambda - R(b), which closes all cuts up to b, and the
// right one whether R reaches ub - lambda - L(a). If either does, no tree with
// this cut beats ub, as R(b) <= R and L(a) <= L; if none does, both are known
// exactly.
//
// Cache: what was proved of a set of rows, depth and budget holds wherever the
// set appears again.
//
// A sum that misses the incumbent by no more than the least possible improvement
// also closes. That is 1 where all weights are whole (possibly after scaling) and
// lambda is 0; all else is exact there. Otherwise values count as equal that
// rounding might make so (verify.SumError), which may add up to 2^D times as much over
// the nodes of a tree. The tree is optimal where that is at most 1e-9 of its own terms
// (verify.Negligible). Otherwise numbers near its value are searched again, exactly
// (refine, solve.go); if that does not settle it either, the status is Feasible, with the reason
// in Result.Blurred, and the bound is what was proved.
//
// # Rounded weights
//
// Sums in the lanes are whole numbers of 16 or 32 bits (lanes.go). Where the weights
// w_i are not whole, or add up to 2^31 units or more, row i carries
//
//	q_i = floor(w_i / g),   0 <= w_i - g q_i < g,
//
// with the grain g a power of two, so that g q_i is no rounded number, and W/2^30 < g <=
// W/2^29 for the weight W of all rows. No tree errs on more by q than by w:
// the sum of g q_i over its errors is at most that of w_i. So the least over all trees
// of a part S, by q, is a bound on f0(S), too low by less than g |S|; and so is what
// the lanes say of a leaf or a stump. A cut whose bounds add up to a value that is no
// better than the incumbent is closed by them. All others are evaluated again in
// float64, the least bound first (pairSearch.decide): every incumbent and value is
// as exact as without lanes, and rounding costs evaluations where bounds come within g
// |S| of the incumbent, never a better tree. Bounds of parts are used as such by the
// rules; the weight between two points, which Similar wants no less than it is, is
// taken as that by q and all that was rounded in the node.
//
// Costs are rounded likewise, every c_ik down to a multiple of g, where they are not whole or
// the largest of each row add up to 2^31 or more. As q_i is the largest of floor(c_ik / g)
// over k, a row that no lane shows, q_i = 0, has no costs in the lanes either.
//
// # Splits that stay
//
// Where the upper splits are given (Options.Fixed), a tree is one tree for the rows at each of
// their leaves, independent of the others but for the number of splits: errors, prices of
// splits and least leaves are those of leaves, and levels are what the depth leaves of each
// path. So the regions are searched one after the other, each with lambda of the whole,
// and their values and bounds add up, with the price of the splits that stay.
//
// At most C splits couple the regions. Let v_r(s) be the least value of region r with at most s
// splits. Where the best trees with all C - C0 that the splits that stay leave have no
// more than that in all, they are the best together. Else v_r(s) is found for every smaller s
// (where the best tree of at most s splits has s' < s, v_r is the same from s' to s), and
// min sum_r v_r(s_r) over sum_r s_r <= C - C0 by dynamic programming; with bounds for values
// that is a bound.
//
// # Order and reproducibility
//
// The root is searched in rounds: up to 8 spans with the least bounds are
// evaluated, each from the same incumbent and cache, and their results taken in
// order. Workers share the evaluations of a round, and the shelves of the cache
// (cache.go) on which what was found is put in its order, so that their number changes
// neither the tree nor the counters. What a worker writes lies apart from all else
// (apart, node.go).
package exact
