// Package prices finds univariate trees under linear constraints on their predictions (rates of a
// class, or of the rows of a group) and proves a lower bound, without a solver. It solves the OCT
// problem
//
//	f(t) = cost of the predictions + lambda * splits -> min,  lambda = alpha * Lhat,
//
// over trees t of depth at most D with sum_i G_ri [row i is predicted class_r] <= H_r for all r.
// Such a constraint couples all leaves, so no search that treats sides of a cut independently can
// enforce it.
//
// # The bound
//
// For multipliers (prices) u_r >= 0 let
//
//	L(u) = min_t f(t) + sum_r u_r (G_r(t) - H_r),
//
// the minimum over all trees of the shape, feasible or not. Claim: L(u) <= f(t) for every feasible
// tree t and every u. Proof: the added sum is at most 0. The sum is again a cost of predictions,
// c_ik + u_r G_ri for k = class_r, so that one evaluation of L is one exact search (package exact).
// Rows of equal features are one point, whose costs add up; the minimum cost of each point is
// subtracted, since every tree pays it. With two classes, a point is then a row of its cheaper
// class, weighted by the difference. The bound uses the proved bound of the search, not the value
// of its tree, so that a search that reaches a limit still gives a bound. Rounding errors are
// subtracted.
//
// Two rows with opposite G, |a - b| <= d, share one price of either sign, since they are never both
// useful at once: -d <= g <= d costs u g - |u| d.
//
// L is concave, and each tree found gives a hyperplane above it. With one price, the next price is
// where the planes of both sides meet, until L reaches that point (climb). With several, a proximal
// bundle method chooses it (prices.go; see Kiwiel 1990 on such methods). If all costs are multiples
// of a step, a bound is rounded up to the next multiple; constraints only shrink the set of values.
//
// # Trees
//
// The tree of an evaluation rarely satisfies the constraints. Its leaves are relabelled in the
// cheapest feasible way, by branch and bound over the labels (label.go). From these shapes, a local
// search changes single splits, each with the best feasible labels (local.go).
//
// A tree is optimal if its value equals the bound. (This is complementary slackness: a feasible
// tree that is optimal for some prices need not be optimal unless u.(G - H) = 0.)
//
// # The gap
//
// A gap between L and the best tree may remain, since the set of trees is not convex. Let v be the
// value of the best tree known. A better tree t satisfies
//
//	f(t) + u.(G(t) - H) <= f(t) < v,
//
// so all of its subtrees lie in a window of priced costs. If the gap is small, few subtrees do. Let
// r(S, d) be the minimum priced cost of trees of depth d on the points S. A cut of the root into A
// and B is of interest only if r(A) + r(B) + lambda < v + u.H; then a subtree on A only if its
// priced cost is below v + u.H - lambda - r(B), and so on down (window.go). Claim: moving a point
// from one side of a cut to the other changes r(A) + r(B) by at most the spread of its priced
// costs, their maximum minus their minimum. Proof: apply the best trees from before the move; only
// that point changes its prediction. So cuts near one with a large r(A) + r(B) are skipped.
// In large parts, the exact search lists the cuts of interest (exact.Cuts).
//
// With two classes, two levels, and constraints on nothing but rates of these classes, all trees are
// enumerated by what they can reach (rates.go).
//
// Of the remaining subtrees, only those count that no other on the same points dominates in cost
// and in all sums G_r: replacing a subtree by one that dominates it does no harm (frontier.go).
// Fewer constraints leave fewer subtrees, so only constraints with a positive price are considered
// at first. The best tree under these bounds the problem; if it violates others, they are added. In
// the end, the best tree is proved optimal, or the problem infeasible.
//
// Leaf purity and an order of classes at splits (Options) have no price; only the trees and the
// window enforce them. With them, a subtree is only replaced by one whose classes lie within its
// own.
//
// # Rounding
//
// In the window, costs, sums G_r and weights are whole multiples of powers of two (problem.go), so
// that sums of subtrees are exact; the loss by rounding widens the window and each limit. A tree
// from the window is summed again from its own leaves before it counts, and one that violates a
// limit there bounds the window's proof. All tolerances are relative to the tree's own terms
// (verify.Negligible). If the costs of all rows are too large compared with the value v of the best
// tree, they are capped at v, as in package exact (refine), and the whole search is repeated. If
// that leaves a gap, the status is Feasible with a reason (Result.Blurred).
//
// # Fixed splits
//
// If the upper splits are given (Options.Fixed), every evaluation is a search below them (package
// exact), all shapes begin with them, and moves leave them unchanged. The window then consists of
// subtrees at their leaves, with r of each leaf's points as above and the penalty for the fixed
// splits. A tree on the points A of one leaf is of interest only if its priced cost is below v +
// u.H minus r of all other leaves. The remaining subtrees are joined up the fixed splits like the
// two sides of any cut.
//
// # Infeasible
//
// Three certificates prove that no tree satisfies the constraints: a bound above the cost of every
// tree; prices u with min_t u.(G(t) - H) > 0; or the window of all trees, if it can be enumerated.
package prices
