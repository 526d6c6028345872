"""Xpress through its Python package."""

import common
import xpress as xp

LIMITS = {
    xp.StopType.TIMELIMIT: "time",
    xp.StopType.CTRLC: "interrupt",
    xp.StopType.NODELIMIT: "nodes",
    xp.StopType.ITERLIMIT: "iterations",
    xp.StopType.MIPGAP: "gap",
    xp.StopType.MEMORYERROR: "memory",
    xp.StopType.USER: "interrupt",
}
STATUSES = {
    xp.SolStatus.OPTIMAL: "optimal",
    xp.SolStatus.FEASIBLE: "feasible",
    xp.SolStatus.INFEASIBLE: "infeasible",
    xp.SolStatus.UNBOUNDED: "unbounded",
}


def licence(e):
    text = str(e)
    return any(w in text for w in ("?120 ", "icense", "icence", "too many rows"))


def solve(task):
    try:
        p = xp.problem()
        p.readProb(task.model)
        p.setControl("mipaddcutoff", 0)  # the default, -1e-5, cuts off better solutions of small objectives
        common.settle(task, p.setControl)
        if task.nonconvex:
            p.setControl("nlpsolver", 2)
        if task.start and task.discrete:
            p.readSlxSol(task.start)
        common.attend(p.optimize, lambda: p.interrupt(xp.StopType.CTRLC))
    except Exception as e:
        if licence(e):
            raise common.NoLicence(e) from e
        raise
    a = p.attributes
    found = a.solstatus in (xp.SolStatus.OPTIMAL, xp.SolStatus.FEASIBLE)
    if found:
        common.write_values(task.solution, ((v.name, x) for v, x in zip(p.getVariable(), p.getSolution())))
    if task.discrete or task.nonconvex:
        common.say("bound", repr(a.bestbound))
    elif found and a.solstatus == xp.SolStatus.OPTIMAL:
        common.say("bound", repr(a.objval))
    common.say("nodes", a.nodes)
    common.say("iterations", a.simplexiter)
    common.say("point", "yes" if found else "no")
    limit = LIMITS.get(xp.StopType(a.stopstatus)) if a.stopstatus else None
    if limit and a.solstatus != xp.SolStatus.OPTIMAL:
        common.say("limit", limit)
    else:
        status = STATUSES.get(a.solstatus)
        common.say(*(("status", status) if status else ("failed", "solution status %s" % a.solstatus)))


common.main(solve)
