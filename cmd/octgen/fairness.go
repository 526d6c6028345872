package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/tree/constraint"
)

// printFairness prints the rates of groups on training and test rows, and how far apart
// they are.
func printFairness(w io.Writer, train, test *fit.Scores) {
	for _, on := range []struct {
		rows   string
		scores *fit.Scores
	}{{"training", train}, {"test", test}} {
		if on.scores == nil {
			continue
		}
		for i := range on.scores.Fairness {
			f := &on.scores.Fairness[i]
			label(w, "groups", fmt.Sprintf("%s on %s rows, rates of class %s", f.Column, on.rows, f.Positive))
			printRates(w, f)
		}
	}
}

// printRates prints a line for each level, and the differences below.
func printRates(w io.Writer, f *constraint.Fairness) {
	var levels, rates []string
	for _, r := range f.Rates {
		if !slices.Contains(levels, r.Level) {
			levels = append(levels, r.Level)
		}
		if !slices.Contains(rates, r.Rate) {
			rates = append(rates, r.Rate)
		}
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "  level\trows\t%s\n", strings.Join(rates, "\t"))
	for _, level := range levels {
		fmt.Fprintf(t, "  %s", level)
		for n, rate := range rates {
			r := rateOf(f, level, rate)
			if n == 0 {
				fmt.Fprintf(t, "\t%s", figure(r.Rows))
			}
			fmt.Fprintf(t, "\t%s", rateText(r.Value))
		}
		fmt.Fprintln(t)
	}
	_ = t.Flush() // what w cannot take, its owner tells
	for _, m := range f.Metrics {
		fmt.Fprintf(w, "  %-20s %s\n", m.Metric, rateText(m.Value))
	}
}

func rateOf(f *constraint.Fairness, level, rate string) constraint.GroupRate {
	i := slices.IndexFunc(f.Rates, func(r constraint.GroupRate) bool { return r.Level == level && r.Rate == rate })
	return f.Rates[i]
}

func rateText(v *float64) string {
	if v == nil {
		return "-"
	}
	return fmt.Sprintf("%.4f", *v)
}
