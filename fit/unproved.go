package fit

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/mio"
)

// cause says in words what ended an answer before a proof: its limit, else the reason of
// Result.Unproved.
func (a *answer) cause() string {
	switch l := a.verdict.Limit; l {
	case mio.NoLimit:
		return cmp.Or(a.Unproved, fmt.Sprintf("the engine %s ended without a proof", a.engine))
	case mio.LimitInterrupt:
		return "interrupted"
	case mio.LimitMemory:
		return "out of memory"
	case mio.LimitIterations:
		if a.engine != problem.MIO {
			return "the work limit was reached"
		}
		return "the iteration limit was reached"
	case mio.LimitNodes:
		return "the node limit was reached"
	case mio.LimitCutoff:
		return "the cutoff was reached"
	case mio.LimitGap:
		return "the gap asked for was reached"
	default:
		return fmt.Sprintf("the %s limit was reached", l)
	}
}

// whyUnproved is the reason why a model's solve that no limit ended proves nothing.
func (j *job) whyUnproved(p problem.Problem, m *problem.Model, s *solved) string {
	switch {
	case m.Precision.Loose != "":
		return m.Precision.Loose
	case s.by == nil:
		return j.heuristicOnly(p)
	case s.failed != nil:
		return "the solver failed"
	}
	why := s.by.Name() + " ended without a proof"
	if s.Raw != "" {
		why += fmt.Sprintf(" (%s)", s.Raw)
	}
	return cmp.Or(s.Note, why)
}

// HeuristicOnly is in Solver.Raw where heuristics answered, with the way to a proof.
const HeuristicOnly = "heuristic only"

// heuristicOnly are the words of an answer without a proof, and the way to one.
func (j *job) heuristicOnly(p problem.Problem) string {
	text := HeuristicOnly + "; "
	if j.Engine == problem.Auto {
		text = "no solver: " + text
	}
	if slices.Contains(p.Info().Engines, problem.Search) {
		return text + "`--engine search` proves it"
	}
	return text + "a solver proves it: `octgen solvers` lists them, --solver names one"
}
