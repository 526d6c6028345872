package fit

import (
	"fmt"

	"github.com/octgen/octgen/fit/problem"
)

// used is something that was asked for of a fit, and whether it was.
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

// of is the error that an option is not one of an engine, but of another.
func (u *used) of(right, wrong problem.Engine, more string) error {
	value := ""
	if u.value != "" {
		value = u.value + " "
	}
	return &problem.OptionError{Option: u.flag, Err: fmt.Errorf("%sis of the engine %s, not of %s%s", value, right, wrong, more)}
}

// program is what was asked for that only a program has, nil for nothing.
func (o *Options) program(p problem.Problem) *used {
	s := &o.Solve
	_, searches := p.(problem.Searcher)
	return first([]used{
		{p.Program(), "", p.Program() != ""},
		{"solver", "", o.Solver != ""}, {"solver-path", "", o.Path != ""}, {"solver-option", "", len(s.Raw) > 0},
		{"node-limit", "", s.NodeLimit != 0 || s.IterLimit != 0}, {"gap", "", s.RelGap != 0 || s.AbsGap != 0}, {"log", "", s.Log != nil},
		{"cross-check", "", o.CrossCheck},
		{"start", o.Start, o.StartTree == nil && (o.Start == "none" || searches && isExact(o.Start))},
	})
}

// search is what was asked for that only the exact search has, nil for nothing.
func (o *Options) search(p problem.Problem) *used {
	s, searches := p.(problem.Searcher)
	option := ""
	if searches && !o.CrossCheck && !isExact(o.Start) { // which search, too
		option = s.Searching()
	}
	return first([]used{{"work-limit", "", o.WorkLimit != 0}, {option, "", option != ""}})
}

// isExact reports whether a start is that of the exact search.
func isExact(start string) bool {
	a, err := problem.LookupAlgorithm(start)
	_, exact := a.(problem.Exact)
	return err == nil && exact
}

// refused is the error about an option that an engine has not, nil for none.
func (o *Options) refused(p problem.Problem, e problem.Engine) error {
	program, search := o.program(p), o.search(p)
	switch {
	case program != nil && e != problem.MIO:
		return program.of(problem.MIO, e, "")
	case search != nil && e == problem.MIO && program != nil:
		return search.of(problem.Search, e, ", which --"+program.flag+" asks for")
	case search != nil && e != problem.Search:
		return search.of(problem.Search, e, "")
	}
	return nil
}
