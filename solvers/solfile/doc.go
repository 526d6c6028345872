// Package solfile writes MIP starts and reads solutions in the files of
// [HiGHS], [Gurobi], [CPLEX], [CBC], [SCIP], [GLPK] and [Xpress], for models
// that package mps wrote or read. A [mps.Map] says how the file's columns correspond to
// the model's; renamed columns, the reserved column of the objective's constant
// and the sign of the objective are taken care of here.
//
// # Starts
//
//	highs   =obj= line, then "name value" (MIPLIB form; highs --read_solution_file)
//	gurobi  .mst: "# MIP start", then "name value"
//	cplex   .mst: XML, CPLEXSolutions of version 1.2
//	cbc     "index name value 0" under a header line (cbc -mipstart)
//	scip    .sol: "name value" under the two header lines. SCIP takes what a .sol
//	        leaves out for 0; a partial start must be named .mst
//	xpress  .slx: " C name value" between NAME and ENDATA (readslxsol)
//	glpk    none: GLPK takes no start
//
// All values are written, zeros too, since solvers do not agree on what a column
// that is left out means; see [StartOptions] for partial starts. Numbers are
// the shortest decimals that read back to the same float64.
//
// # Solutions
//
//	highs   raw and sparse style, with or without rows, duals and basis; MIPLIB
//	        form; the file of improving solutions
//	gurobi  .sol and .mst. They have no status
//	cplex   .sol and .mst XML
//	cbc     plain, and with rows (-printingOptions all)
//	scip    .sol
//	glpk    glpsol -w: by position, for MIP, basic and interior-point solutions
//	xpress  .slx
//
// A column that the file leaves out is 0 where the format says so (HiGHS sparse
// and MIPLIB form, CBC, SCIP, CPLEX by its writeLevel) and an error elsewhere.
// Names that the model does not have, columns given twice, values that are not
// finite, counts that differ and files that end too early are errors that say
// what, where, and what was expected; those that another model's solution causes
// wrap [ErrOtherModel].
//
// [WriteSolution] writes one, for those who read solutions and for HiGHS.
//
// What a file claims is not believed here: Solution.Objective is the file's
// figure where it has one, and a caller holds it against the values with
// [mio.Check], whose tolerance [Rounding] widens for CBC, which writes 8 digits.
package solfile
