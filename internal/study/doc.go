// Package study judges octgen from outside: exhaustive reference solvers, written
// without octgen's own code, and drivers that hold every engine's claims against them
// on random data. It has tests only.
//
// What `make test` runs is a few thousand cases. OCTGEN_CASES sets their number over
// all engines; OCTGEN_LONG=1 makes it the long study. OCTGEN_SEED=N draws other cases,
// and OCTGEN_CASE=ENGINE/N runs one of them, as a failure names it.
//
// TestWide is for numbers far apart: weights and costs of ratios up to 1e600, with and
// without constraints, by the search and by a solver. Its reference enumerates all trees in
// rational numbers (exact_test.go). The long study, `make study`, has 100,000 cases; it
// keeps what it has done in wide.json in the folder OCTGEN_STUDY after every 1,000, and
// goes on from there. Remove the file to begin again.
package study
