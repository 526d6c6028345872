// Package clauses decides whether Boolean variables can satisfy clauses, within a budget of weights, together with a theory
// that says which assignments are possible; and whether a hyperplane has rows on given sides. Package parts makes a proof for
// hyperplane trees of both: the theory says which rows hyperplanes can have on which sides.
//
// [Solver] is a search with clause learning: after each decision it sets what clauses with one open literal imply; a clause that
// becomes false is resolved with the reasons of its literals to a new one, which sets a variable after the search has gone back
// (Marques-Silva & Sakallah 1999; Moskewicz et al. 2001 for watched literals and activities, Eén & Sörensson 2004 for the
// form of the whole, Audemard & Simon 2009 for which clauses to forget). The budget is one more constraint: the weights of variables that are
// true add up to at most so much; its reasons are the variables that spent it. Clauses that follow without it are kept when
// the budget changes.
//
// [Separator] is a linear program that keeps its basis from one question to the next.
//
// Files from top to bottom: solver.go calls propagate.go and learn.go, these heap.go. Separator.go stands alone.
package clauses
