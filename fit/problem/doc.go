// Package problem holds the methods of octgen. A [Method] is a struct whose fields are
// options; [Method.On] binds it to data and returns a [Problem]: a value that says which
// trees are admitted, what they cost, and which engines can find them or bound their cost.
// What a method cannot do is a nil field. Package fit runs problems.
//
// A new method is a file with its struct and a line in the table of registry.go.
//
//	problem.go      Method, Info, Problem; what the engines take
//	model.go        formulations with what a fit must know of them, and their specs; what engines return
//	data.go         training data that the engines of one fit share
//	groups.go       options that several methods have
//	constraints.go  options of constraints, bound to data
//	options.go      options as flags and keys, by the tags of the fields
//	registry.go     the table of methods
//	numbers.go      trees that predict numbers: what search and heuristics are given, and make
//	search.go       exact search of univariate trees, plain and under constraints
//	oct.go          oct and treesearch
//	ort.go          ort
//	octh.go         oct-h
//	linear.go       rlp, rlp-p: one linear split
//	features.go     fm, lfm, fm-rlp, fm-rlp-p, sbe: one linear split of few features
//	gto.go          gto, epts, frank-wolfe: trees of a fixed structure
//	greedy.go       cart, c45, oc1, msmt, fm-tree
//	local.go        local-search, alternating
//	policy.go       policy
//	tuned.go        oct-tuned, oct-h-tuned, cart-tuned
//
// The tags of an option are those of github.com/alecthomas/kong and of experiment specs:
// name (default: the field's name in lower case, with dashes on the command line and
// underscores in a spec), help, placeholder, default, enum, the ranges min, max, above and
// below, and two more: own marks options that an algorithm takes from the problem if it
// makes a start for one, and engine names the only engine that has the option.
package problem
