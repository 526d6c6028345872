// Package prices finds univariate trees that keep linear constraints on their
// predictions (rates: of a class, of a group's rows), with a bound on the best of them,
// without a solver: the OCT problem
//
//	f(t) = cost of the answers + lambda * splits -> min,  lambda = alpha * Lhat,
//
// over trees t of depth at most D with sum_i G_ri [i is answered class_r] <= H_r for all r.
// No search that divides the rows can keep such a constraint, which couples all leaves.
//
// # The bound
//
// For prices u_r >= 0 let
//
//	L(u) = min_t f(t) + sum_r u_r (G_r(t) - H_r),
//
// the least over all trees of the shape, whether they keep the constraints or not. A tree that keeps them
// has L(u) <= f(t), since what is added is at most 0: L(u) is a bound for every u. The sum
// is a cost of answers again, c_ik + u_r G_ri for k = class_r, so that one evaluation is
// one exact search (package exact). Rows of equal features are one point, whose costs
// add up; its least cost is taken out, as no tree can save it. With two classes a point is
// then a row of the class that costs less, its weight the difference. The proved bound of
// the search counts, not the value of its tree, so that a search which a limit cut short
// bounds too. Rounding is taken off.
//
// Two rows of opposite G, |a - b| <= d, have one price of either sign, since both never
// help at once: -d <= g <= d costs u g - |u| d.
//
// L is concave. Each tree that was found is a plane above it. With one price the next one
// is where the planes of both sides meet, until L reaches it (climb); with several a
// proximal bundle method chooses (prices.go; Kiwiel 1990 on such methods). Where all costs are
// multiples of a step, a bound is rounded up to the next one; constraints make the set of
// values smaller, never larger.
//
// # Trees
//
// The tree of an evaluation rarely keeps the constraints as it is. Its leaves are labelled
// anew, the cheapest way that does: branch and bound over the labels (label.go). From
// those shapes a local search moves single splits, each with the best labels that the
// constraints allow (local.go).
//
// A tree is optimal where its value is the bound. (That is what complementary slackness
// comes to: a tree that keeps the constraints and is the best one at some prices is not
// optimal unless u.(G - H) = 0.)
//
// # The gap
//
// Between L and the best tree a gap may be left, as trees are no convex set. All of a
// better tree t lies in a window: with the value v of the best tree known
//
//	f(t) + u.(G(t) - H) <= f(t) < v,
//
// and where the gap is small few parts of trees do. Let r(S, d) be the least priced
// cost of trees of depth d on the points S. A cut of the root into A and B is of interest
// only where r(A) + r(B) + lambda < v + u.H; then a part of the tree on A only where its priced cost
// is below v + u.H - lambda - r(B), and so on down (window.go). Moving a point from one side
// of a cut to the other changes r(A) + r(B) by at most the spread of its priced costs,
// the largest less the least: the best trees before, used after, answer for it otherwise,
// and all else alike. So cuts beside one of large r(A) + r(B) are passed over.
//
// Of the parts that are left, those count that no other on the same points is as good as in cost and in
// all sums G_r: a part of a tree can be replaced by such another without harm
// (frontier.go). Fewer rows, fewer parts: only rows with a price are looked at first. The
// best tree that keeps these bounds the problem; if it breaks others, they are added. In
// the end the best tree is proved, or that there is none.
//
// What has no price, the purity of leaves and an order of classes at splits (Options), only the
// trees and the window know of: a part is also replaced only by one whose classes lie within its own.
//
// # Rounding
//
// Costs, sums G_r and weights are whole multiples of powers of two in the window (problem.go),
// so that sums of parts are exact; what rounding to multiples lost widens the window and
// each limit. A tree from the window is summed again from its own leaves before it counts,
// and one that breaks a limit there bounds the window's proof. All tolerances are those of
// the tree's own terms (verify.Negligible). Where the costs of all rows are too large for
// that beside the value v of the best tree, they are cut at v, as in package exact
// (refine), and all is done again; what that leaves open is Feasible with a reason
// (Result.Blurred).
//
// # Splits that stay
//
// Where the upper splits are given (Options.Fixed), every evaluation is a search below them
// (package exact), all shapes begin with them, and moves leave them alone. The window
// is one of parts at their leaves: with r of each part as above, and the price of the splits
// that stay, a tree on part A is of interest only where its priced cost is below v + u.H less
// r of all others; what is left is joined up the splits that stay like the sides of any cut.
//
// # Infeasible
//
// That no tree keeps the constraints is proved by a bound above the cost of every tree,
// by prices u with min_t u.(G(t) - H) > 0, or by the window of all trees where it can be
// looked at.
package prices
