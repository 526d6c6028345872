// Package mps writes and reads models, linear and beyond, as MPS files, free and
// fixed, plain and gzip; for people it writes CPLEX-LP files too ([WriteLP]).
//
// # What is written
//
// The portable profile, which HiGHS, CBC, GLPK and the commercial solvers read
// alike; every choice avoids a disagreement between them:
//
//   - The model is minimized and there is no OBJSENSE. A maximization is
//     written with its costs negated under the comment "* octgen sense max".
//
//   - The objective's constant is the cost of a last column, fixed at 1 and
//     named octgen_one (octg_one in fixed format).
//
//   - Every column is written, in model order, with both of its bounds.
//
//   - A row without bounds is an N row after the objective. Solvers drop it.
//
//   - A row with two different finite bounds has a RANGES entry.
//
//   - Integer columns stand between markers; the markers around binary columns
//     have names that begin with BIN.
//
//   - Integer columns' fractional bounds are rounded inwards: GLPK refuses them
//     and HiGHS 1.10 can return them as values.
//
//   - Numbers are the shortest decimals that read back to the same float64.
//
//   - Names begin with a letter or underscore, have 1 to 128 printable ASCII
//     characters without any of $ * ' ", and are no word of the format; others
//     are replaced by octgen_c<j+1>, octgen_r<i+1> and, for sets,
//     octgen_s<k+1> ([Map]). So are columns named S1 or S2, which begin a set.
//
//   - Lazy rows are the last ones, for CPLEX and Gurobi in the section LAZYCONS, as
//     long as none is free or has two different bounds; elsewhere they are rows like
//     others, which the comment "* octgen lazy N" marks. In LP files they are rows.
//
// Comments that begin "* octgen" carry what MPS cannot say: the sense,
// replaced names, the bounds that rounding or RANGES arithmetic would change,
// the quadratic terms and indicators of rows without bounds.
// Read uses them, so that Read after Write gives back the same model, names
// included. A solver ignores them.
//
// # Beyond linear rows
//
// These sections follow BOUNDS. [Options.Dialect] decides where solvers differ.
//
//   - QUADOBJ holds the quadratic objective (1/2) x'Qx, one triangle of Q: the
//     coefficient of x_i x_j off the diagonal, twice that of x_i squared on it.
//     For CPLEX it is QMATRIX, which has both triangles. HiGHS, SCIP, Xpress
//     and MOSEK read both sections.
//   - QCMATRIX holds the quadratic part x'Qx of a row, without a factor 1/2,
//     both triangles: half the coefficient of x_i x_j in each. The row's linear
//     part, type and right-hand side stand where those of linear rows do.
//   - SOS holds the sets: " S1 name" or " S2 name", then a line with column and
//     weight per member, indented by four blanks, for CBC takes a line that
//     begins " S1" for the head of a set, whatever follows.
//   - INDICATORS holds " IF row column value": the row is in force where the
//     binary column has the value 0 or 1.
//
// SOS comes before the quadratic sections, which SCIP needs and CPLEX documents,
// for Gurobi after them. An error says what a dialect cannot: a quadratic or
// indicator row with two different finite bounds (only SCIP reads it); for
// HiGHS, which takes convex quadratic objectives of continuous columns, anything
// else of this. GLPK reads none of these sections, CBC reads SOS.
//
// # What is read
//
// All that is written, and other people's files in both formats, with these
// conventions where tools differ:
//
//   - Fields are separated by blanks or tabs in both formats, so names with
//     spaces are refused (a [mio.Model] has none). A field after the first that
//     begins with $ ends the line, so no column's name begins with it.
//   - A comment line begins with * in column 1; further right * begins a name.
//   - The first N row is the objective; further N rows are free rows. Without
//     one the objective is constant.
//   - The sense is given once, after OBJSENSE on its line or on one of its own.
//   - The objective's RHS is the negated constant (HiGHS, CBC; GLPK differs).
//   - An integer column between markers without any bound has [0, 1]; one with
//     only a lower bound has no upper one (HiGHS, CBC).
//   - A negative UP or UI where no lower bound is given makes the lower bound
//     -Inf (CBC, GLPK, Gurobi, CPLEX; HiGHS calls it infeasible).
//   - A range R turns row type G into [rhs, rhs+|R|], L into [rhs-|R|, rhs], E
//     into [rhs, rhs+R] or [rhs+R, rhs] by the sign of R.
//   - RHS, RANGES and BOUNDS have one vector each: of several, HiGHS takes all,
//     CBC the first, GLPK none. Lines that leave its name out belong to it.
//   - Integer columns go to the end of COLUMNS where no 'INTEND' comes.
//   - QUADOBJ and QSECTION hold one triangle, QMATRIX and QCMATRIX both, which
//     must agree; lines may have a second pair of column and number. QSECTION
//     with a row's name is that row's (1/2) x'Qx, as in MOSEK.
//   - The sections SOS, SETS, SOS1 and SOS2 hold sets. A head may have a
//     vector's name and a priority, which are ignored. Weights may be left out:
//     1, 2, ... (CPLEX). In SOS1 and SOS2, members may come as lines of set,
//     column and weight. A first field S1 or S2 always begins a set; where it
//     may be a column, too, that is an error.
//   - An indicator is an integer column within [0, 1]; it becomes binary.
//   - Bounds are taken literally: 1e30 is a number, inf is infinite.
//   - Giving the same thing twice is an error, and so is what is too much on a
//     line: nothing is passed over but comments, and the numbers that lines of FR,
//     MI, PL and BV may have.
//
// [ReadOptions.Notes] tells where a file depends on one of these conventions in
// which solvers differ.
package mps
