// Package constraint has what a tree may be asked to keep on its training rows beside few
// errors and few splits: rates over all rows (recall, precision, shares, fairness between
// groups), and rules of its leaves and splits (rates.go, fair.go, rules.go). Each kind has
// its text, its value for a tree on data, and the form in which programs and searches take
// it.
//
// With q_ik = 1 iff row i is predicted class k, a rate constraint is linear,
//
//	sum_i g_i q_ik <= h
//
// for one class k: a [Row]. The row of a program and the prices of a Lagrangian
// (c_ik += lambda g_i) are both made of it, so that they cannot differ.
//
// [Options] are the texts of flags and of specs' keys, [Parse] makes a [Set] of them,
// and [Set.On] binds it to data: classes, groups and features are looked up, weights are
// added up. The same Set on training rows, on those rows merged and in other units, and
// on test rows gives the values of each.
//
// "Held" means to 1e-9 of the rate. A constraint whose rate no row has (a group without
// rows) is left out, with a warning; precision where nobody is predicted counts as held.
package constraint
