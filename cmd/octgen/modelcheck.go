package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strings"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mio/verify"
	"github.com/octgen/octgen/solvers/solfile"
)

// modelCheckCmd is `octgen model check`.
type modelCheckCmd struct {
	Model    string `arg:"" name:"MODEL.mps" help:"Model, plain or gzip, - for standard input."`
	Solution string `arg:"" name:"SOLUTION" help:"The solver's solution file, plain or gzip."`

	solutionFlags
	Tolerance float64 `default:"1e-6" help:"Feasibility tolerance for rows, bounds and integrality."`
	Worst     int     `default:"10" placeholder:"N" help:"How many violations to list."`
	JSON      bool    `name:"json" help:"Print one JSON object instead of text."`
	Quiet     bool    `help:"No notes."`
}

// solutionFlags say how to read a solution file.
type solutionFlags struct {
	Format      string `default:"auto" placeholder:"auto" help:"Solver that wrote the solution: auto, ${formats}."`
	Which       int    `name:"solution" placeholder:"K" help:"Solution to read if the file has several, from 1 (default: the one with the best stated objective)."`
	MissingZero bool   `help:"Treat variables missing from the file as 0."`
}

// options are what the flags say of the solution at path; the format is "" for auto.
func (f *solutionFlags) options(command, path string) (format solfile.Format, opts solfile.ReadOptions, err error) {
	format, err = solutionFormat("--format", f.Format)
	switch {
	case err != nil:
	case path == "-":
		err = badInput(fmt.Errorf("%s cannot read the solution from standard input: save it and give the file", command))
	case f.Which < 0:
		err = badInput(errors.New("--solution is out of range, expected 1 or more, or 0 for the best"))
	}
	return format, solfile.ReadOptions{Solution: f.Which, MissingZero: f.MissingZero}, err
}

// solutionFormat returns the format of this name, "" for auto.
func solutionFormat(flag, name string) (solfile.Format, error) {
	if strings.EqualFold(name, "auto") {
		return "", nil
	}
	f, err := solfile.ParseFormat(strings.ToLower(name))
	if err != nil {
		return "", badInput(fmt.Errorf("%s: no format %q; they are auto, %s", flag, name, formatNames()))
	}
	return f, nil
}

// modelCheck is the object that --json prints: what holds, then what the file
// claims. The status is feasible for a point that holds, whatever its file claims
// of it, else unknown.
type modelCheck struct {
	solutionJSON
	Model modelJSON       `json:"model"`
	Claim claimJSON       `json:"claim"`
	Check *pointCheckJSON `json:"check"` // null where the file has no values
}

// claimJSON is what a solution file states.
type claimJSON struct {
	File      string   `json:"file"`
	Format    string   `json:"format"`
	Status    string   `json:"status"` // "unknown" where it states none
	Limit     string   `json:"limit"`
	Objective *float64 `json:"objective"`
	Raw       string   `json:"raw"`
	Model     string   `json:"model"` // the name of its model
}

// Run holds the solution against the model.
func (c *modelCheckCmd) Run(a *app) error {
	format, opts, err := c.options("model check", c.Solution)
	switch {
	case err != nil:
		return err
	case !(c.Tolerance >= 0 && c.Tolerance <= math.MaxFloat64):
		return badInput(fmt.Errorf("--tolerance is %v, expected a finite number >= 0", c.Tolerance))
	case c.Worst < 0:
		return badInput(errors.New("--worst is out of range, expected 0 or more"))
	}
	if err := existing(c.Solution); err != nil {
		return err
	}
	f, err := a.readModel(c.Model)
	if err != nil {
		return err
	}
	if format == "" {
		if format, err = solfile.Detect(c.Solution); err != nil {
			return err
		}
	}
	opts.AsStated = true
	sol, err := solfile.ReadFile(c.Solution, format, f.m, f.mp, opts)
	if err != nil {
		return err
	}
	rep := newReporter(a.stderr, c.Quiet || c.JSON)
	f.tell(rep)
	rep.close()
	return c.judge(a, f, sol, format)
}

func (c *modelCheckCmd) judge(a *app, f *modelFile, sol *mio.Solution, format solfile.Format) error {
	claim := claimJSON{File: c.Solution, Format: string(format), Status: sol.Status.String(), Limit: sol.Limit.String(),
		Objective: fit.Known(sol.Objective), Raw: sol.Raw, Model: sol.Model}
	var j *verify.Judgement
	found := *sol
	found.Status, found.Limit, found.Objective = mio.Unknown, mio.NoLimit, math.NaN()
	err := fmt.Errorf("%s has no values to hold against the model", c.Solution)
	if sol.Values != nil {
		j = verify.CheckSolution(f.m, sol, c.Tolerance, solfile.Rounding(format, f.m, sol.Values))
		found.Objective, err = j.Report.Objective, judgementError(j)
	}
	if err == nil {
		found.Status = mio.Feasible
	}
	return errors.Join(err, c.print(a, f, &found, &claim, j))
}

func (c *modelCheckCmd) print(a *app, f *modelFile, found *mio.Solution, claim *claimJSON, j *verify.Judgement) error {
	out := modelCheck{describeSolution(found), f.json(), *claim, describeJudgement(j, c.Worst)}
	return a.print(c.JSON, out, func(w io.Writer) {
		label(w, "model", f.summary())
		label(w, "claim", claimText(claim))
		if claim.Model != "" && f.m.Name() != "" && claim.Model != f.m.Name() && filepath.Base(claim.Model) != f.base() {
			label(w, "note", fmt.Sprintf("the file names its model %s, this one is named %s", claim.Model, f.m.Name()))
		}
		if found.Status == mio.Feasible && claim.Status == mio.Infeasible.String() {
			label(w, "note", "the claim is refuted: the point holds")
		}
		if j != nil {
			printJudgement(w, j, c.Worst)
		}
	})
}

// claimText is what the file states, as a claim of its own.
func claimText(c *claimJSON) string {
	var said []string
	if c.Status != mio.Unknown.String() {
		said = append(said, c.Status)
	}
	if c.Limit != "" {
		said = append(said, limitNames[c.Limit])
	}
	if said == nil {
		said = []string{"no status"}
	}
	if c.Objective != nil {
		said = append(said, "objective "+exact(*c.Objective))
	}
	by := c.Format
	if c.Raw != "" {
		by += fmt.Sprintf(": %q", c.Raw)
	}
	return fmt.Sprintf("%s (%s)", strings.Join(said, ", "), by)
}

// printJudgement prints the objective, the violations and the verdict.
func printJudgement(w io.Writer, j *verify.Judgement, most int) {
	objective := exact(j.Report.Objective)
	switch {
	case math.IsNaN(j.Stated):
		objective += " recomputed; none is stated"
	case verify.Same(j.Stated, j.Report.Objective):
		objective += " recomputed, as stated"
	case j.ObjectiveMatches():
		objective += fmt.Sprintf(" recomputed; %s is stated, %.3g apart, within the tolerance of %.3g", exact(j.Stated), math.Abs(j.Stated-j.Report.Objective), j.ObjectiveTolerance)
	default:
		objective += fmt.Sprintf(" recomputed, not %s as stated: %.3g apart, the tolerance is %.3g", exact(j.Stated), math.Abs(j.Stated-j.Report.Objective), j.ObjectiveTolerance)
	}
	label(w, "objective", objective)
	tolerance := fmt.Sprintf("%g", j.Tolerance)
	if j.Rounding > 0.01*j.Tolerance {
		tolerance += fmt.Sprintf(", and %.3g for the digits that the file has", j.Rounding)
	}
	label(w, "tolerance", tolerance)
	label(w, "worst", worstText(j))
	for _, v := range j.Violations[:min(most, len(j.Violations))] {
		label(w, "violated", fmt.Sprintf("%s %s by %.6g", v.Kind, v.Name, v.Amount))
	}
	if left := len(j.Violations) - most; left > 0 {
		label(w, "violated", fmt.Sprintf("and %d more (--worst)", left))
	}
	label(w, "check", verdict(j, "the point holds"))
}

// decodeCmd is `octgen decode`.
type decodeCmd struct {
	Sidecar  string `arg:"" name:"model.octgen.json" help:"Sidecar file, written by octgen mps with the model."`
	Solution string `arg:"" name:"solution.sol" help:"The solver's solution file, plain or gzip."`

	Data string `placeholder:"DATA.csv" help:"Data (default: the path in the sidecar, or the sidecar's folder)."`
	solutionFlags
	All       bool    `help:"Decode every solution in the file, as solvers write their pools, and list the different trees."`
	Tolerance float64 `default:"1e-5" help:"Violation of the model up to which a point is repaired: integers are rounded, the other variables recomputed; more is refused."`
	Output    string  `short:"o" placeholder:"tree.json" help:"Save the tree."`
	JSON      bool    `name:"json" help:"Print one JSON object instead of text."`
	Quiet     bool    `help:"No warnings."`
}

// Run builds the model again, holds the solution against it, and prints the tree
// with its figures as fit does.
func (c *decodeCmd) Run(a *app) error {
	format, read, err := c.options("decode", c.Solution)
	switch {
	case err != nil:
		return err
	case !(c.Tolerance >= 0 && c.Tolerance <= verify.Integrality):
		return badInput(fmt.Errorf("--tolerance is out of range, expected a number from 0 to %v", verify.Integrality))
	case c.All && (c.Output != "" || c.Which != 0):
		return badInput(errors.New("--all lists the solutions: --solution K with -o saves one of them"))
	case c.Output == "-":
		return badInput(errors.New("decode prints its report on standard output: give -o a file, or use --json"))
	}
	s, err := readOwn(&input{path: c.Sidecar}, fit.ReadSidecar)
	if err != nil {
		return err
	}
	data, err := c.data(s)
	if err != nil {
		return err
	}
	if err := errors.Join(distinct(c.Output, c.Sidecar, c.Solution, data), checkOutput(c.Output)); err != nil {
		return err
	}
	if err := existing(c.Solution); err != nil {
		return err
	}
	ds, err := a.input(data).load(s.Data.Load())
	if err != nil {
		return err
	}
	ctx, rep, done := a.attended(c.Quiet, onceMore)
	opts := fit.DecodeOptions{Format: format, Read: read, LP: anyLP(), Notify: rep.event, Tolerance: c.Tolerance}
	if c.All {
		defer done()
		all, err := decodeAll(ctx, s, ds, c.Solution, opts)
		if all == nil {
			return err
		}
		return errors.Join(a.print(c.JSON, all, func(w io.Writer) { printPool(w, all, ds) }), err)
	}
	res, err := s.Decode(ctx, ds, c.Solution, opts)
	done()
	if res == nil {
		return err
	}
	if (err == nil || errors.Is(err, fit.ErrCheck) && res.Kept()) && c.Output != "" {
		err = errors.Join(err, a.writeFile(a.ctx, c.Output, res.Tree.WriteJSON))
	}
	return errors.Join(err, c.print(a, res, ds, s.Model))
}

func (c *decodeCmd) print(a *app, res *fit.Result, ds *dataset.Dataset, spec problem.Spec) error {
	p, err := spec.Method(ds.Classes)
	if err != nil {
		return err
	}
	return a.print(c.JSON, res, func(w io.Writer) {
		printFit(w, res, ds, p, true)
		if res.Check != nil && res.Check.OK() && res.Check.ModelMatches == nil {
			label(w, "note", "the file does not name its model: a solution of another one with the same columns would not be told apart")
		}
	})
}

// data finds the data file of the model.
func (c *decodeCmd) data(s *fit.Sidecar) (string, error) {
	if c.Data != "" {
		return c.Data, nil
	}
	if s.Data.File == "-" {
		return "", badInput(errors.New("the model was made from standard input: give its data with --data"))
	}
	dir, file := filepath.Dir(c.Sidecar), filepath.FromSlash(s.Data.File)
	there := file
	if !filepath.IsAbs(file) {
		there = filepath.Join(dir, file)
	}
	beside := filepath.Join(dir, filepath.Base(file))
	for _, path := range []string{there, beside} {
		if existing(path) == nil {
			return path, nil
		}
	}
	if there == beside {
		return "", badInput(fmt.Errorf("the data of the model, %s, do not exist: name them with --data", there))
	}
	return "", badInput(fmt.Errorf("the data of the model are neither %s nor %s: name them with --data", there, beside))
}
