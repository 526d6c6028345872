// Package fit is the pipeline from data to a checked tree. Its stages are functions
// from value to value, each in a file that calls only files above it in this list:
//
//	result.go    what comes out: Result, the JSON object of `octgen fit --json`
//	options.go   what goes in: Options, errors, events
//	settings.go  options as flags and as keys of a spec
//	engine.go    what only one engine has
//	budget.go    one deadline, and shares of what is left of it
//	job.go       options and data, checked and with their defaults: what a fit works on
//	solver.go    which solver there is; linear programs in what is left of the time
//	starts.go    job, problem -> trees to start from
//	point.go     trees, model -> the best feasible point to start from
//	solve.go     model, point -> what the solver says
//	judge.go     what the solver says -> what is believed of it (package verify)
//	answer.go    what is believed -> a tree, decoded and checked, with its certificate
//	search.go    engine search: the exact native search
//	mio.go       engine mio: starts, model, solve, judge, answer; and engine heuristic
//	grow.go      algorithms as methods
//	tuned*.go    methods that choose alpha by validation
//	sidecar.go, fingerprint.go, file.go, startpoint.go
//	             models that are written to files, and their solutions
//	run.go       Run: the engine is chosen, its answer scored
package fit
