package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mio/verify"
	"github.com/octgen/octgen/solvers"
	"github.com/octgen/octgen/solvers/solfile"
)

// modelSolveCmd is `octgen model solve`.
type modelSolveCmd struct {
	Model string `arg:"" name:"MODEL.mps" help:"Model, plain or gzip, - for standard input."`

	Solver       string            `default:"highs" group:"Solving" help:"Solver; octgen solvers lists them."`
	SolverPath   string            `placeholder:"FILE" group:"Solving" help:"Path of the solver's executable, if it is not on PATH."`
	Python       string            `placeholder:"FILE" group:"Solving" help:"Python interpreter that has the solver's package (default: the active virtual environment, then python3)."`
	SolverOption map[string]string `placeholder:"NAME=VALUE" group:"Solving" help:"Solver option under the solver's own name (repeatable)."`
	TimeLimit    duration          `placeholder:"60s" group:"Solving" help:"Time limit; the best point so far is the result. Plain numbers are seconds."`
	NodeLimit    int64             `placeholder:"N" group:"Solving" help:"Limit on branch-and-bound nodes."`
	Gap          float64           `placeholder:"0" group:"Solving" help:"Stop at this relative optimality gap."`
	Threads      int               `placeholder:"N" group:"Solving" help:"Threads (default: the solver's choice)."`
	Seed         int               `default:"1" group:"Solving" help:"Seed of the solver."`
	Start        string            `placeholder:"FILE" group:"Solving" help:"MIP start: a solution file of any solver."`
	StartFormat  string            `default:"auto" placeholder:"auto" group:"Solving" help:"Format of the start: auto, ${formats}."`

	Log    string `placeholder:"FILE" group:"Output" help:"Write the solver's log to this file (- for standard error)."`
	Output string `short:"o" placeholder:"model.sol" group:"Output" help:"Save the solution in HiGHS format."`
	JSON   bool   `name:"json" group:"Output" help:"Print one JSON object instead of text."`
	Quiet  bool   `group:"Output" help:"No progress and no notes."`
}

// modelSolved is the object that --json prints.
type modelSolved struct {
	solutionJSON
	Model     modelJSON       `json:"model"`
	StartUsed bool            `json:"start_used"`       // the solver confirmed it
	Check     *pointCheckJSON `json:"check"`            // of the point; null without one
	Output    string          `json:"output,omitempty"` // where the solution is
}

// Run solves, checks, saves and prints.
func (c *modelSolveCmd) Run(a *app) error {
	if err := c.checkFlags(); err != nil {
		return err
	}
	s, err := solvers.LookupAt(c.Solver, solvers.Place{Executable: c.SolverPath, Python: c.Python})
	if err != nil {
		return badInput(err)
	}
	f, err := a.readModel(c.Model)
	if err != nil {
		return err
	}
	opts, err := c.options(s, f)
	if err != nil {
		return err
	}
	closeLog, err := a.openLog(c.Log, &opts)
	if err != nil {
		return err
	}
	sol, err := c.solve(a, s, f, opts)
	if err = errors.Join(err, closeLog()); sol == nil {
		return err
	}
	var j *verify.Judgement
	if sol.Values != nil {
		j = verify.CheckSolution(f.m, sol, verify.Feasibility, 0)
		err = errors.Join(err, judgementError(j))
	}
	if c.Output != "" && err == nil {
		err = a.writeFile(a.ctx, c.Output, func(w io.Writer) error { return solfile.WriteSolution(w, f.m, f.mp, sol) })
	}
	return cmp.Or(errors.Join(err, c.print(a, f, sol, j)), c.explained(sol, solveError(sol)))
}

// explained adds to the error of an infeasible model that octgen mps wrote who names the constraints
// in conflict.
func (c *modelSolveCmd) explained(sol *mio.Solution, err error) error {
	side := fit.SidecarPath(c.Model)
	if _, stat := os.Stat(side); stat != nil || sol.Status != mio.Infeasible || c.Output == "" {
		return err
	}
	return fmt.Errorf("%w; `octgen decode %s %s` names the constraints that no tree satisfies together", err, side, c.Output)
}

func (c *modelSolveCmd) checkFlags() error {
	switch {
	case c.NodeLimit < 0:
		return badInput(errors.New("--node-limit is out of range, expected 1 or more, or 0 for none"))
	case !(c.Gap >= 0 && c.Gap < 1):
		return badInput(errors.New("--gap is out of range, expected a number from 0 to less than 1"))
	case c.Threads < 0 || c.Threads > solvers.MostThreads:
		return badInput(fmt.Errorf("--threads is out of range, expected 1 to %d, or 0 for the solver's choice", solvers.MostThreads))
	case c.Seed < 0:
		return badInput(errors.New("--seed is out of range, expected 0 or more"))
	case c.Output == "-":
		return badInput(errors.New("model solve prints its report on standard output: give -o a file, or use --json"))
	case c.Start == "-":
		return badInput(errors.New("model solve cannot read the start from standard input: save it and give the file"))
	}
	return errors.Join(distinct(c.Output, c.Model, c.Start, c.Log), distinct(c.Log, c.Model, c.Start), checkOutput(c.Output))
}

// options are what the flags say; what the solver cannot honour is an error,
// the seed aside of one that makes no random choices.
func (c *modelSolveCmd) options(s solvers.Solver, f *modelFile) (solvers.Options, error) {
	opts := solvers.Options{TimeLimit: time.Duration(c.TimeLimit), NodeLimit: c.NodeLimit, RelGap: c.Gap, Threads: c.Threads, Raw: c.SolverOption}
	if s.Capabilities().Seed {
		opts.Seed = c.Seed
	}
	if c.Start != "" {
		format, err := solutionFormat("--start-format", c.StartFormat)
		if err != nil {
			return opts, err
		}
		if err := existing(c.Start); err != nil {
			return opts, err
		}
		start, err := solfile.ReadFile(c.Start, format, f.m, f.mp, solfile.ReadOptions{})
		if err != nil {
			return opts, err
		}
		if start.Values == nil {
			return opts, badInput(fmt.Errorf("--start: %s has no feasible point, it says %q", c.Start, start.Raw))
		}
		opts.Start = start.Values
	}
	if err := s.Available(); err != nil {
		return opts, err
	}
	return opts, badInput(solvers.Validate(s, f.m, &opts))
}

// solve runs the solver with progress on standard error; an interrupt ends it
// early.
func (c *modelSolveCmd) solve(a *app, s solvers.Solver, f *modelFile, opts solvers.Options) (*mio.Solution, error) {
	ctx, rep, done := a.attended(c.Quiet, solverStop)
	rep.limit(c.TimeLimit)
	defer done()
	f.tell(rep)
	if s.Capabilities().Progress {
		opts.Progress = func(e solvers.Event) { rep.progress(&e, time.Now()) }
	}
	sol, err := s.Solve(ctx, f.m, opts)
	if errors.Is(err, context.Canceled) {
		return nil, fmt.Errorf("%w: interrupted", errNoPoint)
	}
	return sol, err
}

func (c *modelSolveCmd) print(a *app, f *modelFile, sol *mio.Solution, j *verify.Judgement) error {
	out := modelSolved{describeSolution(sol), f.json(), sol.StartUsed, describeJudgement(j, listedViolations), c.Output}
	return a.print(c.JSON, out, func(w io.Writer) { c.printText(w, f, sol, j) })
}

func (c *modelSolveCmd) printText(w io.Writer, f *modelFile, sol *mio.Solution, j *verify.Judgement) {
	label(w, "model", f.summary())
	status := solvedText(sol)
	if sol.Note != "" {
		status += "; " + sol.Note
	}
	label(w, "status", status)
	if sol.Values != nil {
		label(w, "objective", exact(sol.Objective))
	}
	if fit.Known(sol.Bound) != nil {
		label(w, "bound", exact(sol.Bound)+"   gap "+percent(sol.Gap))
	}
	if c.Start != "" {
		label(w, "start", map[bool]string{true: "taken", false: "not confirmed by the solver"}[sol.StartUsed])
	}
	if j != nil && j.Err() == nil {
		label(w, "worst", worstText(j))
	}
	if j != nil {
		label(w, "check", verdict(j, "the point holds and has this objective"))
	}
}

// listedViolations is how many violations are listed of a solver's point, which
// has none.
const listedViolations = 10

// solvedText says how a solve ended.
func solvedText(s *mio.Solution) string {
	return fmt.Sprintf("%s (%s, %s, %.1f s)", ended(s.Status.String(), s.Limit.String()), s.Solver, count(int(s.Nodes), "node", "nodes"), s.Runtime.Seconds())
}

// solveError is the error that a status means, nil for a point.
func solveError(s *mio.Solution) error {
	switch {
	case s.Values != nil && s.Limit == mio.LimitInterrupt:
		return errPointSoFar
	case s.Values != nil && s.Status.HasSolution():
		return nil
	case s.Status == mio.NoSolution:
		return fmt.Errorf("%w: %s", errNoPoint, limitNames[s.Limit.String()])
	}
	return fmt.Errorf("the model has no solution to show: %s", s.Status)
}
