"""Gurobi through gurobipy."""

import common
import gurobipy as gp
from gurobipy import GRB

ENDS = {
    GRB.OPTIMAL: ("status", "optimal"),
    GRB.INFEASIBLE: ("status", "infeasible"),
    GRB.UNBOUNDED: ("status", "unbounded"),
    GRB.INF_OR_UNBD: ("status", "infeasible or unbounded"),
    GRB.SUBOPTIMAL: ("status", "feasible"),
    GRB.TIME_LIMIT: ("limit", "time"),
    GRB.NODE_LIMIT: ("limit", "nodes"),
    GRB.ITERATION_LIMIT: ("limit", "iterations"),
    GRB.MEM_LIMIT: ("limit", "memory"),
    GRB.INTERRUPTED: ("limit", "interrupt"),
}
LICENCES = (GRB.Error.NO_LICENSE, GRB.Error.SIZE_LIMIT_EXCEEDED)


def solve(task):
    try:
        m = gp.read(task.model, env=gp.Env())
        common.settle(task, m.setParam)
        if task.nonconvex:
            m.setParam("NonConvex", 2)
        if task.start:
            m.read(task.start)
        m.optimize()  # which heeds signals
    except gp.GurobiError as e:
        if e.errno in LICENCES:
            raise common.NoLicence(e) from e
        raise
    found = m.SolCount > 0
    if found:
        common.write_values(task.solution, ((v.VarName, v.X) for v in m.getVars()))  # Gurobi renames some of its own
    try:
        bound = m.ObjBound
    except (AttributeError, gp.GurobiError):  # of a linear program
        bound = m.ObjVal if m.Status == GRB.OPTIMAL else None
    if bound is not None:
        common.say("bound", repr(bound))
    common.say("nodes", int(m.NodeCount))
    common.say("iterations", int(m.IterCount))
    common.say("point", "yes" if found else "no")
    common.say(*ENDS.get(m.Status, ("failed", "status %s" % m.Status)))


common.main(solve)
