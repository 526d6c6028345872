package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/fit/problem"
)

// printTuning prints the choice and the envelope that it is from.
func printTuning(out io.Writer, res *fit.Result) {
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
	complexity := "splits"
	if m, err := problem.Lookup(res.Method); err == nil && m.Info().Counts == "feature" {
		complexity = "features in splits"
	}
	errors, validation := "error weight", "wrong"
	costs := res.Train != nil && res.Train.Cost != nil
	if costs {
		errors, validation = "excess cost", "excess cost"
	}
	fmt.Fprintln(out)
	w := tabwriter.NewWriter(out, 0, 0, 3, ' ', 0)
	fmt.Fprintf(w, "\talpha\t%s\t%s, %d rows\t%s of %d validation rows\t\n", complexity, errors, u.TrainRows, validation, u.ValidationRows)
	for _, p := range u.Envelope {
		mark, note, found := "", "", p.ValidationErrors
		if costs {
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
