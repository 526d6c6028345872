"""CPLEX through its Python package."""

import sys

import common
import cplex
from cplex.exceptions import CplexError, CplexSolverError

SIZES = (1016, 32201, 32024)  # limits of the editions without a licence, and no licence
MIPS = (1, 7, 11)  # problem types: MILP, MIQP, MIQCP


def ended(c):
    s = c.solution
    codes, code = s.status, s.get_status()
    for ends, meaning in (
        ((codes.optimal, codes.MIP_optimal, codes.optimal_tolerance), ("status", "optimal")),
        ((codes.MIP_optimal_infeasible, codes.optimal_infeasible), ("status", "feasible")),
        ((codes.infeasible, codes.MIP_infeasible), ("status", "infeasible")),
        ((codes.unbounded, codes.MIP_unbounded), ("status", "unbounded")),
        ((codes.infeasible_or_unbounded, codes.MIP_infeasible_or_unbounded), ("status", "infeasible or unbounded")),
        ((codes.abort_time_limit, codes.MIP_time_limit_feasible, codes.MIP_time_limit_infeasible), ("limit", "time")),
        ((codes.node_limit_feasible, codes.node_limit_infeasible), ("limit", "nodes")),
        ((codes.abort_iteration_limit,), ("limit", "iterations")),
        ((codes.mem_limit_feasible, codes.mem_limit_infeasible), ("limit", "memory")),
        ((codes.abort_user, codes.MIP_abort_feasible, codes.MIP_abort_infeasible), ("limit", "interrupt")),
    ):
        if code in ends:
            return meaning
    return ("failed", "status %s" % s.get_status_string())


def solve(task):
    c = cplex.Cplex()
    for stream in (c.set_log_stream, c.set_results_stream, c.set_warning_stream, c.set_error_stream):
        stream(sys.stdout)
    c.read(task.model)

    def set_option(name, v):
        at = c.parameters
        for part in name.split("/"):
            at = getattr(at, part)
        at.set(v)

    common.settle(task, set_option)
    if task.nonconvex:
        c.parameters.optimalitytarget.set(3)
    if task.start and c.get_problem_type() in MIPS:
        c.MIP_starts.read(task.start)
    aborter = c.use_aborter(cplex.Aborter())
    try:
        common.attend(c.solve, aborter.abort)
    except CplexSolverError as e:
        if len(e.args) > 2 and e.args[2] in SIZES:
            raise common.NoLicence(e) from e
        raise
    s = c.solution
    found = s.is_primal_feasible()
    if found:
        s.write(task.solution)
    if c.get_problem_type() in MIPS:
        try:
            common.say("bound", repr(s.MIP.get_best_objective()))
        except CplexError:
            pass  # there is none
        common.say("nodes", s.progress.get_num_nodes_processed())
    elif found and ended(c) == ("status", "optimal"):
        common.say("bound", repr(s.get_objective_value()))
    common.say("iterations", s.progress.get_num_iterations())
    common.say("point", "yes" if found else "no")
    common.say(*ended(c))


common.main(solve)
