"""SCIP through pyscipopt."""

import common
from pyscipopt import Model

ENDS = {
    "optimal": ("status", "optimal"),
    "infeasible": ("status", "infeasible"),
    "unbounded": ("status", "unbounded"),
    "inforunbd": ("status", "infeasible or unbounded"),
    "timelimit": ("limit", "time"),
    "nodelimit": ("limit", "nodes"),
    "totalnodelimit": ("limit", "nodes"),
    "gaplimit": ("limit", "gap"),
    "memlimit": ("limit", "memory"),
    "userinterrupt": ("limit", "interrupt"),
    "terminate": ("limit", "interrupt"),
}


def solve(task):
    m = Model()
    m.hideOutput(False)
    m.setParam("display/freq", 1)
    m.readProblem(task.model)

    def set_option(name, v):
        kind = type(m.getParam(name))
        m.setParam(name, kind(v) if kind is not bool else str(v).lower() in ("1", "true"))

    common.settle(task, set_option)
    if task.start and m.addSol(m.readSolFile(task.start)):
        common.say("start", "accepted")
    m.optimize()  # which heeds signals
    found = m.getNSols() > 0 and m.getStatus() not in ("unbounded", "inforunbd")
    if found:
        m.writeBestSol(task.solution)
    common.say("bound", repr(m.getDualbound()))
    common.say("nodes", m.getNTotalNodes())
    common.say("iterations", m.getNLPIterations())
    common.say("point", "yes" if found else "no")
    common.say(*ENDS.get(m.getStatus(), ("failed", "status " + m.getStatus())))


common.main(solve)
