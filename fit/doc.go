// Package fit is the pipeline from data to a checked tree. Its stages are functions
// from value to value, each in a file that calls only files above it in this list:
//
//	result.go    what comes out: Result, the JSON object of `octgen fit --json`
//	options.go   what goes in: Options, errors, events
//	engine.go    what only one engine has
//	settings.go  options as flags and as keys of a spec
//	budget.go    one deadline, and shares of what is left of it
//	constraints.go
//	             those of a method on its rows: what holds them
//	job.go       options and data, checked and with their defaults: what a fit works on
//	solver.go    which solver there is; linear programs in what is left of the time
//	starts.go    job, problem -> trees to start from
//	point.go     trees, model -> the best feasible point to start from
//	crosscheck.go
//	             the part of a solver's time that is the cross-check's
//	gapstop.go   ends a solve at an incumbent within the gap asked for of the data's bound
//	solve.go     model, point -> what the solver says
//	lazy.go      the same of a model with lazy rows, in rounds
//	parts.go     model, point -> bounds and trees by programs of some of the rows
//	judge.go     what the solver says -> what is believed of it (package verify)
//	beside.go    a heuristic that goes on beside the solver
//	answer.go    what is believed -> a tree, decoded and checked, with its certificate
//	unproved.go  why an answer has no proof, in words
//	constrained.go
//	             what is answered where no tree holds the constraints, and what they come to
//	search.go    engine search: the exact native search
//	loose.go     what is made of a solver's points, or without one, where weights lie too far apart
//	confirm.go   the exact search has the last word on what a solver's tolerances leave open
//	mio.go       engine mio: starts, model, solve, judge, answer; and engine heuristic
//	searchfirst.go
//	             trees under constraints: engine search, then engine mio
//	grow.go      algorithms as methods
//	baseline.go  CART's tree beside that of the answer, beside a policy the best single action
//	reward.go    what is maximised: values turned round
//	tunedgoal.go, tunedpool.go, tunedstate.go, tunedconstrained.go, tunedplanes.go, tunedsolve.go, tunedpath.go, tunedchoice.go, tunedmargin.go, tuned.go
//	             methods that choose alpha by validation
//	fingerprint.go, sidecar.go, startpoint.go
//	             models that are written to files, and their starts
//	run.go       Run: the engine is chosen, its answer scored
//	file.go      the solution of a written model, judged and scored as a fit is
package fit
