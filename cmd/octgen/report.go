package main

import (
	"fmt"
	"io"
	"math"
	"strings"
	"text/tabwriter"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/formulate/hyperplane"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mio/verify"
	"github.com/octgen/octgen/tree"
)

// printFit prints the tree and its certificate; verbose adds rates, the confusion matrix,
// the start and the checks.
func printFit(w io.Writer, res *fit.Result, ds *dataset.Dataset, m problem.Method, verbose bool) {
	if res.Tree != nil {
		_ = res.Tree.WriteText(w, tree.Format{}) // what w cannot take, its owner tells
		fmt.Fprintln(w)
	}
	label(w, "result", resultText(res, ds))
	if res.Tree != nil {
		for _, text := range cautionTexts(res.Tree, ds.N()) {
			label(w, "caution", text)
		}
	}
	if verbose {
		printScores(w, res.Train, res.Test)
	} else {
		printScore(w, "train", res.Train, true, false)
		printScore(w, "test", res.Test, false, false)
	}
	printConstraints(w, res.Constraints)
	printVerdict(w, res)
	if h := res.Heuristic; verbose && h != nil && h.LocalMoves != nil {
		label(w, "search", searchText(h.LocalMoves))
	}
	if res.Tuning != nil {
		printTuning(w, res, verbose)
	} else {
		printObjective(w, res, ds, m, verbose)
	}
	if res.Check != nil && (verbose || !res.Check.OK()) {
		label(w, "check", checkText(res.Check))
	}
	if p := res.Proof; p != nil {
		label(w, "proof", fmt.Sprintf("%s, %s, checked", p.File, count(p.Bytes, "byte", "bytes")))
	}
	if res.CrossCheck != nil {
		label(w, "cross-check", crossCheckText(res.CrossCheck))
	}
}

// printVerdict prints what is proved of the tree, and by whom.
func printVerdict(w io.Writer, res *fit.Result) {
	if res.Solver != nil {
		status := verdictText(res)
		if res.Solver.Note != "" {
			status += "; " + res.Solver.Note
		}
		if res.Unproved != "" && !res.Solver.Told && unprovedText(res) == "" {
			status += "; not proved: " + res.Unproved
		}
		label(w, "status", status)
	} else {
		label(w, "status", "fitted by "+res.Method+heuristicText(res.Heuristic)+", without a bound on the objective")
	}
}

// printObjective prints the objective and what is known of it.
func printObjective(w io.Writer, res *fit.Result, ds *dataset.Dataset, m problem.Method, verbose bool) {
	s := res.Solver
	switch {
	case res.Train != nil && res.Train.Objective != nil:
		label(w, "objective", objectiveText(res, ds, m))
	case s != nil && s.Objective != nil:
		label(w, "objective", figure(*s.Objective)+", which is no tree's")
	}
	if s == nil {
		return
	}
	if res.Status != mio.Infeasible.String() {
		label(w, "bound", boundText(res))
	}
	if f := res.Formulation; f != nil {
		label(w, "scope", f.Scope)
		label(w, "margin", marginText(f.Margin))
	}
	if verbose && s.Start != "" && s.StartObjective != nil {
		label(w, "start", startText(s, res.Engine, res.Train != nil && res.Train.Reward != nil))
	}
}

// marginText says which problem of oct-h the objective and the bound are of.
func marginText(margin string) string {
	switch margin {
	case string(hyperplane.All):
		return "all: every row keeps it"
	case string(hyperplane.Right):
		return "right: a row without it is an error, and the tree may be right about it nevertheless"
	}
	return ""
}

// crossCheckText is the exact search's word.
func crossCheckText(x *fit.CrossCheck) string {
	agrees := "agrees"
	if !x.Agrees {
		agrees = "DISAGREES"
	} else if x.Status == mio.Feasible.String() {
		agrees = "does not contradict" // neither is below the other's bound, which is not much where the search was stopped
	}
	return fmt.Sprintf("%s: objective %s, bound %s by exact search (%s, %.1f s)", agrees, figure(x.Objective), figure(x.Bound), ended(x.Status, x.Limit), x.Seconds)
}

// startText is the start and what the solver added to it.
func startText(s *fit.Solver, engine string, rewards bool) string {
	value := figure
	if rewards { // whose unit is the user's
		value = asIs
	}
	text := s.Start + ", objective " + value(*s.StartObjective)
	switch {
	case s.StartGain == nil:
	case *s.StartGain > 0 && s.Note != "":
		text += ", improved by " + value(*s.StartGain) // by whom the note says
	case *s.StartGain > 0 && engine == string(problem.Search):
		text += ", which the search improved by " + value(*s.StartGain)
	case *s.StartGain > 0:
		text += ", which the solver improved by " + value(*s.StartGain)
	default:
		text += ", not improved"
	}
	return text
}

// heuristicText says what ended a native method early.
func heuristicText(h *fit.Heuristic) string {
	if h == nil {
		return ""
	}
	switch h.Limit {
	case mio.LimitTime.String(), mio.LimitInterrupt.String():
		return ", " + limitNames[h.Limit]
	}
	return ""
}

// searchText says how a local search went.
func searchText(s *problem.LocalMoves) string {
	return fmt.Sprintf("%s splits, seed %d, %s, %s, best found after %.1f of %.1f s",
		s.Splits, s.Seed, count(s.Restarts, "restart", "restarts"), count(s.Kicks, "kick", "kicks"), s.Best, s.Seconds)
}

// solverText is what the solver came to, or why there was none.
func solverText(s *fit.Solver) string {
	status := ended(s.Status, s.Limit)
	switch none := s.Name == "none"; {
	case none && (s.Told || s.Limit == "" && s.Status == mio.Feasible.String()):
		return status + "; " + s.Raw // by heuristics
	case none && s.Limit == "":
		return fmt.Sprintf("%s (no solver needed: %s)", status, strings.TrimPrefix(s.Raw, "formulate: "))
	case none && s.Raw == "":
		return status // a native method
	case none:
		return status + " before the solver began"
	}
	if s.Seconds == 0 && s.Raw != "" { // from a solution file
		return fmt.Sprintf("%s (%s: %q)", status, versioned(s), s.Raw)
	}
	return status + " " + effort(s)
}

// versioned is a solver's name with its version.
func versioned(s *fit.Solver) string { return strings.TrimSpace(s.Name + " " + s.Version) }

// effort is a solver with its nodes and seconds, in parentheses; of a solution file its name
// alone.
func effort(s *fit.Solver) string {
	if s.Seconds == 0 {
		return "(" + versioned(s) + ")"
	}
	return fmt.Sprintf("(%s, %s, %.1f s)", versioned(s), count(int(s.Nodes), "node", "nodes"), s.Seconds)
}

// unprovedText is the status of a result that ended without a limit and without a proof,
// with the reason; "" where another text has it.
func unprovedText(res *fit.Result) string {
	s, why := res.Solver, res.Unproved
	if why == "" || s.Status != res.Status || s.Told && (s.Name != "none" || s.Raw == why) {
		return ""
	}
	text := res.Status + ", not proved: "
	if res.Tree == nil {
		text = res.Status + ": "
	}
	switch {
	case s.Name != "none":
		return text + why + " " + effort(s)
	case s.Told:
		return text + s.Raw
	}
	return text + why
}

// objectiveText takes the objective apart: 0.08 = 6 errors / 100 baseline + 0.01 x 2 splits.
// OCT-H pays for the features in its splits.
func objectiveText(res *fit.Result, ds *dataset.Dataset, m problem.Method) string {
	s, info, alpha := res.Train, m.Info(), alphaOf(m)
	if s.Reward != nil {
		return rewardText(s, alpha)
	}
	if s.Numbers != nil {
		text := figure(*s.Objective) + " = squared error / that of the mean"
		switch q := s.Numbers.Quantile; {
		case q == 0.5:
			text = figure(*s.Objective) + " = absolute error / that of the median"
		case q > 0:
			text = figure(*s.Objective) + " = quantile loss / that of the single quantile"
		}
		if alpha > 0 {
			text += fmt.Sprintf(" + %s x %s", figure(alpha), count(s.Splits, "split", "splits"))
		}
		return text
	}
	if info.Words != nil {
		if words := info.Words(*s.Objective, s.FeaturesUsed); words != "" {
			return words
		}
	}
	if what := info.Measure; what != "" {
		return figure(*s.Objective) + ", " + what
	}
	if ds.Baseline() == 0 && s.Cost != nil && *s.Objective == 0 {
		return figure(*s.Objective) + ", " + dataset.Costs.Trivial()
	}
	if ds.Baseline() == 0 && s.Cost == nil {
		return figure(*s.Objective) + ", one class"
	}
	errors := errorCount(s.Errors)
	if info.Margin == string(hyperplane.Right) {
		wrong := (*s.Objective - alpha*float64(res.Tree.Terms())) * tree.ErrorScale(ds)
		errors = "weight " + figure(wrong) + " not right with the margin"
	} else if s.Cost != nil {
		errors = "cost " + asIs(res.Tree.Evaluate(ds).Excess)
		if *s.Cost != res.Tree.Evaluate(ds).Excess {
			errors += " above the least of each row"
		}
	} else if s.ErrorWeight != s.Errors {
		errors = "error weight " + figure(s.ErrorWeight)
	}
	text := fmt.Sprintf("%s = %s / %s baseline", figure(*s.Objective), errors, asIs(tree.ErrorScale(ds)))
	switch {
	case alpha == 0:
	case info.Counts != "":
		text += fmt.Sprintf(" + %s x %s in splits", figure(alpha), count(res.Tree.Terms(), info.Counts, info.Counts+"s"))
	default:
		text += fmt.Sprintf(" + %s x %s", figure(alpha), count(s.Splits, "split", "splits"))
	}
	return text
}

// boundText gives the bound and the gap between it and the tree, which may be
// better than the solver's incumbent. Where the check failed there is no gap.
func boundText(res *fit.Result) string {
	train := res.Train
	if res.Bound == nil && res.Solver.Note != "" {
		return "none"
	}
	if s := res.Solver; res.Check != nil && !res.Check.OK() && s != nil && s.Bound != nil {
		return figure(*s.Bound) + ", which the solver claims"
	}
	if res.Bound == nil {
		return "none yet"
	}
	bound := figure(*res.Bound)
	if train != nil && train.Reward != nil {
		bound = asIs(*res.Bound)
	}
	gap := math.Inf(1)
	switch {
	case res.Status == mio.Optimal.String() && res.Gap != nil:
		gap = *res.Gap
	case train != nil && train.Objective != nil:
		gap = mio.Gap(*train.Objective, *res.Bound)
	}
	return bound + "   gap " + percent(gap)
}

// provers says in words who proved a bound.
var provers = map[string]string{
	string(verify.BySearch): "the exact search", string(verify.ByData): "the data: no tree can have less",
	string(verify.ByRows): "programs of some of the rows", string(verify.ByChunks): "the bounds of blocks of rows", string(verify.ByCells): "the directions of hyperplanes", string(verify.ByClauses): "clauses on where rows are", string(verify.BySubsystems): "sets of rows that no hyperplane separates",
	string(verify.ByLagrangian): "prices on the constraints", string(verify.ByRanges): "programs of ranges of the root's split",
}

// partProvers are those for which the solver need not see the whole program.
var partProvers = map[string]bool{string(verify.ByRows): true, string(verify.ByChunks): true, string(verify.BySubsystems): true, string(verify.ByCells): true, string(verify.ByClauses): true}

// verdictText is the status with who proved it; where that is not the solver, what the
// solver came to as well.
func verdictText(res *fit.Result) string {
	if text := unprovedText(res); text != "" {
		return text
	}
	own := solverText(res.Solver)
	ranges := res.Prover != nil && *res.Prover == string(verify.ByRanges)
	if res.Status == res.Solver.Status && !ranges {
		return own
	}
	proved := res.Prover != nil && provers[*res.Prover] != "" && res.Status == mio.Optimal.String()
	switch {
	case proved && (ranges || partProvers[*res.Prover] && res.Solver.Nodes == 0):
		return fmt.Sprintf("%s, proved by %s (%s %s)", res.Status, res.Solver.Raw, res.Solver.Name, res.Solver.Version)
	case proved && res.Engine == string(problem.Heuristic):
		return fmt.Sprintf("%s, proved by %s", res.Status, provers[*res.Prover])
	case proved:
		return fmt.Sprintf("%s, proved by %s; the solver: %s", res.Status, provers[*res.Prover], own)
	}
	return fmt.Sprintf("%s; the solver: %s", res.Status, own)
}

func checkText(c *fit.Check) string {
	switch {
	case !c.OK():
		return "FAILED: " + plainText(c.Problem)
	case c.Feasible == nil && c.ObjectiveMatches == nil:
		return "errors recomputed: agree"
	case c.MaxViolation == nil:
		return "objective and errors recomputed: agree"
	}
	return fmt.Sprintf("feasible, violation %s, objective and errors recomputed: agree", figure(*c.MaxViolation))
}

// printConstraints prints a line for each constraint: what it is, and on which rows it is
// held.
func printConstraints(w io.Writer, all []fit.Constraint) {
	for i := range all {
		label(w, "constraint", constraintText(&all[i]))
	}
}

func constraintText(c *fit.Constraint) string {
	text, rows := c.Text+": ", "training rows"
	if c.Validation != nil {
		rows = "the training part"
	}
	switch {
	case c.Train == nil && c.Note == "":
		return c.Text
	case c.Train == nil:
		text += c.Note
	case c.Rule(): // of splits, whatever the rows
		return text + c.Note + map[bool]string{true: "", false: ", NOT HELD"}[c.Held]
	case c.Limit == nil:
		text += figure(*c.Train) + " paid"
	case c.Held:
		text += figure(*c.Train) + ", held on " + rows
	default:
		text += figure(*c.Train) + ", NOT HELD on " + rows
	}
	if c.Validation != nil && c.Limit != nil {
		text += fmt.Sprintf("; %s on validation rows", figure(*c.Validation))
	}
	if c.Test != nil && c.Limit != nil {
		text += fmt.Sprintf("; %s on test rows", figure(*c.Test))
		if c.TestHeld != nil && !*c.TestHeld {
			text += ", missed there"
		}
	}
	return text
}

// printTuning prints the choice and the envelope that it is from.
func printTuning(out io.Writer, res *fit.Result, verbose bool) {
	u := res.Tuning
	proved := "not all proved best for their alpha"
	switch {
	case res.Solver == nil:
		proved = "subtrees of CART's"
	case u.Proved:
		proved = "all proved best for their alpha"
	}
	refit := ""
	if u.Refit {
		refit = ", fitted once more to all rows"
	}
	label(out, "tuning", fmt.Sprintf("path %s, %s, %s, %s", u.Path, count(u.Solves, "solve", "solves"), count(len(u.Envelope), "tree", "trees"), proved))
	label(out, "alpha", fmt.Sprintf("%s, between %s and %s%s", figure(u.Alpha), figure(u.AlphaLow), figure(u.AlphaHigh), refit))
	if len(u.Margins) > 0 {
		label(out, "margin", chosenMarginText(u.Margins))
	}
	label(out, "objective", fmt.Sprintf("%s on the training part (%d rows) at that alpha", figure(u.Objective), u.TrainRows))
	if !verbose {
		return
	}
	complexity := "splits"
	if m, err := problem.Lookup(res.Method); err == nil && m.Info().Counts == "feature" {
		complexity = "features in splits"
	}
	errors, validation := "error weight", "wrong"
	costs := res.Train != nil && res.Train.Cost != nil
	if costs {
		errors, validation = "excess cost", "excess cost"
	}
	numbers := res.Train != nil && res.Train.Numbers != nil
	if numbers { // losses are parts of that of a single leaf
		errors, validation = "loss", "loss"
	}
	fmt.Fprintln(out)
	w := tabwriter.NewWriter(out, 0, 0, 3, ' ', 0)
	fmt.Fprintf(w, "\talpha\t%s\t%s, %d rows\t%s of %d validation rows\t\n", complexity, errors, u.TrainRows, validation, u.ValidationRows)
	for _, p := range u.Envelope {
		mark, note, found := "", "", p.ValidationErrors
		if costs || numbers {
			found = p.ValidationErrorWeight // by which the tree was chosen
		}
		if p.Chosen {
			mark = "*"
		}
		if p.Proved {
			note = "proved"
		}
		fmt.Fprintf(w, "%s\t%s to %s\t%d\t%s\t%s\t%s\n", mark, figure(p.AlphaLow), figure(p.AlphaHigh), p.Complexity, figure(p.ErrorWeight), figure(found), note)
	}
	w.Flush()
	fmt.Fprintln(out)
}

// chosenMarginText says which margin was chosen, and what of.
func chosenMarginText(margins []fit.MarginChoice) string {
	chosen := ""
	wrong := make([]string, len(margins))
	for k, m := range margins {
		if m.Chosen {
			chosen = figure(m.Mu)
		}
		wrong[k] = fmt.Sprintf("%s with %s", figure(m.ValidationErrors), figure(m.Mu))
	}
	return fmt.Sprintf("%s, by validation errors: %s", chosen, strings.Join(wrong, ", "))
}
