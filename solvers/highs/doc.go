// Package highs runs the HiGHS optimizer (https://highs.dev) inside the
// process. Importing it registers the solver "highs".
//
// It needs cgo and the HiGHS library, found through pkg-config, which
// scripts/install-highs.sh provides. With the build tag nohighs, or without
// cgo, the package still builds: its solver is registered and says that it is
// not available.
//
// # How it works
//
// The HiGHS object comes from github.com/lanl/highs. What that binding lacks
// (one-call loading, starts, callbacks, answers at limits) this package adds
// by declaring the functions of HiGHS's C interface that it calls; see
// bridge.h.
//
// Each solve runs on an operating system thread of its own, which ends with
// it, because HiGHS keeps its task scheduler per thread: with shared threads,
// concurrent solves of different thread counts fail. That thread owns the C
// memory and frees it. Callbacks copy incumbents, bounds and log lines into
// Go memory; Solve, which waits on the caller's goroutine, hands them on. So
// an interrupted Solve can return what is known while HiGHS, which looks at
// interrupts rarely when it is inside a sub-MIP, still unwinds.
//
// # What is promised of a solution
//
// Values are checked with mio.Check, not with HiGHS's own figures: discrete
// columns are rounded and all columns clipped to their bounds where the point
// stays feasible at 1e-6. A point that violates the model by more than 1e-6
// but at most 1e-5 is returned with the violation in Raw; one beyond that is
// replaced by the start if there is one, and is an error otherwise. Objective
// is recomputed from the values. mio.Optimal is reported for HiGHS's model
// status "Optimal" only (and for a model without columns, which is answered
// without HiGHS).
//
// Limits: HiGHS looks at the iteration limit of a MIP between nodes and
// rounds of cuts. Linear programs take starts but do not use them. Finite
// bounds of 1e20 and more are infinite to HiGHS.
package highs
