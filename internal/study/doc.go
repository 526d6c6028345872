// Package study judges octgen from outside: exhaustive reference solvers, written
// without octgen's own code, and drivers that hold every engine's claims against them
// on random data. It has tests only.
//
// What `make test` runs is a few thousand cases. OCTGEN_CASES sets their number over
// all engines; OCTGEN_LONG=1 makes it the long study. OCTGEN_SEED=N draws other cases,
// and OCTGEN_CASE=ENGINE/N runs one of them, as a failure names it.
package study
