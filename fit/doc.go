// Package fit runs methods on data and returns checked trees.
//
// A fit is a plan over one ledger. [Run] binds the method to the data (a problem.Problem: a
// value), chooses an engine, and lists the steps of its plan. Each step is a function that
// writes facts to the [Ledger]: trees that it found, bounds that it proved, the answer of a
// solver. After the last step, or as soon as the ledger is closed, [Ledger.Certificate] makes a
// verdict of the facts. It is the only place that does: no step has to know what was found
// before it, or what follows if it finds nothing. The [Result], which is the JSON object
// of `octgen fit --json`, is rendered from the certificate.
//
// The files in order; each calls only files above it:
//
//	result.go    Result: what comes out
//	job.go       Options, errors, events; the job: what a fit works on; shares of the time
//	solver.go    the solver that answers
//	starts.go    trees for a solver to start from, and their feasible points
//	conflict.go  constraints that no tree satisfies together
//	ledger.go    facts, and the certificate that they come to
//	claim.go     what a solver says of a model -> facts, by package verify
//	choose.go    which engine; the options that only one engine has
//	solve.go     one solve of a model
//	lazy.go      a model with lazy rows, in rounds
//	parts.go     proofs by models of parts; a search that runs while a solver does
//	mio.go       the plan of the engine mio, with its steps and that of heuristic
//	engines.go   the exact search, and algorithms
//	pool.go      the trees that compete in a tuning
//	tuning.go    a tuning under way: growing, searching, solving
//	tunedpath.go paths of alpha, and what is proved along them
//	tuned.go     methods that choose alpha by validation
//	plan.go      the plans of all others
//	forecast.go  an estimate of a search before it starts
//	claimed.go   what a proof says of all trees, in words; what the tree keeps of its fit
//	render.go    certificate -> Result, with the figures recomputed
//	prove.go     proof files of results
//	settings.go  options as flags of the command line and keys of a spec
//	sidecar.go   models that are written to files
//	decode.go    the solution of a written model -> claim -> Result
//	fit.go       Run
package fit
