package fit

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/internal/strict"
	"github.com/octgen/octgen/solvers"
)

// Settings are the settings of a fit that are not options of its method, as flags of
// the command line and keys of a spec; their tags are those of package problem.
type Settings struct {
	Engine       string            `enum:"auto,search,mio,heuristic" default:"auto" group:"Solving" help:"search (exact, needs no solver), mio (MIP solver), heuristic (no proof), or auto: the first one that applies."`
	Solver       string            `placeholder:"NAME" group:"Solving" help:"MIP solver (default: first installed of highs, highs-exe, cbc); octgen solvers lists them."`
	SolverPath   string            `placeholder:"FILE" group:"Solving" help:"Path of the solver's executable, if it is not on PATH."`
	Python       string            `placeholder:"FILE" group:"Solving" help:"Python interpreter that has the solver's package (default: the active virtual environment, then python3)."`
	SolverOption map[string]string `placeholder:"NAME=VALUE" group:"Solving" help:"Solver option under the solver's own name (repeatable)."`
	TimeLimit    Limit             `placeholder:"60s|none" group:"Solving" help:"Time limit; the best tree so far is the result. Plain numbers are seconds (octgen fit by exact search: 60s; otherwise none)."`
	NodeLimit    int64             `min:"0" placeholder:"N" group:"Solving" help:"Limit on branch-and-bound nodes."`
	Gap          float64           `min:"0" below:"1" placeholder:"0" group:"Solving" help:"Stop at this relative optimality gap (engines search and mio)."`
	WorkLimit    int64             `min:"0" placeholder:"N" group:"Solving" help:"Limit on the work of native searches, the same on every machine (tuned methods: per solve)."`
	Threads      int               `min:"0" max:"1024" placeholder:"N" group:"Solving" help:"Threads (default: all processors; of a solver, its own choice)."`
	Seed         int               `min:"0" max:"2147483647" default:"1" group:"Solving" help:"Random seed of solvers, native methods and --holdout."`
	CrossCheck   bool              `group:"Solving" help:"oct: solve with a solver and with the exact search, and fail if they disagree."`
	CountRows    bool              `group:"Model" help:"--min-leaf counts rows, whatever they weigh (of classes, without constraints but --forbid)."`
	Start        string            `default:"auto" group:"Solving" help:"Warm start: auto (best of several), none, a method (${starts}) or a tree.json."`
}

// Vars are the variables in the help texts.
func Vars() map[string]string {
	return map[string]string{"starts": strings.Join(problem.Starters(), ", ")}
}

// Options are the options of a fit by m. A setting that is out of range, or that m
// would pass over, is a *problem.OptionError that names it. A start that is the path of
// a file is for the caller to read.
func (s *Settings) Options(m problem.Method) (Options, error) {
	for _, f := range strict.Vars(Vars()).Flags(s) {
		if f.Value.IsZero() {
			continue
		}
		if err := f.Check(f.Value); err != nil {
			return Options{}, &problem.OptionError{Option: f.Name, Err: fmt.Errorf("is %w", err)}
		}
	}
	return s.options(m), s.Check(m)
}

func (s *Settings) options(m problem.Method) Options {
	return Options{
		Method: m, Engine: problem.Engine(s.Engine), Solver: s.Solver, Place: s.Place(), Start: s.Start, WorkLimit: s.WorkLimit, CrossCheck: s.CrossCheck, CountRows: s.CountRows,
		Solve: solvers.Options{
			TimeLimit: s.TimeLimit.Duration(), NodeLimit: s.NodeLimit, RelGap: s.Gap,
			Threads: s.Threads, Seed: s.Seed, Raw: s.SolverOption,
		},
	}
}

// Place is where the solver is looked for.
func (s *Settings) Place() solvers.Place {
	return solvers.Place{Executable: s.SolverPath, Python: s.Python}
}

// Available returns an error if a solver is named that cannot work here.
func (s *Settings) Available() error {
	if s.Solver == "" {
		return nil
	}
	by, err := solvers.LookupAt(s.Solver, s.Place())
	if err == nil {
		err = by.Available()
	}
	return err
}

// Check refuses the settings that m would pass over.
func (s *Settings) Check(m problem.Method) error {
	info := m.Info()
	tuned := info.Kind == problem.Tuned
	names, solves := info.Has("solver") || info.Has("lp"), s.solves(&info)
	for _, f := range []struct {
		name string
		used bool
		has  bool
		why  string
	}{
		{"solver", s.Solver != "", names, needsNone(&info)},
		{"solver-path", s.SolverPath != "", solves || info.Has("lp"), needsNone(&info)},
		{"python", s.Python != "", solves || info.Has("lp"), needsNone(&info)},
		{"solver-option", len(s.SolverOption) > 0, solves, needsNone(&info)},
		{"node-limit", s.NodeLimit != 0, solves, needsNone(&info)},
		{"gap", s.Gap != 0, solves, needsNone(&info)},
		{"threads", s.Threads != 0, info.Has("threads"), "which has one thread"},
		{"start", s.Start != "auto" && s.Start != "", info.Has("start") && !tuned, startless(info.Name, tuned)},
		{"work-limit", s.WorkLimit != 0, info.Has("work-limit"), "whose work has no such limit"},
		{"work-limit", s.WorkLimit != 0, !s.asked(), "with a solver; it is for native searches, and --time-limit and --node-limit end solves"},
		{"count-rows", s.CountRows, info.Shape != nil || info.Validation != nil, "which has no minimum leaf size"},
		{"cross-check", s.CrossCheck, info.Has("cross-check"), "but for oct, whose problem the exact search solves, too"},
	} {
		if f.used && !f.has {
			return &problem.OptionError{Option: f.name, Err: fmt.Errorf("is not for method %s, %s", info.Name, f.why)}
		}
	}
	if s.SolverPath != "" && s.Solver == "" {
		return &problem.OptionError{Option: "solver-path", Err: errors.New("needs --solver, which says whose executable it is")}
	}
	if s.Python != "" && s.Solver == "" {
		return &problem.OptionError{Option: "python", Err: errors.New("needs --solver, which says whose package it has")}
	}
	return s.checkEngine(&info)
}

// CheckLog refuses the log of a solver where m asks none.
func (s *Settings) CheckLog(m problem.Method) error {
	info := m.Info()
	if e := problem.Engine(s.Engine); s.solves(&info) {
		if e == problem.Search || e == problem.Heuristic {
			return (&used{flag: "log"}).of(problem.MIO, e, "")
		}
		return nil
	}
	return &problem.OptionError{Option: "log", Err: fmt.Errorf("is not for method %s, %s", info.Name, needsNone(&info))}
}

// checkEngine refuses what is not of the engine that solves a problem.
func (s *Settings) checkEngine(info *problem.Info) error {
	o := s.options(nil)
	switch {
	case info.Kind != problem.Formulation:
	case s.Engine != string(problem.Auto) && s.Engine != "":
		return o.refused(info, o.Engine)
	case o.onlyMIO(info) != nil:
		return o.refused(info, problem.MIO)
	}
	return nil
}

// asked reports whether a solver is asked for.
func (s *Settings) asked() bool { return s.Solver != "" || s.Engine == string(problem.MIO) }

// solves reports whether a solver may be asked to solve a model of the method: of a tuned one
// only if it is asked for.
func (s *Settings) solves(info *problem.Info) bool {
	return info.Has("solver") && (s.asked() || info.Kind != problem.Tuned)
}

// needsNone says why a setting of solvers is not for a method.
func needsNone(info *problem.Info) string {
	switch {
	case info.Has("lp"):
		return "which asks a solver for linear programs only"
	case info.Has("solver"): // a tuned method
		return "which needs no solver where --solver names none"
	}
	return "which needs no solver"
}

// startless says why a start is not for a method.
func startless(name string, tuned bool) string {
	switch {
	case tuned:
		return "which starts from CART and its own earlier trees"
	case name == "policy":
		return "which begins with greedy trees of its own"
	}
	return "which begins with no tree"
}

// Limits are the settings that an experiment sets for all methods that have them.
type Limits struct {
	TimeLimit Duration `placeholder:"60s" help:"Time limit; the best tree so far is the result. Plain numbers are seconds."`
	NodeLimit int64    `min:"0" placeholder:"N" help:"Limit on branch-and-bound nodes."`
	Threads   int      `min:"0" max:"1024" placeholder:"N" help:"Threads (default: all processors; of a solver, its own choice)."`
	WorkLimit int64    `min:"0" placeholder:"N" help:"Limit on the work of native searches, the same on every machine (tuned methods: per solve)."`
}

// Within returns s with the limit of l of that key, and whether the method has it: what
// only a program has is not for a problem that is searched.
func (s Settings) Within(l Limits, key string, m problem.Method) (Settings, bool) {
	searched := s.searched(m)
	switch key {
	case "time_limit":
		s.TimeLimit = Limit(l.TimeLimit)
	case "node_limit":
		s.NodeLimit = l.NodeLimit
	case "threads":
		s.Threads = l.Threads
	case "work_limit":
		s.WorkLimit = l.WorkLimit
	}
	return s, s.Check(m) == nil && s.searched(m) == searched
}

// searched reports whether the exact search solves m.
func (s *Settings) searched(m problem.Method) bool {
	o, info := s.options(m), m.Info()
	return info.Kind == problem.Formulation && info.Solves(problem.Search) && s.Engine != string(problem.MIO) && o.onlyMIO(&info) == nil
}

// Duration is a time limit: 60s, 2m, 1h30m, or plain seconds.
type Duration time.Duration

// UnmarshalText parses a time limit.
func (d *Duration) UnmarshalText(text []byte) error {
	v, err := strict.Duration(string(text))
	if err != nil || v <= 0 {
		return fmt.Errorf("%q is no time; want a positive one such as 60s, 2m or 90 (seconds)", text)
	}
	*d = Duration(v)
	return nil
}

// JSONSchema is the schema of a time limit in a spec.
func (Duration) JSONSchema() map[string]any {
	return map[string]any{"type": []string{"string", "number"}, "exclusiveMinimum": 0}
}

// Limit is a time limit; negative for "none", 0 for that of an option that was not given.
type Limit Duration

// UnmarshalText reads "none", or a Duration.
func (l *Limit) UnmarshalText(text []byte) error {
	if strings.EqualFold(string(text), "none") {
		*l = -1
		return nil
	}
	return (*Duration)(l).UnmarshalText(text)
}

// JSONSchema is the schema of a time limit in a spec.
func (Limit) JSONSchema() map[string]any { return Duration(0).JSONSchema() }

// Duration is the time limit, 0 for none.
func (l Limit) Duration() time.Duration { return time.Duration(max(0, l)) }
