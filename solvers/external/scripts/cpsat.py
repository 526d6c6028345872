"""CP-SAT of OR-Tools."""

import common
from ortools.linear_solver.python import model_builder as mb

ENDS = {"OPTIMAL": "optimal", "INFEASIBLE": "infeasible", "FEASIBLE": "feasible", "UNBOUNDED": "unbounded"}


def settings(task):
    """All settings as the text of SatParameters."""

    def check(name, v):
        s = mb.Solver("sat")
        s.set_solver_specific_parameters("%s:%s" % (name, v))
        if s.solve(mb.Model()) == mb.SolveStatus.INVALID_SOLVER_PARAMETERS:
            raise ValueError("SatParameters has no such field, or not with this value")

    common.settle(task, check)
    return " ".join("%s:%s" % (name, v) for name, v in task.settings)


def solve(task):
    m = mb.Model()
    if not m.import_from_mps_file(task.model):
        raise ValueError("the model cannot be read")
    if task.start:
        columns = {m.var_from_index(i).name: m.var_from_index(i) for i in range(m.num_variables)}
        with open(task.start, encoding="utf-8") as f:
            for line in f:
                name, _, v = line.strip().rpartition(" ")
                if name in columns:
                    m.add_hint(columns[name], float(v))
    s = mb.Solver("sat")
    s.enable_output(True)
    s.set_solver_specific_parameters(settings(task))
    ended = []
    asked = []

    def stop():
        asked.append(True)
        s.interrupt_solve()

    common.attend(lambda: ended.append(s.solve(m)), stop)
    status = ended[0].name
    found = status in ("OPTIMAL", "FEASIBLE")
    if found:
        columns = [m.var_from_index(i) for i in range(m.num_variables)]
        common.write_values(task.solution, ((c.name, s.value(c)) for c in columns))
        common.say("bound", repr(s.best_objective_bound))
    common.say("point", "yes" if found else "no")
    if status in ("FEASIBLE", "NOT_SOLVED", "CANCELLED_BY_USER"):
        common.say("limit", "interrupt" if asked else "time")
    elif status in ENDS:
        common.say("status", ENDS[status])
    elif "infeasible or unbounded" in s.status_string:
        common.say("status", "infeasible or unbounded")
    else:
        common.say("failed", "status %s %s" % (status, s.status_string))


common.main(solve)
