package solvers

import (
	"context"
	"fmt"
	"math"

	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mio/verify"
)

// An OptionError names an option that has a wrong value or that the solver
// cannot honour.
type OptionError struct {
	Solver string // name of the solver
	Option string // the field of Options, or the name of a raw option
	Reason string // what is wrong and what would be right
}

func (e *OptionError) Error() string {
	return fmt.Sprintf("solver %s: option %s: %s", e.Solver, e.Option, e.Reason)
}

// An UnavailableError says why a solver cannot be used.
type UnavailableError struct {
	Solver string
	Reason string
}

func (e *UnavailableError) Error() string {
	return fmt.Sprintf("solver %s is not available: %s", e.Solver, e.Reason)
}

// Validate checks what every solve may assume of its input: values in their
// ranges, no option set that s is not capable of, and a start that is complete
// and feasible. Its errors are of type *[OptionError], except for a model that
// s cannot take.
func Validate(s Solver, m *mio.Model, opt *Options) error {
	if err := validateRanges(s.Name(), opt); err != nil {
		return err
	}
	caps := s.Capabilities()
	if !caps.Discrete && m.NumDiscrete() > 0 {
		return fmt.Errorf("solver %s: the model has %d discrete columns; this solver takes continuous ones only", s.Name(), m.NumDiscrete())
	}
	for _, part := range []struct {
		name      string
		has, able bool
	}{
		{"quadratic terms", len(m.QuadCost())+len(m.QuadRows()) > 0, caps.Quadratic || caps.ConvexQuadratic},
		{"indicator rows", len(m.Indicators()) > 0, caps.Indicator},
		{"SOS sets", len(m.SOS()) > 0, caps.SOS},
	} {
		if part.has && !part.able {
			return fmt.Errorf("solver %s: the model has %s, which this solver does not take", s.Name(), part.name)
		}
	}
	for _, o := range []struct {
		name      string
		set, able bool
	}{
		{"TimeLimit", opt.TimeLimit != 0, caps.TimeLimit},
		{"NodeLimit", opt.NodeLimit != 0, caps.NodeLimit},
		{"IterLimit", opt.IterLimit != 0, caps.IterLimit},
		{"RelGap", opt.RelGap != 0, caps.Gaps},
		{"AbsGap", opt.AbsGap != 0, caps.Gaps},
		{"Threads", opt.Threads != 0, caps.Threads},
		{"Seed", opt.Seed != 0, caps.Seed},
		{"Start", opt.Start != nil, caps.Start},
		{"Cutoff", opt.Cutoff != nil, caps.Cutoff},
		{"Progress", opt.Progress != nil, caps.Progress},
		{"Log", opt.Log != nil, caps.Log},
		{"Raw", len(opt.Raw) != 0, caps.Raw},
	} {
		if o.set && !o.able {
			return &OptionError{s.Name(), o.name, "this solver cannot honour it"}
		}
	}
	return validateStart(s.Name(), m, opt.Start)
}

func validateRanges(solver string, opt *Options) error {
	for _, o := range []struct {
		name string
		bad  bool
		want string
	}{
		{"TimeLimit", opt.TimeLimit < 0, "must not be negative"},
		{"NodeLimit", opt.NodeLimit < 0, "must not be negative"},
		{"IterLimit", opt.IterLimit < 0, "must not be negative"},
		{"RelGap", !(opt.RelGap >= 0) || math.IsInf(opt.RelGap, 1), "must be finite and not negative"},
		{"AbsGap", !(opt.AbsGap >= 0) || math.IsInf(opt.AbsGap, 1), "must be finite and not negative"},
		{"Threads", opt.Threads < 0 || opt.Threads > MostThreads, fmt.Sprintf("must be between 0 and %d", MostThreads)},
		{"Seed", opt.Seed < 0 || opt.Seed > math.MaxInt32, "must be between 0 and 2^31-1"},
		{"Cutoff", opt.Cutoff != nil && (math.IsNaN(*opt.Cutoff) || math.IsInf(*opt.Cutoff, 0)), "must be finite"},
		{"Grace", opt.Grace < 0, "must not be negative"},
	} {
		if o.bad {
			return &OptionError{solver, o.name, o.want}
		}
	}
	return nil
}

func validateStart(solver string, m *mio.Model, start []float64) error {
	if start == nil {
		return nil
	}
	if len(start) != m.NumCols() {
		return &OptionError{solver, "Start", fmt.Sprintf("has %d values; the model has %d columns", len(start), m.NumCols())}
	}
	for j, v := range start {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return &OptionError{solver, "Start", fmt.Sprintf("the value of column %s is %v; a start must be complete and finite", m.ColName(j), v)}
		}
	}
	if r := mio.Check(m, start, verify.Feasibility); !r.Feasible {
		w := r.Max()
		return &OptionError{solver, "Start", fmt.Sprintf("is infeasible: %s of %s is violated by %.3g", w.Kind, w.Name, w.Amount)}
	}
	return nil
}

// Checked returns s behind [Validate] and [Solver.Available]; the registry
// applies it to all its solvers.
func Checked(s Solver) Solver {
	if c, ok := s.(checked); ok {
		return c
	}
	return checked{s}
}

type checked struct{ Solver }

func (c checked) Solve(ctx context.Context, m *mio.Model, opt Options) (*mio.Solution, error) {
	if err := c.Available(); err != nil {
		return nil, err
	}
	if err := Validate(c.Solver, m, &opt); err != nil {
		return nil, err
	}
	if opt.Grace == 0 {
		opt.Grace = DefaultGrace
	}
	return c.Solver.Solve(ctx, m, opt)
}
