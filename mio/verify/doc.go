// Package verify is the one judge of octgen: it decides what is believed of a
// point, of a solver's claim, of a tree and of a limit. It uses none of a solver's
// code and takes the answer of a search as a value. The rules, each with a test
// that fails without it:
//
//	point    satisfies the model      no row, bound, integrality, indicator, set or quadratic row is violated by more than Feasibility
//	         is returned with a note  the worst violation is at most Tolerated
//	         is refused               beyond that; a value is no number; the objective stated for it is not its own within Agreement
//	claim    optimal                  objective and bound within Agreement of each other
//	         feasible, limit gap      a gap was asked for, and is left
//	         feasible, with a note    the solver calls it optimal and states a bound that leaves a gap
//	         feasible, with a note    the solver's tolerances are not small against a unit of weight ([Precision]); its bound is none
//	         a bound                  from a solver or file that states one; an optimum without a gap is one
//	         none                     a solution file's "optimal" without a bound: it is claimed by the file, not proved
//	         refuted                  an optimum or a bound above the objective of a point known to be feasible: a start, the
//	                                  single leaf, the tree of the search
//	         raised                   a bound, less the tolerance of solvers, to the next value that the objective can have ([Lattice])
//	         proved                   the objective is the bound of the solver, the lattice, or any Proof: data, search, parts of the problem
//	tree     has its errors           counted row by row they are those that its leaves say
//	         keeps its limits         depth, most splits, least leaf weight (tree.EnoughWeight)
//	         agrees                   its objective is no worse than its point's
//	         disproves                an optimum or a bound above its objective: the claim is dropped, the check fails, the tree stands
//	search   agrees                   neither has a tree below the other's bound, an optimum that the solver claims being one
//	limit    is a status              what the time limit or an interrupt ends has a tree, without constraints at least the single leaf (package fit); where a node or memory
//	                                  limit leaves a solver without a point there is none, and the exit code is 3
package verify
