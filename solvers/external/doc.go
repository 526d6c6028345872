// Package external solves models with optimizers that run as programs of their own: an
// executable or, where that is not installed, the optimizer's Python package.
//
//	name       executable  package    optimizer
//	highs-exe  highs                  HiGHS (the solver "highs" is HiGHS in process)
//	highspy                highspy    HiGHS
//	cbc        cbc                    COIN-OR CBC
//	glpk       glpsol                 GLPK
//	scip       scip        pyscipopt  SCIP
//	cp-sat                 ortools    CP-SAT of OR-Tools, for models without continuous columns
//	gurobi     gurobi_cl   gurobipy   Gurobi
//	cplex      cplex       cplex      IBM ILOG CPLEX
//	xpress     optimizer   xpress     FICO Xpress
//	copt                   coptpy     Cardinal Optimizer
//
// Importing it registers them all. Executables are looked for on PATH and in the folder of this
// program, packages in the active virtual environment and in python3; one that is nowhere says
// so. [solvers.LookupAt] takes the path of an executable or of an interpreter.
//
// A package is run by a script of the folder scripts, which reads the same model, start and
// settings as the executable, prints the optimizer's own log, and reports on lines
// "octgen: KEY VALUE" how the solve ended; [packageScan] reads them.
//
// # A solve
//
// The model is written as MPS into a new folder (mode 0700) below os.TempDir,
// with a start where one is given, and the executable runs there, in a process
// group of its own and without a shell; no text of the user's is in its
// arguments or scripts but raw options, whose form is checked. Its output goes to
// Options.Log as it comes, its progress is read from there, and it is asked to
// end as a terminal would (interrupt) when the context ends or when it is late
// at its time limit; then it is terminated, then killed, its children too, all
// within Options.Grace, at the time limit within 0.2 s. On Linux it is killed if
// this process dies before it.
//
// The solution file is read by package solfile and settled by [verify.Settle]:
// checked against the model with none of the optimizer's figures. The folder is
// removed, except where the answer is a [RunError]: a crash, an executable's missing licence,
// an answer that does not parse, or one that the check refutes. Its text has the
// end of the log and names the folder.
//
// # Limits
//
// Bounds are as the log prints them, loosened by half a unit of the last digit
// printed where digits may have been cut. A time limit covers the writing of the
// model; the optimizer gets a little less than what is left, so that it can write
// its solution in time, too. GLPK counts whole seconds and keeps no incumbent when
// interrupted; its limit is rounded down, to 1 s at least. A process that leaves its
// process group is not found.
package external
