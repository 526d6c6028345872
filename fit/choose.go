package fit

import (
	"context"
	"fmt"

	"github.com/octgen/octgen/fit/problem"
)

// choose chooses the engine. without says why there is no solver, if heuristics answer
// instead.
func (j *job) choose(ctx context.Context) (e problem.Engine, without, err error) {
	info := &j.info
	if info.Kind != problem.Formulation {
		switch {
		case j.Engine == problem.Auto && info.Solves(problem.Search) && info.Solves(problem.Heuristic):
			return problem.Search, nil, nil
		case j.Engine == problem.Auto:
		case !info.Solves(j.Engine):
			return "", nil, noEngine(info, j.Engine)
		case j.Engine != problem.MIO && !j.usual:
			return "", nil, fmt.Errorf("%w: --solver is of the engine mio, not of %s", ErrInput, j.Engine)
		}
		return j.Engine, nil, nil
	}
	if j.StartTree == nil && j.Start != "none" {
		if _, err := j.suitable(info); err != nil {
			return "", nil, err
		}
	}
	if j.CrossCheck && info.Constraints != nil && !info.Constraints.Empty() {
		return "", nil, fmt.Errorf("%w: the cross-check is for problems without constraints; under them --engine mio begins with what the search has proved, and says so", ErrInput)
	}
	if j.CrossCheck && !(info.Solves(problem.Search) && info.Crossable) {
		return "", nil, fmt.Errorf("%w: the cross-check is for problems with an exact search, such as oct, and an encoding whose optimum is that of trees", ErrInput)
	}
	if e, without = j.preferred(ctx); !info.Solves(e) {
		return "", nil, noEngine(info, e)
	}
	return e, without, badInput(j.refused(info, e))
}

// preferred is the engine that was asked for, or else the first that can: the search,
// unless something is asked for that only a model has; a solver; and, if none is installed,
// the heuristics.
func (j *job) preferred(ctx context.Context) (e problem.Engine, without error) {
	model := j.onlyMIO(&j.info) != nil
	switch {
	case j.Engine != problem.Auto:
		return j.Engine, nil
	case j.info.Solves(problem.Search) && !model:
		return problem.Search, nil
	case model || !j.info.Solves(problem.Heuristic):
		return problem.MIO, nil
	}
	if _, why, _ := j.findSolver(ctx); why != nil {
		return problem.Heuristic, why
	}
	return problem.MIO, nil
}

// noEngine says which engines a method has.
func noEngine(info *problem.Info, e problem.Engine) error {
	if info.Engines == nil {
		return fmt.Errorf("%w: --engine %s: %s is an algorithm of its own; engines solve problems, such as oct", ErrInput, e, info.Name)
	}
	var names []string
	for _, has := range info.Engines {
		names = append(names, string(has))
	}
	plural := "s"
	if len(names) == 1 {
		plural = ""
	}
	return fmt.Errorf("%w: --engine %s: %s has the engine%s %s", ErrInput, e, info.Name, plural, problem.Listed(names))
}

// used is an option, and whether this fit asks for it.
type used struct {
	flag, value string // value: which of the flag's values it is, "" for any
	is          bool
}

// first is the first of them that was asked for, nil for none.
func first(of []used) *used {
	for i := range of {
		if of[i].is {
			return &of[i]
		}
	}
	return nil
}

// of returns the error that an option belongs to another engine.
func (u *used) of(right, wrong problem.Engine, more string) error {
	value := ""
	if u.value != "" {
		value = u.value + " "
	}
	return &problem.OptionError{Option: u.flag, Err: fmt.Errorf("%sis of the engine %s, not of %s%s", value, right, wrong, more)}
}

// onlyMIO is what was asked for that only a solver's model has, nil for nothing.
func (o *Options) onlyMIO(info *problem.Info) *used {
	s := &o.Solve
	searches := info.Solves(problem.Search) && o.Engine != problem.Heuristic
	return first([]used{
		{info.OnlyMIO, "", info.OnlyMIO != ""},
		{"solver", "", o.Solver != ""}, {"solver-path", "", o.Place.Executable != ""}, {"python", "", o.Place.Python != ""}, {"solver-option", "", len(s.Raw) > 0},
		{"node-limit", "", s.NodeLimit != 0 || s.IterLimit != 0}, {"gap", "", (s.RelGap != 0 || s.AbsGap != 0) && !searches}, {"log", "", s.Log != nil},
		{"cross-check", "", o.CrossCheck},
		{"start", o.Start, o.StartTree == nil && (o.Start == "none" && !searches || info.Solves(problem.Search) && isExact(o.Start))},
	})
}

// onlySearch is what was asked for that only the exact search has, nil for nothing.
func (o *Options) onlySearch(info *problem.Info) *used {
	option := info.OnlySearch
	if o.CrossCheck || isExact(o.Start) { // which search, too
		option = ""
	}
	value := ""
	if option == "depth" {
		value = problem.NoDepth.String()
	}
	return first([]used{{"work-limit", "", o.WorkLimit != 0}, {option, value, option != ""}})
}

// refused is the error about an option that an engine lacks, nil for none.
func (o *Options) refused(info *problem.Info, e problem.Engine) error {
	model, search := o.onlyMIO(info), o.onlySearch(info)
	switch {
	case model != nil && e != problem.MIO:
		return model.of(problem.MIO, e, "")
	case search != nil && e == problem.MIO && model != nil:
		return search.of(problem.Search, e, ", which --"+model.flag+" asks for")
	case search != nil && e != problem.Search:
		return search.of(problem.Search, e, "")
	}
	return nil
}
