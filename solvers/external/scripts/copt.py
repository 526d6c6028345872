"""COPT through coptpy."""

import common
import coptpy as cp
from coptpy import COPT

ENDS = {
    COPT.OPTIMAL: ("status", "optimal"),
    COPT.LOCAL_OPTIMAL: ("status", "feasible"),
    COPT.IMPRECISE: ("status", "feasible"),
    COPT.INFEASIBLE: ("status", "infeasible"),
    COPT.UNBOUNDED: ("status", "unbounded"),
    COPT.INF_OR_UNB: ("status", "infeasible or unbounded"),
    COPT.TIMEOUT: ("limit", "time"),
    COPT.NODELIMIT: ("limit", "nodes"),
    COPT.INTERRUPTED: ("limit", "interrupt"),
}


def solve(task):
    try:
        m = cp.Envr().createModel("model")
        m.readMps(task.model)
        common.settle(task, m.setParam)
        if task.start and task.discrete:
            m.readMst(task.start)
        common.attend(m.solve, m.interrupt)
    except cp.CoptError as e:
        if "license" in str(e).lower():
            raise common.NoLicence(e) from e
        raise
    found = bool(m.hasmipsol if task.discrete else m.haslpsol)
    if found:
        common.write_values(task.solution, ((v.name, v.x) for v in m.getVars()))
    if task.discrete:
        common.say("bound", repr(m.bestbnd))
        common.say("nodes", m.nodecnt)
    elif found and m.status == COPT.OPTIMAL:
        common.say("bound", repr(m.objval))
    common.say("iterations", m.simplexiter)
    common.say("point", "yes" if found else "no")
    common.say(*ENDS.get(m.status, ("failed", "status %s" % m.status)))


common.main(solve)
