// Package mps writes and reads linear and mixed-integer models as MPS files,
// free and fixed, plain and gzip.
//
// # What is written
//
// The portable profile, which HiGHS, CBC, GLPK and the commercial solvers read
// alike; every choice avoids a disagreement between them:
//
//   - The model is minimized and there is no OBJSENSE. A maximization is
//     written with its costs negated under the comment "* octgen sense max".
//   - The objective's constant is the cost of a last column, fixed at 1 and
//     named octgen_one (octg_one in fixed format).
//   - Every column is written, in model order, with both of its bounds.
//   - A row without bounds is an N row after the objective. Solvers drop it.
//   - A row with two different finite bounds has a RANGES entry.
//   - Integer columns stand between markers; the markers around binary columns
//     have names that begin with BIN.
//   - Integer columns' fractional bounds are rounded inwards: GLPK refuses them
//     and HiGHS 1.10 can return them as values.
//   - Numbers are the shortest decimals that read back to the same float64.
//   - Names begin with a letter or underscore, have 1 to 128 printable ASCII
//     characters without any of $ * ' ", and are no word of the format; others
//     are replaced by octgen_c<j+1> and octgen_r<i+1> ([Map]).
//
// Comments that begin "* octgen" carry what MPS cannot say: the sense,
// replaced names, the bounds that rounding or RANGES arithmetic would change.
// Read uses them, so that Read after Write gives back the same model, names
// included. A solver ignores them.
//
// # What is read
//
// All that is written, and other people's files in both formats, with these
// conventions where tools differ:
//
//   - Fields are separated by blanks or tabs in both formats, so names with
//     spaces are refused (a [mio.Model] has none). A field after the first that
//     begins with $ ends the line.
//   - The first N row is the objective; further N rows are free rows.
//   - The objective's RHS is the negated constant (HiGHS, CBC; GLPK differs).
//   - An integer column between markers without any bound has [0, 1]; one with
//     only a lower bound has no upper one (HiGHS, CBC).
//   - A negative UP or UI where no lower bound is given makes the lower bound
//     -Inf (CBC, GLPK, Gurobi, CPLEX; HiGHS calls it infeasible).
//   - A range R turns row type G into [rhs, rhs+|R|], L into [rhs-|R|, rhs], E
//     into [rhs, rhs+R] or [rhs+R, rhs] by the sign of R.
//   - Of several RHS, RANGES or BOUNDS vectors the first is used.
//   - Bounds are taken literally: 1e30 is a number, inf is infinite.
//   - Giving the same thing twice is an error.
package mps
