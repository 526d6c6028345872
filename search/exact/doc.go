// Package exact computes optimal univariate classification trees: it minimises
//
//	f = weight of the errors + lambda * splits,   lambda = alpha * Lhat,
//
// over all trees of depth at most D with at most C splits and leaf weights of at least N_min. This
// is the OCT problem of Bertsimas & Dunn (2017), with weights, any number of classes and continuous
// features. The package needs no solver.
//
// # The search
//
// A node is a set of rows S with the remaining depth d and the remaining budget C of splits. A cut
// of a feature is a place between two different values. Points are cuts for which both sides have
// been bounded; at first, only the two ends of the feature are points. All other cuts lie in spans
// between two points. The search takes the span with the smallest bound, evaluates the cut in its
// middle by searching both sides with one level less, and divides the span there. A span is closed
// if its bound shows that none of its cuts can beat the incumbent. Nodes with two levels left are
// searched 32 or 16 cuts at a time (lanes.go). Bounding intervals of cuts follows ConTree (Brita,
// van der Linden & Demirovic 2025) and Quant-BnB (Mazumder, Meng & Wang 2022); the separate routine
// for the last two levels follows MurTree (Demirovic et al. 2022). If C is less than a full tree
// needs, each way to share C between the children is searched like a separate feature.
//
// # Binary features
//
// A feature with two values has one cut. If all features are binary, or at least eight are,
// nodes with two levels are solved by counting (MurTree). Let n_k(f, g) be the weight of class k
// where f and g are both one, n_k(f) = n_k(f, f), and n_k the node's own weights. The four leaves
// of root f and stump g hold the weights n_k(f, g), n_k(f) - n_k(f, g), n_k(g) - n_k(f, g), and the
// rest of class k. After counting, all roots and stumps are evaluated at once in O(p^2) (pairs.go),
// so that such a node is solved to optimality, whatever target was set. Rows are bits (pairs.go):
// an AND and a population count handle 64 rows of a pair; vector instructions (AVX-512, VPOPCNTDQ)
// do this for eight pairs. Weights are sums over their binary digits. The counts of all rows of a
// node are kept while its cuts are evaluated: n_k(f, g) of S is the sum over both sides of a cut of
// S, so that one side is counted and the other follows by subtraction. Under a binary root, the
// lanes find the stumps on non-binary features, 32 roots at a time.
//
// If several features order the rows alike, forwards or backwards (repeats, x and 1-x), only the
// first is searched: their cuts divide any set of rows into the same two sides.
//
// The two sides of a binary feature's only cut bound no other cut. If all features are binary, each
// side is therefore solved only as far as needed. The heavier side is searched below ub - lambda -
// R', where R' is the bound of Similar on the other side. If that leaves the cut open, the other
// side is searched below ub - lambda - L, where L is the bound proved for the heavier side. If one
// of them has no such tree, the cut is closed: L + R >= ub - lambda.
//
// # Costs
//
// If the data have costs (dataset.Dataset.Cost), predicting class k for row i costs c_ik >= 0. A
// leaf with the rows S costs min_k c_k(S), where c_k(S) is the sum of c_ik over S. Rows of equal
// features reach the same leaf of every tree. They are merged into one row with the summed costs;
// this changes the value of no tree. From each merged row the minimum cost is subtracted, since
// every tree pays it. The costs of all trees fall by the same constant, which is added back to the
// objective at the end. (The unit of the objective is the cost of a single leaf above the minimum
// cost of each row of the data.) The remaining cost c'_ik is 0 for some k. The weight of a row is
// omega_i = max_k c'_ik.
//
// Costs are summed per point before the minimum is subtracted. So the weight of rows that favour
// different classes is the difference of their summed costs, at most the sum of their separate
// weights. Their disagreement, the points' part of f0 (see Points), is in the constant.
//
// Two classes: omega_i = |c_i1 - c_i2|, and a leaf costs the weight of the rows whose cheaper class
// it does not predict. This is classification by cheaper class with the weights omega; all kernels
// handle it. Rows of weight 0 remain.
//
// More classes: let g_ik = omega_i - c'_ik be the weight that predicting k saves. A leaf costs
// omega(S) - max_k g_k(S). This is classification in which a row counts for several classes, for
// each with a fraction of its weight. Nodes with two levels are searched by lanes of costs
// (lanes.go); on machines without lanes, cut by cut (twolevels.go).
//
// For N_min, a leaf counts the weights of the data, not omega, whenever it matters. A split that
// sends only rows of omega 0 to one side is never needed: the other side's subtree, applied to all
// rows, costs the same, and has fewer splits and heavier leaves.
//
// Costs are expressed in their common unit if they have one. Otherwise they are used as they are,
// and rounding is handled as described below.
//
// # The rules and their proofs
//
// Let f(S) be the optimum on the rows S for some d and C, and f0(S) the optimum without N_min, so
// f0 <= f; omega is weight. All bounds are on f0. For f itself the first rule is false, since fewer
// rows may leave no feasible tree.
//
// Monotone. Claim: if S is a subset of T, then f0(S) <= f0(T). Proof: the best tree for T, applied
// to S, has as many splits and misclassifies a subset of the rows. With costs: every leaf keeps its
// prediction and c' >= 0, so that omitted rows only save cost.
//
// Similar. Claim: if S is a subset of T, then f0(T) <= f0(S) + omega(T \ S). Proof: the best tree
// for S, applied to T, additionally misclassifies at most the added rows. With costs: any
// prediction for row i costs at most omega_i under c'; this would not hold under c.
//
// Let i be a cut between the points a < b of a feature. From a to b the left sides grow and the
// right sides shrink. So L(i) is at least L(a) and at least L(b) - omega(i..b), R(i) is at least
// R(b) and at least R(a) - omega(a..i), and f with this cut at the root is at least lambda + L(i) +
// R(i). The sums that do not depend on i close a span as a whole; those that depend on i shorten it
// from both ends. Cuts removed by shortening are only known to be no better than the incumbent. The
// value of the incumbent is then all that the node proves about its rows.
//
// Alike. Claim: the last rule also holds between cuts of different features, where S need not
// contain T: f0(S) <= f0(S and T) + omega(S \ T) <= f0(T) + omega(S \ T). Hence f0(T) >= f0(S) -
// omega(S \ T), even if T may use fewer splits than S. If all features are binary, both sides of an
// evaluated cut bound both sides of every open cut of the node, by the counts of pairs. At the
// root, this raises the bound on all trees before the last cuts are evaluated.
//
// Whole. Claim: f0 of all of S with one level less bounds both ends of every feature. Proof: there
// the right, or left, side is S itself. The search for it also yields an incumbent.
//
// Points. Claim: rows of equal features reach the same leaf, which misclassifies all their weight
// except that of one class. No split separates them, so these errors add up over S and bound f0(S).
//
// Budget. Claim: no tree of more than (u - e) / lambda splits, nor one deeper than that, has a value
// below u, if points force the errors e. Proof: s splits cost s lambda, and a tree is at most as deep
// as it has splits. With the value u of the start this limits depth and splits of the whole search.
//
// Classes. Claim: f0(S) >= min over s <= C of lambda s + the weight of all but the s+1 heaviest
// classes. Proof: a tree with s splits has s+1 leaves and predicts at most s+1 classes; it
// misclassifies the weight of all others. (Points and Classes hold together: the search takes their
// maximum.) With costs: such a tree predicts classes from some set Q of s+1, and no row costs less
// than min_{k in Q} c'_ik. So f0(S) >= min over s <= C of lambda s + min over Q of s+1 classes of
// the sum over S of min_{k in Q} c'_ik. This rule is used up to six classes, since there are 2^K
// sets.
//
// Target. To evaluate a cut, the left side is solved only as far as needed to decide whether L
// reaches ub - lambda - R(b), which closes all cuts up to b; the right side only to decide whether
// R reaches ub - lambda - L(a). Claim: if either does, no tree with this cut beats ub. Proof: R(b)
// <= R and L(a) <= L. If neither does, both are known exactly.
//
// Cache. A result for a set of rows, depth and budget holds wherever the set appears again.
//
// A sum also closes a cut if it misses the incumbent by no more than the smallest possible
// improvement. That improvement is 1 if all weights are whole (possibly after scaling) and lambda
// is 0; everything else is then exact. Otherwise, values count as equal if rounding might make them
// so (verify.SumError); over the nodes of a tree this may add up to 2^D times as much. The tree is
// optimal if that sum is at most 1e-9 of its own terms (verify.Negligible). If it is larger, the
// search is repeated exactly with numbers near the tree's value (refine, solve.go). If that does
// not settle it either, the status is Feasible, with the reason in Result.Blurred and the proven
// bound.
//
// # Rounded weights
//
// Sums in the lanes are whole numbers of 16 or 32 bits (lanes.go). If the weights w_i are not
// whole, or add up to 2^31 units or more, row i carries
//
//	q_i = floor(w_i / g),   0 <= w_i - g q_i < g,
//
// with the grain g a power of two, so that g q_i is exact, and W/2^30 < g <= W/2^29 for the weight
// W of all rows. Claim: no tree has a larger error by q than by w. Proof: the sum of g q_i over its
// errors is at most that of w_i. So the minimum over all trees of a side S, by q, is a bound on
// f0(S), too low by less than g |S|. The same holds for the values of leaves and stumps from the
// lanes. A cut is closed if its bounds add up to a value no better than the incumbent. All other
// cuts are evaluated again in float64, smallest bound first (pairSearch.decide). So every incumbent
// and value is as exact as without lanes; rounding costs extra evaluations if bounds come within g
// |S| of the incumbent, but never a better tree. The rules use bounds of sides as such. Similar
// needs an upper bound on the weight between two points; it uses the weight by q plus everything
// that was rounded off in the node.
//
// Costs are rounded likewise if they are not whole, or if the largest costs of all rows add up to
// 2^31 or more: every c_ik is rounded down to a multiple of g. Since q_i is the maximum of
// floor(c_ik / g) over k, a row that appears in no lane, q_i = 0, has no costs in the lanes either.
//
// # Fixed splits
//
// If the upper splits are given (Options.Fixed), a tree consists of one tree for the rows at each
// of their leaves. These trees are independent except for the number of splits: errors, penalties
// and minimum leaf weights belong to single leaves, and each path has the levels that remain below
// its leaf. So the regions are searched one after the other, each with the lambda of the whole
// problem; their values and bounds add up, together with the penalty for the fixed splits.
//
// The limit of C splits couples the regions. Let v_r(s) be the minimum value of region r with at
// most s splits, and let C0 be the number of fixed splits. If the best trees for C - C0 splits in
// each region have at most C - C0 splits in total, they are optimal together. Otherwise v_r(s) is
// computed for every smaller s (if the best tree with at most s splits has s' < s splits, v_r is
// constant from s' to s), and dynamic programming minimises sum_r v_r(s_r) subject to sum_r s_r <=
// C - C0. With bounds in place of values, the result is a bound.
//
// # Annealing
//
// Most trees of five levels are not proved in a minute, and the trees that the search meets on its way
// are not good. Annealing (anneal.go) finds better ones: it changes the splits above the last two
// levels, which the kernel of two levels solves to optimality, so that a move is judged by the best
// tree below it. Its trees lower the thresholds of the search; they prove nothing. Search and annealing
// take turns by work (turns.go); the last part of a limit is for annealing alone.
//
// # Deepening
//
// At five or more levels the bound rises by asking for less (deepen.go). Claim: if the search for a
// tree with a value below v ends without one, then f >= v. Proof: its thresholds close only what has
// no value below v.
//
// # Parts
//
// With very many features, one tree of two levels takes seconds, and the search has no bound for long. Then
// it searches disjoint parts of the rows, whose bounds add up (part.go).
//
// # Many rows
//
// If there are many rows with few distinct values, trees of two and three levels come from package large
// (large.go), which adds up rows by value.
//
// # Order and reproducibility
//
// The root is searched in rounds: up to 8 spans with the smallest bounds are evaluated, each from
// the same incumbent and cache, and their results are processed in order. Workers share the
// evaluations of a round and the shelves of the cache (cache.go), to which results are added in
// task order. So the number of workers changes neither the tree nor the counters. The memory to
// which a worker writes is kept apart from all other memory (apart, node.go).
package exact
