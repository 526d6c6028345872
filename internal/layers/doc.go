// Package layers holds no code: its test keeps the imports between octgen's
// packages as the plan of ARCHITECTURE.md has them, downwards only, so that mio, dataset and
// tree stay usable alone, every formulation is free of solvers, and whatever
// links with HiGHS is a choice of the command.
package layers
