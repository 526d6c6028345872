"""HiGHS through highspy."""

import common
import highspy

ENDS = {
    "Optimal": ("status", "optimal"),
    "Infeasible": ("status", "infeasible"),
    "Unbounded": ("status", "unbounded"),
    "Primal infeasible or unbounded": ("status", "infeasible or unbounded"),
    "Time limit reached": ("limit", "time"),
    "Iteration limit reached": ("limit", "iterations"),
    "Solution limit reached": ("limit", "nodes"),
    "Memory limit reached": ("limit", "memory"),
    "Interrupted by user": ("limit", "interrupt"),
    "Interrupt": ("limit", "interrupt"),
}


def solve(task):
    h = highspy.Highs()
    h.setOptionValue("mip_min_logging_interval", 0.2)

    def set_option(name, v):
        status, kind = h.getOptionType(name)
        if status != highspy.HighsStatus.kOk:
            raise ValueError("unknown option")
        v = {"kBool": lambda: str(v).lower() in ("1", "on", "true"), "kInt": lambda: int(v), "kDouble": lambda: float(v)}.get(kind.name, lambda: str(v))()
        if h.setOptionValue(name, v) != highspy.HighsStatus.kOk:
            raise ValueError("the value %s is not accepted" % v)

    common.settle(task, set_option)
    if h.readModel(task.model) == highspy.HighsStatus.kError:
        raise ValueError("the model cannot be read")
    if task.start and task.discrete:
        h.readSolution(task.start, 0)  # the log says whether it is feasible
    h.HandleUserInterrupt = True
    common.attend(h.run, h.cancelSolve)
    info, words = h.getInfo(), h.modelStatusToString(h.getModelStatus())
    found = info.primal_solution_status == highspy.SolutionStatus.kSolutionStatusFeasible
    if found:
        h.writeSolution(task.solution, 0)
    if task.discrete:
        common.say("bound", repr(info.mip_dual_bound))
        common.say("nodes", info.mip_node_count)
    elif found and words == "Optimal":
        common.say("bound", repr(info.objective_function_value))
    common.say("iterations", info.simplex_iteration_count)
    common.say("point", "yes" if found else "no")
    common.say(*ENDS.get(words, ("failed", "status " + words)))


common.main(solve)
